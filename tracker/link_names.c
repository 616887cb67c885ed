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

bool link_report_named(tracker *t, const char *message_id, int64_t *report,
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

bool link_report_among(tracker *t, const GPtrArray *ids, link_found *f, GError **error)
{
	for (guint i = 0; i < ids->len && !f->regression; i++)
		if (!link_report_named(t, ids->pdata[i], &f->report, &f->regression,
				       error))
			return false;
	return true;
}

bool link_is_report(tracker *t, int64_t message, link_found *f, GError **error)
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
