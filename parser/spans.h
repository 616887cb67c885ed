/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_SPANS_H
#define PARSER_SPANS_H

#include "parser/body.h"
#include "parser/mail.h"

/* Divides mail->text into mail->spans.  sections (section) may be empty. */
void spans_read(parser_mail *mail, const GArray *sections);

#endif
