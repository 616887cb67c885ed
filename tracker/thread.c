/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ids and subjects tell by their shape. */
#include <string.h>

#include "tracker/link.h"

#define COMMIT_DIGITS 10

static bool is_digit(char c)
{
	return g_ascii_isdigit(c) || (c >= 'a' && c <= 'f');
}

/* "[tree:branch] [subsys] 4c40d6efc8: unixbench.score ...": ten digits and a colon. */
char *link_subject_commit(const char *subject)
{
	for (const char *s = subject; s && (s = strchr(s, ':')); s++) {
		const char *p = s;

		while (p > subject && s - p <= COMMIT_DIGITS && is_digit(p[-1]))
			p--;
		if (s - p == COMMIT_DIGITS && (p == subject || g_ascii_isspace(p[-1])))
			return g_strndup(p, COMMIT_DIGITS);
	}
	return NULL;
}
