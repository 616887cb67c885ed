/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One SMTP server: the connection (smtp_session.c) and the mails over it (smtp.c). */
#ifndef MAILER_SMTP_H
#define MAILER_SMTP_H

#include <glib.h>
#include <libetpan/mailsmtp.h>

#include "mailer/mailer.h"
#include "mailer/smtp_text.h"
#include "mailer/wire.h"

typedef struct smtp {
	char *name; /* "smtp://host:25", for messages */
	char *host;
	unsigned port;
	bool implicit_tls;
	mailer_options options; /* owns its strings */

	wire *wire;        /* NULL while not connected */
	mailsmtp *session; /* of that wire */
	smtp_offers offers;
	bool used; /* a transaction was begun on this connection */

	unsigned code; /* of the last answer; 0 = there was none */
	char *words;   /* of the last answer, or what went wrong; never NULL */
} smtp;

/*
 * Connects, greets, turns to TLS and logs in as configured; on a living connection
 * makes sure that it lives (RSET) and connects anew if not.
 */
bool smtp_ready(smtp *s, GError **error);

/* The same over a connection that is there: owns it from now on. */
bool smtp_begin(smtp *s, wire *w, GError **error);

/* Sends a command (without CRLF; NULL: none) and reads the answer; returns its code. */
unsigned smtp_ask(smtp *s, const char *command);

/* Takes over code and words of an answer that libetpan has read. */
unsigned smtp_take(smtp *s);

/* Ends the connection, politely if it is whole. */
void smtp_leave(smtp *s);
/* Drops it: nothing more can be said on it. */
void smtp_drop(smtp *s);

/* How long a step may take. */
void smtp_allow(smtp *s, unsigned times);

#endif
