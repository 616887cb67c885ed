/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.yaml: which axes a result stands on.  lkp-tests knows a job's parameters from its
 * own programs; here every scalar leaf counts that the list "job" does not deny.  A
 * denied name takes everything below it along (options of monitors).
 */
#include <string.h>
#include <yaml.h>

#include "parser/column.h"
#include "parser/error.h"

#define DEPTH_MAX  32u
#define LEAVES_MAX 10000

typedef struct level {
	bool mapping;
	bool has_key; /* in a mapping: the next node is a value */
	char *key;    /* of that value */
} level;

typedef struct walk {
	parser_column *column;
	const parser_lists *lists;
	GArray *levels;    /* level */
	GHashTable *named; /* names of axes */
	unsigned skip;     /* levels at and above this depth are denied; 0 = none */
	unsigned leaves;
} walk;

static level *top(walk *w)
{
	return w->levels->len ? &g_array_index(w->levels, level, w->levels->len - 1) :
				NULL;
}

/* A plain scalar that YAML reads as null. */
static bool is_null(const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;

	return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (!*value || strcmp(value, "~") == 0 ||
		g_ascii_strcasecmp(value, "null") == 0);
}

/* Axes are printed in headers and messages: no control characters. */
static void add_axis(walk *w, const char *name, const char *value)
{
	parser_pair *axis;

	if (!g_hash_table_add(w->named, g_strdup(name)))
		return;
	axis = parser_pair_new(name, value);
	g_ptr_array_add(w->column->axes, axis);
	for (char *p = axis->name; *p; p++)
		*p = g_ascii_iscntrl(*p) ? '?' : *p;
	for (char *p = axis->value; *p; p++)
		*p = g_ascii_iscntrl(*p) ? '?' : *p;
}

static void leaf(walk *w, const char *key, const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;
	parser_commit *commit = w->column->commit;

	if (!key || w->skip || is_null(event))
		return;
	w->leaves++;
	if (strcmp(key, "commit") == 0) {
		if (!commit->id)
			commit->id = g_ascii_strdown(value, -1);
		return;
	}
	if (strcmp(key, "branch") == 0 && !commit->tree) {
		const char *slash = strchr(value, '/');

		commit->tree = slash ? g_strndup(value, (gsize)(slash - value)) : NULL;
		g_free(commit->branch); /* the key may be there twice */
		commit->branch = g_strdup(slash ? slash + 1 : value);
	}
	if (parser_lists_match(w->lists, "job", key))
		return;
	if (strcmp(key, "rootfs") == 0 && strrchr(value, '/'))
		value = strrchr(value, '/') + 1;
	add_axis(w, key, value);
}

static void end_value(walk *w)
{
	level *l = top(w);

	if (!l || !l->mapping)
		return;
	g_clear_pointer(&l->key, g_free);
	l->has_key = false;
}

/* A node without a name of its own ended: it was a key, or a value. */
static void end_node(walk *w)
{
	level *l = top(w);

	if (l && l->mapping && !l->has_key)
		l->has_key = true; /* its value comes now, unnamed */
	else
		end_value(w);
}

static void scalar(walk *w, const yaml_event_t *event)
{
	level *l = top(w);

	if (!l || !l->mapping)
		return;
	if (!l->has_key) {
		l->key = g_strdup((const char *)event->data.scalar.value);
		l->has_key = true;
		return;
	}
	leaf(w, l->key, event);
	end_value(w);
}

static void open_level(walk *w, bool mapping)
{
	const level *l = top(w);
	level next = { .mapping = mapping };
	bool denied = !mapping || (l && l->has_key && l->key &&
				   parser_lists_match(w->lists, "job", l->key));

	if (l && l->mapping && !l->has_key) /* a mapping or list as key: no name */
		denied = true;
	g_array_append_val(w->levels, next);
	if (denied && !w->skip)
		w->skip = w->levels->len;
}

static void close_level(walk *w)
{
	g_free(top(w)->key);
	if (w->skip == w->levels->len)
		w->skip = 0;
	g_array_set_size(w->levels, w->levels->len - 1);
	end_node(w);
}

/* Takes one event; returns NULL or what is wrong. */
static const char *take(walk *w, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		if (!w->levels->len)
			return "no mapping";
		scalar(w, event);
		return w->leaves > LEAVES_MAX ?
			       "more than " G_STRINGIFY(LEAVES_MAX) " values" :
			       NULL;
	case YAML_ALIAS_EVENT:
		end_node(w);
		return NULL;
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		if (w->levels->len == DEPTH_MAX)
			return "nested too deeply";
		if (!w->levels->len && event->type == YAML_SEQUENCE_START_EVENT)
			return "no mapping";
		open_level(w, event->type == YAML_MAPPING_START_EVENT);
		return NULL;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		close_level(w);
		return NULL;
	default:
		return NULL;
	}
}

static bool fail(const walk *w, const parser_blob *blob, const yaml_parser_t *yaml,
		 const char *what, GError **error)
{
	g_set_error(error, PARSER_ERROR, PARSER_ERROR_SYNTAX, "%s/%s:%zu:%zu: %s",
		    w->column->origin, blob->name, yaml->mark.line + 1,
		    yaml->mark.column + 1, what);
	return false;
}

static bool read_events(walk *w, yaml_parser_t *yaml, const parser_blob *blob,
			GError **error)
{
	bool more = true;

	while (more) {
		yaml_event_t event;
		const char *wrong;

		if (!yaml_parser_parse(yaml, &event))
			return fail(w, blob, yaml,
				    yaml->problem ? yaml->problem : "no YAML", error);
		wrong = take(w, &event);
		more = event.type != YAML_STREAM_END_EVENT &&
		       event.type != YAML_DOCUMENT_END_EVENT;
		yaml_event_delete(&event);
		if (wrong)
			return fail(w, blob, yaml, wrong, error);
	}
	return true;
}

bool job_read(parser_column *column, const parser_blob *blob, const parser_lists *lists,
	      GError **error)
{
	walk w = { .column = column, .lists = lists };
	yaml_parser_t yaml;
	bool good;

	if (!yaml_parser_initialize(&yaml)) {
		g_set_error(error, PARSER_ERROR, PARSER_ERROR_INVALID,
			    "%s/%s: no memory for a YAML parser", column->origin,
			    blob->name);
		return false;
	}
	w.levels = g_array_new(FALSE, TRUE, sizeof(level));
	w.named = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < column->axes->len; i++) {
		const parser_pair *axis = g_ptr_array_index(column->axes, i);
		g_hash_table_add(w.named, g_strdup(axis->name));
	}
	yaml_parser_set_input_string(&yaml, (const unsigned char *)blob->bytes,
				     blob->length);
	good = read_events(&w, &yaml, blob, error);
	while (w.levels->len)
		close_level(&w);
	g_array_unref(w.levels);
	g_hash_table_unref(w.named);
	yaml_parser_delete(&yaml);
	return good;
}
