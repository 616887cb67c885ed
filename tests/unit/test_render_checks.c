/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "tests/unit/mail_facts.h"
#include "tests/unit/test.h"

/* A report of golden facts, whose numbers a test may change before it asks. */
typedef struct fixture {
	mail_facts *f;
	render_mail *mail;
	render_comparison *c;
	render_row *row; /* of the headline */
} fixture;

static fixture *open_golden(const char *name)
{
	fixture *t = g_new0(fixture, 1);
	g_autofree char *path = g_strdup_printf(TEST_GOLDEN "/mail/%s.json", name);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	if (!g_file_get_contents(path, &text, NULL, &error))
		fail_msg("%s", error->message);
	t->f = mail_facts_read(path, text);
	t->mail = render_report(&t->f->facts, mail_facts_text, NULL, &error);
	if (!t->mail)
		fail_msg("%s", error->message);
	t->c = g_ptr_array_index(t->f->comparisons, 0);
	for (guint i = 0; i < t->c->rows->len + t->c->fail_rows->len; i++) {
		render_row *row = i < t->c->rows->len ?
					  &g_array_index(t->c->rows, render_row, i) :
					  &g_array_index(t->c->fail_rows, render_row,
							 i - t->c->rows->len);

		if (strcmp(row->metric, t->c->headline.metric) == 0)
			t->row = row;
	}
	return t;
}

static void fixture_free(fixture *t)
{
	mail_facts_free(t->f);
	render_mail_free(t->mail);
	g_free(t);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(fixture, fixture_free)

static void assert_check(const fixture *t, const char *name, bool passed,
			 const char *reason)
{
	g_autoptr(GPtrArray) checks = render_checks(&t->f->facts, t->mail);

	for (guint i = 0; i < checks->len; i++) {
		const render_check *check = g_ptr_array_index(checks, i);

		if (strcmp(check->name, name) != 0)
			continue;
		assert_string_equal(check->reason, reason);
		assert_int_equal(check->passed, passed);
		return;
	}
	fail_msg("there is no check %s", name);
}

static void assert_no_check(const fixture *t, const char *name)
{
	g_autoptr(GPtrArray) checks = render_checks(&t->f->facts, t->mail);

	for (guint i = 0; i < checks->len; i++) {
		const render_check *check = g_ptr_array_index(checks, i);

		assert_string_not_equal(check->name, name);
	}
}

static void good_mails_pass_every_check(void **state)
{
	static const char *const names[] = { "regression", "improvement", "failure",
					     "patch",      "machines",    "followup",
					     "retest",     "brief",       "robot-2017",
					     "retraction" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(fixture) t = open_golden(names[i]);
		g_autoptr(GPtrArray) checks = render_checks(&t->f->facts, t->mail);

		for (guint k = 0; k < checks->len; k++) {
			const render_check *one = g_ptr_array_index(checks, k);

			if (one->blocks && !one->passed)
				fail_msg("%s: %s: %s", names[i], one->name,
					 one->reason);
		}
		assert_true(checks->len > 0 || strcmp(names[i], "retraction") == 0);
	}
}

static void a_regression_must_go_the_bad_way(void **state)
{
	g_autoptr(fixture) t = open_golden("regression");

	(void)state;
	assert_check(t, "direction", true,
		     "more of stress-ng.fallocate.ops_per_sec is better, it fell "
		     "(-40.3%), the mail says regression");
	t->f->facts.kind = PARSER_KIND_IMPROVEMENT;
	assert_check(t, "direction", false,
		     "more of stress-ng.fallocate.ops_per_sec is better, it fell "
		     "(-40.3%), the mail says improvement");
	t->f->facts.kind = PARSER_KIND_UNKNOWN;
	t->row->sense = PARSER_SENSE_LESS;
	assert_check(t, "direction", false,
		     "less of stress-ng.fallocate.ops_per_sec is better, it fell "
		     "(-40.3%), the mail says regression");
}

static void an_unknown_sense_passes_with_a_kind_only(void **state)
{
	g_autoptr(fixture) t = open_golden("regression");

	(void)state;
	t->row->sense = PARSER_SENSE_UNKNOWN;
	assert_check(
		t, "direction", false,
		"whether more stress-ng.fallocate.ops_per_sec is better is not known; "
		"the kind must be given");
	t->f->facts.kind = PARSER_KIND_REGRESSION;
	assert_check(
		t, "direction", true,
		"whether more stress-ng.fallocate.ops_per_sec is better is not known; "
		"the kind was given");
}

static void a_failure_must_fail_more_often(void **state)
{
	g_autoptr(fixture) t = open_golden("failure");

	(void)state;
	assert_no_check(t, "interval");
	assert_no_check(t, "subject-row");
	t->row->values[0].fails = 4;
	assert_check(
		t, "direction", false,
		"dmesg.WARNING:at_mm/memcontrol.c:#mod_memcg_state fails 4 of 6 times, "
		"before 4 of 6; the mail says failure");
}

static void three_runs_a_side_are_needed(void **state)
{
	g_autoptr(fixture) t = open_golden("regression");
	g_autoptr(fixture) failing = open_golden("failure");

	(void)state;
	t->c->headline.n_head = 3;
	assert_check(t, "runs", true, "6 runs before and 3 after; 3 a side are needed");
	t->c->headline.n_head = 2;
	assert_check(t, "runs", false,
		     "6 runs before and 2 after; 3 a side are needed");
	failing->row->values[0].runs = 2;
	assert_check(failing, "runs", false,
		     "2 runs before and 6 after; 3 a side are needed");
}

static void the_interval_must_exclude_zero(void **state)
{
	g_autoptr(fixture) t = open_golden("regression");

	(void)state;
	assert_check(
		t, "interval", true,
		"the 95% interval of the change of stress-ng.fallocate.ops_per_sec, "
		"-40.9% to -39.7%, excludes 0 (p = 2.4e-17)");
	t->c->headline.significant = false;
	t->c->headline.ci_high = 1;
	t->c->headline.p = 0.2;
	assert_check(
		t, "interval", false,
		"the 95% interval of the change of stress-ng.fallocate.ops_per_sec, "
		"-40.9% to +1.0%, does not exclude 0 (p = 0.2)");
}

static void the_evidence_must_be_in_the_mail(void **state)
{
	g_autoptr(fixture) t = open_golden("regression");

	(void)state;
	assert_check(
		t, "evidence", true,
		"the table has 4 rows, that of stress-ng.fallocate.ops_per_sec among "
		"them");
	g_free(t->mail->body);
	t->mail->body = g_strdup("nothing\n");
	assert_check(t, "evidence", false,
		     "the table has 4 rows, that of stress-ng.fallocate.ops_per_sec is "
		     "missing");
}

static void the_brief_mails_evidence_is_attached(void **state)
{
	g_autoptr(fixture) t = open_golden("brief");

	(void)state;
	g_ptr_array_set_size(t->mail->attachments, 0);
	assert_check(t, "evidence", false,
		     "the table has 4 rows, that of stress-ng.fallocate.ops_per_sec is "
		     "missing");
}

static void the_subjects_percent_is_the_rows(void **state)
{
	g_autoptr(fixture) t = open_golden("regression");

	(void)state;
	assert_check(
		t, "subject-row", true,
		"the mail states -40.3%, the row of stress-ng.fallocate.ops_per_sec "
		"-40.3%");
	t->row->values[1].change = -41.2;
	assert_check(
		t, "subject-row", false,
		"the mail states -40.3%, the row of stress-ng.fallocate.ops_per_sec "
		"-41.2%");
	g_free(t->mail->subject);
	t->mail->subject = g_strdup("[a:b]  x:  m -41.2% regression");
	/* Subject and row of the facts agree, the row as printed does not. */
	assert_check(
		t, "subject-row", false,
		"the mail states -41.2%, the row of stress-ng.fallocate.ops_per_sec "
		"-41.2%");
}

static void a_small_change_alone_is_noted_but_does_not_stop(void **state)
{
	g_autoptr(fixture) t = open_golden("regression");
	g_autoptr(GPtrArray) checks = NULL;

	(void)state;
	assert_check(t, "severity", true, "40.3% in one test alone");
	t->c->headline.change_percent = -4.5;
	assert_check(
		t, "severity", false,
		"4.5% in one test alone: the kernel's documentation asks for more than "
		"5% of a micro-benchmark");
	checks = render_checks(&t->f->facts, t->mail);
	for (guint i = 0; i < checks->len; i++) {
		const render_check *check = g_ptr_array_index(checks, i);

		assert_int_equal(check->blocks, strcmp(check->name, "severity") != 0);
	}
}

static void a_fix_needs_runs_of_its_own(void **state)
{
	g_autoptr(fixture) t = open_golden("retest");

	(void)state;
	assert_check(t, "fix-runs", true, "6 runs with the proposed fix; 3 are needed");
	t->row->values[2].n = 2;
	assert_check(t, "fix-runs", false,
		     "2 runs with the proposed fix; 3 are needed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_mails_pass_every_check),
		cmocka_unit_test(a_regression_must_go_the_bad_way),
		cmocka_unit_test(an_unknown_sense_passes_with_a_kind_only),
		cmocka_unit_test(a_failure_must_fail_more_often),
		cmocka_unit_test(three_runs_a_side_are_needed),
		cmocka_unit_test(the_interval_must_exclude_zero),
		cmocka_unit_test(the_evidence_must_be_in_the_mail),
		cmocka_unit_test(the_brief_mails_evidence_is_attached),
		cmocka_unit_test(the_subjects_percent_is_the_rows),
		cmocka_unit_test(a_small_change_alone_is_noted_but_does_not_stop),
		cmocka_unit_test(a_fix_needs_runs_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
