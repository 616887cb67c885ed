/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a scan looks for, as wanted.c keeps it and mentions.c asks it. */
#ifndef PARSER_WANTED_SET_H
#define PARSER_WANTED_SET_H

#include <glib.h>
#include <stdbool.h>

#include "parser/log.h"

#define WANTED_DIGITS     7  /* of a hash, the least that is looked for */
#define WANTED_HASH_MAX   64 /* digits of the longest */
#define WANTED_SIEVE_BITS (1u << 19)

struct parser_wanted {
	guint8 sieve[WANTED_SIEVE_BITS / 8];
	GHashTable *commits;  /* first digits -> GPtrArray of char * */
	GHashTable *titles;   /* canonical -> as added */
	GHashTable *messages; /* set of char * */
	GHashTable *robots;   /* set of char *, lower case */
	GHashTable *dates;    /* set of int64_t * */
	bool any;             /* an id that the sieve cannot tell */
};

/*
 * Whether a hash of those digits may be wanted: false is sure, true means to look. hash
 * has n characters, in either case; fewer than WANTED_DIGITS are never wanted.
 */
bool wanted_may_have_hash(const parser_wanted *w, const char *hash, size_t n);

/*
 * Whether the @ at `at`, in the text that goes from text to end, may be that of a
 * wanted id or address: false is sure.
 */
bool wanted_may_have_at(const parser_wanted *w, const char *text, const char *at,
			const char *end);

#endif
