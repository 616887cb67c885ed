/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which regression a mail is about, by which key, and how sure that is.
 *
 * The walk goes from the mail up through what it answers to the nearest report; mails
 * above a report (the patch that it answers) are not part of its thread.  Everything
 * here looks only at what is stored, never at what it found earlier, so that the result
 * does not depend on the order of arrival.
 */
#include "tracker/link.h"

#include <string.h>

#define WALK_MAX 2000 /* mails above one; a thread this deep is a loop or an attack */

typedef struct found {
	int64_t report; /* row of message; 0 = by another key */
	int64_t regression;
	const char *key;
	double confidence;
	bool acts;
} found;

/* The regression that the report with this Message-ID belongs to; 0 = it is no report.
 */
static bool report_named(tracker *t, const char *message_id, int64_t *report,
			 int64_t *regression, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	*regression = 0;
	if (!db_query(t, &rows,
		      "SELECT m.id, r.regression FROM message m "
		      "JOIN report r ON r.message = m.id "
		      "WHERE m.message_id = ?1 AND r.regression IS NOT NULL "
		      "AND (r.origin <> 'quote' OR m.origin = 'ghost') "
		      "ORDER BY m.variant, r.origin = 'quote', r.id LIMIT 1",
		      DB_ARGS(DB_TEXT(message_id)), error))
		return false;
	if (db_next(&rows, error)) {
		*report = db_int(&rows, 0);
		*regression = db_int(&rows, 1);
	}
	return !rows.failed;
}

/* Ids that a mail names, the nearest first: In-Reply-To as it stands, References from
 * the end. */
static GPtrArray *names_of(tracker *t, int64_t message, const char *kind,
			   GError **error)
{
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT target FROM reference WHERE message = ?1 AND kind = ?2 "
		    "ORDER BY CASE kind WHEN 'references' THEN -position ELSE position END",
		    DB_ARGS(DB_INT(message), DB_TEXT(kind)), error))
		return NULL;
	while (db_next(&rows, error))
		g_ptr_array_add(ids, db_dup(&rows, 0));
	return rows.failed ? NULL : g_steal_pointer(&ids);
}

/* The first of these ids that is stored, as a mail and not as a ghost. */
static bool first_known(tracker *t, const GPtrArray *ids, int64_t *row, GError **error)
{
	*row = 0;
	for (guint i = 0; i < ids->len; i++) {
		int64_t known;
		bool ghost;

		if (!message_find(t, ids->pdata[i], &known, &ghost, error))
			return false;
		if (known && !ghost) {
			*row = known;
			return true;
		}
	}
	return true;
}

bool link_parent(tracker *t, int64_t message, int64_t *parent, GError **error)
{
	g_autoptr(GPtrArray) replies = names_of(t, message, "in-reply-to", error);
	g_autoptr(GPtrArray) references =
		replies ? names_of(t, message, "references", error) : NULL;

	*parent = 0;
	if (!references || !first_known(t, replies, parent, error))
		return false;
	if (!*parent && !first_known(t, references, parent, error))
		return false;
	if (*parent)
		return true;

	const GPtrArray *ids = replies->len ? replies : references;

	return !ids->len || message_or_ghost(t, ids->pdata[0], parent, error);
}

/* The nearest report that one of these ids names. */
static bool report_among(tracker *t, const GPtrArray *ids, found *f, GError **error)
{
	for (guint i = 0; i < ids->len && !f->regression; i++)
		if (!report_named(t, ids->pdata[i], &f->report, &f->regression, error))
			return false;
	return true;
}

static bool names_report(tracker *t, int64_t message, int64_t report, bool *names,
			 GError **error)
{
	int64_t hit = 0;

	if (!db_get_int(
		    t,
		    "SELECT 1 FROM reference x JOIN message m ON m.message_id = x.target "
		    "WHERE x.message = ?1 AND m.id = ?2 AND x.kind <> 'link' LIMIT 1",
		    DB_ARGS(DB_INT(message), DB_INT(report)), &hit, error))
		return false;
	*names = hit;
	return true;
}

/* One mail of the walk: a report that it answers, or the mail to go on with. */
static bool walk_step(tracker *t, int64_t at, found *f, int64_t *next, GError **error)
{
	g_autoptr(GPtrArray) replies = names_of(t, at, "in-reply-to", error);
	g_autoptr(GPtrArray) references =
		replies ? names_of(t, at, "references", error) : NULL;

	*next = 0;
	if (!references || !report_among(t, replies, f, error))
		return false;
	if (f->regression)
		return true;
	if (!first_known(t, replies, next, error))
		return false;
	return *next || first_known(t, references, next, error);
}

/* The regression of a mail that is a report: ours, seen, or a ghost that was quoted. */
static bool is_report(tracker *t, int64_t message, found *f, GError **error)
{
	f->report = message;
	return db_get_int(t,
			  "SELECT r.regression FROM report r "
			  "JOIN message m ON m.id = r.message WHERE m.id = ?1 "
			  "AND r.regression IS NOT NULL "
			  "AND (r.origin <> 'quote' OR m.origin = 'ghost') "
			  "ORDER BY r.origin = 'quote', r.id LIMIT 1",
			  DB_ARGS(DB_INT(message)), &f->regression, error);
}

static bool walk_up(tracker *t, int64_t message, GArray *path, found *f, GError **error)
{
	g_autoptr(GHashTable) visited =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	int64_t at = message;

	while (at && path->len < WALK_MAX &&
	       g_hash_table_add(visited, g_memdup2(&at, sizeof(at)))) {
		int64_t next;

		g_array_append_val(path, at);
		if (!walk_step(t, at, f, &next, error))
			return false;
		if (f->regression)
			return true;
		if (next && !is_report(t, next, f, error))
			return false;
		if (f->regression)
			return true;
		at = next;
	}
	return true;
}

/* In-Reply-To, References and the chain of stored mails. */
static bool by_thread(tracker *t, int64_t message, found *f, GError **error)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(int64_t));
	bool names;

	if (!walk_up(t, message, path, f, error))
		return false;
	bool direct = f->regression && path->len == 1;

	/* The walk ended at a gap: what the mails on the way name beyond it. */
	for (guint i = 0; !f->regression && i < path->len; i++) {
		int64_t at = g_array_index(path, int64_t, i);
		g_autoptr(GPtrArray) ids = names_of(t, at, "references", error);

		if (!ids || !report_among(t, ids, f, error))
			return false;
	}
	if (!f->regression)
		return true;
	if (!names_report(t, message, f->report, &names, error))
		return false;
	if (direct && names) {
		int64_t reply = 0;

		if (!db_get_int(t,
				"SELECT 1 FROM reference x JOIN message m "
				"ON m.message_id = x.target WHERE x.message = ?1 "
				"AND x.kind = 'in-reply-to' AND m.id = ?2",
				DB_ARGS(DB_INT(message), DB_INT(f->report)), &reply,
				error))
			return false;
		direct = reply;
	}
	f->acts = true;
	f->key = direct && names ? "in-reply-to" : names ? "references" : "chain";
	f->confidence = direct && names ? 1 : names ? 0.98 : 0.95;
	return true;
}

/* "X-Regtrail-Regression:" or a quoted "Regression-ID:" line. */
static bool by_id_line(tracker *t, int64_t message, found *f, GError **error)
{
	g_autofree char *id = NULL;

	if (!db_get_text(t, "SELECT regression FROM message WHERE id = ?1",
			 DB_ARGS(DB_INT(message)), &id, error))
		return false;
	if (!id)
		return true;
	*f = (found){ .key = "id-line", .confidence = 0.95, .acts = true };
	return regression_find(t, id, &f->regression, error);
}

/* Our own Message-IDs prove the regression by themselves: eight digits of a hash over
 * it. */
static bool by_own_id(tracker *t, int64_t message, found *f, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	*f = (found){ .key = "own-id", .confidence = 0.9, .acts = true };
	if (!db_query(t, &rows,
		      "SELECT target FROM reference WHERE message = ?1 "
		      "AND kind <> 'link' ORDER BY kind = 'references', "
		      "CASE kind WHEN 'references' THEN -position ELSE position END",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error) && !f->regression)
		if (!proof_find(t, db_text(&rows, 0), &f->regression, error))
			return false;
	return !rows.failed;
}

/* A report that stands in the quotes of this mail. */
static bool by_quote(tracker *t, int64_t message, found *f, GError **error)
{
	*f = (found){ .key = "quote", .confidence = 0.9, .acts = true };
	return db_get_int(t, "SELECT regression FROM report WHERE quoted_by = ?1",
			  DB_ARGS(DB_INT(message)), &f->regression, error);
}

/* The culprit's digits in the subject: only a suggestion, and only when it is unique.
 */
static bool by_subject(tracker *t, int64_t message, found *f, GError **error)
{
	g_autofree char *subject = NULL;
	g_autofree char *culprit = NULL;
	g_auto(db_rows) rows = { 0 };

	if (!db_get_text(t, "SELECT subject FROM message WHERE id = ?1",
			 DB_ARGS(DB_INT(message)), &subject, error))
		return false;
	culprit = link_subject_commit(subject);
	if (!culprit)
		return true;
	if (!db_query(
		    t, &rows,
		    "SELECT id, metric IS NOT NULL AND instr(?2, metric) FROM regression "
		    "WHERE culprit = ?1 AND merged_into IS NULL ORDER BY 2 DESC LIMIT 2",
		    DB_ARGS(DB_TEXT(culprit), DB_TEXT(subject)), error))
		return false;
	*f = (found){ .key = "subject", .confidence = 0.3 };

	bool first_hits = false, second_hits = false;
	guint n = 0;

	while (db_next(&rows, error)) {
		if (n++ == 0) {
			f->regression = db_int(&rows, 0);
			first_hits = db_int(&rows, 1);
		} else {
			second_hits = db_int(&rows, 1);
		}
	}
	if (n > 1 && (!first_hits || second_hits))
		f->regression = 0;
	return !rows.failed;
}

typedef bool (*key_fn)(tracker *, int64_t, found *, GError **);

static bool find_link(tracker *t, int64_t message, found *f, GError **error)
{
	static const key_fn keys[] = { by_thread, by_id_line, by_quote, by_own_id,
				       by_subject };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (!keys[i](t, message, f, error))
			return false;
		if (f->regression)
			return true;
	}
	return true;
}

static bool write_link(refresh *r, int64_t message, const found *f, GError **error)
{
	refresh_regression(r, f->regression);
	return db_run(r->t,
		      "INSERT OR IGNORE INTO link (message, regression, report, key, "
		      "confidence, acts) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
		      DB_ARGS(DB_INT(message), DB_INT(f->regression), DB_ROW(f->report),
			      DB_TEXT(f->key), DB_REAL(f->confidence), DB_INT(f->acts)),
		      error);
}

/* Reports that the author's own words point to, beside the thread that the mail is in.
 * A trailer (Closes:, Link:) makes the mail part of their story, a mention does not. */
static bool write_citations(refresh *r, int64_t message, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(r->t, &rows,
		      "SELECT target, position < 0 FROM reference "
		      "WHERE message = ?1 AND kind = 'link' ORDER BY position",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error)) {
		bool trailer = db_int(&rows, 1);
		found f = { .key = "url",
			    .confidence = trailer ? 0.9 : 0.5,
			    .acts = trailer };

		if (!report_named(r->t, db_text(&rows, 0), &f.report, &f.regression,
				  error))
			return false;
		if (f.regression && !write_link(r, message, &f, error))
			return false;
	}
	return !rows.failed;
}

/* A mail that is a report belongs to its own regression, whatever it answers. */
static bool own_report(tracker *t, int64_t message, found *f, GError **error)
{
	*f = (found){ .key = "report", .confidence = 1, .acts = true };
	return is_report(t, message, f, error);
}

static bool forget_links(refresh *r, int64_t message, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(r->t, &rows, "SELECT regression FROM link WHERE message = ?1",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error))
		refresh_regression(r, db_int(&rows, 0));
	db_rows_clear(&rows);
	return !rows.failed && db_run(r->t, "DELETE FROM link WHERE message = ?1",
				      DB_ARGS(DB_INT(message)), error);
}

bool link_refresh_below(refresh *r, int64_t message, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(r->t, &rows,
		      "SELECT x.message FROM reference x JOIN message m "
		      "ON m.message_id = x.target WHERE m.id = ?1 AND x.kind <> 'link'",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error))
		refresh_message(r, db_int(&rows, 0));
	return !rows.failed;
}

/* The thread's regression as it is written down; 0 = none. */
static bool linked_to(tracker *t, int64_t message, int64_t *regression, GError **error)
{
	*regression = 0;
	return db_get_int(
		t, "SELECT regression FROM link WHERE message = ?1 AND key <> 'url'",
		DB_ARGS(DB_INT(message)), regression, error);
}

bool link_message(refresh *r, int64_t message, GError **error)
{
	found f = { 0 };
	int64_t before, parent, ghost = 0;

	if (!db_get_int(r->t, "SELECT origin = 'ghost' FROM message WHERE id = ?1",
			DB_ARGS(DB_INT(message)), &ghost, error) ||
	    !link_parent(r->t, message, &parent, error) ||
	    !db_run(r->t,
		    "UPDATE message SET parent = ?2 WHERE id = ?1 AND parent IS NOT ?2",
		    DB_ARGS(DB_INT(message), DB_ROW(parent)), error) ||
	    !linked_to(r->t, message, &before, error) ||
	    !forget_links(r, message, error) || !own_report(r->t, message, &f, error))
		return false;
	if (!f.regression && !ghost && !find_link(r->t, message, &f, error))
		return false;
	if (f.regression && !write_link(r, message, &f, error))
		return false;
	if (!write_citations(r, message, error))
		return false;
	return before == f.regression || link_refresh_below(r, message, error);
}
