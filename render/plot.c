/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text plots of samples, 80 columns wide. */
#include <math.h>
#include <string.h>

#include "render/compare.h"
#include "render/plot.h"
#include "render/table.h"

#define WIDTH      80
#define HEIGHT     15 /* rows of the frame, borders included */
#define RIGHT      76
#define LABEL_GAP  3
#define LABEL_MOST 40
#define BOTH_GLYPH '@'

typedef struct canvas {
	char cells[HEIGHT][WIDTH]; /* row 0 is the bottom */
	char labels[HEIGHT][64];   /* "" where no tick is */
	int left, right;
	int first, last; /* columns that samples may take */
	size_t longest;  /* samples of the longer series */
	plot_scale scale;
} canvas;

static int row_of(const canvas *c, double value)
{
	double share =
		(value / 2 - c->scale.low / 2) / (c->scale.high / 2 - c->scale.low / 2);

	return CLAMP((int)floor(share * (HEIGHT - 1) + 0.5), 0, HEIGHT - 1);
}

static int column_of(const canvas *c, size_t sample)
{
	double share = c->longest > 1 ? (double)sample / (double)(c->longest - 1) : 0;

	return c->first + (int)floor(share * (c->last - c->first) + 0.5);
}

/*
 * Labels go bottom up; one that would fall into a row with a label already gives way,
 * so that they never collide.
 */
static void put_ticks(canvas *c)
{
	int precision = plot_label_precision(&c->scale);
	size_t width = 0;

	for (unsigned i = 0; i <= c->scale.ticks; i++) {
		int row = row_of(c, plot_tick(&c->scale, i));

		if (*c->labels[row])
			continue;
		plot_tick_label(&c->scale, i, precision, c->labels[row],
				sizeof(c->labels[0]));
		width = MAX(width, strlen(c->labels[row]));
	}
	c->left = (int)MIN(width, LABEL_MOST) + LABEL_GAP;
}

static void put_tick_marks(canvas *c)
{
	for (int row = 0; row < HEIGHT; row++)
		if (*c->labels[row])
			memcpy(&c->cells[row][c->left + 1], "-+", 2);
}

static void put_points(canvas *c, plot_series s, char glyph, char other)
{
	for (size_t i = 0; i < s.n; i++) {
		char *cell;

		if (!isfinite(s.values[i]))
			continue;
		cell = &c->cells[row_of(c, s.values[i])][column_of(c, i)];
		*cell = *cell == other && other ? BOTH_GLYPH : glyph;
	}
}

/* Halves go away from `from`, up and down alike. */
static int part_way(int from, int to, int step, int steps)
{
	return from + (int)round((double)(to - from) * step / steps);
}

/* The line between two samples: dots where it is flat, colons where it is steep. */
static void put_line(canvas *c, int x0, int y0, int x1, int y1)
{
	int dx = x1 - x0, dy = y1 - y0;

	if (abs(dy) > abs(dx))
		for (int i = 1; i < abs(dy); i++)
			c->cells[y0 + (dy > 0 ? i : -i)][part_way(x0, x1, i, abs(dy))] =
				':';
	else
		for (int i = 1; i < abs(dx); i++)
			c->cells[part_way(y0, y1, i, abs(dx))][x0 + (dx > 0 ? i : -i)] =
				'.';
}

static void put_lines(canvas *c, plot_series s)
{
	int x = 0, y = 0;
	bool before = false;

	for (size_t i = 0; i < s.n; i++) {
		int next_x = column_of(c, i), next_y;

		if (!isfinite(s.values[i])) {
			before = false;
			continue;
		}
		next_y = row_of(c, s.values[i]);
		if (before)
			put_line(c, x, y, next_x, next_y);
		x = next_x;
		y = next_y;
		before = true;
	}
}

static void put_border(canvas *c)
{
	for (int row = 0; row < HEIGHT; row++)
		c->cells[row][c->left] = c->cells[row][c->right] = '|';
	for (int row = 0; row < HEIGHT; row += HEIGHT - 1) {
		memset(&c->cells[row][c->left], '-', (size_t)(c->right - c->left));
		c->cells[row][c->left] = c->cells[row][c->right] = '+';
	}
}

static void put_text_row(GString *out, const char *text, int column)
{
	int length = (int)g_utf8_strlen(text, -1);

	g_string_append_printf(out, "%*s%s%*s\n", column, "", text,
			       MAX(WIDTH - column - length, 0), "");
}

static void put_title(GString *out, const canvas *c, const char *metric)
{
	g_autoptr(GString) title = g_string_new(NULL);
	int length;

	table_put_name(title, metric);
	length = (int)g_utf8_strlen(title->str, -1);
	put_text_row(out, "", 0);
	put_text_row(out, title->str, MAX((c->left + c->right) / 2 - length / 2, 0));
	put_text_row(out, "", 0);
}

static void put_frame(GString *out, const canvas *c)
{
	for (int row = HEIGHT - 1; row >= 0; row--)
		g_string_append_printf(out, "%*s %.*s\n", c->left - 1, c->labels[row],
				       WIDTH - c->left, &c->cells[row][c->left]);
}

static void canvas_init(canvas *c, plot_scale scale, size_t longest, int margin)
{
	memset(c, 0, sizeof(*c));
	memset(c->cells, ' ', sizeof(c->cells));
	c->scale = scale;
	c->longest = longest;
	put_ticks(c);
	c->right = RIGHT;
	c->first = c->left + margin;
	c->last = c->right - margin;
}

/* What the robot's mails have: head as O, base as a line of +, the border over all. */
static void plot_robot(canvas *c, const char *metric, plot_series base,
		       plot_series head, GString *out)
{
	put_tick_marks(c);
	put_points(c, head, 'O', 0);
	put_lines(c, base);
	put_points(c, base, '+', 0);
	put_border(c);
	put_title(out, c, metric);
	put_frame(out, c);
	put_text_row(out, "", 0);
	put_text_row(out, "", 0);
}

static void plot_plain(canvas *c, const char *metric, plot_series good, plot_series bad,
		       GString *out)
{
	g_autofree char *legend =
		g_strdup_printf("* good (%zu samples)   O bad (%zu samples)   %c both",
				good.n, bad.n, BOTH_GLYPH);
	g_autoptr(GString) notes = g_string_new(NULL);

	put_tick_marks(c);
	put_border(c);
	put_points(c, good, '*', 0);
	put_points(c, bad, 'O', '*');
	put_title(out, c, metric);
	put_frame(out, c);
	put_text_row(out, legend, c->left);
	plot_notes(good, bad, notes);
	g_string_append_len(out, notes->str, (gssize)notes->len);
}

void render_plot_text(const char *metric, const double *good, size_t n_good,
		      const double *bad, size_t n_bad, bool compat, GString *out)
{
	plot_series g = { good, n_good }, b = { bad, n_bad };
	double low, high;
	canvas c;

	if (!plot_range(g, b, &low, &high)) {
		g_string_append(out, "no samples of ");
		table_put_name(out, metric);
		g_string_append_c(out, '\n');
		return;
	}
	canvas_init(&c, plot_scale_of(low, high), MAX(n_good, n_bad), compat ? 0 : 2);
	if (compat)
		plot_robot(&c, metric, g, b, out);
	else
		plot_plain(&c, metric, g, b, out);
}
