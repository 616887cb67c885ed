/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <string.h>

#include "render/render.h"
#include "tests/unit/test.h"

static void controls_never_reach_a_terminal(void **state)
{
	static const struct {
		const char *text, *plain, *lines;
	} cases[] = {
		{ "abc", "abc", "abc" },
		{ "a\tb\nc", "a\357\277\275b\357\277\275c", "a\tb\nc" },
		{ "\033[31mred", "\357\277\275[31mred", "\357\277\275[31mred" },
		{ "\302\233x", "\357\277\275x", "\357\277\275x" },        /* C1 */
		{ "a\342\200\256b", "a\357\277\275b", "a\357\277\275b" }, /* U+202E */
		{ "\377\376", "\357\277\275\357\277\275", "\357\277\275\357\277\275" },
		{ "\303\244\302\261", "\303\244\302\261", "\303\244\302\261" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *plain = render_safe_text(cases[i].text, false);
		g_autofree char *lines = render_safe_text(cases[i].text, true);

		assert_string_equal(plain, cases[i].plain);
		assert_string_equal(lines, cases[i].lines);
	}
}

/* One FFFD for each: what the eye does not see must not hide in a word. */
static void invisible_characters_are_shown(void **state)
{
	static const gunichar hidden[] = {
		0xad,   0x34f,  0x61c,   0x115f,  0x180e,  0x200b,  0x200c,
		0x200d, 0x200e, 0x200f,  0x2028,  0x2029,  0x202e,  0x2060,
		0x2061, 0x2064, 0x2066,  0x2069,  0x3164,  0xfe00,  0xfe0f,
		0xfeff, 0xfff9, 0xe0001, 0xe0041, 0xe007f, 0xe0100,
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(hidden); i++) {
		g_autoptr(GString) text = g_string_new("ex");
		g_string_append_unichar(text, hidden[i]);
		g_string_append(text, "pected");
		g_autofree char *safe = render_safe_text(text->str, true);
		g_autofree char *line = render_safe_line(text->str);

		assert_string_equal(safe, "ex\357\277\275pected");
		assert_string_equal(line, safe);
	}
}

#define ACUTE "\314\201"

static void marks_are_few_and_stand_on_a_letter(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "e" ACUTE "te", "e" ACUTE "te" },
		{ "e" ACUTE ACUTE ACUTE ACUTE "f", "e" ACUTE ACUTE ACUTE ACUTE "f" },
		{ "e" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "f" ACUTE,
		  "e" ACUTE ACUTE ACUTE ACUTE "\357\277\275f" ACUTE },
		{ ACUTE "e", "\357\277\275e" },
		{ "a\n" ACUTE "e", "a\n\357\277\275e" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *safe = render_safe_text(cases[i].text, true);

		assert_string_equal(safe, cases[i].want);
	}
}

static void white_space_becomes_a_blank(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "" },
		{ " ", "" },
		{ "a b c", "a b c" },
		{ "  a", "a" },
		{ "a  b\t\nc", "a b c" },
		{ "a ", "a " },
		{ "a\r\n", "a " },
		{ "a  \303\244\001", "a \303\244\357\277\275" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = render_safe_line(cases[i].text);

		assert_string_equal(got, cases[i].want);
	}
}

static void width_counts_cells(void **state)
{
	(void)state;
	assert_int_equal(render_text_width(""), 0);
	assert_int_equal(render_text_width("abc"), 3);
	assert_int_equal(render_text_width("\302\2615%"), 3);
	assert_int_equal(render_text_width("\345\233\236\345\244\215"), 4); /* wide */
	assert_int_equal(render_text_width("e\314\201"), 1); /* combining */
}

static void marks_without_end_are_cut(void **state)
{
	g_autoptr(GString) text = g_string_new("e");

	(void)state;
	for (int i = 0; i < 100000; i++)
		g_string_append(text, "\314\201");
	g_autofree char *got = render_text_fit(text->str, 10);

	assert_true(strlen(got) < 200);
	assert_true(g_str_has_prefix(got, "e\314\201"));
}

static void text_is_cut_to_fit(void **state)
{
	static const struct {
		const char *text;
		size_t width;
		const char *want;
	} cases[] = {
		{ "abcdef", 6, "abcdef" },
		{ "abcdef", 7, "abcdef" },
		{ "abcdef", 4, "abc\342\200\246" },
		{ "abcdef", 1, "\342\200\246" },
		{ "abcdef", 0, "" },
		{ "", 3, "" },
		{ "ab\345\233\236", 4, "ab\345\233\236" },
		{ "ab\345\233\236", 3, "ab\342\200\246" },
		{ "abc\345\233\236", 3, "ab\342\200\246" },
		{ "e\314\201f", 2, "e\314\201f" },
		{ "abe\314\201", 3, "abe\314\201" },
		{ "a\tb", 3, "a\tb" },
		{ "\345\233\236\345\244\215\345\233\236", 4,
		  "\345\233\236\342\200\246" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = render_text_fit(cases[i].text, cases[i].width);

		assert_string_equal(got, cases[i].want);
		assert_true(render_text_width(got) <= cases[i].width);
	}
}

static void times_are_utc(void **state)
{
	static const struct {
		int64_t seconds;
		const char *want;
	} cases[] = {
		{ 1691716281, "2023-08-11T01:11:21Z" },
		{ 951782400, "2000-02-29T00:00:00Z" },
		{ 0, "1970-01-01T00:00:00Z" },
		{ -1, "1969-12-31T23:59:59Z" },
		{ -62135596800, "0001-01-01T00:00:00Z" },
		{ 253402300799, "9999-12-31T23:59:59Z" },
		/* no form */
		{ -62135596801, "1970-01-01T00:00:00Z" },
		{ 253402300800, "1970-01-01T00:00:00Z" },
		{ INT64_MAX, "1970-01-01T00:00:00Z" },
		{ INT64_MIN, "1970-01-01T00:00:00Z" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = render_time_utc(cases[i].seconds);

		assert_string_equal(got, cases[i].want);
	}
}

static void json_is_one_line_of_ascii(void **state)
{
	static const struct {
		const char *json, *want; /* NULL: the same */
	} cases[] = {
		{ "{}", NULL },
		{ "[]", NULL },
		{ "{\"b\":1,\"a\":[true,false,null,-7],\"c\":{\"d\":\"e\"}}", NULL },
		{ "{\"a b\":\"\",\"\\\"\":\"\\\"\\\\\\b\\f\\n\\r\\t/\"}", NULL },
		{ "[\"\\u0000\\u0001\\u001F x\"]", NULL },
		{ "[\"a\177b\"]", "[\"a\\u007fb\"]" },
		{ "[\"\303\244\342\202\254\360\237\230\200z\"]",
		  "[\"\\u00E4\\u20AC\\uD83D\\uDE00z\"]" },
		{ "[ 1.0, 0.1, 1e300, -2.5e-7, 12345678901234567 ]",
		  "[1.0,0.1,1e300,-2.5e-7,12345678901234567]" },
		{ "\"text\"", NULL },
		{ "3", NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		json_t *value = json_loads(cases[i].json,
					   JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
		assert_non_null(value);
		g_autofree char *got = render_json_text(value);

		assert_string_equal(got, cases[i].want ? cases[i].want : cases[i].json);
		json_decref(value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(controls_never_reach_a_terminal),
		cmocka_unit_test(invisible_characters_are_shown),
		cmocka_unit_test(marks_are_few_and_stand_on_a_letter),
		cmocka_unit_test(white_space_becomes_a_blank),
		cmocka_unit_test(width_counts_cells),
		cmocka_unit_test(marks_without_end_are_cut),
		cmocka_unit_test(text_is_cut_to_fit),
		cmocka_unit_test(times_are_utc),
		cmocka_unit_test(json_is_one_line_of_ascii),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
