/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_LINKS_H
#define PARSER_LINKS_H

#include <glib.h>
#include <stddef.h>

/* Appends the ids (char *) that URLs and <id> in a piece of text name, each once. */
void links_of_text(const char *text, size_t length, GPtrArray *ids);

#endif
