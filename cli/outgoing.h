/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all mails that we make have in common on their way into the outbox. */
#ifndef CLI_OUTGOING_H
#define CLI_OUTGOING_H

#include "cli/cli.h"
#include "render/render.h"
#include "tracker/tracker.h"

/* Name and address of [regtrail] from; NULL and an error when there is none. */
parser_address *outgoing_from(cli *c, GError **error);

/* The envelope sender.  g_free. */
char *outgoing_sender(const cli *c, const parser_address *from);

/* A mail's bytes in both forms; eight_bit stays NULL when a line is too long. */
typedef struct outgoing_bytes {
	GBytes *eight_bit, *quoted_printable;
} outgoing_bytes;

/*
 * Fills bytes, which are cleared first.  RENDER_ERROR_INPUT names what cannot stand in
 * a mail; RENDER_ERROR_REFUSED: it is over [send] size-max.
 */
bool outgoing_compose(const cli *c, const render_mail *mail, outgoing_bytes *bytes,
		      GError **error);
void outgoing_bytes_clear(outgoing_bytes *bytes);

/* The form that people can read as it stands, if there is one.  Lent. */
GBytes *outgoing_readable(const outgoing_bytes *bytes);

/* The mail for eyes: LF, and nothing that steers a terminal. */
void outgoing_print(GBytes *bytes);

/* The parts of a tracker_report that every mail has; all lent. */
tracker_report outgoing_report(const render_mail *mail, const outgoing_bytes *bytes,
			       unsigned revision, const char *sender);

/* "draft 5: SUBJECT" and what comes next. */
void outgoing_tell(const render_mail *mail, const tracker_stored *stored,
		   bool approved);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(outgoing_bytes, outgoing_bytes_clear)

#endif
