/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_BODY_H
#define PARSER_BODY_H

#include "parser/fields.h"
#include "parser/mail.h"

/* A run of mail->text whose kind is known from the structure around it. */
typedef struct section {
	size_t start, end;
	parser_span_kind kind; /* of all of it, unless it is OWN: then lines decide */
} section;

/*
 * Finds the readable text of a message and its attachments by GMime: fills text,
 * charset, flowed, delsp, html_only, attachments and adds warnings.  Appends section to
 * sections.
 */
void body_read(parser_mail *mail, const head *h, GArray *sections);

/* Adds a warning, once. */
void mail_warn(parser_mail *mail, const char *warning);

#endif
