/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_DATE_H
#define PARSER_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/fields.h"

/*
 * Reads a date as mail has it: RFC 5322, asctime, ISO 8601, with what the years have
 * brought (odd zones, two and three digit years, comments).  False if it is none.
 */
bool date_parse(const char *s, size_t length, int64_t *seconds);

/* Date: of a message clamped to its top Received:, and that itself; 0 for unknown. */
void date_of_message(const head *h, int64_t *date, int64_t *received);

#endif
