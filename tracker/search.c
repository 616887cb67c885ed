/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Full text.  What is common in a big store stands in a million mails, and to weigh
 * them all takes seconds: the ones that were stored last are looked at, so that the
 * time does not depend on how many there are.
 */
#include <string.h>

#include "tracker/db.h"

#define HITS          50
#define BEGINNING_MIN 3    /* letters of word*; the index has those beginnings */
#define WORDS_USUAL   60.0 /* of a mail of usual length */

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

/* How much a mail is about the words: how often they stand there, for its length.  It
 * is bm25 but for the weight of each word, for which all mails that have it would have
 * to be counted. */
static void density(const Fts5ExtensionApi *api, Fts5Context *mail,
		    sqlite3_context *result, int n, sqlite3_value **values)
{
	int times = 0, words = 0;
	int rc = api->xInstCount(mail, &times);

	(void)n;
	(void)values;
	if (!rc)
		rc = api->xColumnSize(mail, 0, &words);
	if (rc)
		sqlite3_result_error_code(result, rc);
	else
		sqlite3_result_double(
			result, times / (times + 0.3 + 0.9 * words / WORDS_USUAL));
}

/* Makes density() known to the connection; again is harmless. */
static bool add_density(tracker *t, GError **error)
{
	sqlite3_stmt *ask = NULL;
	fts5_api *api = NULL;
	int rc = sqlite3_prepare_v2(t->db, "SELECT fts5(?1)", -1, &ask, NULL);

	if (!rc)
		rc = sqlite3_bind_pointer(ask, 1, (void *)&api, "fts5_api_ptr", NULL);
	if (!rc && sqlite3_step(ask) != SQLITE_ROW)
		rc = SQLITE_ERROR;
	sqlite3_finalize(ask);
	if (!rc && api)
		rc = api->xCreateFunction(api, "density", NULL, density, NULL);
	return !rc || db_fail(t, error);
}

/* Letters at the end of a term that the index takes for one word. */
static long letters_at_end(const char *term)
{
	const char *end = term + strlen(term);
	const char *start = end;

	while (start > term) {
		const char *before = g_utf8_prev_char(start);
		gunichar c = g_utf8_get_char(before);

		if (!g_unichar_isalnum(c) && c != '_')
			break;
		start = before;
	}
	return g_utf8_strlen(start, end - start);
}

/* What a person types is no query language: every term becomes a quoted string. */
static char *to_query(const char *words, GError **error)
{
	g_autofree char *valid = g_utf8_make_valid(words, -1);
	g_autoptr(GString) query = g_string_new(NULL);

	for (const char *at = valid; *at;) {
		bool beginning;

		if (g_ascii_isspace(*at)) {
			at++;
			continue;
		}
		g_autofree char *term = next_term(&at, &beginning);

		if (beginning && letters_at_end(term) < BEGINNING_MIN) {
			g_set_error(
				error, TRACKER_ERROR, TRACKER_ERROR_STATE,
				"%s*: the beginning of a word has %d letters or more",
				term, BEGINNING_MIN);
			return NULL;
		}
		if (*term)
			g_string_append_printf(query, "%s\"%s\"%s",
					       query->len ? " " : "", term,
					       beginning ? "*" : "");
	}
	return g_strdup(query->str);
}

/* Of the newest ?3 mails with the words the best ?2.  Their snippets are made in a
 * second pass over the same mails, for a snippet costs more than to find a mail. */
static const char best[] =
	"WITH newest AS MATERIALIZED (SELECT rowid AS id, density(words_index) AS density "
	" FROM words_index WHERE words_index MATCH ?1 ORDER BY rowid DESC LIMIT ?3 + 1), "
	"best AS MATERIALIZED (SELECT id, density FROM "
	" (SELECT id, density FROM newest ORDER BY id DESC LIMIT ?3) "
	" ORDER BY density DESC, id DESC LIMIT ?2), "
	"shown AS MATERIALIZED (SELECT rowid AS id, CASE WHEN rowid IN "
	"  (SELECT id FROM best) THEN snippet(words_index, 0, '[', ']', '...', 16) END "
	" AS snippet FROM words_index WHERE words_index MATCH ?1 "
	" ORDER BY rowid DESC LIMIT ?3) "
	"SELECT m.message_id, g.regression, coalesce(m.name, m.address, ''), m.subject, "
	"shown.snippet, m.date, (SELECT count(*) FROM newest) "
	"FROM best JOIN shown ON shown.id = best.id JOIN message m ON m.id = best.id "
	"LEFT JOIN regression g ON g.id = (SELECT regression FROM link "
	" WHERE message = m.id ORDER BY acts DESC, confidence DESC LIMIT 1) "
	"ORDER BY best.density DESC, best.id DESC";

GPtrArray *tracker_search(tracker *t, const char *words, unsigned limit, bool *all,
			  GError **error)
{
	g_autoptr(GPtrArray) hits =
		g_ptr_array_new_with_free_func((GDestroyNotify)hit_free);
	g_autofree char *query = to_query(words, error);
	g_auto(db_rows) rows = { 0 };

	*all = true;
	if (!query)
		return NULL;
	if (!*query)
		return g_steal_pointer(&hits);
	if (!add_density(t, error) ||
	    !db_query(t, &rows, best,
		      DB_ARGS(DB_TEXT(query), DB_INT(limit ? limit : HITS),
			      DB_INT(TRACKER_SEARCH_MAX)),
		      error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_hit *hit = g_new0(tracker_hit, 1);

		hit->message_id = db_dup(&rows, 0);
		hit->regression = db_dup(&rows, 1);
		hit->author = db_dup(&rows, 2);
		hit->subject = db_dup(&rows, 3);
		hit->snippet = db_dup(&rows, 4);
		hit->date = db_int(&rows, 5);
		*all = db_int(&rows, 6) <= TRACKER_SEARCH_MAX;
		g_ptr_array_add(hits, hit);
	}
	return rows.failed ? NULL : g_steal_pointer(&hits);
}
