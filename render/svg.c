/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plot as an SVG document that needs nothing else: no script, no font, no style sheet
 * from outside; shapes as well as colours tell good from bad, <title> and <desc> say in
 * words what it shows.
 */
#include <math.h>
#include <string.h>

#include "render/compare.h"
#include "render/plot.h"
#include "render/table.h"

#define WIDTH  720
#define HEIGHT 360
#define LEFT   90.0
#define RIGHT  700.0
#define TOP    50.0
#define BOTTOM 300.0
#define SIZE   4.0

typedef struct drawing {
	GString *out;
	plot_scale scale;
	size_t longest;
} drawing;

static void put_escaped(GString *out, const char *text)
{
	g_autoptr(GString) name = g_string_new(NULL);
	g_autofree char *escaped = NULL;

	table_put_name(name, text);
	escaped = g_markup_escape_text(name->str, (gssize)name->len);
	g_string_append(out, escaped);
}

static double y_of(const drawing *d, double value)
{
	double share =
		(value / 2 - d->scale.low / 2) / (d->scale.high / 2 - d->scale.low / 2);

	return BOTTOM - share * (BOTTOM - TOP);
}

static double x_of(const drawing *d, size_t sample)
{
	const double margin = 12;
	double share = d->longest > 1 ? (double)sample / (double)(d->longest - 1) : 0.5;

	return LEFT + margin + share * (RIGHT - LEFT - 2 * margin);
}

static void put_ticks(drawing *d)
{
	int precision = plot_label_precision(&d->scale);

	for (unsigned i = 0; i <= d->scale.ticks; i++) {
		double y = y_of(d, plot_tick(&d->scale, i));
		char label[64];

		plot_tick_label(&d->scale, i, precision, label, sizeof(label));
		g_string_append_printf(
			d->out,
			"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
			"stroke=\"#ccc\"/>\n<text x=\"%.1f\" y=\"%.1f\" "
			"text-anchor=\"end\">%s</text>\n",
			LEFT, y, RIGHT, y, LEFT - 8, y + 4, label);
	}
}

static void put_mark(GString *out, double x, double y, bool good)
{
	if (good)
		g_string_append_printf(out,
				       "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" "
				       "fill=\"#0a6640\"/>\n",
				       x, y, SIZE);
	else
		g_string_append_printf(
			out,
			"<path d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1f\" "
			"stroke=\"#b3261e\" stroke-width=\"2\"/>\n",
			x - SIZE, y - SIZE, x + SIZE, y + SIZE, x - SIZE, y + SIZE,
			x + SIZE, y - SIZE);
}

static void put_series(drawing *d, plot_series s, bool good)
{
	g_string_append_printf(d->out, "<g aria-label=\"%s samples\">\n",
			       good ? "good" : "bad");
	for (size_t i = 0; i < s.n; i++)
		if (isfinite(s.values[i]))
			put_mark(d->out, x_of(d, i), y_of(d, s.values[i]), good);
	g_string_append(d->out, "</g>\n");
}

static void put_range_words(GString *out, const char *name, plot_series s)
{
	const plot_series none = { 0 };
	double low, high;

	if (plot_range(s, none, &low, &high))
		g_string_append_printf(out, "%zu %s samples from %g to %g. ", s.n, name,
				       low, high);
	else
		g_string_append_printf(out, "No %s samples. ", name);
}

static void put_head(GString *out, const char *metric, plot_series good,
		     plot_series bad)
{
	g_autoptr(GString) notes = g_string_new(NULL);

	g_string_append_printf(out,
			       "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
			       "aria-labelledby=\"title desc\" viewBox=\"0 0 %d %d\" "
			       "width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
			       "font-size=\"12\">\n<title id=\"title\">",
			       WIDTH, HEIGHT, WIDTH, HEIGHT);
	put_escaped(out, metric);
	g_string_append(
		out,
		"</title>\n<desc id=\"desc\">Samples in the order of their runs. ");
	put_range_words(out, "good", good);
	put_range_words(out, "bad", bad);
	plot_notes(good, bad, notes);
	g_strdelimit(notes->str, "\n", ' ');
	g_string_append(out, notes->str);
	g_string_append_printf(
		out,
		"</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
		"<text x=\"%.1f\" y=\"28\" text-anchor=\"middle\" "
		"font-size=\"15\">",
		WIDTH, HEIGHT, (LEFT + RIGHT) / 2);
	put_escaped(out, metric);
	g_string_append(out, "</text>\n");
}

static void put_legend(GString *out, plot_series good, plot_series bad)
{
	const double y = BOTTOM + 36;

	put_mark(out, LEFT + 10, y - 4, true);
	g_string_append_printf(out, "<text x=\"%.1f\" y=\"%.1f\">good (%zu)</text>\n",
			       LEFT + 22, y, good.n);
	put_mark(out, LEFT + 150, y - 4, false);
	g_string_append_printf(out, "<text x=\"%.1f\" y=\"%.1f\">bad (%zu)</text>\n",
			       LEFT + 162, y, bad.n);
}

void render_plot_svg(const char *metric, const double *good, size_t n_good,
		     const double *bad, size_t n_bad, GString *out)
{
	plot_series g = { good, n_good }, b = { bad, n_bad };
	drawing d = { .out = out, .longest = MAX(n_good, n_bad) };
	double low, high;

	put_head(out, metric, g, b);
	if (plot_range(g, b, &low, &high)) {
		d.scale = plot_scale_of(low, high);
		put_ticks(&d);
		g_string_append_printf(
			out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
			"height=\"%.1f\" fill=\"none\" stroke=\"#333\"/>\n",
			LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
		put_series(&d, g, true);
		put_series(&d, b, false);
	} else {
		g_string_append_printf(
			out, "<text x=\"%.1f\" y=\"%.1f\">no samples</text>\n", LEFT,
			(TOP + BOTTOM) / 2);
	}
	put_legend(out, g, b);
	g_string_append(out, "</svg>\n");
}
