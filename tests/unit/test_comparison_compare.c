/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selection, values, headline and the text of the default mode, over small comparisons.
 */
#include <glib.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "render/render.h"
#include "tests/unit/lists.h"
#include "tests/unit/test.h"

/* A comparison and what was made of it. */
typedef struct fixture {
	parser_lists *lists;
	parser_comparison *source;
	render_comparison *c;
	GString *text;
} fixture;

static void clear(fixture *f)
{
	render_comparison_free(f->c);
	parser_comparison_free(f->source);
	parser_lists_free(f->lists);
	if (f->text)
		g_string_free(f->text, TRUE);
	memset(f, 0, sizeof(*f));
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(fixture, clear)

/* metrics: the members of "metrics", for as many columns as commits. */
static void compare_columns(fixture *f, const char *columns, const char *metrics,
			    const render_options *options)
{
	g_autofree char *json =
		g_strdup_printf("{\"testcase\": \"hackbench\", \"columns\": "
				"[%s], \"metrics\": [%s]}",
				columns, metrics);
	GError *error = NULL;

	clear(f);
	f->lists = test_lists();
	f->source = parser_comparison_from_json(json, strlen(json), "test", &error);
	if (!f->source)
		fail_msg("%s", error->message);
	f->c = render_compare(f->source, f->lists, options, &error);
	if (!f->c)
		fail_msg("%s", error->message);
	f->text = g_string_new(NULL);
	render_comparison_text(f->c, f->text);
}

static void compare(fixture *f, const char *metrics, const render_options *options)
{
	compare_columns(f, "{\"commit\": \"aaaa\"}, {\"commit\": \"bbbb\"}", metrics,
			options);
}

static const render_options plain;

static const render_row *row_of(const fixture *f, const char *metric)
{
	const GArray *lists[] = { f->c->rows, f->c->fail_rows };

	for (size_t k = 0; k < 2; k++)
		for (guint i = 0; i < lists[k]->len; i++) {
			const render_row *row = &g_array_index(lists[k], render_row, i);

			if (strcmp(row->metric, metric) == 0)
				return row;
		}
	return NULL;
}

static void has(const fixture *f, const char *words)
{
	if (!strstr(f->text->str, words))
		fail_msg("no '%s' in:\n%s", words, f->text->str);
}

static void has_not(const fixture *f, const char *words)
{
	if (strstr(f->text->str, words))
		fail_msg("'%s' in:\n%s", words, f->text->str);
}

#define STEADY(name, base, head)                                                       \
	"{\"name\": \"" name "\", \"samples\": [[" base ", " base ", " base            \
	"], [" head ", " head ", " head "]]}"

/* ---- selection --------------------------------------------------------------------
 */

static void each_metric_that_is_not_shown_is_counted_by_its_reason(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f,
		STEADY("hackbench.throughput", "100.5", "90.5") "," STEADY(
			"vmstat.procs.r", "100.0",
			"103.0") "," STEADY("slabinfo.x.active_objs", "1000",
					    "2000") "," STEADY("iostat.sda.util", "1.5",
							       "3.5") "," STEADY("uptime.boot",
										 "77.0",
										 "77.0") ","
											 "{\"name\": \"turbostat.new\", \"samples\": [null, [1.0, 1.0, 1.0]]},"
											 "{\"name\": \"ltp.x.fail\", \"samples\": [[0, 0, 0], [1, 1, 1]]}",
		&plain);
	assert_int_equal(f.c->metrics, 7);
	assert_int_equal(f.c->counts[RENDER_SHOWN], 1);
	assert_int_equal(f.c->counts[RENDER_BELOW_RATIO], 1);
	assert_int_equal(f.c->counts[RENDER_DENIED], 1);
	assert_int_equal(f.c->counts[RENDER_UNREASONABLE], 1);
	assert_int_equal(f.c->counts[RENDER_NO_CHANGE], 1);
	assert_int_equal(f.c->counts[RENDER_NEW_MONITOR], 1);
	assert_int_equal(f.c->counts[RENDER_NO_PASS], 1);
	has(&f,
	    "Shown: 1 of 7 metrics; not shown: 1 denied, 1 not in base, 1 never passed in "
	    "base, 1 no change, 1 change too small, 1 value too small to matter\n");
}

static void too_few_runs_are_named_when_nothing_is_shown(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f,
		"{\"name\": \"hackbench.throughput\", \"samples\": [[100, 100], [50, 50]]}",
		&plain);
	assert_int_equal(f.c->rows->len, 0);
	has(&f,
	    "Shown: 0 of 1 metrics; not shown: 1 too few runs\n  (a metric needs 3 runs");
}

static void all_and_more_and_kpi_widen_and_narrow(void **state)
{
	static const char metrics[] =
		STEADY("hackbench.throughput", "100.5", "90.5") "," STEADY(
			"hackbench.time.user_time", "100.5",
			"190.5") "," STEADY("slabinfo.x.active_objs", "1000",
					    "2000") "," STEADY("uptime.boot", "77.0",
							       "77.0");
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, metrics, &(render_options){ .all = true });
	assert_int_equal(f.c->rows->len, 4);
	compare(&f, metrics, &(render_options){ .more = true });
	assert_int_equal(f.c->rows->len, 3);
	assert_non_null(row_of(&f, "slabinfo.x.active_objs"));
	compare(&f, metrics, &(render_options){ .kpi = true });
	assert_int_equal(f.c->rows->len, 1);
	assert_int_equal(f.c->counts[RENDER_NOT_KPI], 1);
}

static void the_ratio_can_be_that_of_older_tables(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, STEADY("uptime.idle", "100.0", "108.0"), &plain);
	assert_int_equal(f.c->rows->len, 1);
	compare(&f, STEADY("uptime.idle", "100.0", "108.0"),
		&(render_options){ .ratio = 1.1 });
	assert_int_equal(f.c->rows->len, 0);
}

static void the_test_s_own_metrics_come_first_or_by_count(void **state)
{
	static const char metrics[] =
		STEADY("uptime.idle", "100.0", "120.0") "," STEADY(
			"hackbench.throughput", "100.5",
			"90.5") "," STEADY("hackbench.worst", "100.5", "90.5");
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, metrics, &plain);
	assert_string_equal(g_array_index(f.c->rows, render_row, 0).metric,
			    "hackbench.throughput");
	compare(&f, metrics, &(render_options){ .by_count = true });
	assert_string_equal(g_array_index(f.c->rows, render_row, 0).metric,
			    "uptime.idle");
}

static void a_given_profile_threshold_is_a_least_level(void **state)
{
	static const char metrics[] =
		STEADY("perf-profile.self.cycles-pp.a", "1.5", "2.5") "," STEADY(
			"perf-profile.self.cycles-pp.b", "11.5",
			"12.5") "," STEADY("perf-profile.self.cycles-pp.c", "20.5",
					   "20.5");
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, metrics, &plain);
	assert_int_equal(f.c->rows->len, 2);
	compare(&f, metrics,
		&(render_options){ .has_profile_threshold = true,
				   .profile_threshold = 5 });
	assert_int_equal(f.c->rows->len, 1);
	assert_non_null(row_of(&f, "perf-profile.self.cycles-pp.b"));
}

/* ---- values -----------------------------------------------------------------------
 */

static void new_gone_and_zero_are_words_and_not_powers_of_ten(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f,
		"{\"name\": \"hackbench.a\", \"samples\": [null, [1.5, 2.5, 3.5]]},"
		"{\"name\": \"hackbench.b\", \"samples\": [[1.5, 2.5, 3.5], null]}," STEADY(
			"hackbench.c", "0.0",
			"7.0") "," STEADY("hackbench.d", "0.0",
					  "0.0") ","
						 "{\"name\": \"hackbench.e\", \"samples\": [[-1.0, 0.0, 1.0], [5.0, 5.0, 5.0]]}," STEADY(
							 "hackbench.f", "-10.0",
							 "-5.0"),
		&(render_options){ .all = true });
	assert_int_equal(row_of(&f, "hackbench.a")->values[1].change_kind,
			 RENDER_CHANGE_NEW);
	assert_int_equal(row_of(&f, "hackbench.b")->values[1].change_kind,
			 RENDER_CHANGE_GONE);
	assert_int_equal(row_of(&f, "hackbench.c")->values[1].change_kind,
			 RENDER_CHANGE_NEW);
	assert_int_equal(row_of(&f, "hackbench.e")->values[1].change_kind,
			 RENDER_CHANGE_NA);
	assert_true(row_of(&f, "hackbench.d")->values[1].change == 0);
	assert_true(row_of(&f, "hackbench.f")->values[1].change == 50);
	has(&f, "         -             new        2.50 ± 32%  hackbench.a\n");
	has(&f, "      2.50 ± 32%      gone           -        hackbench.b\n");
	has(&f, "      0.00            +0.0%       0.00        hackbench.d\n");
	has_not(&f, "e+10");
}

static void absent_runs_are_left_out_and_named(void **state)
{
	g_auto(fixture) f = { 0 };
	const render_value *value;

	(void)state;
	compare_columns(&f,
			"{\"commit\": \"aaaa\", \"runs\": 4}, {\"commit\": \"bbbb\"}",
			"{\"name\": \"hackbench.throughput\", \"samples\": "
			"[[100.0, null, 102.0, 101.0], [50.0, 51.0, 52.0, 53.0]]}",
			&plain);
	value = &row_of(&f, "hackbench.throughput")->values[0];
	assert_int_equal(value->n, 3);
	assert_true(value->mean == 101);
	has(&f, "[base: 3 of 4 runs]");
	compare_columns(&f,
			"{\"commit\": \"aaaa\", \"runs\": 4}, {\"commit\": \"bbbb\"}",
			"{\"name\": \"hackbench.throughput\", \"samples\": "
			"[[100.0, null, 102.0, 101.0], [50.0, 51.0, 52.0, 53.0]]}",
			&(render_options){ .compat_lkp = true, .all = true });
	assert_true(row_of(&f, "hackbench.throughput")->values[0].mean == 75.75);
}

static void the_reproduction_rate_is_that_of_its_own_column(void **state)
{
	static const char columns[] = "{\"commit\": \"aaaa\", \"runs\": 3}, "
				      "{\"commit\": \"bbbb\", \"runs\": 6}";
	static const char metrics[] = "{\"name\": \"dmesg.WARNING:at_x\", \"samples\": "
				      "[[0, 0, 0], [1, 1, 1, 1, 0, 0]]}";
	g_auto(fixture) f = { 0 };

	(void)state;
	compare_columns(&f, columns, metrics, &plain);
	has(&f, "           :3           67%           4:6     dmesg.WARNING:at_x\n");
	compare_columns(&f, columns, metrics, &(render_options){ .compat_lkp = true });
	has(&f, "           :3          133%           4:6     dmesg.WARNING:at_x\n");
}

static void incomplete_runs_count_for_failures_only(void **state)
{
	g_auto(fixture) f = { 0 };
	const render_value *value;

	(void)state;
	compare(&f,
		"{\"name\": \"hackbench.throughput\", \"samples\": "
		"[[100.0, 101.0, 102.0, 103.0], [50.0, 51.0, 52.0, 0]]},"
		"{\"name\": \"last_state.is_incomplete_run\", \"samples\": "
		"[[0, 0, 0, 0], [0, 0, 0, 1]]}",
		&plain);
	value = &row_of(&f, "hackbench.throughput")->values[1];
	assert_int_equal(value->n, 3);
	assert_true(value->mean == 51);
	assert_true(row_of(&f, "last_state.is_incomplete_run")->values[1].fails == 1);
}

static void many_columns_are_each_compared_with_the_first(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare_columns(
		&f,
		"{\"commit\": \"aaaa\"}, {\"commit\": \"bbbb\"}, {\"commit\": "
		"\"cccc\"}, {\"commit\": \"dddd\"}",
		"{\"name\": \"hackbench.throughput\", \"samples\": [[100.0, 100.0, "
		"100.0], [90.0, 90.0, 90.0], null, [110.0, 110.0, 110.0]]}",
		&plain);
	has(&f,
	    "    100.00           -10.0%      90.00            gone           -           "
	    "+10.0%     110.00        hackbench.throughput  [worse, ?, better]\n");
}

/* ---- headline ---------------------------------------------------------------------
 */

static const char certain[] =
	"{\"name\": \"hackbench.throughput\", \"samples\": [[100.0, 101.0, 102.0, 99.0], "
	"[90.0, 91.0, 92.0, 89.0]]},"
	"{\"name\": \"hackbench.strange\", \"samples\": [[100.0, 101.0, 102.0, 99.0], "
	"[10.0, 11.0, 12.0, 9.0]]},"
	"{\"name\": \"vmstat.system.cs\", \"samples\": [[1000.5, 1010.5, 1020.5, 990.5], "
	"[100.5, 110.5, 120.5, 90.5]]}";

static void the_headline_is_the_test_s_metric_of_known_sense(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, certain, &plain);
	assert_string_equal(f.c->headline.metric, "hackbench.throughput");
	assert_int_equal(f.c->headline.kind, PARSER_KIND_REGRESSION);
	assert_true(f.c->headline.significant);
	assert_string_equal(f.c->headline.test, "Welch t-test");
	assert_int_equal(f.c->headline.n_base, 4);
	has(&f, "Headline: hackbench.throughput -10.0%, 95% interval -12.");
	has(&f, "  regression: more is better\n");
}

static void an_asked_metric_is_the_headline(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, certain, &(render_options){ .metric = "vmstat.system.cs" });
	assert_string_equal(f.c->headline.metric, "vmstat.system.cs");
	assert_int_equal(f.c->headline.kind, PARSER_KIND_UNKNOWN);
	has(&f, "which way is better is not known");
}

static void what_is_asked_and_not_there_is_an_error(void **state)
{
	static const render_options cases[] = { { .metric = "hackbench.none" },
						{ .culprit = "ffff" },
						{ .culprit = "" },
						{ .culprit = "aaaa" } };
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, certain, &plain);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(render_compare(f.source, f.lists, &cases[i], &error));
		assert_true(g_error_matches(error, RENDER_ERROR, RENDER_ERROR_INPUT));
	}
}

static void a_change_within_the_noise_is_no_headline(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f,
		"{\"name\": \"hackbench.throughput\", \"samples\": [[100.0, 121.0, 82.0, 99.0], "
		"[95.0, 111.0, 72.0, 102.0]]}",
		&plain);
	assert_null(f.c->headline.metric);
	has(&f,
	    "Headline: none; no change is certain: the largest is hackbench.throughput "
	    "-5.5% (95% interval ");
	compare(&f,
		"{\"name\": \"hackbench.throughput\", \"samples\": [[100.0, 121.0, 82.0, 99.0], "
		"[95.0, 111.0, 72.0, 102.0]]}",
		&(render_options){ .metric = "hackbench.throughput" });
	assert_false(f.c->headline.significant);
	has(&f, "; ~ not significant\n");
}

static void one_run_a_side_gives_no_interval(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f,
		"{\"name\": \"hackbench.throughput\", \"samples\": [[100.0], [50.0]]}",
		&plain);
	assert_null(f.c->headline.metric);
	has(&f, "1 and 1 runs do not allow an interval");
}

static void two_clusters_of_samples_are_judged_by_ranks(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f,
		"{\"name\": \"hackbench.throughput\", \"samples\": "
		"[[100.0, 101.0, 100.5, 150.0, 151.0, 150.5], "
		"[50.0, 50.5, 51.0, 90.0, 91.0, 90.5]]}",
		&plain);
	assert_true(f.c->headline.bimodal);
	assert_string_equal(f.c->headline.test, "Mann-Whitney U test");
	has(&f, "the samples fall into two clusters");
}

static void summaries_have_intervals_too(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	/* the population deviations of the samples 99..102 and 89..92 */
	compare(&f,
		"{\"name\": \"hackbench.throughput\", \"summary\": "
		"[{\"mean\": 100.5, \"stddev\": 1.1180339887498949, \"n\": 4}, "
		"{\"mean\": 90.5, \"stddev\": 1.1180339887498949, \"n\": 4}]}",
		&plain);
	assert_true(f.c->headline.significant);
	{
		double low = f.c->headline.ci_low, high = f.c->headline.ci_high;

		compare(&f, certain, &plain);
		assert_true(fabs(low - f.c->headline.ci_low) < 1e-9);
		assert_true(fabs(high - f.c->headline.ci_high) < 1e-9);
	}
}

static void a_failure_can_be_the_headline(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f,
		"{\"name\": \"dmesg.BUG:x\", \"samples\": [[0, 0, 0, 0, 0, 0], "
		"[1, 1, 1, 1, 1, 0]]}",
		&(render_options){ .metric = "dmesg.BUG:x" });
	assert_int_equal(f.c->headline.kind, PARSER_KIND_FAILURE);
	assert_string_equal(f.c->headline.test, "Fisher exact test");
	assert_true(fabs(f.c->headline.p - 0.0151515151515151) < 1e-12);
	has(&f, "0 of 6 runs failed in base, 5 of 6 in head");
}

/* ---- odd input --------------------------------------------------------------------
 */

static void columns_without_a_common_metric_say_so(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f,
		"{\"name\": \"uptime.a\", \"samples\": [[1, 1, 1], null]},"
		"{\"name\": \"uptime.b\", \"samples\": [null, [1, 1, 1]]}",
		&plain);
	has(&f, "have no metric in common\n");
	has(&f, "Shown: 1 of 2 metrics; not shown: 1 not in base\n");
	has(&f, "gone");
}

static void numbers_that_overflow_stay_printable(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, STEADY("hackbench.throughput", "1e308", "1.5e308"),
		&(render_options){ .all = true });
	has(&f, "    1e+308           +50.0%   1.5e+308        hackbench.throughput");
	has_not(&f, "Inf");
	has_not(&f, "NaN");
}

static parser_comparison *from_matrices(const char *base, const char *head)
{
	const char *const texts[] = { base, head };
	g_autoptr(GPtrArray) columns =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);
	g_autoptr(GPtrArray) groups = NULL;
	parser_comparison *c;

	for (int i = 0; i < 2; i++) {
		g_autofree char *job = g_strdup_printf(
			"testcase: hackbench\ncommit: %s\n", i ? "bbbb" : "aaaa");
		const parser_blob blobs[] = { { "matrix.json", texts[i],
						strlen(texts[i]) },
					      { "job.yaml", job, strlen(job) } };

		g_ptr_array_add(columns,
				parser_column_from_root("root", blobs, 2, NULL, NULL));
	}
	groups = parser_comparisons_group(columns, NULL, NULL);
	c = groups->pdata[0];
	groups->pdata[0] = NULL;
	return c;
}

static void samples_that_are_no_numbers_do_not_count(void **state)
{
	static const render_options modes[] = { { .all = true },
						{ .all = true, .compat_lkp = true },
						{ .compat_lkp = true },
						{ 0 } };
	g_auto(fixture) f = { 0 };

	(void)state;
	f.lists = test_lists();
	f.source =
		from_matrices("{\"hackbench.x\": [NaN, 100.0, 102.0, 101.0, Infinity]}",
			      "{\"hackbench.x\": [50.0, NaN, -Infinity, 52.0, 51.0]}");
	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autofree char *json = NULL;

		render_comparison_free(f.c);
		f.c = render_compare(f.source, f.lists, &modes[i], NULL);
		json = render_comparison_json(f.c);
		assert_null(strstr(json, "nan"));
		if (modes[i].compat_lkp || !modes[i].all)
			continue;
		assert_true(row_of(&f, "hackbench.x")->values[0].mean == 101);
		assert_true(row_of(&f, "hackbench.x")->values[1].mean == 51);
		assert_int_equal(row_of(&f, "hackbench.x")->values[0].n, 3);
	}
}

static void control_characters_never_reach_the_text(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	f.lists = test_lists();
	f.source = from_matrices(
		"{\"hackbench.\\u001b[31mred\": [1, 1, 1], \"a\\u202eb\": "
		"[5, 5, 5], \"d\\u0007d\": [1], \"d\\u0007d\": [1]}",
		"{\"hackbench.\\u001b[31mred\": [2, 2, 2], \"a\\u202eb\": "
		"[7, 7, 7]}");
	for (int compat = 0; compat < 2; compat++) {
		const render_options options = { .all = true,
						 .compat_lkp = compat == 1 };
		g_autoptr(GString) text = g_string_new(NULL);

		render_comparison_free(f.c);
		f.c = render_compare(f.source, f.lists, &options, NULL);
		render_comparison_text(f.c, text);
		assert_null(strchr(text->str, '\x1b'));
		assert_null(strchr(text->str, '\x07'));
		assert_null(strstr(text->str, "\u202e"));
		assert_non_null(strstr(text->str, "hackbench.\ufffd[31mred"));
	}
}

static void compat_prints_nothing_when_there_is_no_row(void **state)
{
	g_auto(fixture) f = { 0 };

	(void)state;
	compare(&f, STEADY("uptime.boot", "7.0", "7.0"),
		&(render_options){ .compat_lkp = true });
	assert_string_equal(f.text->str, "");
}

static void axes_with_a_slash_are_cut_in_compat_mode_only(void **state)
{
	const char *json =
		"{\"axes\": {\"disk\": \"1/2\", \"testcase\": \"t\"}, \"columns\": "
		"[{\"commit\": \"a\"}, {\"commit\": \"b\"}], \"metrics\": [" STEADY(
			"t.x", "1", "3") "]}";
	g_auto(fixture) f = { 0 };

	(void)state;
	f.lists = test_lists();
	f.source = parser_comparison_from_json(json, strlen(json), "x", NULL);
	for (int compat = 0; compat < 2; compat++) {
		const render_options options = { .all = true,
						 .compat_lkp = compat == 1 };

		render_comparison_free(f.c);
		f.c = render_compare(f.source, f.lists, &options, NULL);
		if (f.text)
			g_string_free(f.text, TRUE);
		f.text = g_string_new(NULL);
		render_comparison_text(f.c, f.text);
		has(&f,
		    compat ? "disk/testcase:\n  1/t\n" : "disk/testcase:\n  1/2/t\n");
	}
}

/* ---- JSON -------------------------------------------------------------------------
 */

static void the_json_has_everything_that_was_computed(void **state)
{
	g_auto(fixture) f = { 0 };
	g_autofree char *text = NULL;
	json_t *root, *row, *value;

	(void)state;
	compare(&f, certain, &plain);
	text = render_comparison_json(f.c);
	assert_null(strchr(text, '\n'));
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "mode")),
			    "default");
	assert_int_equal(json_array_size(json_object_get(root, "columns")), 2);
	row = json_array_get(json_object_get(root, "rows"), 1);
	assert_string_equal(json_string_value(json_object_get(row, "metric")),
			    "hackbench.throughput");
	assert_string_equal(json_string_value(json_object_get(row, "sense")), "more");
	value = json_array_get(json_object_get(row, "values"), 1);
	assert_true(json_number_value(json_object_get(value, "mean")) == 90.5);
	assert_string_equal(json_string_value(json_object_get(value, "change_kind")),
			    "percent");
	value = json_object_get(root, "headline");
	assert_string_equal(json_string_value(json_object_get(value, "kind")),
			    "regression");
	assert_true(json_is_true(json_object_get(value, "significant")));
	value = json_object_get(root, "selection");
	assert_int_equal(json_integer_value(json_object_get(value, "shown")), 3);
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			each_metric_that_is_not_shown_is_counted_by_its_reason),
		cmocka_unit_test(too_few_runs_are_named_when_nothing_is_shown),
		cmocka_unit_test(all_and_more_and_kpi_widen_and_narrow),
		cmocka_unit_test(the_ratio_can_be_that_of_older_tables),
		cmocka_unit_test(the_test_s_own_metrics_come_first_or_by_count),
		cmocka_unit_test(a_given_profile_threshold_is_a_least_level),
		cmocka_unit_test(new_gone_and_zero_are_words_and_not_powers_of_ten),
		cmocka_unit_test(absent_runs_are_left_out_and_named),
		cmocka_unit_test(the_reproduction_rate_is_that_of_its_own_column),
		cmocka_unit_test(incomplete_runs_count_for_failures_only),
		cmocka_unit_test(many_columns_are_each_compared_with_the_first),
		cmocka_unit_test(the_headline_is_the_test_s_metric_of_known_sense),
		cmocka_unit_test(an_asked_metric_is_the_headline),
		cmocka_unit_test(what_is_asked_and_not_there_is_an_error),
		cmocka_unit_test(a_change_within_the_noise_is_no_headline),
		cmocka_unit_test(one_run_a_side_gives_no_interval),
		cmocka_unit_test(two_clusters_of_samples_are_judged_by_ranks),
		cmocka_unit_test(summaries_have_intervals_too),
		cmocka_unit_test(a_failure_can_be_the_headline),
		cmocka_unit_test(columns_without_a_common_metric_say_so),
		cmocka_unit_test(numbers_that_overflow_stay_printable),
		cmocka_unit_test(samples_that_are_no_numbers_do_not_count),
		cmocka_unit_test(control_characters_never_reach_the_text),
		cmocka_unit_test(compat_prints_nothing_when_there_is_no_row),
		cmocka_unit_test(axes_with_a_slash_are_cut_in_compat_mode_only),
		cmocka_unit_test(the_json_has_everything_that_was_computed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
