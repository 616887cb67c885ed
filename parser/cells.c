/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/cells.h"

#include <math.h>
#include <string.h>

#include "parser/robot_lines.h"

#define TOKENS_MAX 16384 /* of one row: thousands of columns */
#define NUMBER_MAX 48    /* characters; longer is no number of a table */

/* The plus-minus sign in every form that lists, archives and 7-bit clients made of it.
 */
static const char *const signs[] = { "\xc2\xb1", /* as it should be */
				     "\xc4\x85", /* byte 0xB1 taken for ISO-8859-2 */
				     "\xc3\x82\xc2\xb1", /* UTF-8 decoded twice */
				     "\xef\xbf\xbd",     /* given up by a decoder */
				     "A+-",
				     "+/-",
				     "+-",
				     "~",
				     "?",
				     NULL };

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

bool cell_is_metric(const char *s, size_t len)
{
	if (len < 3 || !(g_ascii_isalpha(*s) || *s == '_'))
		return false;

	const char *dot = memchr(s, '.', len);
	return dot && dot + 1 < s + len && !memchr(s, '"', len) && s[len - 1] != ',';
}

/* Length of the number at s ("[+-]digits[.digits][e[+-]digits]"), 0 if there is none.
 */
static size_t number_length(const char *s, size_t len)
{
	size_t i = 0, digits = 0;

	if (i < len && (s[i] == '+' || s[i] == '-'))
		i++;
	for (; i < len && g_ascii_isdigit(s[i]); i++)
		digits++;
	if (i < len && s[i] == '.')
		for (i++; i < len && g_ascii_isdigit(s[i]); i++)
			digits++;
	if (!digits)
		return 0;
	if (i + 1 < len && (s[i] == 'e' || s[i] == 'E')) {
		size_t j = i + 1;

		if (s[j] == '+' || s[j] == '-')
			j++;
		if (j < len && g_ascii_isdigit(s[j])) {
			while (j < len && g_ascii_isdigit(s[j]))
				j++;
			i = j;
		}
	}
	return i <= NUMBER_MAX ? i : 0;
}

/*
 * The number at s where whole digits and a power of ten are both exact, so that one
 * multiplication rounds right: nearly all that a table holds, and strtod is slow.
 */
static bool simple_value(const char *s, size_t len, double *value)
{
	static const double tens[] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
				       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	bool minus = *s == '-', point = false;
	uint64_t digits = 0;
	size_t fraction = 0, n = 0;

	for (size_t i = *s == '-' || *s == '+'; i < len; i++) {
		if (s[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (!g_ascii_isdigit(s[i]) || ++n > 15)
			return false;
		digits = digits * 10 + (uint64_t)(s[i] - '0');
		fraction += point;
	}
	*value = (double)digits / tens[fraction];
	if (minus)
		*value = -*value;
	return true;
}

static double number_value(const char *s, size_t len)
{
	char buffer[NUMBER_MAX + 1];
	double value;

	if (simple_value(s, len, &value))
		return value;

	memcpy(buffer, s, len);
	buffer[len] = '\0';
	return g_ascii_strtod(buffer, NULL);
}

/* "1:4", ":4", "12:"; the left number may be missing. */
static bool read_runs(cell_token *token)
{
	const char *colon = memchr(token->s, ':', token->len);
	size_t left, right;

	if (!colon)
		return false;
	left = (size_t)(colon - token->s);
	right = token->len - left - 1;
	if (left + right == 0 || left > 12 || right > 12)
		return false;
	for (size_t i = 0; i < token->len; i++)
		if (i != left && !g_ascii_isdigit(token->s[i]))
			return false;
	token->value = left ? number_value(token->s, left) : 0;
	token->has_runs = right > 0;
	token->runs = right ? number_value(colon + 1, right) : 0;
	token->kind = CELL_RUNS;
	return true;
}

static size_t sign_length(const char *s, size_t len)
{
	if (len == 0 || (g_ascii_isalnum(*s) && *s != 'A'))
		return 0;
	for (const char *const *sign = signs; *sign; sign++) {
		size_t n = strlen(*sign);

		if (n <= len && memcmp(s, *sign, n) == 0)
			return n;
	}
	return 0;
}

/* A sign alone or with the number that follows it. */
static bool read_stddev(cell_token *token)
{
	size_t n = sign_length(token->s, token->len);
	const char *rest = token->s + n;
	size_t left = token->len - n;

	if (n == 0)
		return false;
	if (left == 0) {
		token->kind = CELL_SIGN;
		return true;
	}

	size_t digits = number_length(rest, left);
	if (digits == 0 || digits + 1 != left || rest[digits] != '%')
		return false;
	token->value = number_value(rest, digits);
	token->kind = CELL_STDDEV;
	return true;
}

cell_token cell_token_of(const char *s, size_t len)
{
	static const char *const notes[] = { "+Inf%", "-Inf%", "Inf%", "NaN%",
					     "-NaN%", "+Inf",  "-Inf", "new",
					     "gone",  "n/a",   "nan%", NULL };
	cell_token token = { .kind = CELL_WORD, .s = s, .len = len };
	size_t digits = number_length(s, len);

	if (digits > 0 && (digits == len || (digits + 1 == len && s[digits] == '%'))) {
		token.kind = digits == len ? CELL_NUMBER : CELL_PERCENT;
		token.value = number_value(s, digits);
		token.is_signed = *s == '+' || *s == '-';
		return token;
	}
	if (read_runs(&token) || read_stddev(&token))
		return token;
	if (parser_word_is(s, len, notes))
		token.kind = CELL_NOTE;
	else if (len == 1 && *s == '-')
		token.kind = CELL_ABSENT;
	return token;
}

/* Where a percentage ends that a metric's name is glued to ("2%pp.self.x"), else 0. */
static size_t glued_percent(const char *s, size_t len)
{
	size_t n;

	if (!memchr(s, '%', len))
		return 0;
	n = sign_length(s, len);
	n += number_length(s + n, len - n);
	if (n == 0 || n + 1 >= len || s[n] != '%' || !g_ascii_isalpha(s[n + 1]))
		return 0;
	return n + 1;
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
		size_t glued = glued_percent(word, n);
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
