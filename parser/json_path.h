/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to parser: reading JSON values with errors that name the JSON path. */
#ifndef PARSER_JSON_PATH_H
#define PARSER_JSON_PATH_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "parser/results.h"

/* Where we are: "ORIGIN: $.metrics[3].samples[0]: ...". */
typedef struct json_at {
	const char *origin;
	GString *path;
	GError **error;
} json_at;

/* Parses the text; an error names line and column.  NULL on error. */
json_t *json_at_load(json_at *at, const char *bytes, size_t length, const char *origin,
		     GError **error);
void json_at_clear(json_at *at);

/* Go one step down; the result is what json_at_leave() takes to come back. */
size_t json_at_key(json_at *at, const char *key);
size_t json_at_index(json_at *at, size_t index);
void json_at_leave(json_at *at, size_t mark);

/* Sets an INVALID error at the present path; always false. */
bool json_at_fail(json_at *at, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The value is an object with no other keys than these (NULL-terminated). */
bool json_at_object(json_at *at, const json_t *value, const char *const *keys);

/* A value that is a string without control characters; *out must be NULL.  g_free. */
bool json_at_text(json_at *at, const json_t *value, char **out);

/*
 * Members of an object; an absent or null member leaves *out as it is.  Strings are new
 * (g_free; *out must be NULL), and they and the names of pairs hold no control
 * characters.
 */
bool json_at_string(json_at *at, const json_t *object, const char *key, char **out);

/* The same for what may be unknown: an empty string too leaves *out as it is. */
bool json_at_fact(json_at *at, const json_t *object, const char *key, char **out);
bool json_at_strings(json_at *at, const json_t *object, const char *key,
		     GPtrArray *out);
/* given, which may be NULL, tells whether the member is there.  0 to a million. */
bool json_at_count(json_at *at, const json_t *object, const char *key, uint32_t *out,
		   bool *given);
bool json_at_number(json_at *at, const json_t *object, const char *key, double *out,
		    bool *given);

/* An object of scalars as pairs. */
bool json_at_pairs(json_at *at, const json_t *object, const char *key, GPtrArray *out);

/* One commit, docs/commits.schema.json. */
bool json_at_commit(json_at *at, const json_t *value, parser_commit *commit);

/* Hex digits of a commit's id become lower case. */
void json_commit_settle_id(parser_commit *commit);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(json_at, json_at_clear)

#endif
