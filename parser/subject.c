/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Subjects of reports: "[tree:branch] [subsystem]  0123456789:  metric -1.2%
 * regression", with whatever lists and repliers put before it, and the orders of 2014
 * and 2016.
 */
#include <string.h>

#include "parser/cells.h"
#include "parser/reader.h"

void report_subject_clear(report_subject *subject)
{
	g_free(subject->tree);
	g_free(subject->branch);
	g_free(subject->commit);
	g_free(subject->metric);
	*subject = (report_subject){ 0 };
}

/* "Re:", "RE[2]:", "AW:", ": Re:" ... */
static bool is_reply_prefix(const char *s, size_t len)
{
	static const char *const words[] = { "re",   "aw",  "sv", "vs", "fw", "fwd",
					     "antw", "odp", "rv", "tr", NULL };
	size_t n = 0;

	if (len < 2 || s[len - 1] != ':')
		return false;
	while (n < len && g_ascii_isalpha(s[n]))
		n++;
	if (n + 1 < len && s[n] != '[')
		return false;
	return parser_word_is(s, n, words);
}

/* The text between brackets at *p; *p moves behind them. */
static const char *take_brackets(const char **p, size_t *len)
{
	const char *close = **p == '[' ? strchr(*p, ']') : NULL;
	const char *s = *p + 1;

	if (!close)
		return NULL;
	*len = (size_t)(close - s);
	*p = close + 1;
	return s;
}

/* "linus:master": a tree and its branch, which may hold colons and slashes. */
static void read_tree(const char *s, size_t len, report_subject *subject)
{
	const char *colon = memchr(s, ':', len);

	if (!colon || colon == s || subject->tree || memchr(s, ' ', len))
		return;
	subject->tree = g_strndup(s, (size_t)(colon - s));
	subject->branch = g_strndup(colon + 1, len - (size_t)(colon + 1 - s));
}

static const char *skip_prefixes(const char *p, report_subject *subject)
{
	const char *end = p + strlen(p);

	for (;;) {
		const char *q, *s;
		size_t n;

		while (*p == ' ' || *p == '\t' || *p == ':')
			p++;
		s = take_brackets(&p, &n);
		if (s) {
			read_tree(s, n, subject);
			if (n == 13 && g_ascii_strncasecmp(s, "lkp-developer", n) == 0)
				subject->developer = true;
			continue;
		}
		q = p;
		s = parser_word_next(&q, end, &n);
		if (!s || !is_reply_prefix(s, n))
			return p;
		subject->is_reply = true;
		p = q;
	}
}

static bool read_commit(const char **p, report_subject *subject)
{
	const char *q = *p, *s;
	size_t n;

	s = parser_word_next(&q, q + strlen(q), &n);
	if (!s || n < 8 || n > 41 || s[n - 1] != ':')
		return false;
	for (size_t i = 0; i + 1 < n; i++)
		if (!g_ascii_isxdigit(s[i]))
			return false;
	subject->commit = g_ascii_strdown(s, (gssize)n - 1);
	*p = q;
	return true;
}

/* Metric, change and kind, in any order and among other words. */
static void read_facts(const char *p, report_subject *subject)
{
	const char *end = p + strlen(p), *s;
	size_t n;

	while ((s = parser_word_next(&p, end, &n))) {
		if (!subject->has_change &&
		    report_change_read(s, n, &subject->change, &subject->is_signed))
			subject->has_change = true;
		else if (subject->kind == PARSER_KIND_UNKNOWN &&
			 report_kind_read(s, n) != PARSER_KIND_UNKNOWN)
			subject->kind = report_kind_read(s, n);
		else if (!subject->metric && cell_is_metric(s, n))
			subject->metric = g_strndup(s, n);
	}
}

void report_subject_read(const char *text, report_subject *subject)
{
	const char *p;

	*subject = (report_subject){ 0 };
	if (!text)
		return;
	p = skip_prefixes(text, subject);
	if (read_commit(&p, subject))
		read_facts(p, subject);
}
