/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mailer.h"

/* A program in the scratch directory that is run with these lines. */
static char *program(const char *dir, const char *lines)
{
	g_autofree char *text = g_strconcat("#!/bin/sh\n", lines, "\n", NULL);
	char *path = scratch_write(dir, "prog", text, strlen(text));

	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

static mailer_outcome deliver(const char *url, const char *address, GBytes *mail,
			      char **detail)
{
	g_autoptr(mailer_transport) transport = mailer_transport_open(url, NULL);
	mailer_recipient to[] = { { .address = "ann@example.org" },
				  { .address = address } };
	mailer_envelope envelope = { .message_id = "1@example.org",
				     .sender = "bot@example.org",
				     .recipients = to,
				     .n_recipients = 2,
				     .quoted_printable = mail };
	mailer_outcome outcome = mailer_deliver(transport, &envelope, detail);

	assert_int_equal(to[0].outcome, outcome);
	g_free(to[0].detail);
	g_free(to[1].detail);
	return outcome;
}

static mailer_outcome run(const char *dir, const char *lines, const char *address,
			  char **detail)
{
	g_autofree char *path = program(dir, lines);
	g_autofree char *url = g_strdup_printf("sendmail:%s 'one word'", path);
	g_autoptr(GBytes) mail = g_bytes_new_static("a: b\r\n\r\nc\rd\r\n", 13);

	return deliver(url, address, mail, detail);
}

static void the_program_gets_arguments_and_mail_as_they_are(void **state)
{
	g_autofree char *lines =
		g_strdup_printf("printf '%%s\\n' \"$@\" >%s/args; cat >%s/mail",
				(char *)*state, (char *)*state);
	g_autofree char *detail = NULL;
	g_autofree char *args = g_build_filename(*state, "args", NULL);
	g_autofree char *mail = g_build_filename(*state, "mail", NULL);

	assert_int_equal(run(*state, lines, "$(id)@example.org", &detail), MAILER_SENT);

	g_autoptr(GBytes) got = mailer_file_read(args, NULL);
	g_autoptr(GBytes) body = mailer_file_read(mail, NULL);

	assert_bytes(got, "one word\n-i\n-f\nbot@example.org\nann@example.org\n"
			  "$(id)@example.org\n");
	assert_bytes(body, "a: b\n\nc\rd\n");
}

static void an_address_with_a_dash_never_becomes_an_argument(void **state)
{
	g_autofree char *lines = g_strdup_printf(
		"printf '%%s\\n' \"$@\" >%s/args; cat >/dev/null", (char *)*state);
	g_autofree char *detail = NULL;
	g_autofree char *args = g_build_filename(*state, "args", NULL);

	assert_int_equal(run(*state, lines, "-oQ/tmp@example.org", &detail),
			 MAILER_SENT);

	g_autoptr(GBytes) got = mailer_file_read(args, NULL);

	assert_bytes(got, "one word\n-i\n-f\nbot@example.org\nann@example.org\n");
}

static void exit_codes_mean_what_sysexits_says(void **state)
{
	static const struct {
		const char *lines, *words;
		mailer_outcome outcome;
	} cases[] = {
		{ "cat >/dev/null; exit 75", "exit code 75", MAILER_RETRY },
		{ "echo gone >&2; exit 67", "gone", MAILER_REJECTED },
		{ "exit 69", "exit code 69", MAILER_RETRY },
		{ "exit 1", "exit code 1", MAILER_UNKNOWN },
		{ "exit 74", "exit code 74", MAILER_UNKNOWN },
		{ "kill -9 $$", "signal 9", MAILER_UNKNOWN },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *detail = NULL;

		assert_int_equal(
			run(*state, cases[i].lines, "bob@example.org", &detail),
			cases[i].outcome);
		assert_non_null(strstr(detail, cases[i].words));
	}
}

static void a_program_that_does_not_read_breaks_nothing(void **state)
{
	g_autofree char *path = program(*state, "exit 75");
	g_autofree char *url = g_strconcat("sendmail:", path, NULL);
	g_autofree char *much = g_strnfill(1 << 20, 'x');
	g_autoptr(GBytes) mail = g_bytes_new_static(much, 1 << 20);
	g_autofree char *detail = NULL;

	assert_int_equal(deliver(url, "bob@example.org", mail, &detail), MAILER_RETRY);
}

static void a_missing_program_is_tried_again_later(void **state)
{
	g_autoptr(GBytes) mail = g_bytes_new_static("x", 1);
	g_autofree char *detail = NULL;

	(void)state;
	assert_int_equal(
		deliver("sendmail:/nonexistent/prog", "bob@example.org", mail, &detail),
		MAILER_RETRY);
	assert_non_null(strstr(detail, "/nonexistent/prog"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_program_gets_arguments_and_mail_as_they_are),
		TEST(an_address_with_a_dash_never_becomes_an_argument),
		TEST(exit_codes_mean_what_sysexits_says),
		TEST(a_program_that_does_not_read_breaks_nothing),
		TEST(a_missing_program_is_tried_again_later),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
