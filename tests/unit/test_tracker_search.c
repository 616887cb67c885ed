/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searching words, and comparing with what was before. */
#include "tests/unit/tracker_lookback.h"
#include "tracker/db.h"

static guint hits(fixture *f, const char *words)
{
	g_autoptr(GError) error = NULL;
	bool all;
	g_autoptr(GPtrArray) found = tracker_search(f->t, words, 0, &all, &error);

	assert_done(found, error);
	return found->len;
}

static void words_of_replies_are_found(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;

	bring_two_threads(f);
	assert_int_equal(hits(f, "tasklist_lock"), 2);
	assert_int_equal(hits(f, "TASKLIST_LOCK profiled"), 1);
	assert_int_equal(hits(f, "\"spreads the tasks\""), 1);
	assert_int_equal(hits(f, "\"tasks the spreads\""), 0);
	assert_int_equal(hits(f, "contend*"), 0);
	assert_int_equal(hits(f, "conten*"), 2);
	assert_int_equal(hits(f, "nothing_like_it"), 0);

	bool all;
	g_autoptr(GPtrArray) found = tracker_search(f->t, "profiled", 0, &all, &error);
	const tracker_hit *hit = found->pdata[0];

	assert_string_equal(hit->message_id, "why@example.org");
	assert_non_null(strstr(hit->snippet, "[profiled]"));
	assert_non_null(hit->regression);
}

static void no_words_are_an_error_whatever_their_signs(void **state)
{
	static const char *const odd[] = { "",          " ",       "\"",   "AND OR NOT",
					   "a:b -c",    "(",       "*",    "\"\"\"",
					   "NEAR(a b)", "col : x", "\xff", "'; --" };
	fixture *f = *state;

	bring_two_threads(f);
	for (size_t i = 0; i < G_N_ELEMENTS(odd); i++)
		hits(f, odd[i]);
}

static void earlier_regressions_with_the_same_lock_are_similar(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *first =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	g_autofree char *second =
		parser_regression_id("5555555555", "unixbench", "unixbench.score");

	bring_two_threads(f);
	g_autoptr(GPtrArray) similar = tracker_similar(f->t, second, 0, &error);

	assert_done(similar, error);
	assert_int_equal(similar->len, 1);
	const tracker_likeness *likeness = similar->pdata[0];

	assert_string_equal(likeness->summary->id, first);
	assert_string_equal(likeness->reasons->pdata[0], "object tasklist_lock");
	/* Nothing was before the first. */
	g_autoptr(GPtrArray) none = tracker_similar(f->t, first, 0, &error);

	assert_int_equal(none->len, 0);
}

/* More mails with the same words than a search compares. */
static const char many_mails[] =
	"INSERT INTO message (id, message_id, origin, content, class, date) "
	"WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n "
	"WHERE i < 2000) SELECT i, i || '@example.org', 'mail', i, 'human', 1700000000 + i "
	"FROM n;"
	"INSERT INTO words SELECT id, CASE id WHEN 1000 THEN 'common common common oldest' "
	"WHEN 1500 THEN 'common, common: a common thing' "
	"ELSE 'common words of somebody who goes on and on about other things' END "
	"FROM message WHERE id BETWEEN 1000 AND 2000;";

static void what_is_everywhere_is_looked_for_in_the_newest_mails_only(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	bool all = true;

	run_sql(f, many_mails);
	g_autoptr(GPtrArray) found = tracker_search(f->t, "common", 0, &all, &error);

	assert_done(found, error);
	assert_false(all);
	assert_int_equal(found->len, 50);
	/* The best of them is first; one that is better is older than the newest 1000.
	 */
	assert_string_equal(((tracker_hit *)found->pdata[0])->message_id,
			    "1500@example.org");
	/* The others say the same: the newest is first. */
	assert_string_equal(((tracker_hit *)found->pdata[1])->message_id,
			    "2000@example.org");
	g_autoptr(GPtrArray) old =
		tracker_search(f->t, "common oldest", 0, &all, &error);

	assert_done(old, error);
	assert_true(all);
	assert_int_equal(old->len, 1);
	g_autoptr(GPtrArray) few = tracker_search(f->t, "comm*", 7, &all, &error);

	assert_done(few, error);
	assert_int_equal(few->len, 7);
}

static void the_beginning_of_a_word_has_three_letters(void **state)
{
	static const char *const shorter[] = { "co*", "two co*", "l\303\266*",
					       "x-co*" };
	fixture *f = *state;

	bring_two_threads(f);
	for (size_t i = 0; i < G_N_ELEMENTS(shorter); i++) {
		g_autoptr(GError) error = NULL;
		bool all;

		assert_null(tracker_search(f->t, shorter[i], 0, &all, &error));
		assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_STATE));
		assert_non_null(strstr(error->message, "has 3 letters or more"));
	}
	assert_int_equal(hits(f, "con*"), 2);
	assert_int_equal(hits(f, "tasklist_loc*"), 2);
}

static const char *reason_of(const GPtrArray *similar, guint i, guint k)
{
	const tracker_likeness *one = similar->pdata[i];

	return k < one->reasons->len ? one->reasons->pdata[k] : "";
}

#define THIRD "6666666666666666666666666666666666666666"

/* The culprits of the two threads, and a third, touch files. */
static const char files[] =
	"INSERT OR IGNORE INTO \"commit\" (id) VALUES "
	"('89abcdef0123456789abcdef0123456789abcdef'), "
	"('5555555555555555555555555555555555555555'), ('" THIRD "');"
	"INSERT INTO commit_file VALUES "
	"('89abcdef0123456789abcdef0123456789abcdef', 'kernel/exit.c'), "
	"('5555555555555555555555555555555555555555', 'kernel/fork.c'), "
	"('" THIRD "', 'kernel/fork.c');";

static void what_has_more_in_common_comes_first(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *second =
		parser_regression_id("5555555555", "unixbench", "unixbench.score");
	char *texts[] = { report_mail(
		(report_text){ .id = "202305201000.0a1b2c3d-oli@tests.example.org",
			       .commit = THIRD,
			       .subject = "fork: Count twice",
			       .change = -3,
			       .date = "Sat, 20 May 2023 10:00:00 +0000" }) };

	bring_two_threads(f);
	bring(f, texts, 1);
	run_sql(f, files);
	g_autoptr(GPtrArray) similar = tracker_similar(f->t, second, 0, &error);

	assert_done(similar, error);
	assert_int_equal(similar->len, 2);
	assert_string_equal(reason_of(similar, 0, 0), "object tasklist_lock");
	assert_string_equal(reason_of(similar, 0, 1), "mechanism lock-contention");
	assert_string_equal(reason_of(similar, 0, 2), "");
	assert_string_equal(reason_of(similar, 1, 0), "file kernel/fork.c");
	g_autoptr(GPtrArray) one = tracker_similar(f->t, second, 1, &error);

	assert_int_equal(one->len, 1);
}

/* A thousand explanations by the same lock, stored after and before the one asked for.
 */
static const char crowd[] =
	"CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL "
	"SELECT i + 1 FROM n WHERE i < 3000) SELECT i FROM n;"
	"INSERT INTO message (id, message_id, origin, content, class, date) "
	"SELECT i, i || '@example.org', 'mail', i, 'human', 1600000000 + i FROM n;"
	"INSERT INTO regression (id, regression, culprit, seen, status, open, reported_at, "
	"report, metric) SELECT i, format('%040d', i), '', 1, 'reported', 1, "
	"1600000000 + i, i, 'm' FROM n;"
	"INSERT INTO link SELECT i, i, i, 'report', 1, 1 FROM n;"
	"INSERT INTO mechanism SELECT i, 0, 'lock-contention', 'crowded_lock', 'words', 0 "
	"FROM n;";

static void of_a_crowd_those_before_it_are_looked_at(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *middle = g_strdup_printf("%040d", 2000);

	run_sql(f, crowd);
	g_autoptr(GPtrArray) similar = tracker_similar(f->t, middle, 0, &error);

	assert_done(similar, error);
	assert_int_equal(similar->len, 50);
	for (guint i = 0; i < similar->len; i++) {
		const tracker_likeness *one = similar->pdata[i];
		g_autofree char *id = g_strdup_printf("%040u", 1999 - i);

		assert_string_equal(one->summary->id, id);
	}
	g_autoptr(GPtrArray) more = tracker_similar(f->t, middle, 100000, &error);

	assert_done(more, error);
	assert_int_equal(more->len, 400);
}

static void the_newest_explanation_is_what_a_report_may_cite(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) objects = g_ptr_array_new();
	tracker_clues clues = { .objects = objects };

	bring_two_threads(f);
	g_ptr_array_add(objects, (gpointer) "tasklist_lock");
	/* Where in its mail an explanation stands says nothing about its age. */
	run_sql(f,
		"UPDATE mechanism SET at = CASE WHEN message = (SELECT id FROM message "
		"WHERE message_id = 'why@example.org') THEN 5000 ELSE 10 END");
	g_autoptr(GPtrArray) found = tracker_similar_to(f->t, &clues, &error);

	assert_done(found, error);
	assert_int_equal(found->len, 2);
	assert_non_null(strstr(((tracker_likeness *)found->pdata[0])->word, "again"));

	/* Of what was said later nothing was known. */
	clues.before = 1683100000; /* 3 May 2023 */
	g_autoptr(GPtrArray) then = tracker_similar_to(f->t, &clues, &error);

	assert_done(then, error);
	assert_int_equal(then->len, 1);
	assert_null(strstr(((tracker_likeness *)then->pdata[0])->word, "again"));
}

/* A reader may not ask the index to check itself, but sees what is missing. */
static void check_sees_words_that_the_index_lacks_or_has_too_many(void **state)
{
	static const char *const harm[][2] = {
		{ "DELETE FROM words_index_docsize WHERE id = "
		  "(SELECT id FROM message WHERE message_id = 'why@example.org')",
		  "search: the words of <why@example.org> are not in the index" },
		{ "INSERT INTO words_index_docsize VALUES (4711, x'05')",
		  "search: the index has words of a mail that has none: row 4711" },
	};
	fixture *f = *state;
	g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;

	bring_two_threads(f);
	for (size_t i = 0; i < G_N_ELEMENTS(harm); i++)
		run_sql(f, harm[i][0]);

	g_autoptr(tracker) reader_of_it = tracker_open(f->path, true, &error);

	assert_done(reader_of_it, error);
	assert_done(tracker_check(reader_of_it, problems, &error), error);
	assert_int_equal(problems->len, G_N_ELEMENTS(harm));
	for (size_t i = 0; i < G_N_ELEMENTS(harm); i++)
		assert_string_equal(problems->pdata[i], harm[i][1]);
}

/* Rows that statements go through from the first to the last of a table. */
static int add_scanned(unsigned type, void *counter, void *statement, void *time)
{
	(void)type;
	(void)time;
	*(int *)counter +=
		sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1);
	return 0;
}

static const char crowd_reports[] =
	"INSERT INTO report (origin, message, mail, regression, own_id, culprit, live, at) "
	"SELECT 'seen', i, 'report', i, format('%040d', i), '', 1, 1600000000 + i FROM n;"
	"INSERT INTO event (regression, at, recorded, status, kind, actor, role, rule, "
	"message, evidence) SELECT i, i, i, 'reported', 'report', 'robot', 'robot', "
	"'report', i, 'words' FROM n;";

static void nothing_is_read_from_end_to_end(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *sql = g_strconcat(crowd, crowd_reports, NULL);
	g_autofree char *id =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	char *texts[] = { reply_mail((reply_text){
		.id = "one-more@example.org", .parent = R1, .body = "I see.\n" }) };
	int scanned = 0;

	bring_two_threads(f);
	run_sql(f, sql);
	sqlite3_trace_v2(f->t->db, SQLITE_TRACE_PROFILE, add_scanned, &scanned);
	bring_quietly(f, texts, 1);
	g_autoptr(GPtrArray) steps = tracker_explain(f->t, "why@example.org", &error);
	g_autoptr(tracker_detail) shown = tracker_show(f->t, id, &error);
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);
	g_autoptr(GPtrArray) similar = tracker_similar(f->t, id, 0, &error);

	assert_done(tracker_forget(f->t, "why@example.org", T0, &error), error);
	sqlite3_trace_v2(f->t->db, 0, NULL, NULL);
	assert_true(steps && shown && replies && similar);
	if (scanned > 500)
		fail_msg("%d rows", scanned);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(words_of_replies_are_found),
		T(no_words_are_an_error_whatever_their_signs),
		T(earlier_regressions_with_the_same_lock_are_similar),
		T(what_is_everywhere_is_looked_for_in_the_newest_mails_only),
		T(the_beginning_of_a_word_has_three_letters),
		T(what_has_more_in_common_comes_first),
		T(of_a_crowd_those_before_it_are_looked_at),
		T(the_newest_explanation_is_what_a_report_may_cite),
		T(nothing_is_read_from_end_to_end),
		T(check_sees_words_that_the_index_lacks_or_has_too_many),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
