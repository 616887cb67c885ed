/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define ELLIPSIS    "\xe2\x80\xa6" /* U+2026 */
#define CELL_BYTES  16             /* of a cell, with the marks on it */
#define MARKS_MAX   RENDER_NO_LETTER

static bool is_safe(gunichar c, bool lines)
{
	if (c == '\t' || c == '\n')
		return lines;
	if (c == 0x2028 || c == 0x2029)
		return false;
	return !(c < 0x20 || (c >= 0x7f && c < 0xa0) || parser_is_invisible(c));
}

static bool is_mark(gunichar c)
{
	if (c < 0x300)
		return false;
	GUnicodeType type = g_unichar_type(c);
	return type == G_UNICODE_NON_SPACING_MARK || type == G_UNICODE_ENCLOSING_MARK;
}

void render_append_safe(GString *out, gunichar c, bool lines, unsigned *letter)
{
	bool mark = is_mark(c);

	/* one sign stands for all the marks that are too many, or without a letter */
	if (mark && *letter > MARKS_MAX)
		return;
	if ((mark && *letter == MARKS_MAX) || !is_safe(c, lines))
		g_string_append(out, REPLACEMENT);
	else
		g_string_append_unichar(out, c);
	*letter = mark ? *letter + 1 : c == '\n' || c == '\t' ? MARKS_MAX : 0;
}

/* Printable ASCII: safe as it is, one cell each.  Most text is nothing else, and what
 * is done below for each character is spared it. */
static bool is_plain(char c)
{
	return c >= 0x20 && c < 0x7f;
}

/* How many plain characters the text begins with, of `most` at most. */
static size_t plain_length(const char *text, size_t most)
{
	size_t n = 0;

	while (n < most && is_plain(text[n]))
		n++;
	return n;
}

char *render_safe_text(const char *text, bool lines)
{
	size_t plain = plain_length(text, SIZE_MAX);

	if (!text[plain])
		return g_strndup(text, plain);

	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *out = g_string_sized_new(strlen(valid));
	unsigned letter = RENDER_NO_LETTER;

	for (const char *p = valid; *p; p = g_utf8_next_char(p))
		render_append_safe(out, g_utf8_get_char(p), lines, &letter);
	return g_string_free(out, FALSE);
}

/* Whether it is a safe line as it is: plain, and every blank behind a word. */
static bool is_plain_line(const char *text)
{
	char before = ' ';

	for (; *text; before = *text++)
		if (!is_plain(*text) || (*text == ' ' && before == ' '))
			return false;
	return true;
}

char *render_safe_line(const char *text)
{
	if (is_plain_line(text))
		return g_strdup(text);

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
	if (g_unichar_iszerowidth(c))
		return 0;
	return g_unichar_iswide(c) ? 2 : 1;
}

/* Cells of the character at *p, which moves behind it. */
static size_t next_width(const char **p)
{
	size_t width;

	if (is_plain(**p)) {
		++*p;
		return 1;
	}
	width = char_width(g_utf8_get_char(*p));
	*p = g_utf8_next_char(*p);
	return width;
}

size_t render_text_width(const char *text)
{
	size_t width = 0;

	while (*text)
		width += next_width(&text);
	return width;
}

char *render_text_fit(const char *text, size_t width)
{
	if (width == 0)
		return g_strdup("");

	size_t used = plain_length(text, width);
	const char *p = text + used;
	/* As much as fits with the dots behind it. */
	const char *keep = used < width ? p : p - 1;

	while (*p) {
		size_t at = (size_t)(p - text);

		used += next_width(&p);
		if (used > width || at >= width * CELL_BYTES)
			return g_strdup_printf("%.*s" ELLIPSIS, (int)(keep - text),
					       text);
		if (used < width)
			keep = p;
	}
	return g_strndup(text, (size_t)(p - text));
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
		const char *next = p;

		used += next_width(&next);
		if (used > cells && p > word)
			break;
		p = next;
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

#define DAY        86400
#define DAYS_1970  719163  /* from the first day of the year 1, which is day 1 */
#define DAYS_10000 3652060 /* the first that has no form in RFC 3339 */

static void put_digits(char *at, size_t n, unsigned value)
{
	for (; n-- > 0; value /= 10)
		at[n] = (char)('0' + value % 10);
}

char *render_time_utc(int64_t seconds)
{
	int64_t second = (seconds % DAY + DAY) % DAY;
	int64_t day = seconds / DAY - (seconds % DAY < 0) + DAYS_1970;
	GDate date;

	/* such come from broken mail only */
	if (day < 1 || day >= DAYS_10000)
		return g_strdup("1970-01-01T00:00:00Z");
	g_date_clear(&date, 1);
	g_date_set_julian(&date, (guint32)day);

	char *text = g_strdup("0000-00-00T00:00:00Z");

	put_digits(text, 4, g_date_get_year(&date));
	put_digits(text + 5, 2, g_date_get_month(&date));
	put_digits(text + 8, 2, g_date_get_day(&date));
	put_digits(text + 11, 2, (unsigned)(second / 3600));
	put_digits(text + 14, 2, (unsigned)(second / 60 % 60));
	put_digits(text + 17, 2, (unsigned)(second % 60));
	return text;
}
