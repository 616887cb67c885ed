/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From stored samples to those that a rule or a statistic looks at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/samples.h"

#define INSERTION_MAX 64u /* samples up to which insertion beats anything */

void scratch_init(scratch *s)
{
	s->values = g_array_new(FALSE, FALSE, sizeof(double));
	s->kinds = g_array_new(FALSE, FALSE, sizeof(uint8_t));
}

void scratch_clear(scratch *s)
{
	g_array_unref(s->values);
	g_array_unref(s->kinds);
}

static void scratch_start(scratch *s)
{
	g_array_set_size(s->values, 0);
	g_array_set_size(s->kinds, 0);
}

static void scratch_push(scratch *s, double value, uint8_t kind)
{
	g_array_append_val(s->values, value);
	g_array_append_val(s->kinds, kind);
}

static samples scratch_samples(const scratch *s)
{
	return (samples){ .values = (const double *)(void *)s->values->data,
			  .kinds = (const uint8_t *)s->kinds->data,
			  .n = s->values->len };
}

samples samples_padded(const run_filter *filter, const parser_metric *metric,
		       scratch *s)
{
	uint32_t n = metric ? metric->n : 0;

	if (!filter->dropped && n && n == filter->runs)
		return (samples){ metric->values, metric->kinds, n };
	scratch_start(s);
	for (uint32_t i = 0; i < filter->column->runs; i++) {
		if (filter->dropped && filter->dropped[i])
			continue;
		if (i < n)
			scratch_push(s, metric->values[i], metric->kinds[i]);
		else
			scratch_push(s, 0, PARSER_SAMPLE_ABSENT);
	}
	return scratch_samples(s);
}

samples samples_present(const run_filter *filter, const parser_metric *metric,
			scratch *s)
{
	scratch_start(s);
	for (uint32_t i = 0; metric && i < metric->n; i++)
		if (!(filter->dropped && filter->dropped[i]) &&
		    metric->kinds[i] != PARSER_SAMPLE_ABSENT &&
		    isfinite(metric->values[i]))
			scratch_push(s, metric->values[i], metric->kinds[i]);
	return scratch_samples(s);
}

/* The leading integers of s, exactly; *i is moved behind them. */
static double integer_sum(samples s, uint32_t *i)
{
	int64_t sum = 0;
	double large = 0; /* what 64 bits cannot hold is no count of anything */

	for (; *i < s.n && s.kinds[*i] != PARSER_SAMPLE_FLOAT; ++*i) {
		double x = s.values[*i];
		int64_t next;

		if (fabs(x) < 0x1p62 && !__builtin_add_overflow(sum, (int64_t)x, &next))
			sum = next;
		else
			large += x;
	}
	return (double)sum + large;
}

static int by_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

void samples_sort(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), by_double);
}

double samples_mean(samples s)
{
	uint32_t i = 0;
	double sum = integer_sum(s, &i);
	double lost = 0;

	for (; i < s.n; i++) {
		double x = s.values[i];
		double next = sum + x;

		if (!isfinite(x) || !isfinite(sum)) {
			sum = next;
			continue;
		}
		lost += fabs(sum) >= fabs(x) ? (sum - next) + x : (x - next) + sum;
		sum = next;
	}
	if (isfinite(sum) && isfinite(lost))
		sum += lost;
	return sum / s.n;
}

double samples_stddev(samples s, double mean)
{
	double sum = 0;

	if (s.n < 2)
		return -1;
	for (uint32_t i = 0; i < s.n; i++)
		sum += (s.values[i] - mean) * (s.values[i] - mean);
	return sqrt(1.0 / s.n * sum);
}

/* Stable, so that the integer 0 and the float 0.0 keep their order. */
static void sort_small(double *values, uint8_t *kinds, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		double value = values[i];
		uint8_t kind = kinds[i];
		uint32_t k = i;

		for (; k > 0 && values[k - 1] > value; k--) {
			values[k] = values[k - 1];
			kinds[k] = kinds[k - 1];
		}
		values[k] = value;
		kinds[k] = kind;
	}
}

typedef struct item {
	double value;
	uint32_t place;
	uint8_t kind;
} item;

static int by_value(const void *a, const void *b)
{
	const item *x = a, *y = b;

	if (isnan(x->value) != isnan(y->value))
		return isnan(x->value) ? 1 : -1;
	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static void sort_large(double *values, uint8_t *kinds, uint32_t n)
{
	g_autofree item *items = g_new(item, n);

	for (uint32_t i = 0; i < n; i++)
		items[i] = (item){ values[i], i, kinds[i] };
	qsort(items, n, sizeof(*items), by_value);
	for (uint32_t i = 0; i < n; i++) {
		values[i] = items[i].value;
		kinds[i] = items[i].kind;
	}
}

samples samples_trimmed(samples s, unsigned most, scratch *out)
{
	uint32_t cut = MIN(s.n / 32, most);
	samples sorted;
	uint32_t first = 0;

	scratch_start(out);
	g_array_append_vals(out->values, s.values, s.n);
	g_array_append_vals(out->kinds, s.kinds, s.n);
	if (s.n <= INSERTION_MAX)
		sort_small((double *)(void *)out->values->data,
			   (uint8_t *)out->kinds->data, s.n);
	else
		sort_large((double *)(void *)out->values->data,
			   (uint8_t *)out->kinds->data, s.n);
	sorted = scratch_samples(out);
	while (first < sorted.n && sorted.values[first] == -1)
		first++;
	first += cut;
	if (first + cut >= sorted.n)
		return (samples){ 0 };
	return (samples){ sorted.values + first, sorted.kinds + first,
			  sorted.n - first - cut };
}
