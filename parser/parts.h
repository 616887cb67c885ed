/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_PARTS_H
#define PARSER_PARTS_H

#include "parser/fields.h"

/*
 * How many of the `length` bytes of a body hold no more parts than are looked at: GMime
 * makes a kilobyte of objects of a part that is a few bytes long.  Lines count that may
 * begin a part: "--" and a boundary that the Content-Type field (may be NULL) or the
 * body names (RFC 2046, 5.1.1); where one is named in a form that is not understood
 * here, every line that begins with "--".  Linear.
 */
size_t parts_end(const field *type, const char *body, size_t length);

#endif
