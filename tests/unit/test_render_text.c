/* SPDX-License-Identifier: GPL-2.0-or-later */
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
	g_autofree char *time = render_time_utc(1691716281);
	g_autofree char *absurd = render_time_utc(INT64_MAX);

	(void)state;
	assert_string_equal(time, "2023-08-11T01:11:21Z");
	assert_non_null(absurd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(controls_never_reach_a_terminal),
		cmocka_unit_test(width_counts_cells),
		cmocka_unit_test(marks_without_end_are_cut),
		cmocka_unit_test(text_is_cut_to_fit),
		cmocka_unit_test(times_are_utc),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
