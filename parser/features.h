/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verdict of a mail is decided from; private to parser. */
#ifndef PARSER_FEATURES_H
#define PARSER_FEATURES_H

#include "parser/prose.h"
#include "parser/rules.h"

#define FEATURE_NO_SENTENCE (-1)
#define FEATURE_NO_RULE     (-1)

/*
 * Something that is true of a mail: "rule:expected/price" when a rule's words stand
 * there, with "~not", "~if" or "~ask" after it in such a context; "mail:patch" and the
 * like for the mail as a whole.
 */
typedef struct feature {
	const char *name; /* owned by the features */
	int sentence;     /* that shows it, or FEATURE_NO_SENTENCE */
	int rule;         /* of the book of verdicts, or FEATURE_NO_RULE */
} feature;

typedef struct features {
	prose *text;
	GArray *list; /* feature; each name at most once in a sentence */
	GStringChunk *strings;
	bool team; /* the author belongs to a robot's team */
} features;

/*
 * Reads the features of a mail: what is true of it as a whole, then what rules find in
 * its sentences, in their order.
 */
features *features_read(const parser_reading *reading, const parser_rules *rules);
/* The sentences that count: of a report, only what its author wrote above it. */
prose *features_prose(const parser_reading *reading);

void features_free(features *f);

/* True if a Tested-by: trailer in the mail's own text names its author. */
bool features_tested_by_author(const parser_reading *reading);

/* True if the author of the mail speaks for a robot that sends reports. */
bool features_is_team(const parser_mail *mail, const phrase_book *book);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(features, features_free)

#endif
