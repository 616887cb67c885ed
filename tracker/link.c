/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which regression a mail is about, by which key, and how sure that is.
 *
 * Everything here looks only at what is stored, never at what it found earlier, so that
 * the result does not depend on the order of arrival.
 */
#include "tracker/linking.h"

static bool write_link(refresh *r, int64_t message, const link_found *f, GError **error)
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
		link_found f = { .key = "url", .confidence = trailer ? 0.9 : 0.5 };

		if (!link_report_named(r->t, db_text(&rows, 0), &f, error))
			return false;
		f.acts = trailer && !f.hearsay;
		if (f.regression && !write_link(r, message, &f, error))
			return false;
	}
	return !rows.failed;
}

/* A mail that is a report belongs to its own regression, whatever it answers. */
static bool own_report(tracker *t, int64_t message, link_found *f, GError **error)
{
	*f = (link_found){ .key = "report" };
	if (!link_is_report(t, message, f, error))
		return false;
	f->confidence = f->hearsay ? 0.5 : 1;
	f->acts = !f->hearsay;
	return true;
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

/* The thread's regression as it is written down, and whether that acts; 0 = none. */
static bool linked_to(tracker *t, int64_t message, int64_t *what, GError **error)
{
	*what = 0;
	return db_get_int(t,
			  "SELECT regression * 2 + acts FROM link "
			  "WHERE message = ?1 AND key <> 'url'",
			  DB_ARGS(DB_INT(message)), what, error);
}

bool link_message(refresh *r, int64_t message, GError **error)
{
	link_found f = { 0 };
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
	if (!f.regression && !ghost && !link_find(r, message, &f, error))
		return false;
	if (f.regression && !write_link(r, message, &f, error))
		return false;
	if (!write_citations(r, message, error))
		return false;

	bool any;

	return before == f.regression * 2 + f.acts ||
	       refresh_below(r, message, &any, error);
}
