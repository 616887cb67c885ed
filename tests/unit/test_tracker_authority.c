/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What anybody may write, and what it must not lead to. */
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_post.h"
#include "tests/unit/tracker_thread.h"

#define R1  "202305011000.0a1b2c3d-oli@tests.example.org"
#define EVE "kernel test robot <eve@evil.example>"

/* What each server adds when it takes a mail in. */
#define CAME(day) "Received: from a by b; " day " May 2023 10:00:05 +0000\n"

#define IMPACT                                                                            \
	"In addition to that, the commit also has significant impact on the following "   \
	"tests:\n\n"                                                                      \
	"+------------------+--------------------------------------------------------+\n" \
	"| testcase: change | unixbench: unixbench.score 7.5% regression             |\n" \
	"| test machine     | 64 threads 2 sockets (Ice Lake) with 256G memory       |\n" \
	"| test parameters  | runtime=300s                                           |\n" \
	"+------------------+--------------------------------------------------------+\n\n\n"

static void follow(fixture *f, const char *robot)
{
	g_autoptr(GPtrArray) robots = g_ptr_array_new();

	g_ptr_array_add(robots, (gpointer)robot);
	tracker_configure(f->t, &(tracker_policy){ .robots = robots });
}

static char *honest(const char *headers)
{
	return report_mail(
		(report_text){ .id = R1, .change = -7.5, .headers = headers });
}

/* The same regression as an improvement, dated back, and for Eve to decide about. */
static char *forged(const char *headers)
{
	return report_mail((report_text){ .id = "forged@evil.example",
					  .from = EVE,
					  .to = "Eve <eve@evil.example>",
					  .subject = "sched/core: Pick no queue",
					  .headers = headers,
					  .date = "Sat, 01 Apr 2023 10:00:00 +0000",
					  .word = "improvement",
					  .change = 50 });
}

static void assert_honest(fixture *f)
{
	g_autoptr(GPtrArray) found = list_all_open(f);
	const tracker_summary *s = only(found);
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker_detail) d = tracker_show(f->t, s->id, &error);

	assert_done(d, error);
	assert_int_equal(s->kind, PARSER_KIND_REGRESSION);
	assert_true(s->change_percent == -7.5);
	assert_string_equal(s->commit_subject, "sched/core: Pick the wrong queue");
	assert_string_equal(s->author, "Ada Author");
	assert_int_equal(s->reported_at, 1682935200);
	assert_string_equal(d->report_id, R1);
	assert_string_equal(((tracker_finding *)d->findings->pdata[0])->message_id, R1);
	assert_true(((tracker_finding *)d->findings->pdata[0])->counts);
	assert_false(((tracker_finding *)d->findings->pdata[1])->counts);
}

static void a_report_that_is_dated_back_displaces_none(void **state)
{
	static const char *const orders[] = { "01", "10" };

	for (int named = 0; named < 2; named++)
		for (int i = 0; i < 2; i++) {
			g_auto(post) p = post_new();

			fixture_teardown(state);
			fixture_setup(state);
			/* Either the robot is known, or a server saw when it came. */
			if (named)
				follow(*state, "oli@tests.example.org");
			add(&p, honest(named ? "" : CAME("Mon, 01")));
			add(&p, forged(named ? "" : CAME("Wed, 03")));
			for (const char *one = orders[i]; *one; one++)
				bring(*state, &p, (char[]){ *one, '\0' });
			assert_honest(*state);
		}
}

/* A second copy, which a list held back, makes no report younger. */
static void a_copy_that_was_held_back_changes_no_time(void **state)
{
	static const char *const orders[] = { "01", "10" };

	for (int i = 0; i < 2; i++) {
		g_auto(post) p = post_new();

		fixture_teardown(state);
		fixture_setup(state);
		add(&p, honest(CAME("Mon, 01")));
		add(&p, honest(CAME("Tue, 09")));
		for (const char *one = orders[i]; *one; one++)
			bring(*state, &p, (char[]){ *one, '\0' });

		g_autoptr(GPtrArray) found = list_all_open(*state);

		assert_int_equal(only(found)->reported_at, 1682935200);
	}
}

static void an_impact_table_of_anybody_takes_no_other_report_in(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = "forged@evil.example",
					   .from = EVE,
					   .date = "Sat, 01 Apr 2023 10:00:00 +0000",
					   .testcase = "other",
					   .metric = "other.score",
					   .impact = IMPACT,
					   .change = -1 }));
	add(&p, honest(""));
	bring(f, &p, "01");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(found->len, 2);

	/* The robot's own does, from whichever of its addresses. */
	add(&p, report_mail((report_text){
			.id = "first@tests.example.org",
			.from = "kernel test robot <other@tests.example.org>",
			.date = "Sun, 30 Apr 2023 10:00:00 +0000",
			.testcase = "third",
			.metric = "third.score",
			.impact = IMPACT,
			.change = -1 }));
	bring(f, &p, "2");
	g_autoptr(GPtrArray) later = list_all_open(f);

	assert_int_equal(later->len, 2);
}

static tracker_role role_in(fixture *f, const char *message_id)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) replies = tracker_replies(f->t, "89abcdef01", &error);

	assert_done(replies, error);
	for (guint i = 0; i < replies->len; i++) {
		const tracker_message *m = replies->pdata[i];

		if (!strcmp(m->message_id, message_id))
			return m->role;
	}
	fail_msg("no reply %s", message_id);
	return TRACKER_ROLE_OTHER;
}

static char *ack(const char *id, const char *from)
{
	return reply_mail((reply_text){
		.id = id,
		.from = from,
		.parent = R1,
		.body = "Thanks for the report, I can reproduce it here.  This is a real "
			"problem, I will look into it.\n" });
}

/* Somebody else's report in one's name, or one's own, makes nobody a robot's keeper. */
static void who_has_sent_some_report_is_no_robot_team_of_others(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, honest(""));
	add(&p, ack("max@example.org", "Max Tainer <max@example.org>"));
	add(&p, ack("eve@evil.example", "Eve <eve@evil.example>"));
	add(&p, report_mail((report_text){
			.id = "one@evil.example",
			.from = "kernel test robot <max@example.org>",
			.commit = "1111111111222222222233333333334444444444",
			.change = -3 }));
	add(&p, report_mail((report_text){
			.id = "two@evil.example",
			.from = EVE,
			.commit = "1111111111222222222233333333334444444444",
			.metric = "other.score",
			.change = -3 }));
	bring(f, &p, "01234");
	assert_int_equal(role_in(f, "max@example.org"), TRACKER_ROLE_MAINTAINER);
	assert_int_equal(role_in(f, "eve@evil.example"), TRACKER_ROLE_OTHER);

	tracker_filter filter = { .commit = "89abcdef01", .now = T0 };
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) found = tracker_list(f->t, &filter, &error);

	assert_int_equal(only(found)->status, TRACKER_STATUS_ACKNOWLEDGED);
	assert_int_equal(only(found)->replies, 2);
}

/* Nor does what is shaped like a robot's mail answer for the robot. */
static void a_robots_shape_is_no_robot(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, honest(""));
	add(&p, reply_mail((reply_text){
			.id = "ask@example.org",
			.parent = R1,
			.body = "What does the profile say?  Can you test again?\n" }));
	add(&p,
	    reply_mail((reply_text){
		    .id = "told@evil.example",
		    .from = EVE,
		    .parent = R1,
		    .date = "Wed, 03 May 2023 10:00:00 +0000",
		    .body = "We tested it again, and the regression is gone with the "
			    "patch applied.\n" }));
	bring(f, &p, "012");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(role_in(f, "told@evil.example"), TRACKER_ROLE_BOT);
	assert_int_equal(only(found)->status, TRACKER_STATUS_NEEDS_INFO);
	assert_int_equal(only(found)->suggestions->len, 0);
}

static void a_name_alone_is_somebody_elses(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, honest(""));
	add(&p, ack("mask@evil.example", "Ada Author <eve@evil.example>"));
	bring(f, &p, "01");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(only(found)->status, TRACKER_STATUS_REPORTED);
	assert_int_equal(role_in(f, "mask@evil.example"), TRACKER_ROLE_OTHER);

	/* What she said stands, whoever says something else in her name. */
	add(&p, reply_mail((reply_text){ .id = "word@example.org",
					 .parent = R1,
					 .body = "This regression is expected.\n" }));
	add(&p, reply_mail((reply_text){
			.id = "other@evil.example",
			.from = "Ada Author <eve@evil.example>",
			.parent = R1,
			.date = "Wed, 03 May 2023 10:00:00 +0000",
			.body = "I can reproduce it, this is a real problem.\n"
				"The report is invalid.\n" }));
	bring(f, &p, "23");
	g_autoptr(GPtrArray) later = list_all_open(f);
	const tracker_suggestion *first = only(later)->suggestions->pdata[0];

	assert_int_equal(only(later)->suggestions->len, 2);
	assert_string_equal(first->status, "expected");
	assert_string_equal(first->role, "author");
}

#define GHOST "202304011000.11223344-lkp@evil.example"

/* Eve quotes the report, as if it were another mail. */
static char *misquote(void)
{
	return reply_mail((reply_text){
		.id = "quote@evil.example",
		.from = "Eve <eve@evil.example>",
		.parent = GHOST,
		.references = "<" GHOST ">",
		.body = "On Mon, May 01, 2023, kernel test robot wrote:\n"
			"> \n> Hello,\n> \n"
			"> kernel test robot noticed a -7.5% regression of unixbench.score "
			"on:\n> \n> \n"
			"> commit: 89abcdef0123456789abcdef0123456789abcdef "
			"(\"sched/core: Pick the wrong queue\")\n"
			"> \n> testcase: unixbench\n> parameters:\n> \n"
			"> \truntime: 300s\n> \ttest: spawn\n> \n\nLook here.\n" });
}

/* What the author says about that other mail. */
static char *elsewhere(void)
{
	return reply_mail((reply_text){ .id = "elsewhere@example.org",
					.parent = GHOST,
					.references = "<" GHOST ">",
					.body = "This regression is expected.\n\n"
						"#regtrail invalid: that one\n" });
}

static char *below(void)
{
	return reply_mail(
		(reply_text){ .id = "below@example.org",
			      .parent = "elsewhere@example.org",
			      .references = "<" GHOST "> <elsewhere@example.org>",
			      .body = "This regression is expected.\n" });
}

static void a_quote_makes_no_other_mail_the_report(void **state)
{
	static const char *const orders[] = { "0123", "3210", "1230", "2103" };

	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		g_auto(post) p = post_new();
		g_autoptr(GError) error = NULL;

		fixture_teardown(state);
		fixture_setup(state);
		add(&p, honest(""));
		add(&p, misquote());
		add(&p, elsewhere());
		add(&p, below());
		for (const char *one = orders[i]; *one; one++)
			bring(*state, &p, (char[]){ *one, '\0' });

		fixture *f = *state;
		g_autoptr(GPtrArray) found = list_all_open(f);
		const tracker_summary *s = only(found);
		g_autoptr(tracker_detail) d = tracker_show(f->t, s->id, &error);
		unsigned shown = 0;

		assert_int_equal(s->status, TRACKER_STATUS_REPORTED);
		assert_int_equal(s->suggestions->len, 0);
		assert_int_equal(s->replies, 1); /* that of Eve */
		/* They have a place in the thread all the same. */
		for (guint k = 0; k < d->messages->len; k++)
			shown += ((tracker_message *)d->messages->pdata[k])->suggested;
		assert_int_equal(shown, 3);
	}
}

/* A mailmap tells it is her. */
static void what_a_person_says_from_another_known_address_is_his(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GHashTable) aliases = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(aliases, (gpointer) "ada@home.example",
			    (gpointer) "ada@example.org");
	tracker_configure(f->t, &(tracker_policy){ .aliases = aliases });
	add(&p, honest(""));
	add(&p, ack("home@example.org", "A. Author <Ada@home.example>"));
	bring(f, &p, "01");
	g_autoptr(GPtrArray) found = list_all_open(f);

	assert_int_equal(only(found)->status, TRACKER_STATUS_ACKNOWLEDGED);
	assert_int_equal(role_in(f, "home@example.org"), TRACKER_ROLE_AUTHOR);
}

/* A list with the closed ones that wait for the operator. */
static GPtrArray *list_with_again(fixture *f)
{
	tracker_filter filter = { .again = true, .now = T0 };
	g_autoptr(GError) error = NULL;
	GPtrArray *found = tracker_list(f->t, &filter, &error);

	assert_done(found, error);
	return found;
}

static void a_report_of_anybody_only_suggests_that_it_is_there_again(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	tracker_act act = { .kind = TRACKER_ACT_SET,
			    .status = TRACKER_STATUS_FIXED,
			    .who = "operator",
			    .reason = "by the new version",
			    .now = 1683100000 }; /* 3 May 2023 */
	tracker_status status;

	add(&p, honest(""));
	add(&p,
	    report_mail((report_text){ .id = "again@evil.example",
				       .from = EVE,
				       .change = -9,
				       .date = "Mon, 08 May 2023 10:00:00 +0000" }));
	bring(f, &p, "0");
	g_autoptr(GPtrArray) open = list_all_open(f);

	act.id = only(open)->id;
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	bring(f, &p, "1");

	g_autoptr(GPtrArray) none = list_all_open(f);
	g_autoptr(GPtrArray) found = list_with_again(f);
	const tracker_summary *s = only(found);
	const tracker_suggestion *again = s->suggestions->pdata[0];
	g_autoptr(tracker_detail) d = tracker_show(f->t, s->id, &error);
	const tracker_event *last = d->events->pdata[d->events->len - 1];

	assert_int_equal(none->len, 0);
	assert_int_equal(s->status, TRACKER_STATUS_FIXED);
	assert_string_equal(s->owes, "operator");
	assert_string_equal(again->status, "reported");
	assert_string_equal(again->message_id, "again@evil.example");
	assert_string_equal(last->kind, "suggestion");
	assert_int_equal(last->suggested, TRACKER_STATUS_REPORTED);

	act.kind = TRACKER_ACT_CONFIRM;
	act.status = TRACKER_STATUS_NONE;
	act.now = 1900000000;
	assert_done(tracker_act_do(f->t, &act, &status, &error), error);
	assert_int_equal(status, TRACKER_STATUS_REPORTED);

	g_autoptr(GPtrArray) reopened = list_with_again(f);

	assert_int_equal(only(reopened)->suggestions->len, 0);
	assert_sound(f);
}

/* They owe the operator a decision, and so they stand before what waits for others. */
static void what_was_reported_again_stands_where_it_is_seen(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *id =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	tracker_act act = { .kind = TRACKER_ACT_SET,
			    .id = id,
			    .status = TRACKER_STATUS_FIXED,
			    .who = "operator",
			    .reason = "by the new version",
			    .now = 1683100000 }; /* 3 May 2023 */

	add(&p, honest(""));
	add(&p, report_mail((report_text){
			.id = "202305011100.0a1b2c3d-oli@tests.example.org",
			.commit = "1111111111222222222233333333334444444444",
			.change = -40 }));
	add(&p,
	    report_mail((report_text){ .id = "again@evil.example",
				       .from = EVE,
				       .change = -9,
				       .date = "Mon, 08 May 2023 10:00:00 +0000" }));
	bring(f, &p, "01");
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	bring(f, &p, "2");
	g_autoptr(GPtrArray) found = list_with_again(f);

	assert_int_equal(found->len, 2);
	assert_string_equal(((tracker_summary *)found->pdata[0])->id, id);

	/* The same when only what is known of one commit is asked for. */
	tracker_filter filter = { .again = true, .commit = "89abcdef01", .now = T0 };
	g_autoptr(GPtrArray) its = tracker_list(f->t, &filter, &error);

	assert_done(its, error);
	assert_string_equal(only(its)->id, id);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_report_that_is_dated_back_displaces_none),
		T(a_copy_that_was_held_back_changes_no_time),
		T(an_impact_table_of_anybody_takes_no_other_report_in),
		T(who_has_sent_some_report_is_no_robot_team_of_others),
		T(a_robots_shape_is_no_robot),
		T(a_name_alone_is_somebody_elses),
		T(a_report_of_anybody_only_suggests_that_it_is_there_again),
		T(what_was_reported_again_stands_where_it_is_seen),
		T(a_quote_makes_no_other_mail_the_report),
		T(what_a_person_says_from_another_known_address_is_his),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
