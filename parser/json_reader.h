/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to parser: a pull reader for JSON of numbers.  jansson makes a heap object of
 * every number, does not take the NaN that lkp-tests may write, and forgets which of
 * two equal keys came first; results are nothing but numbers, so they are read here
 * without any of that.  No recursion; linear in the input.
 */
#ifndef PARSER_JSON_READER_H
#define PARSER_JSON_READER_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct json_reader {
	const char *start, *p, *end;
	const char *origin, *name; /* for messages: "ORIGIN/NAME:LINE:COLUMN: ..." */
	GString *text;             /* the last string, escapes undone */
	GError **error;
} json_reader;

typedef enum json_token {
	JSON_TOKEN_INTEGER, /* written without point and exponent */
	JSON_TOKEN_FLOAT,   /* NaN, Infinity and -Infinity too */
	JSON_TOKEN_STRING,
	JSON_TOKEN_NULL,
	JSON_TOKEN_BOOL,
	JSON_TOKEN_OTHER, /* an array or object begins; nothing is consumed */
	JSON_TOKEN_ERROR
} json_token;

void json_reader_init(json_reader *r, const char *origin, const char *name,
		      const char *bytes, size_t length, GError **error);
void json_reader_clear(json_reader *r);

/* Skips white space and tells the next byte; 0 at the end. */
char json_reader_peek(json_reader *r);

/* Consumes this byte (after white space) or sets the error "expected ...". */
bool json_reader_expect(json_reader *r, char c);

/* Reads a string into r->text. */
bool json_reader_string(json_reader *r);

/* Reads a scalar; numbers go to *value, strings to r->text. */
json_token json_reader_scalar(json_reader *r, double *value);

/* Nothing but white space is left, or an error. */
bool json_reader_at_end(json_reader *r);

/* Sets a syntax error at the present place; always false. */
bool json_reader_fail(json_reader *r, const char *what);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(json_reader, json_reader_clear)

#endif
