/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Robot text in a mail: lines offered for copying, table rows, reports without marks.
 */
#include <string.h>

#include "parser/class.h"
#include "parser/lines.h"

/* "| Reported-by: ..." and the bar before any other trailer. */
static bool is_template(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;

	if (end - p < 6 || *p != '|')
		return false;
	for (p++; p < end && *p == ' ';)
		p++;
	const char *name = p;

	while (p < end && (g_ascii_isalpha(*p) || *p == '-'))
		p++;
	return p > name && p < end && *p == ':' && g_ascii_isupper(*name) &&
	       p - name < 30;
}

static bool is_number(const char *s, size_t n)
{
	size_t digits = 0;

	for (size_t i = 0; i < n; i++) {
		if (g_ascii_isdigit(s[i]))
			digits++;
		else if (!strchr("+-.:e%", s[i]))
			return false;
	}
	return digits > 0;
}

/* "8888 -7% 8234 unixbench.score": numbers first, a metric's name last. */
static bool is_row(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;

	while (p < end && strchr(" \t", *p))
		p++;
	while (end > p && strchr(" \t", end[-1]))
		end--;
	size_t first = 0;
	const char *last = end;

	while (p + first < end && !strchr(" \t", p[first]))
		first++;
	while (last > p && !strchr(" \t", last[-1]))
		last--;
	if (p + first >= last || !is_number(p, first))
		return false;
	size_t n = (size_t)(end - last);
	const char *dot = memchr(last, '.', n);

	return g_ascii_isalpha(*last) && dot && dot > last && dot < end - 1 && n > 4 &&
	       !strchr(".,;", end[-1]);
}

static bool is_table_head(const lines *l, guint i)
{
	return line_holds(l, i, "%stddev") || line_holds(l, i, "fail:runs") ||
	       line_holds(l, i, "---------------- ------------");
}

void reports_mark(lines *l)
{
	for (guint i = 0; i < l->n; i++) {
		if (!line_is_free(l, i))
			continue;
		if (is_template(l, i))
			lines_settle(l, i, i + 1, PARSER_SPAN_TEMPLATE);
		else if (is_row(l, i) || is_table_head(l, i))
			lines_settle(l, i, i + 1, PARSER_SPAN_TABLE);
	}
}
