/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metric that a report is about: the test's own, of known sense, surely changed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/headline.h"
#include "render/render.h"
#include "render/select.h"

#define RANK_SHOWN_MAX 10u /* below this many samples the rank test is told as well */

static const char welch_name[] = "Welch t-test";
static const char rank_name[] = "Mann-Whitney U test";
static const char fisher_name[] = "Fisher exact test";

/* Both sides of a metric; samples sorted in own memory. */
typedef struct duel {
	const parser_column *base, *head;
	run_filter base_runs, head_runs;
	uint8_t *dropped_base, *dropped_head;
	scratch base_scratch, head_scratch;
	bool compat; /* signs as the comparer has them */
} duel;

static const parser_column *column_at(const render_comparison *c, size_t i)
{
	return c->source->columns->pdata[i];
}

static void duel_init(duel *d, const parser_column *base, const parser_column *head)
{
	*d = (duel){ .base = base, .head = head };
	filter_complete(base, &d->base_runs, &d->dropped_base);
	filter_complete(head, &d->head_runs, &d->dropped_head);
	scratch_init(&d->base_scratch);
	scratch_init(&d->head_scratch);
}

static void duel_clear(duel *d)
{
	g_free(d->dropped_base);
	g_free(d->dropped_head);
	scratch_clear(&d->base_scratch);
	scratch_clear(&d->head_scratch);
}

/* What is known of one side; false if the metric is not there. */
static bool side_read(const run_filter *runs, const char *name, scratch *s, side *out)
{
	const parser_metric *metric = parser_column_find(runs->column, name);
	samples present;
	double deviation;

	*out = (side){ 0 };
	if (!metric)
		return false;
	if (metric->summary) {
		out->printed = metric->has_change;
		out->change = metric->change;
		out->n = metric->runs;
		out->mean = metric->mean;
		out->variance =
			metric->stddev < 0 || out->n < 2 ?
				NAN :
				metric->stddev * metric->stddev * out->n / (out->n - 1);
		return true;
	}
	present = samples_present(runs, metric, s);
	if (!present.n)
		return false;
	out->n = present.n;
	out->mean = samples_mean(present);
	deviation = samples_stddev(present, out->mean);
	out->variance =
		out->n < 2 ? NAN : deviation * deviation * out->n / (out->n - 1);
	samples_sort((double *)(void *)s->values->data, present.n);
	out->values = (const double *)(void *)s->values->data;
	return true;
}

/* Means alone cannot tell two clusters from a spread. */
static bool is_bimodal(const side *s)
{
	return s->values && samples_bimodal(s->values, s->n);
}

static void test_sides(render_headline *h, const side *base, const side *head)
{
	bool no_spread = !(base->variance + head->variance > 0);
	double least = test_mann_whitney_least(base->n, head->n);

	h->p_rank = test_mann_whitney(base, head);
	h->bimodal = is_bimodal(base) || is_bimodal(head);
	if (base->n < 2 || head->n < 2 || isnan(base->variance + head->variance))
		return;
	if (no_spread && base->values && head->values) {
		h->test = rank_name;
		h->p = h->p_rank;
		h->ci_low = h->ci_high = h->change_percent;
	} else if (h->bimodal && least < 0.05 && isfinite(h->p_rank)) {
		h->test = rank_name;
		h->p = h->p_rank;
		interval_rank(base, head, &h->ci_low, &h->ci_high);
	} else {
		h->test = welch_name;
		h->p = test_welch(base, head);
		interval_welch(base, head, &h->ci_low, &h->ci_high);
	}
	h->significant = h->ci_low > 0 || h->ci_high < 0;
}

int direction_of(double base, double head)
{
	return (head > base) - (head < base);
}

double printed_change(double printed, double base, double head, bool compat)
{
	int direction = direction_of(base, head);

	if (base >= 0 || direction == 0)
		return printed;
	return (direction > 0) == compat ? -fabs(printed) : fabs(printed);
}

/* The comparer divides by the base as it is, so below zero all signs are reversed. */
static void reverse_signs(render_headline *h)
{
	double low = h->ci_low;

	h->change_percent = -h->change_percent;
	h->ci_low = -h->ci_high;
	h->ci_high = -low;
}

static parser_kind kind_of(parser_sense sense, int direction)
{
	if (sense == PARSER_SENSE_UNKNOWN || direction == 0)
		return PARSER_KIND_UNKNOWN;
	return (direction > 0) == (sense == PARSER_SENSE_MORE) ?
		       PARSER_KIND_IMPROVEMENT :
		       PARSER_KIND_REGRESSION;
}

/* Computes all but `why` for a performance metric; false if there is no change to
 * state. */
static bool measure(duel *d, const char *metric, parser_sense sense, render_headline *h)
{
	side base, head;

	h->metric = metric;
	h->ci_low = h->ci_high = h->p = h->p_rank = NAN;
	if (!side_read(&d->base_runs, metric, &d->base_scratch, &base) ||
	    !side_read(&d->head_runs, metric, &d->head_scratch, &head) ||
	    base.mean == 0)
		return false;
	h->n_base = base.n;
	h->n_head = head.n;
	h->change_percent = 100 * ((head.mean - base.mean) / fabs(base.mean));
	if (head.printed && !metric_is_points(metric))
		h->change_percent =
			printed_change(head.change, base.mean, head.mean, false);
	if (!isfinite(h->change_percent))
		return false;
	h->direction = direction_of(0, h->change_percent);
	test_sides(h, &base, &head);
	if (d->compat && base.mean < 0)
		reverse_signs(h);
	h->kind = kind_of(sense, h->direction);
	return true;
}

static double fails_of(const parser_column *column, const parser_metric *metric,
		       double *runs)
{
	double fails = 0;

	*runs = metric && metric->summary ? metric->runs : column->runs;
	if (metric && metric->summary)
		return round(metric->mean * metric->runs);
	for (uint32_t i = 0; metric && i < metric->n; i++)
		if (metric->kinds[i] != PARSER_SAMPLE_ABSENT &&
		    isfinite(metric->values[i]))
			fails += metric->values[i];
	return fails;
}

static void measure_failure(const duel *d, const char *metric, render_headline *h)
{
	double runs_base, runs_head;
	double fails_base =
		fails_of(d->base, parser_column_find(d->base, metric), &runs_base);
	double fails_head =
		fails_of(d->head, parser_column_find(d->head, metric), &runs_head);

	h->metric = metric;
	h->kind = PARSER_KIND_FAILURE;
	h->ci_low = h->ci_high = h->p_rank = NAN;
	h->test = fisher_name;
	h->p = test_fisher(fails_base, runs_base, fails_head, runs_head);
	h->n_base = (uint32_t)runs_base;
	h->n_head = (uint32_t)runs_head;
	if (runs_base > 0 && runs_head > 0)
		h->change_percent =
			100 * (fails_head / runs_head - fails_base / runs_base);
	h->direction = direction_of(0, h->change_percent);
	h->significant = h->p < 0.05;
	h->why = g_strdup_printf(
		"asked for; %.0f of %.0f runs failed in base, %.0f of %.0f "
		"in head",
		fails_base, runs_base, fails_head, runs_head);
}

/* ---- choosing ---------------------------------------------------------------------
 */

static bool is_own(const render_comparison *c, const parser_lists *lists,
		   const char *metric)
{
	size_t n = c->source->testcase ? strlen(c->source->testcase) : 0;

	if (metric_is_failure(metric) || strstr(metric, ".time.") ||
	    parser_lists_match(lists, "headline-deny", metric))
		return false;
	return metric_is_kpi(lists, metric) ||
	       (n && strncmp(metric, c->source->testcase, n) == 0 && metric[n] == '.');
}

typedef struct choice {
	render_headline best, largest; /* metric NULL if none */
	size_t own, known;             /* own metrics; of those, with known sense */
} choice;

static void consider(choice *found, duel *d, const char *metric, parser_sense sense)
{
	render_headline h = { 0 };

	found->own++;
	if (sense == PARSER_SENSE_UNKNOWN)
		return;
	found->known++;
	if (!measure(d, metric, sense, &h))
		return;
	if (!found->largest.metric ||
	    fabs(h.change_percent) > fabs(found->largest.change_percent))
		found->largest = h;
	if (h.significant &&
	    (!found->best.metric ||
	     fabs(h.change_percent) > fabs(found->best.change_percent)))
		found->best = h;
}

static char *why_none(const choice *found)
{
	const render_headline *h = &found->largest;

	if (!found->own)
		return g_strdup("no metric of the test itself is there");
	if (!found->known)
		return g_strdup_printf(
			"of %zu metrics of the test itself none has a known "
			"sense (more or less is better)",
			found->own);
	if (!h->metric)
		return g_strdup_printf(
			"none of %zu metrics of the test itself can be compared",
			found->known);
	if (isnan(h->ci_low) && h->n_base > 1 && h->n_head > 1)
		return g_strdup_printf(
			"%s changed by %+.1f%%, but how far the runs spread "
			"is not known",
			h->metric, h->change_percent);
	if (isnan(h->ci_low))
		return g_strdup_printf(
			"%s changed by %+.1f%%, but %u and %u runs do not allow "
			"an interval",
			h->metric, h->change_percent, h->n_base, h->n_head);
	return g_strdup_printf("no change is certain: the largest is %s %+.1f%% "
			       "(95%% interval %+.1f%% to %+.1f%%, p = %.2g)",
			       h->metric, h->change_percent, h->ci_low, h->ci_high,
			       h->p);
}

static void choose(render_comparison *c, const parser_lists *lists, duel *d)
{
	choice found = { 0 };
	size_t column = c->headline.column;

	for (guint i = 0; i < d->base->metrics->len; i++) {
		const char *metric =
			g_array_index(d->base->metrics, parser_metric, i).name;

		if (is_own(c, lists, metric))
			consider(&found, d, metric, parser_lists_sense(lists, metric));
	}
	c->headline = found.best;
	c->headline.column = column;
	c->headline.why =
		found.best.metric ?
			g_strdup_printf(
				"the largest certain change of %zu metrics of the "
				"test itself with known sense",
				found.known) :
			why_none(&found);
}

static bool use_asked(render_comparison *c, const parser_lists *lists, duel *d,
		      GError **error)
{
	const char *asked = c->options.metric;
	const parser_metric *metric = parser_column_find(d->base, asked);
	size_t column = c->headline.column;

	if (!metric)
		metric = parser_column_find(d->head, asked);
	if (!metric) {
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
			    "metric '%s' is neither in %s nor in %s", asked,
			    d->base->origin, d->head->origin);
		return false;
	}
	if (metric_is_failure(metric->name)) {
		measure_failure(d, metric->name, &c->headline);
	} else if (measure(d, metric->name, parser_lists_sense(lists, asked),
			   &c->headline)) {
		c->headline.why = g_strdup("asked for");
	} else {
		c->headline = (render_headline){ 0 };
		c->headline.why =
			g_strdup_printf("%s cannot be compared: it is absent or "
					"zero on one side",
					asked);
	}
	c->headline.column = column;
	return true;
}

static bool is_culprit(const parser_column *column, const char *asked)
{
	return (column->commit->id && g_str_has_prefix(column->commit->id, asked)) ||
	       g_strcmp0(column->label, asked) == 0;
}

static bool find_culprit(render_comparison *c, GError **error)
{
	const char *asked = c->options.culprit;

	c->headline.column = 1;
	if (!asked)
		return true;
	for (size_t i = 1; *asked && i < c->source->columns->len; i++)
		if (is_culprit(column_at(c, i), asked)) {
			c->headline.column = i;
			return true;
		}
	g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
		    "culprit '%s' is none of the compared heads", asked);
	return false;
}

bool headline_find(render_comparison *c, const parser_lists *lists, GError **error)
{
	bool good = true;
	duel d;

	if (!find_culprit(c, error))
		return false;
	duel_init(&d, column_at(c, 0), column_at(c, c->headline.column));
	d.compat = c->options.compat_lkp;
	if (c->options.metric)
		good = use_asked(c, lists, &d, error);
	else
		choose(c, lists, &d);
	duel_clear(&d);
	return good;
}
