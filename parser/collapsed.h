/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mail whose lines a web archive has run together. */
#ifndef PARSER_COLLAPSED_H
#define PARSER_COLLAPSED_H

#include "parser/body.h"

/* "Joe <joe@x> writes: > quoted ...": a reply begins, its quote on the same line. */
bool collapsed_reply_start(const char *line, size_t length);

/* True if the reply's attribution names a robot. */
bool collapsed_answers_robot(const char *line, size_t length);

/* Appends sections (attribution, quote, own) for each collapsed reply in the text. */
void collapsed_sections(const char *text, size_t length, GArray *sections);

/* True if the first line is a mail's whole header: "Date: ... From: ... Subject: ...".
 */
bool collapsed_is_header(const char *text, size_t length);

/* That header with its lines restored (g_free), and where the body begins. */
char *collapsed_header(const char *text, size_t length);
size_t collapsed_body(const char *text, size_t length);

#endif
