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

/* True if the name stands in the metric as a whole one, or begins one: rwsem_down_...
 */
static bool holds_name(const char *metric, const char *name)
{
	g_autofree char *lower = g_ascii_strdown(metric, -1);

	for (const char *p = strstr(lower, name); p; p = strstr(p + 1, name))
		if (p == lower || !is_name_char(p[-1]))
			return true;
	return false;
}

static bool lists_kind(const char *kinds, const char *kind)
{
	g_auto(GStrv) words = g_strsplit(kinds, ",", -1);

	return g_strv_contains((const char *const *)words, kind);
}

parser_support_reason parser_mechanism_supported(const parser_mechanism *mechanism,
						 const char *metric,
						 const parser_lists *lists)
{
	if (mechanism->object) {
		g_autofree char *name = bare_name(mechanism->object);
		if (strlen(name) >= OBJECT_MIN && holds_name(metric, name))
			return PARSER_SUPPORT_OBJECT;
	}
	const char *kinds =
		lists ? parser_lists_value(lists, "mechanism", metric) : NULL;

	return kinds && lists_kind(kinds, mechanism->kind) ? PARSER_SUPPORT_KIND :
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

static void add_row(GArray *found, const parser_mechanism *mechanism,
		    const parser_row *row, const parser_lists *lists)
{
	if (row->n_cells < 2 || !row->cells[1].has_change)
		return;

	parser_support s = { .metric = row->metric,
			     .change = row->cells[1].change,
			     .unit = row->cells[1].unit };
	s.reason = parser_mechanism_supported(mechanism, row->metric, lists);
	if (s.reason != PARSER_SUPPORT_NONE)
		g_array_append_val(found, s);
}

GArray *parser_mechanism_support(const parser_mechanism *mechanism,
				 const GPtrArray *tables, const parser_lists *lists)
{
	GArray *found = g_array_new(false, false, sizeof(parser_support));

	for (guint i = 0; i < tables->len; i++) {
		const parser_table *t = g_ptr_array_index(tables, i);
		for (guint k = 0; k < t->rows->len; k++)
			add_row(found, mechanism, g_ptr_array_index(t->rows, k), lists);
	}
	g_array_sort(found, by_worth);
	return found;
}
