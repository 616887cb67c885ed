/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "parser/error.h"
#include "parser/json_path.h"

json_t *json_at_load(json_at *at, const char *bytes, size_t length, const char *origin,
		     GError **error)
{
	json_error_t wrong;
	json_t *value;

	at->origin = origin;
	at->path = g_string_new("$");
	at->error = error;
	value = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &wrong);
	if (!value)
		g_set_error(error, PARSER_ERROR, PARSER_ERROR_SYNTAX, "%s:%d:%d: %s",
			    origin, wrong.line, wrong.column, wrong.text);
	return value;
}

void json_at_clear(json_at *at)
{
	if (at->path)
		g_string_free(at->path, TRUE);
	at->path = NULL;
}

size_t json_at_key(json_at *at, const char *key)
{
	size_t mark = at->path->len;

	g_string_append_printf(at->path, ".%s", key);
	return mark;
}

size_t json_at_index(json_at *at, size_t index)
{
	size_t mark = at->path->len;

	g_string_append_printf(at->path, "[%zu]", index);
	return mark;
}

void json_at_leave(json_at *at, size_t mark)
{
	g_string_truncate(at->path, mark);
}

bool json_at_fail(json_at *at, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list args;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(at->error, PARSER_ERROR, PARSER_ERROR_INVALID, "%s: %s: %s",
		    at->origin, at->path->str, what);
	return false;
}

bool json_at_object(json_at *at, const json_t *value, const char *const *keys)
{
	const char *key;
	json_t *member;

	if (!json_is_object(value))
		return json_at_fail(at, "expected an object");
	json_object_foreach((json_t *)value, key, member)
		if (!g_strv_contains(keys, key) && strcmp(key, "$schema") != 0)
			return json_at_fail(at, "unknown member '%.100s'", key);
	return true;
}

/* A member that is there and not null. */
static const json_t *member(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_null(value) ? NULL : value;
}

/* jansson takes no NUL, so the text ends where C thinks it does. */
static bool is_clean(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	return true;
}

bool json_at_text(json_at *at, const json_t *value, char **out)
{
	const char *text = json_string_value(value);

	if (!text)
		return json_at_fail(at, "expected a string");
	if (!is_clean(text))
		return json_at_fail(at, "control character in a string");
	*out = g_strdup(text);
	return true;
}

bool json_at_string(json_at *at, const json_t *object, const char *key, char **out)
{
	const json_t *value = member(object, key);
	size_t mark = json_at_key(at, key);
	bool good = !value || json_at_text(at, value, out);

	json_at_leave(at, mark);
	return good;
}

bool json_at_fact(json_at *at, const json_t *object, const char *key, char **out)
{
	if (!json_at_string(at, object, key, out))
		return false;
	if (*out && !**out)
		g_clear_pointer(out, g_free);
	return true;
}

bool json_at_strings(json_at *at, const json_t *object, const char *key, GPtrArray *out)
{
	const json_t *value = member(object, key);
	size_t mark = json_at_key(at, key);
	bool good =
		!value || json_is_array(value) || json_at_fail(at, "expected an array");

	for (size_t i = 0; good && i < json_array_size(value); i++) {
		size_t item = json_at_index(at, i);
		char *text = NULL;

		good = json_at_text(at, json_array_get(value, i), &text);
		if (text)
			g_ptr_array_add(out, text);
		json_at_leave(at, item);
	}
	json_at_leave(at, mark);
	return good;
}

bool json_at_count(json_at *at, const json_t *object, const char *key, uint32_t *out,
		   bool *given)
{
	const json_t *value = member(object, key);
	size_t mark = json_at_key(at, key);
	bool good = true;

	if (value && !json_is_integer(value))
		good = json_at_fail(at, "expected a whole number");
	else if (value &&
		 (json_integer_value(value) < 0 || json_integer_value(value) > 1000000))
		good = json_at_fail(at, "%lld is no possible count",
				    (long long)json_integer_value(value));
	else if (value)
		*out = (uint32_t)json_integer_value(value);
	if (given)
		*given = value != NULL;
	json_at_leave(at, mark);
	return good;
}

bool json_at_number(json_at *at, const json_t *object, const char *key, double *out,
		    bool *given)
{
	const json_t *value = member(object, key);
	size_t mark = json_at_key(at, key);
	bool good = !value || json_is_number(value) ||
		    json_at_fail(at, "expected a number");

	if (good && value)
		*out = json_number_value(value);
	if (given)
		*given = value != NULL;
	json_at_leave(at, mark);
	return good;
}

/* A scalar as text; false for null, arrays and objects. */
static bool scalar_text(json_at *at, const json_t *value, char **out)
{
	if (json_is_string(value))
		return json_at_text(at, value, out);
	if (json_is_integer(value) || json_is_real(value))
		*out = json_dumps(value, JSON_ENCODE_ANY);
	else if (json_is_boolean(value))
		*out = g_strdup(json_is_true(value) ? "true" : "false");
	else
		return json_at_fail(at, "expected text or a number");
	return true;
}

bool json_at_pairs(json_at *at, const json_t *object, const char *key, GPtrArray *out)
{
	const json_t *value = member(object, key);
	size_t mark = json_at_key(at, key);
	bool good = !value || json_is_object(value) ||
		    json_at_fail(at, "expected an object");
	const char *name;
	json_t *item;

	if (!good || !value) {
		json_at_leave(at, mark);
		return good;
	}
	json_object_foreach((json_t *)value, name, item) {
		size_t inner = json_at_key(at, name);
		g_autofree char *text = NULL;

		if (!is_clean(name))
			return json_at_fail(at, "control character in a name");
		if (!scalar_text(at, item, &text))
			return false;
		g_ptr_array_add(out, parser_pair_new(name, text));
		json_at_leave(at, inner);
	}
	json_at_leave(at, mark);
	return true;
}
