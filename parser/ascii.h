/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words in any case, whatever the locale: its letters are not those of mail. */
#ifndef PARSER_ASCII_H
#define PARSER_ASCII_H

#include <stdbool.h>

/* True if the word stands in the text; ASCII letters in any case.  Linear. */
bool ascii_holds(const char *text, const char *word);

#endif
