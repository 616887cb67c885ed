/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparer's rules for what is worth a row. */
#include <math.h>
#include <string.h>

#include "render/select.h"

#define RUNS_MIN      3u
#define RATIO_MAX     5.0
#define RATIO_SMALL   1.01 /* for metrics whose small changes matter */
#define RATIO_DEFAULT 1.05
#define PROFILE_LEVEL 5.0
#define TRIM_MOST     3u

static const char incomplete_key[] = "last_state.is_incomplete_run";

/* Two columns under comparison, with the runs that count in this pass. */
typedef struct pairing {
	const parser_lists *lists;
	const render_options *options;
	run_filter base, head;
	bool failures_only; /* the pass over incomplete runs */
	scratch padded[2], trimmed[2];
} pairing;

/* The trimmed samples of both sides, never empty. */
typedef struct sides {
	samples base, head;
} sides;

static double least(samples s)
{
	return s.values[0];
}

static double most(samples s)
{
	return s.values[s.n - 1];
}

static double median(samples s)
{
	return s.values[s.n / 2];
}

/* ---- kinds of metrics -------------------------------------------------------------
 */

/* Seen by the robot itself rather than told by a test. */
static bool is_observed_failure(const char *metric)
{
	return g_str_has_prefix(metric, "dmesg") || g_str_has_prefix(metric, "kmsg") ||
	       g_str_has_prefix(metric, "last_state") ||
	       g_str_has_prefix(metric, "stderr");
}

/* ".error", ".warn" or ".fail" with no '_' behind it. */
static bool has_failure_word(const char *metric)
{
	static const char *const words[] = { ".error", ".warn", ".fail" };
	const char *last_bar = strrchr(metric, '_');

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		const char *at = last_bar ? last_bar : metric;

		if (strstr(at, words[i]))
			return true;
	}
	return false;
}

bool metric_is_failure(const char *metric)
{
	if (strstr(metric, ".time.") || strstr(metric, ".timestamp:") ||
	    strstr(metric, ".bootstage:"))
		return false;
	return is_observed_failure(metric) ||
	       (*metric && strstr(metric + 1, "killed_by")) ||
	       has_failure_word(metric) || strstr(metric, "unreferenced_object") ||
	       (g_str_has_prefix(metric, "xfstests.") &&
		g_str_has_suffix(metric, "fail")) ||
	       g_str_has_suffix(metric, ".pass");
}

bool metric_is_of_test(const parser_lists *lists, const char *metric)
{
	const char *dot = strchr(metric, '.');
	char base[128];

	if (!dot || (size_t)(dot - metric) >= sizeof(base))
		return false;
	memcpy(base, metric, (size_t)(dot - metric));
	base[dot - metric] = '\0';
	return parser_lists_match(lists, "tests", base);
}

bool metric_is_kpi(const parser_lists *lists, const char *metric)
{
	return metric_is_of_test(lists, metric) && !strstr(metric, ".time.") &&
	       !parser_lists_match(lists, "kpi-deny", metric);
}

bool metric_is_points(const char *metric)
{
	return g_str_has_prefix(metric, "perf-profile") ||
	       g_str_has_suffix(metric, "%");
}

bool metric_absent_is_zero(const char *metric)
{
	return g_str_has_prefix(metric, "perf-profile.") ||
	       g_str_has_prefix(metric, "lock_stat.");
}

/* Metrics whose changes count from 1 % on. */
static bool is_fine(const parser_lists *lists, const char *metric)
{
	return g_str_has_prefix(metric, "time.") || strstr(metric, ".time.") ||
	       parser_lists_match(lists, "fine", metric) ||
	       metric_is_of_test(lists, metric);
}

/* ---- rules ------------------------------------------------------------------------
 */

static bool in_base(const pairing *p, const char *stem, size_t length,
		    const char *suffix)
{
	g_autofree char *key = g_strdup_printf("%.*s%s", (int)length, stem, suffix);

	return parser_column_find(p->base.column, key) != NULL;
}

/* What a test reports as failed is news only if base passed it, and the other way
 * round. */
static bool is_news(const pairing *p, const char *metric)
{
	static const char *const bad[] = { ".fail", ".error", ".warn" };
	size_t length = strlen(metric);

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		if (g_str_has_suffix(metric, bad[i]))
			return in_base(p, metric, length - strlen(bad[i]), ".pass");
	if (!g_str_has_suffix(metric, ".pass"))
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		if (in_base(p, metric, length - strlen(".pass"), bad[i]))
			return true;
	return false;
}

static bool is_denied(const pairing *p, const char *metric)
{
	return !p->options->more && parser_lists_match(p->lists, "deny", metric) &&
	       !parser_lists_match(p->lists, "allow", metric) &&
	       !parser_lists_match(p->lists, "report-allow", metric);
}

static bool base_has_any(const pairing *p, const char *prefix)
{
	const GArray *metrics = p->base.column->metrics;

	for (guint i = 0; i < metrics->len; i++)
		if (g_str_has_prefix(g_array_index(metrics, parser_metric, i).name,
				     prefix))
			return true;
	return false;
}

/* A metric that base has not: failures count, and what a profile did not see there. */
static bool may_be_new(const pairing *p, const char *metric)
{
	return metric_is_failure(metric) ||
	       (g_str_has_prefix(metric, "perf-profile.") &&
		base_has_any(p, "perf-profile.")) ||
	       (g_str_has_prefix(metric, "lock_stat.") &&
		base_has_any(p, "lock_stat."));
}

/*
 * "N": the largest value must reach N; when N is whole, the change must reach N / 2
 * too. "max>N" and "delta>N" ask for one of the two.
 */
static bool is_reasonable(const parser_lists *lists, const char *metric, double delta,
			  double max)
{
	const char *rule = parser_lists_value(lists, "thresholds", metric);
	double value;

	if (!rule)
		return true;
	if (g_str_has_prefix(rule, "max>"))
		return max > g_ascii_strtod(rule + 4, NULL);
	if (g_str_has_prefix(rule, "delta>"))
		return delta > g_ascii_strtod(rule + 6, NULL);
	value = g_ascii_strtod(rule, NULL);
	if (max < value)
		return false;
	return strchr(rule, '.') || delta >= floor(value / 2);
}

static bool medians_apart(const sides *s)
{
	return (least(s->base) > median(s->head) && median(s->base) > most(s->head)) ||
	       (least(s->head) > median(s->base) && median(s->head) > most(s->base));
}

/*
 * The comparer decides by level alone when the threshold and the head's median are both
 * integers or both floats; with the default threshold, that is when the head has an
 * integer 0, and with a given one, nearly always.
 */
static bool profile_changed_lkp(const pairing *p, const sides *s)
{
	bool whole = s->head.kinds[s->head.n / 2] != PARSER_SAMPLE_FLOAT;
	double level = p->options->has_profile_threshold ?
			       p->options->profile_threshold :
			       PROFILE_LEVEL;

	if (whole == !p->options->has_profile_threshold)
		return median(s->head) > level || median(s->base) > level;
	return medians_apart(s);
}

static bool profile_changed(const pairing *p, const sides *s)
{
	if (p->options->compat_lkp)
		return profile_changed_lkp(p, s);
	return medians_apart(s) &&
	       (!p->options->has_profile_threshold ||
		MAX(median(s->head), median(s->base)) > p->options->profile_threshold);
}

static render_reason judge_change(const pairing *p, const char *metric, const sides *s)
{
	double a = median(s->base), b = median(s->head);
	double small = MIN(a, b), large = MAX(a, b);
	double ratio = small <= 0 ? RATIO_MAX : MIN(large / small, RATIO_MAX);
	double wanted = p->options->ratio > 0 ? p->options->ratio : RATIO_DEFAULT;

	if (g_str_has_prefix(metric, "perf-profile."))
		return profile_changed(p, s) ? RENDER_SHOWN : RENDER_NO_CHANGE;
	if (metric_is_failure(metric))
		return most(s->head) != most(s->base) ? RENDER_SHOWN : RENDER_NO_CHANGE;
	if (!medians_apart(s))
		return RENDER_NO_CHANGE;
	if (!(ratio > RATIO_SMALL) || (!(ratio > wanted) && !is_fine(p->lists, metric)))
		return RENDER_BELOW_RATIO;
	if (!is_reasonable(p->lists, metric, fabs(a - b),
			   MAX(most(s->base), most(s->head))))
		return RENDER_UNREASONABLE;
	return RENDER_SHOWN;
}

/* Summaries have no samples to trim: their means stand for both median and range. */
static samples summary_samples(const parser_metric *metric, scratch *s)
{
	uint8_t kind = PARSER_SAMPLE_FLOAT;

	g_array_set_size(s->values, 0);
	g_array_set_size(s->kinds, 0);
	g_array_append_val(s->values, metric->mean);
	g_array_append_val(s->kinds, kind);
	return (samples){ (const double *)(void *)s->values->data,
			  (const uint8_t *)s->kinds->data, 1 };
}

/*
 * The comparer takes runs without the metric for zeros.  Otherwise that is only done
 * for a side that has not got it at all, so that what is gone is shown.
 */
static samples side_samples(pairing *p, int which, const parser_metric *metric,
			    unsigned trim)
{
	const run_filter *filter = which ? &p->head : &p->base;
	scratch *memory = &p->padded[which];
	samples s = { 0 };

	if (metric && metric->summary)
		return summary_samples(metric, &p->trimmed[which]);
	if (metric && !p->options->compat_lkp && !metric_is_failure(metric->name) &&
	    !metric_absent_is_zero(metric->name))
		s = samples_present(filter, metric, memory);
	if (!s.n)
		s = samples_padded(filter, metric, memory);
	return samples_trimmed(s, trim, &p->trimmed[which]);
}

static bool has_runs(const run_filter *filter, const parser_metric *metric)
{
	return filter->runs >= RUNS_MIN ||
	       (metric && metric->summary &&
		(metric->runs >= RUNS_MIN || !metric->runs));
}

static render_reason judge(pairing *p, const char *metric, const parser_metric *in_head)
{
	const parser_metric *in_base = parser_column_find(p->base.column, metric);
	bool failure = metric_is_failure(metric);
	unsigned trim = failure ? 0 : TRIM_MOST;
	sides s;

	if (is_denied(p, metric))
		return RENDER_DENIED;
	if (failure && !is_observed_failure(metric) && !is_news(p, metric))
		return RENDER_NO_PASS;
	if (!failure && !has_runs(&p->base, in_base) && !has_runs(&p->head, in_head))
		return RENDER_TOO_FEW_RUNS;
	if (!in_base && !may_be_new(p, metric))
		return RENDER_NEW_MONITOR;

	s.base = side_samples(p, 0, in_base, trim);
	if (s.base.n <= 3 && trim > 1)
		trim = 1;
	s.head = side_samples(p, 1, in_head, trim);
	if (!s.base.n || !s.head.n)
		return RENDER_NO_DATA;
	return judge_change(p, metric, &s);
}

/* ---- walking ----------------------------------------------------------------------
 */

typedef struct selection {
	GArray *shown;     /* candidate, in first-seen order */
	GHashTable *known; /* metric -> its best reason so far + 1 */
	const parser_lists *lists;
	const render_options *options;
} selection;

static void note(selection *s, const char *metric, render_reason reason)
{
	gpointer before = g_hash_table_lookup(s->known, metric);
	candidate c = { metric, RENDER_SHOWN, true };

	if (GPOINTER_TO_INT(before) == RENDER_SHOWN + 1)
		return;
	if (reason == RENDER_SHOWN && s->options->kpi &&
	    !metric_is_kpi(s->lists, metric))
		reason = RENDER_NOT_KPI;
	g_hash_table_insert(s->known, (gpointer)metric, GINT_TO_POINTER(reason + 1));
	if (reason == RENDER_SHOWN)
		g_array_append_val(s->shown, c);
}

static void walk_metric(selection *s, pairing *p, const char *metric,
			const parser_metric *in_head)
{
	if (p->failures_only && !g_str_has_prefix(metric, "dmesg.") &&
	    !g_str_has_prefix(metric, "last_state.") &&
	    !g_str_has_prefix(metric, "stderr."))
		return;
	if (s->options->keep_metric && g_strcmp0(s->options->metric, metric) == 0)
		note(s, metric, RENDER_SHOWN);
	else
		note(s, metric, judge(p, metric, in_head));
}

/* The head's metrics in their order, then those that only base has. */
static void walk_pair(selection *s, pairing *p)
{
	const GArray *in_head = p->head.column->metrics;
	const GArray *in_base = p->base.column->metrics;

	for (guint i = 0; i < in_head->len; i++) {
		const parser_metric *metric = &g_array_index(in_head, parser_metric, i);

		walk_metric(s, p, metric->name, metric);
	}
	for (guint i = 0; i < in_base->len; i++) {
		const char *name = g_array_index(in_base, parser_metric, i).name;

		if (!parser_column_find(p->head.column, name))
			walk_metric(s, p, name, NULL);
	}
}

void filter_complete(const parser_column *column, run_filter *filter, uint8_t **dropped)
{
	const parser_metric *bad = parser_column_find(column, incomplete_key);

	*filter = (run_filter){ .column = column, .runs = column->runs };
	*dropped = NULL;
	if (!bad || !bad->n)
		return;
	*dropped = g_new0(uint8_t, MAX(column->runs, 1));
	for (uint32_t i = 0; i < bad->n && i < column->runs; i++) {
		(*dropped)[i] = bad->values[i] != 0;
		filter->runs -= (*dropped)[i];
	}
	filter->dropped = *dropped;
}

static bool has_incomplete(const parser_column *column)
{
	return parser_column_find(column, incomplete_key) != NULL;
}

/*
 * Where a run did not end, what the robot itself saw of failures counts from all runs,
 * everything else from the complete ones.  The comparer drops base's incomplete runs
 * for good when it meets the first head, so that later heads are compared without them.
 */
static void walk_head(selection *s, const parser_column *base,
		      const parser_column *head, bool is_first)
{
	pairing p = { .lists = s->lists, .options = s->options };
	g_autofree uint8_t *dropped_base = NULL, *dropped_head = NULL;

	for (int i = 0; i < 2; i++) {
		scratch_init(&p.padded[i]);
		scratch_init(&p.trimmed[i]);
	}
	filter_complete(base, &p.base, &dropped_base);
	if (has_incomplete(base) || has_incomplete(head)) {
		run_filter complete = p.base;

		if (is_first || !s->options->compat_lkp)
			p.base = (run_filter){ .column = base, .runs = base->runs };
		p.head = (run_filter){ .column = head, .runs = head->runs };
		p.failures_only = true;
		walk_pair(s, &p);
		p.failures_only = false;
		p.base = complete;
	}
	filter_complete(head, &p.head, &dropped_head);
	walk_pair(s, &p);
	for (int i = 0; i < 2; i++) {
		scratch_clear(&p.padded[i]);
		scratch_clear(&p.trimmed[i]);
	}
}

/* --all: everything that any column has, base first. */
static void walk_all(selection *s, const parser_comparison *source)
{
	for (guint c = 0; c < source->columns->len; c++) {
		const parser_column *column = source->columns->pdata[c];

		for (guint i = 0; i < column->metrics->len; i++)
			note(s, g_array_index(column->metrics, parser_metric, i).name,
			     RENDER_SHOWN);
	}
}

GArray *select_metrics(const parser_comparison *source, const parser_lists *lists,
		       const render_options *options)
{
	selection s = { .lists = lists, .options = options };
	GHashTableIter iter;
	gpointer metric, reason;

	s.shown = g_array_new(FALSE, FALSE, sizeof(candidate));
	s.known = g_hash_table_new(g_str_hash, g_str_equal);
	if (options->all)
		walk_all(&s, source);
	else
		for (guint i = 1; i < source->columns->len; i++)
			walk_head(&s, source->columns->pdata[0],
				  source->columns->pdata[i], i == 1);

	g_hash_table_iter_init(&iter, s.known);
	while (g_hash_table_iter_next(&iter, &metric, &reason)) {
		candidate c = { metric, GPOINTER_TO_INT(reason) - 1, false };

		if (c.reason != RENDER_SHOWN)
			g_array_append_val(s.shown, c);
	}
	g_hash_table_unref(s.known);
	return s.shown;
}
