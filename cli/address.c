/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/address.h"

#include <string.h>

#include "cli/cli.h"
#include "render/render.h"

static parser_address *parse_one(const char *part)
{
	g_autofree char *text = g_strstrip(g_strdup(part));
	char *open = strrchr(text, '<');
	size_t n = strlen(text);

	if (!open)
		return render_address_is_valid(text) ? parser_address_new(NULL, text) :
						       NULL;
	if (text[n - 1] != '>')
		return NULL;
	text[n - 1] = '\0';
	*open = '\0';

	g_autofree char *name = render_display_name(text, strlen(text));

	return render_address_is_valid(open + 1) ?
		       parser_address_new(*name ? name : NULL, open + 1) :
		       NULL;
}

/* The end of the part that starts at p: a comma outside quotes, or the end. */
static const char *part_end(const char *p)
{
	bool quoted = false;

	for (; *p && (quoted || *p != ','); p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (*p == '\\' && p[1])
			p++;
	}
	return p;
}

GPtrArray *cli_address_list(const char *text, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);

	while (*text) {
		const char *end = part_end(text);
		g_autofree char *part =
			g_strstrip(g_strndup(text, (gsize)(end - text)));

		text = *end ? end + 1 : end;
		if (part[0] == '\0')
			continue;

		parser_address *address = parse_one(part);

		if (!address) {
			g_set_error(
				error, CLI_ERROR, CLI_ERROR_USAGE,
				"not an address (user@host, or Name <user@host>): %s",
				part);
			return NULL;
		}
		g_ptr_array_add(all, address);
	}
	return g_steal_pointer(&all);
}
