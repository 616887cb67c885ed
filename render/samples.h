/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: samples of a metric in a column, and what is computed of them. */
#ifndef RENDER_SAMPLES_H
#define RENDER_SAMPLES_H

#include "render/compare.h"

/* Samples to compute with; may point into the column or into scratch. */
typedef struct samples {
	const double *values;
	const uint8_t *kinds; /* parser_sample */
	uint32_t n;
} samples;

/* Memory that the functions below fill anew with each call. */
typedef struct scratch {
	GArray *values; /* double */
	GArray *kinds;  /* uint8_t */
} scratch;

void scratch_init(scratch *s);
void scratch_clear(scratch *s);

/* Which runs of a column count. */
typedef struct run_filter {
	const parser_column *column;
	const uint8_t *dropped; /* one per run, 1 = left out; NULL: all count */
	uint32_t runs;          /* that count */
} run_filter;

/*
 * A metric's samples padded with the integer 0 to all runs that count, as lkp-tests
 * loads them.  metric may be NULL: all zeros.
 */
samples samples_padded(const run_filter *filter, const parser_metric *metric,
		       scratch *s);

/* The samples that are there: neither absent nor NaN nor infinite, of runs that count.
 */
samples samples_present(const run_filter *filter, const parser_metric *metric,
			scratch *s);

/* Sorts upwards, in place. */
void samples_sort(double *values, size_t n);

/* Sum with integers exact and floats compensated (Kahan, Babuska, Neumaier), over n. */
double samples_mean(samples s);

/* Population standard deviation, plainly summed; -1 for less than two samples. */
double samples_stddev(samples s, double mean);

/*
 * The comparer's trimmed and sorted samples: ascending, without leading -1, without
 * min(n / 32, most) at each end.
 */
samples samples_trimmed(samples s, unsigned most, scratch *out);

/* ---- tests ------------------------------------------------------------------------
 */

/* What is known of one side. */
typedef struct side {
	double mean;
	double variance; /* unbiased: divided by n - 1; NaN for less than two samples */
	uint32_t n;
	const double *values; /* n, sorted; NULL when only the moments are known */
	bool printed;         /* the change was read from a table ... */
	double change;        /* ... as percent */
} side;

/* Two-sided p-values. */
double test_welch(const side *base, const side *head);
double test_mann_whitney(const side *base, const side *head);
double test_fisher(double fails_base, double runs_base, double fails_head,
		   double runs_head);

/* The smallest p-value that the rank test can give at all for these sizes, two-sided.
 */
double test_mann_whitney_least(uint32_t n_base, uint32_t n_head);

/* 95 % interval of head / base - 1 in percent, by Fieller's theorem with Welch's t. */
void interval_welch(const side *base, const side *head, double *low, double *high);

/* The same by the rank test: Hodges-Lehmann shifts against the base's median. */
void interval_rank(const side *base, const side *head, double *low, double *high);

/* True if sorted samples fall into two clusters with a wide gap. */
bool samples_bimodal(const double *sorted, uint32_t n);

/* Student's t: two-sided tail and its inverse, degrees of freedom need not be whole. */
double student_tail(double t, double freedom);
double student_quantile(double tail, double freedom);

#endif
