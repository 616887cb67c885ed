/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mail's text as the lines that a robot wrote: quote marks taken off, and text that
 * an archive collapsed into one line cut up again where a robot's lines begin.
 */
#ifndef PARSER_ROBOT_LINES_H
#define PARSER_ROBOT_LINES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "parser/mail.h"

/* One line; nothing is copied, s points into the mail's text and is not terminated. */
typedef struct text_line {
	const char *s;         /* behind quote marks and leading blanks */
	size_t len;            /* without trailing blanks and line end */
	size_t offset;         /* of s in the mail's text */
	unsigned indent;       /* blanks before s, behind the quote marks */
	unsigned depth;        /* quote marks taken off */
	bool quoted;           /* somebody else's words */
	bool cut;              /* a piece of a collapsed line */
	parser_span_kind kind; /* of the span that it stands in */
} text_line;

/*
 * Lines that are kept of one mail, and bytes of a line that is cut up: far beyond any
 * report, and few enough for memory.  What stands behind them is not searched.
 */
#define PARSER_LINES_MAX     (2u << 20)
#define PARSER_COLLAPSED_MAX (2u << 20)

/*
 * The lines of a mail, text_line; of a long run without words the first ones.  Linear
 * in the length of the text.
 */
GArray *parser_lines(const parser_mail *mail);

/* Appends the lines that a collapsed line stands for; model is the whole of it. */
void parser_lines_uncollapse(const text_line *model, GArray *lines);

/* True if a line is long and speaks as a report does: it must be cut up. */
bool parser_line_is_collapsed(const text_line *line);

/* The line number i, which must exist. */
static inline const text_line *parser_line_at(const GArray *lines, size_t i)
{
	return &g_array_index(lines, text_line, i);
}

/* True if the line begins with prefix (ASCII, any case). */
bool parser_line_starts(const text_line *line, const char *prefix);

/* The next word of [*p, end): blanks skipped; NULL at the end.  *p moves behind it. */
const char *parser_word_next(const char **p, const char *end, size_t *len);

/* True if the word (s, len) is one that the lists `words` (NULL at its end) has. */
bool parser_word_is(const char *s, size_t len, const char *const *words);

#endif
