/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Robot text in a mail: lines offered for copying, table rows, reports without marks.
 */
#include <string.h>

#include "parser/class.h"
#include "parser/lines.h"

#define PROOF_MAX      60   /* lines in which a report must prove that it is one */
#define TABLE_LINE_MAX 1000 /* bytes; longer lines are what an archive ran together */

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

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_number_byte(char c)
{
	return g_ascii_isdigit(c) || (c && strchr("+-.:e%", c));
}

static bool is_number(const char *s, size_t n)
{
	size_t digits = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_number_byte(s[i]))
			return false;
		digits += g_ascii_isdigit(s[i]);
	}
	return digits > 0;
}

/* "8888 -7% 8234 unixbench.score": numbers first, a metric's name last. */
static bool is_row(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;

	while (p < end && is_blank(*p))
		p++;
	if (p >= end || !is_number_byte(*p))
		return false;
	while (end > p && is_blank(end[-1]))
		end--;
	size_t first = 0;
	const char *last = end;

	while (p + first < end && !is_blank(p[first]))
		first++;
	while (last > p && !is_blank(last[-1]))
		last--;
	if (p + first >= last || end - p > TABLE_LINE_MAX || !is_number(p, first))
		return false;
	size_t n = (size_t)(end - last);
	const char *dot = memchr(last, '.', n);

	return g_ascii_isalpha(*last) && dot && dot > last && dot < end - 1 && n > 4 &&
	       !strchr(".,;", end[-1]);
}

static bool is_table_head(const lines *l, guint i)
{
	static const char *const starts[] = { "%stddev", "fail:runs",
					      "---------------- ------------" };
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;

	while (p < end && is_blank(*p))
		p++;
	if (p >= end || (*p != '%' && *p != 'f' && *p != '-'))
		return false;
	for (size_t k = 0; end - p < TABLE_LINE_MAX && k < G_N_ELEMENTS(starts); k++)
		if ((size_t)(end - p) >= strlen(starts[k]) &&
		    memcmp(p, starts[k], strlen(starts[k])) == 0)
			return true;
	return false;
}

/* ---- reports that stand without quote marks
 * -------------------------------------------- */

/* How lines of a report begin; `tells` counts as evidence that it is one. */
static const struct {
	const char *start;
	bool tells;
} report_starts[] = {
	/* clang-format off */
	{ "commit: ", true }, { "commit ", true }, { "in testcase", true }, { "testcase", true },
	{ "test case", true }, { "on test machine", true }, { "test machine", true },
	{ "with following param", true }, { "parameters:", true }, { "Details are as below", true },
	{ "test-description", true }, { "test-url", true }, { "In addition to that", true },
	{ "https://", false }, { "http://", false }, { "git://", false }, { "url:", false },
	{ "base:", false }, { "patch link:", false }, { "patch subject:", false },
	{ "config:", false }, { "compiler:", false }, { "[test failed", false }, { "[still ", false },
	{ "If you fix the issue", false }, { "the same patch/commit)", false },
	{ "Reported-by:", false }, { "Closes:", false }, { "Link:", false },
	{ "To reproduce", false }, { "The kernel config", false }, { "---", false }, { "===", false },
	{ "***", false }, { "+---", false }, { "| ", false }, { "compiler/", false },
	{ "Disclaimer:", false }, { "Results have been", false }, { "for informational", false },
	{ "design or configuration", false }, { "Greeting", false }, { "Hello,", false },
	{ "FYI", false }, { "\t", false }, { "    ", false }, { "      ", false },
	/* clang-format on */
};

/* "nr_task: 30%": a parameter whose TAB is lost. */
static bool is_parameter(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end, *s = p;

	while (s < end && (g_ascii_islower(*s) || g_ascii_isdigit(*s) || *s == '_'))
		s++;
	return s > p && s + 1 < end && *s == ':' && s[1] == ' ' && end - s < 60;
}

/* "lkp-skl-fpga01/brk2/will-it-scale": values of the axes. */
static bool is_path(const lines *l, guint i)
{
	const char *p = line_body(l, i);
	size_t n = line_length(l, i);
	unsigned slashes = 0;

	for (size_t k = 0; k < n; k++) {
		if (p[k] == ' ' && k > 2)
			return false;
		slashes += p[k] == '/';
	}
	return slashes >= 3;
}

static bool is_report_line(const lines *l, guint i, bool *tells)
{
	for (size_t k = 0; k < G_N_ELEMENTS(report_starts); k++)
		if (line_begins(l, i, report_starts[k].start)) {
			*tells = report_starts[k].tells;
			return true;
		}
	*tells = false;
	return line_is_blank(l, i) || is_row(l, i) || is_table_head(l, i) ||
	       is_parameter(l, i) || is_path(l, i) ||
	       class_is_headline(line_body(l, i), line_length(l, i));
}

/* All of a report on the line of its headline. */
static bool is_collapsed(const lines *l, guint i)
{
	return line_length(l, i) > 150 && line_holds(l, i, "commit: ") &&
	       (line_holds(l, i, "testcase: ") || line_holds(l, i, "test machine: "));
}

/* The line after the report that begins at i, if one does; else i. */
static guint report_end(const lines *l, guint i)
{
	const char *p = line_body(l, i);
	size_t n = line_length(l, i);
	unsigned evidence = 0;
	guint j = i, last = i;

	if (!class_is_headline(p, MIN(n, 400)) &&
	    !(line_begins(l, i, "commit: ") && n > 48 && n < 300))
		return i;
	if (is_collapsed(l, i))
		return i + 1;
	for (j = i + 1; j < l->n && l->list[j].depth == 0; j++) {
		bool tells;

		if (!is_report_line(l, j, &tells) ||
		    (evidence < 2 && j - i > PROOF_MAX))
			break;
		evidence += tells;
		last = line_is_blank(l, j) ? last : j;
	}
	return evidence >= 2 ? last + 1 : i;
}

/* Greetings above a headline are the robot's. */
static guint report_start(const lines *l, guint i)
{
	guint start = i;

	for (guint j = i; j > 0 && i - j < 4 && line_is_free(l, j - 1); j--)
		if (line_begins(l, j - 1, "Greeting") ||
		    line_begins(l, j - 1, "Hello,"))
			start = j - 1;
		else if (!line_is_blank(l, j - 1))
			break;
	return start;
}

static void mark_reports(lines *l)
{
	for (guint i = 0; i < l->n; i++) {
		guint end = line_is_free(l, i) ? report_end(l, i) : i;

		if (end > i) {
			lines_settle(l, report_start(l, i), end, PARSER_SPAN_REPORT);
			i = end - 1;
		}
	}
}

void reports_mark(lines *l)
{
	if (l->mail->class != PARSER_CLASS_ROBOT)
		mark_reports(l);
	for (guint i = 0; i < l->n; i++) {
		if (!line_is_free(l, i))
			continue;
		if (is_template(l, i))
			lines_settle(l, i, i + 1, PARSER_SPAN_TEMPLATE);
		else if (is_row(l, i) || is_table_head(l, i))
			lines_settle(l, i, i + 1, PARSER_SPAN_TABLE);
	}
}
