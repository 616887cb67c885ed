/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mails of other robots and of people: threads, roles, status, and any order of
 * arrival. */
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_post.h"
#include "tests/unit/tracker_thread.h"

#define R1 "202305011000.0a1b2c3d-robot@tests.example.org"

static char *ack(const char *id, const char *parent)
{
	return reply_mail((reply_text){
		.id = id,
		.parent = parent,
		.body = "Thanks for the report, I can reproduce it here.  This is a real "
			"problem, I will look into it.\n" });
}

static char *wont_fix(const char *id, const char *parent, const char *from,
		      const char *date)
{
	return reply_mail((reply_text){
		.id = id,
		.parent = parent,
		.from = from,
		.date = date,
		.body = "This regression is expected.  The patch trades some throughput for "
			"correctness.\n" });
}

static void a_robot_report_opens_a_regression(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	bring(f, &p, "0");

	g_autoptr(GPtrArray) found = list_all_open(f);
	const tracker_summary *s = only(found);
	g_autofree char *id =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");

	assert_string_equal(s->id, id);
	assert_int_equal(s->status, TRACKER_STATUS_REPORTED);
	assert_string_equal(s->metric, "unixbench.score");
	assert_string_equal(s->author, "Ada Author");
	assert_string_equal(s->owes, "maintainer");
	assert_int_equal(s->replies, 0);
	assert_true(s->has_change && s->change_percent == -7.5);
}

static void an_improvement_is_kept_but_not_listed(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	tracker_filter all = { .improvements = true, .now = T0 };
	g_autoptr(GError) error = NULL;

	add(&p, report_mail((report_text){
			.id = R1, .change = 7.5, .word = "improvement" }));
	bring(f, &p, "0");
	g_autoptr(GPtrArray) found = list_all_open(f);
	g_autoptr(GPtrArray) asked = tracker_list(f->t, &all, &error);

	assert_int_equal(found->len, 0);
	assert_int_equal(only(asked)->kind, PARSER_KIND_IMPROVEMENT);
}

static void the_author_acknowledges_and_a_stranger_only_suggests(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, ack("ack@example.org", R1));
	add(&p, wont_fix("no@example.org", R1, "Some Body <body@example.org>",
			 "Wed, 03 May 2023 10:00:00 +0000"));
	bring(f, &p, "01");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(only(found)->status, TRACKER_STATUS_ACKNOWLEDGED);
	assert_string_equal(only(found)->last_human, "Ada Author");

	bring(f, &p, "2");
	g_autoptr(GPtrArray) later = list_all_open(f);
	const tracker_summary *s = only(later);

	assert_int_equal(s->status, TRACKER_STATUS_ACKNOWLEDGED);
	assert_string_equal(s->owes, "operator");
	assert_int_equal(s->suggestions->len, 1);
	const tracker_suggestion *suggestion = s->suggestions->pdata[0];

	assert_string_equal(suggestion->status, "expected");
	assert_string_equal(suggestion->role, "other");
	assert_string_equal(suggestion->author, "Some Body");
	assert_non_null(strstr(suggestion->quote, "expected"));

	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef", &error);

	assert_done(replies, error);
	assert_int_equal(replies->len, 2);
	const tracker_message *first = replies->pdata[0];

	assert_int_equal(first->role, TRACKER_ROLE_AUTHOR);
	assert_string_equal(first->link_key, "in-reply-to");
	assert_true(first->verdicts->len >= 1);
}

static void a_suggestion_is_confirmed_or_rejected(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	tracker_act act = { .who = "operator", .now = T0 };
	tracker_status status;

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, wont_fix("no@example.org", R1, NULL, NULL));
	bring(f, &p, "01");
	g_autoptr(GPtrArray) found = list_all_open(f);

	act.id = only(found)->id;
	act.kind = TRACKER_ACT_REJECT;
	assert_done(tracker_act_do(f->t, &act, &status, &error), error);
	assert_int_equal(status, TRACKER_STATUS_REPORTED);
	assert_false(tracker_act_do(f->t, &act, &status, &error));
	g_clear_error(&error);
	/* The same mail again does not bring it back. */
	bring(f, &p, "01");
	g_autoptr(GPtrArray) again = list_all_open(f);

	assert_int_equal(only(again)->suggestions->len, 0);

	act.kind = TRACKER_ACT_UNDO;
	assert_done(tracker_act_do(f->t, &act, &status, &error), error);
	act.kind = TRACKER_ACT_CONFIRM;
	assert_done(tracker_act_do(f->t, &act, &status, &error), error);
	assert_int_equal(status, TRACKER_STATUS_EXPECTED);
	g_autoptr(GPtrArray) none = list_all_open(f);

	assert_int_equal(none->len, 0);
	assert_sound(f);
}

static void a_suggestion_from_the_future_can_be_decided_about(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	tracker_act act = { .kind = TRACKER_ACT_REJECT, .who = "operator", .now = T0 };

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, wont_fix("no@example.org", R1, NULL, "Mon, 5 May 2036 10:00:00 +0000"));
	bring(f, &p, "01");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(only(found)->suggestions->len, 1);
	act.id = only(found)->id;
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	g_autoptr(GPtrArray) rejected = list_all_open(f);

	assert_int_equal(only(rejected)->suggestions->len, 0);
	assert_sound(f);
}

static void a_late_mail_does_not_override_a_later_act(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	tracker_act act = { .kind = TRACKER_ACT_SET,
			    .status = TRACKER_STATUS_INVESTIGATING,
			    .who = "operator",
			    .reason = "seen in the lab",
			    .now = T0 };

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, ack("ack@example.org", R1));
	bring(f, &p, "0");
	g_autoptr(GPtrArray) found = list_all_open(f);

	act.id = only(found)->id;
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	bring(f, &p, "1");
	g_autoptr(GPtrArray) later = list_all_open(f);

	assert_int_equal(only(later)->status, TRACKER_STATUS_INVESTIGATING);
	g_autoptr(tracker_detail) detail = tracker_show(f->t, act.id, &error);
	const tracker_event *last = detail->events->pdata[detail->events->len - 1];

	assert_int_equal(last->status, TRACKER_STATUS_INVESTIGATING);
	assert_string_equal(last->kind, "correction");
}

static void undo_takes_acts_back_before_what_later_mails_decided(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *first = NULL, *second = NULL;
	tracker_act act = { .kind = TRACKER_ACT_SET,
			    .status = TRACKER_STATUS_ACKNOWLEDGED,
			    .who = "operator",
			    .reason = "seen in the lab",
			    .now = 1683100000 }; /* 3 May 2023 */

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, wont_fix("no@example.org", R1, NULL, "Mon, 8 May 2023 10:00:00 +0000"));
	bring(f, &p, "0");
	g_autoptr(GPtrArray) found = list_all_open(f);

	act.id = only(found)->id;
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	bring(f, &p, "1");
	act.kind = TRACKER_ACT_UNDO;
	act.reason = NULL;
	act.undone = &first;
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	assert_string_equal(first, "takes back: set by operator");
	g_autoptr(GPtrArray) waits = list_all_open(f);

	assert_int_equal(only(waits)->status, TRACKER_STATUS_REPORTED);
	assert_int_equal(only(waits)->suggestions->len, 1);
	act.undone = &second;
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	assert_true(g_str_has_prefix(second, "takes back what the mail of "));
	assert_non_null(strstr(second, " suggested: \""));
	g_autoptr(GPtrArray) none = list_all_open(f);

	assert_int_equal(only(none)->suggestions->len, 0);
	assert_sound(f);
}

static void a_new_report_of_a_closed_regression_reopens_it(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	tracker_act act = { .kind = TRACKER_ACT_SET,
			    .status = TRACKER_STATUS_FIXED,
			    .who = "operator",
			    .reason = "by the new version",
			    .now = 1683100000 }; /* 3 May 2023 */

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p,
	    report_mail((report_text){ .id = "again-robot@tests.example.org",
				       .change = -9,
				       .date = "Mon, 08 May 2023 10:00:00 +0000" }));
	bring(f, &p, "0");
	g_autoptr(GPtrArray) found = list_all_open(f);

	act.id = only(found)->id;
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	bring(f, &p, "1");
	g_autoptr(GPtrArray) later = list_all_open(f);

	assert_int_equal(only(later)->status, TRACKER_STATUS_REPORTED);
	g_autoptr(tracker_detail) detail = tracker_show(f->t, act.id, &error);

	assert_int_equal(detail->findings->len, 2);
}

/* ---- links
 * ---------------------------------------------------------------------------- */

static void a_reply_with_trimmed_references_is_found_through_the_chain(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, ack("one@example.org", R1));
	add(&p, reply_mail((reply_text){ .id = "two@example.org",
					 .parent = "one@example.org",
					 .references = "<one@example.org>",
					 .from = "Max Tainer <max@example.org>",
					 .body = "What does the profile say?\n" }));
	bring(f, &p, "021");
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_done(replies, error);
	assert_int_equal(replies->len, 2);
	for (guint i = 0; i < 2; i++) {
		const tracker_message *m = replies->pdata[i];

		assert_string_equal(m->link_key,
				    strcmp(m->message_id, "two@example.org") ?
					    "in-reply-to" :
					    "chain");
	}
}

static void mails_above_a_report_are_not_claimed(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, reply_mail((reply_text){
			.id = "patch@example.org",
			.subject = "[PATCH] sched/core: Pick a queue",
			.body = "Signed-off-by: Ada <ada@example.org>\n" }));
	add(&p, report_mail((report_text){
			.id = R1, .change = -7.5, .reply = "patch@example.org" }));
	add(&p,
	    reply_mail((reply_text){ .id = "review@example.org",
				     .parent = "patch@example.org",
				     .subject = "Re: [PATCH] sched/core: Pick a queue",
				     .body = "Is this expected to be slower?\n" }));
	bring(f, &p, "012");
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_int_equal(replies->len, 0);
}

static void mail_that_concerns_nobody_costs_a_row_until_it_is_claimed(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, ack("one@example.org", R1));
	add(&p, reply_mail((reply_text){ .id = "two@example.org",
					 .parent = "one@example.org",
					 .body = "Any news of this?\n" }));
	bring(f, &p, "21");
	sqlite3 *db;
	int rows = -1;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	sqlite3_stmt *count;

	sqlite3_prepare_v2(db, "SELECT count(*) FROM message", -1, &count, NULL);
	assert_int_equal(sqlite3_step(count), SQLITE_ROW);
	rows = sqlite3_column_int(count, 0);
	sqlite3_finalize(count);
	sqlite3_close(db);
	assert_int_equal(rows, 0);

	bring(f, &p, "0");
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_int_equal(replies->len, 2);
}

static void loops_and_self_answers_end(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5, .reply = R1 }));
	add(&p, reply_mail((reply_text){ .id = "a@example.org",
					 .parent = "b@example.org",
					 .references = "<" R1 "> <b@example.org>",
					 .body = "first\n" }));
	add(&p, reply_mail((reply_text){ .id = "b@example.org",
					 .parent = "a@example.org",
					 .references = "<a@example.org>",
					 .body = "second\n" }));
	add(&p, reply_mail((reply_text){ .id = "c@example.org",
					 .parent = "c@example.org",
					 .references = "<" R1 "> <c@example.org>",
					 .body = "third\n" }));
	bring(f, &p, "0123");
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_int_equal(replies->len, 3);
	g_autoptr(GPtrArray) found = list_all_open(f);
	g_autoptr(tracker_detail) detail = tracker_show(f->t, only(found)->id, &error);

	assert_int_equal(detail->messages->len, 4);
}

static void two_reports_of_one_commit_keep_their_own_replies(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, report_mail((report_text){ .id = "second-robot@tests.example.org",
					   .metric = "netperf.Throughput_Mbps",
					   .testcase = "netperf",
					   .change = -20 }));
	add(&p, ack("one@example.org", "second-robot@tests.example.org"));
	bring(f, &p, "201");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(found->len, 2);
	for (guint i = 0; i < 2; i++) {
		const tracker_summary *s = found->pdata[i];
		bool second = !strcmp(s->metric, "netperf.Throughput_Mbps");

		assert_int_equal(s->status, second ? TRACKER_STATUS_ACKNOWLEDGED :
						     TRACKER_STATUS_REPORTED);
		assert_int_equal(s->replies, second ? 1 : 0);
	}
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_int_equal(replies->len, 1);
}

static void a_reused_message_id_loses_neither_mail(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, ack("same@example.org", R1));
	add(&p,
	    wont_fix("same@example.org", R1, NULL, "Wed, 03 May 2023 10:00:00 +0000"));
	bring(f, &p, "012");
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_int_equal(replies->len, 2);
}

static int lists_of(const fixture *f, const char *message_id)
{
	sqlite3_stmt *rows;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db,
					    "SELECT count(*) FROM message_list "
					    "JOIN message ON id = message "
					    "WHERE message_id = ?1",
					    -1, &rows, NULL),
			 SQLITE_OK);
	sqlite3_bind_text(rows, 1, message_id, -1, SQLITE_STATIC);
	assert_int_equal(sqlite3_step(rows), SQLITE_ROW);

	int n = sqlite3_column_int(rows, 0);

	sqlite3_finalize(rows);
	sqlite3_close(db);
	return n;
}

static void the_same_mail_by_two_lists_is_one(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	const char *body = "I will look into it, thanks.\n";

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, reply_mail((reply_text){ .id = "x@example.org",
					 .parent = R1,
					 .headers = "List-Id: <a.lists.example.org>\n",
					 .body = body }));
	add(&p, reply_mail((reply_text){ .id = "x@example.org",
					 .parent = R1,
					 .headers = "List-Id: <b.lists.example.org>\n",
					 .body = body }));
	bring(f, &p, "012");
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_int_equal(replies->len, 1);
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(only(found)->replies, 1);
	assert_int_equal(lists_of(f, "x@example.org"), 2);
}

static void a_subject_alone_is_only_a_guess(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, reply_mail((reply_text){
			.id = "lost@example.org",
			.subject = "Re: [linux-next:master] [sched/core] 89abcdef01: "
				   "unixbench.score -7.5% regression",
			.body = "This regression is expected.\n" }));
	bring(f, &p, "10");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(only(found)->suggestions->len, 0);
	assert_int_equal(only(found)->replies, 0);
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_int_equal(replies->len, 1);
	assert_true(((tracker_message *)replies->pdata[0])->suggested);
}

/* ---- reports that nobody has seen
 * --------------------------------------------------------- */

static char *quoting_reply(void)
{
	return reply_mail((reply_text){
		.id = "q@example.org",
		.parent = R1,
		.references = "<" R1 ">",
		.subject = "Re: [linux-next:master] [sched/core] 89abcdef01: "
			   "unixbench.score -7.5% regression",
		.body = "On Mon, May 01, 2023 at 10:00:00AM +0000, kernel test robot wrote:\n"
			"> \n> \n> Hello,\n> \n"
			"> kernel test robot noticed a -7.5% regression of unixbench.score "
			"on:\n> \n> \n"
			"> commit: 89abcdef0123456789abcdef0123456789abcdef "
			"(\"sched/core: Pick the wrong queue\")\n"
			"> https://git.example.org/cgit/linux/kernel/git/next/linux-next.git "
			"master\n> \n> testcase: unixbench\n"
			"> test machine: 96 threads 2 sockets Example CPU\n> parameters:\n> \n"
			"> \truntime: 300s\n> \ttest: spawn\n> \n\n"
			"I profiled this.  The regression is caused by contention on "
			"tasklist_lock: the change spreads the tasks over more CPUs, so the "
			"lock is taken from more of them.\n" });
}

static void a_report_known_from_a_quote_answers_but_is_not_listed(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, quoting_reply());
	bring(f, &p, "0");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(found->len, 0);
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_done(replies, error);
	assert_int_equal(replies->len, 1);
	const tracker_message *m = replies->pdata[0];
	g_autoptr(tracker_detail) detail = tracker_show(f->t, m->regression, &error);

	assert_done(detail, error);
	assert_int_equal(detail->summary->status, TRACKER_STATUS_NONE);
	assert_string_equal(detail->summary->metric, "unixbench.score");
	assert_string_equal(detail->report_id, R1);
	assert_false(detail->seen);
	assert_int_equal(detail->events->len, 0);
	assert_int_equal(detail->messages->len, 2);
	assert_true(((tracker_message *)detail->messages->pdata[0])->is_ghost);
}

static void the_report_itself_takes_the_place_of_its_quote(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;

	add(&p, quoting_reply());
	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	bring(f, &p, "0");
	bring(f, &p, "1");
	g_autoptr(GPtrArray) found = list_all_open(f);
	const tracker_summary *s = only(found);

	assert_int_equal(s->status, TRACKER_STATUS_INVESTIGATING);
	assert_int_equal(s->replies, 1);
	g_autoptr(tracker_detail) detail = tracker_show(f->t, s->id, &error);

	assert_int_equal(detail->findings->len, 1);
	assert_true(detail->seen);
}

/* ---- any order
 * ------------------------------------------------------------------------------ */

static void fill(post *p)
{
	add(p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(p, ack("one@example.org", R1));
	add(p,
	    reply_mail((reply_text){ .id = "two@example.org",
				     .parent = "one@example.org",
				     .references = "<one@example.org>",
				     .from = "Max Tainer <max@example.org>",
				     .date = "Wed, 03 May 2023 10:00:00 +0000",
				     .body = "What does the profile say?  Can you test "
					     "again with the box idle?\n" }));
	add(p, reply_mail((reply_text){
		       .id = "three@example.org",
		       .parent = "two@example.org",
		       .references = "<two@example.org>",
		       .from = "Oli Keeper <oli@tests.example.org>",
		       .date = "Thu, 04 May 2023 10:00:00 +0000",
		       .body = "Sorry, this was a false positive.  Please "
			       "ignore this report.\n" }));
	add(p, report_mail((report_text){ .id = "second-robot@tests.example.org",
					  .change = -9,
					  .date = "Mon, 08 May 2023 10:00:00 +0000" }));
	add(p, wont_fix("four@example.org", "second-robot@tests.example.org",
			"Some Body <body@example.org>",
			"Tue, 09 May 2023 10:00:00 +0000"));
	add(p, quoting_reply());
}

/* Batches of one mail; each but the last is followed by another at once. */
static void bring_in_batches(fixture *f, post *p, const char *order)
{
	g_autoptr(GError) error = NULL;

	for (; *order; order++) {
		unsigned number = (unsigned)(*order - '0');

		assert_done(pause_mails(f->t, &the_reader,
					(mail_text *)(void *)p->mails->data, &number, 1,
					&error),
			    error);
	}
}

static void reopen(fixture *f)
{
	g_autoptr(GError) error = NULL;

	tracker_close(f->t);
	f->t = tracker_open(f->path, false, &error);
	assert_done(f->t, error);
}

enum how {
	AT_ONCE,
	ONE_BY_ONE,
	IN_BATCHES,
	CUT_OFF /* before the commit that ends the batches; the next run makes it */
};

static char *state_after(const char *order, enum how how)
{
	void *state;
	g_auto(post) p = post_new();

	fixture_setup(&state);
	fixture *f = state;

	fill(&p);
	for (size_t i = 0; how == ONE_BY_ONE && order[i]; i++)
		bring_quietly(f, &p, (char[]){ order[i], '\0' });
	if (how == IN_BATCHES || how == CUT_OFF)
		bring_in_batches(f, &p, order);
	if (how == CUT_OFF)
		reopen(f);
	if (how != ONE_BY_ONE)
		bring_quietly(f, &p, how == AT_ONCE ? order : "");
	assert_sound(f);
	char *dump = state_dump(f->path);

	fixture_teardown(&state);
	return dump;
}

static void any_order_of_arrival_gives_the_same_state(void **state)
{
	static const char *const orders[] = { "6543210", "3021654", "5146302",
					      "01234560123456" };
	(void)state;
	;
	g_autofree char *expected = state_after("0123456", AT_ONCE);

	assert_non_null(strstr(expected, "|invalid|robot-team|"));
	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++)
		for (int how = AT_ONCE; how <= CUT_OFF; how++) {
			g_autofree char *got = state_after(orders[i], (enum how)how);

			if (strcmp(got, expected))
				fail_msg("order %s (way %d):\n%s\nexpected:\n%s",
					 orders[i], how, got, expected);
		}
}

static void the_same_source_twice_changes_nothing(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	fill(&p);
	bring(f, &p, "0123456");
	g_autofree char *once = state_dump(f->path);

	bring(f, &p, "0123456");
	g_autofree char *twice = state_dump(f->path);

	assert_string_equal(once, twice);
}

static void bytes_that_are_no_mail_are_recorded_and_the_run_goes_on(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, g_strdup(""));
	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	bring(f, &p, "01");
	g_autoptr(GPtrArray) found = list_all_open(f);

	only(found);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_robot_report_opens_a_regression),
		T(an_improvement_is_kept_but_not_listed),
		T(the_author_acknowledges_and_a_stranger_only_suggests),
		T(a_suggestion_is_confirmed_or_rejected),
		T(a_suggestion_from_the_future_can_be_decided_about),
		T(a_late_mail_does_not_override_a_later_act),
		T(undo_takes_acts_back_before_what_later_mails_decided),
		T(a_new_report_of_a_closed_regression_reopens_it),
		T(a_reply_with_trimmed_references_is_found_through_the_chain),
		T(mails_above_a_report_are_not_claimed),
		T(mail_that_concerns_nobody_costs_a_row_until_it_is_claimed),
		T(loops_and_self_answers_end),
		T(two_reports_of_one_commit_keep_their_own_replies),
		T(a_reused_message_id_loses_neither_mail),
		T(the_same_mail_by_two_lists_is_one),
		T(a_subject_alone_is_only_a_guess),
		T(a_report_known_from_a_quote_answers_but_is_not_listed),
		T(the_report_itself_takes_the_place_of_its_quote),
		cmocka_unit_test(any_order_of_arrival_gives_the_same_state),
		T(the_same_source_twice_changes_nothing),
		T(bytes_that_are_no_mail_are_recorded_and_the_run_goes_on),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
