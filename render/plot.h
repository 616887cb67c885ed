/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: scales that text plots and SVG share. */
#ifndef RENDER_PLOT_H
#define RENDER_PLOT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Samples in the order of their runs; those that are no numbers are left out. */
typedef struct plot_series {
	const double *values;
	size_t n;
} plot_series;

typedef struct plot_scale {
	double low, high, step; /* low and high are multiples of step */
	unsigned ticks; /* there are this many and one: plot_tick() 0 to ticks */
} plot_scale;

/* Finite values of both series, smallest and largest; false if there is none. */
bool plot_range(plot_series a, plot_series b, double *low, double *high);

/* The scale that gnuplot chooses for a range. */
plot_scale plot_scale_of(double low, double high);

/* The value of the i-th tick, low + i * step. */
double plot_tick(const plot_scale *scale, unsigned i);

/* The i-th tick's label, "%g" with digits that tell it from its neighbours. */
void plot_tick_label(const plot_scale *scale, unsigned i, int precision, char *out,
		     size_t size);

/* Digits that labels need so that no two are equal. */
int plot_label_precision(const plot_scale *scale);

/*
 * A note on what the plot cannot show: ranges that lie orders of magnitude apart,
 * values that are no numbers.  Empty if there is nothing to say.
 */
void plot_notes(plot_series good, plot_series bad, GString *out);

#endif
