/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compiled form of a rule file; private to phrase_*.c. */
#ifndef PARSER_PHRASE_BOOK_H
#define PARSER_PHRASE_BOOK_H

#include "parser/phrases.h"

typedef enum phrase_item_kind {
	PHRASE_ATOM, /* one word of a set */
	PHRASE_GAP,  /* any word but a stop word, in the same clause */
	PHRASE_WIDE  /* any word */
} phrase_item_kind;

typedef struct phrase_item {
	phrase_item_kind kind;
	bool optional;
	bool tight;    /* follows a gap that must not cross the end of a clause */
	bool inverted; /* any word but one of the set */
	guint atom;
} phrase_item;

typedef struct phrase {
	guint rule;
	bool veto;             /* "unless": voids the rule's matches in the sentence */
	bool at_start, at_end; /* of the sentence */
	guint n_items;
	phrase_item items[PHRASE_ITEMS_MAX];
} phrase;

/*
 * A set of words is an atom.  Words point to the atoms that they belong to, so that a
 * word is looked up once however many phrases there are.
 */
struct phrase_book {
	GPtrArray *rules;    /* phrase_rule * */
	GPtrArray *phrases;  /* phrase * of rules */
	GPtrArray *scopes;   /* phrase * of scopes */
	GHashTable *classes; /* name -> "a b c*" */
	GHashTable *atoms;   /* alternatives as written -> atom + 1 */
	GHashTable *words;   /* literal -> GArray of atoms */
	GHashTable *stems;   /* prefix -> GArray of atoms */
	GHashTable *tails;   /* suffix -> GArray of atoms */
	GHashTable *parts;   /* part of a name -> GArray of atoms */
	GArray *kinds;       /* unsigned: bits of prose_kind, one per atom */
	guint n_atoms;
	guint stop, negator, conditional, turn; /* atoms of these classes */
};

/* What a rule of a scope reaches, by its label and name; false if they do not say. */
bool phrase_scope_read(phrase_rule *rule);

#endif
