/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <jansson.h>
#include <string.h>

#include "render/text.h"

#define DEL '\x7f'

char *render_json_text(const json_t *value)
{
	g_autofree char *plain =
		json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY |
					  JSON_REAL_PRECISION(15));

	if (!strchr(plain, DEL))
		return g_strdup(plain);

	GString *safe = g_string_new(NULL);

	for (const char *p = plain; *p; p++)
		if (*p == DEL)
			g_string_append(safe, "\\u007f");
		else
			g_string_append_c(safe, *p);
	return g_string_free(safe, FALSE);
}
