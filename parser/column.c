/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns and comparisons as objects: making, filling, finding, freeing. */
#include <string.h>

#include "parser/column.h"

#define NAME_SHOWN 200u /* bytes of a name in a message */

/* Owns what a column's metrics point to. */
typedef struct arena {
	GStringChunk *names;
	GArray *values;    /* double */
	GArray *kinds;     /* uint8_t */
	GArray *starts;    /* size_t, parallel to metrics: first sample */
	GHashTable *index; /* name -> 1 + place in metrics */
	size_t current;    /* metric between begin and end */
} arena;

parser_column *column_new(const char *origin)
{
	parser_column *column = g_new0(parser_column, 1);
	arena *a = g_new0(arena, 1);

	a->names = g_string_chunk_new(1 << 16);
	a->values = g_array_new(FALSE, FALSE, sizeof(double));
	a->kinds = g_array_new(FALSE, FALSE, sizeof(uint8_t));
	a->starts = g_array_new(FALSE, FALSE, sizeof(size_t));
	a->index = g_hash_table_new(g_str_hash, g_str_equal);
	column->arena = a;
	column->commit = parser_commit_new();
	column->axes = g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	column->metrics = g_array_new(FALSE, TRUE, sizeof(parser_metric));
	column->warnings = g_ptr_array_new_with_free_func(g_free);
	column->origin = g_strdup(origin ? origin : "");
	return column;
}

void parser_column_free(parser_column *column)
{
	arena *a;

	if (!column)
		return;
	a = column->arena;
	g_string_chunk_free(a->names);
	g_array_unref(a->values);
	g_array_unref(a->kinds);
	g_array_unref(a->starts);
	g_hash_table_unref(a->index);
	g_free(a);
	parser_commit_free(column->commit);
	g_free(column->label);
	g_ptr_array_unref(column->axes);
	g_array_unref(column->metrics);
	g_ptr_array_unref(column->warnings);
	g_free(column->origin);
	g_free(column);
}

void column_warn(parser_column *column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(column->warnings, g_strdup_vprintf(format, args));
	va_end(args);
}

char *column_safe_name(const char *name, size_t length)
{
	char *safe = g_utf8_make_valid(name, (gssize)MIN(length, NAME_SHOWN));

	for (char *p = safe; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	return safe;
}

/* The metric's record, new or old, with its samples starting at the arena's end. */
static parser_metric *start_metric(parser_column *column, const char *name,
				   size_t length)
{
	arena *a = column->arena;
	char *kept = g_string_chunk_insert_len(a->names, name, (gssize)length);
	size_t known = GPOINTER_TO_SIZE(g_hash_table_lookup(a->index, kept));
	size_t start = a->values->len;

	if (known) {
		g_autofree char *safe = column_safe_name(name, length);

		column_warn(column, "%s: metric '%s' stands twice, the last one counts",
			    column->origin, safe);
		a->current = known - 1;
		g_array_index(a->starts, size_t, a->current) = start;
	} else {
		parser_metric metric = { .name = kept };

		a->current = column->metrics->len;
		g_array_append_val(column->metrics, metric);
		g_array_append_val(a->starts, start);
		g_hash_table_insert(a->index, kept, GSIZE_TO_POINTER(a->current + 1));
	}
	return &g_array_index(column->metrics, parser_metric, a->current);
}

bool column_begin(parser_column *column, const char *name, size_t length)
{
	const char *why = length == 0                ? "is empty" :
			  memchr(name, '\0', length) ? "holds a NUL" :
			  length > PARSER_METRIC_MAX ? "is too long" :
						       NULL;

	if (why) {
		g_autofree char *safe = column_safe_name(name, MIN(length, 40));

		column_warn(column, "%s: metric refused: its name of %zu bytes %s%s%s",
			    column->origin, length, why, *safe ? ": " : "", safe);
		return false;
	}
	start_metric(column, name, length);
	return true;
}

void column_push(parser_column *column, double value, parser_sample kind)
{
	arena *a = column->arena;
	uint8_t k = (uint8_t)kind;

	g_array_append_val(a->values, value);
	g_array_append_val(a->kinds, k);
}

void column_end(parser_column *column)
{
	arena *a = column->arena;
	parser_metric *metric =
		&g_array_index(column->metrics, parser_metric, a->current);

	metric->n = (uint32_t)(a->values->len -
			       g_array_index(a->starts, size_t, a->current));
}

void column_drop_last(parser_column *column)
{
	arena *a = column->arena;
	size_t i = a->current;

	g_array_set_size(a->values, (guint)g_array_index(a->starts, size_t, i));
	g_array_set_size(a->kinds, (guint)g_array_index(a->starts, size_t, i));
	if (i + 1 !=
	    column->metrics->len) { /* an older place: leave it without samples */
		g_array_index(column->metrics, parser_metric, i).n = 0;
		return;
	}
	g_hash_table_remove(a->index,
			    g_array_index(column->metrics, parser_metric, i).name);
	g_array_set_size(column->metrics, (guint)i);
	g_array_set_size(a->starts, (guint)i);
}

parser_metric *column_add_summary(parser_column *column, const char *name, double mean,
				  double stddev, uint32_t runs)
{
	parser_metric *metric = start_metric(column, name, strlen(name));

	metric->n = 0;
	metric->summary = true;
	metric->mean = mean;
	metric->stddev = stddev;
	metric->runs = runs;
	return metric;
}

void column_finish(parser_column *column)
{
	arena *a = column->arena;
	const double *values = (const double *)(void *)a->values->data;
	const uint8_t *kinds = (const uint8_t *)a->kinds->data;

	for (guint i = 0; i < column->metrics->len; i++) {
		parser_metric *metric =
			&g_array_index(column->metrics, parser_metric, i);
		size_t start = g_array_index(a->starts, size_t, i);

		metric->values = metric->n ? values + start : NULL;
		metric->kinds = metric->n ? kinds + start : NULL;
		if (!metric->summary)
			metric->runs = metric->n;
	}
}

const parser_metric *parser_column_find(const parser_column *column, const char *metric)
{
	const arena *a = column->arena;
	size_t known = GPOINTER_TO_SIZE(g_hash_table_lookup(a->index, metric));

	return known ? &g_array_index(column->metrics, parser_metric, known - 1) : NULL;
}

void parser_bisect_free(parser_bisect *bisect)
{
	if (!bisect)
		return;
	g_free(bisect->metric);
	g_array_unref(bisect->good);
	g_array_unref(bisect->bad);
	g_free(bisect);
}

parser_comparison *parser_comparison_new(void)
{
	parser_comparison *c = g_new0(parser_comparison, 1);
	GDestroyNotify pair_free = (GDestroyNotify)parser_pair_free;

	c->axes = g_ptr_array_new_with_free_func(pair_free);
	c->compared = g_ptr_array_new_with_free_func(g_free);
	c->columns = g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);
	c->parameters = g_ptr_array_new_with_free_func(pair_free);
	c->bisect = g_ptr_array_new_with_free_func((GDestroyNotify)parser_bisect_free);
	c->warnings = g_ptr_array_new_with_free_func(g_free);
	return c;
}

void parser_comparison_free(parser_comparison *c)
{
	if (!c)
		return;
	g_ptr_array_unref(c->axes);
	g_ptr_array_unref(c->compared);
	g_ptr_array_unref(c->columns);
	g_ptr_array_unref(c->parameters);
	g_ptr_array_unref(c->bisect);
	g_ptr_array_unref(c->warnings);
	g_free(c->testcase);
	g_free(c->machine);
	g_free(c->machine_description);
	g_free(c);
}
