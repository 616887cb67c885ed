/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mail whose Message-ID is known already. */
#include "tracker/ingest.h"

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
	       outbox_returned(&run->r, known, error);
}
