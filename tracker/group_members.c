/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of a culprit: their order, and which of them count. */
#include <string.h>

#include "tracker/group.h"

static void member_free(member *m)
{
	g_free(m->own_id);
	g_free(m->message_id);
	g_free(m->sender);
	g_ptr_array_unref(m->findings);
	g_free(m);
}

static int by_weight(gconstpointer a, gconstpointer b)
{
	const member *x = *(member *const *)a, *y = *(member *const *)b;

	if (x->quote != y->quote)
		return x->quote - y->quote;
	if (x->live != y->live)
		return y->live - x->live;
	/* Ours, then robots as far as they are proved, then anybody: tracker/trust.h.
	 */
	if (x->trust != y->trust)
		return (int)y->trust - (int)x->trust;
	if (x->brief != y->brief)
		return x->brief - y->brief;
	/* Of quotes, the one that says most is the one to believe. */
	if (x->quote && x->findings->len != y->findings->len)
		return x->findings->len < y->findings->len ? 1 : -1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return g_strcmp0(x->message_id, y->message_id);
}

static void read_sender(const tracker *t, const db_rows *rows, member *m)
{
	const char *signed_by = db_text(rows, 11);

	m->sender = m->quote ? NULL : db_dup(rows, 10);
	m->trust = m->ours ? TRUST_OWN : trust_of(t, m->sender, signed_by);
	m->proved = m->ours || trust_proved(t, m->sender, signed_by);
	m->stored = db_int(rows, 12);
}

static bool load_findings(tracker *t, member *m, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT coalesce(testcase, ''), coalesce(metric, ''), position "
		      "FROM finding WHERE report = ?1 ORDER BY position",
		      DB_ARGS(DB_INT(m->report)), error))
		return false;
	while (db_next(&rows, error)) {
		const char *metric = db_text(&rows, 1);

		if (db_int(&rows, 2) == 0)
			m->full = *db_text(&rows, 0) && *metric;
		g_ptr_array_add(m->findings,
				g_strdup_printf("%s\n%s", db_text(&rows, 0), metric));
	}
	return !rows.failed;
}

/*
 * Drafts and cancelled mails of ours count from the moment that they exist.  A mail
 * that was taken for the quoted report, and then turned out to be none, tells nothing.
 */
GPtrArray *group_members(tracker *t, const char *culprit, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)member_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT r.id, r.message, r.regression, r.own_id, r.origin = 'quote', "
		    "r.live, r.at, coalesce(m.message_id, q.message_id, ''), "
		    "r.origin = 'own', length(r.\"commit\") < 10, m.address, m.signed_by, "
		    "r.counts FROM report r "
		    "LEFT JOIN message m ON m.id = r.message "
		    "LEFT JOIN message q ON q.id = r.quoted_by WHERE r.culprit = ?1",
		    DB_ARGS(DB_TEXT(culprit)), error))
		return NULL;
	while (db_next(&rows, error)) {
		member *m = g_new0(member, 1);

		m->report = db_int(&rows, 0);
		m->message = db_int(&rows, 1);
		m->regression = db_int(&rows, 2);
		m->own_id = db_dup(&rows, 3);
		m->quote = db_int(&rows, 4);
		m->live = db_int(&rows, 5);
		m->at = db_int(&rows, 6);
		m->message_id = db_dup(&rows, 7);
		m->ours = db_int(&rows, 8);
		m->brief = db_int(&rows, 9);
		read_sender(t, &rows, m);
		m->findings = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(all, m);
		if (!load_findings(t, m, error))
			return NULL;
	}
	if (rows.failed)
		return NULL;
	g_ptr_array_sort(all, by_weight);
	return g_steal_pointer(&all);
}

/* Whether one of its house has proved who he is: then nobody else is of that house. */
static bool is_impostor(const group *g, const member *m)
{
	for (guint i = 0; !m->proved && i < g->members->len; i++) {
		const member *other = g->members->pdata[i];

		if (other->proved && trust_same_house(other->sender, m->sender))
			return true;
	}
	return false;
}

void group_weigh(const group *g)
{
	const member *first = g->members->pdata[0];

	for (guint i = 0; i < g->members->len; i++) {
		member *m = g->members->pdata[i];

		if (m == first || m->ours)
			m->counts = true;
		else if (m->quote)
			m->counts = first->quote;
		else
			m->counts = (m->trust != TRUST_ANYBODY ||
				     trust_same_house(first->sender, m->sender)) &&
				    !is_impostor(g, m);
	}
}
