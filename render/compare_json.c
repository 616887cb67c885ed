/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison with all that was computed, as docs/compare-output.schema.json lists it.
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "render/compare.h"
#include "render/table.h"

#define REAL_DIGITS 15

static json_t *text(const char *s)
{
	g_autofree char *valid = s ? g_utf8_make_valid(s, -1) : NULL;

	return valid ? json_string(valid) : json_null();
}

/* JSON has no NaN and no infinity. */
static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new_nocheck(object, key, value);
}

static json_t *pairs(const GPtrArray *list)
{
	json_t *object = json_object();

	for (guint i = 0; i < list->len; i++) {
		const parser_pair *pair = list->pdata[i];
		g_autofree char *name = g_utf8_make_valid(pair->name, -1);

		set(object, name, text(pair->value));
	}
	return object;
}

static json_t *strings(const GPtrArray *list)
{
	json_t *array = json_array();

	for (guint i = 0; i < list->len; i++)
		json_array_append_new(array, text(list->pdata[i]));
	return array;
}

static json_t *column(const render_comparison *c, size_t i)
{
	const parser_column *from = c->source->columns->pdata[i];
	g_autofree char *name = table_column_name(c, i);
	json_t *object = json_object();

	set(object, "name", text(name));
	set(object, "commit", text(from->commit->id));
	set(object, "subject", text(from->commit->subject));
	set(object, "runs", json_integer(from->runs));
	set(object, "origin", text(from->origin));
	set(object, "axes", pairs(from->axes));
	return object;
}

static const char *sense_name(parser_sense sense)
{
	return sense == PARSER_SENSE_MORE ? "more" :
	       sense == PARSER_SENSE_LESS ? "less" :
					    "unknown";
}

static const char *change_name(render_change kind)
{
	static const char *const names[] = {
		[RENDER_CHANGE_NONE] = "none",
		[RENDER_CHANGE_PERCENT] = "percent",
		[RENDER_CHANGE_ABSOLUTE] = "absolute",
		[RENDER_CHANGE_NEW] = "new",
		[RENDER_CHANGE_GONE] = "gone",
		[RENDER_CHANGE_NA] = "n/a",
	};

	return names[kind];
}

static json_t *failure_value(const render_value *v, bool head)
{
	json_t *object = json_object();

	set(object, "fails", real(v->fails));
	set(object, "runs", real(v->runs));
	if (head)
		set(object, "reproduction", real(v->reproduction));
	return object;
}

static json_t *performance_value(const render_value *v, bool head)
{
	json_t *object = json_object();
	bool stated = v->change_kind == RENDER_CHANGE_PERCENT ||
		      v->change_kind == RENDER_CHANGE_ABSOLUTE;

	set(object, "present", json_boolean(v->present));
	set(object, "n", json_integer(v->n));
	set(object, "mean", v->present || v->n ? real(v->mean) : json_null());
	set(object, "stddev", v->stddev >= 0 ? real(v->stddev) : json_null());
	if (!head)
		return object;
	set(object, "change", stated ? real(v->change) : json_null());
	set(object, "change_kind", json_string(change_name(v->change_kind)));
	return object;
}

static json_t *row(const render_comparison *c, const render_row *from)
{
	json_t *object = json_object(), *values = json_array();

	set(object, "metric", text(from->metric));
	if (!from->failure)
		set(object, "sense", json_string(sense_name(from->sense)));
	for (size_t i = 0; i < c->source->columns->len; i++)
		json_array_append_new(
			values, from->failure ?
					failure_value(&from->values[i], i > 0) :
					performance_value(&from->values[i], i > 0));
	set(object, "values", values);
	return object;
}

static json_t *rows(const render_comparison *c, const GArray *list)
{
	json_t *array = json_array();

	for (guint i = 0; i < list->len; i++)
		json_array_append_new(array,
				      row(c, &g_array_index(list, render_row, i)));
	return array;
}

static json_t *headline(const render_comparison *c)
{
	const render_headline *h = &c->headline;
	json_t *object = json_object();

	set(object, "metric", text(h->metric));
	set(object, "why", text(h->why));
	if (!h->metric)
		return object;
	set(object, "culprit", json_integer((json_int_t)h->column));
	set(object, "kind", text(parser_kind_name(h->kind)));
	set(object, "change_percent", real(h->change_percent));
	set(object, "ci_low", real(h->ci_low));
	set(object, "ci_high", real(h->ci_high));
	set(object, "test", text(h->test));
	set(object, "p", h->test ? real(h->p) : json_null());
	set(object, "p_rank", real(h->p_rank));
	set(object, "significant", json_boolean(h->significant));
	set(object, "bimodal", json_boolean(h->bimodal));
	set(object, "n_base", json_integer(h->n_base));
	set(object, "n_head", json_integer(h->n_head));
	return object;
}

static json_t *selection(const render_comparison *c)
{
	static const char *const keys[RENDER_REASONS] = {
		[RENDER_SHOWN] = "shown",
		[RENDER_DENIED] = "denied",
		[RENDER_TOO_FEW_RUNS] = "too_few_runs",
		[RENDER_NEW_MONITOR] = "not_in_base",
		[RENDER_NO_PASS] = "never_passed",
		[RENDER_NO_DATA] = "no_data",
		[RENDER_NO_CHANGE] = "no_change",
		[RENDER_BELOW_RATIO] = "below_ratio",
		[RENDER_UNREASONABLE] = "too_small",
		[RENDER_NOT_KPI] = "not_kpi",
	};
	json_t *object = json_object();

	set(object, "metrics", json_integer((json_int_t)c->metrics));
	for (int i = 0; i < RENDER_REASONS; i++)
		set(object, keys[i], json_integer((json_int_t)c->counts[i]));
	return object;
}

char *render_comparison_json(const render_comparison *c)
{
	const parser_comparison *source = c->source;
	json_t *root = json_object(), *columns = json_array();
	char *dumped;

	set(root, "version", json_integer(1));
	set(root, "mode", json_string(c->options.compat_lkp ? "lkp" : "default"));
	set(root, "testcase", text(source->testcase));
	set(root, "machine", text(source->machine));
	set(root, "machine_description", text(source->machine_description));
	set(root, "axes", pairs(source->axes));
	set(root, "compared", strings(source->compared));
	set(root, "parameters", pairs(source->parameters));
	for (size_t i = 0; i < source->columns->len; i++)
		json_array_append_new(columns, column(c, i));
	set(root, "columns", columns);
	set(root, "headline", headline(c));
	set(root, "failures", rows(c, c->fail_rows));
	set(root, "rows", rows(c, c->rows));
	set(root, "selection", selection(c));
	set(root, "warnings", strings(source->warnings));
	dumped = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS));
	json_decref(root);
	return dumped;
}
