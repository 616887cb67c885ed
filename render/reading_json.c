/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parser sees in one mail, as docs/parse.schema.json describes it. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "render/text.h"

/* A string, or null for none.  What is no UTF-8 is replaced, never refused. */
static json_t *text_or_null(const char *text)
{
	g_autofree char *valid = NULL;

	if (!text)
		return json_null();
	if (g_utf8_validate(text, -1, NULL))
		return json_string_nocheck(text);
	valid = g_utf8_make_valid(text, -1);
	return json_string_nocheck(valid);
}

static json_t *number_or_null(bool has, double value)
{
	return has && isfinite(value) ? json_real(value) : json_null();
}

/* A whole number stays one: 3, not 3.0. */
static json_t *count_or_null(bool has, double value)
{
	if (!has || !isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 1e15)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static void set(json_t *object, const char *name, json_t *value)
{
	json_object_set_new_nocheck(object, name, value);
}

static json_t *strings(const GPtrArray *array)
{
	json_t *list = json_array();

	for (guint i = 0; array && i < array->len; i++)
		json_array_append_new(list, text_or_null(g_ptr_array_index(array, i)));
	return list;
}

/* Pairs as an object; of two with one name the first stands. */
static json_t *object_of_pairs(const GPtrArray *pairs)
{
	json_t *object = json_object();

	for (guint i = 0; pairs && i < pairs->len; i++) {
		const parser_pair *pair = g_ptr_array_index(pairs, i);
		g_autofree char *name = g_utf8_make_valid(pair->name, -1);

		if (!json_object_get(object, name))
			set(object, name, text_or_null(pair->value));
	}
	return object;
}

/* Pairs as a list of two-field objects, where names may repeat. */
static json_t *list_of_pairs(const GPtrArray *pairs, const char *name_key,
			     const char *value_key)
{
	json_t *list = json_array();

	for (guint i = 0; pairs && i < pairs->len; i++) {
		const parser_pair *pair = g_ptr_array_index(pairs, i);
		json_t *object = json_object();

		set(object, name_key, text_or_null(pair->name));
		set(object, value_key, text_or_null(pair->value));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *impacts(const GPtrArray *array)
{
	json_t *list = json_array();

	for (guint i = 0; i < array->len; i++) {
		const parser_impact *impact = g_ptr_array_index(array, i);
		json_t *object = json_object();

		set(object, "testcase", text_or_null(impact->testcase));
		set(object, "metric", text_or_null(impact->metric));
		set(object, "change_percent",
		    number_or_null(impact->has_change, impact->change_percent));
		set(object, "kind", text_or_null(parser_kind_name(impact->kind)));
		set(object, "machine", text_or_null(impact->machine));
		set(object, "parameters", object_of_pairs(impact->parameters));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *report(const parser_report *r)
{
	const struct {
		const char *name, *value;
	} texts[] = {
		{ "commit", r ? r->commit : NULL },
		{ "commit_subject", r ? r->commit_subject : NULL },
		{ "tree", r ? r->tree : NULL },
		{ "branch", r ? r->branch : NULL },
		{ "url", r ? r->url : NULL },
		{ "base", r ? r->base : NULL },
		{ "patch_link", r ? r->patch_link : NULL },
		{ "patch_subject", r ? r->patch_subject : NULL },
		{ "testcase", r ? r->testcase : NULL },
		{ "config", r ? r->config : NULL },
		{ "compiler", r ? r->compiler : NULL },
		{ "machine", r ? r->machine : NULL },
	};
	char generation[] = { 'G', '0', '\0' };
	json_t *object;

	if (!r)
		return json_null();
	object = json_object();
	set(object, "kind", text_or_null(parser_kind_name(r->kind)));
	set(object, "metric", text_or_null(r->metric));
	set(object, "change_percent", number_or_null(r->has_change, r->change_percent));
	set(object, "sign", text_or_null(parser_sign_name(r->sign)));
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		set(object, texts[i].name, text_or_null(texts[i].value));
	set(object, "parameters", object_of_pairs(r->parameters));
	generation[1] = (char)('0' + CLAMP(r->generation, 0, 9));
	set(object, "generation", text_or_null(generation));
	set(object, "closes", text_or_null(r->closes));
	set(object, "still_failing", list_of_pairs(r->still_failing, "tree", "commit"));
	set(object, "impacts", impacts(r->impacts));
	return object;
}

static json_t *cell(const parser_cell *c)
{
	json_t *object = json_object();

	set(object, "mean", number_or_null(c->has_mean, c->mean));
	set(object, "stddev_percent", number_or_null(c->has_stddev, c->stddev_percent));
	set(object, "change", number_or_null(c->has_change, c->change));
	set(object, "change_text", text_or_null(c->change_text));
	set(object, "unit",
	    c->change_text ? text_or_null(parser_unit_name(c->unit)) : json_null());
	return object;
}

static json_t *row(const parser_row *r)
{
	json_t *object = json_object(), *cells = json_array();

	for (size_t i = 0; i < r->n_cells; i++)
		json_array_append_new(cells, cell(&r->cells[i]));
	set(object, "metric", text_or_null(r->metric));
	set(object, "cells", cells);
	return object;
}

static json_t *fail_row(const parser_fail_row *r)
{
	json_t *object = json_object(), *cells = json_array();

	for (size_t i = 0; i < r->n_cells; i++) {
		const parser_fail_cell *c = &r->cells[i];
		json_t *one = json_object();

		set(one, "fails", count_or_null(true, c->fails));
		set(one, "runs", count_or_null(c->has_runs, c->runs));
		set(one, "reproduction",
		    number_or_null(c->has_reproduction, c->reproduction));
		json_array_append_new(cells, one);
	}
	set(object, "metric", text_or_null(r->metric));
	set(object, "cells", cells);
	return object;
}

static json_t *table(const parser_table *t)
{
	json_t *object = json_object(), *columns = json_array();
	json_t *rows = json_array(), *fail_rows = json_array();

	for (guint i = 0; i < t->columns->len; i++) {
		const parser_table_column *column = g_ptr_array_index(t->columns, i);
		json_t *one = json_object();

		set(one, "id", text_or_null(column->id));
		set(one, "subject", text_or_null(column->subject));
		json_array_append_new(columns, one);
	}
	for (guint i = 0; i < t->rows->len; i++)
		json_array_append_new(rows, row(g_ptr_array_index(t->rows, i)));
	for (guint i = 0; i < t->fail_rows->len; i++)
		json_array_append_new(fail_rows,
				      fail_row(g_ptr_array_index(t->fail_rows, i)));
	set(object, "machine", text_or_null(t->machine));
	set(object, "quoted", json_boolean(t->quoted));
	set(object, "axes", object_of_pairs(t->axes));
	set(object, "columns", columns);
	set(object, "rows", rows);
	set(object, "fail_rows", fail_rows);
	return object;
}

static json_t *tables(const GPtrArray *array)
{
	json_t *list = json_array();

	for (guint i = 0; i < array->len; i++)
		json_array_append_new(list, table(g_ptr_array_index(array, i)));
	return list;
}

static json_t *verdicts(const GPtrArray *array)
{
	json_t *list = json_array();

	for (guint i = 0; i < array->len; i++) {
		const parser_verdict *v = g_ptr_array_index(array, i);
		json_t *object = json_object();

		set(object, "verdict", text_or_null(parser_verdict_name(v->kind)));
		set(object, "confidence", json_real(v->confidence));
		set(object, "outcome", text_or_null(parser_outcome_name(v->outcome)));
		set(object, "evidence", text_or_null(v->evidence));
		set(object, "offset", json_integer((json_int_t)v->offset));
		set(object, "rule", text_or_null(v->rule));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *mechanisms(const GPtrArray *array)
{
	json_t *list = json_array();

	for (guint i = 0; i < array->len; i++) {
		const parser_mechanism *m = g_ptr_array_index(array, i);
		json_t *object = json_object();

		set(object, "kind", text_or_null(m->kind));
		set(object, "object", text_or_null(m->object));
		set(object, "evidence", text_or_null(m->evidence));
		set(object, "offset", json_integer((json_int_t)m->offset));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *commands(const GPtrArray *array)
{
	json_t *list = json_array();

	for (guint i = 0; i < array->len; i++) {
		const parser_command *c = g_ptr_array_index(array, i);
		json_t *object = json_object();

		set(object, "prefix", text_or_null(c->prefix));
		set(object, "verb", text_or_null(c->verb));
		set(object, "arguments", text_or_null(c->arguments));
		set(object, "line", json_integer(c->line));
		set(object, "problem", text_or_null(c->problem));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *patches(const GPtrArray *array)
{
	json_t *list = json_array();

	for (guint i = 0; array && i < array->len; i++) {
		const parser_patch *p = g_ptr_array_index(array, i);
		g_autofree char *date = p->date ? render_time_utc(p->date) : NULL;
		size_t length = p->diff ? strlen(p->diff) : 0;
		json_t *object = json_object();

		set(object, "form", text_or_null(parser_patch_form_name(p->form)));
		set(object, "title", text_or_null(p->title));
		set(object, "author", text_or_null(p->author));
		set(object, "date", text_or_null(date));
		set(object, "diff_length", json_integer((json_int_t)length));
		set(object, "url", text_or_null(p->url));
		set(object, "branch", text_or_null(p->branch));
		set(object, "problem", text_or_null(p->problem));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *notices(const GPtrArray *array)
{
	json_t *list = json_array();

	for (guint i = 0; array && i < array->len; i++) {
		const parser_notice *n = g_ptr_array_index(array, i);
		json_t *object = json_object();

		set(object, "tree", text_or_null(n->tree));
		set(object, "branch", text_or_null(n->branch));
		set(object, "mainline", json_boolean(n->mainline));
		set(object, "commit", text_or_null(n->commit));
		set(object, "subject", text_or_null(n->subject));
		set(object, "evidence", text_or_null(n->line));
		json_array_append_new(list, object);
	}
	return list;
}

static void set_headers(json_t *object, const parser_mail *mail)
{
	json_t *from = json_object();
	g_autofree char *date = mail->date ? render_time_utc(mail->date) : NULL;

	set(from, "name", text_or_null(mail->from.name));
	set(from, "address", text_or_null(mail->from.address));
	set(object, "message_id", text_or_null(mail->message_id));
	set(object, "in_reply_to", strings(mail->in_reply_to));
	set(object, "references", strings(mail->references));
	set(object, "from", from);
	set(object, "date", text_or_null(date));
	set(object, "subject", text_or_null(mail->subject));
	set(object, "class", text_or_null(parser_class_name(mail->class)));
	set(object, "lists", strings(mail->lists));
}

char *render_reading_json(const char *file, const parser_reading *reading)
{
	json_t *object = json_object();
	char *line;

	set(object, "file", text_or_null(file));
	set_headers(object, reading->mail);
	set(object, "report", report(reading->report));
	set(object, "quoted_report", report(reading->quoted_report));
	set(object, "tables", tables(reading->tables));
	set(object, "plots", json_integer(reading->plots));
	set(object, "verdicts", verdicts(reading->verdicts));
	set(object, "mechanisms", mechanisms(reading->mechanisms));
	set(object, "commands", commands(reading->commands));
	set(object, "trailers", list_of_pairs(reading->trailers, "name", "value"));
	set(object, "commits", list_of_pairs(reading->commits, "id", "subject"));
	set(object, "links", strings(reading->links));
	set(object, "patches", patches(reading->patches));
	set(object, "notices", notices(reading->notices));
	set(object, "warnings", strings(reading->warnings));
	line = render_json_text(object);
	json_decref(object);
	return line;
}
