/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The title of a commit or a mail without what tools and people put before it. */
#include "parser/log.h"

#include <string.h>

/* Where the tag at the front ends, or 0. */
static size_t tag_length(const char *s, size_t n)
{
	static const char *const tags[] = {
		"re:",       "fwd:",     "fw:",       "aw:",       "upstream:",
		"backport:", "fromgit:", "fromlist:", "chromium:", "android:"
	};

	if (n && *s == '[') {
		const char *close = memchr(s, ']', n);

		/* "[PATCH v2 1/3]", "[RFC]"; not all there is. */
		return close && close + 1 < s + n ? (size_t)(close + 1 - s) : 0;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(tags); i++) {
		size_t length = strlen(tags[i]);

		if (n > length && g_ascii_tolower(*s) == tags[i][0] &&
		    g_ascii_strncasecmp(s, tags[i], length) == 0)
			return length;
	}
	return 0;
}

char *parser_title(const char *text, size_t length)
{
	const char *s = text, *end = text + length;
	GString *out = g_string_sized_new(length + 1);

	for (;;) {
		while (s < end && g_ascii_isspace(*s))
			s++;

		size_t tag = tag_length(s, (size_t)(end - s));

		if (!tag)
			break;
		s += tag;
	}
	for (bool blank = false; s < end; s++) {
		bool space = g_ascii_isspace(*s) || !*s;

		if (!space && blank && out->len)
			g_string_append_c(out, ' ');
		if (!space)
			g_string_append_c(out, *s);
		blank = space;
	}
	return g_string_free(out, FALSE);
}
