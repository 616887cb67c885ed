/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patches that a mail offers, in whatever form, ready to be applied. */
#ifndef PARSER_PATCH_H
#define PARSER_PATCH_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/mail.h"

#define PARSER_PATCHES_MAX 100 /* of one mail */

typedef enum parser_patch_form {
	PARSER_PATCH_MAIL,     /* the mail is the patch, as git send-email makes it */
	PARSER_PATCH_INLINE,   /* a diff below or between words */
	PARSER_PATCH_SCISSORS, /* what stands below "-- 8< --" */
	PARSER_PATCH_ATTACHED,
	PARSER_PATCH_BRANCH /* a repository and a branch to pull from */
} parser_patch_form;

/* "mail", "inline", "scissors", "attached", "branch". */
const char *parser_patch_form_name(parser_patch_form form);

typedef struct parser_patch {
	parser_patch_form form;
	char *title;   /* of the commit, without "[PATCH ...]"; NULL if it has none */
	char *author;  /* "Name <address>" if it is not the mail's author; or NULL */
	int64_t date;  /* when it was written; 0 if nobody says */
	char *message; /* body of the commit's message; "" if none */
	char *diff;    /* whole lines with LF; NULL for a branch */
	char *url, *branch; /* of a branch; branch may be NULL */
	char *problem; /* why no program can apply it, with the line; NULL if it may */
} parser_patch;

void parser_patch_free(parser_patch *patch);

/*
 * The patches that the author of the mail offers (parser_patch *): quoted ones and
 * those of robots and bots are none.  One that mail programs damaged is mended where
 * that is certain (format=flowed), and else has a problem.
 */
GPtrArray *parser_patches_read(const parser_mail *mail);

/* Checks a diff by the counts of its hunks and cuts off what follows it.  Returns what
 * is wrong (g_free), NULL if nothing.  line: of the diff's first line, for the words.
 */
char *parser_diff_check(GString *diff, unsigned line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_patch, parser_patch_free)

#endif
