/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expected texts are those of Ruby's format(). */
#include <math.h>
#include <string.h>

#include "render/compare.h"
#include "tests/unit/test.h"

static void numbers_round_as_ruby_does(void **state)
{
	static const struct {
		double value;
		char conversion;
		int precision;
		bool plus;
		const char *text;
	} cases[] = {
		/* ties that are none in binary */
		{ 3.235, 'f', 2, false, "3.24" },
		{ 8.345, 'f', 2, false, "8.34" },
		{ 2.675, 'f', 2, false, "2.68" },
		{ -0.15, 'f', 1, false, "-0.2" },
		{ 0.5, 'f', 0, false, "0" },
		{ 1.5, 'f', 0, false, "2" },
		{ 12.5, 'f', 0, false, "12" },
		/* carries */
		{ 9.999, 'f', 2, false, "10.00" },
		{ 99.96, 'f', 1, true, "+100.0" },
		{ 999.9999, 'f', 2, false, "1000.00" },
		/* below the last digit */
		{ 0.004, 'f', 2, false, "0.00" },
		{ 0.006, 'f', 2, false, "0.01" },
		{ -0.001, 'f', 2, false, "-0.00" },
		{ 0, 'f', 2, false, "0.00" },
		{ 0, 'f', 1, true, "+0.0" },
		/* general notation */
		{ 7889000000.0, 'g', 4, false, "7.889e+09" },
		{ 2441e10, 'g', 4, false, "2.441e+13" },
		{ 200000000.0, 'g', 4, false, "2e+08" },
		{ 2160500000.0, 'g', 4, false, "2.160e+09" },
		{ 3e6, 'g', 2, true, "+3e+06" },
		{ 5.2e104, 'g', 2, true, "+5.2e+104" },
		{ 1e105, 'g', 2, true, "+1e+105" },
		{ 123456, 'g', 6, false, "123456" },
		{ 0.00012345, 'g', 4, false, "0.0001234" },
		/* far ends */
		{ 1e308, 'g', 4, false, "1e+308" },
		{ 1e22, 'f', 0, false, "10000000000000000000000" },
		{ INFINITY, 'f', 1, true, "+Inf" },
		{ -INFINITY, 'f', 1, false, "-Inf" },
		{ NAN, 'f', 2, false, "NaN" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char text[400];
		size_t n = render_number(text, sizeof(text), cases[i].value,
					 cases[i].conversion, cases[i].precision,
					 cases[i].plus);

		assert_string_equal(text, cases[i].text);
		assert_int_equal(n, strlen(text));
	}
}

/* Away from ties, C and Ruby agree; a few thousand values of all sizes. */
static void numbers_that_are_no_ties_are_printed_as_c_does(void **state)
{
	double value = 1.2345678912345e-7;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		char ours[400], theirs[400];

		value *= 1.0123456789;
		render_number(ours, sizeof(ours), value, 'f', 2, false);
		g_snprintf(theirs, sizeof(theirs), "%.2f", value);
		assert_string_equal(ours, theirs);
		render_number(ours, sizeof(ours), -value, 'g', 4, false);
		g_snprintf(theirs, sizeof(theirs), "%.4g", -value);
		assert_string_equal(ours, theirs);
	}
}

static void a_short_buffer_is_not_overrun(void **state)
{
	char text[4] = "zzz";

	(void)state;
	assert_int_equal(render_number(text, sizeof(text), 12345.678, 'f', 2, false),
			 3);
	assert_string_equal(text, "123");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_round_as_ruby_does),
		cmocka_unit_test(numbers_that_are_no_ties_are_printed_as_c_does),
		cmocka_unit_test(a_short_buffer_is_not_overrun),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
