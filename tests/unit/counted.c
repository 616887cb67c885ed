/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/counted.h"

#include <stdbool.h>
#include <string.h>

#include "tests/unit/test.h"

#define SLACK 1.2 /* over exactly twice */

static uint64_t operations;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	operations++;
}

/* ---- functions that walk
 * ------------------------------------------------------------- */

size_t __real_strlen(const char *s);

/* How far a search went that began at `from` and found `to`; all of it if NULL. */
static uint64_t walked(const char *from, const char *to, size_t all)
{
	return to ? (uint64_t)(to - from) + 1 : all + 1;
}

static uint64_t walked_string(const char *from, const char *to)
{
	return (to ? (uint64_t)(to - from) : __real_strlen(from)) + 1;
}

#define WRAP(type, name, parameters, arguments, cost)                                  \
	type __real_##name parameters;                                                 \
	type __wrap_##name parameters;                                                 \
	type __wrap_##name parameters                                                  \
	{                                                                              \
		type result = __real_##name arguments;                                 \
                                                                                       \
		operations += cost;                                                    \
		return result;                                                         \
	}

WRAP(void *, memchr, (const void *s, int c, size_t n), (s, c, n), walked(s, result, n))
WRAP(void *, memrchr, (const void *s, int c, size_t n), (s, c, n),
     result ? (uint64_t)((const char *)s + n - (char *)result) : n + 1)
WRAP(void *, memmem, (const void *s, size_t n, const void *w, size_t m), (s, n, w, m),
     walked(s, result, n))
WRAP(size_t, strlen, (const char *s), (s), result + 1)
WRAP(char *, strchr, (const char *s, int c), (s, c), walked_string(s, result))
WRAP(char *, strrchr, (const char *s, int c), (s, c), __real_strlen(s) + 1)
WRAP(char *, strstr, (const char *s, const char *w), (s, w), walked_string(s, result))
WRAP(char *, strcasestr, (const char *s, const char *w), (s, w),
     walked_string(s, result))
WRAP(size_t, strspn, (const char *s, const char *set), (s, set), result + 1)
WRAP(size_t, strcspn, (const char *s, const char *set), (s, set), result + 1)
WRAP(char *, strpbrk, (const char *s, const char *set), (s, set),
     walked_string(s, result))
WRAP(void *, memcpy, (void *to, const void *s, size_t n), (to, s, n), n)
WRAP(void *, memmove, (void *to, const void *s, size_t n), (to, s, n), n)
WRAP(char *, g_strdup, (const char *s), (s), result ? __real_strlen(result) + 1 : 1)
WRAP(char *, g_strndup, (const char *s, gsize n), (s, n),
     result ? __real_strlen(result) + 1 : 1)
WRAP(gboolean, g_utf8_validate, (const char *s, gssize n, const char **end),
     (s, n, end),
     end ? (uint64_t)(*end - s) + 1 :
	   (uint64_t)(n < 0 ? __real_strlen(s) : (size_t)n) + 1)
WRAP(GString *, g_string_append_len, (GString * s, const char *p, gssize n), (s, p, n),
     (uint64_t)(n < 0 ? 1 : n) + 1)
WRAP(GString *, g_string_prepend, (GString * s, const char *p), (s, p), result->len + 1)
WRAP(GString *, g_string_erase, (GString * s, gssize at, gssize n), (s, at, n),
     result->len + 1)
WRAP(GString *, g_string_append, (GString * s, const char *p), (s, p),
     __real_strlen(p) + 1)
WRAP(char *, g_strstr_len, (const char *s, gssize n, const char *w), (s, n, w),
     walked(s, result, n < 0 ? __real_strlen(s) : (size_t)n))
WRAP(char *, g_ascii_strdown, (const char *s, gssize n), (s, n),
     __real_strlen(result) + 1)
WRAP(char **, g_strsplit, (const char *s, const char *by, gint max), (s, by, max),
     __real_strlen(s) + 1)
WRAP(gpointer, g_ptr_array_remove_index, (GPtrArray * a, guint i), (a, i),
     a->len - i + 1)
WRAP(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n),
     result ? 1 : MIN(n, __real_strlen(a)) + 1)
WRAP(int, strcmp, (const char *a, const char *b), (a, b),
     result ? 1 : __real_strlen(a) + 1)

/* ---- twice the input ---------------------------------------------------------- */

uint64_t counted_work(const hostile *h, unsigned n, counted_run run)
{
	GString *bytes = g_string_new(h->head);

	for (unsigned i = 0; i < n; i++)
		g_string_append(bytes, h->pattern);
	g_string_append(bytes, h->tail);
	operations = 0;
	run(bytes->str, bytes->len);
	uint64_t done = operations;

	g_string_free(bytes, TRUE);
	return done;
}

static bool is_linear(const hostile *h, unsigned small, counted_run run)
{
	uint64_t one = counted_work(h, small, run),
		 two = counted_work(h, 2 * small, run),
		 four = counted_work(h, 4 * small, run);
	size_t bytes = strlen(h->head) + small * strlen(h->pattern) + strlen(h->tail);
	double first = (double)two - (double)one, second = (double)four - (double)two;
	bool grows = second > 2 * SLACK * first + 10000 && second > 10000;
	bool heavy = (double)one > COUNTED_PER_BYTE * (double)(bytes + 100);

	if (grows || heavy)
		print_error("%.60s...%.60s: %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
			    ", %" G_GUINT64_FORMAT " operations for %zu bytes\n",
			    h->head, h->pattern, one, two, four, bytes);
	return !grows && !heavy;
}

void counted_check(const hostile *cases, size_t n, unsigned small, counted_run run)
{
	bool good = true;

	for (size_t i = 0; i < n; i++)
		good = is_linear(&cases[i], small, run) && good;
	assert_true(good);
}
