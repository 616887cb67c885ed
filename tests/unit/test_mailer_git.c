/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mailer.h"

static void git(const char *dir, const char *script)
{
	g_autofree char *all = g_strdup_printf("cd '%s' && %s", dir, script);
	const char *const argv[] = { "sh", "-c", all, NULL };
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) out = mailer_run(argv, 60, &error);

	assert_null(error);
}

#define COMMIT                                                                         \
	"git -c user.name=Ann -c user.email=ann@example.org -c commit.gpgsign=false "  \
	"commit -q -m 'mm: try it' "

static void a_commit_comes_with_its_hash_and_paths(void **state)
{
	g_autofree char *id = NULL;
	g_autoptr(GPtrArray) paths = NULL;
	gsize n;

	git(*state, "git init -q . && mkdir mm && touch mm/a.c 'mm/b c.c' && git add . "
		    "&& " COMMIT);
	g_autoptr(GBytes) bytes = mailer_git_commit(*state, "HEAD", &id, &paths, NULL);
	const char *text = g_bytes_get_data(bytes, &n);

	assert_true(n > 5);
	assert_memory_equal(text, "tree ", 5);
	assert_int_equal(strlen(id), 40);
	assert_int_equal(paths->len, 2);
	assert_string_equal(g_ptr_array_index(paths, 0), "mm/a.c");
	assert_string_equal(g_ptr_array_index(paths, 1), "mm/b c.c");
}

static void an_unknown_revision_is_named(void **state)
{
	g_autoptr(GError) error = NULL;

	git(*state, "git init -q .");
	assert_null(mailer_git_commit(*state, "--all", NULL, NULL, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, "no commit --all"));
}

static void a_directory_without_repository_says_so(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_null(mailer_git_commit(*state, "HEAD", NULL, NULL, &error));
	assert_non_null(strstr(error->message, "not a git repository"));
}

static void a_program_that_fails_gives_its_first_words(void **state)
{
	const char *const argv[] = { "sh", "-c",
				     "echo first >&2; echo more >&2; exit 3", NULL };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mailer_run(argv, 60, &error));
	assert_string_equal(error->message, "sh: exit code 3: first");
}

static void a_missing_program_is_not_found(void **state)
{
	const char *const argv[] = { "regtrail-no-such-program", NULL };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mailer_run(argv, 60, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
}

static void a_program_that_takes_too_long_is_ended(void **state)
{
	const char *const argv[] = { "sleep", "600", NULL };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mailer_run(argv, 1, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_commit_comes_with_its_hash_and_paths),
		TEST(an_unknown_revision_is_named),
		TEST(a_directory_without_repository_says_so),
		TEST(a_program_that_fails_gives_its_first_words),
		TEST(a_missing_program_is_not_found),
		TEST(a_program_that_takes_too_long_is_ended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
