/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "tests/unit/mailer.h"

static bool note(const char *place, GBytes *bytes, void *context, GError **error)
{
	gsize n;
	const char *data = g_bytes_get_data(bytes, &n);

	(void)error;
	g_string_append_printf(context, "%s=%.*s;", place, (int)n, data);
	return true;
}

static char *walk(const char *source)
{
	GString *text = g_string_new(NULL);

	assert_true(mailer_source_walk(source, note, text, NULL));
	return g_string_free(text, FALSE);
}

static void a_file_is_placed_by_its_absolute_path(void **state)
{
	g_autofree char *path = scratch_write(*state, "a.eml", "mail", 4);
	g_autofree char *source = g_strconcat("mbox:", path, NULL);
	g_autofree char *expected = g_strdup_printf("%s=mail;", path);
	g_autofree char *plain = walk(path);
	g_autofree char *mbox = walk(source);

	assert_string_equal(plain, expected);
	assert_string_equal(mbox, expected);
}

static void a_directory_is_a_maildir_by_what_is_in_it(void **state)
{
	scratch_text(*state, "new/2.b.host", "second");
	scratch_text(*state, "cur/1.a.host:2,S", "first");
	g_autofree char *url = mailer_source_url(*state, NULL);
	g_autofree char *expected = g_strconcat("maildir:", *state, NULL);
	g_autofree char *got = walk(*state);

	assert_string_equal(url, expected);
	assert_string_equal(got, "1.a.host=first;2.b.host=second;");
}

static void a_directory_is_a_public_inbox_by_what_is_in_it(void **state)
{
	scratch_text(*state, "two/git/0.git/HEAD", "");
	scratch_text(*state, "one/objects/a", "");
	scratch_text(*state, "one/refs/a", "");
	for (int i = 0; i < 2; i++) {
		g_autofree char *path =
			g_build_filename(*state, i ? "two" : "one", NULL);
		g_autofree char *url = mailer_source_url(path, NULL);

		assert_true(g_str_has_prefix(url, "pubinbox:/"));
	}
}

static void a_url_stays_as_it_is(void **state)
{
	static const char *const urls[] = { "-", "imaps://a@b/INBOX", "mbox:x",
					    "lore+https://h/all/" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
		g_autofree char *url = mailer_source_url(urls[i], NULL);

		assert_string_equal(url, urls[i]);
	}
}

static void any_other_directory_is_refused(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_false(mailer_source_walk(*state, note, NULL, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_USAGE));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_placed_by_its_absolute_path),
		TEST(a_directory_is_a_maildir_by_what_is_in_it),
		TEST(a_directory_is_a_public_inbox_by_what_is_in_it),
		TEST(a_url_stays_as_it_is),
		TEST(any_other_directory_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
