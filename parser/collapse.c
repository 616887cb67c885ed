/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Web archives join all lines of a mail into one.  What a robot writes has so much form
 * that its lines can be found again: labels begin one, a metric's name ends one.
 */
#include <string.h>

#include "parser/cells.h"
#include "parser/robot_lines.h"

#define COLLAPSED_MIN 300 /* a shorter line is as its author made it */
#define COLUMNS_MAX   64  /* of a collapsed table */
#define BORDER_DASHES 15  /* of a plot's frame or an impact table's */

/* What begins a line: the words of a robot's labels, blanks as single ones. */
static const char *const labels[] = { "Greeting,",
				      "Hello,",
				      "FYI, we noticed",
				      "kernel test robot noticed",
				      "commit:",
				      "url:",
				      "base:",
				      "patch link:",
				      "patch subject:",
				      "in testcase:",
				      "testcase:",
				      "test case:",
				      "config:",
				      "compiler:",
				      "on test machine:",
				      "test machine:",
				      "with following parameters:",
				      "parameters:",
				      "test-description:",
				      "test-url:",
				      "In addition to that,",
				      "If you fix the issue",
				      "Details are as below:",
				      "To reproduce:",
				      "The kernel config and materials",
				      "Disclaimer:",
				      "Thanks,",
				      "[test failed on",
				      "[still regression on",
				      "[*] bisect-good",
				      "[O] bisect-bad",
				      "| Reported-by:",
				      "| Closes:",
				      "| Link:",
				      "| testcase: change",
				      "| test machine",
				      "| test parameters",
				      "-- 0-DAY",
				      "_______________________________________________",
				      NULL };

static const char *const markers[] = {
	"commit: ",           "testcase: ", "test machine: ", "parameters: ", "%stddev",
	"---------------- -", "noticed a",  "Disclaimer: ",   "tbox_group",   NULL
};

typedef struct word {
	const char *s;
	size_t len;
} word;

typedef struct cutter {
	const text_line *model;
	GArray *lines;
	GArray *words;     /* word */
	const char *start; /* of the line that is being collected */
	size_t i;          /* number of the word looked at */
	bool labelled;     /* labels cut; else only rows and plots do */
	bool parameters;   /* between "parameters:" and the next label */
	unsigned bars;     /* "|" seen in a row of the impact table */
	bool impact;       /* inside the impact table */
	bool plot;         /* inside a plot's frame */
	bool group;        /* behind the key line of a table's head */
} cutter;

bool parser_line_is_collapsed(const text_line *line)
{
	return line->len > COLLAPSED_MIN && line->len <= PARSER_COLLAPSED_MAX;
}

static unsigned count_markers(const text_line *line)
{
	unsigned n = 0;

	for (const char *const *m = markers; *m; m++)
		n += memmem(line->s, line->len, *m, strlen(*m)) != NULL;
	return n;
}

static const word *word_at(const cutter *c, size_t i)
{
	static const word none = { "", 0 };

	return i < c->words->len ? &g_array_index(c->words, word, i) : &none;
}

/* Ends the line being collected before `at`, and starts the next there. */
static void cut(cutter *c, const char *at)
{
	const char *s = c->start, *end = at;

	if (at < c->start)
		return; /* what stands there is in a line already */
	while (s < end && *s == ' ')
		s++;
	while (end > s && end[-1] == ' ')
		end--;
	c->start = at;
	if (s == end)
		return;

	text_line line = *c->model;
	line.s = s;
	line.len = (size_t)(end - s);
	line.offset = c->model->offset + (size_t)(s - c->model->s);
	line.indent = 0;
	line.cut = true;
	g_array_append_val(c->lines, line);
}

/* Quote marks that stood before a line stand within it now; two of them, an empty one.
 */
static bool cut_quote_mark(cutter *c)
{
	const word *w = &g_array_index(c->words, word, c->i);

	if (!c->model->quoted || w->s[0] != '>' || strspn(w->s, ">") < w->len)
		return false;
	if (c->i > 0 && c->start == w->s - 1) {
		text_line empty = *c->model;

		empty.s = w->s;
		empty.len = 0;
		empty.offset = c->model->offset + (size_t)(w->s - c->model->s);
		empty.cut = true;
		g_array_append_val(c->lines, empty);
	}
	cut(c, w->s);
	c->start = w->s + w->len;
	return true;
}

static void cut_before(cutter *c, size_t i)
{
	cut(c, word_at(c, i)->s);
}

static void cut_after(cutter *c, size_t i)
{
	cut(c, word_at(c, i)->s + word_at(c, i)->len);
}

static bool word_equals(const word *w, const char *text)
{
	return w->len == strlen(text) && memcmp(w->s, text, w->len) == 0;
}

/* How many words the label at word i has, 0 if there is none. */
static size_t label_words(const cutter *c, size_t i)
{
	for (const char *const *label = labels; *label; label++) {
		const char *p = *label, *end = p + strlen(p), *part;
		size_t n, words = 0;

		while ((part = parser_word_next(&p, end, &n))) {
			const word *w = word_at(c, i + words);

			if (w->len < n || memcmp(w->s, part, n) != 0 ||
			    (w->len > n && p < end))
				break;
			words++;
			if (p == end)
				return words;
		}
	}
	return 0;
}

static bool is_hex(const word *w, size_t min, size_t max)
{
	if (w->len < min || w->len > max)
		return false;
	for (size_t i = 0; i < w->len; i++)
		if (!g_ascii_isxdigit(w->s[i]))
			return false;
	return true;
}

static bool is_made_of(const word *w, char c, size_t min)
{
	if (w->len < min)
		return false;
	for (size_t i = 0; i < w->len; i++)
		if (w->s[i] != c)
			return false;
	return true;
}

/* Top or bottom of a frame: "++-----*-*---+". */
static bool is_border(const word *w)
{
	size_t dashes = 0;

	if (w->len <= BORDER_DASHES || w->s[0] == '-')
		return false;
	for (size_t i = 0; i < w->len; i++) {
		if (!strchr("+-O*|.:#", w->s[i]))
			return false;
		dashes += w->s[i] == '-';
	}
	return dashes > BORDER_DASHES;
}

static bool is_number(const word *w)
{
	return w->len > 0 && cell_token_of(w->s, w->len).kind == CELL_NUMBER;
}

/* A parameter's name: "nr_task:". */
static bool is_key(const word *w)
{
	if (w->len < 2 || w->s[w->len - 1] != ':' || !g_ascii_isalpha(*w->s))
		return false;
	for (size_t i = 0; i + 1 < w->len; i++)
		if (!g_ascii_isalnum(w->s[i]) && !strchr("_-.+", w->s[i]))
			return false;
	return true;
}

static bool is_head_word(const word *w)
{
	static const char *const head[] = {
		"%stddev",       "%change", "change", "fail:runs",
		"%reproduction", "\\",      "|",      NULL
	};

	return parser_word_is(w->s, w->len, head);
}

/* The two lines above a table's rows are cut off as one. */
static bool cut_head(cutter *c)
{
	const word *w = word_at(c, c->i);

	if (!word_equals(w, "%stddev") && !word_equals(w, "fail:runs"))
		return false;
	cut_before(c, c->i);
	while (is_head_word(word_at(c, c->i + 1)))
		c->i++;
	cut_after(c, c->i);
	return true;
}

/* "=====", the key line, the value line, and below them the commits and their ids. */
static bool cut_group(cutter *c)
{
	const word *w = word_at(c, c->i), *next = word_at(c, c->i + 1);

	if (is_made_of(w, '=', 20) || is_made_of(w, '*', 20)) {
		cut_before(c, c->i);
		cut_after(c, c->i);
		c->parameters = false;
		return true;
	}
	if (w->len > 20 && w->s[w->len - 1] == ':' && memchr(w->s, '/', w->len) &&
	    memmem(w->s, w->len, "testcase", 8)) {
		cut_before(c, c->i);
		cut_after(c, ++c->i);
		c->group = true;
		return true;
	}
	if (is_hex(w, 7, 40) && next->len > 1 && memcmp(next->s, "(\"", 2) == 0 &&
	    !word_equals(word_at(c, c->i - 1), "commit:")) {
		cut_before(c, c->i);
		return true;
	}
	return false;
}

/* The ids over a table and the dashes below them. */
static bool cut_ids(cutter *c)
{
	const word *w = word_at(c, c->i);
	size_t n = 1, dashes = 0;

	if (!is_hex(w, 12, 40))
		return false;
	while (n < COLUMNS_MAX && is_hex(word_at(c, c->i + n), 12, 40))
		n++;
	while (dashes <= COLUMNS_MAX &&
	       is_made_of(word_at(c, c->i + n + dashes), '-', 8))
		dashes++;
	if (dashes < 2)
		return false;
	cut_before(c, c->i);
	cut_before(c, c->i + n);
	c->i += n + dashes - 1;
	cut_after(c, c->i);
	return true;
}

static bool cut_impact(cutter *c)
{
	const word *w = word_at(c, c->i);

	if (is_border(w) && w->s[0] == '+' &&
	    (c->i == 0 || !is_number(word_at(c, c->i - 1)))) {
		cut_before(c, c->i);
		cut_after(c, c->i);
		c->impact = true;
		c->bars = 0;
		return true;
	}
	if (!c->impact || !word_equals(w, "|"))
		return false;
	if (c->bars == 0)
		cut_before(c, c->i);
	if (++c->bars == 3) {
		cut_after(c, c->i);
		c->bars = 0;
	}
	return true;
}

/* A plot: its title, the top of its frame with a tick's label, and so on to the bottom.
 */
static bool cut_plot(cutter *c)
{
	if (!is_number(word_at(c, c->i)) || !is_border(word_at(c, c->i + 1)))
		return false;
	if (!c->plot && c->i > 0 &&
	    cell_is_metric(word_at(c, c->i - 1)->s, word_at(c, c->i - 1)->len))
		cut_before(c, c->i - 1);
	cut_before(c, c->i++);
	cut_after(c, c->i);
	c->plot = !c->plot;
	return true;
}

static bool is_cell(const word *w)
{
	return w->len > 0 && cell_token_of(w->s, w->len).kind != CELL_WORD;
}

/* Cells and the metric behind them. */
static bool cut_row(cutter *c)
{
	cell_layout layout = { .columns = 2, .plain_change = true };
	size_t n = 0;

	while (is_cell(word_at(c, c->i + n)))
		n++;

	const word *metric = word_at(c, c->i + n);
	if (n < 2 || !cell_is_metric(metric->s, metric->len)) {
		c->i += n > 1 ? n - 2 : 0; /* the last may begin a plot's frame */
		return false;
	}

	const char *s = word_at(c, c->i)->s;
	cell_reader reader;
	cell_reader_init(&reader);
	cell_shape shape = cell_reader_read(
		&reader, s, (size_t)(metric->s + metric->len - s), &layout);
	cell_reader_clear(&reader);
	if (shape != CELL_SHAPE_ROW && shape != CELL_SHAPE_FAIL_ROW) {
		c->i += n - 1;
		return false;
	}
	cut_before(c, c->i);
	c->i += n;
	cut_after(c, c->i);
	c->plot = false;
	return true;
}

static bool cut_label(cutter *c)
{
	const word *w = word_at(c, c->i);
	size_t n = label_words(c, c->i);
	bool row = word_equals(w, "|") && word_at(c, c->i + 1)->len > 4 &&
		   memcmp(word_at(c, c->i + 1)->s, "test", 4) == 0;

	if (n > 0) {
		cut_before(c, c->i);
		c->i += n - 1;
		c->parameters = word_equals(word_at(c, c->i), "parameters:");
		c->impact = row;
		c->bars = c->impact;
		if (c->parameters || (c->group && word_equals(w, "commit:")))
			cut_after(c, c->i);
		return true;
	}
	if (c->parameters && is_key(w)) {
		cut_before(c, c->i);
		return true;
	}
	if (w->len > 8 && memmem(w->s, w->len, "://", 3) && c->i > 0) {
		const word *before = word_at(c, c->i - 1);

		if (before->len > 1 &&
		    memcmp(before->s + before->len - 2, "\")", 2) == 0) {
			cut_before(c, c->i);
			return true;
		}
	}
	return false;
}

static void look_at_word(cutter *c)
{
	if (cut_quote_mark(c))
		return;
	if (c->labelled && (cut_label(c) || cut_impact(c) || cut_group(c)))
		return;
	if (cut_head(c) || cut_ids(c) || cut_plot(c))
		return;
	if (is_cell(word_at(c, c->i)))
		cut_row(c);
}

void parser_lines_uncollapse(const text_line *model, GArray *lines)
{
	const char *p = model->s, *end = model->s + model->len;
	cutter c = {
		.model = model,
		.lines = lines,
		.words = g_array_new(FALSE, FALSE, sizeof(word)),
		.start = model->s,
		.labelled = count_markers(model) >= 2,
	};
	word w;

	while ((w.s = parser_word_next(&p, end, &w.len)))
		g_array_append_val(c.words, w);
	for (; c.i < c.words->len; c.i++)
		look_at_word(&c);

	cut(&c, end);
	g_array_unref(c.words);
}
