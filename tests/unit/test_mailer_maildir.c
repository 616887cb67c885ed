/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/time.h>

#include "tests/unit/fetch_sink.h"

static void make_maildir(const char *dir)
{
	scratch_text(dir, "new/2.b.host", "second");
	scratch_text(dir, "cur/1.a.host:2,S", "first");
	scratch_text(dir, "cur/.hidden", "no mail");
	scratch_text(dir, "tmp/3.c.host", "half");
}

static char *url_of(const char *dir)
{
	return g_strconcat("maildir:", dir, NULL);
}

static void move(const char *dir, const char *from, const char *to)
{
	g_autofree char *a = g_build_filename(dir, from, NULL);
	g_autofree char *b = g_build_filename(dir, to, NULL);

	assert_int_equal(rename(a, b), 0);
}

static void names_come_without_flags_in_order(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *url = url_of(*state);

	make_maildir(*state);
	assert_string_equal(fetched_all(&f, url), "1.a.host=first;2.b.host=second;");
}

static void what_is_known_is_not_opened_again(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *url = url_of(*state);

	make_maildir(*state);
	fetched_all(&f, url);
	move(*state, "new/2.b.host", "cur/2.b.host:2,RS");
	move(*state, "cur/1.a.host:2,S", "cur/1.a.host:2,ST");
	scratch_text(*state, "new/0.z.host", "third");
	assert_string_equal(fetched_all(&f, url), "0.z.host=third;");
	assert_string_equal(fetched_all(&f, url), "");
}

static void an_old_maildir_in_which_nothing_happened_is_not_listed(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *url = url_of(*state);
	static const char *const parts[] = { "new", "cur" };
	const struct timeval old[2] = { { .tv_sec = 1000000000 },
					{ .tv_sec = 1000000000 } };

	make_maildir(*state);
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *dir = g_build_filename(*state, parts[i], NULL);

		assert_int_equal(utimes(dir, old), 0);
	}
	fetched_all(&f, url);
	/* Only the cursor can tell now. */
	g_hash_table_remove_all(f.known);
	assert_string_equal(fetched_all(&f, url), "");
	assert_int_equal(f.checkpoints, 0);
	scratch_text(*state, "new/9.z.host", "third");
	fetched_all(&f, url);
	assert_int_equal(f.mails, 3);
}

static void a_mail_renamed_meanwhile_is_still_read(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *url = url_of(*state);
	g_autofree char *from = g_build_filename(*state, "new/2.b.host", NULL);
	g_autofree char *to = g_build_filename(*state, "cur/2.b.host:2,RS", NULL);

	make_maildir(*state);
	f.rename_from = from;
	f.rename_to = to;
	assert_string_equal(fetched_all(&f, url), "1.a.host=first;2.b.host=second;");
}

static void a_mail_can_be_read_again_from_its_place(void **state)
{
	g_autofree char *url = url_of(*state);
	g_autoptr(GError) error = NULL;
	g_autoptr(mailer_fetch) source = mailer_fetch_open(url, NULL, NULL);

	make_maildir(*state);
	g_autoptr(GBytes) first = mailer_fetch_again(source, "1.a.host", NULL);

	move(*state, "cur/1.a.host:2,S", "cur/1.a.host:2,RS");
	scratch_text(*state, "new/4.d.host", "fourth");
	g_autoptr(GBytes) moved = mailer_fetch_again(source, "1.a.host", NULL);
	g_autoptr(GBytes) late = mailer_fetch_again(source, "4.d.host", NULL);

	assert_bytes(first, "first");
	assert_bytes(moved, "first");
	assert_bytes(late, "fourth");
	assert_null(mailer_fetch_again(source, "9.z.host", &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
}

static void a_directory_that_is_no_maildir_is_named(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *url = url_of(*state);
	g_autoptr(GError) error = NULL;

	assert_false(fetched_run(&f, url, NULL, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, *state));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names_come_without_flags_in_order),
		TEST(what_is_known_is_not_opened_again),
		TEST(an_old_maildir_in_which_nothing_happened_is_not_listed),
		TEST(a_mail_renamed_meanwhile_is_still_read),
		TEST(a_mail_can_be_read_again_from_its_place),
		TEST(a_directory_that_is_no_maildir_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
