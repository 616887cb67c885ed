/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of metric names.  A list is asked for every metric of a comparison, so entries
 * are kept by the first byte that they can match: a handful is tried, not hundreds.
 */
#include <string.h>

#include "parser/error.h"
#include "parser/lists.h"

#define PATTERN_MAX 512u   /* bytes of a pattern */
#define ENTRIES_MAX 20000u /* of one list */

typedef struct entry {
	char *pattern;
	char *value;   /* "" if the line has none */
	size_t prefix; /* bytes before the first wildcard */
	bool literal;
} entry;

typedef struct list {
	GPtrArray *entries;    /* entry *, owned */
	GPtrArray *first[256]; /* entry *, those that can match this first byte, in
				  order */
} list;

struct parser_lists {
	GHashTable *lists; /* name -> list */
};

static void entry_free(void *data)
{
	entry *e = data;

	g_free(e->pattern);
	g_free(e->value);
	g_free(e);
}

static void list_free(void *data)
{
	list *l = data;

	g_ptr_array_unref(l->entries);
	for (size_t i = 0; i < G_N_ELEMENTS(l->first); i++)
		if (l->first[i])
			g_ptr_array_unref(l->first[i]);
	g_free(l);
}

parser_lists *parser_lists_new(void)
{
	parser_lists *lists = g_new0(parser_lists, 1);

	lists->lists =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, list_free);
	return lists;
}

void parser_lists_free(parser_lists *lists)
{
	if (!lists)
		return;
	g_hash_table_unref(lists->lists);
	g_free(lists);
}

/* The class at *p ("[a-z]", "[!0-9]") has c; *p moves behind it. */
static bool class_has(const char **p, char c)
{
	const char *s = *p + 1;
	bool negative = *s == '!';
	bool has = false;

	s += negative;
	do {
		if (s[1] == '-' && s[2] != ']') {
			has |= (unsigned char)c >= (unsigned char)s[0] &&
			       (unsigned char)c <= (unsigned char)s[2];
			s += 3;
		} else {
			has |= *s == c;
			s++;
		}
	} while (*s != ']');
	*p = s + 1;
	return has != negative;
}

/*
 * Matches as much of a pattern without '*' as the text has; returns the pattern's place
 * where it stopped (at its end or at a '*'), or NULL when a byte does not fit.
 */
static const char *match_segment(const char *pattern, const char **text)
{
	const char *s = *text;

	while (*pattern && *pattern != '*') {
		if (!*s)
			return NULL;
		if (*pattern == '[') {
			if (!class_has(&pattern, *s))
				return NULL;
		} else if (*pattern != '?' && *pattern != *s) {
			return NULL;
		} else {
			pattern++;
		}
		s++;
	}
	*text = s;
	return pattern;
}

/* The next place where what stands behind a '*' can begin; NULL if there is none. */
static const char *next_start(const char *behind, const char *text)
{
	return strchr("?[", *behind) ? text : strchr(text, *behind);
}

/*
 * A '*' takes as little as lets the next segment fit, and is never reconsidered once
 * that segment fitted: the leftmost place is always the best one, so the work is the
 * length of the text times that of the longest segment, whatever the pattern.
 */
static bool glob_match(const char *pattern, const char *text)
{
	const char *star = NULL, *retry = NULL;

	for (;;) {
		const char *s = text;
		const char *p = match_segment(pattern, &s);

		if (p && *p == '*') {
			star = p + 1;
			retry = text = s;
			pattern = star;
		} else if (p && !*s) {
			return true;
		} else if (star && *retry && (retry = next_start(star, retry + 1))) {
			text = retry;
			pattern = star;
		} else {
			return false;
		}
		if (star && !*star)
			return true;
	}
}

/* NULL, or what is wrong with a pattern. */
static const char *pattern_check(const char *pattern)
{
	if (strlen(pattern) > PATTERN_MAX)
		return "pattern too long";
	for (const char *p = pattern; *p; p++) {
		const char *s;

		if (*p != '[')
			continue;
		s = p + 1 + (p[1] == '!');
		if (!*s)
			return "class without ]";
		p = strchr(s + 1, ']');
		if (!p)
			return "class without ]";
	}
	return NULL;
}

static void list_index(list *l, entry *e)
{
	unsigned char c = (unsigned char)e->pattern[0];
	bool wild = e->prefix == 0;

	for (size_t i = 0; i < G_N_ELEMENTS(l->first); i++) {
		if (!wild && i != c)
			continue;
		if (!l->first[i])
			l->first[i] = g_ptr_array_new();
		g_ptr_array_add(l->first[i], e);
	}
}

/* Cuts a comment off: '#' at the start, or between blanks ("CPU##stuck" is no comment).
 */
static void cut_comment(char *line)
{
	for (char *p = line; (p = strchr(p, '#')); p++)
		if (p == line || (g_ascii_isspace(p[-1]) &&
				  (p[1] == '\0' || g_ascii_isspace(p[1])))) {
			*p = '\0';
			return;
		}
}

/* Reads one line into the list; returns NULL or what is wrong. */
static const char *list_line(list *l, char *line)
{
	const char *wrong;
	entry *e;
	char *value;

	cut_comment(line);
	g_strstrip(line);
	if (!*line)
		return NULL;
	if (l->entries->len == ENTRIES_MAX)
		return "too many entries";
	value = strpbrk(line, " \t");
	if (value)
		*value++ = '\0';
	wrong = pattern_check(line);
	if (wrong)
		return wrong;

	e = g_new0(entry, 1);
	e->pattern = g_strdup(line);
	e->value = g_strstrip(g_strdup(value ? value : ""));
	e->prefix = strcspn(line, "*?[");
	e->literal = line[e->prefix] == '\0';
	g_ptr_array_add(l->entries, e);
	list_index(l, e);
	return NULL;
}

/* NULL, or what is wrong with a value of that list. */
static char *value_check(const char *name, const list *l, guint before)
{
	const entry *e = l->entries->len > before ? l->entries->pdata[before] : NULL;

	if (!e || strcmp(name, "sense") || !strcmp(e->value, "more") ||
	    !strcmp(e->value, "less") || !strcmp(e->value, "unknown"))
		return NULL;
	return g_strdup_printf("neither more, less nor unknown: %s", e->value);
}

bool parser_lists_add(parser_lists *lists, const char *name, const char *text,
		      size_t len, GError **error)
{
	g_autofree char *copy = g_strndup(text, len);
	g_auto(GStrv) lines = NULL;
	list *l;

	if (strlen(copy) != len) {
		g_set_error(error, PARSER_ERROR, PARSER_ERROR_SYNTAX,
			    "list %s: NUL byte at offset %zu", name, strlen(copy));
		return false;
	}
	lines = g_strsplit(copy, "\n", -1);
	l = g_new0(list, 1);
	l->entries = g_ptr_array_new_with_free_func(entry_free);
	for (size_t i = 0; lines[i]; i++) {
		guint before = l->entries->len;
		const char *wrong = list_line(l, lines[i]);
		g_autofree char *value = wrong ? NULL : value_check(name, l, before);

		if (wrong || value) {
			g_set_error(error, PARSER_ERROR, PARSER_ERROR_SYNTAX,
				    "list %s, line %zu: %s", name, i + 1,
				    wrong ? wrong : value);
			list_free(l);
			return false;
		}
	}
	g_hash_table_insert(lists->lists, g_strdup(name), l);
	return true;
}

static const entry *find(const parser_lists *lists, const char *name,
			 const char *metric)
{
	const list *l = lists ? g_hash_table_lookup(lists->lists, name) : NULL;
	const GPtrArray *tried = l ? l->first[(unsigned char)metric[0]] : NULL;

	for (guint i = 0; tried && i < tried->len; i++) {
		const entry *e = tried->pdata[i];

		if (strncmp(e->pattern, metric, e->prefix) != 0)
			continue;
		if (e->literal ? metric[e->prefix] == '\0' :
				 glob_match(e->pattern + e->prefix, metric + e->prefix))
			return e;
	}
	return NULL;
}

bool parser_lists_match(const parser_lists *lists, const char *name, const char *metric)
{
	return find(lists, name, metric) != NULL;
}

const char *parser_lists_value(const parser_lists *lists, const char *name,
			       const char *metric)
{
	const entry *e = find(lists, name, metric);

	return e ? e->value : NULL;
}

parser_sense parser_lists_sense(const parser_lists *lists, const char *metric)
{
	const char *value = parser_lists_value(lists, "sense", metric);

	if (g_strcmp0(value, "more") == 0)
		return PARSER_SENSE_MORE;
	if (g_strcmp0(value, "less") == 0)
		return PARSER_SENSE_LESS;
	return PARSER_SENSE_UNKNOWN;
}
