/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Header fields: every value that reaches a header goes through here. */
#ifndef RENDER_FIELD_H
#define RENDER_FIELD_H

#include <glib.h>
#include <stdbool.h>

#include "parser/parser.h"

/*
 * Appends "Name:value\n", folded at white space so that lines stay within 78 bytes
 * where a blank allows it.  encoded must be ASCII and without control characters but
 * blanks.
 */
void field_append(GString *out, const char *name, const char *encoded);

/* Unstructured text as ASCII: RFC 2047 where needed.  RENDER_ERROR_INPUT names the
 * field. */
char *field_text(const char *name, const char *text, GError **error);

/* "Name <address>" and a list of such.  RENDER_ERROR_INPUT names the field. */
char *field_address(const char *name, const parser_address *address, GError **error);
char *field_addresses(const char *name, const GPtrArray *addresses, GError **error);

/* "<id>"; RENDER_ERROR_INPUT unless id is "left@right" that fits a line. */
char *field_message_id(const char *name, const char *id, GError **error);

/* False with RENDER_ERROR_INPUT when value holds a control character or broken UTF-8.
 */
bool field_check(const char *name, const char *value, GError **error);

#endif
