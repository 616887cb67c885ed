/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as Ruby's sprintf prints them, which is what readers of the robot's tables
 * see.
 *
 * Ruby converts with D. M. Gay's quick floating-point path and, where that cannot tell
 * on which side of one half the remainder lies (a few ulp), takes a tie and rounds the
 * decimal digit to even.  C rounds the exact binary value.  So 3.235 is "3.24" there
 * and "3.23" in C; means of samples with two decimals meet such ties in one row of ten.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/compare.h"

#define QUICK_MAX  14 /* digits up to which the quick path is used */
#define WHOLE_MAX  1e15
#define DIGITS_MAX 20
#define FIXED_MAX  400 /* bytes that any double needs in fixed notation, and some */

typedef struct decimal {
	char digits[DIGITS_MAX + 1]; /* without point: d.ddd times 10^exponent */
	int n;
	int exponent;
	bool keep_zeros;
} decimal;

/* The exponent of ten, or one more: a tangent to the logarithm, which lies above it. */
static int estimate(double x)
{
	int e;
	double mantissa = frexp(x, &e) * 2;
	double k = (mantissa - 1.5) * 0.289529654602168 + 0.1760912590558 +
		   (e - 1) * 0.301029995663981;

	return (int)floor(k);
}

/*
 * |x| brought to [1, 10) with the exponent *k, in the same steps as the quick path
 * takes; *steps counts those that may be inexact.
 */
static double scale(double x, int *k, int *steps)
{
	static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
				       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
				       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	static const double big[] = { 1e16, 1e32, 1e64, 1e128, 1e256 };
	unsigned power;
	double factor;

	*k = estimate(x);
	if (*k >= 0 && *k < (int)G_N_ELEMENTS(tens) && x < tens[*k])
		--*k;
	power = (unsigned)abs(*k);
	factor = tens[power & 15];
	*steps = 2;
	if (*k < 0)
		x *= factor;
	for (unsigned i = 0, bits = power >> 4; bits; bits >>= 1, i++) {
		if (!(bits & 1))
			continue;
		++*steps;
		if (*k < 0)
			x *= big[i];
		else if (i == 4) /* the product of factors could overflow */
			x /= big[i];
		else
			factor *= big[i];
	}
	x = *k < 0 ? x : x / factor;
	if (x < 1) {
		--*k;
		++*steps;
		x *= 10;
	}
	return x;
}

static void round_up(decimal *d)
{
	int i = d->n;

	while (i > 0 && d->digits[i - 1] == '9')
		d->digits[--i] = '0';
	if (i > 0) {
		d->digits[i - 1]++;
		return;
	}
	d->digits[0] = '1'; /* 9.99 became 10.0: the zeros behind are right already */
	d->exponent++;
}

/* Peels the wanted digits off x > 0; false where the quick path is not used. */
static bool quick_digits(double x, char conversion, int precision, decimal *d)
{
	int steps, k, n;
	double rest = scale(x, &k, &steps);
	double margin;

	n = conversion == 'g' ? MAX(precision, 1) : precision + 1 + k;
	if (n < 1 || n > QUICK_MAX)
		return false;
	margin = (steps * rest + 7) * DBL_EPSILON;
	for (int i = 1; i < n; i++)
		margin *= 10;
	memset(d->digits, '0', DIGITS_MAX);
	d->n = n;
	d->exponent = k;
	d->keep_zeros = false;
	for (int i = 0;; i++, rest *= 10) {
		int digit = (int)rest;

		rest -= digit;
		d->digits[i] = (char)('0' + digit);
		if (rest == 0)
			return true;
		if (i + 1 < n)
			continue;
		if (rest > 0.5 + margin || (rest >= 0.5 - margin && digit % 2 == 1))
			round_up(d);
		else if (rest >= 0.5 - margin)
			d->keep_zeros = x < WHOLE_MAX && x == floor(x);
		return true;
	}
}

/* sign and digits in fixed notation */
static size_t put_fixed(char *out, size_t size, const char *sign, const decimal *d,
			int precision)
{
	char text[FIXED_MAX];
	size_t length = 0;

	for (int place = MAX(d->exponent, 0); place >= -precision; place--) {
		int i = d->exponent - place;

		if (place == -1)
			text[length++] = '.';
		text[length++] = i >= 0 && i < d->n ? d->digits[i] : '0';
	}
	text[length] = '\0';
	return (size_t)snprintf(out, size, "%s%s", sign, text);
}

static size_t put_general(char *out, size_t size, const char *sign, const decimal *d,
			  int precision)
{
	int n = d->n;

	while (!d->keep_zeros && n > 1 && d->digits[n - 1] == '0')
		n--;
	if (d->exponent >= -4 && d->exponent < precision)
		return put_fixed(out, size, sign, d, MAX(n - 1 - d->exponent, 0));
	return (size_t)snprintf(out, size, "%s%c%s%.*se%c%02d", sign, d->digits[0],
				n > 1 ? "." : "", n - 1, d->digits + 1,
				d->exponent < 0 ? '-' : '+', abs(d->exponent));
}

static size_t put_plain(char *buffer, size_t size, double value, char conversion,
			int precision, bool plus)
{
	const char *format = conversion == 'g' ? (plus ? "%+.*g" : "%.*g") :
						 (plus ? "%+.*f" : "%.*f");

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return (size_t)snprintf(buffer, size, format, precision, value);
#pragma GCC diagnostic pop
}

size_t render_number(char *buffer, size_t size, double value, char conversion,
		     int precision, bool plus)
{
	const char *sign = signbit(value) ? "-" : plus ? "+" : "";
	double x = fabs(value);
	decimal d;
	size_t length;

	if (isnan(value))
		length = (size_t)snprintf(buffer, size, "%sNaN", plus ? "+" : "");
	else if (isinf(value))
		length = (size_t)snprintf(buffer, size, "%sInf", sign);
	else if (x == 0 || x < pow(10, -precision) || precision > QUICK_MAX)
		length = put_plain(buffer, size, value, conversion, precision, plus);
	else if (!quick_digits(x, conversion, precision, &d))
		length = put_plain(buffer, size, value, conversion, precision, plus);
	else if (conversion == 'g')
		length = put_general(buffer, size, sign, &d, MAX(precision, 1));
	else
		length = put_fixed(buffer, size, sign, &d, precision);
	return length < size ? length : size ? size - 1 : 0;
}
