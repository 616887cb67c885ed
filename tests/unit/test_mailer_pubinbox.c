/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/fetch_sink.h"

/* epoch N makes a repository; mail N TEXT and drop N TEXT commit into it; put N PATH
 * TEXT commits a file, cut N PATH removes one. */
static void sh(const char *dir, const char *script)
{
	g_autofree char *all = g_strdup_printf(
		"cd '%s' && set -e; epoch() { git init -q --bare -b master git/$1.git; }; "
		"commit() { r=git/$1.git; shift; from=''; "
		"[ ! -e $r/refs/heads/master ] || from='from refs/heads/master^0\n'; "
		"printf 'commit refs/heads/master\ncommitter a <a@example.org> 1 +0000\n"
		"data 0\n'\"$from$(printf '%%s' \"$*\")\"'\n' | "
		"git -C $r fast-import --quiet; }; "
		"put() { commit $1 \"M 100644 inline $2\\ndata ${#3}\\n$3\"; }; "
		"cut() { commit $1 \"D $2\"; }; "
		"mail() { commit $1 \"D d\\nM 100644 inline m\\ndata ${#2}\\n$2\"; }; "
		"drop() { commit $1 \"D m\\nM 100644 inline d\\ndata ${#2}\\n$2\"; }; %s",
		dir, script);
	const char *const argv[] = { "bash", "-c", all, NULL };
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) out = mailer_run(argv, 60, &error);

	if (!out)
		fail_msg("%s", error->message);
}

/* What came, without the places. */
static char *bodies(const char *text)
{
	GString *out = g_string_new(NULL);
	g_auto(GStrv) mails = g_strsplit(text, ";", -1);

	for (char **mail = mails; *mail && **mail; mail++)
		g_string_append_printf(out, "%s ", strpbrk(*mail, "=!") + 1);
	return g_string_free(out, FALSE);
}

static void assert_came(fetched *f, const char *dir, const char *expected)
{
	g_autofree char *url = g_strconcat("pubinbox:", dir, NULL);
	g_autofree char *got = bodies(fetched_all(f, url));

	assert_string_equal(got, expected);
}

static void epochs_come_one_after_the_other(void **state)
{
	g_auto(fetched) f = fetched_new();

	sh(*state, "epoch 0; mail 0 a; mail 0 b; epoch 1; mail 1 c");
	assert_came(&f, *state, "a b c ");
	assert_came(&f, *state, "");
	sh(*state, "mail 1 d; mail 1 e");
	assert_came(&f, *state, "d e ");
	sh(*state, "epoch 2; mail 2 f");
	assert_came(&f, *state, "f ");
}

static void an_archive_without_mail_is_no_error(void **state)
{
	g_auto(fetched) f = fetched_new();

	sh(*state, "epoch 0");
	assert_came(&f, *state, "");
	sh(*state, "mail 0 a");
	assert_came(&f, *state, "a ");
}

static void a_removed_mail_is_not_handed_over(void **state)
{
	g_auto(fetched) f = fetched_new();

	sh(*state, "epoch 0; mail 0 a; mail 0 spam; mail 0 b; drop 0 spam; mail 0 c");
	assert_came(&f, *state, "a b c ");
	/* Gone in the last commit; and what comes back is there. */
	sh(*state, "drop 0 c");
	assert_came(&f, *state, "");
	sh(*state, "mail 0 x; drop 0 x; mail 0 x");
	assert_came(&f, *state, "x ");
}

static void a_purge_that_rewrote_history_loses_nothing(void **state)
{
	g_auto(fetched) f = fetched_new();

	sh(*state, "epoch 0; mail 0 a; mail 0 secret; mail 0 b");
	assert_came(&f, *state, "a secret b ");
	sh(*state, "rm -rf git/0.git; epoch 0; mail 0 a; mail 0 b; mail 0 c");
	/* The old commit is gone: all is read again, which does no harm. */
	assert_came(&f, *state, "a b c ");
	sh(*state, "git -C git/0.git update-ref refs/heads/master HEAD~1; mail 0 d");
	/* The old commit is still there: only what it does not reach. */
	assert_came(&f, *state, "d ");
}

static void version_one_keeps_a_file_a_mail(void **state)
{
	g_auto(fetched) f = fetched_new();

	sh(*state, "epoch v1; a=ab/cdefabcdefabcdefabcdefabcdefabcdefabcd; "
		   "b=ab/0defabcdefabcdefabcdefabcdefabcdefabcd; "
		   "put v1 $a one; put v1 $b spam; put v1 README no; cut v1 $b");
	g_autofree char *path = g_build_filename(*state, "git", "v1.git", NULL);

	assert_came(&f, path, "one ");
	assert_came(&f, path, "");
}

static void an_object_that_is_missing_is_told(void **state)
{
	g_auto(fetched) f = fetched_new();

	sh(*state, "epoch 0; mail 0 a; mail 0 b; "
		   "id=$(git -C git/0.git rev-parse master~1:m); "
		   "rm -f git/0.git/objects/${id:0:2}/${id:2}");
	assert_came(&f, *state, "missing in the repository b ");
}

static void a_mail_can_be_read_again_by_its_blob(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *url = g_strconcat("pubinbox:", *state, NULL);
	g_autoptr(mailer_fetch) source = mailer_fetch_open(url, NULL, NULL);
	g_autoptr(GError) error = NULL;

	sh(*state, "epoch 0; mail 0 a; epoch 1; mail 1 b");
	fetched_all(&f, url);
	g_auto(GStrv) mails = g_strsplit(f.text->str, ";", -1);

	for (int i = 0; i < 2; i++) {
		g_autofree char *place = g_strndup(mails[i], strcspn(mails[i], "="));
		g_autoptr(GBytes) again = mailer_fetch_again(source, place, NULL);

		assert_bytes(again, i ? "b" : "a");
	}
	assert_null(mailer_fetch_again(source, "0/--batch", &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
}

static void thousands_come_in_order_and_a_run_cut_off_goes_on(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *url = g_strconcat("pubinbox:", *state, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) expected = g_string_new(NULL);

	sh(*state,
	   "epoch 0; for i in $(seq 3000); do printf 'commit refs/heads/master\\n"
	   "committer a <a@example.org> %s +0000\\ndata 0\\nM 100644 inline m\\n"
	   "data %s\\n%s\\n' $i ${#i} $i; done | git -C git/0.git fast-import --quiet");
	f.fail_at = 2900;
	assert_false(fetched_run(&f, url, NULL, &error));
	f.fail_at = 0;
	fetched_all(&f, url);
	/* From the last checkpoint on, which was not long ago, to the end. */
	assert_in_range(f.mails, 100, 1200);
	for (unsigned i = 3001 - f.mails; i <= 3000; i++)
		g_string_append_printf(expected, "%u ", i);
	g_autofree char *got = bodies(f.text->str);

	assert_string_equal(got, expected->str);
}

static void a_mirror_is_brought_up_to_date_first(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *mirror = g_build_filename(*state, "mirror", NULL);
	g_autofree char *url = g_strconcat("pubinbox:", mirror, NULL);
	const mailer_fetch_options options = { .mirror = true };
	g_autoptr(GError) error = NULL;

	sh(*state, "epoch 0; mail 0 a; mkdir -p mirror/git; "
		   "git clone -q --mirror git/0.git mirror/git/0.git; mail 0 b");
	assert_true(fetched_run(&f, url, &options, NULL));
	g_autofree char *got = bodies(f.text->str);

	assert_string_equal(got, "a b ");
	/* What is away does not keep the rest from being read. */
	sh(*state, "mail 0 c; git -C mirror/git/0.git fetch -q; mv git/0.git git/away");
	assert_false(fetched_run(&f, url, &options, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY));
	g_autofree char *rest = bodies(f.text->str);

	assert_string_equal(rest, "c ");
}

static void a_directory_that_is_no_archive_is_named(void **state)
{
	g_auto(fetched) f = fetched_new();
	g_autofree char *url = g_strconcat("pubinbox:", *state, NULL);
	g_autoptr(GError) error = NULL;

	assert_false(fetched_run(&f, url, NULL, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, *state));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(epochs_come_one_after_the_other),
		TEST(an_archive_without_mail_is_no_error),
		TEST(a_removed_mail_is_not_handed_over),
		TEST(a_purge_that_rewrote_history_loses_nothing),
		TEST(version_one_keeps_a_file_a_mail),
		TEST(an_object_that_is_missing_is_told),
		TEST(a_mail_can_be_read_again_by_its_blob),
		TEST(thousands_come_in_order_and_a_run_cut_off_goes_on),
		TEST(a_mirror_is_brought_up_to_date_first),
		TEST(a_directory_that_is_no_archive_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
