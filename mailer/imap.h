/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * imap - a session with an IMAP server (RFC 3501), spoken by ourselves.
 *
 * libetpan's parser gives up a whole answer for one item that it does not know, takes
 * memory by sizes that are only claimed, and recurses on parentheses; this one reads
 * what it asked for and steps over the rest.
 */
#ifndef MAILER_IMAP_H
#define MAILER_IMAP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "mailer/lines.h"
#include "mailer/options.h"
#include "mailer/server_url.h"

#define IMAP_LINE_MAX (1u << 20) /* a FETCH answer with all flags has some hundred */

typedef struct imap {
	const server_url *url;
	const mailer_options *options;
	unsigned timeout;
	lines *lines;
	unsigned tag;
	bool can_idle, can_plain, can_anonymous, can_starttls, no_login;
	bool exists; /* the server spoke of new mails since this was set to false */
} imap;

/* What EXAMINE says of a mailbox. */
typedef struct imap_box {
	uint32_t validity; /* 0: the server names none */
	uint32_t next;     /* no mail has this UID or a larger one; 0: it does not say
			    */
	uint32_t exists;
} imap_box;

/* What became of a command. */
typedef enum imap_end {
	IMAP_OK,
	IMAP_NO,    /* NO or BAD; *error set, MAILER_ERROR_REFUSED */
	IMAP_BROKEN /* the session is of no more use; *error set */
} imap_end;

/* One answer to FETCH. */
typedef struct imap_mail {
	uint32_t uid;       /* 0: not said */
	GByteArray *bytes;  /* its text, or NULL; CRLF at the ends of lines */
	uint64_t too_large; /* what its literal claims, when that is over the limit */
} imap_mail;

void imap_mail_clear(imap_mail *mail);

/*
 * Connects, turns to TLS and logs in.  URL and options are lent until imap_close().
 * Errors do not name the server.
 */
imap *imap_open(const server_url *url, const mailer_options *options, GError **error);
/* The same over a connection that is there, which it owns. */
imap *imap_begin(wire *w, const server_url *url, const mailer_options *options,
		 GError **error);
/* Says LOGOUT without waiting for an answer. */
void imap_close(imap *s);

/* Sends a command, without tag and line end; its tag, or 0 with *error set. */
unsigned imap_say(imap *s, const char *command, GError **error);

/*
 * Reads until the answer that ends the command.  Each line of data before it, without
 * "* ", goes to `fn`, which may read on from s->lines and returns false to give up.
 */
typedef bool (*imap_line_fn)(imap *s, char *line, void *context, GError **error);
imap_end imap_finish(imap *s, unsigned tag, imap_line_fn fn, void *context,
		     GError **error);

/* Reads until the server asks for what belongs to a command ("+"). */
imap_end imap_continue(imap *s, unsigned tag, GError **error);

/* Both; NULL `fn`: the data does not matter. */
imap_end imap_ask(imap *s, const char *command, imap_line_fn fn, void *context,
		  GError **error);

/* What such a function does with data that it has no use for. */
bool imap_skip(imap *s, const char *line, GError **error);

/* A string as the protocol wants it, with its quotes; NULL if it cannot be said. */
char *imap_quote(const char *text);
/* The same for the name of a mailbox, given in UTF-8. */
char *imap_quote_mailbox(const char *name);

/* Opens a mailbox for reading alone. */
imap_end imap_examine(imap *s, const char *mailbox, imap_box *box, GError **error);

/*
 * Reads an answer to FETCH (`line` as in imap_line_fn); *is_fetch tells whether it was
 * one, or something else that is skipped.  A literal beyond MAILER_MAIL_MAX is
 * MAILER_ERROR_FORMAT, with mail->too_large.
 */
bool imap_read_fetch(imap *s, char *line, imap_mail *mail, bool *is_fetch,
		     GError **error);

/* Waits in IDLE, which the server must offer, until there are new mails. */
imap_end imap_idle(imap *s, unsigned seconds, int stop_fd, bool *fresh, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(imap, imap_close)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(imap_mail, imap_mail_clear)

#endif
