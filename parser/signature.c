/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signatures, and what lists and gateways append below them. */
#include <string.h>

#include "parser/lines.h"

#define SIGNATURE_LINES_MAX 40
#define SIGNATURE_WIDTH     76 /* bytes; a longer line below a blank one is prose */
#define FOOTER_LINES_MAX    25

/* A line of nothing but underscores, dashes or equal signs. */
static bool is_rule(const lines *l, guint i, size_t least)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;

	while (end > p && strchr(" \t", end[-1]))
		end--;
	if ((size_t)(end - p) < least || !strchr("_-=*", *p))
		return false;
	for (const char *s = p; s < end; s++)
		if (*s != *p)
			return false;
	return true;
}

static bool is_list_talk(const lines *l, guint i)
{
	static const char *const words[] = { "unsubscribe", "mailing list",
					     "listinfo",    "List archives",
					     "majordomo",   "Unsubscribe" };

	for (size_t k = 0; k < G_N_ELEMENTS(words); k++)
		if (line_holds(l, i, words[k]))
			return true;
	return false;
}

/* From the end: the first line of what a list appended, or n. */
static guint footer_start(const lines *l)
{
	guint found = l->n;
	bool talk = false;

	for (guint n = 0, i = l->n; i > 0 && n < FOOTER_LINES_MAX; n++, i--) {
		if (l->list[i - 1].depth)
			break;
		talk = talk || is_list_talk(l, i - 1);
		if (line_begins(l, i - 1, "To unsubscribe"))
			found = i - 1;
		if (talk &&
		    (is_rule(l, i - 1, 10) || (found == i && is_rule(l, i - 1, 1))))
			found = i - 1;
	}
	return found;
}

/* "2.39.2": what git writes below a patch. */
static bool is_version(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;
	bool dot = false;

	if (p >= end || end - p > 30 || !g_ascii_isdigit(*p))
		return false;
	for (; p < end; p++) {
		dot = dot || *p == '.';
		if (!g_ascii_isalnum(*p) && !strchr(".-_ ", *p))
			return false;
	}
	return dot;
}

/* True if what stands in [i, end) is too much for the rest of a signature. */
static bool is_prose(const lines *l, guint i, guint end)
{
	guint words = 0;

	for (; i < end; i++) {
		if (line_length(l, i) > SIGNATURE_WIDTH)
			return true;
		words += !line_is_blank(l, i);
	}
	return words > 6;
}

static guint signature_end(const lines *l, guint i)
{
	guint end = i + 1, first = 0;

	if (end < l->n && line_is_free(l, end) && is_version(l, end))
		return end + 1;
	while (end < l->n && end - i < SIGNATURE_LINES_MAX && line_is_free(l, end)) {
		if (!first && end > i + 1 && line_is_blank(l, end))
			first = end;
		end++;
	}
	return first && is_prose(l, first, end) ? first : end;
}

/* "--" without its blank is one only near the end of an author's words. */
static bool is_signature(const lines *l, guint i)
{
	size_t n = line_length(l, i);

	if (line_begins(l, i, "-- ") && n == 3)
		return true;
	if (!line_begins(l, i, "--") || n != 2)
		return false;
	guint end = signature_end(l, i);

	return end - i <= 10 && i > 0;
}

void signature_mark(lines *l)
{
	guint footer = footer_start(l);

	if (footer < l->n)
		lines_settle(l, footer, l->n, PARSER_SPAN_FOOTER);
	for (guint i = 0; i < l->n; i++)
		if (line_is_free(l, i) && is_signature(l, i)) {
			guint end = signature_end(l, i);

			/* Lines that lead to a quote attribute it. */
			while (end < l->n && end > i + 1 && l->list[end].depth &&
			       !line_is_blank(l, end - 1))
				end--;
			lines_settle(l, i, end, PARSER_SPAN_SIGNATURE);
			i = end - 1;
		}
}
