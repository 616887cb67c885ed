/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Phrases over words, as an operator writes them in templates/rules/; private to
 * parser. docs/rules.md describes the language.  Every phrase is a short automaton
 * without loops, run once over the words of a sentence: time is linear in the text.
 */
#ifndef PARSER_PHRASES_H
#define PARSER_PHRASES_H

#include <glib.h>
#include <stdbool.h>

#include "parser/prose.h"

#define PHRASE_ITEMS_MAX 63u /* words and places of gaps in one phrase */

typedef enum phrase_context {
	PHRASE_NEGATED = 1 << 0,     /* a negation stands before it in the clause */
	PHRASE_CONDITIONAL = 1 << 1, /* "if", "whether" ... in the sentence */
	PHRASE_QUESTION = 1 << 2,    /* the sentence asks */
	PHRASE_DENIED = 1 << 3,      /* in what a scope of the file denies */
	PHRASE_SAID = 1 << 4,        /* in what others say, by a scope */
	PHRASE_ELSE = 1 << 5         /* in what is about another thing, by a scope */
} phrase_context;

/* How far a scope reaches from the first of its words on. */
typedef enum phrase_reach {
	PHRASE_REACH_CLAUSE,  /* until the clause ends */
	PHRASE_REACH_REST,    /* until the sentence ends, or turns ("but") */
	PHRASE_REACH_SENTENCE /* all of it */
} phrase_reach;

typedef struct phrase_rule {
	char *label; /* verdict or mechanism; of a scope the context */
	char *name;  /* of the rule; label if none was given */
	GPtrArray
		*options; /* char *, further words of the heading: "object" "even-if" */
	unsigned ignores; /* contexts that do not matter to it */
	unsigned scope;   /* the context that its words put others in; 0 for a rule */
	phrase_reach reach;
	bool only_ask; /* it means something in questions only */
	double weight; /* prior weight, 1 by default */
} phrase_rule;

typedef struct phrase_book phrase_book;

/* One match. */
typedef struct phrase_hit {
	guint rule;
	guint first, last; /* words, first and last of the match */
	unsigned context;  /* of phrase_context, less what the rule ignores */
} phrase_hit;

phrase_book *phrase_book_parse(const char *name, const char *text, size_t length,
			       GError **error);
void phrase_book_free(phrase_book *book);

const phrase_rule *phrase_book_rule(const phrase_book *book, guint index);
bool phrase_rule_has(const phrase_rule *rule, const char *option);

/* Whether the word of the text is in the class `let NAME = ...`. */
bool phrase_book_in_class(const phrase_book *book, const char *name, const char *word);

/* What one mail's words are to a book: computed once, used for all sentences. */
typedef struct phrase_matcher phrase_matcher;

phrase_matcher *phrase_matcher_new(const phrase_book *book, const prose *p);
void phrase_matcher_free(phrase_matcher *m);

/* Appends a phrase_hit for each match in the sentence, in order of their ends. */
void phrase_match(phrase_matcher *m, const prose_sentence *s, GArray *hits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(phrase_book, phrase_book_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(phrase_matcher, phrase_matcher_free)

#endif
