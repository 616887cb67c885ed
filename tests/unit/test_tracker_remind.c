/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may be reminded of what, and who asked for silence. */
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_mails.h"
#include "tests/unit/tracker_thread.h"

#define DAY ((int64_t)86400)
#define MID "202311142213.11111111-robot@example.org"

static char *own_id(void)
{
	return parser_regression_id(CULPRIT, "unixbench", "unixbench.score");
}

static void report_it(fixture *f)
{
	g_autofree char *id = own_id();
	tracker_report report = report_of(f, id, MID);

	send_report(f, &report);
}

static GPtrArray *candidates(fixture *f, int64_t now)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *all = tracker_reminders(f->t, now, &error);

	assert_done(all, error);
	return all;
}

/* Rules that cover the fixture's report by its list. */
static tracker_remind_rules rules_of(fixture *f)
{
	static GPtrArray *lists;

	(void)f;
	if (!lists) {
		lists = g_ptr_array_new();
		g_ptr_array_add(lists, (char *)"List@lists.example.org");
	}
	return (tracker_remind_rules){
		.lists = lists, .after = 14 * DAY, .every = 28 * DAY, .max = 3
	};
}

static tracker_report mail_of(fixture *f, const char *id, const char *message_id,
			      int64_t at)
{
	tracker_report mail = report_of(f, id, message_id);

	mail.kind_of_mail = "remind";
	mail.comparison = NULL;
	mail.in_reply_to = MID;
	mail.created = at;
	mail.subject = "Re: it";
	mail.body = message_id;
	return mail;
}

static int64_t draft_one(fixture *f, const char *message_id, int64_t at)
{
	g_autofree char *id = own_id();
	tracker_report mail = mail_of(f, id, message_id, at);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(GError) error = NULL;

	assert_done(
		tracker_reminder_add(f->t, &mail, at - 28 * DAY + 1, &stored, &error),
		error);
	return stored.outbox;
}

/* The verdict at that time with its reason in *why. */
static bool is_due(fixture *f, int64_t now, char **why)
{
	g_autoptr(GPtrArray) all = candidates(f, now);
	tracker_remind_rules rules = rules_of(f);

	assert_int_equal(all->len, 1);
	return tracker_reminder_due(all->pdata[0], &rules, now, why);
}

static void assert_not_due(fixture *f, int64_t now, const char *words)
{
	g_autofree char *why = NULL;

	assert_false(is_due(f, now, &why));
	if (!strstr(why, words))
		fail_msg("%s: lacks '%s'", why, words);
}

static void assert_is_due(fixture *f, int64_t now, const char *words)
{
	g_autofree char *why = NULL;

	if (!is_due(f, now, &why))
		fail_msg("%s", why);
	if (!strstr(why, words))
		fail_msg("%s: lacks '%s'", why, words);
}

static void the_candidate_knows_report_people_and_lists(void **state)
{
	fixture *f = *state;

	report_it(f);
	g_autoptr(GPtrArray) all = candidates(f, T0 + DAY);
	const tracker_reminder *r = all->pdata[0];

	assert_int_equal(all->len, 1);
	assert_true(r->ours);
	assert_string_equal(r->report_id, MID);
	assert_non_null(strstr(r->report_subject, "unixbench.score"));
	assert_int_equal(r->addressed->len, 2);
	assert_string_equal(r->culprit->author_address, "ada@example.org");
	assert_int_equal(r->culprit->trailers->len, 1);
	assert_int_equal(r->count, 0);
	assert_int_equal(r->next_revision, 0);
}

static void a_group_covers_by_subsystem_or_list(void **state)
{
	fixture *f = *state;
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	report_it(f);
	g_autoptr(GPtrArray) all = candidates(f, T0 + DAY);
	tracker_remind_rules rules = rules_of(f);

	assert_true(tracker_reminder_covers(all->pdata[0], &rules));
	rules.lists = NULL;
	assert_false(tracker_reminder_covers(all->pdata[0], &rules));

	static const struct {
		const char *pattern;
		bool covers;
	} rows[] = { { "sched/core", true }, { "sched", true },
		     { "sched/*", true },    { "sch", false },
		     { "mm", false },        { "sched/core: Pick", false } };

	rules.subsystems = words;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_ptr_array_set_size(words, 0);
		g_ptr_array_add(words, (char *)rows[i].pattern);
		if (tracker_reminder_covers(all->pdata[0], &rules) != rows[i].covers)
			fail_msg("%s", rows[i].pattern);
	}
}

static void nobody_is_reminded_too_early_or_without_a_group(void **state)
{
	fixture *f = *state;
	g_autofree char *why = NULL;

	report_it(f);
	assert_not_due(f, T0 + 13 * DAY, "reported 13 days ago");
	assert_is_due(f, T0 + 14 * DAY, "nobody has answered for 14 days");
	g_autoptr(GPtrArray) all = candidates(f, T0 + 30 * DAY);

	assert_false(tracker_reminder_due(all->pdata[0], NULL, T0 + 30 * DAY, &why));
	assert_non_null(strstr(why, "no group"));
}

static void what_speaks_against_it_is_named(void **state)
{
	fixture *f = *state;

	report_it(f);
	g_autoptr(GPtrArray) all = candidates(f, T0 + 30 * DAY);
	tracker_reminder *r = all->pdata[0];
	tracker_remind_rules rules = rules_of(f);
	const tracker_summary plain = *r->summary;
	const struct {
		const char *word;
		tracker_status status;
		parser_kind kind;
		bool backburner, off, not_ours;
		const char *owes;
		int64_t word_at;
	} rows[] = {
		{ .word = "closed", .status = TRACKER_STATUS_EXPECTED },
		{ .word = "fix is on its way", .status = TRACKER_STATUS_FIX_POSTED },
		{ .word = "fix is on its way", .status = TRACKER_STATUS_FIX_QUEUED },
		{ .word = "improvement", .kind = PARSER_KIND_IMPROVEMENT },
		{ .word = "back burner", .backburner = true },
		{ .word = "no reminders", .off = true },
		{ .word = "operator", .owes = "operator" },
		{ .word = "robot owes", .owes = "robot" },
		{ .word = "answered 1 days ago", .word_at = T0 + 29 * DAY },
		{ .word = "not ours", .not_ours = true },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *why = NULL;

		*r->summary = plain;
		if (rows[i].status)
			r->summary->status = rows[i].status;
		if (rows[i].kind)
			r->summary->kind = rows[i].kind;
		if (rows[i].owes)
			r->summary->owes = (char *)rows[i].owes;
		r->summary->backburner = rows[i].backburner;
		r->summary->reminders_off = rows[i].off;
		r->summary->last_human_at = rows[i].word_at;
		r->ours = !rows[i].not_ours;
		if (tracker_reminder_due(r, &rules, T0 + 30 * DAY, &why) ||
		    !strstr(why, rows[i].word))
			fail_msg("%s: %s", rows[i].word, why);
	}
	*r->summary = plain;
}

static void one_in_so_many_weeks_and_no_more_than_so_many(void **state)
{
	fixture *f = *state;
	int64_t now = T0 + 20 * DAY, id;
	g_autoptr(GError) error = NULL;

	report_it(f);
	id = draft_one(f, "r1@example.org", now);
	assert_not_due(f, now + 100 * DAY, "is draft");
	/* The operator did not want that one: it counts all the same. */
	assert_done(tracker_outbox_cancel(f->t, id, now, &error), error);
	assert_not_due(f, now + 27 * DAY, "27 days ago (cancelled)");
	assert_is_due(f, now + 28 * DAY, "nobody has answered");
	id = draft_one(f, "r2@example.org", now + 28 * DAY);
	assert_done(tracker_outbox_cancel(f->t, id, now + 40 * DAY, &error), error);
	/* It counts from when it was decided. */
	assert_not_due(f, now + 67 * DAY, "27 days ago");
	id = draft_one(f, "r3@example.org", now + 68 * DAY);
	assert_done(tracker_outbox_cancel(f->t, id, now + 68 * DAY, &error), error);
	assert_not_due(f, now + 900 * DAY, "3 times");
	assert_sound(f);
}

static void two_runs_at_once_make_one(void **state)
{
	fixture *f = *state;
	int64_t now = T0 + 20 * DAY;
	g_autofree char *id = own_id();
	tracker_report mail = mail_of(f, id, "r2@example.org", now);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(GError) error = NULL;

	report_it(f);
	draft_one(f, "r1@example.org", now);
	assert_false(
		tracker_reminder_add(f->t, &mail, now - 28 * DAY + 1, &stored, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_STATE));
}

static void a_sent_one_is_in_the_thread_and_no_answer(void **state)
{
	fixture *f = *state;
	int64_t now = T0 + 20 * DAY, id;
	g_autofree char *regression = own_id();
	g_autoptr(tracker_outgoing) mail = NULL;
	g_autoptr(GError) error = NULL;

	report_it(f);
	id = draft_one(f, "r1@example.org", now);
	g_autoptr(tracker_detail) before = tracker_show(f->t, regression, &error);

	assert_int_equal(before->messages->len, 1);
	assert_done(tracker_outbox_approve(f->t, id, now, &error), error);
	assert_done(tracker_outbox_claim(f->t, now, &mail, &error), error);
	settle_as(f, id, "sent", "sent", 0);
	g_autoptr(tracker_detail) after = tracker_show(f->t, regression, &error);

	assert_int_equal(after->messages->len, 2);
	assert_int_equal(after->summary->replies, 0);
	assert_int_equal(after->summary->last_human_at, 0);
	assert_int_equal(after->summary->status, TRACKER_STATUS_REPORTED);
	assert_sound(f);
}

static void what_was_closed_meanwhile_is_not_reminded_of(void **state)
{
	fixture *f = *state;
	int64_t now = T0 + 20 * DAY, id;
	g_autofree char *regression = own_id();
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	const tracker_act act = { .kind = TRACKER_ACT_SET,
				  .id = regression,
				  .status = TRACKER_STATUS_EXPECTED,
				  .who = "Olga",
				  .reason = "it is",
				  .now = now + 5 };
	g_autoptr(GError) error = NULL;

	report_it(f);
	id = draft_one(f, "r1@example.org", now);
	assert_done(tracker_outbox_approve(f->t, id, now, &error), error);
	assert_done(tracker_reminders_withdraw(f->t, now, lines, &error), error);
	assert_int_equal(lines->len, 0);
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	assert_done(tracker_reminders_withdraw(f->t, now + 6, lines, &error), error);
	assert_int_equal(lines->len, 1);
	assert_non_null(strstr(lines->pdata[0], "expected"));
	g_autoptr(tracker_outgoing) mail = tracker_outbox_get(f->t, id, &error);

	assert_int_equal(mail->state, TRACKER_OUTBOX_CANCELLED);
}

/* A mail can take longer than the draft: what counts is that it was not known. */
static void a_late_answer_takes_a_reminder_back(void **state)
{
	fixture *f = *state;
	int64_t now = T0 + 20 * DAY;
	g_autofree char *text =
		reply_mail((reply_text){ .id = "late@example.org",
					 .parent = MID,
					 .body = "I will look.\n",
					 .date = "Sun, 19 Nov 2023 22:13:20 +0000" });
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	mail_text mail = { text, strlen(text), PARSER_FORM_MAIL, 0 };
	const unsigned order[] = { 0 };
	reader r = reader_new();
	g_autoptr(GError) error = NULL;

	report_it(f);
	draft_one(f, "r1@example.org", now);
	assert_done(tracker_reminders_withdraw(f->t, now, lines, &error), error);
	assert_int_equal(lines->len, 0);
	assert_done(ingest_mails(f->t, &r, &mail, order, 1, &error), error);
	reader_clear(&r);
	g_autofree char *regression = own_id();
	g_autoptr(tracker_detail) detail = tracker_show(f->t, regression, &error);

	assert_in_range(detail->summary->last_human_at, 1, now - 1);
	assert_done(tracker_reminders_withdraw(f->t, now, lines, &error), error);
	assert_int_equal(lines->len, 1);
	assert_non_null(strstr(lines->pdata[0], "answered"));
}

/* ---- silence -------------------------------------------------------------------- */

static void take_in(fixture *f, const char *from, const char *parent, const char *body)
{
	reader r = reader_new();
	g_autofree char *text = reply_mail((reply_text){ .id = "stop@example.org",
							 .from = from,
							 .parent = parent,
							 .body = body });
	mail_text mail = { text, strlen(text), PARSER_FORM_MAIL, 0 };
	const unsigned order[] = { 0 };
	g_autoptr(GError) error = NULL;

	assert_done(ingest_mails(f->t, &r, &mail, order, 1, &error), error);
	reader_clear(&r);
}

static bool is_stopped(fixture *f, const char *address)
{
	g_autofree char *id = own_id();
	g_autoptr(GError) error = NULL;
	bool stopped;

	assert_done(tracker_reminder_stopped(f->t, id, address, &stopped, &error),
		    error);
	return stopped;
}

static void stop_is_heeded_from_anybody_and_for_ever(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;

	report_it(f);
	assert_false(is_stopped(f, "sam@example.org"));
	take_in(f, "Sam Someone <Sam@example.org>", MID, "#regtrail stop\n");
	assert_true(is_stopped(f, "sam@example.org"));
	assert_true(is_stopped(f, "SAM@EXAMPLE.ORG"));
	assert_false(is_stopped(f, "ada@example.org"));
	/* Even when the mail that said so is forgotten. */
	assert_done(tracker_forget(f->t, "stop@example.org", T0 + 5, &error), error);
	assert_true(is_stopped(f, "sam@example.org"));
	assert_sound(f);
}

static void stop_in_a_mail_of_no_thread_is_heeded_too(void **state)
{
	fixture *f = *state;

	report_it(f);
	take_in(f, "sam@example.org", "elsewhere@example.org", "#regtrail stop\n");
	assert_true(is_stopped(f, "sam@example.org"));
}

static void a_quoted_stop_or_that_of_a_robot_is_none(void **state)
{
	fixture *f = *state;

	report_it(f);
	take_in(f, "sam@example.org", MID,
		"> #regtrail stop\nI see what you quote.  \"#regtrail stop\" is a line.\n");
	assert_false(is_stopped(f, "sam@example.org"));
}

static void no_reminders_by_anybody_silences_him_alone(void **state)
{
	fixture *f = *state;

	report_it(f);
	take_in(f, "sam@example.org", MID, "#regtrail no-reminders\n");
	assert_true(is_stopped(f, "sam@example.org"));
	g_autoptr(GPtrArray) all = candidates(f, T0 + 30 * DAY);

	assert_false(((tracker_reminder *)all->pdata[0])->summary->reminders_off);
}

static void no_reminders_by_the_author_silences_all(void **state)
{
	fixture *f = *state;

	tracker_configure(f->t, &(tracker_policy){ .require_dkim = false });
	report_it(f);
	take_in(f, "Ada Author <ada@example.org>", MID, "#regtrail no-reminders\n");
	g_autoptr(GPtrArray) all = candidates(f, T0 + 300 * DAY);

	assert_true(((tracker_reminder *)all->pdata[0])->summary->reminders_off);
}

#define TEST(name)                                                                     \
	cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_candidate_knows_report_people_and_lists),
		TEST(a_group_covers_by_subsystem_or_list),
		TEST(nobody_is_reminded_too_early_or_without_a_group),
		TEST(what_speaks_against_it_is_named),
		TEST(one_in_so_many_weeks_and_no_more_than_so_many),
		TEST(two_runs_at_once_make_one),
		TEST(a_sent_one_is_in_the_thread_and_no_answer),
		TEST(what_was_closed_meanwhile_is_not_reminded_of),
		TEST(a_late_answer_takes_a_reminder_back),
		TEST(stop_is_heeded_from_anybody_and_for_ever),
		TEST(stop_in_a_mail_of_no_thread_is_heeded_too),
		TEST(a_quoted_stop_or_that_of_a_robot_is_none),
		TEST(no_reminders_by_anybody_silences_him_alone),
		TEST(no_reminders_by_the_author_silences_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
