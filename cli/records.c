/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records for programs: JSON lines and CSV of the same objects. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "render/render.h"

static json_t *json_text(const char *text)
{
	json_t *value = json_string(text); /* NULL if it is not UTF-8 */

	if (value)
		return value;

	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return json_string(valid);
}

void print_set_text(json_t *object, const char *field, const char *text)
{
	json_object_set_new_nocheck(object, field,
				    text ? json_text(text) : json_null());
}

void print_set_number(json_t *object, const char *field, bool has, double value)
{
	json_object_set_new(object, field,
			    has && isfinite(value) ? json_real(value) : json_null());
}

void print_set_time(json_t *object, const char *field, int64_t seconds)
{
	g_autofree char *text = seconds ? render_time_utc(seconds) : NULL;

	print_set_text(object, field, text);
}

static void print_json(const json_t *record)
{
	g_autofree char *text = render_json_text(record);

	puts(text);
}

/* A spreadsheet reckons with a cell that begins so, whoever wrote the mail. */
static bool is_formula(const char *text)
{
	static const char *const starts[] = { "=",  "+",  "-",  "@",  "\t",
					      "\n", "＝", "＋", "－", "＠" };

	for (size_t i = 0; i < G_N_ELEMENTS(starts); i++)
		if (g_str_has_prefix(text, starts[i]))
			return true;
	return false;
}

/* Only numbers stand as they are: a text that looks like one, too, is a text. */
static char *csv_value(const json_t *value)
{
	if (json_is_null(value) || !value)
		return g_strdup("");
	if (!json_is_string(value))
		return render_json_text(value);

	g_autofree char *text = render_safe_text(json_string_value(value), true);

	return g_strconcat(is_formula(text) ? "'" : "", text, NULL);
}

/* RFC 4180. */
static void append_csv(GString *line, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		g_string_append(line, text);
		return;
	}
	g_string_append_c(line, '"');
	for (const char *p = text; *p; p++) {
		if (*p == '"')
			g_string_append_c(line, '"');
		g_string_append_c(line, *p);
	}
	g_string_append_c(line, '"');
}

static void print_csv(const json_t *record, const char *const *fields)
{
	g_autoptr(GString) line = g_string_new(NULL);

	for (const char *const *field = fields; *field; field++) {
		g_autofree char *text = csv_value(json_object_get(record, *field));

		if (field != fields)
			g_string_append_c(line, ',');
		append_csv(line, text);
	}
	puts(line->str);
}

void print_rows(const GPtrArray *records, const char *const *fields)
{
	for (guint i = 0; i < records->len; i++)
		print_csv(g_ptr_array_index(records, i), fields);
}

static void print_header(const char *const *fields)
{
	g_autofree char *header = g_strjoinv(",", (char **)(guintptr)fields);

	puts(header);
}

void print_records(const GPtrArray *records, const char *const *fields,
		   const print_format *format)
{
	if (format->csv) {
		print_header(fields);
		print_rows(records, fields);
		return;
	}
	for (guint i = 0; i < records->len; i++)
		print_json(g_ptr_array_index(records, i));
}

void print_items(const GPtrArray *items, json_t *(*convert)(const void *item),
		 const char *const *fields, const print_format *format)
{
	if (format->csv)
		print_header(fields);
	for (guint i = 0; i < items->len; i++) {
		json_t *record = convert(g_ptr_array_index(items, i));

		if (format->csv)
			print_csv(record, fields);
		else
			print_json(record);
		json_decref(record);
	}
}
