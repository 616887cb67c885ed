/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses as an operator writes them, in the configuration or on the command line. */
#ifndef CLI_ADDRESS_H
#define CLI_ADDRESS_H

#include "parser/parser.h"

/*
 * "Ann <ann@example.org>, bob@example.org" to an array of parser_address *; quoted
 * names may hold commas.  NULL and an error that names the part that is none.
 */
GPtrArray *cli_address_list(const char *text, GError **error);

#endif
