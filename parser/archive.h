/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of an archive's web page: what is left of a mail when headers are gone. */
#ifndef PARSER_ARCHIVE_H
#define PARSER_ARCHIVE_H

#include "parser/mail.h"

/* True if the bytes look like such a page, and not like a message. */
bool archive_is_page(const char *bytes, size_t length);

/* Where the message after the one at `position` begins; length if there is none. */
size_t archive_next(const char *bytes, size_t length, size_t position);

/* Fills the mail's head and text (not its spans) from one message of a page. */
void archive_read(parser_mail *mail, const char *bytes, size_t length, unsigned index);

#endif
