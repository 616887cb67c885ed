/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which way a metric moved.  The sign of a report's sentence does not tell: since
 * October 2024 it is not printed, before that it was left out for rises.  The metric's
 * row tells; without it, the metric's sense and the word "regression" or "improvement".
 */
#include <math.h>
#include <string.h>

#include "parser/reader.h"

/* A row's change and a sentence's are the same number, but for rounding. */
static bool same_size(double row, double printed, const char *text)
{
	double slack = text && strchr(text, '.') ? 0.051 : 0.51;

	if (fabs(printed) >= 1e5) /* the table goes over to two digits */
		slack = 0.06 * fabs(printed);
	return fabs(fabs(row) - fabs(printed)) <= slack;
}

/* The change of a row's second column, or of the column where it has that size. */
static bool row_sign(const parser_row *row, double printed, double *sign)
{
	for (size_t i = 1; i < row->n_cells; i++) {
		const parser_cell *cell = &row->cells[i];

		if (!cell->has_change || cell->unit != PARSER_UNIT_PERCENT ||
		    !same_size(cell->change, printed, cell->change_text))
			continue;
		*sign = cell->change < 0 ? -1 : 1;
		return true;
	}
	return false;
}

/* "netperf.Throughput_tps" and "netperf.ThroughputBoth_tps" name one thing. */
static bool similar(const char *a, const char *b)
{
	size_t front = 0, back = 0, n = strlen(a), m = strlen(b);

	while (front < MIN(n, m) && a[front] == b[front])
		front++;
	while (back < MIN(n, m) - front && a[n - 1 - back] == b[m - 1 - back])
		back++;
	return front + back == MIN(n, m) && memchr(a, '.', front);
}

static bool find_row(const GPtrArray *tables, const char *metric, double printed,
		     bool exact, double *sign)
{
	for (guint t = 0; tables && t < tables->len; t++) {
		const parser_table *table = g_ptr_array_index(tables, t);

		for (guint i = 0; i < table->rows->len; i++) {
			const parser_row *row = g_ptr_array_index(table->rows, i);
			bool named = exact ? strcmp(row->metric, metric) == 0 :
					     similar(row->metric, metric);

			if (named && row_sign(row, printed, sign))
				return true;
		}
	}
	return false;
}

static parser_sign by_sense(const char *metric, parser_kind kind,
			    const parser_lists *lists, double *sign)
{
	parser_sense sense =
		lists ? parser_lists_sense(lists, metric) : PARSER_SENSE_UNKNOWN;

	if (sense == PARSER_SENSE_UNKNOWN ||
	    (kind != PARSER_KIND_REGRESSION && kind != PARSER_KIND_IMPROVEMENT))
		return PARSER_SIGN_UNKNOWN;
	*sign = (kind == PARSER_KIND_IMPROVEMENT) == (sense == PARSER_SENSE_MORE) ? 1 :
										    -1;
	return PARSER_SIGN_SENSE;
}

/* What a sentence says, and how it was written. */
typedef struct claim {
	const char *metric;
	parser_kind kind;
	double printed;
	bool is_signed;    /* a sign is printed */
	bool unsigned_era; /* a missing sign says nothing */
} claim;

static parser_sign find_sign(const claim *c, const GPtrArray *tables,
			     const parser_lists *lists, double *sign)
{
	double printed = c->printed < 0 ? -1 : 1;

	if (c->metric && (find_row(tables, c->metric, c->printed, true, sign) ||
			  find_row(tables, c->metric, c->printed, false, sign)))
		return PARSER_SIGN_ROW;
	if (c->metric &&
	    by_sense(c->metric, c->kind, lists, sign) == PARSER_SIGN_SENSE &&
	    (!c->is_signed || *sign == printed))
		return PARSER_SIGN_SENSE;
	*sign = c->is_signed ? printed : 1;
	return c->is_signed || !c->unsigned_era ? PARSER_SIGN_PRINTED :
						  PARSER_SIGN_UNKNOWN;
}

void report_sign(parser_report *report, const GPtrArray *tables,
		 const parser_lists *lists, bool is_signed)
{
	bool era = report->generation >= 6;
	double sign;

	if (report->has_change) {
		claim c = { report->metric, report->kind, report->change_percent,
			    is_signed, era };

		report->sign = find_sign(&c, tables, lists, &sign);
		report->change_percent = sign * fabs(report->change_percent);
	}
	for (guint i = 0; i < report->impacts->len; i++) {
		parser_impact *impact = g_ptr_array_index(report->impacts, i);
		claim c = { impact->metric, impact->kind, impact->change_percent,
			    impact->change_percent < 0, era };

		if (!impact->has_change)
			continue;
		find_sign(&c, tables, lists, &sign);
		impact->change_percent = sign * fabs(impact->change_percent);
	}
}
