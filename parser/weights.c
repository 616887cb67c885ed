/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/weights.h"

#include <string.h>

#include "parser/error.h"

struct weights {
	GHashTable *features; /* name -> double[PARSER_VERDICT_KINDS] */
};

void weights_free(weights *w)
{
	if (!w)
		return;
	g_hash_table_unref(w->features);
	g_free(w);
}

static bool set_weight(double *row, char *pair)
{
	char *equals = strchr(pair, '=');
	if (!equals)
		return false;

	*equals = '\0';
	parser_verdict_kind kind = parser_verdict_from_name(pair);
	char *end;
	double value = g_ascii_strtod(equals + 1, &end);
	if (kind == PARSER_VERDICT_KINDS || *end || end == equals + 1 ||
	    !(value > -1000 && value < 1000))
		return false;
	row[kind] = value;
	return true;
}

static bool read_line(weights *w, char *line)
{
	g_auto(GStrv) words = NULL;

	g_strstrip(line);
	if (*line == '\0' || *line == '#')
		return true;
	words = g_strsplit_set(line, " \t", -1);
	double *row = g_new0(double, PARSER_VERDICT_KINDS);
	g_hash_table_insert(w->features, g_strdup(words[0]), row);
	for (char **pair = words + 1; *pair; pair++)
		if (**pair && !set_weight(row, *pair))
			return false;
	return true;
}

weights *weights_parse(const char *name, const char *text, size_t length,
		       GError **error)
{
	g_autofree char *copy = g_strndup(text, length);
	g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
	g_autoptr(weights) w = g_new0(weights, 1);

	w->features = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; lines[i]; i++) {
		if (read_line(w, lines[i]))
			continue;
		g_set_error(error, PARSER_ERROR, PARSER_ERROR_SYNTAX,
			    "%s:%u: a line is 'FEATURE VERDICT=WEIGHT ...'", name,
			    i + 1);
		return NULL;
	}
	return g_steal_pointer(&w);
}

const double *weights_of(const weights *w, const char *feature)
{
	return g_hash_table_lookup(w->features, feature);
}
