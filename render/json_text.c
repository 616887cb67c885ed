/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jansson calls back for every comma and looks at each character of a text twice; a
 * list of thousands is written several times as fast here.  Numbers are left to it.
 */
#include <glib.h>
#include <jansson.h>
#include <string.h>

#include "render/text.h"

#define DEL 0x7f

static void append_escaped(GString *out, gunichar c)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *at = c && c < DEL ? strchr(plain, (int)c) : NULL;

	if (at)
		g_string_append_printf(out, "\\%c", letters[at - plain]);
	else if (c == DEL)
		g_string_append(out, "\\u007f");
	else if (c < 0x10000)
		g_string_append_printf(out, "\\u%04X", c);
	else
		g_string_append_printf(out, "\\u%04X\\u%04X",
				       0xd800 + ((c - 0x10000) >> 10),
				       0xdc00 + ((c - 0x10000) & 0x3ff));
}

static bool is_plain(char c)
{
	return c >= 0x20 && c < DEL && c != '"' && c != '\\';
}

/* The text is valid UTF-8, as jansson keeps no other. */
static void append_text(GString *out, const char *text, size_t length)
{
	const char *end = text + length;

	g_string_append_c(out, '"');
	while (text < end) {
		const char *p = text;

		while (p < end && is_plain(*p))
			p++;
		g_string_append_len(out, text, p - text);
		text = p;
		if (p < end) {
			append_escaped(out, g_utf8_get_char(p));
			text = g_utf8_next_char(p);
		}
	}
	g_string_append_c(out, '"');
}

static int append_number(const char *piece, size_t length, void *out)
{
	g_string_append_len(out, piece, (gssize)length);
	return 0;
}

static void append_value(GString *out, const json_t *value);

static void append_object(GString *out, const json_t *object)
{
	json_t *o = (json_t *)(guintptr)object; /* iterators are not for const ones */

	g_string_append_c(out, '{');
	for (void *i = json_object_iter(o); i; i = json_object_iter_next(o, i)) {
		const char *key = json_object_iter_key(i);

		if (out->str[out->len - 1] != '{')
			g_string_append_c(out, ',');
		append_text(out, key, strlen(key));
		g_string_append_c(out, ':');
		append_value(out, json_object_iter_value(i));
	}
	g_string_append_c(out, '}');
}

static void append_array(GString *out, const json_t *array)
{
	g_string_append_c(out, '[');
	for (size_t i = 0; i < json_array_size(array); i++) {
		if (i)
			g_string_append_c(out, ',');
		append_value(out, json_array_get(array, i));
	}
	g_string_append_c(out, ']');
}

static void append_value(GString *out, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		append_object(out, value);
		break;
	case JSON_ARRAY:
		append_array(out, value);
		break;
	case JSON_STRING:
		append_text(out, json_string_value(value), json_string_length(value));
		break;
	case JSON_NULL:
		g_string_append(out, "null");
		break;
	default:
		json_dump_callback(value, append_number, out,
				   JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	}
}

char *render_json_text(const json_t *value)
{
	GString *out = g_string_sized_new(1024);

	append_value(out, value);
	return g_string_free(out, FALSE);
}
