/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The impact table: one block for each further test that the commit changed.
 *
 *	| testcase: change | fsmark: fsmark.files_per_sec -21.5% regression |
 *	| test machine     | 192 threads ...                               |
 *	| test parameters  | cpufreq_governor=performance                   |
 *	|                  | disk=1SSD                                      |
 */
#include <string.h>

#include "parser/reader.h"

void parser_impact_free(parser_impact *impact)
{
	if (!impact)
		return;
	g_free(impact->testcase);
	g_free(impact->metric);
	g_free(impact->machine);
	g_ptr_array_unref(impact->parameters);
	g_free(impact);
}

/* A cell of the line: blanks at both ends left out. */
typedef struct cell {
	const char *s;
	size_t len;
} cell;

static cell trim(const char *s, const char *end)
{
	while (s < end && *s == ' ')
		s++;
	while (end > s && end[-1] == ' ')
		end--;
	return (cell){ s, (size_t)(end - s) };
}

/* Splits "| label | value |"; a mail program may have broken off the last bar. */
static bool split(const text_line *line, cell *label, cell *value)
{
	const char *end = line->s + line->len, *bar;

	if (line->len < 3 || line->s[0] != '|')
		return false;
	bar = memchr(line->s + 1, '|', line->len - 1);
	if (!bar)
		return false;
	*label = trim(line->s + 1, bar);
	*value = trim(bar + 1, end);
	if (value->len > 0 &&
	    value->s[value->len - 1] == '|') /* the box's, not a value's */
		*value = trim(value->s, value->s + value->len - 1);
	return true;
}

static bool label_is(const cell *label, const char *text)
{
	return label->len == strlen(text) && memcmp(label->s, text, label->len) == 0;
}

/* "fsmark: fsmark.files_per_sec -21.5% regression" */
static void read_change(parser_impact *impact, const cell *value)
{
	const char *p = value->s, *end = value->s + value->len, *s;
	size_t n;
	bool is_signed;

	while ((s = parser_word_next(&p, end, &n))) {
		if (!impact->testcase && s[n - 1] == ':')
			impact->testcase = g_strndup(s, n - 1);
		else if (!impact->has_change &&
			 report_change_read(s, n, &impact->change_percent, &is_signed))
			impact->has_change = true;
		else if (impact->has_change && impact->kind == PARSER_KIND_UNKNOWN)
			impact->kind = report_kind_read(s, n);
		else if (!impact->metric)
			impact->metric = g_strndup(s, n);
	}
	if (!impact->has_change && impact->metric &&
	    impact->kind == PARSER_KIND_UNKNOWN)
		impact->kind = PARSER_KIND_FAILURE;
}

static void read_parameter(parser_impact *impact, const cell *value)
{
	const char *equals = memchr(value->s, '=', value->len);
	g_autofree char *name = NULL, *text = NULL;

	if (!equals)
		return;
	name = g_strndup(value->s, (size_t)(equals - value->s));
	text = g_strndup(equals + 1, value->len - (size_t)(equals + 1 - value->s));
	g_ptr_array_add(impact->parameters, parser_pair_new(name, text));
}

static parser_impact *impact_new(void)
{
	parser_impact *impact = g_new0(parser_impact, 1);

	impact->parameters =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	return impact;
}

static bool read_cells(const cell *label, const cell *value, GPtrArray *impacts)
{
	parser_impact *last =
		impacts->len ? g_ptr_array_index(impacts, impacts->len - 1) : NULL;

	if (label_is(label, "testcase: change")) {
		last = impact_new();
		g_ptr_array_add(impacts, last);
		read_change(last, value);
		return true;
	}
	if (!last)
		return false;
	if (label_is(label, "test machine")) {
		if (!last->machine)
			last->machine = g_strndup(value->s, value->len);
		return true;
	}
	if (label_is(label, "test parameters") || label->len == 0) {
		read_parameter(last, value);
		return true;
	}
	return false;
}

bool report_impact_line(const text_line *line, GPtrArray *impacts)
{
	cell label, value;

	if (line->len > 2 && line->s[0] == '+' && line->s[1] == '-')
		return true;
	return split(line, &label, &value) && read_cells(&label, &value, impacts);
}
