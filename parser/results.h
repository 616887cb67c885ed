/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparison results: one column per commit (or other compared axis), base first.
 * They come from lkp-tests result roots, from our own JSON
 * (docs/comparison.schema.json), or from a pasted table.
 */
#ifndef PARSER_RESULTS_H
#define PARSER_RESULTS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parser/report.h"

#define PARSER_METRIC_MAX 1024u /* bytes of a metric's name; longer is refused */

/* What a sample is.  lkp-tests keeps integers and floats apart, and so must we. */
typedef enum parser_sample {
	PARSER_SAMPLE_ABSENT, /* the run has no such value (lkp reads it as integer 0)
			       */
	PARSER_SAMPLE_INTEGER,
	PARSER_SAMPLE_FLOAT /* may be NaN or infinite */
} parser_sample;

/* A metric in one column.  Either samples, or (mean, stddev, runs) without samples. */
typedef struct parser_metric {
	const char *name;     /* owned by the column */
	uint32_t n;           /* length of values and kinds; <= runs of the column */
	const double *values; /* one per run, in the order of the column's runs */
	const uint8_t *kinds; /* parser_sample, one per run */
	bool summary;         /* only mean, stddev and runs are known; n is 0 */
	double mean, stddev;  /* stddev as a value, not percent */
	uint32_t runs;
	bool printed;    /* from a pasted table: everything is rounded */
	bool has_change; /* of a summary: its change against the first column was
			    printed */
	double change;   /* ... percent, or points */
} parser_metric;

/* Facts of a commit, from git, our JSON or a JSON file of commits. */
typedef struct parser_commit {
	char *id;      /* hex digits, lower case; or a tag; NULL if unknown */
	char *subject; /* NULL if unknown, like all strings below */
	char *author_name, *author_address;
	int64_t date;        /* author date, Unix seconds; 0 if unknown */
	GPtrArray *trailers; /* parser_pair * */
	GPtrArray *files;    /* char *, paths that it touches */
	char *tree, *branch; /* "linux-next", "master" */
	char *url;           /* of the tree, or of a posted patch's branch */
	char *base;          /* a posted patch: what it was applied to */
	char *patch_message_id, *patch_subject; /* a posted patch's mail */
} parser_commit;

/* One column: all runs of one commit in one environment. */
typedef struct parser_column {
	parser_commit *commit; /* never NULL; its fields may be */
	char *label;           /* what heads the column when it is no commit; or NULL */
	GPtrArray *axes;       /* parser_pair *, all axes but the commit */
	uint32_t runs;
	GArray *metrics;     /* parser_metric, in file order */
	char *origin;        /* path or name of the input, for messages */
	GPtrArray *warnings; /* char *: what was odd about the input, for people */
	void *arena;         /* owns names and samples */
} parser_column;

/* Bisect samples of a metric, for plots. */
typedef struct parser_bisect {
	char *metric;
	GArray *good, *bad; /* double */
} parser_bisect;

typedef struct parser_comparison {
	GPtrArray
		*axes; /* parser_pair *: equal in all columns, sorted by "name=value" */
	GPtrArray *compared;       /* char *: names of the axes that differ; "commit" by
				      default */
	GPtrArray *columns;        /* parser_column *, base first; at least two */
	char *testcase;            /* NULL if unknown */
	char *machine;             /* name of the box (tbox_group); NULL if unknown */
	char *machine_description; /* "96 threads 2 sockets ..."; NULL if unknown */
	GPtrArray *parameters;     /* parser_pair *: as a report lists them */
	GPtrArray *bisect;         /* parser_bisect * */
	GPtrArray *warnings;       /* char * */
} parser_comparison;

parser_commit *parser_commit_new(void);
void parser_commit_free(parser_commit *commit);
void parser_column_free(parser_column *column);
parser_comparison *parser_comparison_new(void);
void parser_comparison_free(parser_comparison *comparison);
void parser_bisect_free(parser_bisect *bisect);

/* The metric of that name in a column, or NULL. */
const parser_metric *parser_column_find(const parser_column *column,
					const char *metric);

/*
 * One input file of a result root, as mailer hands it out (gzip already undone).
 * name is its path relative to the root: "matrix.json", "job.yaml", "0/stats.json".
 */
typedef struct parser_blob {
	const char *name;
	const char *bytes;
	size_t length;
} parser_blob;

/*
 * Makes a column from the files of a result root: matrix.json with job.yaml, or the
 * stats.json of the runs, united here.  origin names the root in messages; the commit
 * is taken from job.yaml or from the path.  Errors: PARSER_ERROR_SYNTAX with file, line
 * and column; PARSER_ERROR_INVALID for a root without matrix, arrays that are no
 * arrays, ...
 */
parser_column *parser_column_from_root(const char *origin, const parser_blob *blobs,
				       size_t n_blobs, const parser_lists *lists,
				       GError **error);

/*
 * Groups columns into comparisons: those whose axes agree in all but the compared ones
 * (NULL: "commit").  The first column is the base.  Takes the columns (leaves the array
 * empty) and returns parser_comparison *.  PARSER_ERROR_INVALID when none has two
 * columns (says which axes differ) or when a column stands twice.
 */
GPtrArray *parser_comparisons_group(GPtrArray *columns, const GPtrArray *compared,
				    GError **error);

/* Our own comparison JSON.  Errors name the JSON path ("$.metrics[3].samples[0]"). */
parser_comparison *parser_comparison_from_json(const char *bytes, size_t length,
					       const char *origin, GError **error);

/* A pasted comparison table (or a mail's text that holds one). */
parser_comparison *parser_comparison_from_table(const char *text, size_t length,
						const char *origin, GError **error);

/*
 * Commit facts as JSON: an object, or an array of objects, of docs/commits.schema.json.
 * Returns parser_commit *.
 */
GPtrArray *parser_commits_from_json(const char *bytes, size_t length,
				    const char *origin, GError **error);

/* A commit as `git cat-file commit` prints it; paths and id are the caller's to add. */
parser_commit *parser_commit_from_git(const char *bytes, size_t length, GError **error);

/* Copies into `into` every fact that it lacks and `from` has. */
void parser_commit_merge(parser_commit *into, const parser_commit *from);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_commit, parser_commit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_column, parser_column_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_comparison, parser_comparison_free)

#endif
