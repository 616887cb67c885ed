/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reader needs beside the table: the answer, the legend, what is not shown. */
#include <math.h>
#include <string.h>

#include "render/select.h"
#include "render/table.h"

#define NOTES_MAX 20u

static const char *sense_words(parser_sense sense)
{
	return sense == PARSER_SENSE_MORE ? "more is better" :
	       sense == PARSER_SENSE_LESS ? "less is better" :
					    "which way is better is not known";
}

/* Better or worse, for a change that is one. */
static const char *judgement(const render_row *row, const render_value *value)
{
	bool rises = value->change > 0;

	if (row->sense == PARSER_SENSE_UNKNOWN || value->change == 0 ||
	    (value->change_kind != RENDER_CHANGE_PERCENT &&
	     value->change_kind != RENDER_CHANGE_ABSOLUTE))
		return "?";
	return rises == (row->sense == PARSER_SENSE_MORE) ? "better" : "worse";
}

/* "  [worse]", with one word per head; runs that lack the metric are named as well. */
static void mark_row(GString *out, const render_comparison *c, const render_row *row)
{
	size_t columns = c->source->columns->len;

	if (row->sense != PARSER_SENSE_UNKNOWN) {
		g_string_append(out, "  [");
		for (size_t i = 1; i < columns; i++)
			g_string_append_printf(out, "%s%s", i > 1 ? ", " : "",
					       judgement(row, &row->values[i]));
		g_string_append_c(out, ']');
	}
	for (size_t i = 0; i < columns; i++) {
		const parser_column *column = c->source->columns->pdata[i];

		if (!row->values[i].present || row->values[i].n >= column->runs ||
		    !row->values[i].n)
			continue;
		g_string_append_printf(out, "  [%s: %u of %u runs]",
				       i ? "head" : "base", row->values[i].n,
				       column->runs);
	}
}

static void put_p(GString *out, double p)
{
	if (p < 0.0001)
		g_string_append(out, "p < 0.0001");
	else
		g_string_append_printf(out, "p = %.*f",
				       p < 0.001 ? 4 :
				       p < 0.1   ? 3 :
						   2,
				       p);
}

static parser_sense sense_of(const render_comparison *c, const render_headline *h)
{
	for (guint i = 0; i < c->rows->len; i++) {
		const render_row *row = &g_array_index(c->rows, render_row, i);

		if (strcmp(row->metric, h->metric) == 0)
			return row->sense;
	}
	if (h->kind == PARSER_KIND_UNKNOWN || h->kind == PARSER_KIND_FAILURE)
		return PARSER_SENSE_UNKNOWN;
	return (h->change_percent > 0) == (h->kind == PARSER_KIND_IMPROVEMENT) ?
		       PARSER_SENSE_MORE :
		       PARSER_SENSE_LESS;
}

static void put_interval(GString *out, const render_headline *h)
{
	if (!h->test) {
		g_string_append_printf(out, ", no interval from %u and %u runs\n",
				       h->n_base, h->n_head);
		return;
	}
	if (isfinite(h->ci_low))
		g_string_append_printf(out, ", 95%% interval %+.1f%% to %+.1f%%",
				       h->ci_low, h->ci_high);
	g_string_append(out, "; ");
	put_p(out, h->p);
	g_string_append_printf(out, " (%s", h->test);
	if (isfinite(h->p_rank) && h->p_rank != h->p) {
		g_string_append(out, "; ");
		put_p(out, h->p_rank);
		g_string_append(out, ", Mann-Whitney U test");
	}
	g_string_append_printf(out, "); n = %u and %u\n", h->n_base, h->n_head);
}

/* Words that hold names from outside, on a line of their own. */
static void put_line(GString *out, const char *before, const char *words)
{
	g_string_append(out, before);
	table_put_name(out, words);
	g_string_append_c(out, '\n');
}

static void put_headline(GString *out, const render_comparison *c)
{
	const render_headline *h = &c->headline;
	const char *kind = parser_kind_name(h->kind);

	if (!h->metric) {
		put_line(out, "Headline: none; ", h->why ? h->why : "");
		return;
	}
	g_string_append(out, "Headline: ");
	table_put_name(out, h->metric);
	g_string_append_printf(out, " %+.1f%s", h->change_percent,
			       h->kind == PARSER_KIND_FAILURE ? " percentage points" :
								"%");
	put_interval(out, h);
	g_string_append_printf(
		out, "  %s: %s%s%s\n", kind ? kind : "change",
		h->kind == PARSER_KIND_FAILURE ? h->why : sense_words(sense_of(c, h)),
		h->significant ? "" : "; ~ not significant",
		h->bimodal ? "; the samples fall into two clusters" : "");
}

static void put_legend(GString *out, const render_comparison *c)
{
	if (c->rows->len)
		g_string_append(
			out,
			"Legend: mean ± standard deviation in % of it (if above 2%); "
			"%change against the first column, without % in percentage "
			"points; new, gone: absent or 0 on one side\n");
	if (c->fail_rows->len)
		g_string_append(
			out, "Legend: failed runs : all runs; %reproduction is the "
			     "difference of the failure rates in percentage points\n");
}

static void put_reasons(GString *out, const render_comparison *c)
{
	bool any = false;

	g_string_append_printf(out, "Shown: %zu of %zu metrics",
			       c->counts[RENDER_SHOWN], c->metrics);
	for (int i = RENDER_SHOWN + 1; i < RENDER_REASONS; i++) {
		if (!c->counts[i])
			continue;
		g_string_append_printf(out, "%s%zu %s",
				       any ? ", " : "; not shown: ", c->counts[i],
				       render_reason_name(i));
		any = true;
	}
	g_string_append_c(out, '\n');
	if (c->counts[RENDER_SHOWN])
		return;
	if (c->counts[RENDER_TOO_FEW_RUNS])
		g_string_append(out,
				"  (a metric needs 3 runs on one side at least; --all "
				"shows everything)\n");
	else if (c->metrics)
		g_string_append(out, "  (--all shows everything, --more the denied "
				     "monitors too)\n");
}

/* Columns that have no metric in common cannot say anything about each other. */
static void put_common(GString *out, const render_comparison *c)
{
	const parser_column *base = c->source->columns->pdata[0];

	for (guint i = 1; i < c->source->columns->len; i++) {
		const parser_column *head = c->source->columns->pdata[i];
		bool common = false;

		for (guint k = 0; !common && k < head->metrics->len; k++)
			common = parser_column_find(
				base,
				g_array_index(head->metrics, parser_metric, k).name);
		if (!common) {
			g_autofree char *words =
				g_strdup_printf("%s and %s have no metric in common",
						base->origin, head->origin);

			put_line(out, "Note: ", words);
		}
	}
}

static void put_notes(GString *out, const render_comparison *c)
{
	const GPtrArray *warnings = c->source->warnings;

	for (guint i = 0; i < warnings->len && i < NOTES_MAX; i++)
		put_line(out, "Note: ", warnings->pdata[i]);
	if (warnings->len > NOTES_MAX)
		g_string_append_printf(out, "Note: %u more of these\n",
				       warnings->len - NOTES_MAX);
}

void render_comparison_text(const render_comparison *c, GString *out)
{
	if (c->options.compat_lkp) {
		if (!c->rows->len && !c->fail_rows->len)
			return;
		table_put_header(out, c);
		table_put_rows(out, c, NULL);
		g_string_append_c(out, '\n');
		return;
	}
	table_put_header(out, c);
	table_put_rows(out, c, mark_row);
	g_string_append_c(out, '\n');
	put_headline(out, c);
	put_legend(out, c);
	put_reasons(out, c);
	put_common(out, c);
	put_notes(out, c);
	g_string_append_c(out, '\n');
}
