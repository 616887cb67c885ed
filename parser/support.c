/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which figures of the run bear out what somebody says about its cause. */
#include <string.h>

#include "parser/reading.h"

#define OBJECT_MIN 4u /* letters of a name that is looked for in metrics */

/* "struct page_counter" -> "page_counter", "dev->max_sectors" -> "max_sectors" */
static char *bare_name(const char *object)
{
	static const char *const joints[] = { "->", "::", " " };
	const char *name = object;

	for (size_t i = 0; i < G_N_ELEMENTS(joints); i++) {
		const char *last = g_strrstr(name, joints[i]);
		if (last && last[strlen(joints[i])])
			name = last + strlen(joints[i]);
	}
	return g_ascii_strdown(name, (gssize)strcspn(name, "(=["));
}

static bool is_name_char(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* A row that moved, ready to be asked. */
typedef struct figure {
	const char *metric, *kinds; /* lent; kinds: of mechanisms, or NULL */
	char *lower;
	double change;
	parser_unit unit;
} figure;

struct parser_figures {
	GArray *rows; /* figure */
};

void parser_figures_free(parser_figures *figures)
{
	if (!figures)
		return;
	for (guint i = 0; i < figures->rows->len; i++)
		g_free(g_array_index(figures->rows, figure, i).lower);
	g_array_unref(figures->rows);
	g_free(figures);
}

static void add_figure(GArray *rows, const parser_row *row, const parser_lists *lists)
{
	if (row->n_cells < 2 || !row->cells[1].has_change)
		return;

	figure f = { .metric = row->metric,
		     .lower = g_ascii_strdown(row->metric, -1),
		     .change = row->cells[1].change,
		     .unit = row->cells[1].unit };

	if (lists)
		f.kinds = parser_lists_value(lists, "mechanism", row->metric);
	g_array_append_val(rows, f);
}

parser_figures *parser_figures_new(const GPtrArray *tables, const parser_lists *lists)
{
	parser_figures *figures = g_new0(parser_figures, 1);

	figures->rows = g_array_new(false, false, sizeof(figure));
	for (guint i = 0; i < tables->len; i++) {
		const parser_table *t = g_ptr_array_index(tables, i);

		for (guint k = 0; k < t->rows->len; k++)
			add_figure(figures->rows, g_ptr_array_index(t->rows, k), lists);
	}
	return figures;
}

/* True if the name stands in the metric as a whole one, or begins one: rwsem_down_...
 */
static bool holds_name(const char *metric, const char *name)
{
	for (const char *p = strstr(metric, name); p; p = strstr(p + 1, name))
		if (p == metric || !is_name_char(p[-1]))
			return true;
	return false;
}

/* Whether a list "a,b,c" has the word. */
static bool lists_kind(const char *kinds, const char *kind)
{
	size_t length = strlen(kind);

	while (*kinds) {
		size_t n = strcspn(kinds, ",");

		if (n == length && strncmp(kinds, kind, n) == 0)
			return true;
		kinds += n + (kinds[n] == ',');
	}
	return false;
}

static parser_support_reason reason_of(const figure *f, const char *name,
				       const char *kind)
{
	if (name && holds_name(f->lower, name))
		return PARSER_SUPPORT_OBJECT;
	return f->kinds && lists_kind(f->kinds, kind) ? PARSER_SUPPORT_KIND :
							PARSER_SUPPORT_NONE;
}

static double size_of(const parser_support *s)
{
	return s->change < 0 ? -s->change : s->change;
}

/* Rows that name the object first, then the largest movements, then by name. */
static int by_worth(gconstpointer a, gconstpointer b)
{
	const parser_support *x = a, *y = b;

	if (x->reason != y->reason)
		return x->reason == PARSER_SUPPORT_OBJECT ? -1 : 1;
	if (size_of(x) != size_of(y))
		return size_of(x) > size_of(y) ? -1 : 1;
	return strcmp(x->metric, y->metric);
}

GArray *parser_mechanism_support(const parser_mechanism *mechanism,
				 const parser_figures *figures)
{
	GArray *found = g_array_new(false, false, sizeof(parser_support));
	g_autofree char *bare = mechanism->object ? bare_name(mechanism->object) : NULL;
	const char *name = bare && strlen(bare) >= OBJECT_MIN ? bare : NULL;

	for (guint i = 0; i < figures->rows->len; i++) {
		const figure *f = &g_array_index(figures->rows, figure, i);
		parser_support s = { .metric = f->metric,
				     .reason = reason_of(f, name, mechanism->kind),
				     .change = f->change,
				     .unit = f->unit };

		if (s.reason != PARSER_SUPPORT_NONE)
			g_array_append_val(found, s);
	}
	g_array_sort(found, by_worth);
	return found;
}
