/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges, ticks and labels of plots. */
#include <math.h>
#include <string.h>

#include "render/plot.h"

#define FAR_APART    100.0 /* factor between two medians that deserves a note */
#define LABEL_DIGITS 6
#define LABEL_MOST   15
#define EQUAL_MARGIN 0.01
#define NEARLY_ZERO  1e-290 /* below it, steps lose their digits */

bool plot_range(plot_series a, plot_series b, double *low, double *high)
{
	bool any = false;

	for (size_t i = 0; i < a.n + b.n; i++) {
		double value = i < a.n ? a.values[i] : b.values[i - a.n];

		if (!isfinite(value))
			continue;
		*low = any ? MIN(*low, value) : value;
		*high = any ? MAX(*high, value) : value;
		any = true;
	}
	return any;
}

plot_scale plot_scale_of(double low, double high)
{
	plot_scale scale;
	double range, unit, q;

	if (MAX(fabs(low), fabs(high)) < NEARLY_ZERO)
		low = high = 0;
	if (low == high) {
		double margin = low == 0 ? 1 : fabs(low) * EQUAL_MARGIN;

		low -= margin;
		high += margin;
	}
	range = high / 2 - low / 2; /* half of it: the whole may overflow */
	unit = pow(10, floor(log10(range) + log10(2)));
	q = range / unit * 2;
	scale.step = q < 2 ? 0.2 * unit : q < 5 ? 0.5 * unit : unit;
	scale.low = floor(low / scale.step) * scale.step;
	scale.high = ceil(high / scale.step) * scale.step;
	if (!isfinite(scale.low) || !isfinite(scale.high) || !(scale.step > 0)) {
		scale.low = low;
		scale.high = high;
		scale.step = high / 2 - low / 2;
	}
	scale.ticks = (unsigned)MIN(
		100, llround(scale.high / scale.step - scale.low / scale.step));
	return scale;
}

double plot_tick(const plot_scale *scale, unsigned i)
{
	return 2 * (scale->low / 2 + i * (scale->step / 2)); /* steps may overflow */
}

void plot_tick_label(const plot_scale *scale, unsigned i, int precision, char *out,
		     size_t size)
{
	double value = plot_tick(scale, i);

	if (fabs(value) < scale->step * 1e-9)
		value = 0;
	g_snprintf(out, (gulong)size, "%.*g", precision, value);
}

int plot_label_precision(const plot_scale *scale)
{
	for (int precision = LABEL_DIGITS; precision < LABEL_MOST; precision++) {
		char last[64], label[64];
		bool differ = true;

		plot_tick_label(scale, 0, precision, last, sizeof(last));
		for (unsigned i = 1; i <= scale->ticks; i++) {
			plot_tick_label(scale, i, precision, label, sizeof(label));
			differ = differ && strcmp(label, last) != 0;
			memcpy(last, label, sizeof(last));
		}
		if (differ)
			return precision;
	}
	return LABEL_MOST;
}

static size_t count_strange(plot_series s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += !isfinite(s.values[i]);
	return n;
}

/* A series' size: its largest absolute value. */
static double size_of(plot_series s)
{
	const plot_series none = { 0 };
	double low, high;

	if (!plot_range(s, none, &low, &high))
		return NAN;
	return MAX(fabs(low), fabs(high));
}

void plot_notes(plot_series good, plot_series bad, GString *out)
{
	size_t strange = count_strange(good) + count_strange(bad);
	double a = size_of(good), b = size_of(bad);

	if (a > 0 && b > 0 && MAX(a / b, b / a) >= FAR_APART)
		g_string_append_printf(
			out,
			"note: %s samples are about %.2g times as large as %s ones, whose "
			"differences cannot be seen here\n",
			a > b ? "good" : "bad", MAX(a / b, b / a),
			a > b ? "bad" : "good");
	if (strange)
		g_string_append_printf(
			out, "note: %zu samples are no numbers, left out\n", strange);
}
