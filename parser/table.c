/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/table.h"

#include <string.h>

#include "parser/cells.h"

#define FRAME_DASHES 15 /* of a plot's top and bottom */

parser_table *parser_table_new(void)
{
	parser_table *table = g_new0(parser_table, 1);

	table->axes = g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	table->columns = g_ptr_array_new_with_free_func(parser_table_column_free);
	table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)parser_row_free);
	table->fail_rows =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_fail_row_free);
	return table;
}

void parser_table_free(parser_table *table)
{
	if (!table)
		return;
	g_free(table->machine);
	g_ptr_array_unref(table->axes);
	g_ptr_array_unref(table->columns);
	g_ptr_array_unref(table->rows);
	g_ptr_array_unref(table->fail_rows);
	g_free(table);
}

void parser_row_free(parser_row *row)
{
	if (!row)
		return;
	for (size_t i = 0; i < row->n_cells; i++)
		g_free(row->cells[i].change_text);
	g_free(row->cells);
	g_free(row->metric);
	g_free(row);
}

void parser_fail_row_free(parser_fail_row *row)
{
	if (!row)
		return;
	g_free(row->cells);
	g_free(row->metric);
	g_free(row);
}

/* Walks the lines of a text and collects its tables. */
typedef struct table_walk {
	const GArray *lines;
	GPtrArray *tables;
	parser_table *table; /* that rows go to; NULL before the first */
	unsigned depth;      /* of quoting, of the table */
	table_head head;
	cell_layout layout;
	cell_reader reader;
	bool open; /* the line before was a row without its metric */
	bool plot; /* inside a plot's frame */
	unsigned plots;
} table_walk;

/* "            %stddev     %change         %stddev", "fail:runs  %reproduction ...". */
static bool read_head_words(table_walk *w, const text_line *line)
{
	static const char *const words[] = { "%stddev",   "%change",       "change",
					     "fail:runs", "%reproduction", NULL };
	const char *p = line->s, *end = line->s + line->len, *word;
	size_t n;
	bool plain = false, percent = false;

	if (!parser_line_starts(line, "%stddev") &&
	    !parser_line_starts(line, "fail:runs"))
		return false;
	while ((word = parser_word_next(&p, end, &n))) {
		if (n > 1 && !parser_word_is(word, n, words))
			return false;
		plain = plain || (n == 6 && memcmp(word, "change", 6) == 0);
		percent = percent || *word == '%';
	}
	if (percent)
		w->layout.plain_change = plain;
	return true;
}

/* The frame's top or bottom: a tick's label, then "++-----*---+" in one word. */
static bool is_frame(const text_line *line)
{
	const char *p = line->s, *end = line->s + line->len;
	size_t n, dashes = 0;
	size_t label_length;
	const char *label = parser_word_next(&p, end, &label_length);
	const char *frame = parser_word_next(&p, end, &n);

	if (!frame || n < FRAME_DASHES || !strchr("+|O*", *frame) ||
	    cell_token_of(label, label_length).kind != CELL_NUMBER)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!strchr("+-O*|.:#", frame[i]))
			return false;
		dashes += frame[i] == '-';
	}
	return dashes >= FRAME_DASHES;
}

/* A title stands alone on its line above its plot. */
static bool is_title(const text_line *line)
{
	return cell_is_metric(line->s, line->len) && !memchr(line->s, ' ', line->len);
}

static bool read_plot(table_walk *w, const text_line *line)
{
	if (!is_frame(line))
		return false;
	w->plots += !w->plot;
	w->plot = !w->plot;
	return true;
}

/* The table for a row: the one at hand, if it stands in the same words, else a new one.
 */
static void choose_table(table_walk *w, const text_line *line)
{
	if (w->table && w->depth == line->depth && w->table->quoted == line->quoted &&
	    !table_head_is_complete(&w->head))
		return;
	w->table = table_head_take(&w->head, line);
	w->depth = line->depth;
	g_ptr_array_add(w->tables, w->table);
}

static void add_row(table_walk *w, const text_line *line, cell_shape shape,
		    const char *metric, size_t len)
{
	choose_table(w, line);
	if (shape == CELL_SHAPE_FAIL_ROW)
		g_ptr_array_add(w->table->fail_rows,
				cell_reader_fail_row(&w->reader, metric, len));
	else
		g_ptr_array_add(w->table->rows,
				cell_reader_row(&w->reader, metric, len));
	w->plot = false;
}

/* A mail program put the metric of the row before on a line of its own. */
static bool read_lost_metric(table_walk *w, const text_line *line)
{
	if (!w->open)
		return false;
	w->open = false;
	if (!is_title(line))
		return false;
	add_row(w, line, w->reader.fail ? CELL_SHAPE_FAIL_ROW : CELL_SHAPE_ROW, line->s,
		line->len);
	return true;
}

static bool read_row(table_walk *w, const text_line *line)
{
	cell_shape shape = cell_reader_read(&w->reader, line->s, line->len, &w->layout);

	w->open = shape == CELL_SHAPE_OPEN;
	if (shape == CELL_SHAPE_NONE || shape == CELL_SHAPE_OPEN)
		return false;
	add_row(w, line, shape, w->reader.metric, w->reader.metric_len);
	return true;
}

static void read_line(table_walk *w, const text_line *line)
{
	if (line->len == 0) {
		table_head_line(&w->head, line);
		return;
	}
	if (read_lost_metric(w, line) || read_plot(w, line) || read_head_words(w, line))
		return;
	if (read_row(w, line))
		return;
	if (!table_head_line(&w->head, line)) {
		w->plot = w->plot && !is_title(line); /* another plot begins */
	} else if (w->head.ids->len >= 2) {
		w->layout.columns = w->head.ids->len;
		w->layout.plain_change = false;
	}
}

void parser_tables_read(const parser_mail *mail, GPtrArray *tables, unsigned *plots)
{
	g_autoptr(GArray) lines = parser_lines(mail);
	table_walk w = { .lines = lines, .tables = tables };

	table_head_init(&w.head);
	cell_reader_init(&w.reader);
	for (size_t i = 0; i < lines->len; i++)
		read_line(&w, parser_line_at(lines, i));
	cell_reader_clear(&w.reader);
	table_head_clear(&w.head);
	*plots = w.plots;
}
