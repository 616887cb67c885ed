/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparisons of a mail, and whom they blame. */
#include "cli/draft.h"

static bool has_metric(const parser_comparison *source, const char *metric)
{
	for (guint i = 0; metric && i < source->columns->len; i++)
		if (parser_column_find(g_ptr_array_index(source->columns, i), metric))
			return true;
	return false;
}

/* A follow-up is about the metric of its report, even when that does not change now. */
static const char *metric_of(const draft *d, const parser_comparison *source)
{
	const char *known = d->answer ? d->answer->detail->summary->metric : NULL;

	if (d->options->metric || !has_metric(source, known))
		return d->options->metric;
	return known;
}

static bool render_one(draft *d, const parser_comparison *source, bool headline,
		       GPtrArray *into, GError **error)
{
	bool compat = d->options->compat ||
		      config_bool(d->cli->config, "report", "compat-lkp");
	render_options r = { .compat_lkp = compat,
			     .metric = headline ? metric_of(d, source) : NULL,
			     .keep_metric = headline && d->answer,
			     .culprit = headline ? d->options->culprit : NULL,
			     .short_commits = true };
	render_comparison *one = render_compare(source, d->lists, &r, error);

	if (one)
		g_ptr_array_add(into, one);
	return one != NULL;
}

/* Reads what the arguments name; sources keep it.  The first new one, or -1. */
static int read_results(draft *d, char **args, GError **error)
{
	int first = (int)d->sources->len;
	GPtrArray *found =
		results_read(d->cli, &d->options->results, args, d->lists, error);

	if (!found)
		return -1;
	g_ptr_array_extend_and_steal(d->sources, found);
	return first;
}

/* "BASE,HEAD" or FILE of --also. */
static bool render_also(draft *d, const char *value, GError **error)
{
	g_auto(GStrv) args = g_strsplit(value, ",", 2);
	int first;

	if (!args[0])
		return draft_refuse(error, "--also needs BASE,HEAD or FILE");
	first = read_results(d, args, error);
	if (first < 0) {
		g_prefix_error(error, "--also: ");
		return false;
	}
	for (guint i = (guint)first; i < d->sources->len; i++) {
		const parser_comparison *one = g_ptr_array_index(d->sources, i);
		guint before = d->also->len;
		const render_headline *h;

		if (!render_one(d, one, false, d->also, error))
			return false;
		h = &((render_comparison *)g_ptr_array_index(d->also, before))
			     ->headline;
		if (!h->metric)
			return draft_refuse(error, "--also %s: no headline metric: %s",
					    value, h->why);
	}
	return true;
}

static bool render_all(draft *d, GError **error)
{
	int first = read_results(d, d->args, error);

	if (first < 0)
		return false;
	for (guint i = (guint)first; i < d->sources->len; i++)
		if (!render_one(d, g_ptr_array_index(d->sources, i), i == (guint)first,
				d->rendered, error))
			return false;
	for (guint i = 1; i < d->rendered->len; i++)
		g_ptr_array_add(d->machines, g_ptr_array_index(d->rendered, i));
	for (char **value = d->options->also; value && *value; value++)
		if (!render_also(d, *value, error))
			return false;
	return true;
}

static bool find_culprit(draft *d, GError **error)
{
	const render_comparison *headline = draft_headline(d);
	const parser_comparison *source = headline->source;
	const parser_column *column;

	if (!headline->headline.metric)
		return draft_refuse(error, "no headline metric: %s",
				    headline->headline.why);
	column = g_ptr_array_index(source->columns, headline->headline.column);
	d->culprit = column->commit;
	d->regression = d->answer ?
				g_strdup(d->answer->detail->summary->id) :
				parser_regression_id(d->culprit->id, source->testcase,
						     headline->headline.metric);
	return true;
}

bool draft_compare(draft *d, GError **error)
{
	d->lists = data_lists(d->files, error);
	if (!d->lists)
		return false;
	if (!(d->args[0] ? render_all(d, error) : draft_claim(d, error)))
		return false;
	return find_culprit(d, error);
}
