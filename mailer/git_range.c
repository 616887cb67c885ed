/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The git program: which commits a range has. */
#include <string.h>

#include "mailer/mailer.h"

#define RANGE_SECONDS 120

GPtrArray *mailer_git_range(const char *dir, const char *range, GError **error)
{
	/* The range comes from a user and may start with -. */
	const char *const argv[] = { "git", "-C", dir, "rev-list", "--end-of-options",
				     range, "--", NULL };
	g_autoptr(GBytes) out = mailer_run(argv, RANGE_SECONDS, error);
	GPtrArray *ids;
	gsize length;
	const char *text, *end;

	if (!out) {
		g_prefix_error(error, "%s: %s: ", dir, range);
		return NULL;
	}
	ids = g_ptr_array_new_with_free_func(g_free);
	text = g_bytes_get_data(out, &length);
	for (end = text + length; text < end;) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t n = newline ? (size_t)(newline - text) : (size_t)(end - text);

		if (n)
			g_ptr_array_add(ids, g_strndup(text, n));
		text += n + 1;
	}
	return ids;
}
