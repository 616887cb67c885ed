/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The author's own text as sentences and words; private to parser. */
#ifndef PARSER_PROSE_H
#define PARSER_PROSE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "parser/mail.h"

#define PROSE_WORDS_MAX    400000u /* of one mail; what follows is not read */
#define PROSE_SENTENCE_MAX 100u    /* words; longer ones are cut */
#define PROSE_WORD_MAX     80u     /* bytes of a word that count */

typedef enum prose_kind {
	PROSE_WORD,
	PROSE_NUMBER,
	PROSE_PERCENT,
	PROSE_HASH, /* 7 to 40 hex digits with a decimal one */
	PROSE_URL,
	PROSE_NAME, /* an identifier: try_charge(), dev->max_sectors, ata_piix.c */
	PROSE_SMILEY,
	PROSE_CULPRIT /* a hash that is the blamed commit's */
} prose_kind;

typedef struct prose_word {
	const char *text; /* lower case; owned by the prose */
	guint id;         /* the same for the same text, from 0 */
	prose_kind kind;
	bool breaks; /* a clause ends before it: comma, bracket, dash */
	bool quoted; /* one of several words within "..." */
	bool capital;
	size_t start, end; /* in the mail's text */
} prose_word;

typedef struct prose_sentence {
	guint first, count; /* of its words */
	size_t start, end;  /* in the mail's text, punctuation included */
	guint paragraph;
	bool question; /* ends in a question mark */
} prose_sentence;

typedef struct prose {
	GArray *words;     /* prose_word */
	GArray *sentences; /* prose_sentence */
	guint distinct;    /* number of word ids */
	guint data_lines;  /* own lines that are no prose: logs, figures, code */
	GHashTable *ids;   /* text -> id + 1 */
	GStringChunk *strings;
} prose;

/*
 * Reads the own text of a mail.  Never NULL.  culprit is the blamed commit's hash, at
 * least seven digits, or NULL if it is unknown; what begins at `limit` is not read.
 */
prose *prose_read(const parser_mail *mail, const char *culprit, size_t limit);
void prose_free(prose *p);

const prose_word *prose_word_at(const prose *p, guint index);
const prose_sentence *prose_sentence_at(const prose *p, guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(prose, prose_free)

#endif
