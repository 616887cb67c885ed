/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/imap_text.h"

#include <string.h>

#include "mailer/imap.h"
#include "mailer/text.h"

bool imap_starts(const char *text, const char *words)
{
	return g_ascii_strncasecmp(text, words, strlen(words)) == 0;
}

bool imap_literal_at_end(const char *line, uint64_t *size)
{
	const char *open = strrchr(line, '{');
	const char *end = open ? text_number(open + 1, size) : NULL;

	/* More digits than a number has: larger than anything. */
	if (open && !end && g_ascii_isdigit(open[1]) &&
	    strspn(open + 1, "0123456789") + 2 == strlen(open) &&
	    g_str_has_suffix(open, "}")) {
		*size = G_MAXUINT64;
		return true;
	}
	if (end && *end == '+')
		end++;
	return end && end[0] == '}' && end[1] == '\0';
}

char *imap_quote(const char *text)
{
	g_autoptr(GString) quoted = g_string_new("\"");

	for (const char *p = text; *p; p++) {
		if (*p == '\r' || *p == '\n')
			return NULL;
		if (*p == '"' || *p == '\\')
			g_string_append_c(quoted, '\\');
		g_string_append_c(quoted, *p);
	}
	g_string_append_c(quoted, '"');
	return g_string_free(g_steal_pointer(&quoted), FALSE);
}

/* Characters beyond ASCII: UTF-16 in a base64 of their own. */
static void append_shifted(GString *out, const char *from, const char *to)
{
	gsize n = 0;
	g_autofree char *wide =
		g_convert(from, to - from, "UTF-16BE", "UTF-8", NULL, &n, NULL);
	g_autofree char *base64 =
		g_base64_encode((const guchar *)(wide ? wide : ""), n);

	for (char *p = base64; *p; p++)
		if (*p == '/')
			*p = ',';
	base64[strcspn(base64, "=")] = '\0';
	g_string_append_printf(out, "&%s-", base64);
}

char *imap_utf7(const char *name)
{
	g_autoptr(GString) out = g_string_new(NULL);

	if (!g_utf8_validate(name, -1, NULL))
		return NULL;
	for (const char *p = name; *p;) {
		const char *start = p;

		while (*p && (*p & 0x80))
			p++;
		if (p > start) {
			append_shifted(out, start, p);
			continue;
		}
		g_string_append_c(out, *p);
		if (*p++ == '&')
			g_string_append_c(out, '-');
	}
	return g_string_free(g_steal_pointer(&out), FALSE);
}

char *imap_quote_mailbox(const char *name)
{
	g_autofree char *utf7 = imap_utf7(name);

	return utf7 ? imap_quote(utf7) : NULL;
}
