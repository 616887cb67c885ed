/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ids and subjects tell by their shape. */
#include <string.h>

#include "tracker/link.h"

#define COMMIT_DIGITS 10

/* "[tree:branch] [subsys] 4c40d6efc8: unixbench.score ...": ten digits and a colon. */
char *link_subject_commit(const char *subject)
{
	for (const char *s = subject; s && *s;) {
		size_t digits = strspn(s, "0123456789abcdef");
		bool starts = s == subject || g_ascii_isspace(s[-1]);

		if (digits == COMMIT_DIGITS && starts && s[digits] == ':')
			return g_strndup(s, digits);
		s += digits ? digits : 1;
	}
	return NULL;
}
