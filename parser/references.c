/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commits that people name in prose: `0123456789ab ("subject")`, "commit 0123456". */
#include <string.h>

#include "parser/report.h"
#include "parser/robot_lines.h"

#define HASH_MIN    7   /* digits behind the word "commit", or before a subject */
#define HASH_LONG   12  /* digits that tell a hash from a number without either */
#define SUBJECT_MAX 400 /* bytes; one that does not end is none */

typedef struct commit_walk {
	const GArray *lines;
	GPtrArray *commits; /* parser_pair * */
	GHashTable *seen;   /* hashes, lent by commits */
} commit_walk;

static bool is_own(const text_line *line)
{
	return !line->quoted && line->kind == PARSER_SPAN_OWN;
}

/* The hash in a word, without what surrounds it; its length, 0 if there is none. */
static size_t hash_in(const char **s, size_t len)
{
	size_t digits = 0, letters = 0;

	while (len > 0 && strchr("([\"'", **s)) {
		(*s)++;
		len--;
	}
	while (len > 0 && strchr(".,;:)]\"'?!", (*s)[len - 1]))
		len--;
	for (size_t i = 0; i < len; i++) {
		if (!g_ascii_isxdigit((*s)[i]))
			return 0;
		digits += g_ascii_isdigit((*s)[i]) != 0;
		letters += g_ascii_isdigit((*s)[i]) == 0;
	}
	/* an address in the kernel's half is no hash; nor is a number, nor a word */
	if (len == 16 && g_ascii_strncasecmp(*s, "ffff", 4) == 0)
		return 0;
	return len >= HASH_MIN && len <= 40 && digits && (letters || len == 40) ? len :
										  0;
}

/* The subject in ("...") that begins at p, going on in the next lines; or NULL. */
static char *subject_at(const commit_walk *w, size_t line, const char *p,
			const char *end)
{
	g_autoptr(GString) text = NULL;
	const char *close;

	while (p < end && *p == ' ')
		p++;
	if (end - p < 3 || memcmp(p, "(\"", 2) != 0)
		return NULL;
	text = g_string_new_len(p + 2, MIN(end - p - 2, SUBJECT_MAX));
	while (!(close = strstr(text->str, "\")")) && text->len < SUBJECT_MAX &&
	       ++line < w->lines->len) {
		const text_line *next = parser_line_at(w->lines, line);

		if (!is_own(next) || next->len == 0)
			return NULL;
		g_string_append_c(text, ' ');
		g_string_append_len(text, next->s, (gssize)MIN(next->len, SUBJECT_MAX));
	}
	return close ? g_strndup(text->str, (gsize)(close - text->str)) : NULL;
}

static void add_commit(commit_walk *w, const char *hash, size_t len,
		       const char *subject)
{
	g_autofree char *name = g_ascii_strdown(hash, (gssize)len);
	parser_pair *pair = g_hash_table_lookup(w->seen, name);

	if (!pair) {
		pair = parser_pair_new(name, subject);
		g_ptr_array_add(w->commits, pair);
		g_hash_table_insert(w->seen, pair->name, pair);
	} else if (subject && !*pair->value) {
		g_free(pair->value);
		pair->value = g_strdup(subject);
	}
}

static void read_line(commit_walk *w, size_t i)
{
	static const char *const before[] = { "commit", "commits", "Commit",
					      "commit:", NULL };
	const text_line *line = parser_line_at(w->lines, i);
	const char *p = line->s, *end = line->s + line->len, *word;
	bool announced = false;
	size_t n;

	while ((word = parser_word_next(&p, end, &n))) {
		const char *hash = word;
		size_t len = hash_in(&hash, n);

		if (len > 0) {
			g_autofree char *subject = subject_at(w, i, p, end);

			if (subject || announced || len >= HASH_LONG)
				add_commit(w, hash, len, subject);
		}
		announced = parser_word_is(word, n, before);
	}
}

GPtrArray *parser_commits_read(const parser_mail *mail)
{
	g_autoptr(GArray) lines = parser_lines(mail);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	commit_walk w = {
		.lines = lines,
		.commits = g_ptr_array_new_with_free_func(
			(GDestroyNotify)parser_pair_free),
		.seen = seen,
	};

	for (size_t i = 0; i < lines->len; i++)
		if (is_own(parser_line_at(lines, i)))
			read_line(&w, i);
	return w.commits;
}
