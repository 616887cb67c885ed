/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small things about the text of IMAP. */
#ifndef MAILER_IMAP_TEXT_H
#define MAILER_IMAP_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether the text starts with this word or these words, in any case of letters. */
bool imap_starts(const char *text, const char *words);

/* "{N}" or "{N+}" at the end of a line: bytes follow. */
bool imap_literal_at_end(const char *line, uint64_t *size);

/* The name of a mailbox in the UTF-7 of RFC 3501, 5.1.3; NULL if it is not UTF-8. */
char *imap_utf7(const char *name);

#endif
