/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "parser/report.h"
#include "parser/robot_lines.h"

#define INDENT_MAX 4    /* blanks before a trailer's name */
#define VALUE_MAX  2000 /* bytes, wrapped lines included */

/* The names that count, as they are written in full. */
static const char *const names[] = { "Acked-by",
				     "Bisected-by",
				     "Cc",
				     "Closes",
				     "Co-developed-by",
				     "Confirmed-by",
				     "Debugged-by",
				     "Diagnosed-by",
				     "Fixed-by",
				     "Fixes",
				     "Link",
				     "Nacked-by",
				     "Patch",
				     "Reported-and-bisected-by",
				     "Reported-and-tested-by",
				     "Reported-by",
				     "Reviewed-by",
				     "Reviewed-and-tested-by",
				     "Signed-off-by",
				     "Suggested-by",
				     "Tested-by",
				     NULL };

/* The canonical name that the line begins with, and where its value stands. */
static const char *match_name(const char *s, size_t len, size_t *value)
{
	const char *colon = memchr(s, ':', MIN(len, 32));

	if (!colon)
		return NULL;
	for (const char *const *name = names; *name; name++) {
		size_t n = (size_t)(colon - s);

		if (strlen(*name) != n || g_ascii_strncasecmp(s, *name, n) != 0)
			continue;
		*value = n + 1;
		return *name;
	}
	return NULL;
}

static bool is_url_trailer(const char *name)
{
	static const char *const urls[] = { "Closes", "Link", "Patch", NULL };

	return parser_word_is(name, strlen(name), urls);
}

/* `0123456789ab ("subject")`, eight digits at least: "Fixes: ?" is no trailer. */
static bool fixes_is_valid(const char *value)
{
	size_t n = 0;

	if (g_str_has_prefix(value, "commit "))
		value += strlen("commit ");
	while (g_ascii_isxdigit(value[n]))
		n++;
	return n >= 8 && n <= 40 &&
	       (value[n] == '\0' || value[n] == ' ' || value[n] == '(');
}

/* Persons' trailers need an address, or they are prose ("Cc: the usual suspects"). */
static bool value_is_valid(const char *name, const char *value)
{
	if (strcmp(name, "Fixes") == 0)
		return fixes_is_valid(value);
	if (is_url_trailer(name))
		return strchr(value, '/') || strchr(value, '@');
	return strchr(value, '@') && !strstr(value, "://");
}

static bool is_person_trailer(const char *name)
{
	return strcmp(name, "Fixes") != 0 && !is_url_trailer(name);
}

/* A broken line goes on: the value is empty, or Fixes:'s subject is open ... */
static bool goes_on(const char *name, const char *value)
{
	if (*value == '\0')
		return true;
	return strcmp(name, "Fixes") == 0 && strstr(value, "(\"") &&
	       !g_str_has_suffix(value, "\")");
}

/* ... or a person's address stands on the line below the name. */
static bool wants_address(const char *name, const char *value, const text_line *next)
{
	return is_person_trailer(name) && *value && !strchr(value, '@') &&
	       next->s[0] == '<' && memchr(next->s, '@', next->len);
}

/* Takes off what is no part of a value: remarks behind URLs, links in addresses. */
static void tidy(const char *name, GString *value)
{
	char *junk = strstr(value->str, is_person_trailer(name) ? "<mailto:" : " #");

	if (junk && !is_person_trailer(name) && is_url_trailer(name)) {
		g_string_truncate(value, (gsize)(junk - value->str));
	} else if (junk && is_person_trailer(name) && strchr(value->str, '<') < junk) {
		const char *close = strchr(junk, '>');

		if (close)
			g_string_erase(value, junk - value->str, close + 1 - junk);
	}
	while (is_url_trailer(name) && value->len > 0 &&
	       strchr(".,>)] ", value->str[value->len - 1]))
		g_string_truncate(value, value->len - 1);
}

/* The text of line i, or NULL when it may hold no trailer nor continue one. */
typedef const text_line *(*line_fn)(const GArray *lines, size_t i);

static const text_line *own_line(const GArray *lines, size_t i)
{
	const text_line *line;

	if (i >= lines->len)
		return NULL;
	line = parser_line_at(lines, i);
	if (line->quoted || line->len == 0 || line->indent > INDENT_MAX)
		return NULL;
	if (line->kind != PARSER_SPAN_OWN && line->kind != PARSER_SPAN_SIGNATURE &&
	    line->kind != PARSER_SPAN_PATCH)
		return NULL;
	return line;
}

/* Reads the trailer in line *i; *i moves to its last line. */
static parser_pair *read_trailer(const GArray *lines, size_t *i)
{
	const text_line *line = own_line(lines, *i);
	const char *name;
	size_t value, last = *i;

	if (!line || !(name = match_name(line->s, line->len, &value)))
		return NULL;

	g_autoptr(GString) text =
		g_string_new_len(line->s + value, (gssize)(line->len - value));
	g_strstrip(text->str);
	g_string_set_size(text, strlen(text->str));
	while (text->len < VALUE_MAX) {
		size_t unused;

		line = own_line(lines, last + 1);
		if (!line || match_name(line->s, line->len, &unused) ||
		    !(goes_on(name, text->str) || wants_address(name, text->str, line)))
			break;
		if (text->len)
			g_string_append_c(text, ' ');
		g_string_append_len(text, line->s, (gssize)line->len);
		last++;
	}
	tidy(name, text);
	if (!value_is_valid(name, text->str))
		return NULL;
	*i = last;
	return parser_pair_new(name, text->str);
}

static GPtrArray *read_lines(const GArray *lines)
{
	GPtrArray *trailers =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);

	for (size_t i = 0; i < lines->len; i++) {
		parser_pair *trailer = read_trailer(lines, &i);

		if (trailer)
			g_ptr_array_add(trailers, trailer);
	}
	return trailers;
}

GPtrArray *parser_trailers_read(const parser_mail *mail)
{
	g_autoptr(GArray) lines = parser_lines(mail);

	return read_lines(lines);
}

GPtrArray *parser_trailers_of_commit(const char *message)
{
	parser_mail mail = { .text = (char *)message, .text_length = strlen(message) };
	g_autoptr(GArray) lines = parser_lines(&mail);

	return read_lines(lines);
}
