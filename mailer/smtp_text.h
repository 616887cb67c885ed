/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What SMTP says, as text: pure, so that it can be tested without a server. */
#ifndef MAILER_SMTP_TEXT_H
#define MAILER_SMTP_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "mailer/mailer.h"

/* What a server offers, from its answer to EHLO. */
typedef struct smtp_offers {
	bool starttls, eight_bit, utf8, size;
	size_t size_max; /* 0 = it does not say */
	bool auth_plain, auth_login, auth_cram_md5, auth_digest_md5;
} smtp_offers;

/* From the answer without its codes, one keyword a line. */
smtp_offers smtp_offers_parse(const char *answer);

/*
 * One line of an answer: code and text, and whether more lines follow.  False for what
 * is none: not three digits, or something else than blank or '-' after them.
 */
bool smtp_line_parse(const char *line, unsigned *code, bool *more, const char **text);

/*
 * The mail as it goes on the wire after DATA, without the final dot: lines end with
 * CRLF whatever they ended with, a leading dot is doubled, a last line without an end
 * gets one, nothing else is added.  *size gets the bytes that SIZE= means (no doubled
 * dots).
 */
GString *smtp_wire_text(GBytes *mail, size_t *size);

/* Whether a mail has bytes over 127. */
bool smtp_is_eight_bit(GBytes *mail);

/* A server's words on one line, valid UTF-8, without control characters, bounded. */
char *smtp_words(const char *text);

/*
 * What a code means for the mail or recipient.  after_dot: the whole mail was sent, so
 * that anything but a clean answer leaves it open.  Code 0 is no answer.
 */
mailer_outcome smtp_judge(unsigned code, bool after_dot);

#endif
