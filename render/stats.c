/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a change real, and how large may it be?  docs/statistics.md has the formulas with
 * their sources; tests/unit/test_comparison_stats.c compares with R.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/samples.h"

#define BETA_STEPS  300
#define EXACT_MAX   50u    /* samples a side up to which ranks are counted exactly */
#define SHIFTS_MAX  250000 /* pairs of samples for the Hodges-Lehmann interval */
#define ALPHA       0.05
#define CLUSTER_MIN 2u
#define BIMODAL_MIN 6u
#define GAP_MIN     2.0 /* widths of the wider cluster */

/* ---- Student's t ------------------------------------------------------------------
 */

/* Lentz's continued fraction for the incomplete beta function. */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1);
	double h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m <= BETA_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd =
			-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON)
			break;
	}
	return h;
}

/* lgamma() writes the global signgam; ours are positive, and this one does not. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta_regular(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double student_tail(double t, double freedom)
{
	if (isnan(t) || !(freedom > 0))
		return NAN;
	if (isinf(t))
		return 0;
	return beta_regular(freedom / (freedom + t * t), freedom / 2, 0.5);
}

double student_quantile(double tail, double freedom)
{
	double low = 0, high = 1;

	if (!(freedom > 0) || !(tail > 0 && tail < 1))
		return NAN;
	while (student_tail(high, freedom) > tail && high < 1e12)
		high *= 2;
	for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
		double middle = (low + high) / 2;

		if (student_tail(middle, freedom) > tail)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* ---- Welch ------------------------------------------------------------------------
 */

/* Squared standard error of a side's mean. */
static double error_squared(const side *s)
{
	return s->variance / s->n;
}

/* Degrees of freedom after Welch and Satterthwaite. */
static double welch_freedom(const side *base, const side *head)
{
	double a = error_squared(base), b = error_squared(head);

	return (a + b) * (a + b) / (a * a / (base->n - 1) + b * b / (head->n - 1));
}

static bool has_spread(const side *base, const side *head)
{
	return base->n >= 2 && head->n >= 2 && base->variance + head->variance > 0;
}

double test_welch(const side *base, const side *head)
{
	double error;

	if (!has_spread(base, head))
		return NAN;
	error = sqrt(error_squared(base) + error_squared(head));
	return student_tail((head->mean - base->mean) / error,
			    welch_freedom(base, head));
}

void interval_welch(const side *base, const side *head, double *low, double *high)
{
	double t, g, ratio, half, scale = fabs(base->mean);

	*low = *high = NAN;
	if (!has_spread(base, head) || scale == 0)
		return;
	t = student_quantile(ALPHA, welch_freedom(base, head));
	ratio = head->mean / base->mean;
	g = t * t * error_squared(base) / (scale * scale);
	if (g < 1) {
		half = t / scale *
		       sqrt((1 - g) * error_squared(head) +
			    ratio * ratio * error_squared(base));
		*low = (ratio - half) / (1 - g);
		*high = (ratio + half) / (1 - g);
		/* A fall of a negative value has a ratio above 1. */
		if (base->mean < 0) {
			double swap = 2 - *low;

			*low = 2 - *high;
			*high = swap;
		}
		*low = 100 * (*low - 1);
		*high = 100 * (*high - 1);
		return;
	}
	/* base itself may be zero: no ratio, so the difference in units of base's mean
	 */
	half = t * sqrt(error_squared(base) + error_squared(head));
	*low = 100 * (head->mean - base->mean - half) / scale;
	*high = 100 * (head->mean - base->mean + half) / scale;
}

/* ---- ranks ------------------------------------------------------------------------
 */

/* U of head: pairs in which head is larger, ties counting one half; *ties: sum t^3 - t.
 */
static double rank_statistic(const side *base, const side *head, double *ties)
{
	uint32_t i = 0, j = 0;
	double u = 0;

	*ties = 0;
	while (j < head->n || i < base->n) {
		double value = j == head->n ? base->values[i] :
			       i == base->n ? head->values[j] :
					      MIN(base->values[i], head->values[j]);
		uint32_t below = i, in_base = 0, in_head = 0;
		double t;

		while (i < base->n && base->values[i] == value)
			i++, in_base++;
		while (j < head->n && head->values[j] == value)
			j++, in_head++;
		t = in_base + in_head;
		u += in_head * (below + 0.5 * in_base);
		*ties += t * t * t - t;
	}
	return u;
}

/*
 * How many of the ways to deal m + n ranks give U = 0, 1, ... m * n: the recurrence of
 * Mann and Whitney (1947) as a product of polynomials.  Counts as doubles.
 */
static double *rank_counts(uint32_t m, uint32_t n)
{
	size_t top = (size_t)m * n;
	double *counts = g_new0(double, top + 1);

	counts[0] = 1;
	for (uint32_t i = 1; i <= m; i++) {
		for (size_t u = top; u >= n + i && u <= top; u--)
			counts[u] -= counts[u - (n + i)];
		for (size_t u = i; u <= top; u++)
			counts[u] += counts[u - i];
	}
	return counts;
}

/* P(U <= u), without ties. */
static double rank_exact(uint32_t m, uint32_t n, double u)
{
	g_autofree double *counts = rank_counts(m, n);
	double below = 0, all = 0;

	for (size_t k = 0; k <= (size_t)m * n; k++) {
		all += counts[k];
		if (k <= u)
			below += counts[k];
	}
	return below / all;
}

static double rank_normal(double u, uint32_t m, uint32_t n, double ties)
{
	double all = (double)m + n;
	double sigma = sqrt((double)m * n / 12 * (all + 1 - ties / (all * (all - 1))));
	double z = u - (double)m * n / 2;

	if (sigma == 0)
		return 1;
	z = (fabs(z) < 0.5 ? 0 : fabs(z) - 0.5) / sigma; /* correction for continuity */
	return erfc(z / sqrt(2));
}

double test_mann_whitney(const side *base, const side *head)
{
	double ties, u, other;

	if (!base->values || !head->values || !base->n || !head->n)
		return NAN;
	u = rank_statistic(base, head, &ties);
	other = (double)base->n * head->n - u;
	if (ties > 0 || base->n >= EXACT_MAX || head->n >= EXACT_MAX)
		return MIN(1, rank_normal(u, base->n, head->n, ties));
	return MIN(1, 2 * rank_exact(base->n, head->n, MIN(u, other)));
}

double test_mann_whitney_least(uint32_t n_base, uint32_t n_head)
{
	double log_ways = log_gamma(n_base + n_head + 1.0) - log_gamma(n_base + 1.0) -
			  log_gamma(n_head + 1.0);

	return MIN(1, 2 * exp(-log_ways));
}

/* The largest rank k with P(U < k) <= alpha / 2; the k-th shifts from both ends bound.
 */
static size_t shift_rank(uint32_t m, uint32_t n)
{
	g_autofree double *counts = NULL;
	double all = 0, below = 0;
	size_t k = 0;

	if (m >= EXACT_MAX || n >= EXACT_MAX) {
		double middle = (double)m * n / 2;
		double half =
			1.959963984540054 * sqrt((double)m * n * (m + n + 1.0) / 12);

		return middle > half ? (size_t)(middle - half) : 0;
	}
	counts = rank_counts(m, n);
	for (size_t u = 0; u <= (size_t)m * n; u++)
		all += counts[u];
	while (k <= (size_t)m * n && (below + counts[k]) / all <= ALPHA / 2)
		below += counts[k++];
	return k;
}

static double median_of(const side *s)
{
	return s->n % 2 ? s->values[s->n / 2] :
			  (s->values[s->n / 2 - 1] + s->values[s->n / 2]) / 2;
}

void interval_rank(const side *base, const side *head, double *low, double *high)
{
	size_t pairs = (size_t)base->n * head->n, k;
	double scale = base->values && base->n ? fabs(median_of(base)) : 0;
	g_autofree double *shifts = NULL;

	*low = *high = NAN;
	if (scale == 0 || !head->values || !pairs || pairs > SHIFTS_MAX)
		return;
	k = shift_rank(base->n, head->n);
	if (k == 0)
		return;
	shifts = g_new(double, pairs);
	for (uint32_t i = 0; i < base->n; i++)
		for (uint32_t j = 0; j < head->n; j++)
			shifts[(size_t)i * head->n + j] =
				head->values[j] - base->values[i];
	samples_sort(shifts, pairs);
	*low = 100 * shifts[k - 1] / scale;
	*high = 100 * shifts[pairs - k] / scale;
}

/* ---- counts -----------------------------------------------------------------------
 */

static double log_choose(double n, double k)
{
	return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

double test_fisher(double fails_base, double runs_base, double fails_head,
		   double runs_head)
{
	double fails = fails_base + fails_head, runs = runs_base + runs_head;
	double first = MAX(0, fails - runs_base), last = MIN(fails, runs_head);
	double all = log_choose(runs, fails), seen, p = 0;

	if (fails_base > runs_base || fails_head > runs_head || runs_base < 1 ||
	    runs_head < 1 || runs > 1e6)
		return NAN;
	seen = log_choose(runs_head, fails_head) + log_choose(runs_base, fails_base) -
	       all;
	for (double k = first; k <= last; k++) {
		double log_p = log_choose(runs_head, k) +
			       log_choose(runs_base, fails - k) - all;

		if (log_p <= seen + 1e-7)
			p += exp(log_p);
	}
	return MIN(1, p);
}

/* ---- shape ------------------------------------------------------------------------
 */

/*
 * Two clusters of two or more with nothing between them for twice the width of the
 * wider one.  Deliberately strict: a handful of samples of one normal distribution
 * looks like that in about one case of a hundred.
 */
bool samples_bimodal(const double *sorted, uint32_t n)
{
	for (uint32_t i = CLUSTER_MIN; n >= BIMODAL_MIN && i + CLUSTER_MIN <= n; i++) {
		double gap = sorted[i] - sorted[i - 1];
		double left = sorted[i - 1] - sorted[0];
		double right = sorted[n - 1] - sorted[i];

		if (gap > GAP_MIN * MAX(left, right) && gap > 0)
			return true;
	}
	return false;
}
