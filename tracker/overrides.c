/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that the operator overrode, and why. */
#include "tracker/store.h"

static void override_free(gpointer data)
{
	tracker_override *o = data;

	g_free(o->message_id);
	g_free(o->check);
	g_free(o->reason);
	g_free(o);
}

GPtrArray *overrides_load(tracker *t, int64_t regression, const char *message_id,
			  GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(override_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT m.message_id, f.name, f.reason FROM report_forced f "
		    "JOIN report r ON r.id = f.report JOIN message m ON m.id = r.message "
		    "WHERE r.regression = ?1 OR m.message_id = ?2 "
		    "ORDER BY r.at, m.message_id, f.name",
		    DB_ARGS(DB_ROW(regression), DB_TEXT(message_id)), error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_override *o = g_new0(tracker_override, 1);

		o->message_id = db_dup(&rows, 0);
		o->check = db_dup(&rows, 1);
		o->reason = db_dup(&rows, 2);
		g_ptr_array_add(all, o);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}
