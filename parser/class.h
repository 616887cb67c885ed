/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_CLASS_H
#define PARSER_CLASS_H

#include "parser/fields.h"
#include "parser/mail.h"

/*
 * What kind of sender wrote the mail: needs from, subject, message_id and text.  h is
 * NULL for text of an archive.  Sets class and auto_submitted.
 */
void class_read(parser_mail *mail, const head *h);

/* True for multipart/report about a delivery. */
bool class_is_delivery_report(const head *h);

/* True if a line says "noticed a -7.4% regression of ..." as robots do. */
bool class_is_headline(const char *line, size_t length);

/* True if a text begins as robots begin their performance reports. */
bool class_is_robot_text(const char *text, size_t length);

#endif
