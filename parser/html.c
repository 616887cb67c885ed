/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/html.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#define QUOTE_DEPTH_MAX 20 /* marks printed before a line */
#define ENTITY_MAX      10 /* letters of an entity's name */

typedef struct state {
	GString *out;
	unsigned quotes; /* blockquotes that are open */
	unsigned pre;
	bool blank;        /* a blank waits to be written */
	bool line_start;   /* nothing stands on the line yet */
	unsigned newlines; /* at the end of out */
} state;

static void end_line(state *s)
{
	g_string_append_c(s->out, '\n');
	s->line_start = true;
	s->blank = false;
	s->newlines++;
}

/* A block begins or ends: `wanted` line ends at least between it and what stands
 * before.
 */
static void break_lines(state *s, unsigned wanted)
{
	if (!s->out->len)
		return;
	while (s->newlines < wanted) {
		if (s->newlines && s->quotes)
			for (unsigned i = 0; i < MIN(s->quotes, QUOTE_DEPTH_MAX); i++)
				g_string_append_c(s->out, '>');
		end_line(s);
	}
}

static void begin_line(state *s)
{
	if (s->line_start && s->quotes) {
		for (unsigned i = 0; i < MIN(s->quotes, QUOTE_DEPTH_MAX); i++)
			g_string_append_c(s->out, '>');
		g_string_append_c(s->out, ' ');
	}
	s->line_start = false;
	s->newlines = 0;
}

static void put(state *s, const char *bytes, size_t length)
{
	begin_line(s);
	if (s->blank && !s->pre)
		g_string_append_c(s->out, ' ');
	s->blank = false;
	g_string_append_len(s->out, bytes, (gssize)length);
}

static void put_char(state *s, char c)
{
	if (s->pre && c == '\n') {
		if (s->line_start)
			begin_line(s);
		end_line(s);
	} else if (!s->pre && strchr(" \t\r\n", c)) {
		s->blank = !s->line_start;
	} else if (c != '\r') {
		put(s, &c, 1);
	}
}

/* ---- entities -------------------------------------------------------------------- */

static gunichar entity_named(const char *name, size_t length)
{
	static const struct {
		const char *name;
		gunichar c;
	} entities[] = {
		{ "amp", '&' },       { "lt", '<' },       { "gt", '>' },
		{ "quot", '"' },      { "apos", '\'' },    { "nbsp", ' ' },
		{ "plusmn", 0xb1 },   { "ndash", 0x2013 }, { "mdash", 0x2014 },
		{ "hellip", 0x2026 }, { "lsquo", 0x2018 }, { "rsquo", 0x2019 },
		{ "ldquo", 0x201c },  { "rdquo", 0x201d }, { "copy", 0xa9 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(entities); i++)
		if (strlen(entities[i].name) == length &&
		    strncmp(entities[i].name, name, length) == 0)
			return entities[i].c;
	return 0;
}

static gunichar entity_numbered(const char *name, size_t length)
{
	bool hex = length > 1 && (name[1] | 0x20) == 'x';
	gunichar c = 0;

	for (size_t i = hex ? 2 : 1; i < length; i++) {
		int digit = hex ? g_ascii_xdigit_value(name[i]) :
				  g_ascii_digit_value(name[i]);

		if (digit < 0)
			return 0;
		c = c * (hex ? 16 : 10) + (gunichar)digit;
		if (c > 0x10ffff)
			return 0;
	}
	return g_unichar_validate(c) && (c >= ' ' || c == '\n' || c == '\t') ? c : 0;
}

/* Reads the entity at p ('&'); returns what stands for it and its length, or 0. */
static gunichar entity(const char *p, const char *end, size_t *length)
{
	const char *name = p + 1, *stop = name;

	while (stop < end && stop - name < ENTITY_MAX &&
	       (g_ascii_isalnum(*stop) || *stop == '#'))
		stop++;
	if (stop == name || stop >= end || *stop != ';')
		return 0;
	size_t n = (size_t)(stop - name);

	*length = n + 2;
	return *name == '#' ? entity_numbered(name, n) : entity_named(name, n);
}

char *html_unescape(const char *text, size_t length)
{
	GString *out = g_string_sized_new(length);
	const char *end = text + length;

	while (text < end) {
		size_t n;
		gunichar c = *text == '&' ? entity(text, end, &n) : 0;

		if (c)
			g_string_append_unichar(out, c);
		else
			g_string_append_c(out, *text);
		text += c ? n : 1;
	}
	return g_string_free(out, FALSE);
}

/* ---- tags ---------------------------------------------------------------------------
 */

static bool is_tag(const char *name, size_t length, const char *const *names)
{
	for (; *names; names++)
		if (strlen(*names) == length &&
		    g_ascii_strncasecmp(*names, name, length) == 0)
			return true;
	return false;
}

static void apply_tag(state *s, const char *name, size_t n, bool close)
{
	static const char *const paragraphs[] = {
		"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", NULL
	};
	static const char *const blocks[] = { "div",    "tr",      "li",      "dt",
					      "dd",     "section", "article", "header",
					      "footer", NULL };
	static const char *const quote[] = { "blockquote", NULL }, *const pre[] = {
		"pre", NULL
	};
	static const char *const br[] = { "br", NULL }, *const hr[] = { "hr", NULL };
	static const char *const cells[] = { "td", "th", NULL };

	if (is_tag(name, n, br)) {
		if (s->line_start)
			begin_line(s);
		end_line(s);
	} else if (is_tag(name, n, paragraphs)) {
		break_lines(s, 2);
	} else if (is_tag(name, n, blocks)) {
		break_lines(s, 1);
	} else if (is_tag(name, n, quote)) {
		break_lines(s, 1);
		s->quotes += close ? (s->quotes ? -1U : 0) : 1;
	} else if (is_tag(name, n, pre)) {
		break_lines(s, 1);
		s->pre += close ? (s->pre ? -1U : 0) : 1;
	} else if (is_tag(name, n, hr)) {
		break_lines(s, 1);
		put(s, "---", 3);
		end_line(s);
	} else if (is_tag(name, n, cells)) {
		s->blank = !s->line_start;
	}
}

static const char *find_close(const char *p, const char *end, const char *name,
			      size_t n)
{
	while ((p = memchr(p, '<', (size_t)(end - p)))) {
		if ((size_t)(end - p) > n + 2 && p[1] == '/' &&
		    g_ascii_strncasecmp(p + 2, name, n) == 0)
			return p;
		p++;
	}
	return end;
}

/* Handles what begins with '<' at p; returns where to go on. */
static const char *markup(state *s, const char *p, const char *end)
{
	static const char *const skipped[] = { "style", "script", "head", "title",
					       NULL };

	if (end - p > 4 && memcmp(p, "<!--", 4) == 0) {
		const char *close = memmem(p + 4, (size_t)(end - p - 4), "-->", 3);

		return close ? close + 3 : end;
	}
	const char *name = p + 1;
	bool close = name < end && *name == '/';

	name += close;
	const char *stop = name;

	while (stop < end && g_ascii_isalnum(*stop))
		stop++;
	if (stop == name && (name >= end || (*name != '!' && *name != '?'))) {
		put_char(s, '<');
		return p + 1;
	}
	/* An attribute that holds '>' ends the tag early: some debris, but linear time.
	 */
	const char *gt = memchr(stop, '>', (size_t)(end - stop));
	size_t n = (size_t)(stop - name);

	gt = gt ? gt : end;

	if (!close && is_tag(name, n, skipped))
		return find_close(gt, end, name, n);
	apply_tag(s, name, n, close);
	return gt < end ? gt + 1 : end;
}

char *html_to_text(const char *html, size_t length)
{
	const char *p = html, *end = html + length;
	state s = { g_string_sized_new(length), 0, 0, false, true, 2 };

	while (p < end) {
		size_t n;
		gunichar c = *p == '&' ? entity(p, end, &n) : 0;

		if (c) {
			char utf8[6];
			int bytes = g_unichar_to_utf8(c, utf8);

			if (bytes == 1 && (c == ' ' || c == '\n'))
				put_char(&s, (char)c);
			else
				put(&s, utf8, (size_t)bytes);
			p += n;
		} else if (*p == '<') {
			p = markup(&s, p, end);
		} else {
			put_char(&s, *p++);
		}
	}
	if (!s.newlines)
		end_line(&s);
	return g_string_free(s.out, FALSE);
}
