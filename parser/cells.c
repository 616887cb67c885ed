/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row: the words of a line in order, and the cells that they make. */
#include "parser/cells.h"

#include <math.h>
#include <string.h>

#include "parser/robot_lines.h"

#define TOKENS_MAX 16384 /* of one row: thousands of columns */

void cell_reader_init(cell_reader *reader)
{
	*reader = (cell_reader){
		.tokens = g_array_new(FALSE, FALSE, sizeof(cell_token)),
		.cells = g_array_new(FALSE, FALSE, sizeof(parser_cell)),
		.texts = g_array_new(FALSE, FALSE, sizeof(cell_token)),
		.fails = g_array_new(FALSE, FALSE, sizeof(parser_fail_cell)),
	};
}

void cell_reader_clear(cell_reader *reader)
{
	g_array_unref(reader->tokens);
	g_array_unref(reader->cells);
	g_array_unref(reader->texts);
	g_array_unref(reader->fails);
	*reader = (cell_reader){ 0 };
}

/*
 * Cuts a line into the tokens of a row; the first word that is none is the metric.
 * G0 and G1 print "TOTAL" before it.  Behind the metric only a remark may stand.
 */
static bool tokenize(cell_reader *r, const char *s, size_t len)
{
	static const char *const totals[] = { "TOTAL", "GEO-MEAN", NULL };
	const char *p = s, *end = s + len, *word;
	size_t n;

	g_array_set_size(r->tokens, 0);
	r->metric = NULL;
	r->metric_len = 0;
	while ((word = parser_word_next(&p, end, &n))) {
		size_t glued = cell_glued_percent(word, n);
		cell_token token = cell_token_of(word, glued ? glued : n);

		if (token.kind != CELL_WORD) {
			if (r->tokens->len >= TOKENS_MAX)
				return false;
			g_array_append_val(r->tokens, token);
			if (!glued)
				continue;
			word += glued;
			n -= glued;
		}
		if (r->tokens->len == 0)
			return false;
		if (parser_word_is(word, n, totals))
			continue;
		r->metric = word;
		r->metric_len = n;
		break;
	}
	if (r->metric && (word = parser_word_next(&p, end, &n)))
		return word[0] == '<' || word[0] == '(' || word[0] == '#' ||
		       word[0] == '[';
	return true;
}

static const cell_token *token_at(const cell_reader *r, size_t i)
{
	return i < r->tokens->len ? &g_array_index(r->tokens, cell_token, i) : NULL;
}

static bool token_is(const cell_reader *r, size_t i, cell_kind kind)
{
	return i < r->tokens->len && token_at(r, i)->kind == kind;
}

/* A change for certain: a sign is printed, or a word stands for it. */
static bool is_signed_change(const cell_reader *r, size_t i)
{
	const cell_token *t = token_at(r, i);

	return t &&
	       (t->kind == CELL_NOTE ||
		((t->kind == CELL_NUMBER || t->kind == CELL_PERCENT) && t->is_signed));
}

/*
 * An unsigned percentage behind a value is a change whose plus sign was not printed, or
 * a deviation whose plus-minus sign was lost.  What follows tells, else the numbers do.
 */
static bool is_lost_deviation(const cell_reader *r, size_t i, const cell_layout *layout)
{
	const cell_token *t = token_at(r, i);

	if (!t || t->kind != CELL_PERCENT || t->is_signed)
		return false;
	if (i + 1 >= r->tokens->len || is_signed_change(r, i + 1) ||
	    token_is(r, i + 1, CELL_PERCENT))
		return true;
	if (layout->plain_change || i == 0 || !token_is(r, i + 1, CELL_NUMBER) ||
	    !token_is(r, i - 1, CELL_NUMBER))
		return false;

	double base = token_at(r, i - 1)->value;
	double real = 100 * (token_at(r, i + 1)->value - base) / base;
	return !(fabs(real - t->value) <= 1 + 0.02 * fabs(real));
}

static size_t read_deviation(const cell_reader *r, size_t i, const cell_layout *layout,
			     parser_cell *cell)
{
	if (token_is(r, i, CELL_STDDEV)) {
		cell->has_stddev = true;
		cell->stddev_percent = token_at(r, i)->value;
		return i + 1;
	}
	if (token_is(r, i, CELL_SIGN) && token_is(r, i + 1, CELL_PERCENT)) {
		cell->has_stddev = true;
		cell->stddev_percent = token_at(r, i + 1)->value;
		return i + 2;
	}
	if (cell->has_mean && is_lost_deviation(r, i, layout)) {
		cell->has_stddev = true;
		cell->stddev_percent = token_at(r, i)->value;
		return i + 1;
	}
	return i;
}

/*
 * Numbers without a sign that the row has beyond one for each column: changes that were
 * printed without a plus sign.  Unknown columns count as two.
 */
static size_t surplus_numbers(const cell_reader *r, const cell_layout *layout)
{
	size_t numbers = 0, columns = layout->columns ? layout->columns : 2;

	for (size_t i = 0; i < r->tokens->len; i++) {
		const cell_token *t = token_at(r, i);

		numbers += t->kind == CELL_NUMBER && !t->is_signed;
	}
	return layout->plain_change && numbers > columns ? numbers - columns : 0;
}

static size_t read_change(const cell_reader *r, size_t i, size_t *surplus,
			  parser_cell *cell, cell_token *text)
{
	const cell_token *t = token_at(r, i);
	bool taken = is_signed_change(r, i) || token_is(r, i, CELL_PERCENT);

	if (!taken && *surplus > 0 && token_is(r, i, CELL_NUMBER) &&
	    token_is(r, i + 1, CELL_NUMBER)) {
		taken = true;
		(*surplus)--;
	}
	/* A negative mean behind a blank change: nothing but a deviation follows it. */
	if (taken && t->kind == CELL_NUMBER && t->value < 0 && i > 0 &&
	    !token_is(r, i + 1, CELL_NUMBER))
		taken = false;
	if (!taken)
		return i;
	*text = *t;
	cell->unit =
		t->kind == CELL_PERCENT ? PARSER_UNIT_PERCENT : PARSER_UNIT_ABSOLUTE;
	cell->has_change = t->kind != CELL_NOTE;
	cell->change = cell->has_change ? t->value : 0;
	return i + 1;
}

static bool read_cells(cell_reader *r, const cell_layout *layout)
{
	size_t surplus = surplus_numbers(r, layout);

	g_array_set_size(r->cells, 0);
	g_array_set_size(r->texts, 0);
	for (size_t i = 0; i < r->tokens->len;) {
		parser_cell cell = { 0 };
		cell_token text = { .kind = CELL_WORD };
		size_t start = i;

		if (r->cells->len > 0)
			i = read_change(r, i, &surplus, &cell, &text);
		if (token_is(r, i, CELL_NUMBER)) {
			cell.has_mean = true;
			cell.mean = token_at(r, i++)->value;
		} else if (token_is(r, i, CELL_ABSENT)) {
			i++;
		}
		i = read_deviation(r, i, layout, &cell);
		if (i == start)
			return false;
		g_array_append_val(r->cells, cell);
		g_array_append_val(r->texts, text);
	}
	return true;
}

/* "1:4 -25% :4": runs, then a percentage (it may be blank) and runs for each column. */
static bool read_fail_cells(cell_reader *r)
{
	g_array_set_size(r->fails, 0);
	for (size_t i = 0; i < r->tokens->len; i++) {
		parser_fail_cell cell = { 0 };

		if (r->fails->len > 0 && token_is(r, i, CELL_PERCENT)) {
			cell.has_reproduction = true;
			cell.reproduction = token_at(r, i++)->value;
		}
		if (!token_is(r, i, CELL_RUNS))
			return false;
		cell.fails = token_at(r, i)->value;
		cell.runs = token_at(r, i)->runs;
		cell.has_runs = token_at(r, i)->has_runs;
		g_array_append_val(r->fails, cell);
	}
	return r->fails->len >= 2;
}

static bool is_fail_row(const cell_reader *r)
{
	for (size_t i = 0; i < r->tokens->len; i++)
		if (token_at(r, i)->kind == CELL_RUNS)
			return true;
	return false;
}

/* A row says something about two columns: two means, or a change that is no mean. */
static bool cells_are_row(const cell_reader *r, const cell_layout *layout)
{
	size_t means = 0, changes = 0;

	for (size_t i = 0; i < r->cells->len; i++) {
		means += g_array_index(r->cells, parser_cell, i).has_mean;
		changes += g_array_index(r->texts, cell_token, i).kind != CELL_WORD;
	}
	if (layout->columns)
		return r->cells->len >= 2 && (means > 0 || changes > 0);
	return r->cells->len >= 2 && changes > 0 && means > 0;
}

/* Below a table's head, a row may also be named by a path, or by a metric cut short. */
static bool is_name(const cell_reader *r, const cell_layout *layout)
{
	if (cell_is_metric(r->metric, r->metric_len))
		return true;
	if (!layout->columns ||
	    !(g_ascii_isalnum(*r->metric) || strchr("_%./:", *r->metric)))
		return false;
	if (r->metric_len >= 3 && memchr(r->metric, '/', r->metric_len))
		return true;
	for (size_t i = 0; i < r->tokens->len; i++)
		if (is_signed_change(r, i))
			return true;
	return false;
}

cell_shape cell_reader_read(cell_reader *r, const char *s, size_t len,
			    const cell_layout *layout)
{
	if (!tokenize(r, s, len) || r->tokens->len < 2)
		return CELL_SHAPE_NONE;
	if (r->metric && !is_name(r, layout))
		return CELL_SHAPE_NONE;
	r->fail = is_fail_row(r);
	if (r->fail ? !read_fail_cells(r) :
		      (!read_cells(r, layout) || !cells_are_row(r, layout)))
		return CELL_SHAPE_NONE;
	if (!r->metric)
		return CELL_SHAPE_OPEN;
	return r->fail ? CELL_SHAPE_FAIL_ROW : CELL_SHAPE_ROW;
}

/* A difference between values that are percentages themselves is one in points. */
static bool metric_is_percentage(const char *metric, size_t len)
{
	return metric[len - 1] == '%' || g_str_has_prefix(metric, "perf-profile") ||
	       g_str_has_prefix(metric, "pp.");
}

parser_row *cell_reader_row(const cell_reader *r, const char *metric, size_t len)
{
	parser_row *row = g_new0(parser_row, 1);

	row->metric = g_strndup(metric, len);
	row->n_cells = r->cells->len;
	row->cells = g_new(parser_cell, row->n_cells);
	for (size_t i = 0; i < row->n_cells; i++) {
		const cell_token *text = &g_array_index(r->texts, cell_token, i);
		parser_cell *cell = &row->cells[i];

		*cell = g_array_index(r->cells, parser_cell, i);
		if (text->kind == CELL_WORD)
			continue;
		cell->change_text = g_strndup(text->s, text->len);
		if (cell->unit == PARSER_UNIT_ABSOLUTE &&
		    metric_is_percentage(row->metric, strlen(row->metric)))
			cell->unit = PARSER_UNIT_POINTS;
		if (text->kind == CELL_NOTE)
			cell->unit = PARSER_UNIT_PERCENT;
	}
	return row;
}

parser_fail_row *cell_reader_fail_row(const cell_reader *r, const char *metric,
				      size_t len)
{
	parser_fail_row *row = g_new0(parser_fail_row, 1);

	row->metric = g_strndup(metric, len);
	row->n_cells = r->fails->len;
	row->cells = g_new(parser_fail_cell, row->n_cells);
	memcpy(row->cells, r->fails->data, row->n_cells * sizeof(parser_fail_cell));
	return row;
}
