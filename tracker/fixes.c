/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a scan of git trees saw. */
#include <string.h>

#include "tracker/store.h"

bool tracker_sighting_add(tracker *t, const tracker_sighting *sighting, GError **error)
{
	static const char *const states[] = { "posted", "queued", "merged", "gone",
					      NULL };
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	int64_t row;

	if (!g_strv_contains(states, sighting->state)) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE,
			    "%s: no such state of a fix", sighting->state);
		return false;
	}
	refresh_init(&r, t, sighting->now);
	if (!db_begin(t, &tx, error) ||
	    !regression_by_prefix(t, sighting->id, &row, error))
		return false;
	/* Empty, not NULL: the same sighting again must meet the first one's key. */
	if (!db_run(t,
		    "INSERT OR IGNORE INTO fix (regression, at, state, \"commit\", subject, "
		    "tree, evidence) VALUES (?1, ?2, ?3, coalesce(?4, ''), ?5, "
		    "coalesce(?6, ''), ?7)",
		    DB_ARGS(DB_INT(row),
			    DB_INT(sighting->at ? sighting->at : sighting->now),
			    DB_TEXT(sighting->state), DB_TEXT(sighting->commit),
			    DB_TEXT(sighting->subject), DB_TEXT(sighting->tree),
			    DB_TEXT(sighting->evidence)),
		    error))
		return false;
	refresh_regression(&r, row);
	return refresh_settle(&r, error) && db_commit(&tx, error);
}
