/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quote marks: ">", "> >", "PZ> ", ": "; and tails that a client's line wrap broke off.
 */
#include <string.h>

#include "parser/lines.h"
#include "parser/wrap.h"

#define DEPTH_MAX    100 /* marks counted on one line */
#define WRAP_MIN     66  /* columns of a quoted line that a client may have wrapped */
#define TAIL_MAX     40  /* and of what it broke off */
#define TAIL_LINES   20  /* of one quoted line */
#define INITIALS_MAX 4

/*
 * Depth of the marks at p; *body is where the text begins.  In flowed text a blank
 * before
 * '>' should mean that it is no mark, but clients send their quotes so: " > x" is one.
 */
static unsigned marks(const char *p, const char *end, bool flowed, const char **body)
{
	const char *s = p;
	unsigned depth = 0;

	while (s < end && s - p < 3 && *s == ' ')
		s++;
	if (flowed && s > p && s + 1 < end && *s == '>' && s[1] != ' ' && s[1] != '>')
		s = end;
	while (s < end && *s == '>' && depth < DEPTH_MAX) {
		depth++;
		s++;
		if (s + 1 < end && *s == ' ' && s[1] == '>')
			s++;
	}
	if (depth && s < end && *s == ' ')
		s++;
	*body = depth ? s : p;
	return depth;
}

/* Length of "PZ>", "Joe>" or ":" at p, behind which a blank or the end stands. */
static size_t odd_mark(const char *p, const char *end)
{
	size_t n = 0;

	if (p < end && *p == ':')
		return p + 1 == end || p[1] == ' ' ? 1 : 0;
	while (p + n < end && n <= INITIALS_MAX && g_ascii_isalpha(p[n]))
		n++;
	if (n < 1 || n > INITIALS_MAX || !g_ascii_isupper(*p) || p + n >= end ||
	    p[n] != '>')
		return 0;
	return p + n + 1 == end || p[n + 1] == ' ' || p[n + 1] == '>' ? n + 1 : 0;
}

/* Such are marks if two lines that stand together have the same ones. */
static void mark_odd(lines *l)
{
	size_t before = 0;

	for (guint i = 0; i < l->n; i++) {
		line *x = &l->list[i];
		const char *p = l->text + x->start, *end = l->text + x->end;
		size_t n = x->depth || x->settled ? 0 : odd_mark(p, end);

		if (n && n == before &&
		    memcmp(p, l->text + l->list[i - 1].start, n) == 0) {
			for (guint j = i - 1; j <= i; j++) {
				l->list[j].depth = 1;
				l->list[j].body =
					MIN(l->list[j].start + n + 1, l->list[j].end);
			}
		}
		before = n;
	}
}

/* "wrapped": lower case or a symbol, short, with quoted lines close around it. */
static bool is_broken_tail(const lines *l, guint i)
{
	const line *before = &l->list[i - 1], *x = &l->list[i],
		   *after = &l->list[i + 1];
	size_t length = x->end - x->start;
	char c = l->text[x->start];

	if (x->depth || x->settled || !before->depth || !after->depth || !length ||
	    length > TAIL_MAX || before->end - before->start < WRAP_MIN ||
	    line_is_blank(l, i - 1))
		return false;
	if (c == ' ' || g_ascii_isupper(c))
		return false;
	/* An answer ends like a sentence; a broken-off tail mostly does not. */
	return !strchr(".?!", l->text[x->end - 1]) || g_ascii_islower(c);
}

static void mark_broken_tails(lines *l)
{
	for (guint i = 1; i + 1 < l->n; i++)
		if (is_broken_tail(l, i) &&
		    !strchr(".?!:", l->text[l->list[i - 1].end - 1]))
			l->list[i].depth = l->list[i - 1].depth;
}

/* True if the first word of line i would not have fitted on the line before. */
static bool is_full(const lines *l, guint i)
{
	const line *before = &l->list[i - 1], *x = &l->list[i];

	return wrap_is_full(l->text + before->start, before->end - before->start,
			    l->text + x->start, x->end - x->start);
}

/*
 * All that stands between two quoted lines without a blank line, when each line begins
 * where a wrapped one would: what it says was in the quote.
 */
static void mark_squeezed(lines *l, guint quote)
{
	guint end = quote + 1;

	while (end < l->n && end - quote <= TAIL_LINES && !l->list[end].depth &&
	       !l->list[end].settled && !line_is_blank(l, end) && is_full(l, end))
		end++;
	if (end == l->n || !l->list[end].depth || line_is_blank(l, quote))
		return;
	for (guint i = quote + 1; i < end; i++)
		l->list[i].depth = l->list[quote].depth;
}

void quotes_mark(lines *l)
{
	for (guint i = 0; i < l->n; i++) {
		line *x = &l->list[i];
		const char *body, *p = l->text + x->start;

		if (x->settled)
			continue;
		x->depth = marks(p, l->text + x->end, l->mail->flowed, &body);
		x->body = (size_t)(body - l->text);
	}
	mark_odd(l);
	mark_broken_tails(l);
	for (guint i = 0; i + 1 < l->n; i++)
		if (l->list[i].depth && !l->list[i + 1].depth)
			mark_squeezed(l, i);
	for (guint i = 0; i < l->n; i++)
		if (l->list[i].depth && !l->list[i].settled) {
			l->list[i].kind = PARSER_SPAN_QUOTE;
			l->list[i].settled = true;
		}
}
