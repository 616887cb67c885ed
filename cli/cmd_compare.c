/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/results.h"
#include "mailer/mailer.h"
#include "render/render.h"

typedef struct compare_options {
	results_options results; /* first: RESULTS_OPTIONS counts from here */
	gboolean json, all, more, kpi, by_count, plot;
	char *profile_threshold, *ratio, *compat, *metric, *culprit, *svg;
} compare_options;

#define AT(field) offsetof(compare_options, field)

static const cli_option options[] = {
	/* clang-format off */
	{ "json", 0, G_OPTION_ARG_NONE, AT(json), NULL, "one JSON object with all that was computed" },
	{ "all", 0, G_OPTION_ARG_NONE, AT(all), NULL, "every metric" },
	{ "more", 0, G_OPTION_ARG_NONE, AT(more), NULL, "denied monitors too" },
	{ "kpi", 0, G_OPTION_ARG_NONE, AT(kpi), NULL, "the test's own metrics only" },
	{ "profile-threshold", 0, G_OPTION_ARG_STRING, AT(profile_threshold), "PERCENT",
	  "show profile rows above this share, in percent of samples" },
	{ "ratio", 0, G_OPTION_ARG_STRING, AT(ratio), "RATIO",
	  "smallest ratio of medians of monitors (1.05)" },
	{ "compat", 0, G_OPTION_ARG_STRING, AT(compat), "lkp",
	  "exactly as the public comparer prints it" },
	{ "by-count", 0, G_OPTION_ARG_NONE, AT(by_count), NULL,
	  "order of rows as from March 2023 to February 2026" },
	{ "metric", 0, G_OPTION_ARG_STRING, AT(metric), "NAME", "the headline metric" },
	{ "culprit", 0, G_OPTION_ARG_STRING, AT(culprit), "COMMIT",
	  "the head that is blamed; else the first" },
	{ "plot", 0, G_OPTION_ARG_NONE, AT(plot), NULL, "a text plot of the headline metric" },
	{ "svg", 0, G_OPTION_ARG_FILENAME, AT(svg), "FILE",
	  "write a plot of the headline metric there" },
	RESULTS_OPTIONS,
	CLI_OPTIONS_END,
	/* clang-format on */
};

static bool to_number(const char *name, const char *text, double *value, GError **error)
{
	char *end;

	*value = g_ascii_strtod(text, &end);
	if (end != text && *end == '\0' && *value >= 0 && *value <= 1e9)
		return true;
	g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--%s: not a number: %s", name,
		    text);
	return false;
}

static bool to_render_options(const compare_options *o, render_options *r,
			      GError **error)
{
	*r = (render_options){ .compat_lkp = o->compat != NULL,
			       .all = o->all,
			       .more = o->more,
			       .kpi = o->kpi,
			       .by_count = o->by_count,
			       .has_profile_threshold = o->profile_threshold != NULL,
			       .metric = o->metric,
			       .culprit = o->culprit };
	if (o->compat && strcmp(o->compat, "lkp") != 0) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
			    "--compat: only lkp is known, not %s", o->compat);
		return false;
	}
	if (o->profile_threshold &&
	    !to_number("profile-threshold", o->profile_threshold, &r->profile_threshold,
		       error))
		return false;
	if (!o->ratio)
		return true;
	if (!to_number("ratio", o->ratio, &r->ratio, error))
		return false;
	if (r->ratio >= 1)
		return true;
	g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
		    "--ratio: of the larger to the smaller, 1 or more, not %s",
		    o->ratio);
	return false;
}

/* ---- plots ---- */

/* The samples of the headline metric: bisect samples when there are any, else the runs.
 */
typedef struct samples {
	const char *metric;
	const double *good, *bad;
	size_t n_good, n_bad;
} samples;

static bool find_bisect(const parser_comparison *source, samples *s)
{
	for (guint i = 0; i < source->bisect->len; i++) {
		const parser_bisect *bisect = g_ptr_array_index(source->bisect, i);

		if (strcmp(bisect->metric, s->metric) != 0)
			continue;
		s->good = (const double *)(const void *)bisect->good->data;
		s->n_good = bisect->good->len;
		s->bad = (const double *)(const void *)bisect->bad->data;
		s->n_bad = bisect->bad->len;
		return true;
	}
	return false;
}

static bool find_samples(const render_comparison *rendered, samples *s, GError **error)
{
	const GPtrArray *columns = rendered->source->columns;

	s->metric = rendered->headline.metric;
	if (!s->metric) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG, "nothing to plot: %s",
			    rendered->headline.why);
		return false;
	}
	if (find_bisect(rendered->source, s))
		return true;

	const parser_metric *base =
		parser_column_find(g_ptr_array_index(columns, 0), s->metric);
	const parser_metric *head = parser_column_find(
		g_ptr_array_index(columns, rendered->headline.column), s->metric);

	if (!base || !head || base->n == 0 || head->n == 0) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG,
			    "nothing to plot: no samples of %s", s->metric);
		return false;
	}
	*s = (samples){ s->metric, base->values, head->values, base->n, head->n };
	return true;
}

static bool plot(const render_comparison *rendered, const compare_options *o,
		 GError **error)
{
	samples s = { 0 };

	if (!find_samples(rendered, &s, error))
		return false;
	if (o->plot) {
		g_autoptr(GString) text = g_string_new(NULL);

		render_plot_text(s.metric, s.good, s.n_good, s.bad, s.n_bad,
				 o->compat != NULL, text);
		printf("\n%s", text->str);
	}
	if (o->svg) {
		g_autoptr(GString) svg = g_string_new(NULL);

		render_plot_svg(s.metric, s.good, s.n_good, s.bad, s.n_bad, svg);
		return mailer_file_write(o->svg, svg->str, svg->len, error);
	}
	return true;
}

/* ---- the command ---- */

static bool show(const parser_comparison *comparison, const parser_lists *lists,
		 const render_options *r, const compare_options *o, GError **error)
{
	g_autoptr(render_comparison) rendered =
		render_compare(comparison, lists, r, error);

	if (!rendered)
		return false;
	if (o->json) {
		g_autofree char *json = render_comparison_json(rendered);

		puts(json);
	} else {
		g_autoptr(GString) text = g_string_new(NULL);

		render_comparison_text(rendered, text);
		fwrite(text->str, 1, text->len, stdout);
	}
	return (!o->plot && !o->svg) || plot(rendered, o, error);
}

static int run(cli *c, const void *values, char **args)
{
	const compare_options *o = values;
	g_autoptr(GError) error = NULL;
	g_autoptr(data_files) d = data_open(c, &error);
	g_autoptr(parser_lists) lists = d ? data_lists(d, &error) : NULL;
	render_options r;

	if (!lists || !to_render_options(o, &r, &error))
		return cli_fail(c, error);

	g_autoptr(GPtrArray) all = results_read(c, &o->results, args, lists, &error);

	if (!all)
		return cli_fail(c, error);
	if (o->json && o->plot)
		return cli_wrong(c, "--json and --plot: one of them");
	if (o->svg && all->len > 1)
		return cli_wrong(c, "--svg: %u comparisons, but one file", all->len);
	for (guint i = 0; i < all->len; i++) {
		const parser_comparison *one = g_ptr_array_index(all, i);

		/* the other outputs have them inside */
		for (guint k = 0; o->compat && k < one->warnings->len; k++)
			cli_complain(c, "warning: %s",
				     (const char *)g_ptr_array_index(one->warnings, k));
		if (!show(one, lists, &r, o, &error))
			return cli_fail(c, error);
	}
	return CLI_OK;
}

const command cmd_compare = {
	.name = "compare",
	.args = "BASE HEAD... | FILE",
	.summary = "show the table of a base and one or more heads",
	.more = "BASE and HEAD are result roots of lkp-tests (a commit's directory with\n"
		"matrix.json, or with numbered runs).  FILE holds a comparison as JSON or a\n"
		"pasted table; - is standard input.",
	.options = options,
	.size = sizeof(compare_options),
	.min = 1,
	.max = -1,
	.run = run,
};
