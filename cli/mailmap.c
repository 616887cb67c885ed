/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/mailmap.h"

#include <string.h>

/* What stands in the next <>, lower case; *at moves behind it.  NULL: there is none. */
static char *next_address(const char **at)
{
	const char *start = strchr(*at, '<');
	const char *end = start ? strchr(start, '>') : NULL;

	if (!end)
		return NULL;

	g_autofree char *text = g_strndup(start + 1, (gsize)(end - start - 1));

	*at = end + 1;
	return g_ascii_strdown(g_strstrip(text), -1);
}

GHashTable *mailmap_read(const char *text)
{
	GHashTable *map =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		const char *at = *line;

		(*line)[strcspn(*line, "#")] = '\0';

		g_autofree char *proper = next_address(&at);
		g_autofree char *other = proper ? next_address(&at) : NULL;

		/* With one address the line is about a name. */
		if (other && *other && *proper && strcmp(other, proper))
			g_hash_table_insert(map, g_steal_pointer(&other),
					    g_steal_pointer(&proper));
	}
	return map;
}
