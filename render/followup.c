/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a re-test says about a proposed fix: the last column against the others. */
#include <math.h>

#include "render/report.h"
#include "render/samples.h"

#define ALPHA 0.05

static bool side_of(const render_value *v, side *out)
{
	if (!v->present || v->n < 2 || !(v->stddev >= 0) || !isfinite(v->mean))
		return false;
	*out = (side){ .mean = v->mean,
		       .variance = v->stddev * v->stddev * v->n / (v->n - 1),
		       .n = v->n };
	return true;
}

/* -1, 0 or 1: the sure direction of the change from a to b. */
static int sure_change(const side *a, const side *b)
{
	double low = NAN;
	double high = NAN;
	int direction = (b->mean > a->mean) - (b->mean < a->mean);

	if (!(a->variance + b->variance > 0))
		return direction;
	interval_welch(a, b, &low, &high);
	return low > 0 || high < 0 ? direction : 0;
}

/* As the table has it: in compat mode by the base as it is, negative or not. */
static double percent(double from, double to, bool compat)
{
	if (from == 0)
		return 0;
	return 100 * (to - from) / (compat ? from : fabs(from));
}

/* Which way is bad, what the fix does to the culprit, where it ends against the base.
 */
static void conclude(int bad, int moved, int left, render_retest *result)
{
	if (moved == -bad)
		result->outcome =
			left == bad ? PARSER_OUTCOME_PARTIAL : PARSER_OUTCOME_FIXED;
	else
		result->outcome =
			moved == bad ? PARSER_OUTCOME_WORSE : PARSER_OUTCOME_NOT_FIXED;
	result->helps = result->outcome == PARSER_OUTCOME_FIXED ||
			result->outcome == PARSER_OUTCOME_PARTIAL;
}

static bool judge_values(const render_comparison *c, const render_row *row,
			 render_retest *result, GError **error)
{
	bool compat = c->options.compat_lkp;
	side base, bad, fixed;

	if (!side_of(&row->values[0], &base) ||
	    !side_of(&row->values[c->headline.column], &bad) ||
	    !side_of(&row->values[c->source->columns->len - 1], &fixed))
		return report_refuse(error,
				     "%s: too few runs to judge the proposed fix",
				     row->metric);
	result->against_base = percent(base.mean, fixed.mean, compat);
	result->against_culprit = percent(bad.mean, fixed.mean, compat);
	conclude(bad.mean > base.mean ? 1 : -1, sure_change(&bad, &fixed),
		 sure_change(&base, &fixed), result);
	return true;
}

static double rate(const render_value *v)
{
	return v->runs > 0 ? v->fails / v->runs : 0;
}

static int sure_failures(const render_value *a, const render_value *b)
{
	if (test_fisher(a->fails, a->runs, b->fails, b->runs) >= ALPHA)
		return 0;
	return (rate(b) > rate(a)) - (rate(b) < rate(a));
}

static bool judge_failures(const render_comparison *c, const render_row *row,
			   render_retest *result, GError **error)
{
	const render_value *base = &row->values[0];
	const render_value *bad = &row->values[c->headline.column];
	const render_value *fixed = &row->values[c->source->columns->len - 1];

	if (fixed->runs < 1 || bad->runs < 1)
		return report_refuse(error,
				     "%s: too few runs to judge the proposed fix",
				     row->metric);
	result->against_base = 100 * (rate(fixed) - rate(base));
	result->against_culprit = 100 * (rate(fixed) - rate(bad));
	conclude(1, sure_failures(bad, fixed), sure_failures(base, fixed), result);
	return true;
}

bool render_retest_judge(const render_comparison *comparison, render_retest *result,
			 GError **error)
{
	size_t columns = comparison->source->columns->len;
	const char *metric = comparison->headline.metric;
	const render_row *row = metric ? report_row(comparison, metric) : NULL;

	*result = (render_retest){ 0 };
	if (columns < 3 || comparison->headline.column == columns - 1)
		return report_refuse(
			error, "a re-test needs a third column, the proposed fix");
	if (!row)
		return report_refuse(error, "metric %s is not in the table",
				     metric ? metric : "");
	return row->failure ? judge_failures(comparison, row, result, error) :
			      judge_values(comparison, row, result, error);
}

bool render_still_changed(const render_comparison *comparison, size_t column)
{
	const render_headline *h = &comparison->headline;
	const render_row *row = h->metric ? report_row(comparison, h->metric) : NULL;
	side base, there;

	if (!row || column >= comparison->source->columns->len)
		return false;
	if (row->failure)
		return row->values[column].fails > 0 &&
		       rate(&row->values[column]) > rate(&row->values[0]);
	return h->direction != 0 && side_of(&row->values[0], &base) &&
	       side_of(&row->values[column], &there) &&
	       sure_change(&base, &there) == h->direction;
}
