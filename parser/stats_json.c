/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stats.json of the runs of one commit, united to a matrix as lkp-tests does. */
#include <string.h>

#include "parser/column.h"
#include "parser/error.h"
#include "parser/json_reader.h"

/* A metric while runs are united. */
typedef struct row {
	GArray *values; /* double, from run 0 on */
	GArray *kinds;  /* uint8_t */
	bool nothing;   /* all samples so far are the integer 0 or absent */
} row;

typedef struct table {
	parser_column *column;
	GHashTable *rows; /* name -> row */
	GPtrArray *names; /* char *, in the order first seen; owned by rows */
	unsigned run;
} table;

static void row_free(void *data)
{
	row *r = data;

	g_array_unref(r->values);
	g_array_unref(r->kinds);
	g_free(r);
}

/* Appends a sample; the runs before it that lacked the metric become absent. */
static void row_push(row *r, unsigned run, double value, parser_sample kind)
{
	uint8_t absent = PARSER_SAMPLE_ABSENT, k = (uint8_t)kind;
	double zero = 0;

	while (r->values->len < run) {
		g_array_append_val(r->values, zero);
		g_array_append_val(r->kinds, absent);
	}
	if (r->values->len > run) { /* the key stands twice in this run */
		g_array_set_size(r->values, run);
		g_array_set_size(r->kinds, run);
	}
	g_array_append_val(r->values, value);
	g_array_append_val(r->kinds, k);
	if (kind == PARSER_SAMPLE_FLOAT || value != 0)
		r->nothing = false;
}

static row *row_of(table *t, const char *name)
{
	row *r = g_hash_table_lookup(t->rows, name);
	char *kept;

	if (r)
		return r;
	r = g_new0(row, 1);
	r->values = g_array_new(FALSE, FALSE, sizeof(double));
	r->kinds = g_array_new(FALSE, FALSE, sizeof(uint8_t));
	r->nothing = true;
	kept = g_strdup(name);
	g_hash_table_insert(t->rows, kept, r);
	g_ptr_array_add(t->names, kept);
	return r;
}

static bool read_stat(table *t, json_reader *r)
{
	g_autofree char *key = NULL, *safe = NULL;
	size_t length;
	double value = 0;
	json_token token;

	if (!json_reader_string(r) || !json_reader_expect(r, ':'))
		return false;
	length = r->text->len;
	key = g_strndup(r->text->str, length);
	safe = column_safe_name(key, strlen(key));
	token = json_reader_scalar(r, &value);
	if (token == JSON_TOKEN_ERROR)
		return false;
	if (strlen(key) != length) {
		column_warn(t->column,
			    "%s/%s: metric refused: its name holds a NUL: %s",
			    r->origin, r->name, safe);
		return true;
	}
	if (token == JSON_TOKEN_INTEGER)
		row_push(row_of(t, key), t->run, value, PARSER_SAMPLE_INTEGER);
	else if (token == JSON_TOKEN_FLOAT)
		row_push(row_of(t, key), t->run, value, PARSER_SAMPLE_FLOAT);
	else if (token == JSON_TOKEN_STRING || token == JSON_TOKEN_BOOL)
		column_warn(t->column, "%s/%s: '%.200s' is no number, it is left out",
			    r->origin, r->name, safe);
	else if (token == JSON_TOKEN_OTHER) {
		g_set_error(
			r->error, PARSER_ERROR, PARSER_ERROR_INVALID,
			"%s/%s: metric '%.200s' is an array or object, not a number",
			r->origin, r->name, safe);
		return false;
	}
	return true;
}

static bool read_run(table *t, const parser_blob *blob, GError **error)
{
	g_auto(json_reader) r = { 0 };

	json_reader_init(&r, t->column->origin, blob->name, blob->bytes, blob->length,
			 error);
	if (!json_reader_expect(&r, '{'))
		return false;
	while (json_reader_peek(&r) != '}') {
		if (!read_stat(t, &r))
			return false;
		if (json_reader_peek(&r) != '}' && !json_reader_expect(&r, ','))
			return false;
	}
	return json_reader_expect(&r, '}') && json_reader_at_end(&r);
}

/* "sched_debug.x.42": one value per CPU or task, which nobody compares. */
static bool is_numbered_debug(const char *name)
{
	const char *dot = strrchr(name, '.');

	return g_str_has_prefix(name, "sched_debug.") && dot[1] &&
	       strspn(dot + 1, "0123456789") == strlen(dot + 1);
}

static void emit(table *t)
{
	for (guint i = 0; i < t->names->len; i++) {
		const char *name = t->names->pdata[i];
		const row *r = g_hash_table_lookup(t->rows, name);

		if (r->nothing || is_numbered_debug(name) ||
		    !column_begin(t->column, name, strlen(name)))
			continue;
		for (guint k = 0; k < r->values->len; k++)
			column_push(t->column, g_array_index(r->values, double, k),
				    g_array_index(r->kinds, uint8_t, k));
		column_end(t->column);
	}
}

bool stats_unite(parser_column *column, const parser_blob *const *blobs, size_t n,
		 GError **error)
{
	table t = { .column = column };
	bool good = true;

	t.rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, row_free);
	t.names = g_ptr_array_new();
	for (t.run = 0; good && t.run < n; t.run++)
		good = read_run(&t, blobs[t.run], error);
	if (good) {
		emit(&t);
		column->runs = (uint32_t)n;
	}
	g_ptr_array_unref(t.names);
	g_hash_table_unref(t.rows);
	return good;
}
