/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_DIFF_H
#define PARSER_DIFF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Lines of a patch, without their line ends.  The two counts of "@@ -a,b +c,d @@";
 * false if the line is none.
 */
bool diff_hunk_counts(const char *line, size_t length, unsigned *old, unsigned *new);

/* A line of those above the hunks of a file. */
bool diff_is_head(const char *line, size_t length);

/* "---8<---", "-- >8 --": only the mark, dashes and words about cutting. */
bool diff_is_scissors(const char *line, size_t length);

/* "From <hash> Mon Sep 17 00:00:00 2001": how git begins a patch in a mailbox. */
bool diff_is_mbox_line(const char *line, size_t length);

#endif
