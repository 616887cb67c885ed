/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_ADDRESS_H
#define PARSER_ADDRESS_H

#include "parser/fields.h"
#include "parser/mail.h"

/* Frees the strings of one that lies in a record. */
void address_clear(parser_address *a);

/* Appends the addresses of an unfolded UTF-8 text; names are decoded.  Linear. */
void address_parse(const char *text, GPtrArray *list);

/* All addresses of all fields of a kind; *cut is set when a field was too long. */
GPtrArray *address_list(const head *h, field_kind kind, bool *cut);

/* From: as it stands; both fields NULL if there is none. */
void address_from(const head *h, parser_address *from);

/*
 * Who wrote it: From:, or, when a list or relay has put itself there ("Name via list"),
 * the person that it stood in for.  The address is NULL if that is not to be found.
 */
void address_person(const head *h, const parser_address *written,
		    parser_address *person);

#endif
