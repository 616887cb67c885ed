/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "tests/unit/test.h"

/* Partials from a JSON object of texts. */
static const char *partial_of(const char *name, void *context)
{
	return json_string_value(json_object_get(context, name));
}

typedef struct setup {
	render_escape escape;
	bool strict;
	const char *const *names;
	const char *partials; /* JSON */
} setup;

static char *expand(const char *text, const char *data, const setup *s, GError **error)
{
	json_t *value = json_loads(data, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	json_t *partials = json_loads(s->partials ? s->partials : "{}", 0, NULL);
	render_template_options options = { .escape = s->escape,
					    .strict = s->strict,
					    .names = s->names,
					    .partial = partial_of,
					    .context = partials };
	g_autoptr(render_template) t = NULL;
	GString *out = g_string_new(NULL);

	assert_non_null(value);
	assert_non_null(partials);
	t = render_template_compile("t", text, &options, error);
	if (!t || !render_template_expand(t, value, out, error)) {
		assert_int_equal(out->len, 0);
		g_string_free(out, TRUE);
		out = NULL;
	}
	json_decref(value);
	json_decref(partials);
	return out ? g_string_free(out, FALSE) : NULL;
}

/* ---- the specification's own cases ---------------------------------------------- */

static void run_case(const char *file, const json_t *test)
{
	const char *name = json_string_value(json_object_get(test, "name"));
	const char *text = json_string_value(json_object_get(test, "template"));
	const char *expected = json_string_value(json_object_get(test, "expected"));
	render_template_options options = { .escape = RENDER_ESCAPE_HTML,
					    .partial = partial_of,
					    .context =
						    json_object_get(test, "partials") };
	g_autoptr(GError) error = NULL;
	g_autoptr(render_template) t =
		render_template_compile(name, text, &options, &error);
	g_autoptr(GString) out = g_string_new(NULL);

	if (!t ||
	    !render_template_expand(t, json_object_get(test, "data"), out, &error))
		fail_msg("%s: %s: %s", file, name, error->message);
	if (strcmp(out->str, expected) != 0)
		fail_msg("%s: %s: '%s' instead of '%s'", file, name, out->str,
			 expected);
}

static void the_cases_of_the_specification_pass(void **state)
{
	static const char *const files[] = { "comments", "delimiters", "interpolation",
					     "inverted", "partials",   "sections" };
	const char *corpus = getenv("REGTRAIL_CORPUS");
	const char *source = getenv("REGTRAIL_SOURCE");
	g_autofree char *dir =
		corpus ? g_strdup(corpus) :
			 g_strdup_printf("%s/../shared/corpus", source ? source : ".");
	unsigned cases = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path =
			g_strdup_printf("%s/mustache-spec/%s.json", dir, files[i]);
		json_t *spec;
		size_t n;
		json_t *test;

		if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
			print_message("skipped: there is no %s\n", path);
			/* skip() leaves by longjmp: nothing is freed after it */
			g_clear_pointer(&path, g_free);
			g_clear_pointer(&dir, g_free);
			skip();
		}
		spec = json_load_file(path, 0, NULL);
		assert_non_null(spec);
		json_array_foreach(json_object_get(spec, "tests"), n, test) {
			run_case(files[i], test);
			cases++;
		}
		json_decref(spec);
	}
	assert_true(cases > 100);
}

/* ---- our own -------------------------------------------------------------------- */

static void assert_expands(const char *text, const char *data, const setup *s,
			   const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *out = expand(text, data, s, &error);

	if (error)
		fail_msg("%s: %s", text, error->message);
	assert_string_equal(out, expected);
}

static void assert_fails(const char *text, const char *data, const setup *s,
			 const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *out = expand(text, data, s, &error);

	assert_null(out);
	assert_true(g_error_matches(error, RENDER_ERROR, RENDER_ERROR_TEMPLATE));
	assert_string_equal(error->message, expected);
}

static void sections_repeat_nest_and_vanish(void **state)
{
	static const struct {
		const char *text, *data, *expected;
	} cases[] = {
		/* clang-format off */
		{ "{{a}} and {{{a}}}", "{\"a\":\"x\"}", "x and x" },
		{ "{{#l}}<{{n}}{{up}}>{{/l}}", "{\"up\":1,\"l\":[{\"n\":2},{\"n\":3}]}", "<21><31>" },
		{ "{{#l}}{{.}},{{/l}}", "{\"l\":[1,2.5,\"c\"]}", "1,2.5,c," },
		{ "{{#l}}{{#.}}{{.}}{{/.}};{{/l}}", "{\"l\":[[1,2],[3]]}", "12;3;" },
		{ "a\n  {{! gone }}\nb\n", "{}", "a\nb\n" },
		{ "a\n{{#b}}\nc\n{{/b}}\nd\n", "{\"b\":true}", "a\nc\nd\n" },
		{ "a\n{{^b}}\nc\n{{/b}}\nd\n", "{\"b\":[]}", "a\nc\nd\n" },
		{ "{{=<% %>=}}<%a%>{{a}}", "{\"a\":1}", "1{{a}}" },
		{ "{{a.b.c}}{{a.x.y}}", "{\"a\":{\"b\":{\"c\":0.1}}}", "0.1" },
		{ "{{#s}}never{{/s}}{{^s}}empty{{/s}}", "{\"s\":\"\"}", "empty" },
		{ "{{#n}}zero{{/n}}", "{\"n\":0}", "zero" },
		/* clang-format on */
	};
	const setup plain = { RENDER_ESCAPE_NONE, false, NULL, NULL };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_expands(cases[i].text, cases[i].data, &plain, cases[i].expected);
}

static void partials_keep_their_indentation(void **state)
{
	const setup s = { RENDER_ESCAPE_NONE, true, NULL, "{\"p\":\"1\\n{{v}}\\n\"}" };

	(void)state;
	assert_expands("x\n  {{>p}}\ny", "{\"v\":\"a\\nb\"}", &s, "x\n  1\n  a\nb\ny");
	assert_expands("x {{> p }}y", "{\"v\":2}", &s, "x 1\n2\ny");
}

static void a_broken_template_names_its_line(void **state)
{
	const setup s = { RENDER_ESCAPE_TEXT, false, NULL, NULL };

	(void)state;
	assert_fails("a\n{{b", "{}", &s, "t:2: tag is not closed by }}");
	assert_fails("a\n\n{{#b}}\nc", "{}", &s, "t:3: #b is never closed");
	assert_fails("{{#a}}\n{{#b}}\n{{/a}}", "{}", &s,
		     "t:3: /a does not close #b of line 2");
	assert_fails("\n{{/a}}", "{}", &s, "t:2: /a closes nothing");
	assert_fails("{{}}", "{}", &s, "t:1: '' is not a name");
	assert_fails("{{a b}}", "{}", &s, "t:1: 'a b' is not a name");
	assert_fails("{{a..b}}", "{}", &s, "t:1: a..b is not a name");
	assert_fails("\n\n{{=x=}}", "{}", &s,
		     "t:3: delimiters must be two words without '='");
}

static void strict_mode_refuses_an_unknown_name(void **state)
{
	static const char *const names[] = { "known", NULL };
	const setup at_expansion = { RENDER_ESCAPE_TEXT, true, NULL,
				     "{\"p\":\"\\n{{no}}\"}" };
	const setup at_load = { RENDER_ESCAPE_TEXT, true, names,
				"{\"p\":\"\\n{{no}}\"}" };

	(void)state;
	assert_fails("x\n{{no}}", "{}", &at_expansion, "t:2: there is no no");
	assert_fails("x\n{{#no}}{{/no}}", "{}", &at_expansion, "t:2: there is no no");
	assert_fails("{{known.no}}", "{\"known\":{}}", &at_load,
		     "t:1: there is no known.no");
	/* Found although the section is not entered, and inside a partial. */
	assert_fails("{{#known}}{{no}}{{/known}}", "{\"known\":false}", &at_load,
		     "t:1: there is no no");
	assert_fails("{{#known}}{{>p}}{{/known}}", "{\"known\":false}", &at_load,
		     "p:2: there is no no");
	assert_fails("\n{{#known}}{{>q}}{{/known}}", "{\"known\":false}", &at_load,
		     "t:2: there is no template q");
	assert_expands("{{known}}", "{\"known\":null}", &at_load, "");
}

static void a_template_that_loops_is_an_error(void **state)
{
	const setup self = { RENDER_ESCAPE_TEXT, true, NULL, "{\"p\":\"x\\n{{>p}}\"}" };
	const setup twice = { RENDER_ESCAPE_TEXT, false, NULL,
			      "{\"p\":\"{{>p}}{{>p}}\"}" };
	const setup plain = { RENDER_ESCAPE_TEXT, false, NULL, NULL };
	g_autoptr(GString) deep = g_string_new(NULL);
	g_autoptr(GString) wide = g_string_new("{\"a\":[0");
	g_autoptr(GString) nest = g_string_new(NULL);

	(void)state;
	assert_fails("{{>p}}", "{}", &self, "p:2: partials are nested deeper than 64");
	assert_fails("{{>p}}", "{}", &twice, "p:1: partials are nested deeper than 64");
	for (int i = 0; i < 100; i++)
		g_string_append(deep, "{{#a}}");
	assert_fails(deep->str, "{\"a\":{}}", &plain,
		     "t:1: sections are nested deeper than 64");
	for (int i = 0; i < 1000; i++)
		g_string_append(wide, ",0");
	g_string_append(wide, "]}");
	for (int i = 0; i < 8; i++)
		g_string_append(nest, "{{#a}}");
	for (int i = 0; i < 8; i++)
		g_string_append(nest, "{{/a}}");
	assert_fails(nest->str, wide->str, &plain, "t:1: the text grows without end");
}

static void values_are_escaped_for_where_they_stand(void **state)
{
	const setup text = { RENDER_ESCAPE_TEXT, false, NULL, NULL };
	const setup header = { RENDER_ESCAPE_HEADER, false, NULL, NULL };
	const setup html = { RENDER_ESCAPE_HTML, false, NULL, NULL };

	(void)state;
	assert_expands(
		"{{a}}", "{\"a\":\"x\\u001b[1m\\u202ey\\tz\\n\\u0000\\u200f\\u061c\"}",
		&text,
		"x\xef\xbf\xbd[1m\xef\xbf\xbdy\tz\n\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	assert_expands("{{a}}", "{\"a\":\"<&\\\"'>\"}", &html,
		       "&lt;&amp;&quot;&#39;&gt;");
	assert_expands("{{a}}", "{\"a\":\"caf\\u00e9\"}", &header, "caf\xc3\xa9");
	assert_fails("x\n{{a}}", "{\"a\":\"b\\r\\nBcc: c\"}", &header,
		     "t:2: a holds a control character, which no header may hold");
	assert_fails("{{a}}", "{\"a\":\"b\\u0000c\"}", &header,
		     "t:1: a holds a control character, which no header may hold");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cases_of_the_specification_pass),
		cmocka_unit_test(sections_repeat_nest_and_vanish),
		cmocka_unit_test(partials_keep_their_indentation),
		cmocka_unit_test(a_broken_template_names_its_line),
		cmocka_unit_test(strict_mode_refuses_an_unknown_name),
		cmocka_unit_test(a_template_that_loops_is_an_error),
		cmocka_unit_test(values_are_escaped_for_where_they_stand),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
