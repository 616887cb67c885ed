/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of mails and of mails that are only known by name. */
#include "tracker/store.h"

bool message_find(tracker *t, const char *message_id, int64_t *row, bool *ghost,
		  GError **error)
{
	g_auto(db_rows) rows = { 0 };

	*row = 0;
	if (ghost)
		*ghost = false;
	if (!db_query(t, &rows,
		      "SELECT id, origin = 'ghost' FROM message "
		      "WHERE message_id = ?1 AND variant = 0",
		      DB_ARGS(DB_TEXT(message_id)), error))
		return false;
	if (db_next(&rows, error)) {
		*row = db_int(&rows, 0);
		if (ghost)
			*ghost = db_int(&rows, 1);
	}
	return !rows.failed;
}

bool message_or_ghost(tracker *t, const char *message_id, int64_t *row, GError **error)
{
	if (!message_find(t, message_id, row, NULL, error))
		return false;
	if (*row)
		return true;
	if (!db_run(t,
		    "INSERT INTO message (message_id, origin, class) "
		    "VALUES (?1, 'ghost', 'human')",
		    DB_ARGS(DB_TEXT(message_id)), error))
		return false;
	*row = db_id(t);
	known_add(t, message_id);
	return true;
}

bool reference_insert(tracker *t, int64_t message, const char *kind, int position,
		      const char *target, GError **error)
{
	return db_run(
		t,
		"INSERT OR IGNORE INTO reference (message, kind, position, target) "
		"VALUES (?1, ?2, ?3, ?4)",
		DB_ARGS(DB_INT(message), DB_TEXT(kind), DB_INT(position),
			DB_TEXT(target)),
		error);
}
