/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to parser: filling a parser_column metric by metric. */
#ifndef PARSER_COLUMN_H
#define PARSER_COLUMN_H

#include "parser/results.h"

parser_column *column_new(const char *origin);

/*
 * A metric's samples come between begin and end.  A name that was there before takes
 * the new samples at its old place (as a hash would) with a warning.  false: the name
 * cannot be used (empty, too long, with a NUL), which a warning says; its samples are
 * dropped.
 */
bool column_begin(parser_column *column, const char *name, size_t length);
void column_push(parser_column *column, double value, parser_sample kind);
void column_end(parser_column *column);

/* Takes the metric that was just ended away again. */
void column_drop_last(parser_column *column);

/* A metric known by (mean, stddev, runs) alone. */
parser_metric *column_add_summary(parser_column *column, const char *name, double mean,
				  double stddev, uint32_t runs);

/* Makes the metrics' pointers valid; nothing may be pushed afterwards. */
void column_finish(parser_column *column);

/* A name from outside as a message may hold it: cut, valid, no control characters. */
char *column_safe_name(const char *name, size_t length);

void column_warn(parser_column *column, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* ---- JSON of the two shapes that lkp-tests writes ---------------------------------
 */

/* matrix.json: an object of arrays.  Fills metrics and runs. */
bool matrix_read(parser_column *column, const parser_blob *blob, GError **error);

/* stats.json of the runs, in the order given, united as lkp-tests does. */
bool stats_unite(parser_column *column, const parser_blob *const *blobs, size_t n,
		 GError **error);

/* One run's job.yaml: axes and commit. */
bool job_read(parser_column *column, const parser_blob *blob, const parser_lists *lists,
	      GError **error);

#endif
