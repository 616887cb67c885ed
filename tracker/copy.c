/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mail whose Message-ID is known already. */
#include <string.h>

#include "tracker/ingest.h"

/* Our own mail has come back from a list: it did leave, whatever the wire said. */
static bool settle_own(tracker_ingest *run, int64_t known, GError **error)
{
	int64_t outbox = 0;

	if (!db_get_int(run->t,
			"SELECT id FROM outbox WHERE message = ?1 "
			"AND state NOT IN ('sent', 'draft', 'cancelled')",
			DB_ARGS(DB_INT(known)), &outbox, error))
		return false;
	return !outbox || outbox_sent(&run->r, outbox, error);
}

static bool add_lists(tracker_ingest *run, int64_t known, const GPtrArray *lists,
		      GError **error)
{
	for (guint i = 0; i < lists->len; i++)
		if (!db_run(run->t,
			    "INSERT OR IGNORE INTO message_list (message, list) "
			    "VALUES (?1, ?2)",
			    DB_ARGS(DB_INT(known), DB_TEXT(lists->pdata[i])), error))
			return false;
	return true;
}

bool copy_store(tracker_ingest *run, int64_t known, arrival *a, GError **error)
{
	return add_lists(run, known, a->reading->mail->lists, error) &&
	       settle_own(run, known, error);
}
