/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/html.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "parser/html_css.h"
#include "parser/html_tag.h"

#define QUOTE_DEPTH_MAX 20   /* marks printed before a line */
#define ENTITY_MAX      10   /* letters of an entity's name */
#define OPEN_MAX        100u /* elements of interest within each other */

/* An open element that changes what its text is. */
typedef struct element {
	guint hash;    /* of its name */
	unsigned open; /* elements of that name: it and those in it */
	html_tag_kind kind;
} element;

typedef struct state {
	GString *out;
	GArray *stack;       /* element, the innermost last */
	html_styles *styles; /* classes that a style sheet hides */
	unsigned quotes;     /* blockquotes that are open */
	unsigned wrappers;   /* other elements that hold a quote */
	unsigned hidden;     /* elements that nobody sees */
	bool rest;           /* all from here on is another's mail */
	bool left_out;       /* hidden text was found */
	unsigned pre;
	bool blank;        /* a blank waits to be written */
	bool line_start;   /* nothing stands on the line yet */
	unsigned newlines; /* at the end of out */
} state;

static unsigned depth_of(const state *s)
{
	return s->quotes ? MIN(s->quotes, QUOTE_DEPTH_MAX) : s->wrappers || s->rest;
}

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
		for (unsigned i = 0; s->newlines && i < depth_of(s); i++)
			g_string_append_c(s->out, '>');
		end_line(s);
	}
}

static void begin_line(state *s)
{
	if (s->line_start && depth_of(s)) {
		for (unsigned i = 0; i < depth_of(s); i++)
			g_string_append_c(s->out, '>');
		g_string_append_c(s->out, ' ');
	}
	s->line_start = false;
	s->newlines = 0;
}

static void put(state *s, const char *bytes, size_t length)
{
	if (s->hidden) {
		s->left_out = true;
		return;
	}
	begin_line(s);
	if (s->blank && !s->pre)
		g_string_append_c(s->out, ' ');
	s->blank = false;
	g_string_append_len(s->out, bytes, (gssize)length);
}

static void put_char(state *s, char c)
{
	if (s->hidden && strchr(" \t\r\n", c))
		return;
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

/* ---- elements -----------------------------------------------------------------------
 */

static guint hash_of(const html_tag *tag)
{
	guint hash = 5381;

	for (size_t i = 0; i < tag->length; i++)
		hash = hash * 33 + (guint)g_ascii_tolower(tag->name[i]);
	return hash;
}

static void count(state *s, html_tag_kind kind, unsigned by)
{
	if (kind & HTML_TAG_HIDDEN)
		s->hidden += by;
	if (kind & HTML_TAG_BLOCKQUOTE)
		s->quotes += by;
	if (kind & HTML_TAG_QUOTE)
		s->wrappers += by;
	if (kind & HTML_TAG_PRE)
		s->pre += by;
}

/* The innermost element of interest of that name; -1 if there is none. */
static int find_open(const state *s, guint hash)
{
	for (guint i = s->stack->len; i > 0; i--)
		if (g_array_index(s->stack, element, i - 1).hash == hash)
			return (int)i - 1;
	return -1;
}

static void close_down_to(state *s, guint length)
{
	bool quoted = depth_of(s) > 0;

	while (s->stack->len > length) {
		const element *e = &g_array_index(s->stack, element, s->stack->len - 1);

		if (e->kind != HTML_TAG_HIDDEN && !s->hidden)
			break_lines(s, 1);
		count(s, e->kind, -1U);
		g_array_set_size(s->stack, s->stack->len - 1);
	}
	if (quoted && !depth_of(s) && !s->hidden)
		break_lines(s, 1);
}

/* Elements of no interest are only counted, within one of the same name. */
static void open_element(state *s, const html_tag *tag)
{
	guint hash = hash_of(tag);
	int within = find_open(s, hash);

	s->rest = s->rest || tag->kind & HTML_TAG_REST;
	if (!(tag->kind & HTML_TAG_STACKED)) {
		if (within >= 0)
			g_array_index(s->stack, element, within).open++;
		return;
	}
	if (!s->hidden && tag->kind & ~(unsigned)HTML_TAG_HIDDEN)
		break_lines(s, 1);
	count(s, tag->kind, 1);
	/* beyond, it stays open to the end: rather too much of a quote than too little
	 */
	if (s->stack->len < OPEN_MAX) {
		element e = { hash, 1, tag->kind };
		g_array_append_val(s->stack, e);
	}
}

static void close_element(state *s, const html_tag *tag)
{
	int at = find_open(s, hash_of(tag));

	if (at >= 0 && --g_array_index(s->stack, element, at).open == 0)
		close_down_to(s, (guint)at);
}

/* A paragraph ends where a block begins. */
static void close_implied(state *s, const html_tag *tag)
{
	const html_tag paragraph = { .name = "p", .length = 1 };
	guint last = s->stack->len - 1;

	if (s->stack->len && html_tag_is_block(tag) &&
	    g_array_index(s->stack, element, last).hash == hash_of(&paragraph))
		close_down_to(s, last);
}

/* ---- tags ---------------------------------------------------------------------------
 */

/* What a tag does to the lines. */
static void lay_out(state *s, const html_tag *tag)
{
	if (s->hidden)
		return;
	if (html_tag_is(tag, "br")) {
		if (s->line_start)
			begin_line(s);
		end_line(s);
	} else if (html_tag_is(tag, "hr")) {
		break_lines(s, 1);
		put(s, "---", 3);
		end_line(s);
	} else if (html_tag_is(tag, "td") || html_tag_is(tag, "th")) {
		s->blank = !s->line_start;
	} else if (html_tag_is_paragraph(tag)) {
		break_lines(s, 2);
	} else if (html_tag_is_block(tag)) {
		break_lines(s, 1);
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

/* "<!-->" and "<!--->" are whole comments; "--!>" ends one, too. */
static const char *skip_comment(const char *p, const char *end)
{
	for (p += 2; (p = memmem(p, (size_t)(end - p), "--", 2)); p++) {
		const char *after = p + 2;

		if (after < end && *after == '>')
			return after + 1;
		if (end - after > 1 && after[0] == '!' && after[1] == '>')
			return after + 2;
	}
	return end;
}

/* Handles what begins with '<' at p; returns where to go on. */
static const char *markup(state *s, const char *p, const char *end)
{
	html_tag tag;

	if (end - p > 4 && memcmp(p, "<!--", 4) == 0)
		return skip_comment(p, end);
	if (!html_tag_read(&tag, p, end, s->styles)) {
		put_char(s, '<');
		return p + 1;
	}
	if (!tag.close && tag.kind & HTML_TAG_RAW) {
		const char *close = find_close(tag.next, end, tag.name, tag.length);

		if (html_tag_is(&tag, "style"))
			html_styles_add(s->styles, tag.next,
					(size_t)(close - tag.next));
		return close;
	}
	if (tag.close) {
		lay_out(s, &tag);
		close_element(s, &tag);
	} else {
		close_implied(s, &tag);
		lay_out(s, &tag);
		open_element(s, &tag);
	}
	return tag.next;
}

char *html_to_text(const char *html, size_t length, bool *left_out)
{
	const char *p = html, *end = html + length;
	state s = { .out = g_string_sized_new(length),
		    .stack = g_array_new(false, false, sizeof(element)),
		    .styles = html_styles_new(),
		    .line_start = true,
		    .newlines = 2 };

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
	*left_out = s.left_out;
	g_array_unref(s.stack);
	html_styles_free(s.styles);
	return g_string_free(s.out, FALSE);
}
