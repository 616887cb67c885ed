/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mailer.h"

static mailer_outcome deliver(const char *path, const char *id, const char *eight_bit,
			      const char *quoted, char **detail)
{
	g_autofree char *url = g_strconcat("dir:", path, NULL);
	g_autoptr(mailer_transport) transport = mailer_transport_open(url, NULL);
	mailer_recipient to[] = { { .address = "ann@example.org" } };
	g_autoptr(GBytes) eight =
		eight_bit ? g_bytes_new_static(eight_bit, strlen(eight_bit)) : NULL;
	g_autoptr(GBytes) printable = g_bytes_new_static(quoted, strlen(quoted));
	mailer_envelope envelope = { .message_id = id,
				     .recipients = to,
				     .n_recipients = 1,
				     .eight_bit = eight,
				     .quoted_printable = printable };
	mailer_outcome outcome = mailer_deliver(transport, &envelope, detail);

	assert_int_equal(to[0].outcome, outcome);
	g_free(to[0].detail);
	return outcome;
}

static unsigned count(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	unsigned n = 0;

	while (g_dir_read_name(dir))
		n++;
	return n;
}

static void a_mail_is_written_once(void **state)
{
	g_autofree char *path = g_build_filename(*state, "out", NULL);
	g_autofree char *first = NULL, *again = NULL, *other = NULL;

	assert_int_equal(deliver(path, "1@example.org", "eight", "quoted", &first),
			 MAILER_SENT);
	assert_int_equal(deliver(path, "1@example.org", "eight", "quoted", &again),
			 MAILER_SENT);
	assert_int_equal(count(path), 1);
	assert_non_null(strstr(again, "there already"));
	assert_int_equal(deliver(path, "2@example.org", "eight", "quoted", &other),
			 MAILER_SENT);
	assert_int_equal(count(path), 2);
}

static void the_file_holds_the_eight_bit_form_or_else_the_other(void **state)
{
	g_autofree char *detail = NULL, *name = NULL;

	assert_int_equal(deliver(*state, "1@example.org", NULL, "quoted\r\n", &detail),
			 MAILER_SENT);
	name = g_strndup(detail, (gsize)(strstr(detail, ": ") - detail));
	g_autoptr(GBytes) bytes = mailer_file_read(name, NULL);
	assert_bytes(bytes, "quoted\r\n");
}

static void a_message_id_never_names_a_path(void **state)
{
	g_autofree char *detail = NULL;

	assert_int_equal(deliver(*state, "../../x@example.org", "e", "q", &detail),
			 MAILER_SENT);
	assert_int_equal(count(*state), 1);
}

static void an_unknown_way_of_delivery_is_wrong_usage(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mailer_transport_open("carrier:pigeon", &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_USAGE));
	assert_non_null(strstr(error->message, "carrier:pigeon"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_mail_is_written_once),
		TEST(the_file_holds_the_eight_bit_form_or_else_the_other),
		TEST(a_message_id_never_names_a_path),
		TEST(an_unknown_way_of_delivery_is_wrong_usage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
