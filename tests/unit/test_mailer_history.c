/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mailer.h"

static char *git(const char *dir, const char *script)
{
	g_autofree char *all = g_strdup_printf(
		"cd '%s' && export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 "
		"GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=a@example.org "
		"GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=a@example.org; "
		"make() { echo $1 >>f && git add f && git commit -q -m \"$1\"; }; %s",
		dir, script);
	const char *const argv[] = { "sh", "-c", all, NULL };
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) out = mailer_run(argv, 60, &error);
	gsize length;

	if (!out)
		fail_msg("%s", error->message);

	const char *text = g_bytes_get_data(out, &length);

	return g_strchomp(g_strndup(text ? text : "", length));
}

static bool append(const char *bytes, size_t length, void *context, GError **error)
{
	(void)error;
	g_string_append_len(context, bytes, (gssize)length);
	return true;
}

static bool refuse(const char *bytes, size_t length, void *context, GError **error)
{
	(void)bytes, (void)length, (void)context;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE, "enough");
	return false;
}

static void a_log_leaves_out_what_is_behind(void **state)
{
	g_autofree char *first =
		git(*state, "git init -q . && make one && git rev-parse HEAD");
	g_autofree char *tip =
		git(*state, "make two && make three && git rev-parse HEAD");
	g_autoptr(GPtrArray) without = g_ptr_array_new();
	g_autoptr(GString) out = g_string_new(NULL);
	mailer_git_span range = { tip, without, "%s" };
	g_autoptr(GError) error = NULL;

	g_ptr_array_add(without, first);
	assert_true(mailer_git_log(*state, &range, append, out, NULL));
	assert_int_equal(out->len, 10);
	assert_memory_equal(out->str, "three\0two\0", 10);
	assert_false(mailer_git_log(*state, &range, refuse, out, &error));
	assert_non_null(strstr(error->message, "enough"));
}

static void a_log_that_breaks_off_says_why(void **state)
{
	g_autofree char *tip =
		git(*state, "git init -q . && make one && make two && "
			    "git rev-parse HEAD && o=$(git rev-parse HEAD~1) "
			    "&& rm -f .git/objects/$(echo $o | cut -c1-2)/"
			    "$(echo $o | cut -c3-)");
	g_autoptr(GString) out = g_string_new(NULL);
	mailer_git_span range = { tip, NULL, "%s" };
	g_autoptr(GError) error = NULL;

	assert_false(mailer_git_log(*state, &range, append, out, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_IO));
	assert_non_null(strstr(error->message, *state));
	assert_non_null(strstr(error->message, "fatal"));
}

static void a_branch_moves_forward_back_or_away(void **state)
{
	g_autofree char *one =
		git(*state, "git init -q . && make one && git rev-parse HEAD");
	g_autofree char *two = git(*state, "make two && git rev-parse HEAD");
	g_autofree char *other =
		git(*state,
		    "git reset -q --hard HEAD~1 && make other && git rev-parse HEAD");
	mailer_git_move move;
	g_autofree char *base = NULL;

	assert_true(mailer_git_moved(*state, one, two, &move, &base, NULL));
	assert_int_equal(move, MAILER_GIT_FORWARD);
	assert_null(base);
	assert_true(mailer_git_moved(*state, two, other, &move, &base, NULL));
	assert_int_equal(move, MAILER_GIT_REWOUND);
	assert_string_equal(base, one);
	g_clear_pointer(&base, g_free);
	assert_true(mailer_git_moved(*state, "0123456789abcdef0123456789abcdef01234567",
				     two, &move, &base, NULL));
	assert_int_equal(move, MAILER_GIT_VANISHED);
}

static void names_are_told_apart(void **state)
{
	g_autofree char *one =
		git(*state, "git init -q . && make one && git rev-parse HEAD");
	g_autofree char *digits = g_strndup(one, 12);
	g_autoptr(GPtrArray) asked = g_ptr_array_new();
	g_autoptr(GPtrArray) names = NULL;

	g_ptr_array_add(asked, digits);
	g_ptr_array_add(asked, (gpointer) "0123456789ab");
	names = mailer_git_names(*state, asked, NULL);
	assert_int_equal(names->len, 2);
	assert_string_equal(((mailer_git_name *)names->pdata[0])->id, one);
	assert_null(((mailer_git_name *)names->pdata[1])->id);
	assert_false(((mailer_git_name *)names->pdata[1])->ambiguous);
}

/* Two commits that hash alike in the first digits are hard to come by; two of anything
 * in the first four are not. */
static void a_name_of_several_commits_is_ambiguous(void **state)
{
	g_autofree char *twins = git(
		*state,
		"git init -q . && make one && "
		"for i in $(seq 1000); do echo \"commit refs/heads/many$i\"; "
		"echo \"committer a <a@example.org> $i +0000\"; "
		"echo data 1; echo x; done | git fast-import --quiet && "
		"git for-each-ref --format='%(objectname)' | cut -c1-4 | sort | uniq -d | "
		"head -n 1");
	g_autoptr(GPtrArray) asked = g_ptr_array_new();
	g_autoptr(GPtrArray) names = NULL;
	const mailer_git_name *name;

	assert_int_equal(strlen(twins), 4);
	g_ptr_array_add(asked, twins);
	names = mailer_git_names(*state, asked, NULL);
	assert_int_equal(names->len, 1);
	name = names->pdata[0];
	assert_true(name->ambiguous);
	assert_null(name->id);
}

static void a_patch_keeps_its_id_when_it_moves(void **state)
{
	g_autofree char *two =
		git(*state, "git init -q . && make one && "
			    "echo x >g && git add g && git commit -q -m g && "
			    "git rev-parse HEAD");
	g_autofree char *copy =
		git(*state, "git reset -q --hard HEAD~1 && make other && "
			    "git cherry-pick -x @{2} >&2 && "
			    "git rev-parse HEAD");
	g_autofree char *text = git(*state, "git format-patch -1 --stdout");
	g_autoptr(GBytes) patch = g_bytes_new(text, strlen(text));
	g_autofree char *a = mailer_git_patch_id(*state, two, NULL);
	g_autofree char *b = mailer_git_patch_id(*state, copy, NULL);
	g_autofree char *c = mailer_git_patch_id_of(patch, NULL);

	assert_string_not_equal(two, copy);
	assert_int_equal(strlen(a), 40);
	assert_string_equal(a, b);
	assert_string_equal(a, c);
}

static void a_shallow_clone_is_not_complete(void **state)
{
	g_autofree char *done = git(*state, "git init -q . && make one && make two && "
					    "git clone -q --depth 1 file://$PWD s");
	g_autofree char *clone = g_build_filename(*state, "s", NULL);
	bool complete;

	assert_true(mailer_git_complete(*state, &complete, NULL));
	assert_true(complete);
	assert_true(mailer_git_complete(clone, &complete, NULL));
	assert_false(complete);
}

static void what_is_not_there_is_named(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *done = git(*state, "git init -q .");

	assert_null(mailer_git_tip(*state, "topic", &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, "no branch topic"));
	g_clear_error(&error);
	assert_null(mailer_git_tip("/nonexistent/tree", "topic", &error));
	assert_non_null(strstr(error->message, "/nonexistent/tree"));
}

#define IN_SCRATCH(test)                                                               \
	cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(a_log_leaves_out_what_is_behind),
		IN_SCRATCH(a_log_that_breaks_off_says_why),
		IN_SCRATCH(a_branch_moves_forward_back_or_away),
		IN_SCRATCH(names_are_told_apart),
		IN_SCRATCH(a_name_of_several_commits_is_ambiguous),
		IN_SCRATCH(a_patch_keeps_its_id_when_it_moves),
		IN_SCRATCH(a_shallow_clone_is_not_complete),
		IN_SCRATCH(what_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
