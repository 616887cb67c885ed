/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mails that a person wants forgotten, bytes that are too old, commands of nobody. */
#include <string.h>

#include "tracker/store.h"

#define GONE "(forgotten)"

/* Everything that holds words of the mail in ?1 or tells who wrote it. */
static const char *const steps[] = {
	"DELETE FROM words WHERE message = ?1",
	"UPDATE message SET name = NULL, address = NULL, subject = '', first_words = NULL, "
	"signed_by = NULL, bytes = NULL, place = NULL WHERE id = ?1",
	"UPDATE verdict SET evidence = '" GONE "' WHERE message = ?1",
	"UPDATE mechanism SET evidence = '" GONE "' WHERE message = ?1",
	"DELETE FROM command WHERE message = ?1",
	"DELETE FROM trailer WHERE message = ?1",
	"DELETE FROM patch WHERE message = ?1",
	"DELETE FROM notice WHERE message = ?1",
	"UPDATE event SET evidence = '" GONE "', actor = '" GONE "' WHERE message = ?1",
};

static bool erase(tracker *t, int64_t row, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++)
		if (!db_run(t, steps[i], DB_ARGS(DB_INT(row)), error))
			return false;
	return true;
}

static bool refresh_linked(refresh *r, int64_t row, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(r->t, &rows, "SELECT regression FROM link WHERE message = ?1",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	while (db_next(&rows, error))
		refresh_regression(r, db_int(&rows, 0));
	return !rows.failed;
}

/* All mails under the id; *n counts them. */
static bool forget_stored(refresh *r, const char *id, unsigned *n, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(r->t, &rows,
		      "SELECT id, origin = 'own', CASE class WHEN 'human' "
		      "THEN nullif(address, '') END FROM message WHERE message_id = ?1 "
		      "AND origin <> 'ghost'",
		      DB_ARGS(DB_TEXT(id)), error))
		return false;
	while (db_next(&rows, error)) {
		if (db_int(&rows, 1)) {
			g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE,
				    "<%s>: is a mail of ours", id);
			return false;
		}
		/* Who wants to be forgotten does not want to be reminded. */
		if (!db_is_null(&rows, 2) &&
		    !reminder_stop(r->t, db_text(&rows, 2), r->now, error))
			return false;
		if (!erase(r->t, db_int(&rows, 0), error) ||
		    !refresh_linked(r, db_int(&rows, 0), error))
			return false;
		++*n;
	}
	return !rows.failed;
}

bool tracker_forget(tracker *t, const char *message_id, int64_t now, GError **error)
{
	g_autofree char *id = parser_url_message_id(message_id, strlen(message_id));
	const char *bare = id ? id : message_id;
	int64_t hash = db_hash(t, bare);
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	unsigned n = 0;

	refresh_init(&r, t, now);
	if (!db_begin(t, &tx, error) || !forget_stored(&r, bare, &n, error) ||
	    !db_run(t, "DELETE FROM stray WHERE hash = ?1", DB_ARGS(DB_INT(hash)),
		    error) ||
	    !db_run(t, "DELETE FROM unclaimed WHERE hash = ?1", DB_ARGS(DB_INT(hash)),
		    error))
		return false;
	if (!n && !db_changes(t)) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND,
			    "%s: no such mail", bare);
		return false;
	}
	if (!db_run(t, "INSERT OR REPLACE INTO forgotten (hash, at) VALUES (?1, ?2)",
		    DB_ARGS(DB_INT(hash), DB_INT(now)), error) ||
	    !refresh_settle(&r, error) || !db_commit(&tx, error))
		return false;
	/* Nothing of it is to stay in the log either; a reader may still need that. */
	sqlite3_wal_checkpoint_v2(t->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	return true;
}

bool tracker_expire(tracker *t, int64_t unclaimed_before, int64_t closed_before,
		    size_t *rows, GError **error)
{
	g_auto(db_tx) tx = { 0 };

	*rows = 0;
	if (!db_begin(t, &tx, error) ||
	    !db_run(t, "DELETE FROM unclaimed WHERE kept IS NOT NULL AND arrived < ?1",
		    DB_ARGS(DB_INT(unclaimed_before)), error))
		return false;
	*rows += (size_t)db_changes(t);
	if (closed_before &&
	    !db_run(t,
		    "UPDATE message SET bytes = NULL WHERE origin = 'mail' "
		    "AND bytes IS NOT NULL AND NOT EXISTS "
		    "(SELECT 1 FROM link l JOIN regression g ON g.id = l.regression "
		    " WHERE l.message = message.id AND (g.open OR g.status IS NULL OR "
		    " (SELECT max(recorded) FROM event WHERE regression = g.id) >= ?1))",
		    DB_ARGS(DB_INT(closed_before)), error))
		return false;
	if (closed_before)
		*rows += (size_t)db_changes(t);
	return db_commit(&tx, error);
}

static void stray_free(tracker_stray *stray)
{
	g_free(stray->message_id);
	g_free(stray->author);
	g_free(stray->verb);
	g_free(stray->arguments);
	g_free(stray);
}

GPtrArray *tracker_strays(tracker *t, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)stray_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT message_id, author, verb, arguments, date FROM stray "
		      "ORDER BY date, message_id, position",
		      DB_NO_ARGS, error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_stray *stray = g_new0(tracker_stray, 1);

		stray->message_id = db_dup(&rows, 0);
		stray->author = db_dup(&rows, 1);
		stray->verb = db_dup(&rows, 2);
		stray->arguments = db_dup(&rows, 3);
		stray->date = db_int(&rows, 4);
		g_ptr_array_add(all, stray);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}
