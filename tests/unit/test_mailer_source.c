/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "tests/unit/mailer.h"

typedef struct seen {
	GString *text;
	const char *rename_from, *rename_to; /* done at the first call, then NULL */
} seen;

static bool note(const char *place, GBytes *bytes, void *context, GError **error)
{
	seen *s = context;
	gsize n;
	const char *data = g_bytes_get_data(bytes, &n);

	(void)error;
	g_string_append_printf(s->text, "%s=%.*s;", place, (int)n, data);
	if (s->rename_from) {
		assert_int_equal(rename(s->rename_from, s->rename_to), 0);
		s->rename_from = NULL;
	}
	return true;
}

static char *walk(const char *source)
{
	seen s = { .text = g_string_new(NULL) };

	assert_true(mailer_source_walk(source, note, &s, NULL));
	return g_string_free(s.text, FALSE);
}

static void make_maildir(const char *dir)
{
	scratch_text(dir, "new/2.b.host", "second");
	scratch_text(dir, "cur/1.a.host:2,S", "first");
	scratch_text(dir, "cur/.hidden", "no mail");
	scratch_text(dir, "tmp/3.c.host", "half");
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

static void a_maildir_gives_names_without_flags_in_order(void **state)
{
	make_maildir(*state);
	g_autofree char *got = walk(*state);
	assert_string_equal(got, "1.a.host=first;2.b.host=second;");
}

static void a_mail_renamed_meanwhile_is_still_read(void **state)
{
	g_autofree char *from = g_build_filename(*state, "new/2.b.host", NULL);
	g_autofree char *to = g_build_filename(*state, "cur/2.b.host:2,RS", NULL);
	seen s = { .text = g_string_new(NULL), .rename_from = from, .rename_to = to };

	make_maildir(*state);
	assert_true(mailer_source_walk(*state, note, &s, NULL));
	assert_string_equal(s.text->str, "1.a.host=first;2.b.host=second;");
	g_string_free(s.text, TRUE);
}

static void a_mail_can_be_read_again_from_its_place(void **state)
{
	make_maildir(*state);
	g_autofree char *name = mailer_source_name(*state);
	g_autoptr(GBytes) again = mailer_source_read(name, "1.a.host", NULL);
	g_autoptr(GError) error = NULL;

	assert_bytes(again, "first");
	assert_null(mailer_source_read(name, "9.z.host", &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
}

static void a_directory_that_is_no_maildir_is_refused(void **state)
{
	seen s = { 0 };
	g_autoptr(GError) error = NULL;

	assert_false(mailer_source_walk(*state, note, &s, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_USAGE));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_placed_by_its_absolute_path),
		TEST(a_maildir_gives_names_without_flags_in_order),
		TEST(a_mail_renamed_meanwhile_is_still_read),
		TEST(a_mail_can_be_read_again_from_its_place),
		TEST(a_directory_that_is_no_maildir_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
