/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diffs in format=flowed (RFC 3676): a blank was put before each line that begins with
 * one, and long lines were broken behind a blank.  The hunks' own counts tell whether
 * undoing it gives a diff again.
 */
#include <string.h>

#include "parser/offers.h"

/* Takes one blank off every line that begins with one; with `join`, joins what flows.
 */
static GString *unstuff(const char *p, const char *end, bool join, bool delsp)
{
	GString *out = g_string_sized_new((gsize)(end - p));
	const char *line;
	size_t n;

	while (offer_line(&p, end, &line, &n)) {
		bool flows = join && n > 1 && line[n - 1] == ' ' &&
			     !(n == 3 && memcmp(line, "-- ", 3) == 0);

		if (n && *line == ' ') {
			line++;
			n--;
		}
		g_string_append_len(out, line,
				    (gssize)(flows && delsp && n ? n - 1 : n));
		if (!flows)
			g_string_append_c(out, '\n');
	}
	return out;
}

static char *try(GString *text, unsigned line, char **problem)
{
	g_free(*problem);
	*problem = parser_diff_check(text, line);
	if (!*problem)
		return g_string_free(text, FALSE);
	g_string_free(text, TRUE);
	return NULL;
}

/* With a line end behind its last line. */
static GString *plain(const char *start, const char *end)
{
	GString *text = g_string_new_len(start, end - start);

	if (text->len && text->str[text->len - 1] != '\n')
		g_string_append_c(text, '\n');
	return text;
}

char *offer_mend(const char *start, const char *end, bool flowed, bool delsp,
		 unsigned line, char **problem)
{
	char *good = NULL;

	*problem = NULL;
	if (flowed) {
		good = try(unstuff(start, end, false, delsp), line, problem);
		if (!good)
			good = try(unstuff(start, end, true, delsp), line, problem);
	}
	/* Some say flowed, and send lines as they are. */
	if (!good)
		good = try(plain(start, end), line, problem);
	if (!good) {
		if (flowed) {
			char *words =
				g_strdup_printf("format=flowed broke it: %s", *problem);

			g_free(*problem);
			*problem = words;
		}
		good = g_strndup(start, (gsize)(end - start));
	}
	return good;
}
