/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content of commits, by git's patch-id: it stays when a commit moves. */
#include <string.h>

#include "tracker/scanning.h"

char *scan_patch_id(tracker_scan *scan, const char *commit)
{
	const tracker_repository *repo = scan->repository;
	char *id =
		repo && repo->patch_id ? repo->patch_id(commit, repo->context) : NULL;

	if (id && !*id)
		g_clear_pointer(&id, g_free); /* a merge has none */
	return id;
}

bool scan_offers_this(tracker_scan *scan, const question *q, const candidate *c,
		      bool *same, GError **error)
{
	const tracker_repository *repo = scan->repository;
	g_autoptr(GError) cause = NULL;
	g_autoptr(GBytes) text = scan_patch_text(scan, q->message, q->position, &cause);
	g_autofree char *theirs = NULL, *ours = NULL;

	*same = false;
	if (cause) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return false;
	}
	if (!text || !repo || !repo->patch_id_of)
		return true;
	ours = repo->patch_id_of(text, repo->context);
	theirs = ours && *ours ? scan_patch_id(scan, c->id) : NULL;
	*same = theirs && strcmp(ours, theirs) == 0;
	return true;
}

bool scan_culprit_patch_id(tracker_scan *scan, const subject_ *s, char **id,
			   GError **error)
{
	*id = NULL;
	if (!db_get_text(scan->t,
			 "SELECT patch FROM tree_commit WHERE regression = ?1 "
			 "AND patch IS NOT NULL ORDER BY copy LIMIT 1",
			 DB_ARGS(DB_INT(s->row)), id, error))
		return false;
	if (!*id && s->commit)
		*id = scan_patch_id(scan, s->commit);
	return true;
}
