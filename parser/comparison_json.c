/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our own comparison JSON, docs/comparison.schema.json. */
#include <math.h>
#include <string.h>

#include "parser/column.h"
#include "parser/error.h"
#include "parser/group.h"
#include "parser/json_path.h"

#define COLUMNS_MAX 1000u

typedef struct reading {
	json_at at;
	parser_comparison *comparison;
	GPtrArray *axes; /* parser_pair *: those of all columns */
} reading;

static parser_column *column_at(const reading *r, size_t i)
{
	return r->comparison->columns->pdata[i];
}

/* A member that must be an array; NULL sets the error unless it may be missing. */
static const json_t *array_member(reading *r, const json_t *object, const char *key,
				  bool *good)
{
	const json_t *value = json_object_get(object, key);

	if (value && !json_is_array(value)) {
		json_at_key(&r->at, key);
		*good = json_at_fail(&r->at, "expected an array");
	}
	return *good ? value : NULL;
}

/* ---- columns ----------------------------------------------------------------------
 */

static bool read_commit(reading *r, const json_t *value, parser_column *column)
{
	const json_t *commit = json_object_get(value, "commit");
	size_t mark = json_at_key(&r->at, "commit");
	bool good = true;

	if (json_is_string(commit)) {
		json_at_leave(&r->at, mark);
		good = json_at_string(&r->at, value, "commit", &column->commit->id);
		json_at_key(&r->at, "commit");
		if (good && !*column->commit->id)
			good = json_at_fail(&r->at, "empty");
		json_commit_settle_id(column->commit);
	} else if (commit && !json_is_null(commit)) {
		good = json_at_commit(&r->at, commit, column->commit);
	}
	json_at_leave(&r->at, mark);
	return good;
}

static bool read_column(reading *r, const json_t *value, size_t index)
{
	static const char *const keys[] = { "commit", "label", "axes", "runs", NULL };
	g_autofree char *name =
		g_strdup_printf("%s: $.columns[%zu]", r->at.origin, index);
	parser_column *column = column_new(name);

	g_ptr_array_add(r->comparison->columns, column);
	if (!json_at_object(&r->at, value, keys) || !read_commit(r, value, column) ||
	    !json_at_fact(&r->at, value, "label", &column->label) ||
	    !json_at_count(&r->at, value, "runs", &column->runs, NULL) ||
	    !json_at_pairs(&r->at, value, "axes", column->axes))
		return false;
	for (guint i = 0; i < r->axes->len; i++) {
		const parser_pair *axis = r->axes->pdata[i];

		if (!parser_pairs_get(column->axes, axis->name))
			g_ptr_array_add(column->axes,
					parser_pair_new(axis->name, axis->value));
	}
	return true;
}

static bool read_columns(reading *r, const json_t *root)
{
	bool good = true;
	const json_t *columns = array_member(r, root, "columns", &good);
	size_t mark = json_at_key(&r->at, "columns");

	if (!good)
		return false;
	if (json_array_size(columns) < 2)
		return json_at_fail(&r->at, "a comparison needs two columns or more");
	if (json_array_size(columns) > COLUMNS_MAX)
		return json_at_fail(&r->at, "more than %u columns", COLUMNS_MAX);
	for (size_t i = 0; i < json_array_size(columns); i++) {
		size_t item = json_at_index(&r->at, i);

		if (!read_column(r, json_array_get(columns, i), i))
			return false;
		json_at_leave(&r->at, item);
	}
	json_at_leave(&r->at, mark);
	return true;
}

/* ---- metrics ----------------------------------------------------------------------
 */

static bool push_sample(reading *r, parser_column *column, const json_t *sample)
{
	if (json_is_null(sample))
		column_push(column, 0, PARSER_SAMPLE_ABSENT);
	else if (json_is_integer(sample))
		column_push(column, (double)json_integer_value(sample),
			    PARSER_SAMPLE_INTEGER);
	else if (json_is_real(sample))
		column_push(column, json_real_value(sample), PARSER_SAMPLE_FLOAT);
	else
		return json_at_fail(&r->at, "expected a number or null");
	return true;
}

/* samples: one array per column, null for a column that has not got the metric. */
static bool read_samples(reading *r, const char *name, size_t c, const json_t *list)
{
	parser_column *column = column_at(r, c);

	if (json_is_null(list))
		return true;
	if (!json_is_array(list))
		return json_at_fail(&r->at, "expected an array of samples, or null");
	column_begin(column, name, strlen(name));
	for (size_t i = 0; i < json_array_size(list); i++) {
		size_t mark = json_at_index(&r->at, i);

		if (!push_sample(r, column, json_array_get(list, i)))
			return false;
		json_at_leave(&r->at, mark);
	}
	column_end(column);
	return true;
}

/* summary: one {mean, stddev, n} per column. */
static bool read_summary(reading *r, const char *name, size_t c, const json_t *value)
{
	static const char *const keys[] = { "mean", "stddev", "n", NULL };
	double mean = 0, stddev = -1;
	uint32_t n = 0;
	bool has_mean, has_n, has_stddev;

	if (json_is_null(value))
		return true;
	if (!json_at_object(&r->at, value, keys) ||
	    !json_at_number(&r->at, value, "mean", &mean, &has_mean) ||
	    !json_at_number(&r->at, value, "stddev", &stddev, &has_stddev) ||
	    !json_at_count(&r->at, value, "n", &n, &has_n))
		return false;
	if (!has_mean || !has_n)
		return json_at_fail(&r->at, "mean and n are needed");
	if (has_stddev && stddev < 0)
		return json_at_fail(&r->at, "negative stddev");
	if (n == 0)
		return json_at_fail(&r->at, "n is 0");
	column_add_summary(column_at(r, c), name, mean, stddev, n);
	column_at(r, c)->runs = MAX(column_at(r, c)->runs, n);
	return true;
}

/* counts of a failure: one {fails, runs} per column. */
static bool read_counts(reading *r, const char *name, size_t c, const json_t *value)
{
	static const char *const keys[] = { "fails", "runs", NULL };
	uint32_t fails = 0, runs = 0;
	bool has_fails, has_runs;

	if (json_is_null(value))
		return true;
	if (!json_at_object(&r->at, value, keys) ||
	    !json_at_count(&r->at, value, "fails", &fails, &has_fails) ||
	    !json_at_count(&r->at, value, "runs", &runs, &has_runs))
		return false;
	if (!has_fails || !has_runs || runs == 0)
		return json_at_fail(&r->at, "fails and runs (at least 1) are needed");
	column_add_summary(column_at(r, c), name, (double)fails / runs, -1, runs);
	column_at(r, c)->runs = MAX(column_at(r, c)->runs, runs);
	return true;
}

typedef bool (*read_cell_fn)(reading *r, const char *name, size_t c,
			     const json_t *value);

static bool read_cells(reading *r, const json_t *object, const char *key,
		       const char *name, read_cell_fn read)
{
	const json_t *cells = json_object_get(object, key);
	size_t mark = json_at_key(&r->at, key);

	if (!json_is_array(cells))
		return json_at_fail(&r->at, "expected an array");
	if (json_array_size(cells) != r->comparison->columns->len)
		return json_at_fail(&r->at, "%zu entries for %u columns",
				    json_array_size(cells),
				    r->comparison->columns->len);
	for (size_t c = 0; c < json_array_size(cells); c++) {
		size_t item = json_at_index(&r->at, c);

		if (!read(r, name, c, json_array_get(cells, c)))
			return false;
		json_at_leave(&r->at, item);
	}
	json_at_leave(&r->at, mark);
	return true;
}

static bool known_metric(const reading *r, const char *name)
{
	for (guint c = 0; c < r->comparison->columns->len; c++)
		if (parser_column_find(column_at(r, c), name))
			return true;
	return false;
}

static bool check_name(reading *r, const char *name)
{
	if (!name || !*name)
		return json_at_fail(&r->at, "a metric needs a name");
	if (strlen(name) > PARSER_METRIC_MAX)
		return json_at_fail(&r->at, "name of %zu bytes, more than %u",
				    strlen(name), PARSER_METRIC_MAX);
	if (known_metric(r, name))
		return json_at_fail(&r->at, "metric '%s' stands twice", name);
	return true;
}

static bool read_metric(reading *r, const json_t *value)
{
	static const char *const keys[] = { "name", "samples", "summary", NULL };
	g_autofree char *name = NULL;
	bool samples, summary;

	if (!json_at_object(&r->at, value, keys) ||
	    !json_at_string(&r->at, value, "name", &name) || !check_name(r, name))
		return false;
	samples = json_object_get(value, "samples") != NULL;
	summary = json_object_get(value, "summary") != NULL;
	if (samples == summary)
		return json_at_fail(&r->at, "either samples or summary is needed");
	return samples ? read_cells(r, value, "samples", name, read_samples) :
			 read_cells(r, value, "summary", name, read_summary);
}

static bool read_failure(reading *r, const json_t *value)
{
	static const char *const keys[] = { "name", "counts", NULL };
	g_autofree char *name = NULL;

	return json_at_object(&r->at, value, keys) &&
	       json_at_string(&r->at, value, "name", &name) && check_name(r, name) &&
	       read_cells(r, value, "counts", name, read_counts);
}

static bool read_doubles(reading *r, const json_t *object, const char *key, GArray *out)
{
	bool good = true;
	const json_t *list = array_member(r, object, key, &good);
	size_t mark = json_at_key(&r->at, key);

	for (size_t i = 0; good && i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);
		double value = json_number_value(item);

		json_at_index(&r->at, i);
		good = json_is_number(item) ||
		       json_at_fail(&r->at, "expected a number");
		g_array_append_val(out, value);
		json_at_leave(&r->at, mark);
		json_at_key(&r->at, key);
	}
	if (good)
		json_at_leave(&r->at, mark);
	return good;
}

static bool read_bisect(reading *r, const json_t *value)
{
	static const char *const keys[] = { "metric", "good", "bad", NULL };
	parser_bisect *bisect = g_new0(parser_bisect, 1);

	bisect->good = g_array_new(FALSE, FALSE, sizeof(double));
	bisect->bad = g_array_new(FALSE, FALSE, sizeof(double));
	g_ptr_array_add(r->comparison->bisect, bisect);
	if (!json_at_object(&r->at, value, keys) ||
	    !json_at_string(&r->at, value, "metric", &bisect->metric) ||
	    !read_doubles(r, value, "good", bisect->good) ||
	    !read_doubles(r, value, "bad", bisect->bad))
		return false;
	return bisect->metric || json_at_fail(&r->at, "metric is needed");
}

static bool read_list(reading *r, const json_t *root, const char *key,
		      bool (*read)(reading *r, const json_t *value))
{
	bool good = true;
	const json_t *list = array_member(r, root, key, &good);
	size_t mark = json_at_key(&r->at, key);

	if (!good)
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		size_t item = json_at_index(&r->at, i);

		if (!read(r, json_array_get(list, i)))
			return false;
		json_at_leave(&r->at, item);
	}
	json_at_leave(&r->at, mark);
	return true;
}

/* ---- the whole --------------------------------------------------------------------
 */

static bool read_machine(reading *r, const json_t *root)
{
	static const char *const keys[] = { "name", "description", NULL };
	const json_t *machine = json_object_get(root, "machine");
	parser_comparison *c = r->comparison;
	size_t mark;
	bool good;

	if (!machine || json_is_null(machine) || json_is_string(machine))
		return json_at_fact(&r->at, root, "machine", &c->machine);
	mark = json_at_key(&r->at, "machine");
	good = json_at_object(&r->at, machine, keys) &&
	       json_at_fact(&r->at, machine, "name", &c->machine) &&
	       json_at_fact(&r->at, machine, "description", &c->machine_description);
	json_at_leave(&r->at, mark);
	return good;
}

static void add_axis(GPtrArray *axes, const char *name, const char *value)
{
	if (value && !parser_pairs_get(axes, name))
		g_ptr_array_add(axes, parser_pair_new(name, value));
}

/* Without "compared": the commit if it differs, else the axes that do. */
static void guess_compared(reading *r)
{
	parser_comparison *c = r->comparison;
	const parser_column *base = column_at(r, 0), *head = column_at(r, 1);

	if (c->compared->len)
		return;
	if (g_strcmp0(column_axis(base, "commit"), column_axis(head, "commit")) == 0)
		for (guint i = 0; i < base->axes->len; i++) {
			const parser_pair *axis = base->axes->pdata[i];

			if (g_strcmp0(axis->value, column_axis(head, axis->name)) != 0)
				g_ptr_array_add(c->compared, g_strdup(axis->name));
		}
	if (!c->compared->len)
		g_ptr_array_add(c->compared, g_strdup("commit"));
}

/* Runs are given, or the longest list of samples; a longer list contradicts. */
static bool settle_runs(reading *r)
{
	for (guint c = 0; c < r->comparison->columns->len; c++) {
		parser_column *column = column_at(r, c);
		uint32_t longest = 0;

		column_finish(column);
		for (guint i = 0; i < column->metrics->len; i++) {
			const parser_metric *metric =
				&g_array_index(column->metrics, parser_metric, i);

			if (column->runs && metric->n > column->runs)
				return json_at_fail(
					&r->at,
					"metric '%s' has %u samples in column %u of %u runs",
					metric->name, metric->n, c, column->runs);
			longest = MAX(longest, metric->n);
		}
		column->runs = MAX(column->runs, longest);
	}
	return true;
}

static bool read_root(reading *r, const json_t *root)
{
	static const char *const keys[] = { "version", "testcase", "machine",
					    "axes",    "compared", "parameters",
					    "columns", "metrics",  "failures",
					    "bisect",  NULL };
	parser_comparison *c = r->comparison;
	uint32_t version = 1;

	if (!json_at_object(&r->at, root, keys) ||
	    !json_at_count(&r->at, root, "version", &version, NULL))
		return false;
	if (version != 1)
		return json_at_fail(&r->at, "version %u is not known", version);
	if (!json_at_fact(&r->at, root, "testcase", &c->testcase) ||
	    !read_machine(r, root) || !json_at_pairs(&r->at, root, "axes", r->axes) ||
	    !json_at_strings(&r->at, root, "compared", c->compared) ||
	    !json_at_pairs(&r->at, root, "parameters", c->parameters))
		return false;
	add_axis(r->axes, "testcase", c->testcase);
	add_axis(r->axes, "tbox_group", c->machine);
	return read_columns(r, root) && read_list(r, root, "metrics", read_metric) &&
	       read_list(r, root, "failures", read_failure) &&
	       read_list(r, root, "bisect", read_bisect) && settle_runs(r);
}

parser_comparison *parser_comparison_from_json(const char *bytes, size_t length,
					       const char *origin, GError **error)
{
	g_autoptr(parser_comparison) c = parser_comparison_new();
	reading r = { .comparison = c };
	json_t *root = json_at_load(&r.at, bytes, length, origin, error);
	bool good;

	r.axes = g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	good = root && read_root(&r, root);
	if (good) {
		guess_compared(&r);
		comparison_settle(c);
	}
	json_decref(root);
	json_at_clear(&r.at);
	g_ptr_array_unref(r.axes);
	return good ? g_steal_pointer(&c) : NULL;
}
