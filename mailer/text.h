/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small things about text from servers. */
#ifndef MAILER_TEXT_H
#define MAILER_TEXT_H

#include <glib.h>
#include <stdint.h>

/* A number at the start; what is behind it, or NULL if there is none (or no end). */
const char *text_number(const char *text, uint64_t *number);

/* What a server said, safe to print and not too long; g_free. */
char *text_words(const char *line);

/* Makes LF of every CRLF: in place, or of a copy. */
void text_unix(GByteArray *bytes);
GBytes *text_unix_copy(GBytes *bytes);

#endif
