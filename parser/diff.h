/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_DIFF_H
#define PARSER_DIFF_H

#include <stdbool.h>
#include <stddef.h>

/* The two counts of "@@ -a,b +c,d @@"; false if the line is none. */
bool diff_hunk_counts(const char *line, size_t length, unsigned *old, unsigned *new);

/* A line of those above the hunks of a file. */
bool diff_is_head(const char *line, size_t length);

#endif
