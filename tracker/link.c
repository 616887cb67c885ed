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

/*
 * What lies above a mail: the report that the walk reaches; or, when it ends at a gap,
 * the nearest one that the mails on the way name beyond it.
 */
typedef struct walked {
	int64_t report, regression;
	bool gap;
} walked;

/* Above a mail is what is above its parent, so each mail is looked at once a settling,
 * however deep the thread is. */
static const walked *recall(const refresh *r, int64_t message)
{
	return g_hash_table_lookup(r->walks, &message);
}

static void remember(refresh *r, int64_t message, const walked *w)
{
	g_hash_table_insert(r->walks, g_memdup2(&message, sizeof(message)),
			    g_memdup2(w, sizeof(*w)));
}

/* Adds what the mails from the last of the path down to `first` name beyond the gap. */
static bool walk_back(refresh *r, const GArray *path, guint first, walked *w,
		      GError **error)
{
	for (guint i = path->len; i-- > first;) {
		int64_t at = g_array_index(path, int64_t, i);
		found f = { 0 };

		if (!w->regression || w->gap) {
			g_autoptr(GPtrArray) ids =
				names_of(r->t, at, "references", error);

			if (!ids || !report_among(r->t, ids, &f, error))
				return false;
		}
		if (f.regression)
			*w = (walked){ f.report, f.regression, true };
		remember(r, at, w);
	}
	return true;
}

/* Walks until a report, the end, a mail that is known already, or one of this path:
 * then *ring is where that one stands, else the length of the path. */
static bool walk_up(refresh *r, int64_t message, GArray *path, walked *w, guint *ring,
		    GError **error)
{
	g_autoptr(GHashTable) places =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	int64_t at = message;

	*ring = G_MAXUINT;
	while (at) {
		const walked *known = recall(r, at);
		gpointer place;
		found f = { 0 };
		int64_t next;

		if (known) {
			*w = *known;
			return true;
		}
		if (g_hash_table_lookup_extended(places, &at, NULL, &place)) {
			*ring = GPOINTER_TO_UINT(place);
			return true;
		}
		g_hash_table_insert(places, g_memdup2(&at, sizeof(at)),
				    GUINT_TO_POINTER(path->len));
		g_array_append_val(path, at);
		if (!walk_step(r->t, at, &f, &next, error) ||
		    (!f.regression && next && !is_report(r->t, next, &f, error)))
			return false;
		if (f.regression) {
			*w = (walked){ f.report, f.regression, false };
			return true;
		}
		at = next;
	}
	return true;
}

static bool walk(refresh *r, int64_t message, walked *w, GError **error)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(int64_t));
	guint ring;

	*w = (walked){ 0 };
	if (!walk_up(r, message, path, w, &ring, error))
		return false;
	/* In a ring the last mail has above it what the first has: once around for
	 * that. */
	return (ring == G_MAXUINT || walk_back(r, path, ring, w, error)) &&
	       walk_back(r, path, 0, w, error);
}

/* In-Reply-To, References and the chain of stored mails. */
static bool by_thread(refresh *r, int64_t message, found *f, GError **error)
{
	walked w;
	bool names, direct = false;

	if (!walk(r, message, &w, error))
		return false;
	f->report = w.report;
	f->regression = w.regression;
	if (!f->regression)
		return true;
	if (!names_report(r->t, message, f->report, &names, error))
		return false;
	if (names && !w.gap) {
		int64_t reply = 0;

		if (!db_get_int(r->t,
				"SELECT 1 FROM reference x JOIN message m "
				"ON m.message_id = x.target WHERE x.message = ?1 "
				"AND x.kind = 'in-reply-to' AND m.id = ?2",
				DB_ARGS(DB_INT(message), DB_INT(f->report)), &reply,
				error))
			return false;
		direct = reply;
	}
	f->acts = true;
	f->key = direct ? "in-reply-to" : names ? "references" : "chain";
	f->confidence = direct ? 1 : names ? 0.98 : 0.95;
	return true;
}

/* "X-Regtrail-Regression:" or a quoted "Regression-ID:" line. */
static bool by_id_line(refresh *r, int64_t message, found *f, GError **error)
{
	tracker *t = r->t;
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
static bool by_own_id(refresh *r, int64_t message, found *f, GError **error)
{
	tracker *t = r->t;
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
static bool by_quote(refresh *r, int64_t message, found *f, GError **error)
{
	tracker *t = r->t;
	*f = (found){ .key = "quote", .confidence = 0.9, .acts = true };
	return db_get_int(t, "SELECT regression FROM report WHERE quoted_by = ?1",
			  DB_ARGS(DB_INT(message)), &f->regression, error);
}

/* The culprit's digits in the subject: only a suggestion, and only when it is unique.
 */
static bool by_subject(refresh *r, int64_t message, found *f, GError **error)
{
	tracker *t = r->t;
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

typedef bool (*key_fn)(refresh *, int64_t, found *, GError **);

static bool find_link(refresh *r, int64_t message, found *f, GError **error)
{
	static const key_fn keys[] = { by_thread, by_id_line, by_quote, by_own_id,
				       by_subject };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (!keys[i](r, message, f, error))
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

static bool refresh_below(refresh *r, int64_t message, bool *any, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	*any = false;
	if (!db_query(r->t, &rows,
		      "SELECT x.message FROM reference x JOIN message m "
		      "ON m.message_id = x.target WHERE m.id = ?1 AND x.kind <> 'link'",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error)) {
		refresh_message(r, db_int(&rows, 0));
		*any = true;
	}
	return !rows.failed;
}

bool link_arrived(refresh *r, int64_t message, GError **error)
{
	bool any;

	if (!refresh_below(r, message, &any, error))
		return false;
	if (any)
		refresh_walks(r);
	return true;
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
	if (!f.regression && !ghost && !find_link(r, message, &f, error))
		return false;
	if (f.regression && !write_link(r, message, &f, error))
		return false;
	if (!write_citations(r, message, error))
		return false;

	bool any;

	return before == f.regression || refresh_below(r, message, &any, error);
}
