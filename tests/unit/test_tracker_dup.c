/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Duplicates by mail: which regression a command names, and circles of them. */
#include <sqlite3.h>

#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_mails.h"
#include "tests/unit/tracker_thread.h"

#define REPORTS 3

/* Three regressions; each has one report of its own. */
static const char *const commits[REPORTS] = {
	"1234567890aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"2345678901bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
	"3456789012cccccccccccccccccccccccccccccc",
};
static const char *const report_ids[REPORTS] = {
	"202305011000.aaaaaaaa-oli@tests.example.org",
	"202305011000.bbbbbbbb-oli@tests.example.org",
	"202305011000.cccccccc-oli@tests.example.org",
};
static reader the_reader;

static char *id_of(unsigned i)
{
	return parser_regression_id(commits[i], "unixbench", "unixbench.score");
}

static char *report_of_number(unsigned i)
{
	return report_mail((report_text){
		.id = report_ids[i], .commit = commits[i], .change = -7.5 });
}

/* An answer of Ada (or of whom `from` says) to a report; its day is its number. */
static char *answer(unsigned report, unsigned day, const char *from,
		    const char *command)
{
	g_autofree char *id = g_strdup_printf("answer-%u@example.org", day);
	g_autofree char *date =
		g_strdup_printf("%02u May 2023 10:00:00 +0000", day + 1);
	g_autofree char *body = g_strdup_printf("Hello,\n\n%s\n", command);

	return reply_mail((reply_text){ .id = id,
					.from = from,
					.parent = report_ids[report],
					.date = date,
					.body = body });
}

/* Brings mails in one run; frees their texts. */
static void bring(fixture *f, char **texts, unsigned n)
{
	mail_text mails[8] = { 0 };
	unsigned order[8];
	g_autoptr(GError) error = NULL;

	assert_true(n <= G_N_ELEMENTS(mails));
	for (unsigned i = 0; i < n; i++) {
		mails[i].bytes = texts[i];
		mails[i].length = strlen(texts[i]);
		order[i] = i;
	}
	assert_done(ingest_mails(f->t, &the_reader, mails, order, n, &error), error);
	for (unsigned i = 0; i < n; i++)
		g_free(texts[i]);
	assert_sound(f);
}

static void bring_reports(fixture *f)
{
	char *texts[REPORTS];

	for (unsigned i = 0; i < REPORTS; i++)
		texts[i] = report_of_number(i);
	bring(f, texts, REPORTS);
}

static void bring_answer(fixture *f, unsigned report, unsigned day, const char *command)
{
	char *text = answer(report, day, NULL, command);

	bring(f, &text, 1);
}

static tracker_detail *show_number(fixture *f, unsigned i)
{
	g_autofree char *id = id_of(i);
	g_autoptr(GError) error = NULL;
	tracker_detail *detail = tracker_show(f->t, id, &error);

	assert_done(detail, error);
	return detail;
}

static void assert_duplicates(fixture *f, unsigned i, unsigned other)
{
	g_autoptr(tracker_detail) detail = show_number(f, i);
	g_autoptr(tracker_detail) top = show_number(f, other);

	assert_int_equal(detail->summary->status, TRACKER_STATUS_DUPLICATE);
	assert_string_equal(detail->duplicate_of, top->summary->id);
	for (guint n = 0; n < top->duplicates->len; n++)
		if (!strcmp(top->duplicates->pdata[n], detail->summary->id))
			return;
	fail_msg("%s does not know its duplicate", top->summary->id);
}

static void assert_no_duplicate(fixture *f, unsigned i)
{
	g_autoptr(tracker_detail) detail = show_number(f, i);

	assert_int_equal(detail->summary->status, TRACKER_STATUS_REPORTED);
	assert_null(detail->duplicate_of);
	for (guint n = 0; n < detail->events->len; n++)
		assert_string_not_equal(
			((tracker_event *)detail->events->pdata[n])->kind, "command");
}

/* What became of the only command of a mail. */
static void assert_result(fixture *f, const char *mail, const char *expected)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *rows = NULL;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db,
				   "SELECT c.result FROM command c JOIN message m "
				   "ON m.id = c.message WHERE m.message_id = ?1",
				   -1, &rows, NULL),
		SQLITE_OK);
	sqlite3_bind_text(rows, 1, mail, -1, SQLITE_STATIC);
	assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(rows, 0), expected);
	assert_int_equal(sqlite3_step(rows), SQLITE_DONE);
	sqlite3_finalize(rows);
	sqlite3_close(db);
}

/* ---- which one is named --------------------------------------------------------- */

static void the_other_is_named_in_every_way_that_people_have(void **state)
{
	g_autofree char *id = id_of(1);
	g_autofree char *capitals = g_ascii_strup(id, 10);
	char *names[] = {
		g_strdup(id),
		g_strndup(id, 8),
		g_strndup(id, 5),
		g_strdup(capitals),
		g_strdup_printf("%.8s, the same lock", id),
		g_strdup_printf("<%s>", report_ids[1]),
		g_strdup(report_ids[1]),
		g_strdup_printf("https://lore.example.org/oe-lkp/%s/", report_ids[1]),
		g_strdup_printf("<https://lore.example.org/r/%s>", report_ids[1]),
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *command =
			g_strconcat("#regtrail dup ", names[i], NULL);
		void *own;

		fixture_setup(&own);
		bring_reports(own);
		bring_answer(own, 0, 1, command);
		assert_result(own, "answer-1@example.org", "done");
		assert_duplicates(own, 0, 1);
		assert_no_duplicate(own, 2);
		fixture_teardown(&own);
		g_free(names[i]);
	}
}

static void one_that_is_not_there_changes_nothing(void **state)
{
	static const char *const names[] = {
		"0000000000000000000000000000000000000000",
		"00000000",
		"nonsense",
		"<nobody-knows@example.org>",
		"https://lore.example.org/oe-lkp/nobody-knows@example.org/",
		/* A mail that is there, but no report. */
		"<answer-1@example.org>",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *command =
			g_strconcat("#regtrail dup ", names[i], NULL);
		void *own;

		fixture_setup(&own);
		bring_reports(own);
		bring_answer(own, 0, 1, command);
		assert_result(own, "answer-1@example.org", "no such regression");
		assert_no_duplicate(own, 0);
		fixture_teardown(&own);
	}
}

static void a_prefix_that_fits_several_changes_nothing(void **state)
{
	fixture *f = *state;
	char *text = report_of_number(0);
	char first[17] = "";

	bring(f, &text, 1);
	/* Of seventeen regressions two begin with the same digit. */
	for (unsigned i = 0; i < 17; i++) {
		g_autofree char *commit = g_strdup_printf("%010x%030d", i + 1, 0);
		g_autofree char *id = g_strdup_printf("r%u@tests.example.org", i);

		text = report_mail(
			(report_text){ .id = id, .commit = commit, .change = -7.5 });
		bring(f, &text, 1);

		g_autofree char *regression =
			parser_regression_id(commit, "unixbench", "unixbench.score");

		if (strchr(first, *regression)) {
			g_autofree char *command =
				g_strdup_printf("#regtrail dup %c", *regression);

			bring_answer(f, 0, 1, command);
			break;
		}
		first[strlen(first)] = *regression;
	}
	assert_result(f, "answer-1@example.org", "several regressions begin like that");
	assert_no_duplicate(f, 0);
}

/* The mail that names the other may arrive before the other's report. */
static void one_that_arrives_later_is_found_then(void **state)
{
	fixture *f = *state;
	g_autofree char *id = id_of(1);
	g_autofree char *by_id = g_strdup_printf("#regtrail dup %.12s", id);
	g_autofree char *by_mail = g_strdup_printf("#regtrail dup <%s>", report_ids[1]);
	char *early[] = { report_of_number(0), answer(0, 1, NULL, by_id),
			  report_of_number(2), answer(2, 2, NULL, by_mail) };
	char *late = report_of_number(1);

	bring(f, early, G_N_ELEMENTS(early));
	assert_result(f, "answer-1@example.org", "no such regression");
	assert_no_duplicate(f, 0);
	bring(f, &late, 1);
	assert_result(f, "answer-1@example.org", "done");
	assert_duplicates(f, 0, 1);
	assert_duplicates(f, 2, 1);
}

/* ---- circles -------------------------------------------------------------------- */

static void nothing_is_a_duplicate_of_itself(void **state)
{
	fixture *f = *state;
	g_autofree char *id = id_of(0);
	g_autofree char *by_id = g_strdup_printf("#regtrail dup %.8s", id);
	g_autofree char *by_mail = g_strdup_printf("#regtrail dup <%s>", report_ids[0]);

	bring_reports(f);
	bring_answer(f, 0, 1, by_id);
	assert_result(f, "answer-1@example.org", "it would duplicate itself");
	bring_answer(f, 0, 2, by_mail);
	assert_result(f, "answer-2@example.org", "it would duplicate itself");
	assert_no_duplicate(f, 0);
}

static void a_circle_of_duplicates_is_refused(void **state)
{
	fixture *f = *state;

	bring_reports(f);
	for (unsigned i = 0; i < REPORTS; i++) {
		g_autofree char *command = g_strdup_printf(
			"#regtrail dup <%s>", report_ids[(i + 1) % REPORTS]);

		bring_answer(f, i, i + 1, command);
	}
	assert_result(f, "answer-1@example.org", "done");
	assert_result(f, "answer-2@example.org", "done");
	assert_result(f, "answer-3@example.org", "it would duplicate itself");
	assert_duplicates(f, 0, 1);
	assert_duplicates(f, 1, 2);
	assert_no_duplicate(f, 2);
}

static void what_is_no_duplicate_any_more_leads_nowhere(void **state)
{
	fixture *f = *state;
	g_autofree char *there = g_strdup_printf("#regtrail dup <%s>", report_ids[1]);
	g_autofree char *back = g_strdup_printf("#regtrail dup <%s>", report_ids[0]);

	bring_reports(f);
	bring_answer(f, 0, 1, there);
	assert_duplicates(f, 0, 1);
	bring_answer(f, 0, 2, "#regtrail undup");
	bring_answer(f, 1, 3, back);
	assert_result(f, "answer-3@example.org", "done");
	assert_duplicates(f, 1, 0);
}

static void what_a_mail_says_of_a_duplicate_is_not_said_of_the_other(void **state)
{
	fixture *f = *state;
	g_autofree char *command = g_strdup_printf("#regtrail dup <%s>", report_ids[1]);
	char *text = answer(0, 2, "Some Body <body@example.net>", command);

	bring_reports(f);
	bring_answer(f, 0, 1, command);
	bring(f, &text, 1);
	assert_result(f, "answer-2@example.org",
		      "recorded: its author may not command");
	assert_duplicates(f, 0, 1);
	assert_no_duplicate(f, 1);

	g_autoptr(tracker_detail) other = show_number(f, 1);

	assert_int_equal(other->summary->suggestions->len, 0);
}

static void undo_takes_back_what_was_decided_in_its_own_thread(void **state)
{
	fixture *f = *state;
	g_autofree char *to_b = g_strdup_printf("#regtrail dup <%s>", report_ids[1]);
	g_autofree char *to_c = g_strdup_printf("#regtrail dup <%s>", report_ids[2]);

	bring_reports(f);
	bring_answer(f, 1, 1, "#regtrail investigating");
	bring_answer(f, 0, 2, to_b);
	bring_answer(f, 0, 3, to_c);
	bring_answer(f, 0, 4, "#regtrail undo");
	assert_duplicates(f, 0, 1);

	g_autoptr(tracker_detail) kept = show_number(f, 1);

	assert_int_equal(kept->summary->status, TRACKER_STATUS_INVESTIGATING);
	bring_answer(f, 1, 5, "#regtrail undo");
	assert_result(f, "answer-5@example.org", "done");
	assert_duplicates(f, 0, 1);

	g_autoptr(tracker_detail) undone = show_number(f, 1);

	assert_int_equal(undone->summary->status, TRACKER_STATUS_REPORTED);
}

/* ---- who may -------------------------------------------------------------------- */

static void a_stranger_only_suggests(void **state)
{
	fixture *f = *state;
	g_autofree char *command = g_strdup_printf("#regtrail dup <%s>", report_ids[1]);
	char *text = answer(0, 1, "Some Body <body@example.net>", command);

	bring_reports(f);
	bring(f, &text, 1);
	assert_result(f, "answer-1@example.org",
		      "suggested: its author may not command");
	assert_no_duplicate(f, 0);

	g_autoptr(tracker_detail) detail = show_number(f, 0);
	const tracker_suggestion *s = detail->summary->suggestions->pdata[0];

	assert_int_equal(detail->summary->suggestions->len, 1);
	assert_string_equal(s->status, "duplicate");
	assert_string_equal(s->quote, command);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_other_is_named_in_every_way_that_people_have),
		cmocka_unit_test(one_that_is_not_there_changes_nothing),
		T(a_prefix_that_fits_several_changes_nothing),
		T(one_that_arrives_later_is_found_then),
		T(nothing_is_a_duplicate_of_itself),
		T(a_circle_of_duplicates_is_refused),
		T(what_is_no_duplicate_any_more_leads_nowhere),
		T(what_a_mail_says_of_a_duplicate_is_not_said_of_the_other),
		T(undo_takes_back_what_was_decided_in_its_own_thread),
		T(a_stranger_only_suggests),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
