/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define ELLIPSIS    "\xe2\x80\xa6" /* U+2026 */
#define CELL_BYTES  16             /* of a cell, with the marks on it */

/* Characters that turn the direction of text: what is read is not what stands there. */
static bool is_bidirectional(gunichar c)
{
	return c == 0x061c || c == 0x200e || c == 0x200f ||
	       (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool render_is_safe(gunichar c, bool lines)
{
	if (c == '\t' || c == '\n')
		return lines;
	if (c == 0x2028 || c == 0x2029)
		return false;
	return !(c < 0x20 || (c >= 0x7f && c < 0xa0) || is_bidirectional(c));
}

char *render_safe_text(const char *text, bool lines)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *out = g_string_sized_new(strlen(valid));

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (render_is_safe(c, lines))
			g_string_append_unichar(out, c);
		else
			g_string_append(out, REPLACEMENT);
	}
	return g_string_free(out, FALSE);
}

char *render_safe_line(const char *text)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (const char *p = text; *p; p++) {
		bool blank = g_ascii_isspace(*p);

		if (!blank)
			g_string_append_c(out, *p);
		else if (out->len && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	return render_safe_text(out->str, false);
}

char *render_link(const char *pattern, const char *id)
{
	const char *at = pattern ? strstr(pattern, "%s") : NULL;

	if (!pattern || !id)
		return g_strdup("");
	if (!at)
		return g_strdup(pattern);

	g_autofree char *safe = g_uri_escape_string(id, "!$&'()*+,;=:@", FALSE);

	return g_strdup_printf("%.*s%s%s", (int)(at - pattern), pattern, safe, at + 2);
}

static size_t char_width(gunichar c)
{
	if (c >= 0x20 && c < 0x7f)
		return 1;
	if (g_unichar_iszerowidth(c))
		return 0;
	return g_unichar_iswide(c) ? 2 : 1;
}

size_t render_text_width(const char *text)
{
	size_t width = 0;

	for (const char *p = text; *p; p = g_utf8_next_char(p))
		width += char_width(g_utf8_get_char(p));
	return width;
}

char *render_text_fit(const char *text, size_t width)
{
	size_t used = 0;
	const char *keep = text; /* as much as fits with the dots behind it */

	if (width == 0)
		return g_strdup("");
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		used += char_width(g_utf8_get_char(p));
		if (used > width || (size_t)(p - text) >= width * CELL_BYTES)
			return g_strdup_printf("%.*s" ELLIPSIS, (int)(keep - text),
					       text);
		if (used < width)
			keep = g_utf8_next_char(p);
	}
	return g_strdup(text);
}

static bool is_link(const char *word)
{
	return g_str_has_prefix(word, "http://") || g_str_has_prefix(word, "https://");
}

/* Bytes of a word that fit into so many cells, one character at least. */
static size_t bytes_that_fit(const char *word, size_t cells)
{
	size_t used = 0;
	const char *p = word;

	while (*p) {
		used += char_width(g_utf8_get_char(p));
		if (used > cells && p > word)
			break;
		p = g_utf8_next_char(p);
	}
	return (size_t)(p - word);
}

/* One line of the text that is too wide, word by word. */
static void wrap_line(GString *out, const char *line, size_t width)
{
	size_t blanks = strspn(line, " ");
	size_t indent = MIN(blanks, width / 2) + 2;
	g_auto(GStrv) words = g_strsplit(line + blanks, " ", -1);
	size_t used = MIN(blanks, width / 2);
	bool first = true;

	g_string_append_printf(out, "%*s", (int)used, "");
	for (char **word = words; *word; word++) {
		const char *rest = *word;
		size_t cells = render_text_width(rest);

		if (!first && used + 1 + cells > width) {
			g_string_append_printf(out, "\n%*s", (int)indent, "");
			used = indent;
		} else if (!first) {
			g_string_append_c(out, ' ');
			used++;
		}
		while (used + cells > width && !is_link(rest)) {
			size_t n = bytes_that_fit(rest, width - used);

			g_string_append_len(out, rest, (gssize)n);
			rest += n;
			cells = render_text_width(rest);
			if (!*rest)
				break;
			g_string_append_printf(out, "\n%*s", (int)indent, "");
			used = indent;
		}
		g_string_append(out, rest);
		used += cells;
		first = false;
	}
}

char *render_text_wrap(const char *text, size_t width)
{
	GString *out = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		if (render_text_width(*line) > width)
			wrap_line(out, *line, width);
		else
			g_string_append(out, *line);
		if (line[1])
			g_string_append_c(out, '\n');
	}
	return g_string_free(out, FALSE);
}

char *render_time_utc(int64_t seconds)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(seconds);

	/* years beyond 9999 have no RFC 3339 form and come from broken mail only */
	return time ? g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ") :
		      g_strdup("1970-01-01T00:00:00Z");
}
