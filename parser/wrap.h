/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where mail programs wrap lines; private to those who ask whose words a line holds. */
#ifndef PARSER_WRAP_H
#define PARSER_WRAP_H

#include <stdbool.h>
#include <stddef.h>

/* Columns; a line that a word more would make longer is full. */
#define WRAP_WIDTH 72u

/* Characters of UTF-8: each has one byte that does not go on with another. */
static inline size_t wrap_columns(const char *p, size_t length)
{
	size_t columns = 0;

	for (size_t i = 0; i < length; i++)
		columns += ((unsigned char)p[i] & 0xc0) != 0x80;
	return columns;
}

/* True if the first word of a line would not have fitted on the line before it. */
static inline bool wrap_is_full(const char *before, size_t before_length,
				const char *next, size_t length)
{
	size_t word = 0;

	while (word < length && next[word] != ' ' && next[word] != '\t')
		word++;
	return wrap_columns(before, before_length) + 1 + wrap_columns(next, word) >
	       WRAP_WIDTH;
}

#endif
