/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/spans.h"

#include <string.h>

#include "parser/lines.h"

#define BLANKS_MAX 3 /* empty lines that are told apart */

bool line_is_blank(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p == end || (end - p == 2 && memcmp(p, "\xc2\xa0", 2) == 0);
}

bool line_holds(const lines *l, guint i, const char *word)
{
	return memmem(line_body(l, i), line_length(l, i), word, strlen(word)) != NULL;
}

bool line_is_free(const lines *l, guint i)
{
	return !l->list[i].settled && l->list[i].depth == 0;
}

void lines_settle(lines *l, guint from, guint to, parser_span_kind kind)
{
	for (guint i = from; i < to && i < l->n; i++)
		if (!l->list[i].settled) {
			l->list[i].kind = kind;
			l->list[i].settled = true;
		}
}

/*
 * Lines end at line ends, and in collapsed text where a section ends.  Of a long run of
 * empty lines the first ones stand for all: the rest says nothing and may be millions.
 */
static void split(lines *l, size_t length, const GArray *sections)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(line));
	size_t at = 0;
	guint next = 0; /* section that may end in the line */
	guint blanks = 0;

	while (at < length) {
		const char *nl = memchr(l->text + at, '\n', length - at);
		size_t end = nl ? (size_t)(nl - l->text) : length, after = end + 1;

		while (next < sections->len &&
		       g_array_index(sections, section, next).end <= at)
			next++;
		if (next < sections->len &&
		    g_array_index(sections, section, next).end < end)
			after = end = g_array_index(sections, section, next).end;
		line one = { at, end, at, 0, PARSER_SPAN_OWN, false };
		bool first = next < sections->len &&
			     g_array_index(sections, section, next).start == at;

		blanks = end > at || first ? 0 : blanks + 1;
		if (blanks <= BLANKS_MAX)
			g_array_append_val(list, one);
		at = after;
	}
	l->n = list->len;
	l->list = (line *)(void *)g_array_free(list, FALSE);
}

static void apply_sections(lines *l, const GArray *sections)
{
	guint i = 0;

	for (guint s = 0; s < sections->len; s++) {
		const section *part = &g_array_index(sections, section, s);

		while (i < l->n && l->list[i].start < part->start)
			i++;
		for (; i < l->n && l->list[i].start < part->end; i++) {
			if (part->kind == PARSER_SPAN_OWN)
				continue;
			lines_settle(l, i, i + 1, part->kind);
			l->list[i].depth = part->kind == PARSER_SPAN_QUOTE;
		}
	}
}

/* A blank line between two lines of one kind belongs to them. */
static void fill_blanks(lines *l)
{
	for (guint i = 1; i < l->n; i++) {
		guint j = i;

		while (j < l->n && l->list[j].depth == 0 &&
		       l->list[j].kind == PARSER_SPAN_OWN && line_is_blank(l, j))
			j++;
		if (j > i && j < l->n && l->list[j].kind == l->list[i - 1].kind &&
		    l->list[j].depth == l->list[i - 1].depth)
			for (guint k = i; k < j; k++) {
				l->list[k].kind = l->list[j].kind;
				l->list[k].depth = l->list[j].depth;
			}
		i = j;
	}
}

static void merge(const lines *l, parser_mail *mail)
{
	for (guint i = 0; i < l->n; i++) {
		const line *x = &l->list[i];
		parser_span s = { x->kind, x->depth, x->start,
				  i + 1 < l->n ? l->list[i + 1].start :
						 mail->text_length };
		parser_span *last = mail->spans->len ?
					    &g_array_index(mail->spans, parser_span,
							   mail->spans->len - 1) :
					    NULL;

		if (last && last->kind == s.kind && last->depth == s.depth)
			last->end = s.end;
		else
			g_array_append_val(mail->spans, s);
	}
}

void spans_read(parser_mail *mail, const GArray *sections)
{
	lines l = { .mail = mail, .text = mail->text };

	split(&l, mail->text_length, sections);
	apply_sections(&l, sections);
	quotes_mark(&l);
	patches_mark(&l);
	headers_mark(&l);
	signature_mark(&l);
	attributions_mark(&l);
	reports_mark(&l);
	fill_blanks(&l);
	merge(&l, mail);
	g_free(l.list);
}
