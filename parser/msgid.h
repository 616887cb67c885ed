/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_MSGID_H
#define PARSER_MSGID_H

#include "parser/fields.h"

#define MSGID_MAX 998 /* bytes of one id; longer ones are cut, everywhere the same */

/* The message's own id: of its first usable Message-ID: field; NULL if none. */
char *msgid_own(const head *h);

/*
 * Ids of all fields of a kind, in order, each once, at most PARSER_REFERENCES_MAX (the
 * root and the last ones are kept).  The own id and addresses of the mail are left out.
 */
GPtrArray *msgid_list(const head *h, field_kind kind, const char *own);

/* The Message-ID that stands in <> or bare in [text, text + length), or NULL. */
char *msgid_bare(const char *text, size_t length);

/* Appends the ids in <> of a text (with an '@') to ids, unless they are there. */
void msgid_collect(GPtrArray *ids, const char *text, size_t length);

#endif
