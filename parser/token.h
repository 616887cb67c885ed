/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of prose as tokens; private to parser. */
#ifndef PARSER_TOKEN_H
#define PARSER_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/prose.h"

typedef enum token_line_kind {
	TOKEN_LINE_BLANK,
	TOKEN_LINE_PROSE,
	TOKEN_LINE_ITEM, /* of a list: begins a sentence */
	TOKEN_LINE_DATA  /* figures, logs, code, trailers */
} token_line_kind;

typedef struct token_line {
	const char *text; /* of the mail */
	size_t at, end;
	bool breaks; /* a lone dash or bracket was passed over */
	bool closes; /* a salutation or "Thanks,": the sentence ends with it */
} token_line;

typedef struct token {
	prose_kind kind;
	char text[2 * PROSE_WORD_MAX + 2]; /* lower case; "do not" for "don't" */
	size_t start, end;                 /* without punctuation around */
	size_t whole_start, whole_end;     /* with it */
	bool breaks_before, breaks_after;  /* a clause ends there */
	bool ends, question;               /* the sentence ends after it */
} token;

token_line_kind token_line_init(token_line *line, const char *text, size_t start,
				size_t end);

/*
 * The next token of the line; false at its end.  Its text is empty when only the end of
 * the sentence stood there.
 */
bool token_next(token_line *line, token *t);

#endif
