/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nntp - a session with a news server (RFC 3977), spoken by ourselves. */
#ifndef MAILER_NNTP_H
#define MAILER_NNTP_H

#include <glib.h>
#include <stdbool.h>

#include "mailer/lines.h"
#include "mailer/options.h"
#include "mailer/server_url.h"

#define NNTP_LINE_MAX 4096 /* of answers; the standard has 512 */

typedef struct nntp {
	const server_url *url;
	const mailer_options *options;
	unsigned timeout;
	lines *lines;
} nntp;

/*
 * Connects, turns to TLS and logs in if there is a password.  URL and options are lent
 * until nntp_close().  Errors do not name the server.
 */
nntp *nntp_open(const server_url *url, const mailer_options *options, GError **error);
/* The same over a connection that is there, which it owns. */
nntp *nntp_begin(wire *w, const server_url *url, const mailer_options *options,
		 GError **error);
void nntp_close(nntp *n);

/*
 * The first line of an answer: its code, and in *text what is behind it, lent until the
 * next line is read.  0 with *error set when there is none.
 */
unsigned nntp_answer(nntp *n, const char **text, GError **error);
/* Sends a command, without its line end, and reads that. */
unsigned nntp_ask(nntp *n, const char *command, const char **text, GError **error);

/* Sets *error from an answer that was not hoped for: 4xx may pass.  Always false. */
bool nntp_refuse(unsigned code, const char *text, GError **error);

/*
 * The next line of a block of lines, its dot undone; *end at the end of the block.
 * NULL with *error set, or at the end.
 */
const char *nntp_line(nntp *n, size_t max, size_t *length, bool *end, GError **error);

/* The text of an article, lines ending with LF; *into NULL when it is too large. */
bool nntp_article(nntp *n, GByteArray **into, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(nntp, nntp_close)

#endif
