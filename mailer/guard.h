/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_GUARD_H
#define MAILER_GUARD_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* What a server may send; 0 = any. */
typedef struct guard_caps {
	size_t line;    /* the longest line */
	size_t literal; /* the largest IMAP literal; 0: "{N}" has no meaning here */
	unsigned depth; /* open parentheses in one answer */
} guard_caps;

/* Watches what comes in before a parser sees it; starts as { .caps = ... }. */
typedef struct guard {
	guard_caps caps;
	size_t line;         /* bytes of the present line */
	size_t literal_left; /* bytes of a literal still to come */
	unsigned depth;
	char tail[24]; /* the last bytes of the present line */
	size_t n_tail;
} guard;

/* False with *error set (MAILER_ERROR_FORMAT) when these bytes pass a cap. */
bool guard_feed(guard *g, const char *bytes, size_t length, GError **error);

#endif
