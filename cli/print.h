/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results on stdout: columns for people, JSON and CSV for programs. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <jansson.h>

#include "cli/cli.h"

/* What every listing command offers; first in its options struct. */
typedef struct print_format {
	gboolean json, csv;
} print_format;

#define PRINT_FORMAT_OPTIONS                                                           \
	{ "json",                                                                      \
	  0,                                                                           \
	  G_OPTION_ARG_NONE,                                                           \
	  offsetof(print_format, json),                                                \
	  NULL,                                                                        \
	  "one JSON object a line" },                                                  \
	{                                                                              \
		"csv", 0, G_OPTION_ARG_NONE, offsetof(print_format, csv), NULL,        \
			"comma-separated values with a header line"                    \
	}

typedef struct print_column {
	const char *title;
	bool right;   /* numbers */
	unsigned min; /* > 0: may be cut to so many cells when the line is too long */
} print_column;

typedef struct print_table print_table;

print_table *print_table_new(const print_column *columns, size_t n);
void print_table_free(print_table *table);

/* Adds a row of as many cells as there are columns; takes the strings. NULL is empty.
 */
void print_table_row(print_table *table, ...) G_GNUC_NULL_TERMINATED;

/* Adds a line below the last row, indented; takes the string. */
void print_table_note(print_table *table, char *note);

/* The same of something to copy: it is never cut. */
void print_table_command(print_table *table, char *text);

/* Foreign text as one word for a shell, quoted where it must be.  g_free. */
char *print_word(const char *text);

/* Prints the rows under a line of titles, none wider than the terminal. */
void print_table_show(const print_table *table, const cli *c);

/* Prints records (json_t *, objects) as the format says; fields names those of CSV. */
void print_records(const GPtrArray *records, const char *const *fields,
		   const print_format *format);

/* The same for things that convert() makes a record of, one at a time. */
void print_items(const GPtrArray *items, json_t *(*convert)(const void *item),
		 const char *const *fields, const print_format *format);

/* The same as CSV without the header line. */
void print_rows(const GPtrArray *records, const char *const *fields);

/* A field of an object: NULL becomes null.  Text that is not UTF-8 is made valid. */
void print_set_text(json_t *object, const char *field, const char *text);
void print_set_number(json_t *object, const char *field, bool has, double value);
void print_set_time(json_t *object, const char *field, int64_t seconds); /* 0 = null */

/* "2026-01-31 12:00" in the local zone; "-" for 0.  g_free. */
char *print_time(int64_t seconds);

/* "5m", "3h", "12d", "2y": how long ago.  "-" for 0.  g_free. */
char *print_age(int64_t then, int64_t now);

/* "-7.4%", "+952.6%", "-" if unknown.  g_free. */
char *print_change(bool has, double percent);

/* Text from outside as one line that is safe for a terminal: white space of any kind
 * becomes a blank.  g_free. */
char *print_line(const char *text);

/* Prints that behind an indent, cut to the width of the terminal. */
void print_fitting(const cli *c, const char *indent, const char *text);

/* Prints it after a label; "-" for NULL. */
void print_safe(const char *label, const char *text);

/* Prints what programs read, byte for byte; on a terminal it is made safe first. */
void print_bytes(const char *bytes, size_t length);

/* Several lines of it, each indented; wrapped to the width of the terminal.  Of what is
 * longer than any explanation the beginning. */
void print_quote(const cli *c, const char *indent, const char *text);

/* The same behind a label of ours, and below it behind as many blanks. */
void print_labelled(const cli *c, const char *label, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(print_table, print_table_free)

#endif
