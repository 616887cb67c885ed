/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix.json: one array per metric, one entry per run. */
#include <string.h>

#include "parser/column.h"
#include "parser/error.h"
#include "parser/json_reader.h"

#define SAMPLES_MAX (1u << 27) /* of one metric */

static const char source_key[] = "stats_source";

/* What stood in one array. */
typedef struct tally {
	size_t entries, strings;
} tally;

static bool wrong_entry(json_reader *r, const char *key, size_t entry, const char *what)
{
	g_set_error(r->error, PARSER_ERROR, PARSER_ERROR_INVALID,
		    "%s/%s: metric '%.200s': entry %zu is %s, not a number", r->origin,
		    r->name, key, entry, what);
	return false;
}

/* Reads an entry; numbers are pushed when `keep`. */
static bool read_entry(parser_column *column, json_reader *r, const char *key,
		       bool keep, tally *seen)
{
	double value = 0;

	if (seen->entries == SAMPLES_MAX)
		return json_reader_fail(r, "too many samples");
	switch (json_reader_scalar(r, &value)) {
	case JSON_TOKEN_ERROR:
		return false;
	case JSON_TOKEN_INTEGER:
		if (keep)
			column_push(column, value, PARSER_SAMPLE_INTEGER);
		break;
	case JSON_TOKEN_FLOAT:
		if (keep)
			column_push(column, value, PARSER_SAMPLE_FLOAT);
		break;
	case JSON_TOKEN_NULL:
		if (keep)
			column_push(column, 0, PARSER_SAMPLE_ABSENT);
		break;
	case JSON_TOKEN_STRING:
		seen->strings++;
		break;
	case JSON_TOKEN_BOOL:
		return wrong_entry(r, key, seen->entries, "true or false");
	case JSON_TOKEN_OTHER:
		return wrong_entry(r, key, seen->entries, "an array or object");
	}
	seen->entries++;
	return true;
}

static bool read_array(parser_column *column, json_reader *r, const char *key,
		       bool keep, tally *seen)
{
	if (json_reader_peek(r) != '[') {
		g_set_error(r->error, PARSER_ERROR, PARSER_ERROR_INVALID,
			    "%s/%s: metric '%.200s' is no array of samples", r->origin,
			    r->name, key);
		return false;
	}
	json_reader_expect(r, '[');
	if (json_reader_peek(r) == ']')
		return json_reader_expect(r, ']');
	for (;;) {
		if (!read_entry(column, r, key, keep, seen))
			return false;
		if (json_reader_peek(r) == ']')
			return json_reader_expect(r, ']');
		if (!json_reader_expect(r, ','))
			return false;
	}
}

/* Reads one metric.  *sources becomes the number of runs when it was their list. */
static bool read_metric(parser_column *column, json_reader *r, size_t *sources)
{
	g_autofree char *key = NULL;
	tally seen = { 0 };
	bool keep;

	if (!json_reader_string(r) || !json_reader_expect(r, ':'))
		return false;
	key = column_safe_name(r->text->str, r->text->len);
	if (strcmp(key, source_key) == 0) {
		bool good = read_array(column, r, key, false, &seen);

		*sources = seen.entries;
		return good;
	}

	keep = column_begin(column, r->text->str, r->text->len);
	if (!read_array(column, r, key, keep, &seen))
		return false;
	if (keep)
		column_end(column);
	if (seen.strings == 0)
		return true;
	if (seen.strings != seen.entries)
		return wrong_entry(r, key, seen.entries, "partly text");
	column_warn(column, "%s: '%.200s' holds text, it is no metric", column->origin,
		    key);
	if (keep)
		column_drop_last(column);
	return true;
}

/*
 * Without stats_source the comparer takes the longer of the first and the last array;
 * an array between them that is longer still can only mean more runs.
 */
static bool count_runs(parser_column *column, json_reader *r, size_t sources)
{
	const parser_metric *metrics =
		(const parser_metric *)(void *)column->metrics->data;
	size_t runs = sources;

	for (guint i = 0; i < column->metrics->len; i++) {
		if (sources == 0) {
			runs = MAX(runs, metrics[i].n);
		} else if (metrics[i].n > sources) {
			g_autofree char *safe = column_safe_name(
				metrics[i].name, strlen(metrics[i].name));

			g_set_error(
				r->error, PARSER_ERROR, PARSER_ERROR_INVALID,
				"%s/%s: metric '%.200s' has %u samples, but there are "
				"%zu runs in stats_source",
				r->origin, r->name, safe, metrics[i].n, sources);
			return false;
		}
	}
	column->runs = (uint32_t)runs;
	return true;
}

bool matrix_read(parser_column *column, const parser_blob *blob, GError **error)
{
	g_auto(json_reader) r = { 0 };
	size_t sources = 0;

	json_reader_init(&r, column->origin, blob->name, blob->bytes, blob->length,
			 error);
	if (!json_reader_expect(&r, '{'))
		return false;
	while (json_reader_peek(&r) != '}') {
		if (!read_metric(column, &r, &sources))
			return false;
		if (json_reader_peek(&r) != '}' && !json_reader_expect(&r, ','))
			return false;
	}
	return json_reader_expect(&r, '}') && json_reader_at_end(&r) &&
	       count_runs(column, &r, sources);
}
