/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ids that mails name, and what is known under them. */
#include <string.h>

#include "tracker/linking.h"

GPtrArray *link_names(tracker *t, int64_t message, const char *kind, GError **error)
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

bool link_first_known(tracker *t, const GPtrArray *ids, int64_t *row, GError **error)
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
	g_autoptr(GPtrArray) replies = link_names(t, message, "in-reply-to", error);
	g_autoptr(GPtrArray) references =
		replies ? link_names(t, message, "references", error) : NULL;

	*parent = 0;
	if (!references || !link_first_known(t, replies, parent, error))
		return false;
	if (!*parent && !link_first_known(t, references, parent, error))
		return false;
	if (*parent)
		return true;

	const GPtrArray *ids = replies->len ? replies : references;

	return !ids->len || message_or_ghost(t, ids->pdata[0], parent, error);
}

/*
 * A quote can be made up, with an id of somebody's choice: beside a report that is
 * there it makes no other mail one.
 */
#define HEARSAY "r.origin = 'quote' AND NOT r.counts"

bool link_report_named(tracker *t, const char *message_id, link_found *f,
		       GError **error)
{
	g_auto(db_rows) rows = { 0 };

	f->regression = 0;
	if (!db_query(t, &rows,
		      "SELECT m.id, r.regression, " HEARSAY " FROM message m "
		      "JOIN report r ON r.message = m.id "
		      "WHERE m.message_id = ?1 AND r.regression IS NOT NULL "
		      "AND (r.origin <> 'quote' OR m.origin = 'ghost') "
		      "ORDER BY m.variant, r.origin = 'quote', r.id LIMIT 1",
		      DB_ARGS(DB_TEXT(message_id)), error))
		return false;
	if (db_next(&rows, error)) {
		f->report = db_int(&rows, 0);
		f->regression = db_int(&rows, 1);
		f->hearsay = db_int(&rows, 2);
	}
	return !rows.failed;
}

bool link_report_among(tracker *t, const GPtrArray *ids, link_found *f, GError **error)
{
	for (guint i = 0; i < ids->len && !f->regression; i++)
		if (!link_report_named(t, ids->pdata[i], f, error))
			return false;
	return true;
}

bool link_is_report(tracker *t, int64_t message, link_found *f, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	f->report = message;
	if (!db_query(t, &rows,
		      "SELECT r.regression, " HEARSAY " FROM report r "
		      "JOIN message m ON m.id = r.message WHERE m.id = ?1 "
		      "AND r.regression IS NOT NULL "
		      "AND (r.origin <> 'quote' OR m.origin = 'ghost') "
		      "ORDER BY r.origin = 'quote', r.id LIMIT 1",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	if (db_next(&rows, error)) {
		f->regression = db_int(&rows, 0);
		f->hearsay = db_int(&rows, 1);
	}
	return !rows.failed;
}
