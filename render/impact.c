/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The box of further tests that the culprit changes too. */
#include <string.h>

#include "render/report.h"

#define LABEL_WIDTH 16 /* "testcase: change", the widest */

typedef struct box {
	GPtrArray *labels, *cells; /* char *, one a line; NULL label = a rule above */
	size_t width;
} box;

/* Takes cell. */
static void add_line(box *b, const char *label, char *cell)
{
	b->width = MAX(b->width, render_text_width(cell));
	g_ptr_array_add(b->labels, (gpointer)label);
	g_ptr_array_add(b->cells, cell);
}

static char *change_cell(const render_comparison *c)
{
	const render_headline *h = &c->headline;
	g_autofree char *testcase = report_line(c->source->testcase);
	g_autofree char *metric = report_line(h->metric);
	g_autofree char *change = report_percent(h->change_percent);

	if (h->kind == PARSER_KIND_FAILURE)
		return g_strdup_printf("%s: %s failure", testcase, metric);
	return g_strdup_printf("%s: %s %s %s", testcase, metric, change,
			       report_kind_word(h->kind));
}

static int by_name(gconstpointer a, gconstpointer b)
{
	const parser_pair *const *x = a;
	const parser_pair *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void add_test(box *b, const render_comparison *c)
{
	const parser_comparison *source = c->source;
	const char *machine = source->machine_description ?
				      source->machine_description :
				      source->machine;
	g_autoptr(GPtrArray) parameters = g_ptr_array_new();
	const char *label = "test parameters";

	add_line(b, "testcase: change", change_cell(c));
	if (machine)
		add_line(b, "test machine", report_line(machine));
	for (guint i = 0; i < source->parameters->len; i++)
		g_ptr_array_add(parameters, g_ptr_array_index(source->parameters, i));
	g_ptr_array_sort(parameters, by_name);
	for (guint i = 0; i < parameters->len; i++) {
		const parser_pair *pair = g_ptr_array_index(parameters, i);
		g_autofree char *both =
			g_strdup_printf("%s=%s", pair->name, pair->value);

		add_line(b, label, report_line(both));
		label = "";
	}
}

static void append_fill(GString *out, char c, size_t n)
{
	while (n-- > 0)
		g_string_append_c(out, c);
}

static void append_rule(GString *out, size_t width)
{
	g_string_append_c(out, '+');
	append_fill(out, '-', LABEL_WIDTH + 2);
	g_string_append_c(out, '+');
	append_fill(out, '-', width + 2);
	g_string_append(out, "+\n");
}

char *report_impact(const GPtrArray *also)
{
	box b = { .labels = g_ptr_array_new(),
		  .cells = g_ptr_array_new_with_free_func(g_free) };
	GString *out = g_string_new(NULL);

	for (guint i = 0; also && i < also->len; i++)
		add_test(&b, g_ptr_array_index(also, i));
	for (guint i = 0; i < b.cells->len; i++) {
		const char *label = g_ptr_array_index(b.labels, i);
		const char *cell = g_ptr_array_index(b.cells, i);

		if (strcmp(label, "testcase: change") == 0)
			append_rule(out, b.width);
		g_string_append_printf(out, "| %-*s | %s", LABEL_WIDTH, label, cell);
		append_fill(out, ' ', b.width - render_text_width(cell));
		g_string_append(out, " |\n");
	}
	if (b.cells->len > 0)
		append_rule(out, b.width);
	g_ptr_array_unref(b.labels);
	g_ptr_array_unref(b.cells);
	return g_string_free(out, FALSE);
}
