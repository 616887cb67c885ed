/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "render/render.h"

#define GAP         2 /* blanks between columns */
#define QUOTE_LINES 20

/* ---- for people ---- */

char *print_line(const char *text)
{
	return render_safe_line(text);
}

typedef struct row {
	char **cells; /* NULL for a note */
	char *note;
	bool whole; /* the note is not cut */
} row;

struct print_table {
	const print_column *columns;
	size_t n;
	GPtrArray *rows; /* row * */
};

static void free_row(gpointer data)
{
	row *r = data;

	g_strfreev(r->cells);
	g_free(r->note);
	g_free(r);
}

print_table *print_table_new(const print_column *columns, size_t n)
{
	print_table *table = g_new0(print_table, 1);

	table->columns = columns;
	table->n = n;
	table->rows = g_ptr_array_new_with_free_func(free_row);
	return table;
}

void print_table_free(print_table *table)
{
	if (!table)
		return;
	g_ptr_array_unref(table->rows);
	g_free(table);
}

void print_table_row(print_table *table, ...)
{
	row *r = g_new0(row, 1);
	va_list cells;

	r->cells = g_new0(char *, table->n + 1);
	va_start(cells, table);
	for (size_t i = 0; i < table->n; i++) {
		g_autofree char *text = va_arg(cells, char *);

		r->cells[i] = print_line(text ? text : "");
	}
	va_end(cells);
	g_ptr_array_add(table->rows, r);
}

void print_table_note(print_table *table, char *note)
{
	row *r = g_new0(row, 1);

	r->note = print_line(note);
	g_free(note);
	g_ptr_array_add(table->rows, r);
}

void print_table_command(print_table *table, char *text)
{
	print_table_note(table, text);
	((row *)table->rows->pdata[table->rows->len - 1])->whole = true;
}

char *print_word(const char *text)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789@%+=:,./_-";

	return *text && !text[strspn(text, plain)] ? g_strdup(text) :
						     g_shell_quote(text);
}

/* The width of the widest cell of each column. */
static void measure(const print_table *table, size_t *widths)
{
	for (size_t i = 0; i < table->n; i++)
		widths[i] = render_text_width(table->columns[i].title);
	for (guint k = 0; k < table->rows->len; k++) {
		const row *r = g_ptr_array_index(table->rows, k);

		for (size_t i = 0; r->cells && i < table->n; i++)
			widths[i] = MAX(widths[i], render_text_width(r->cells[i]));
	}
}

/* Takes cells from the widest column that may be cut until the line fits. */
static void shrink(const print_table *table, size_t *widths, size_t width)
{
	size_t total = GAP * (table->n - 1);

	for (size_t i = 0; i < table->n; i++)
		total += widths[i];
	while (total > width) {
		size_t widest = table->n;

		for (size_t i = 0; i < table->n; i++)
			if (table->columns[i].min &&
			    widths[i] > table->columns[i].min &&
			    (widest == table->n || widths[i] > widths[widest]))
				widest = i;
		if (widest == table->n)
			return;
		widths[widest]--;
		total--;
	}
}

static void append_blanks(GString *line, size_t n)
{
	while (n--)
		g_string_append_c(line, ' ');
}

static void append_cell(GString *line, const char *text, size_t width, bool right)
{
	g_autofree char *fit = render_text_fit(text, width);
	size_t used = render_text_width(fit);
	size_t blanks = used < width ? width - used : 0;

	append_blanks(line, right ? blanks : 0);
	g_string_append(line, fit);
	append_blanks(line, right ? 0 : blanks);
}

/* The line is there to be used again. */
static void print_cells(const print_table *table, char *const *cells,
			const size_t *widths, GString *line)
{
	g_string_truncate(line, 0);
	for (size_t i = 0; i < table->n; i++) {
		append_blanks(line, i ? GAP : 0);
		append_cell(line, cells ? cells[i] : table->columns[i].title, widths[i],
			    table->columns[i].right);
	}
	while (line->len && line->str[line->len - 1] == ' ')
		g_string_truncate(line, line->len - 1);
	puts(line->str);
}

static void print_note(const row *r, size_t width)
{
	g_autofree char *fit = r->whole ? NULL : render_text_fit(r->note, width - 4);

	printf("    %s\n", fit ? fit : r->note);
}

void print_table_show(const print_table *table, const cli *c)
{
	g_autofree size_t *widths = g_new0(size_t, table->n);
	g_autoptr(GString) line = g_string_new(NULL);

	measure(table, widths);
	shrink(table, widths, c->width);
	if (c->color)
		fputs("\033[1m", stdout);
	print_cells(table, NULL, widths, line);
	if (c->color)
		fputs("\033[0m", stdout);
	for (guint i = 0; i < table->rows->len; i++) {
		const row *r = g_ptr_array_index(table->rows, i);

		if (r->cells)
			print_cells(table, r->cells, widths, line);
		else
			print_note(r, c->width);
	}
}

char *print_time(int64_t seconds)
{
	g_autoptr(GDateTime) time =
		seconds ? g_date_time_new_from_unix_local(seconds) : NULL;

	return time ? g_date_time_format(time, "%Y-%m-%d %H:%M") : g_strdup("-");
}

char *print_age(int64_t then, int64_t now)
{
	int64_t age = MAX(now - then, 0);

	if (!then)
		return g_strdup("-");
	if (age < 3600)
		return g_strdup_printf("%dm", (int)(age / 60));
	if (age < 2 * 86400)
		return g_strdup_printf("%dh", (int)(age / 3600));
	if (age < 730 * (int64_t)86400)
		return g_strdup_printf("%dd", (int)(age / 86400));
	return g_strdup_printf("%dy", (int)(age / (365 * (int64_t)86400)));
}

char *print_change(bool has, double percent)
{
	if (!has || !isfinite(percent))
		return g_strdup("-");
	return g_strdup_printf("%+.1f%%", percent);
}

void print_fitting(const cli *c, const char *indent, const char *text)
{
	g_autofree char *safe = print_line(text);
	g_autofree char *fit = render_text_fit(safe, c->width - strlen(indent));

	printf("%s%s\n", indent, fit);
}

void print_safe(const char *label, const char *text)
{
	g_autofree char *safe = print_line(text ? text : "-");

	printf("%s%s\n", label, safe);
}

void print_bytes(const char *bytes, size_t length)
{
	if (!isatty(STDOUT_FILENO)) {
		fwrite(bytes, 1, length, stdout);
		return;
	}

	g_autofree char *text = g_strndup(bytes, length);
	g_autofree char *safe = render_safe_text(text, true);

	fputs(safe, stdout);
}

/* Words behind `first`, and behind `indent`, which is as wide, on further lines. */
static void print_words(const cli *c, const char *first, const char *indent,
			const char *text)
{
	g_autofree char *safe = render_safe_text(text, true);
	g_auto(GStrv) words = g_strsplit_set(safe, " \n\t", -1);
	size_t left = c->width - strlen(indent), used = 0, lines = 0;
	const char *before = first;

	for (char **word = words; *word; word++) {
		g_autofree char *fit = render_text_fit(*word, left);
		size_t n = render_text_width(fit);

		if (n == 0)
			continue;
		if (used && used + 1 + n > left) {
			putchar('\n');
			used = 0;
			before = indent;
			if (++lines == QUOTE_LINES) {
				printf("%s...\n", indent);
				break;
			}
		}
		printf("%s%s", used ? " " : before, fit);
		used += n + (used ? 1 : 0);
	}
	if (used)
		putchar('\n');
}

void print_quote(const cli *c, const char *indent, const char *text)
{
	print_words(c, indent, indent, text);
}

void print_labelled(const cli *c, const char *label, const char *text)
{
	g_autofree char *indent = g_strnfill(strlen(label), ' ');

	print_words(c, label, indent, text);
}
