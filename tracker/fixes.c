/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was seen of fixes in git trees. */
#include <string.h>

#include "tracker/scanning.h"

/* A culprit leaves the trees and comes back by turns; each turn is a row of its own. */
static bool is_turn(const char *state)
{
	return !strcmp(state, "gone") || !strcmp(state, "back");
}

static bool is_news(tracker *t, const fix_row *row, bool *news, GError **error)
{
	g_autofree char *last = NULL;

	*news = true;
	if (!is_turn(row->state))
		return true;
	if (!db_get_text(t,
			 "SELECT state FROM fix WHERE regression = ?1 "
			 "AND state IN ('gone', 'back') ORDER BY id DESC LIMIT 1",
			 DB_ARGS(DB_INT(row->regression)), &last, error))
		return false;
	/* Before it was ever gone it cannot be back. */
	*news = g_strcmp0(last ? last : "back", row->state) != 0;
	return true;
}

bool fix_write(tracker *t, const fix_row *row, bool *added, GError **error)
{
	if (!is_news(t, row, added, error))
		return false;
	if (!*added)
		return true;
	/* Empty, not NULL: the same sighting again must meet the first one's key. */
	if (!db_run(t,
		    "INSERT OR IGNORE INTO fix (regression, at, state, rule, \"commit\", "
		    "subject, tree, evidence) VALUES (?1, ?2, ?3, ?4, coalesce(?5, ''), ?6, "
		    "coalesce(?7, ''), ?8)",
		    DB_ARGS(DB_INT(row->regression), DB_INT(row->at),
			    DB_TEXT(row->state), DB_TEXT(row->rule),
			    DB_TEXT(row->commit), DB_TEXT(row->subject),
			    DB_TEXT(row->tree), DB_TEXT(row->evidence)),
		    error))
		return false;
	*added = db_changes(t) > 0;
	return true;
}

bool tracker_sighting_add(tracker *t, const tracker_sighting *sighting, GError **error)
{
	static const char *const states[] = { "posted", "queued", "merged", "hint",
					      "gone",   "back",   NULL };
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	fix_row row = {
		.at = sighting->at ? sighting->at : sighting->now,
		.state = sighting->state,
		.rule = "told",
		.commit = sighting->commit,
		.subject = sighting->subject,
		.tree = sighting->tree,
		.evidence = sighting->evidence,
	};
	bool added;

	if (!g_strv_contains(states, sighting->state)) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE,
			    "%s: no such state of a fix", sighting->state);
		return false;
	}
	refresh_init(&r, t, sighting->now);
	if (!db_begin(t, &tx, error) ||
	    !regression_by_prefix(t, sighting->id, &row.regression, error) ||
	    !fix_write(t, &row, &added, error))
		return false;
	refresh_regression(&r, row.regression);
	return refresh_settle(&r, error) && db_commit(&tx, error);
}
