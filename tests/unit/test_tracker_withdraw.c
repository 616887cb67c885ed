/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What takes a suggestion away before anybody decided about it. */
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_post.h"
#include "tests/unit/tracker_thread.h"

#define R1 "202305011000.0a1b2c3d-robot@tests.example.org"

#define MAINTAINER "Max Tainer <max@example.org>"
#define SAM        "Sam Body <sam@example.org>"
#define OTHER      "Olive Other <olive@example.org>"

static void say(post *p, const char *from, unsigned day, const char *body)
{
	g_autofree char *id = g_strdup_printf("day-%u@example.org", day);
	g_autofree char *date = g_strdup_printf("%02u May 2023 10:00:00 +0000", day);

	add(p, reply_mail((reply_text){ .id = id,
					.parent = R1,
					.from = from,
					.date = date,
					.body = body }));
}

static const char expected[] =
	"This regression is expected.  The patch trades some throughput for "
	"correctness.\n";
static const char fixed[] = "This is fixed by commit 1234567890ab already.\n";
static const char ack[] =
	"Thanks for the report, I can reproduce it here.  This is a real problem, I will "
	"look into it.\n";

/* What is suggested now, as "status/author status/author ...". */
static char *suggested(fixture *f)
{
	g_autoptr(GPtrArray) found = list_all_open(f);
	const tracker_summary *s = only(found);
	GString *all = g_string_new(NULL);

	for (guint i = 0; i < s->suggestions->len; i++) {
		const tracker_suggestion *one = s->suggestions->pdata[i];

		g_string_append_printf(all, "%s%s/%s", i ? " " : "", one->status,
				       one->author);
	}
	return g_string_free(all, FALSE);
}

/* Brings the report and these mails, and compares what is suggested then. */
static void assert_suggested(fixture *f, post *p, const char *order, const char *want)
{
	bring(f, p, order);
	g_autofree char *got = suggested(f);

	assert_string_equal(got, want);
}

static void who_is_in_charge_and_works_on_it_overrules_what_others_wanted(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, SAM, 2, expected);
	say(&p, OTHER, 3, fixed);
	say(&p, MAINTAINER, 4, ack);
	assert_suggested(f, &p, "012", "fixed/Olive Other expected/Sam Body");
	assert_suggested(f, &p, "3", "fixed/Olive Other");
}

static void who_is_not_in_charge_overrules_nobody(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, SAM, 2, expected);
	say(&p, OTHER, 3, ack);
	assert_suggested(f, &p, "012", "expected/Sam Body");
}

static void what_the_author_suggested_outlives_the_maintainers_work(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, NULL, 2, expected);
	say(&p, MAINTAINER, 3, ack);
	assert_suggested(f, &p, "012", "expected/Ada Author");
}

static void other_words_of_the_same_person_take_his_own_back_and_no_others(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, NULL, 2, expected);
	say(&p, MAINTAINER, 3, expected);
	say(&p, NULL, 4,
	    "I was wrong, this is a false positive: the benchmark was started twice.\n");
	assert_suggested(f, &p, "012", "expected/Ada Author expected/Max Tainer");
	assert_suggested(f, &p, "3", "invalid/Ada Author expected/Max Tainer");
}

static void a_failed_test_takes_back_that_it_is_fixed(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, OTHER, 2, fixed);
	say(&p, SAM, 3, expected);
	say(&p, MAINTAINER, 4,
	    "I tested the patch, but it does not fix the regression: the score is as low "
	    "as before.\n");
	assert_suggested(f, &p, "012", "expected/Sam Body fixed/Olive Other");
	assert_suggested(f, &p, "3", "expected/Sam Body");
}

static void a_command_of_who_may_not_command_takes_his_words_back(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, SAM, 2, expected);
	say(&p, SAM, 3, "#regtrail invalid: I looked again\n");
	assert_suggested(f, &p, "012", "invalid/Sam Body");
}

/* A mailmap tells that both addresses are his. */
static void a_command_from_another_address_takes_the_same_persons_words_back(
	void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GHashTable) aliases = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(aliases, (gpointer) "sam@home.example",
			    (gpointer) "sam@example.org");
	tracker_configure(f->t, &(tracker_policy){ .aliases = aliases });
	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, SAM, 2, expected);
	say(&p, OTHER, 3, expected);
	say(&p, "Sam <Sam@home.example>", 4, "#regtrail invalid: I looked again\n");
	assert_suggested(f, &p, "0123", "invalid/Sam expected/Olive Other");
}

/* The mails in any order end the same. */
static void a_withdrawal_that_comes_first_still_counts(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, SAM, 2, expected);
	say(&p, MAINTAINER, 4, ack);
	bring(f, &p, "2");
	bring(f, &p, "0");
	assert_suggested(f, &p, "1", "");
}

/* The newest line of its history. */
static void assert_newest(fixture *f, const char *id, const char *kind,
			  tracker_status status, int64_t at)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker_detail) d = tracker_show(f->t, id, &error);

	assert_done(d, error);
	const tracker_event *last = d->events->pdata[d->events->len - 1];

	assert_string_equal(last->kind, kind);
	assert_int_equal(last->status, status);
	assert_int_equal(last->at, at);
}

static void what_is_said_of_a_duplicate_keeps_its_date(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *first =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	g_autofree char *second =
		parser_regression_id("89abcdef01", "other", "other.score");
	tracker_act act = { .kind = TRACKER_ACT_DUP,
			    .id = first,
			    .other = second,
			    .who = "operator",
			    .now = T0 };

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	say(&p, "Ada Author <ada@example.org>", 2, ack);
	add(&p,
	    report_mail((report_text){ .id = "second-robot@tests.example.org",
				       .testcase = "other",
				       .metric = "other.score",
				       .change = -9,
				       .date = "Mon, 08 May 2023 10:00:00 +0000" }));
	bring(f, &p, "012");
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	assert_newest(f, first, "dup", TRACKER_STATUS_DUPLICATE, T0);
	assert_newest(f, second, "verdict", TRACKER_STATUS_ACKNOWLEDGED, 1683021600);

	/* It is one no longer since now, not since its report. */
	act.kind = TRACKER_ACT_UNDUP;
	act.now = T0 + 60;
	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
	assert_newest(f, first, "undup", TRACKER_STATUS_ACKNOWLEDGED, T0 + 60);
	assert_newest(f, second, "correction", TRACKER_STATUS_REPORTED, T0 + 60);
	assert_sound(f);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(who_is_in_charge_and_works_on_it_overrules_what_others_wanted),
		T(who_is_not_in_charge_overrules_nobody),
		T(what_the_author_suggested_outlives_the_maintainers_work),
		T(other_words_of_the_same_person_take_his_own_back_and_no_others),
		T(a_failed_test_takes_back_that_it_is_fixed),
		T(a_command_of_who_may_not_command_takes_his_words_back),
		T(a_command_from_another_address_takes_the_same_persons_words_back),
		T(a_withdrawal_that_comes_first_still_counts),
		T(what_is_said_of_a_duplicate_keeps_its_date),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
