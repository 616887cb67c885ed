/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "tracker/records.h"

static bool is_commit(const char *text)
{
	return strlen(text) >= 4 &&
	       text[strspn(text, "0123456789abcdefABCDEF")] == '\0';
}

/* Regressions of commits with that prefix, or of that subject. */
static GArray *regressions_of(tracker *t, const char *commit, GError **error)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autofree char *low = g_ascii_strdown(commit, -1);
	g_autofree char *ten = g_strndup(low, 10);
	g_autofree char *high = g_strconcat(ten, "g", NULL);
	g_auto(db_rows) rows = { 0 };

	if (!(is_commit(commit) ?
		      db_query(
			      t, &rows,
			      "SELECT id FROM regression WHERE culprit >= ?1 "
			      "AND culprit < ?2 AND merged_into IS NULL "
			      "AND substr(coalesce(\"commit\", culprit), 1, length(?3)) "
			      "= substr(?3, 1, length(coalesce(\"commit\", culprit))) "
			      "ORDER BY culprit, reported_at, id",
			      DB_ARGS(DB_TEXT(ten), DB_TEXT(high), DB_TEXT(low)),
			      error) :
		      db_query(t, &rows,
			       "SELECT id FROM regression WHERE subject = ?1 "
			       "AND merged_into IS NULL ORDER BY reported_at, id",
			       DB_ARGS(DB_TEXT(commit)), error)))
		return NULL;
	while (db_next(&rows, error)) {
		int64_t id = db_int(&rows, 0);

		g_array_append_val(ids, id);
	}
	return rows.failed ? NULL : g_steal_pointer(&ids);
}

static bool add_replies(tracker *t, int64_t regression, GPtrArray *all, GError **error)
{
	g_auto(db_rows) rows = { 0 };
	g_auto(roles) r = { 0 };

	if (!roles_load(t, regression, &r, error) ||
	    !db_query(t, &rows,
		      "SELECT " MESSAGE_COLUMNS MESSAGE_FROM
		      "WHERE l.regression = ?1 AND l.key <> 'report' "
		      "ORDER BY m.date, m.message_id",
		      DB_ARGS(DB_INT(regression)), error))
		return false;
	while (db_next(&rows, error)) {
		tracker_message *message = records_message(t, &rows, &r, error);

		if (!message)
			return false;
		g_ptr_array_add(all, message);
	}
	return !rows.failed;
}

GPtrArray *tracker_replies(tracker *t, const char *commit, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)records_message_free);
	g_autoptr(GArray) ids = regressions_of(t, commit, error);

	if (!ids)
		return NULL;
	if (!ids->len) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND,
			    "%s: no regression of such a commit is known", commit);
		return NULL;
	}
	for (guint i = 0; i < ids->len; i++)
		if (!add_replies(t, g_array_index(ids, int64_t, i), all, error))
			return NULL;
	return g_steal_pointer(&all);
}
