/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which style rules hide text.  Mails come with few of them; what is hidden on narrow
 * screens or paper only ("@media") is not.
 */
#include "parser/html_css.h"

#include <string.h>

#define TINY          2.0    /* pixels or points: nobody reads such letters */
#define FAR_AWAY      -500.0 /* pixels out of the window */
#define STYLES_MAX    2000u  /* names in style sheets */
#define ESCAPE_DIGITS 6u     /* of a character's number: "\000069" */

html_styles *html_styles_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void html_styles_free(html_styles *styles)
{
	g_hash_table_unref(styles);
}

/* ---- declarations -------------------------------------------------------------------
 */

static bool is_zero(const char *value)
{
	char *end;
	double number = g_ascii_strtod(value, &end);

	return end > value && number == 0;
}

static bool is_tiny(const char *value)
{
	char *end;
	double number = g_ascii_strtod(value, &end);

	return end > value && (number == 0 || (number > 0 && number < TINY &&
					       (g_str_has_prefix(end, "px") ||
						g_str_has_prefix(end, "pt"))));
}

static bool is_far_away(const char *value)
{
	char *end;
	double number = g_ascii_strtod(value, &end);

	return end > value && number < FAR_AWAY;
}

static bool is_see_through(const char *value)
{
	char *end;
	double number = g_ascii_strtod(value, &end);

	return end > value && number < 0.05;
}

static bool is_none(const char *value)
{
	return g_str_has_prefix(value, "none");
}

static bool is_hidden(const char *value)
{
	return g_str_has_prefix(value, "hidden") || g_str_has_prefix(value, "collapse");
}

static bool is_all(const char *value)
{
	return g_str_has_prefix(value, "all");
}

static bool is_transparent(const char *value)
{
	return g_str_has_prefix(value, "transparent");
}

static bool is_cut_away(const char *value)
{
	return g_str_has_prefix(value, "rect(0") ||
	       g_str_has_prefix(value, "rect(1px,1px");
}

static const struct hider {
	const char *property;
	bool (*hides)(const char *value);
} hiders[] = {
	/* clang-format off */
	{ "display", is_none }, { "visibility", is_hidden }, { "font-size", is_tiny },
	{ "font", is_zero }, { "opacity", is_see_through }, { "mso-hide", is_all },
	{ "color", is_transparent }, { "text-indent", is_far_away },
	{ "left", is_far_away }, { "top", is_far_away }, { "margin-left", is_far_away },
	{ "clip", is_cut_away },
	/* clang-format on */
};

/*
 * What the backslash at p stands for: "\69 " is "i", "\i" too.  An escaped character
 * is part of a name, whatever it is: one that would not be is written as "?", lest it
 * ends anything.  Returns what is behind it.
 */
static const char *append_escape(GString *out, const char *p, const char *end)
{
	gunichar c = 0;
	size_t n = 0;

	for (p++; p < end && n < ESCAPE_DIGITS && g_ascii_isxdigit(*p); p++, n++)
		c = c << 4 | (gunichar)g_ascii_xdigit_value(*p);
	if (n > 0) {
		p += p < end && g_ascii_isspace(*p);
	} else if (p < end) {
		c = (unsigned char)*p;
		if (c == '\n' || c >= 0x80) /* a line that goes on; as it stands */
			return p + (c == '\n');
		p++;
	}
	if (c < 0x80 ? g_ascii_isalnum((char)c) || c == '-' || c == '_' :
		       g_unichar_validate(c))
		g_string_append_unichar(out, c);
	else
		g_string_append_c(out, '?');
	return p;
}

/* Without comments and escapes. */
static char *plain_css(const char *css, size_t length)
{
	GString *out = g_string_sized_new(length);
	const char *p = css, *end = css + length;

	while (p < end) {
		if (*p == '\\') {
			p = append_escape(out, p, end);
		} else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
			p = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
			p = p ? p + 2 : end;
		} else {
			g_string_append_c(out, *p++);
		}
	}
	return g_string_free(out, false);
}

/* In place: lower case, without blanks and quote marks. */
static void normalize(char *css)
{
	char *to = css;

	for (const char *p = css; *p; p++)
		if (!g_ascii_isspace(*p) && *p != '"' && *p != '\'')
			*to++ = g_ascii_tolower(*p);
	*to = '\0';
}

/* A box without height or width shows nothing if what overflows is cut. */
static bool is_closed_box(const char *property, const char *value)
{
	static const char *const sides[] = { "height", "width", "max-height",
					     "max-width" };

	for (size_t i = 0; i < G_N_ELEMENTS(sides); i++)
		if (strcmp(property, sides[i]) == 0)
			return is_zero(value);
	return false;
}

bool html_css_hides(const char *css, size_t length)
{
	g_autofree char *plain = plain_css(css, length);
	normalize(plain);
	g_auto(GStrv) declarations = g_strsplit(plain, ";", -1);
	bool closed = false, cut = false;

	for (char **d = declarations; *d; d++) {
		char *value = strchr(*d, ':');
		if (!value)
			continue;
		*value++ = '\0';
		for (size_t i = 0; i < G_N_ELEMENTS(hiders); i++)
			if (strcmp(hiders[i].property, *d) == 0 &&
			    hiders[i].hides(value))
				return true;
		closed |= is_closed_box(*d, value);
		cut |= g_str_has_prefix(*d, "overflow") && is_hidden(value);
	}
	return closed && cut;
}

bool html_css_quotes(const char *css, size_t length)
{
	static const char *const properties[] = {
		"border-left",
		"border-left-width",
		"border-left-style",
		"border-inline-start",
		"border-inline-start-width",
		"border-inline-start-style",
	};
	g_autofree char *plain = plain_css(css, length);
	normalize(plain);
	g_auto(GStrv) declarations = g_strsplit(plain, ";", -1);

	for (char **d = declarations; *d; d++) {
		char *value = strchr(*d, ':');
		if (!value)
			continue;
		*value++ = '\0';
		for (size_t i = 0; i < G_N_ELEMENTS(properties); i++)
			if (strcmp(properties[i], *d) == 0 && *value &&
			    !is_zero(value) && !is_none(value))
				return true;
	}
	return false;
}

/* ---- style sheets -------------------------------------------------------------------
 */

/* Of "td.preheader" ".preheader", of "#top" "#top", of "aside" "<aside". */
static char *key_of_selector(const char *p, size_t length)
{
	const char *end = p + length, *mark = p;

	while (end > p && g_ascii_isspace(end[-1]))
		end--;
	for (const char *s = p; s < end; s++)
		if (strchr(" \t\r\n>+~", *s))
			p = s + 1;
	if (p == end || memchr(p, ':', (size_t)(end - p)) ||
	    memchr(p, '[', (size_t)(end - p)) || *p == '*')
		return NULL;
	mark = p;
	while (mark < end && *mark != '.' && *mark != '#')
		mark++;
	if (mark == end) {
		g_autofree char *name = g_ascii_strdown(p, end - p);
		return g_strconcat("<", name, NULL);
	}
	size_t n = strcspn(mark + 1, ".#,{ \t\r\n");
	return g_strndup(mark, MIN(n + 1, (size_t)(end - mark)));
}

static void add_selectors(html_styles *styles, const char *p, const char *end)
{
	while (p < end && g_hash_table_size(styles) < STYLES_MAX) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *stop = comma ? comma : end;
		char *key = key_of_selector(p, (size_t)(stop - p));
		if (key)
			g_hash_table_add(styles, key);
		p = stop + 1;
	}
}

/* Behind the '}' that closes what '{' at p opens. */
static const char *skip_block(const char *p, const char *end)
{
	unsigned depth = 0;

	for (; p < end; p++) {
		depth += *p == '{';
		if (*p == '}' && --depth == 0)
			return p + 1;
	}
	return end;
}

void html_styles_add(html_styles *styles, const char *css, size_t length)
{
	g_autofree char *plain = plain_css(css, length);
	const char *p = plain, *end = plain + strlen(plain);

	while (p < end) {
		const char *open = memchr(p, '{', (size_t)(end - p));
		if (!open)
			return;
		while (p < open && (g_ascii_isspace(*p) || strchr("<!->", *p)))
			p++;
		const char *stop =
			*p == '@' ? memchr(p, ';', (size_t)(open - p)) : NULL;
		if (stop) { /* "@import url(x);" has no block */
			p = stop + 1;
			continue;
		}
		const char *next = skip_block(open, end);
		if (p < open && *p != '@' &&
		    html_css_hides(open + 1, (size_t)(next - open - 1)))
			add_selectors(styles, p, open);
		p = next;
	}
}
