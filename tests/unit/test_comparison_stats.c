/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics against R 4.2 (t.test, wilcox.test, fisher.test, pt, qt); the intervals of
 * ratios against Fieller's quadratic equation solved in R.  Numbers are quoted as R
 * prints them with options(digits = 15).
 */
#include <math.h>
#include <stdlib.h>

#include "render/samples.h"
#include "tests/unit/test.h"

#define CLOSE 1e-9 /* relative */

static void close_to(double has, double wanted)
{
	if (!(fabs(has - wanted) <= CLOSE * fabs(wanted)))
		fail_msg("%.15g, wanted %.15g", has, wanted);
}

static int by_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Sorts the values and computes mean and variance. */
static side make(double *values, uint32_t n)
{
	side s = { .n = n, .values = values };

	qsort(values, n, sizeof(*values), by_double);
	for (uint32_t i = 0; i < n; i++)
		s.mean += values[i] / n;
	for (uint32_t i = 0; i < n; i++)
		s.variance += (values[i] - s.mean) * (values[i] - s.mean) / (n - 1);
	return s;
}

static void student_s_tail_is_r_s_pt(void **state)
{
	static const double cases[][3] = {
		{ 0.5, 3.7, 0.645335633319932045 }, { 1, 3.7, 0.378141399760452523 },
		{ 2, 3.7, 0.121817201905233957 },   { 3.5, 3.7, 0.028250986894188358 },
		{ 10, 3.7, 0.000823966841824643 },  { 40, 10, 2.28085774308575e-12 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		close_to(student_tail(cases[i][0], cases[i][1]), cases[i][2]);
		close_to(student_tail(-cases[i][0], cases[i][1]), cases[i][2]);
	}
}

static void student_s_quantile_is_r_s_qt(void **state)
{
	static const double cases[][2] = {
		{ 1, 12.70620473617469 },    { 2, 4.30265272974946 },
		{ 3.7, 2.86752070719119 },   { 5, 2.57058183563631 },
		{ 10, 2.22813885198627 },    { 30, 2.04227245630124 },
		{ 100.5, 1.98385065533580 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		close_to(student_quantile(0.05, cases[i][0]), cases[i][1]);
}

static double ops_base[] = { 252929, 255485, 253656, 252559, 250037, 251438 };
static double ops_head[] = { 232779, 231368, 232722, 231428, 233757, 231673 };
static double mild_base[] = { 10.1, 9.8, 10.4, 10.0, 9.7 };
static double mild_head[] = { 10.3, 10.6, 9.9, 10.9, 10.2, 10.5, 10.7 };

static void welch_s_test_is_r_s_t_test(void **state)
{
	side a = make(ops_base, 6), b = make(ops_head, 6);
	side c = make(mild_base, 5), d = make(mild_head, 7);

	(void)state;
	close_to(test_welch(&a, &b), 2.66224433716532e-08);
	close_to(test_welch(&c, &d), 0.0314960192379712);
}

static void the_rank_test_is_exact_like_r_s_wilcox_test(void **state)
{
	double x[] = { 1.1, 2.3, 3.7, 4.2, 5.9, 6.1, 7.7, 8.8, 9.4, 10.2, 11.5, 12.6 };
	double y[G_N_ELEMENTS(x)];
	side a = make(ops_base, 6), b = make(ops_head, 6);
	side c = make(mild_base, 5), d = make(mild_head, 7);
	side e, f;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(x); i++)
		y[i] = x[i] + 2.05;
	e = make(x, G_N_ELEMENTS(x));
	f = make(y, G_N_ELEMENTS(y));
	close_to(test_mann_whitney(&a, &b), 0.00216450216450216);
	close_to(test_mann_whitney(&c, &d), 0.047979797979798);
	close_to(test_mann_whitney(&e, &f), 0.218920801906399);
}

static void the_rank_test_with_ties_is_r_s_normal_approximation(void **state)
{
	double x[] = { 1, 2, 2, 3, 4, 4, 5 }, y[] = { 2, 4, 5, 5, 6, 7, 7, 8 };
	side a = make(x, G_N_ELEMENTS(x)), b = make(y, G_N_ELEMENTS(y));

	(void)state;
	close_to(test_mann_whitney(&a, &b), 0.0224100406228251);
}

static void many_samples_take_the_normal_approximation_too(void **state)
{
	double x[60], y[60];
	side a, b;

	(void)state;
	for (int i = 0; i < 60; i++) {
		x[i] = (i + 1) * 37 % 61 + 0.01 * (i + 1);
		y[i] = x[i] + 9.005;
	}
	a = make(x, 60);
	b = make(y, 60);
	close_to(test_mann_whitney(&a, &b), 0.00660418804591782);
}

static void fisher_s_test_is_r_s(void **state)
{
	(void)state;
	close_to(test_fisher(2, 6, 0, 6), 0.454545454545455);
	close_to(test_fisher(9, 10, 2, 10), 0.00547749464158133);
	close_to(test_fisher(35, 200, 3, 200), 1.68562355680026e-08);
}

static void the_interval_of_a_change_is_fieller_s(void **state)
{
	side a = make(ops_base, 6), b = make(ops_head, 6);
	side c = make(mild_base, 5), d = make(mild_head, 7);
	double low, high;

	(void)state;
	interval_welch(&a, &b, &low, &high);
	close_to(low, -8.80842344126260);
	close_to(high, -7.32606265245906);
	interval_welch(&c, &d, &low, &high);
	close_to(low, 0.473799605267278);
	close_to(high, 8.540181527806091);
}

/* t.test and Fieller's interval ask the same question, so they must agree. */
static void the_interval_excludes_zero_exactly_when_p_is_below_five_percent(
	void **state)
{
	double x[] = { 100, 103, 98, 101, 99, 102 };

	(void)state;
	for (int shift = -60; shift <= 60; shift++) {
		double y[G_N_ELEMENTS(x)], low, high;
		side a, b;

		for (size_t i = 0; i < G_N_ELEMENTS(x); i++)
			y[i] = 2 * x[i] - 100 + shift * 0.13;
		a = make(x, G_N_ELEMENTS(x));
		b = make(y, G_N_ELEMENTS(y));
		interval_welch(&a, &b, &low, &high);
		assert_int_equal(low > 0 || high < 0, test_welch(&a, &b) < 0.05);
	}
}

/* The change of a negative value is relative to its size: it rises when it rises. */
static void the_interval_of_a_negative_value_has_the_sign_of_its_change(void **state)
{
	double x[] = { -50, -51, -49 }, y[] = { -40, -41, -39 };
	side a = make(x, 3), b = make(y, 3);
	double low, high;

	(void)state;
	interval_welch(&a, &b, &low, &high);
	assert_true(low > 0 && low < 20 && high > 20);
}

/* R: 100 * wilcox.test(head, base, conf.int = TRUE)$conf.int / median(base) */
static void the_rank_interval_is_r_s_hodges_lehmann_interval(void **state)
{
	side c = make(mild_base, 5), d = make(mild_head, 7);
	double low, high;

	(void)state;
	interval_rank(&c, &d, &low, &high);
	close_to(low, 1.0);
	close_to(high, 9.0);
}

static void too_few_samples_have_no_interval(void **state)
{
	double x[] = { 1 }, y[] = { 2, 3 };
	side a = { .n = 1, .mean = 1, .values = x }, b = make(y, 2);
	double low, high;

	(void)state;
	interval_welch(&a, &b, &low, &high);
	assert_true(isnan(low) && isnan(high));
	assert_true(isnan(test_welch(&a, &b)));
	interval_rank(&a, &b, &low, &high);
	assert_true(isnan(low) && isnan(high));
}

static void the_least_p_value_of_ranks_is_known(void **state)
{
	(void)state;
	close_to(test_mann_whitney_least(3, 3), 0.1);
	close_to(test_mann_whitney_least(4, 4), 2.0 / 70);
}

static void two_clusters_are_seen_and_one_is_not(void **state)
{
	const double two[] = { 10, 10.1, 10.2, 20, 20.1, 20.2 };
	const double one[] = { 9.7, 9.9, 10, 10.1, 10.3, 10.4 };
	const double outlier[] = { 10, 10.1, 10.2, 10.3, 10.4, 20 };

	(void)state;
	assert_true(samples_bimodal(two, 6));
	assert_false(samples_bimodal(one, 6));
	assert_false(samples_bimodal(outlier, 6));
	assert_false(samples_bimodal(two, 5));
}

static samples floats(const double *values, uint32_t n)
{
	static uint8_t kinds[16];

	for (uint32_t i = 0; i < n; i++)
		kinds[i] = PARSER_SAMPLE_FLOAT;
	return (samples){ values, kinds, n };
}

static void means_are_compensated(void **state)
{
	const double values[] = { 1e16, 1, 1, 1, -1e16, 1 };
	const double tenths[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };

	(void)state;
	assert_true(samples_mean(floats(values, 6)) == 4.0 / 6);
	assert_true(samples_mean(floats(tenths, 10)) == 0.1);
}

static void deviations_are_of_the_population(void **state)
{
	const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	(void)state;
	close_to(samples_stddev(floats(values, 8), 5), 2);
	assert_true(samples_stddev(floats(values, 1), 2) == -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_s_tail_is_r_s_pt),
		cmocka_unit_test(student_s_quantile_is_r_s_qt),
		cmocka_unit_test(welch_s_test_is_r_s_t_test),
		cmocka_unit_test(the_rank_test_is_exact_like_r_s_wilcox_test),
		cmocka_unit_test(the_rank_test_with_ties_is_r_s_normal_approximation),
		cmocka_unit_test(many_samples_take_the_normal_approximation_too),
		cmocka_unit_test(fisher_s_test_is_r_s),
		cmocka_unit_test(the_interval_of_a_change_is_fieller_s),
		cmocka_unit_test(
			the_interval_excludes_zero_exactly_when_p_is_below_five_percent),
		cmocka_unit_test(
			the_interval_of_a_negative_value_has_the_sign_of_its_change),
		cmocka_unit_test(the_rank_interval_is_r_s_hodges_lehmann_interval),
		cmocka_unit_test(too_few_samples_have_no_interval),
		cmocka_unit_test(the_least_p_value_of_ranks_is_known),
		cmocka_unit_test(two_clusters_are_seen_and_one_is_not),
		cmocka_unit_test(means_are_compensated),
		cmocka_unit_test(deviations_are_of_the_population),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
