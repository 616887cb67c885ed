/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_HTML_H
#define PARSER_HTML_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Readable text of an HTML mail: lines for blocks, "> " for each blockquote around a
 * line and for what mail programs mark as quoted, no style, script or comment.  What
 * nobody sees is left out, and *left_out says so.  Linear; html is UTF-8.  Returns a
 * new string (g_free).
 */
char *html_to_text(const char *html, size_t length, bool *left_out);

/* Replaces "&gt;" and its kin by what they stand for.  Returns a new string (g_free).
 */
char *html_unescape(const char *text, size_t length);

#endif
