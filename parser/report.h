/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Robot reports as data: headline, parameters, impacts, tables; trailers and links. */
#ifndef PARSER_REPORT_H
#define PARSER_REPORT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "parser/lists.h"
#include "parser/mail.h"

/* A name and a value, as in parameters, axes and trailers. */
typedef struct parser_pair {
	char *name;
	char *value; /* "" if empty, never NULL */
} parser_pair;

parser_pair *parser_pair_new(const char *name, const char *value);
void parser_pair_free(parser_pair *pair);

/* The value of the first pair of that name in an array of parser_pair, or NULL. */
const char *parser_pairs_get(const GPtrArray *pairs, const char *name);

typedef enum parser_kind {
	PARSER_KIND_UNKNOWN,
	PARSER_KIND_REGRESSION,
	PARSER_KIND_IMPROVEMENT,
	PARSER_KIND_FAILURE
} parser_kind;

/* "regression", "improvement", "failure"; NULL for unknown. */
const char *parser_kind_name(parser_kind kind);
parser_kind parser_kind_from_name(const char *name);

/* How the sign of a headline's change is known. */
typedef enum parser_sign {
	PARSER_SIGN_UNKNOWN, /* only the magnitude stands */
	PARSER_SIGN_ROW,     /* from the metric's row in the table */
	PARSER_SIGN_SENSE,   /* from the metric's sense and the word */
	PARSER_SIGN_PRINTED  /* as printed (mails before October 2024) */
} parser_sign;

const char *parser_sign_name(parser_sign sign);

/* A further test, one block of the impact table. */
typedef struct parser_impact {
	char *testcase, *metric; /* NULL if unreadable */
	bool has_change;
	double change_percent; /* signed as for parser_report */
	parser_kind kind;
	char *machine;         /* NULL if the block has none */
	GPtrArray *parameters; /* parser_pair * */
} parser_impact;

typedef struct parser_report {
	parser_kind kind;
	char *metric; /* any string below is NULL when the mail does not say */
	bool has_change;
	double change_percent; /* negative = the value fell, when sign is not UNKNOWN */
	parser_sign sign;
	char *commit; /* 7 to 40 lower-case hex digits */
	char *commit_subject;
	char *tree, *branch; /* "linux-next", "master" */
	char *url, *base, *patch_link, *patch_subject;
	char *testcase, *config, *compiler, *machine;
	GPtrArray *parameters; /* parser_pair * */
	int generation;        /* 0 to 6 */
	char *closes; /* Message-ID of the report by its own Closes:/Link: line */
	GPtrArray *still_failing; /* parser_pair *: "linus/master" -> commit */
	GPtrArray *impacts;       /* parser_impact * */
	GPtrArray *warnings;      /* char *, where the report contradicts itself */
} parser_report;

parser_report *parser_report_new(void);
void parser_report_free(parser_report *report);
void parser_impact_free(parser_impact *impact);

typedef enum parser_unit {
	PARSER_UNIT_PERCENT, /* relative to the first column */
	PARSER_UNIT_POINTS,  /* difference of two percentages */
	PARSER_UNIT_ABSOLUTE /* difference of two values */
} parser_unit;

const char *parser_unit_name(parser_unit unit);

typedef struct parser_cell {
	bool has_mean, has_stddev, has_change;
	double mean;
	double stddev_percent;
	double change;     /* of columns 1 ..., against column 0 */
	char *change_text; /* as printed, without blanks; NULL if the cell is blank */
	parser_unit unit;
} parser_cell;

typedef struct parser_row {
	char *metric;
	size_t n_cells; /* = columns of the table, or fewer when the row is cut */
	parser_cell *cells;
} parser_row;

typedef struct parser_fail_cell {
	double fails;
	bool has_runs, has_reproduction;
	double runs;
	double reproduction; /* percent, as printed */
} parser_fail_cell;

typedef struct parser_fail_row {
	char *metric;
	size_t n_cells;
	parser_fail_cell *cells;
} parser_fail_row;

typedef struct parser_table_column {
	char *id;      /* hex digits or a tag, as printed */
	char *subject; /* NULL if not printed */
} parser_table_column;

typedef struct parser_table {
	char *machine;        /* description or box name; NULL if unknown */
	bool quoted;          /* stands in somebody else's words */
	GPtrArray *axes;      /* parser_pair *, from the key/value lines */
	GPtrArray *columns;   /* parser_table_column * */
	GPtrArray *rows;      /* parser_row * */
	GPtrArray *fail_rows; /* parser_fail_row * */
	size_t offset;        /* of its first line in the text */
} parser_table;

void parser_table_free(parser_table *table);
void parser_row_free(parser_row *row);
void parser_fail_row_free(parser_fail_row *row);

/*
 * Reads every comparison table in a text, wherever it stands, quoted or collapsed to
 * one line by an archive.  mail gives text and spans.  Appends parser_table * to
 * tables; *plots counts the text plots that were skipped.
 */
void parser_tables_read(const parser_mail *mail, GPtrArray *tables, unsigned *plots);

/*
 * Reads the robot report that the mail itself is, or (quoted) that stands in its
 * quotes. Returns NULL when there is none: a table alone is no report.  tables are
 * those that parser_tables_read() found, for the sign of the change; lists may be NULL.
 */
parser_report *parser_report_read(const parser_mail *mail, const GPtrArray *tables,
				  const parser_lists *lists, bool quoted);

/*
 * Trailers in the author's own text (parser_pair *, canonical names): known names only,
 * values joined when wrapped; template and quoted lines do not count.
 */
GPtrArray *parser_trailers_read(const parser_mail *mail);

/*
 * Commits that the author's own text names (parser_pair *: lower-case hash -> subject,
 * or ""), each once: with their subject in parentheses, behind the word "commit", or by
 * twelve digits and more.
 */
GPtrArray *parser_commits_read(const parser_mail *mail);

/* Trailers of a commit message (UTF-8 text). */
GPtrArray *parser_trailers_of_commit(const char *message);

/* Message-IDs in URLs and <...> of own and quoted text (char *, deduplicated, in
 * order). */
GPtrArray *parser_links_read(const parser_mail *mail);

/*
 * The Message-ID that a URL points to, on any host and through urldefense and
 * safelinks, or NULL.  Accepts a bare id and <id> too.  Returns a new string (g_free).
 */
char *parser_url_message_id(const char *url, size_t length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_pair, parser_pair_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_report, parser_report_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_table, parser_table_free)

#endif
