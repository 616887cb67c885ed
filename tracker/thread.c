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

bool link_is_own_id(tracker *t, const char *message_id, const char *regression)
{
	static const char *const kinds[] = { "report", "followup", "retest", "retract",
					     "remind" };

	if (!parser_message_id_is_robot(message_id))
		return false;
	for (guint i = 0; t->own && i < t->own->len; i++) {
		const char *address = t->own->pdata[i];
		const char *at = strchr(address, '@');
		g_autofree char *local =
			at ? g_strndup(address, (gsize)(at - address)) : NULL;

		for (size_t k = 0; at && k < G_N_ELEMENTS(kinds); k++)
			if (parser_own_message_id_matches(message_id, regression,
							  kinds[k], local, at + 1))
				return true;
	}
	return false;
}
