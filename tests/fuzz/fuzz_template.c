/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of options, a template, NUL, its partial "p", NUL, its values as JSON.
 * Whatever comes, expansion ends, says a line when it fails, and then leaves the output
 * alone.
 */
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "tests/fuzz/fuzz.h"

static const char *partial(const char *name, void *context)
{
	return strcmp(name, "p") == 0 ? context : NULL;
}

static void check_error(const GError *error)
{
	const char *colon = error ? strchr(error->message, ':') : NULL;

	if (!colon || !g_ascii_isdigit(colon[1]))
		abort();
}

static void expand(const char *text, const char *json, size_t length,
		   const render_template_options *options)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(render_template) t =
		render_template_compile("t", text, options, &error);
	json_t *value =
		json_loadb(json, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	g_autoptr(GString) out = g_string_new("before");

	if (!t) {
		check_error(error);
	} else if (value && !render_template_expand(t, value, out, &error)) {
		check_error(error);
		if (strcmp(out->str, "before") != 0)
			abort();
	}
	json_decref(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = NULL;
	g_autofree char *second = NULL;
	render_template_options options = { .partial = partial };
	size_t first;
	size_t middle;

	if (size < 1 || size > 4096)
		return 0;
	options.escape = data[0] % 4;
	options.strict = data[0] & 4;
	data++;
	size--;
	text = g_strndup((const char *)data, size);
	first = MIN(strlen(text) + 1, size);
	second = g_strndup((const char *)data + first, size - first);
	middle = MIN(first + strlen(second) + 1, size);
	options.context = second;
	expand(text, (const char *)data + middle, size - middle, &options);
	return 0;
}
