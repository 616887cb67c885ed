/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A diff by itself: is it whole, and where does it end? */
#include <string.h>

#include "parser/diff.h"
#include "parser/patch.h"

#define SCISSORS_MIN 5 /* bytes of such a line */
#define SCISSORS_MAX 100

typedef struct reader {
	const char *p, *end;
	unsigned line;
} reader;

/* The line at the reader, without moving it; false at the end. */
static bool peek(const reader *r, const char **line, size_t *length)
{
	const char *nl;

	if (r->p >= r->end)
		return false;
	nl = memchr(r->p, '\n', (size_t)(r->end - r->p));
	*line = r->p;
	*length = (size_t)((nl ? nl : r->end) - r->p);
	return true;
}

static void step(reader *r, size_t length)
{
	r->p = MIN(r->p + length + 1, r->end);
	r->line++;
}

static bool begins(const char *line, size_t length, const char *prefix)
{
	size_t n = strlen(prefix);

	return length >= n && memcmp(line, prefix, n) == 0;
}

static bool read_number(const char **p, const char *end, unsigned *n)
{
	const char *start = *p;

	for (*n = 0; *p < end && g_ascii_isdigit(**p) && *p - start < 9; ++*p)
		*n = *n * 10 + (unsigned)(**p - '0');
	return *p > start;
}

/* One side of "@@ -a,b +c,d @@". */
static bool read_side(const char **p, const char *end, char sign, unsigned *count)
{
	unsigned start;

	*count = 1;
	if (*p >= end || **p != sign)
		return false;
	++*p;
	if (!read_number(p, end, &start))
		return false;
	if (*p < end && **p == ',') {
		++*p;
		if (!read_number(p, end, count))
			return false;
	}
	while (*p < end && **p == ' ')
		++*p;
	return true;
}

bool diff_hunk_counts(const char *line, size_t length, unsigned *old, unsigned *new)
{
	const char *p = line + 3, *end = line + length;

	return begins(line, length, "@@ ") && read_side(&p, end, '-', old) &&
	       read_side(&p, end, '+', new) && end - p >= 2 && memcmp(p, "@@", 2) == 0;
}

bool diff_is_head(const char *line, size_t length)
{
	static const char *const starts[] = {
		"diff ",       "index ",         "Index: ",       "=====",
		"--- ",        "+++ ",           "new file ",     "deleted file ",
		"old mode ",   "new mode ",      "rename ",       "copy ",
		"similarity ", "dissimilarity ", "Binary files ", "Only in "
	};

	for (size_t i = 0; i < G_N_ELEMENTS(starts); i++)
		if (begins(line, length, starts[i]))
			return true;
	return false;
}

bool diff_is_scissors(const char *line, size_t length)
{
	unsigned dashes = 0;
	bool mark = false;

	if (length < SCISSORS_MIN || length > SCISSORS_MAX ||
	    (!memchr(line, '8', length) && !memchr(line, '%', length)))
		return false;
	for (const char *p = line, *end = line + length; p < end; p++) {
		bool cut = p + 1 < end &&
			   (memcmp(p, "8<", 2) == 0 || memcmp(p, ">8", 2) == 0 ||
			    memcmp(p, "%<", 2) == 0 || memcmp(p, ">%", 2) == 0);

		mark = mark || cut;
		dashes += *p == '-' || *p == '=';
		if (!cut && !strchr(" -=_<>8%", *p) && !g_ascii_isalpha(*p))
			return false;
	}
	return mark && dashes >= 2;
}

bool diff_is_mbox_line(const char *line, size_t length)
{
	static const char date[] = " Mon Sep 17 00:00:00 2001";

	return length > 60 && begins(line, length, "From ") &&
	       memmem(line, length, date, sizeof(date) - 1);
}

static char *trouble(const reader *r, const char *what)
{
	return g_strdup_printf("line %u: %s", r->line, what);
}

/* Reads a hunk whose "@@" line is at the reader. */
static char *read_hunk(reader *r)
{
	const char *line;
	unsigned old, new;
	size_t n;

	peek(r, &line, &n);
	if (!diff_hunk_counts(line, n, &old, &new))
		return trouble(r, "a hunk without its line numbers");
	step(r, n);
	while (old || new) {
		if (!peek(r, &line, &n))
			return trouble(r, "the diff is cut short");
		/* A blank at the end of a line gets lost in mail; git knows. */
		char c = n ? *line : ' ';

		if (c == '\\') {
			step(r, n);
			continue;
		}
		if (c != ' ' && c != '+' && c != '-')
			return trouble(
				r, c == '\t' ?
					   "a line of the diff lost its blank" :
					   "a line of the diff was wrapped or changed");
		if ((c != '+' && !old) || (c != '-' && !new))
			return trouble(r, "a hunk has other lines than it says");
		old -= c != '+';
		new -= c != '-';
		step(r, n);
	}
	if (peek(r, &line, &n) && begins(line, n, "\\ No newline"))
		step(r, n);
	return NULL;
}

/* Base85 up to the blank line behind it. */
static void skip_binary(reader *r)
{
	const char *line;
	size_t n;

	for (int blanks = 0; blanks < 2 && peek(r, &line, &n); step(r, n)) {
		if (n && (diff_is_head(line, n) || begins(line, n, "-- ")))
			return;
		blanks += !n;
	}
}

char *parser_diff_check(GString *diff, unsigned first)
{
	reader r = { diff->str, diff->str + diff->len, first };
	const char *line, *last = diff->str;
	unsigned hunks = 0;
	char *wrong = NULL;
	size_t n;

	while (!wrong && peek(&r, &line, &n)) {
		/* "-- " and a version of git look like "--- " only to the hasty. */
		bool hunk = begins(line, n, "@@ ");

		if (hunk) {
			wrong = read_hunk(&r);
			hunks++;
		} else if (begins(line, n, "GIT binary patch")) {
			skip_binary(&r);
			hunks++;
		} else if (diff_is_head(line, n)) {
			hunks += begins(line, n, "rename to ") ||
				 begins(line, n, "new mode ") ||
				 begins(line, n, "new file mode ");
			step(&r, n);
		} else if (!n && r.p + 1 < r.end) {
			step(&r, n); /* between the diffs of two files */
			continue;
		} else {
			break;
		}
		last = r.p;
	}
	g_string_truncate(diff, (gsize)(last - diff->str));
	if (!wrong && !hunks)
		wrong = g_strdup_printf("line %u: a diff without any change", first);
	return wrong;
}
