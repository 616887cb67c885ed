/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk goes from a mail up through what it answers to the nearest report; mails
 * above a report (the patch that it answers) are not part of its thread.
 */
#include "tracker/linking.h"

/* One mail of the walk: a report that it answers, or the mail to go on with. */
static bool walk_step(tracker *t, int64_t at, link_found *f, int64_t *next,
		      GError **error)
{
	g_autoptr(GPtrArray) replies = link_names(t, at, "in-reply-to", error);
	g_autoptr(GPtrArray) references =
		replies ? link_names(t, at, "references", error) : NULL;

	*next = 0;
	if (!references || !link_report_among(t, replies, f, error))
		return false;
	if (f->regression)
		return true;
	if (!link_first_known(t, replies, next, error))
		return false;
	return *next || link_first_known(t, references, next, error);
}

/* refresh.walks holds what is known already. */
static const link_above *recall(const refresh *r, int64_t message)
{
	return g_hash_table_lookup(r->walks, &message);
}

static void remember(refresh *r, int64_t message, const link_above *w)
{
	g_hash_table_insert(r->walks, g_memdup2(&message, sizeof(message)),
			    g_memdup2(w, sizeof(*w)));
}

/* Adds what the mails from the last of the path down to `first` name beyond the gap. */
static bool walk_back(refresh *r, const GArray *path, guint first, link_above *w,
		      GError **error)
{
	for (guint i = path->len; i-- > first;) {
		int64_t at = g_array_index(path, int64_t, i);
		link_found f = { 0 };

		if (!w->regression || w->gap) {
			g_autoptr(GPtrArray) ids =
				link_names(r->t, at, "references", error);

			if (!ids || !link_report_among(r->t, ids, &f, error))
				return false;
		}
		if (f.regression)
			*w = (link_above){ f.report, f.regression, true, f.hearsay };
		remember(r, at, w);
	}
	return true;
}

/* Walks until a report, the end, a mail that is known already, or one of this path:
 * then *ring is where that one stands, else the length of the path. */
static bool walk_up(refresh *r, int64_t message, GArray *path, link_above *w,
		    guint *ring, GError **error)
{
	g_autoptr(GHashTable) places =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	int64_t at = message;

	*ring = G_MAXUINT;
	while (at) {
		const link_above *known = recall(r, at);
		gpointer place;
		link_found f = { 0 };
		int64_t next;

		if (known) {
			*w = *known;
			return true;
		}
		if (g_hash_table_lookup_extended(places, &at, NULL, &place)) {
			*ring = GPOINTER_TO_UINT(place);
			return true;
		}
		g_hash_table_insert(places, g_memdup2(&at, sizeof(at)),
				    GUINT_TO_POINTER(path->len));
		g_array_append_val(path, at);
		if (!walk_step(r->t, at, &f, &next, error) ||
		    (!f.regression && next && !link_is_report(r->t, next, &f, error)))
			return false;
		if (f.regression) {
			*w = (link_above){ f.report, f.regression, false, f.hearsay };
			return true;
		}
		at = next;
	}
	return true;
}

bool link_walk(refresh *r, int64_t message, link_above *w, GError **error)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(int64_t));
	guint ring;

	*w = (link_above){ 0 };
	if (!walk_up(r, message, path, w, &ring, error))
		return false;
	/* In a ring the last mail has above it what the first has: once around for
	 * that. */
	return (ring == G_MAXUINT || walk_back(r, path, ring, w, error)) &&
	       walk_back(r, path, 0, w, error);
}
