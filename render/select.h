/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: which metrics deserve a row. */
#ifndef RENDER_SELECT_H
#define RENDER_SELECT_H

#include "render/samples.h"

/* A metric in the order it was first met. */
typedef struct candidate {
	const char *metric;
	render_reason reason;
	bool chosen;
} candidate;

/*
 * Walks the metrics of all columns and decides about each.  Returns candidate, one per
 * metric: the shown ones first, in the order that the comparer meets them, then the
 * rest.
 */
GArray *select_metrics(const parser_comparison *source, const parser_lists *lists,
		       const render_options *options);

/* True if a metric is printed as fail:runs. */
bool metric_is_failure(const char *metric);

/* True if the text before the first '.' names a test that runs and reports figures. */
bool metric_is_of_test(const parser_lists *lists, const char *metric);

/* True for the test's own figures: of a test, no times, no failures. */
bool metric_is_kpi(const parser_lists *lists, const char *metric);

/* True if changes are differences of percentages: profiles, and names that end in '%'.
 */
bool metric_is_points(const char *metric);

/* True if a run without this metric means nearly zero: monitors leave small values out.
 */
bool metric_absent_is_zero(const char *metric);

/*
 * Fills filter with the runs of a column that ran to their end.  *dropped is NULL or
 * what filter points to (g_free).
 */
void filter_complete(const parser_column *column, run_filter *filter,
		     uint8_t **dropped);

#endif
