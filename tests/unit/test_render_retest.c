/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Re-tests of what fails more often: judged by how many of the runs do. */
#include <math.h>
#include <string.h>

#include "tests/unit/mail_facts.h"
#include "tests/unit/test.h"

#define COLUMNS 3

/* Fails and runs: of the base, of the culprit, with the proposed fix. */
typedef struct counts {
	int fails, runs;
} counts;

static json_t *golden(const char *name)
{
	g_autofree char *path = g_strdup_printf(TEST_GOLDEN "/mail/%s.json", name);
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);

	if (!root)
		fail_msg("%s: %s", path, error.text);
	return root;
}

/* The facts of a report on a failure, with a column for the fix. */
static mail_facts *retest(const counts all[COLUMNS])
{
	json_t *root = golden("failure");
	json_t *of_retest = golden("retest");
	json_t *comparison = json_object_get(root, "comparison");
	json_t *columns =
		json_object_get(json_object_get(of_retest, "comparison"), "columns");
	json_t *failures = json_object_get(comparison, "failures");
	json_t *list = json_object_get(json_array_get(failures, 0), "counts");
	const char *const keys[] = { "mail", "first_report", "regression" };
	g_autofree char *text = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		json_object_set(root, keys[i], json_object_get(of_retest, keys[i]));
	json_object_del(root, "still_failing");
	json_array_append(json_object_get(comparison, "columns"),
			  json_array_get(columns, 2));
	json_array_clear(json_object_get(comparison, "metrics"));
	while (json_array_size(failures) > 1)
		json_array_remove(failures, 1);
	json_array_clear(list);
	for (size_t i = 0; i < COLUMNS; i++)
		json_array_append_new(list,
				      json_pack("{s:i, s:i}", "fails", all[i].fails,
						"runs", all[i].runs));
	text = json_dumps(root, 0);
	json_decref(root);
	json_decref(of_retest);
	return mail_facts_read("retest of a failure", text);
}

static const struct {
	counts all[COLUMNS];
	parser_outcome outcome;
	double against_base, against_culprit;
	const char *words;
} cases[] = {
	{ { { 0, 20 }, { 15, 20 }, { 0, 20 } },
	  PARSER_OUTCOME_FIXED,
	  0,
	  -75,
	  "It fixes the failure" },
	/* It failed before the culprit too. */
	{ { { 1, 20 }, { 15, 20 }, { 2, 20 } },
	  PARSER_OUTCOME_FIXED,
	  5,
	  -65,
	  "It fixes the failure" },
	{ { { 0, 20 }, { 18, 20 }, { 8, 20 } },
	  PARSER_OUTCOME_PARTIAL,
	  40,
	  -50,
	  "It fixes part of the failure" },
	{ { { 0, 20 }, { 15, 20 }, { 15, 20 } },
	  PARSER_OUTCOME_NOT_FIXED,
	  75,
	  0,
	  "It does not fix the failure" },
	/* Fewer, but that may be luck: of six runs four failed, now two. */
	{ { { 0, 6 }, { 4, 6 }, { 2, 6 } },
	  PARSER_OUTCOME_NOT_FIXED,
	  100.0 / 3,
	  -100.0 / 3,
	  "It does not fix the failure" },
	{ { { 0, 20 }, { 8, 20 }, { 19, 20 } },
	  PARSER_OUTCOME_WORSE,
	  95,
	  55,
	  "It makes the failure worse" },
	/* Rates are compared, not counts: 15 of 20 and none of 200. */
	{ { { 0, 20 }, { 15, 20 }, { 0, 200 } },
	  PARSER_OUTCOME_FIXED,
	  0,
	  -75,
	  "It fixes the failure" },
};

static void a_fix_of_a_failure_is_judged_by_its_rates(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(mail_facts) f = retest(cases[i].all);
		g_autoptr(GError) error = NULL;
		g_autoptr(render_mail) mail =
			render_report(&f->facts, mail_facts_text, NULL, &error);
		bool helps = cases[i].outcome == PARSER_OUTCOME_FIXED ||
			     cases[i].outcome == PARSER_OUTCOME_PARTIAL;
		render_retest result;

		if (!mail)
			fail_msg("case %zu: %s", i, error->message);
		assert_true(render_retest_judge(f->facts.comparison, &result, NULL));
		assert_int_equal(result.outcome, cases[i].outcome);
		assert_int_equal(result.helps, helps);
		assert_true(fabs(result.against_base - cases[i].against_base) < 1e-9);
		assert_true(fabs(result.against_culprit - cases[i].against_culprit) <
			    1e-9);
		if (!strstr(mail->body, cases[i].words))
			fail_msg("case %zu: no '%s' in:\n%s", i, cases[i].words,
				 mail->body);
		assert_int_equal(strstr(mail->body, "\nTested-by: ") != NULL, helps);

		g_autofree char *change =
			g_strdup_printf("changes by %+.1f percentage points with it",
					cases[i].against_culprit);

		assert_non_null(strstr(mail->body, change));
	}
}

static void without_runs_nothing_is_judged(void **state)
{
	static const counts good[] = { { 0, 6 }, { 4, 6 }, { 0, 6 } };
	const char *const words =
		"dmesg.WARNING:at_mm/memcontrol.c:#mod_memcg_state: too few "
		"runs to judge the proposed fix";

	(void)state;
	/* Of the culprit, and of the fix. */
	for (size_t i = 1; i < COLUMNS; i++) {
		g_autoptr(mail_facts) f = retest(good);
		const render_comparison *c = f->facts.comparison;
		render_row *row = &g_array_index(c->fail_rows, render_row, 0);
		g_autoptr(GError) error = NULL;
		render_retest result;

		row->values[i].fails = row->values[i].runs = 0;
		assert_false(render_retest_judge(c, &result, &error));
		assert_true(g_error_matches(error, RENDER_ERROR, RENDER_ERROR_INPUT));
		assert_string_equal(error->message, words);
	}
}

static void a_fix_of_a_failure_needs_runs_to_be_sent(void **state)
{
	static const counts few[] = { { 0, 20 }, { 20, 20 }, { 0, 2 } };
	g_autoptr(mail_facts) f = retest(few);
	g_autoptr(GError) error = NULL;
	g_autoptr(render_mail) mail =
		render_report(&f->facts, mail_facts_text, NULL, &error);
	g_autoptr(GPtrArray) checks = NULL;

	(void)state;
	if (!mail)
		fail_msg("%s", error->message);
	checks = render_checks(&f->facts, mail);
	for (guint i = 0; i < checks->len; i++) {
		const render_check *check = checks->pdata[i];

		if (strcmp(check->name, "fix-runs") != 0)
			continue;
		assert_false(check->passed);
		assert_string_equal(check->reason,
				    "2 runs with the proposed fix; 3 are needed");
		return;
	}
	fail_msg("there is no check fix-runs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fix_of_a_failure_is_judged_by_its_rates),
		cmocka_unit_test(without_runs_nothing_is_judged),
		cmocka_unit_test(a_fix_of_a_failure_needs_runs_to_be_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
