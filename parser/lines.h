/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text as lines, for those who decide whose words each line holds. */
#ifndef PARSER_LINES_H
#define PARSER_LINES_H

#include <string.h>

#include "parser/mail.h"

typedef struct line {
	size_t start, end; /* without the line end */
	size_t body;       /* behind quote marks */
	unsigned depth;    /* of quoting, by its marks */
	parser_span_kind kind;
	bool settled; /* kind is decided */
} line;

typedef struct lines {
	const parser_mail *mail;
	const char *text;
	line *list;
	guint n;
} lines;

static inline const char *line_body(const lines *l, guint i)
{
	return l->text + l->list[i].body;
}

static inline size_t line_length(const lines *l, guint i)
{
	return l->list[i].end - l->list[i].body;
}

/* True if nothing but blanks stands behind the quote marks. */
bool line_is_blank(const lines *l, guint i);

/* True if the line's text (behind marks) begins with prefix, which is not empty. */
static inline bool line_begins(const lines *l, guint i, const char *prefix)
{
	const char *body = line_body(l, i);

	/* text ends with a NUL: there is a first byte, if only the line end */
	return *body == *prefix && line_length(l, i) >= strlen(prefix) &&
	       memcmp(body, prefix, strlen(prefix)) == 0;
}

/* True if the line's text holds the word. */
bool line_holds(const lines *l, guint i, const char *word);

/* True if line i is undecided, without quote marks. */
bool line_is_free(const lines *l, guint i);

/* Decides lines [from, to) that are not decided yet. */
void lines_settle(lines *l, guint from, guint to, parser_span_kind kind);

/* The steps, in the order in which spans.c takes them. */
void quotes_mark(lines *l);       /* depths by marks; wrapped quotes */
void patches_mark(lines *l);      /* diffs, scissors */
void headers_mark(lines *l);      /* "-----Original Message-----", forwarded */
void signature_mark(lines *l);    /* "-- " and what lists append */
void attributions_mark(lines *l); /* "On ... wrote:" */
void reports_mark(lines *l);      /* template lines, tables, pasted reports */

#endif
