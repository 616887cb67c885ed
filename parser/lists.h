/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of metric names: data files under templates/metrics/ that an operator can
 * read and override.  The format is described in docs/formats.md: one entry a line,
 * words and globs (* and ? and [...] of a few characters), '#' comments.  Matching
 * takes time linear in the length of the name whatever the pattern.
 */
#ifndef PARSER_LISTS_H
#define PARSER_LISTS_H

#include <glib.h>
#include <stdbool.h>

typedef struct parser_lists parser_lists;

typedef enum parser_sense {
	PARSER_SENSE_UNKNOWN,
	PARSER_SENSE_MORE, /* more is better */
	PARSER_SENSE_LESS  /* less is better */
} parser_sense;

/* A new, empty set of lists. */
parser_lists *parser_lists_new(void);
void parser_lists_free(parser_lists *lists);

/*
 * Adds the list `name` ("sense", "tests", "deny" ...) from its text; a list of the same
 * name is replaced.  text need not be NUL-terminated.  PARSER_ERROR_SYNTAX names the
 * list and the line.
 */
bool parser_lists_add(parser_lists *lists, const char *name, const char *text,
		      size_t len, GError **error);

/* True if the list `name` has an entry that matches the whole of `metric`. */
bool parser_lists_match(const parser_lists *lists, const char *name,
			const char *metric);

/* The value of the first matching entry of a list of "pattern value" lines, else NULL.
 */
const char *parser_lists_value(const parser_lists *lists, const char *name,
			       const char *metric);

/* Whether more or less of this metric is better, by the list "sense". */
parser_sense parser_lists_sense(const parser_lists *lists, const char *metric);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_lists, parser_lists_free)

#endif
