/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "tracker/db.h"

#define HITS 50

static void hit_free(tracker_hit *hit)
{
	g_free(hit->message_id);
	g_free(hit->regression);
	g_free(hit->author);
	g_free(hit->subject);
	g_free(hit->snippet);
	g_free(hit);
}

/* One term: from a quote to its end, or a word; *at moves behind it. */
static char *next_term(const char **at, bool *beginning)
{
	const char *s = *at;
	bool quoted = *s == '"';
	const char *start = s + quoted;
	const char *end = start;

	while (*end && (quoted ? *end != '"' : !g_ascii_isspace(*end) && *end != '"'))
		end++;
	*at = quoted && *end ? end + 1 : end;
	*beginning = !quoted && end > start + 1 && end[-1] == '*';
	return g_strndup(start, (gsize)(end - start) - *beginning);
}

/* What a person types is no query language: every term becomes a quoted string. */
static char *to_query(const char *words)
{
	g_autofree char *valid = g_utf8_make_valid(words, -1);
	GString *query = g_string_new(NULL);

	for (const char *at = valid; *at;) {
		bool beginning;

		if (g_ascii_isspace(*at)) {
			at++;
			continue;
		}
		g_autofree char *term = next_term(&at, &beginning);

		if (*term)
			g_string_append_printf(query, "%s\"%s\"%s",
					       query->len ? " " : "", term,
					       beginning ? "*" : "");
	}
	return g_string_free(query, FALSE);
}

GPtrArray *tracker_search(tracker *t, const char *words, unsigned limit, GError **error)
{
	g_autoptr(GPtrArray) hits =
		g_ptr_array_new_with_free_func((GDestroyNotify)hit_free);
	g_autofree char *query = to_query(words);
	g_auto(db_rows) rows = { 0 };

	if (!*query)
		return g_steal_pointer(&hits);
	if (!db_query(
		    t, &rows,
		    "SELECT m.message_id, g.regression, coalesce(m.name, m.address, ''), "
		    "m.subject, s.snippet, m.date FROM "
		    "(SELECT rowid, rank, snippet(words_index, 0, '[', ']', '...', 16) "
		    " AS snippet FROM words_index WHERE words_index MATCH ?1 "
		    " ORDER BY rank LIMIT ?2) s JOIN message m ON m.id = s.rowid "
		    "LEFT JOIN regression g ON g.id = (SELECT regression FROM link "
		    " WHERE message = m.id ORDER BY acts DESC, confidence DESC LIMIT 1) "
		    "ORDER BY s.rank",
		    DB_ARGS(DB_TEXT(query), DB_INT(limit ? limit : HITS)), error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_hit *hit = g_new0(tracker_hit, 1);

		hit->message_id = db_dup(&rows, 0);
		hit->regression = db_dup(&rows, 1);
		hit->author = db_dup(&rows, 2);
		hit->subject = db_dup(&rows, 3);
		hit->snippet = db_dup(&rows, 4);
		hit->date = db_int(&rows, 5);
		g_ptr_array_add(hits, hit);
	}
	return rows.failed ? NULL : g_steal_pointer(&hits);
}
