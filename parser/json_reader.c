/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "parser/error.h"
#include "parser/json_reader.h"

#define NUMBER_MAX   1100u /* bytes of a number; the longest exact double has 1079 */
#define MANTISSA_MAX ((uint64_t)1 << 53)
#define EXACT_POWER                                                                    \
	22 /* 10^22 is the last power of ten that a double holds exactly               \
	    */

void json_reader_init(json_reader *r, const char *origin, const char *name,
		      const char *bytes, size_t length, GError **error)
{
	*r = (json_reader){ .start = bytes,
			    .p = bytes,
			    .end = bytes + length,
			    .origin = origin,
			    .name = name,
			    .error = error };
	r->text = g_string_new(NULL);
	if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		r->p += 3;
}

void json_reader_clear(json_reader *r)
{
	if (r->text)
		g_string_free(r->text, TRUE);
	r->text = NULL;
}

bool json_reader_fail(json_reader *r, const char *what)
{
	size_t line = 1;
	const char *line_start = r->start;

	for (const char *p = r->start; p < r->p; p++)
		if (*p == '\n') {
			line++;
			line_start = p + 1;
		}
	g_set_error(r->error, PARSER_ERROR, PARSER_ERROR_SYNTAX, "%s/%s:%zu:%zu: %s",
		    r->origin, r->name, line, (size_t)(r->p - line_start) + 1, what);
	return false;
}

char json_reader_peek(json_reader *r)
{
	while (r->p < r->end &&
	       (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t'))
		r->p++;
	return r->p < r->end ? *r->p : '\0';
}

bool json_reader_expect(json_reader *r, char c)
{
	char what[] = "expected '?'";

	if (json_reader_peek(r) == c && r->p < r->end) {
		r->p++;
		return true;
	}
	what[10] = c;
	return json_reader_fail(r, r->p == r->end ? "unexpected end of file" : what);
}

bool json_reader_at_end(json_reader *r)
{
	json_reader_peek(r);
	return r->p == r->end || json_reader_fail(r, "text after the end of the value");
}

/* Four hex digits of a \u escape; -1 if they are none. */
static int hex4(const json_reader *r, const char *p)
{
	int value = 0;

	if (r->end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = g_ascii_xdigit_value(p[i]);

		if (digit < 0)
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

/* p stands behind "\u"; appends the character.  A surrogate without its mate: U+FFFD.
 */
static bool unicode_escape(json_reader *r)
{
	int unit = hex4(r, r->p);
	gunichar c;

	if (unit < 0)
		return json_reader_fail(r, "bad \\u escape");
	r->p += 4;
	c = (gunichar)unit;
	if (unit >= 0xd800 && unit < 0xdc00 && r->end - r->p >= 6 && r->p[0] == '\\' &&
	    r->p[1] == 'u') {
		int low = hex4(r, r->p + 2);

		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000u + (((gunichar)unit - 0xd800u) << 10) +
			    ((gunichar)low - 0xdc00u);
			r->p += 6;
		}
	}
	if (c >= 0xd800 && c < 0xe000)
		c = 0xfffd;
	if (c == 0)
		g_string_append_c(r->text, '\0');
	else
		g_string_append_unichar(r->text, c);
	return true;
}

static bool escape(json_reader *r)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at;

	if (r->p == r->end)
		return json_reader_fail(r, "unterminated string");
	if (*r->p == 'u') {
		r->p++;
		return unicode_escape(r);
	}
	at = *r->p ? strchr(from, *r->p) : NULL;
	if (!at)
		return json_reader_fail(r, "unknown escape");
	g_string_append_c(r->text, to[at - from]);
	r->p++;
	return true;
}

bool json_reader_string(json_reader *r)
{
	if (!json_reader_expect(r, '"'))
		return false;
	g_string_truncate(r->text, 0);
	for (;;) {
		const char *run = r->p;

		while (r->p < r->end && *r->p != '"' && *r->p != '\\')
			r->p++;
		g_string_append_len(r->text, run, r->p - run);
		if (r->p == r->end)
			return json_reader_fail(r, "unterminated string");
		if (*r->p++ == '"')
			return true;
		if (!escape(r))
			return false;
	}
}

static json_token word(json_reader *r, const char *text, json_token token)
{
	size_t n = strlen(text);

	if ((size_t)(r->end - r->p) < n || memcmp(r->p, text, n) != 0) {
		json_reader_fail(r, "not a value");
		return JSON_TOKEN_ERROR;
	}
	r->p += n;
	return token;
}

/* The slow and exact way, for numbers that the short way cannot do. */
static double long_number(const char *start, size_t length)
{
	char buffer[NUMBER_MAX + 1];

	memcpy(buffer, start, length);
	buffer[length] = '\0';
	return g_ascii_strtod(buffer, NULL);
}

/*
 * Mantissa and power of ten that doubles hold exactly give, by one multiplication or
 * division, the nearest double: Clinger, "How to read floating point numbers
 * accurately" (1990).
 */
static double make_number(uint64_t mantissa, int power, bool negative,
			  const char *start, size_t length)
{
	static const double powers[EXACT_POWER + 1] = {
		1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
	};
	double value = (double)mantissa;

	if (mantissa > MANTISSA_MAX || power > EXACT_POWER || power < -EXACT_POWER)
		return long_number(start, length);
	value = power < 0 ? value / powers[-power] : value * powers[power];
	return negative ? -value : value;
}

/* Consumes digits into *mantissa (19 of them fit); returns how many there were. */
static int digits(json_reader *r, uint64_t *mantissa, int *kept)
{
	const char *start = r->p;

	while (r->p < r->end && *r->p >= '0' && *r->p <= '9') {
		if (*kept < 19) {
			*mantissa = *mantissa * 10 + (uint64_t)(*r->p - '0');
			*kept += *mantissa != 0;
		} else {
			*kept = 20; /* over the limit: take the long way */
		}
		r->p++;
	}
	return (int)MIN(r->p - start, (ptrdiff_t)NUMBER_MAX + 1);
}

/* Consumes "e-12"; false if no digit follows. */
static bool exponent(json_reader *r, int *power)
{
	bool negative;
	int value = 0;
	const char *start;

	r->p++;
	negative = r->p < r->end && *r->p == '-';
	if (r->p < r->end && (*r->p == '-' || *r->p == '+'))
		r->p++;
	start = r->p;
	for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
		if (value < 100000)
			value = value * 10 + (*r->p - '0');
	*power += negative ? -value : value;
	return r->p > start;
}

static json_token number(json_reader *r, double *value)
{
	const char *start = r->p;
	bool negative = *r->p == '-';
	uint64_t mantissa = 0;
	int kept = 0, power = 0;
	json_token token = JSON_TOKEN_INTEGER;
	bool good;

	r->p += negative;
	if (negative && r->p < r->end && *r->p == 'I') {
		*value = -INFINITY;
		return word(r, "Infinity", JSON_TOKEN_FLOAT);
	}
	good = digits(r, &mantissa, &kept) > 0;
	if (good && r->p < r->end && *r->p == '.') {
		int n;

		token = JSON_TOKEN_FLOAT;
		r->p++;
		n = digits(r, &mantissa, &kept);
		power = -n;
		good = n > 0;
	}
	if (good && r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
		token = JSON_TOKEN_FLOAT;
		good = exponent(r, &power);
	}
	if (!good || r->p - start > (ptrdiff_t)NUMBER_MAX) {
		json_reader_fail(r, good ? "number too long" : "not a number");
		return JSON_TOKEN_ERROR;
	}
	if (kept > 19)
		mantissa = UINT64_MAX;
	*value = make_number(mantissa, power, negative, start, (size_t)(r->p - start));
	return token;
}

json_token json_reader_scalar(json_reader *r, double *value)
{
	char c = json_reader_peek(r);

	switch (c) {
	case '"':
		return json_reader_string(r) ? JSON_TOKEN_STRING : JSON_TOKEN_ERROR;
	case '{':
	case '[':
		return JSON_TOKEN_OTHER;
	case 'n':
		return word(r, "null", JSON_TOKEN_NULL);
	case 't':
		return word(r, "true", JSON_TOKEN_BOOL);
	case 'f':
		return word(r, "false", JSON_TOKEN_BOOL);
	case 'N':
		*value = NAN;
		return word(r, "NaN", JSON_TOKEN_FLOAT);
	case 'I':
		*value = INFINITY;
		return word(r, "Infinity", JSON_TOKEN_FLOAT);
	default:
		if (c == '-' || (c >= '0' && c <= '9'))
			return number(r, value);
		json_reader_fail(r, r->p == r->end ? "unexpected end of file" :
						     "not a value");
		return JSON_TOKEN_ERROR;
	}
}
