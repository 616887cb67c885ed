/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - a conversation in lines over a wire, and raw bytes between them.
 *
 * For protocols that we speak ourselves (IMAP, NNTP) instead of by libetpan.
 */
#ifndef MAILER_LINES_H
#define MAILER_LINES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "mailer/wire.h"

typedef struct lines lines;

/* Owns the wire, which must not have a stream. */
lines *lines_new(wire *w);
void lines_free(lines *l);
wire *lines_wire(const lines *l);

/* What is read and written next must be done within so many seconds. */
void lines_allow(lines *l, unsigned seconds);

/*
 * The next line, without CRLF or LF, with a NUL behind it; lent until the next call.
 * NULL with *error set: MAILER_ERROR_FORMAT when it is longer than max.
 */
char *lines_next(lines *l, size_t max, size_t *length, GError **error);

/* So many bytes, appended to `into` (NULL: thrown away). */
bool lines_take(lines *l, size_t n, GByteArray *into, GError **error);

bool lines_send(lines *l, const char *bytes, size_t length, GError **error);

/* Whether there is something to read without waiting for the socket. */
bool lines_pending(const lines *l);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(lines, lines_free)

#endif
