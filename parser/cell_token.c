/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One word of a table's row: which kind it is, and its number. */
#include <string.h>

#include "parser/cells.h"
#include "parser/robot_lines.h"

#define NUMBER_MAX 48 /* characters; longer is no number of a table */

/* The plus-minus sign in every form that lists, archives and 7-bit clients made of it.
 */
static const char *const signs[] = { "\xc2\xb1", /* as it should be */
				     "\xc4\x85", /* byte 0xB1 taken for ISO-8859-2 */
				     "\xc3\x82\xc2\xb1", /* UTF-8 decoded twice */
				     "\xef\xbf\xbd",     /* given up by a decoder */
				     "A+-",
				     "+/-",
				     "+-",
				     "~",
				     "?",
				     NULL };

bool cell_is_metric(const char *s, size_t len)
{
	if (len < 3 || !(g_ascii_isalpha(*s) || *s == '_'))
		return false;

	const char *dot = memchr(s, '.', len);
	return dot && dot + 1 < s + len && !memchr(s, '"', len) && s[len - 1] != ',';
}

/* Length of the number at s ("[+-]digits[.digits][e[+-]digits]"), 0 if there is none.
 */
static size_t number_length(const char *s, size_t len)
{
	size_t i = 0, digits = 0;

	if (i < len && (s[i] == '+' || s[i] == '-'))
		i++;
	for (; i < len && g_ascii_isdigit(s[i]); i++)
		digits++;
	if (i < len && s[i] == '.')
		for (i++; i < len && g_ascii_isdigit(s[i]); i++)
			digits++;
	if (!digits)
		return 0;
	if (i + 1 < len && (s[i] == 'e' || s[i] == 'E')) {
		size_t j = i + 1;

		if (s[j] == '+' || s[j] == '-')
			j++;
		if (j < len && g_ascii_isdigit(s[j])) {
			while (j < len && g_ascii_isdigit(s[j]))
				j++;
			i = j;
		}
	}
	return i <= NUMBER_MAX ? i : 0;
}

/*
 * The number at s where whole digits and a power of ten are both exact, so that one
 * multiplication rounds right: nearly all that a table holds, and strtod is slow.
 */
static bool simple_value(const char *s, size_t len, double *value)
{
	static const double tens[] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
				       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	bool minus = *s == '-', point = false;
	uint64_t digits = 0;
	size_t fraction = 0, n = 0;

	for (size_t i = *s == '-' || *s == '+'; i < len; i++) {
		if (s[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (!g_ascii_isdigit(s[i]) || ++n > 15)
			return false;
		digits = digits * 10 + (uint64_t)(s[i] - '0');
		fraction += point;
	}
	*value = (double)digits / tens[fraction];
	if (minus)
		*value = -*value;
	return true;
}

static double number_value(const char *s, size_t len)
{
	char buffer[NUMBER_MAX + 1];
	double value;

	if (simple_value(s, len, &value))
		return value;

	memcpy(buffer, s, len);
	buffer[len] = '\0';
	return g_ascii_strtod(buffer, NULL);
}

/* "1:4", ":4", "12:"; the left number may be missing. */
static bool read_runs(cell_token *token)
{
	const char *colon = memchr(token->s, ':', token->len);
	size_t left, right;

	if (!colon)
		return false;
	left = (size_t)(colon - token->s);
	right = token->len - left - 1;
	if (left + right == 0 || left > 12 || right > 12)
		return false;
	for (size_t i = 0; i < token->len; i++)
		if (i != left && !g_ascii_isdigit(token->s[i]))
			return false;
	token->value = left ? number_value(token->s, left) : 0;
	token->has_runs = right > 0;
	token->runs = right ? number_value(colon + 1, right) : 0;
	token->kind = CELL_RUNS;
	return true;
}

static size_t sign_length(const char *s, size_t len)
{
	if (len == 0 || (g_ascii_isalnum(*s) && *s != 'A'))
		return 0;
	for (const char *const *sign = signs; *sign; sign++) {
		size_t n = strlen(*sign);

		if (n <= len && memcmp(s, *sign, n) == 0)
			return n;
	}
	return 0;
}

/* A sign alone or with the number that follows it. */
static bool read_stddev(cell_token *token)
{
	size_t n = sign_length(token->s, token->len);
	const char *rest = token->s + n;
	size_t left = token->len - n;

	if (n == 0)
		return false;
	if (left == 0) {
		token->kind = CELL_SIGN;
		return true;
	}

	size_t digits = number_length(rest, left);
	if (digits == 0 || digits + 1 != left || rest[digits] != '%')
		return false;
	token->value = number_value(rest, digits);
	token->kind = CELL_STDDEV;
	return true;
}

cell_token cell_token_of(const char *s, size_t len)
{
	static const char *const notes[] = { "+Inf%", "-Inf%", "Inf%", "NaN%",
					     "-NaN%", "+Inf",  "-Inf", "new",
					     "gone",  "n/a",   "nan%", NULL };
	cell_token token = { .kind = CELL_WORD, .s = s, .len = len };
	size_t digits = number_length(s, len);

	if (digits > 0 && (digits == len || (digits + 1 == len && s[digits] == '%'))) {
		token.kind = digits == len ? CELL_NUMBER : CELL_PERCENT;
		token.value = number_value(s, digits);
		token.is_signed = *s == '+' || *s == '-';
		return token;
	}
	if (read_runs(&token) || read_stddev(&token))
		return token;
	if (parser_word_is(s, len, notes))
		token.kind = CELL_NOTE;
	else if (len == 1 && *s == '-')
		token.kind = CELL_ABSENT;
	return token;
}

size_t cell_glued_percent(const char *s, size_t len)
{
	size_t n;

	if (!memchr(s, '%', len))
		return 0;
	n = sign_length(s, len);
	n += number_length(s + n, len - n);
	if (n == 0 || n + 1 >= len || s[n] != '%' || !g_ascii_isalpha(s[n + 1]))
		return 0;
	return n + 1;
}
