/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "On ... wrote:", over several lines and in many tongues. */
#include <string.h>

#include "parser/lines.h"

#define LINES_MAX 4 /* of one attribution */
#define BLANK_MAX 2 /* between it and the quote */

/* Words for "wrote", with the blank that must stand before those in Latin letters. */
static const char *const verbs[] = {
	/* clang-format off */
	" wrote", " writes", " said", " says", " schrieb", " geschrieben", " \xc3\xa9""crit",
	" escribi\xc3\xb3", " scritto", " scrisse", " schreef", " skrev", " kirjoitti",
	" napisa\xc5\x82", " napsal", " p\xc3\xad\xc5\xa1""e", " escreveu", " \xc3\xadrta",
	" yazd\xc4\xb1",
	"\xd0\xbf\xd0\xb8\xd1\x88\xd0\xb5\xd1\x82", "\xd0\xbf\xd0\xb8\xd1\x81\xd0\xb0\xd0\xbb",
	"\xe5\x86\x99\xe9\x81\x93", "\xe5\xaf\xab\xe9\x81\x93", "\xe5\x86\x99\xe5\x88\xb0",
	"\xe6\x9b\xb8\xe3\x81\x8d\xe3\x81\xbe\xe3\x81\x97\xe3\x81\x9f",
	"\xec\x9e\x91\xec\x84\xb1", "\xec\x93\xb4",
	/* clang-format on */
};

/* How they begin. */
static const char *const openers[] = {
	/* clang-format off */
	"On ", "At ", "Am ", "Le ", "El ", "Il ", "Op ", "Den ", "Em ", "Dne ", "W dniu ", "Dnia ",
	"\xe5\x9c\xa8", "\xe4\xba\x8e", "\xd0\x92 ", "* ", "Quoting ", "Excerpts from ",
	"In article ", "In message ",
	/* clang-format on */
};

static bool has_verb(const char *s)
{
	for (size_t k = 0; k < G_N_ELEMENTS(verbs); k++)
		if (strstr(s, verbs[k]))
			return true;
	return g_str_has_prefix(s, "wrote") || g_str_has_prefix(s, "Quoting ") ||
	       g_str_has_prefix(s, "Excerpts from ");
}

/* Logs and documents "say" things, too: that alone attributes nothing. */
static bool says(const char *s)
{
	return strstr(s, " said") || strstr(s, " says");
}

/* A year of four digits beside other numbers, or a clock time. */
static bool has_date(const char *s)
{
	unsigned numbers = 0;
	bool year = false, time = false;

	while (*s) {
		size_t n = strspn(s, "0123456789");

		if (n) {
			numbers++;
			year = year || (n == 4 && (g_str_has_prefix(s, "19") ||
						   g_str_has_prefix(s, "20")));
			time = time ||
			       (n <= 2 && s[n] == ':' && g_ascii_isdigit(s[n + 1]));
			s += n;
		} else {
			s++;
		}
	}
	return time || (year && numbers >= 2);
}

static bool opens(const char *s)
{
	for (size_t k = 0; k < G_N_ELEMENTS(openers); k++)
		if (*s == *openers[k] && g_str_has_prefix(s, openers[k]))
			return true;
	return false;
}

/* By its first byte: most lines can be told from an opener without a copy of them. */
static bool may_open(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	for (size_t k = 0; p < end && k < G_N_ELEMENTS(openers); k++)
		if (*p == *openers[k])
			return true;
	return false;
}

/* Ends as attributions do: a colon of any width, perhaps a mark or dash behind it. */
static bool ends_with_colon(const char *s)
{
	size_t n = strlen(s);

	while (n && strchr(" >-\t", s[n - 1]))
		n--;
	return n && (s[n - 1] == ':' ||
		     (n >= 3 && memcmp(s + n - 3, "\xef\xbc\x9a", 3) == 0));
}

static bool is_attribution(const char *s)
{
	size_t n = strlen(s);
	bool address = strchr(s, '@') || strchr(s, '<') || strstr(s, "robot");

	if (n > 600)
		return false;
	if (ends_with_colon(s))
		return (has_verb(s) &&
			(address || has_date(s) || (n <= 60 && !says(s)))) ||
		       (has_date(s) && address);
	if (opens(s) && has_date(s) && strchr(s, '@') && s[n - 1] == '>')
		return true; /* "On ... Joe <joe@x>" and no verb */
	return has_verb(s) && has_date(s) && n <= 300 && !strstr(s, ". ");
}

static void join(const lines *l, guint from, guint to, GString *out)
{
	g_string_truncate(out, 0);
	for (guint i = from; i < to; i++) {
		const char *p = line_body(l, i);
		size_t n = MIN(line_length(l, i), 300);

		while (n && strchr(" \t", *p)) {
			p++;
			n--;
		}
		if (out->len)
			g_string_append_c(out, ' ');
		while (n && strchr(" \t\r", p[n - 1]))
			n--;
		g_string_append_len(out, p, (gssize)n);
	}
}

/* The first line of the attribution that ends above line `end`, or `end`. */
static guint find_start(const lines *l, guint end)
{
	g_autoptr(GString) text = g_string_new(NULL);
	guint found = end, i = end;

	while (i > 0 && end - i < LINES_MAX && line_is_free(l, i - 1) &&
	       !line_is_blank(l, i - 1)) {
		i--;
		join(l, i, end, text);
		if (!is_attribution(text->str)) {
			if (found < end)
				break;
			continue;
		}
		g_autoptr(GString) first = g_string_new(NULL);
		join(l, i, i + 1, first);
		bool opener = opens(first->str);

		/* Beyond a complete one, only the line that opens it is taken. */
		if (found == end || opener)
			found = i;
		if (opener)
			break;
	}
	return found;
}

static void mark_above_quote(lines *l, guint quote)
{
	guint end = quote, blanks = 0;

	while (end > 0 && blanks < BLANK_MAX && line_is_free(l, end - 1) &&
	       line_is_blank(l, end - 1)) {
		end--;
		blanks++;
	}
	guint start = find_start(l, end);

	if (start < end)
		lines_settle(l, start, end, PARSER_SPAN_ATTRIBUTION);
}

/*
 * "On ... wrote:" with nothing quoted below: the client set no marks.  If the author
 * has spoken above it, all below is the other's.
 */
static bool mark_unmarked(lines *l, guint i, bool spoken)
{
	guint end = i + 1;

	if (!may_open(l, i))
		return false;
	g_autoptr(GString) text = g_string_new(NULL);

	join(l, i, end, text);
	if (!opens(text->str))
		return false;
	while (end < l->n && end - i < LINES_MAX && line_is_free(l, end) &&
	       !line_is_blank(l, end) && !ends_with_colon(text->str))
		join(l, i, ++end, text);
	if (!ends_with_colon(text->str) || !has_verb(text->str) || !has_date(text->str))
		return false;
	lines_settle(l, i, end, PARSER_SPAN_ATTRIBUTION);
	for (guint j = end; spoken && j < l->n; j++)
		if (line_is_free(l, j)) {
			l->list[j].depth = 1;
			lines_settle(l, j, j + 1, PARSER_SPAN_QUOTE);
		}
	return true;
}

/* "Joe Doe <joe@x> writes:" alone in its paragraph, some greeting before the quote. */
static bool is_lone(const lines *l, guint i)
{
	if (line_length(l, i) > 150 ||
	    !memchr(line_body(l, i), '@', line_length(l, i)) ||
	    (i > 0 && !line_is_blank(l, i - 1)) ||
	    (i + 1 < l->n && !line_is_blank(l, i + 1)))
		return false;
	g_autoptr(GString) text = g_string_new(NULL);

	join(l, i, i + 1, text);
	return ends_with_colon(text->str) && has_verb(text->str) && !says(text->str) &&
	       strstr(text->str, "> ") && strchr(text->str, '@');
}

void attributions_mark(lines *l)
{
	bool spoken = false;

	for (guint i = 1; i < l->n; i++)
		if (l->list[i].depth && l->list[i - 1].depth < l->list[i].depth)
			mark_above_quote(l, i);
	for (guint i = 0; i < l->n; i++) {
		if (!line_is_free(l, i) || line_is_blank(l, i))
			continue;
		if (mark_unmarked(l, i, spoken))
			continue;
		if (is_lone(l, i))
			lines_settle(l, i, i + 1, PARSER_SPAN_ATTRIBUTION);
		else
			spoken = true;
	}
}
