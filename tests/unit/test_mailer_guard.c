/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "mailer/guard.h"
#include "tests/unit/test.h"

static bool feed(guard *g, const char *text)
{
	g_autoptr(GError) error = NULL;
	bool good = guard_feed(g, text, strlen(text), &error);

	assert_true(good == !error);
	return good;
}

/* Whatever the borders of the reads, the verdict is the same. */
static bool feed_by_bytes(guard *g, const char *text)
{
	for (; *text; text++)
		if (!guard_feed(g, text, 1, NULL))
			return false;
	return true;
}

static void a_line_may_be_as_long_as_the_cap_and_no_longer(void **state)
{
	(void)state;
	guard fits = { .caps = { .line = 5 } }, too_long = fits, parts = fits;

	assert_true(feed(&fits, "12345\n12345\n"));
	assert_false(feed(&too_long, "12345\n123456"));
	assert_true(feed(&parts, "123"));
	assert_false(feed(&parts, "456"));
}

static void a_literal_may_be_as_large_as_the_cap_and_no_larger(void **state)
{
	static const struct {
		const char *text;
		bool good;
	} cases[] = {
		{ "* 1 FETCH (BODY[] {100}\r\n", true },
		{ "* 1 FETCH (BODY[] {100+}\r\n", true },
		{ "* 1 FETCH (BODY[] {101}\r\n", false },
		{ "* 1 FETCH (BODY[] {101+}\r\n", false },
		{ "* 1 FETCH (BODY[] {4294967295}\r\n", false },
		{ "* {18446744073709551621}\r\n", false },
		{ "* {99999999999999999999999999999999999999}\r\n", false },
		{ "{101}\n", false },
		{ "* OK braces {101} in the middle\r\n", true },
		{ "* OK {x}\r\n", true },
		{ "* OK 101}\r\n", true },
		{ "{}\r\n", true },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		guard whole = { .caps = { .literal = 100 } }, parts = whole;

		assert_true(feed(&whole, cases[i].text) == cases[i].good);
		assert_true(feed_by_bytes(&parts, cases[i].text) == cases[i].good);
	}
}

static void a_literal_is_not_searched_for_lines_and_parentheses(void **state)
{
	static const char text[] = "a {12}\r\n((((((((((((b\r\nc\r\n";

	(void)state;
	guard whole = { .caps = { .line = 8, .literal = 50, .depth = 2 } },
	      parts = whole, small = whole;

	assert_true(feed(&whole, text));
	assert_true(feed_by_bytes(&parts, text));
	small.caps.literal = 11;
	assert_false(feed(&small, text));
}

static void nesting_is_capped_across_reads(void **state)
{
	(void)state;
	guard flat = { .caps = { .depth = 3 } }, deep = flat;

	assert_true(feed(&flat, "((()))((()))\n((("));
	assert_true(feed(&deep, "(("));
	assert_false(feed(&deep, "(("));
}

static void without_caps_anything_passes(void **state)
{
	g_autofree char *much = g_strnfill(100000, '(');
	guard g = { 0 };

	(void)state;
	assert_true(feed(&g, much));
	assert_true(feed(&g, "{99999999999}\r\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_may_be_as_long_as_the_cap_and_no_longer),
		cmocka_unit_test(a_literal_may_be_as_large_as_the_cap_and_no_larger),
		cmocka_unit_test(a_literal_is_not_searched_for_lines_and_parentheses),
		cmocka_unit_test(nesting_is_capped_across_reads),
		cmocka_unit_test(without_caps_anything_passes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
