/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comparison table.  Columns count characters: "±" is one.  Trailing blanks are
 * part of the format: mails have them, and readers of tables rely on them.
 */
#include <math.h>
#include <string.h>

#include "render/render.h"
#include "render/select.h"
#include "render/table.h"

#define BASE_WIDTH   16
#define HEAD_WIDTH   27
#define VALUE_WIDTH  10
#define CHANGE_WIDTH 10
#define ERROR_WIDTH  6
#define RULE_WIDTH   89
#define SHORT_SHA    10
#define NUMBER_SIZE  400

static size_t columns_of(const render_comparison *c)
{
	return c->source->columns->len;
}

/* Right-justified in width characters. */
static void put_right(GString *out, const char *text, size_t width)
{
	size_t length = (size_t)g_utf8_strlen(text, -1);

	for (; length < width; width--)
		g_string_append_c(out, ' ');
	g_string_append(out, text);
}

static void put_number(GString *out, double value, char conversion, int precision,
		       bool plus, size_t width)
{
	char text[NUMBER_SIZE];

	render_number(text, sizeof(text), value, conversion, precision, plus);
	put_right(out, text, width);
}

/* Names come from outside: what is no printable text becomes U+FFFD. */
void table_put_name(GString *out, const char *name)
{
	g_autofree char *safe = render_safe_text(name, false);

	g_string_append(out, safe);
}

/* ---- rows -------------------------------------------------------------------------
 */

static void put_mean(GString *out, double mean)
{
	double size = fabs(mean);

	if (size < 1000)
		put_number(out, mean, 'f', 2, false, VALUE_WIDTH);
	else if (size > 100000000 || !isfinite(mean))
		put_number(out, mean, 'g', 4, false, VALUE_WIDTH);
	else
		put_number(out, trunc(mean), 'f', 0, false, VALUE_WIDTH);
}

static void put_error(GString *out, const render_comparison *c,
		      const render_value *value)
{
	double mean = c->options.compat_lkp ? value->mean : fabs(value->mean);
	double percent = mean == 0 ? value->stddev : 100 * value->stddev / mean;

	if (!c->options.compat_lkp && (value->stddev < 0 || mean == 0))
		percent = 0;
	if (percent > 2) {
		g_string_append(out, " ±");
		put_number(out, trunc(percent), 'f', 0, false, 3);
		g_string_append_c(out, '%');
	} else {
		g_string_append_printf(out, "%*s", ERROR_WIDTH, "");
	}
}

static void put_change(GString *out, const render_value *value)
{
	bool wide = fabs(value->change) >= 100000;

	switch (value->change_kind) {
	case RENDER_CHANGE_NEW:
		put_right(out, "new", CHANGE_WIDTH);
		break;
	case RENDER_CHANGE_GONE:
		put_right(out, "gone", CHANGE_WIDTH);
		break;
	case RENDER_CHANGE_NONE:
	case RENDER_CHANGE_NA:
		put_right(out, "n/a", CHANGE_WIDTH);
		break;
	case RENDER_CHANGE_PERCENT:
	case RENDER_CHANGE_ABSOLUTE:
		put_number(out, value->change, wide ? 'g' : 'f', wide ? 2 : 1, true,
			   CHANGE_WIDTH);
		break;
	}
	g_string_append(out, value->change_kind == RENDER_CHANGE_PERCENT ? "% " : "  ");
}

void table_put_row(GString *out, const render_comparison *c, const render_row *row)
{
	for (size_t i = 0; i < columns_of(c); i++) {
		const render_value *value = &row->values[i];

		if (i > 0)
			put_change(out, value);
		if (value->present || c->options.compat_lkp || value->n) {
			put_mean(out, value->mean);
			put_error(out, c, value);
		} else {
			put_right(out, "-", VALUE_WIDTH);
			g_string_append_printf(out, "%*s", ERROR_WIDTH, "");
		}
	}
	g_string_append(out, "  ");
	table_put_name(out, row->metric);
}

void table_put_fail_row(GString *out, const render_comparison *c, const render_row *row)
{
	for (size_t i = 0; i < columns_of(c); i++) {
		const render_value *value = &row->values[i];

		if (i > 0) {
			put_number(out, value->reproduction, 'f', 0, false,
				   CHANGE_WIDTH);
			g_string_append(out, "% ");
		}
		if (value->fails == 0)
			put_right(out, "", VALUE_WIDTH + 1);
		else if (value->fails == trunc(value->fails))
			put_number(out, value->fails, 'f', 0, false, VALUE_WIDTH + 1);
		else
			put_number(out, value->fails, 'g', 6, false, VALUE_WIDTH + 1);
		g_string_append_printf(out, ":%-4.0f", value->runs);
	}
	g_string_append(out, "  ");
	table_put_name(out, row->metric);
}

/* ---- heads ------------------------------------------------------------------------
 */

static void put_fail_head(GString *out, size_t columns)
{
	g_string_append(out, "       fail:runs");
	for (size_t i = 1; i < columns; i++)
		g_string_append(out, "  %reproduction    fail:runs");
	g_string_append(out, "\n           |    ");
	for (size_t i = 1; i < columns; i++)
		g_string_append(out, "         |             |    ");
	g_string_append_c(out, '\n');
}

static void put_performance_head(GString *out, size_t columns)
{
	g_string_append(out, "         %stddev");
	for (size_t i = 1; i < columns; i++)
		g_string_append(out, "     %change         %stddev");
	g_string_append(out, "\n             \\  ");
	for (size_t i = 1; i < columns; i++)
		g_string_append(out, "        |                \\  ");
	g_string_append_c(out, '\n');
}

/* What a column is called: the compared axis' value. */
static const char *column_name(const parser_column *column, const char *axis)
{
	const char *value = parser_pairs_get(column->axes, axis);

	if (strcmp(axis, "commit") == 0)
		value = column->commit->id ? column->commit->id : column->label;
	return value ? value : column->label ? column->label : "(none)";
}

/* All compared values of a column, joined by '/'. */
char *table_column_name(const render_comparison *c, size_t i)
{
	const parser_column *column = c->source->columns->pdata[i];
	GString *name = g_string_new(NULL);

	for (guint k = 0; k < c->source->compared->len; k++) {
		g_string_append(name, k ? "/" : "");
		table_put_name(name,
			       column_name(column, c->source->compared->pdata[k]));
	}
	return g_string_free(name, FALSE);
}

static bool is_sha(const char *name)
{
	return strlen(name) == 40 && strspn(name, "0123456789abcdef") == 40;
}

static void put_column_line(GString *out, const render_comparison *c, size_t i)
{
	const parser_column *column = c->source->columns->pdata[i];
	g_autofree char *name = table_column_name(c, i);

	if (c->options.short_commits && is_sha(name))
		name[SHORT_SHA] = '\0';
	g_string_append_printf(out, "  %s", name);
	if (column->commit->subject &&
	    (c->options.short_commits || !c->options.compat_lkp)) {
		g_string_append(out, " (\"");
		table_put_name(out, column->commit->subject);
		g_string_append(out, "\")");
	}
	g_string_append_c(out, '\n');
}

/* An axis' value as the comparer knows it: what follows a '/' was lost in its index. */
static void put_axis_value(GString *out, const render_comparison *c, const char *value)
{
	g_autofree char *kept = c->options.compat_lkp ?
					g_strndup(value, strcspn(value, "/")) :
					g_strdup(value);

	table_put_name(out, kept);
}

static void put_axes(GString *out, const render_comparison *c)
{
	const GPtrArray *axes = c->source->axes;

	for (guint i = 0; i < axes->len; i++) {
		g_string_append(out, i ? "/" : "");
		table_put_name(out, ((const parser_pair *)axes->pdata[i])->name);
	}
	g_string_append(out, ":\n  ");
	for (guint i = 0; i < axes->len; i++) {
		g_string_append(out, i ? "/" : "");
		put_axis_value(out, c, ((const parser_pair *)axes->pdata[i])->value);
	}
	g_string_append(out, "\n\n");
}

static void put_compared(GString *out, const render_comparison *c)
{
	for (guint i = 0; i < c->source->compared->len; i++) {
		g_string_append(out, i ? "/" : "");
		table_put_name(out, c->source->compared->pdata[i]);
	}
	g_string_append(out, ": \n");
	for (size_t i = 0; i < columns_of(c); i++)
		put_column_line(out, c, i);
	g_string_append_c(out, '\n');
}

static void put_names(GString *out, const render_comparison *c)
{
	for (size_t i = 0; i < columns_of(c); i++) {
		size_t width = i ? HEAD_WIDTH : BASE_WIDTH;
		g_autofree char *name = table_column_name(c, i);
		g_autofree char *cut = g_utf8_substring(
			name, 0, MIN((glong)width, g_utf8_strlen(name, -1)));

		put_right(out, cut, width);
		g_string_append_c(out, ' ');
	}
	g_string_append_c(out, '\n');
	for (size_t i = 0; i < columns_of(c); i++) {
		for (int k = 0; k < (i ? HEAD_WIDTH : BASE_WIDTH); k++)
			g_string_append_c(out, '-');
		g_string_append_c(out, ' ');
	}
	g_string_append_c(out, '\n');
}

/* ---- the whole --------------------------------------------------------------------
 */

void table_put_rule(GString *out)
{
	for (int i = 0; i < RULE_WIDTH; i++)
		g_string_append_c(out, '=');
	g_string_append_c(out, '\n');
}

void table_put_header(GString *out, const render_comparison *c)
{
	table_put_rule(out);
	put_axes(out, c);
	put_compared(out, c);
	put_names(out, c);
}

void table_put_rows(GString *out, const render_comparison *c, table_mark_fn mark)
{
	if (c->fail_rows->len)
		put_fail_head(out, columns_of(c));
	for (guint i = 0; i < c->fail_rows->len; i++) {
		table_put_fail_row(out, c, &g_array_index(c->fail_rows, render_row, i));
		g_string_append_c(out, '\n');
	}
	if (c->rows->len)
		put_performance_head(out, columns_of(c));
	for (guint i = 0; i < c->rows->len; i++) {
		const render_row *row = &g_array_index(c->rows, render_row, i);

		table_put_row(out, c, row);
		if (mark)
			mark(out, c, row);
		g_string_append_c(out, '\n');
	}
}

void render_comparison_table(const render_comparison *c, GString *out)
{
	if (c->source->axes->len)
		put_axes(out, c);
	put_compared(out, c);
	put_names(out, c);
	table_put_rows(out, c, NULL);
}
