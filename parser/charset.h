/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes to UTF-8.  Never fails: real mail lies about its charset. */
#ifndef PARSER_CHARSET_H
#define PARSER_CHARSET_H

#include <stdbool.h>
#include <stddef.h>

/* How the text was got. */
typedef struct charset_result {
	char name[40]; /* "utf-8", "windows-1252", the declared one in lower case */
	bool repaired; /* the declared charset did not fit: windows-1252 was assumed */
	bool had_nul;  /* NUL bytes were dropped */
} charset_result;

/*
 * Decodes: valid UTF-8 wins over the label (but for charsets with escapes), then the
 * declared charset if all bytes fit it, then windows-1252 for what is not UTF-8.
 * declared may be NULL; result may be NULL.  Returns valid UTF-8 without NUL (g_free).
 */
char *charset_to_utf8(const char *bytes, size_t length, const char *declared,
		      charset_result *result);

/* Decodes the encoded words (RFC 2047) of a UTF-8 text; takes text, returns a new one.
 */
char *charset_decode_words(char *text);

#endif
