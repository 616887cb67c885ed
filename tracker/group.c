/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which reports are about the same regression.  All reports of a culprit are grouped
 * anew, in the order of their time, whenever one is added, so that it does not matter
 * in which order they arrived:
 *
 *  - the ID by a report's own facts is the ID of a group, or
 *  - its headline is a finding of a group already, by the word of a robot of ours or of
 *    its own house, or
 *  - it starts a group, and its ID is that of the regression.
 *
 * The order is that of trust first: a report that anybody may have sent is no other's
 * founder, and counts only where its own house founded the group.
 *
 * Reports that are known only from a quote come last: they join by the mail that they
 * are about, by ID, by headline, or - when the quote does not tell the test - by
 * metric.
 */
#include <string.h>

#include "tracker/group.h"
#include "tracker/link.h"

static void group_free(group *g)
{
	g_ptr_array_unref(g->members);
	g_free(g);
}

static const char *headline(const member *m)
{
	return m->findings->len ? m->findings->pdata[0] : "\n";
}

static bool has_id(const group *g, const member *m)
{
	for (guint i = 0; i < g->members->len; i++)
		if (!strcmp(((member *)g->members->pdata[i])->own_id, m->own_id))
			return true;
	return false;
}

/* With its impact table a report takes others in, which not everybody may. */
static bool may_take(const member *other, const member *m)
{
	return m->quote || other->trust != TRUST_ANYBODY ||
	       trust_same_house(other->sender, m->sender);
}

static bool has_headline(const group *g, const member *m)
{
	for (guint i = 0; i < g->members->len; i++) {
		const member *other = g->members->pdata[i];
		guint n = may_take(other, m) ? other->findings->len :
					       MIN(other->findings->len, 1);

		for (guint j = 0; j < n; j++)
			if (m->full && !strcmp(other->findings->pdata[j], headline(m)))
				return true;
	}
	return false;
}

static bool has_message(const group *g, const member *m)
{
	for (guint i = 0; m->quote && m->message && i < g->members->len; i++)
		if (((member *)g->members->pdata[i])->message == m->message)
			return true;
	return false;
}

/* A quote that was cut before the test was named: the metric, or nothing, must do. */
static bool has_metric(const group *g, const member *m)
{
	const char *metric = strchr(headline(m), '\n') + 1;

	if (!m->quote || m->full)
		return false;
	for (guint i = 0; i < g->members->len; i++) {
		const char *other = strchr(headline(g->members->pdata[i]), '\n') + 1;

		if (!*metric || !strcmp(metric, other))
			return true;
	}
	return false;
}

static group *find_group(const GPtrArray *groups, const member *m)
{
	static bool (*const tests[])(const group *,
				     const member *) = { has_message, has_id,
							 has_headline, has_metric };

	for (size_t k = 0; k < G_N_ELEMENTS(tests); k++)
		for (guint i = 0; i < groups->len; i++)
			if (tests[k](groups->pdata[i], m))
				return groups->pdata[i];
	return NULL;
}

/* Without a culprit nothing but the ID tells that two reports are the same. */
static group *find_by_id(const GPtrArray *groups, const member *m)
{
	for (guint i = 0; i < groups->len; i++)
		if (has_message(groups->pdata[i], m) || has_id(groups->pdata[i], m))
			return groups->pdata[i];
	return NULL;
}

static GPtrArray *make_groups(const GPtrArray *members, bool culprit_known)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify)group_free);

	for (guint i = 0; i < members->len; i++) {
		member *m = members->pdata[i];
		group *g =
			culprit_known ? find_group(groups, m) : find_by_id(groups, m);

		if (!g) {
			g = g_new0(group, 1);
			g->members = g_ptr_array_new();
			g_ptr_array_add(groups, g);
		}
		g_ptr_array_add(g->members, m);
	}
	return groups;
}

static const char *primary_id(const group *g)
{
	return ((member *)g->members->pdata[0])->own_id;
}

static bool is_taken(const GPtrArray *groups, int64_t row)
{
	for (guint i = 0; i < groups->len; i++)
		if (((group *)groups->pdata[i])->row == row)
			return true;
	return false;
}

/* The row that already has this group's ID ... */
static bool find_row(tracker *t, group *g, GError **error)
{
	return db_get_int(t, "SELECT id FROM regression WHERE regression = ?1",
			  DB_ARGS(DB_TEXT(primary_id(g))), &g->row, error);
}

/* ... else one that a member stood in, and that is no other group's. */
static bool inherit_row(tracker *t, const GPtrArray *groups, group *g,
			const char *culprit, GError **error)
{
	for (guint i = 0; !g->row && i < g->members->len; i++) {
		int64_t old = ((member *)g->members->pdata[i])->regression;
		int64_t others = 0;

		if (!old || is_taken(groups, old))
			continue;
		if (!db_get_int(t,
				"SELECT 1 FROM report WHERE regression = ?1 "
				"AND culprit <> ?2 LIMIT 1",
				DB_ARGS(DB_INT(old), DB_TEXT(culprit)), &others, error))
			return false;
		if (!others)
			g->row = old;
	}
	return true;
}

static bool write_row(tracker *t, group *g, const char *culprit, GError **error)
{
	if (g->row)
		return db_run(
			t,
			"UPDATE regression SET regression = ?2, merged_into = NULL, "
			"culprit = ?3 WHERE id = ?1",
			DB_ARGS(DB_INT(g->row), DB_TEXT(primary_id(g)),
				DB_TEXT(culprit)),
			error);
	if (!db_run(t, "INSERT INTO regression (regression, culprit) VALUES (?1, ?2)",
		    DB_ARGS(DB_TEXT(primary_id(g)), DB_TEXT(culprit)), error))
		return false;
	g->row = db_id(t);
	return true;
}

/* Mails that answer a report follow it to another regression. */
static bool refresh_answers(refresh *r, const member *m, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!m->message)
		return true;
	refresh_message(r, m->message);
	if (!db_query(r->t, &rows, "SELECT message FROM reference WHERE target = ?1",
		      DB_ARGS(DB_TEXT(m->message_id)), error))
		return false;
	while (db_next(&rows, error))
		refresh_message(r, db_int(&rows, 0));
	return !rows.failed;
}

static bool refresh_quoting(refresh *r, const member *m, GError **error)
{
	int64_t by = 0;

	if (!m->quote)
		return true;
	if (!db_get_int(r->t, "SELECT quoted_by FROM report WHERE id = ?1",
			DB_ARGS(DB_INT(m->report)), &by, error))
		return false;
	refresh_message(r, by);
	return true;
}

static bool place_member(refresh *r, const group *g, member *m, GError **error)
{
	if (strcmp(m->own_id, primary_id(g)) &&
	    (!db_run(r->t,
		     "INSERT OR REPLACE INTO alias (alias, regression) VALUES (?1, ?2)",
		     DB_ARGS(DB_TEXT(m->own_id), DB_INT(g->row)), error) ||
	     !id_digits(r->t, m->own_id, error)))
		return false;
	/* A mail of ours about it may be known to others only. */
	if ((m->ours || m->quote) && !proofs_add(r->t, g->row, m->own_id, error))
		return false;
	/* Answers to what is only quoted act or not by whether that counts. */
	if (m->counts != m->stored &&
	    (!db_run(r->t, "UPDATE report SET counts = ?2 WHERE id = ?1",
		     DB_ARGS(DB_INT(m->report), DB_INT(m->counts)), error) ||
	     (m->quote && !refresh_answers(r, m, error))))
		return false;
	if (m->regression == g->row)
		return true;
	refresh_regression(r, m->regression);
	return db_run(r->t, "UPDATE report SET regression = ?2 WHERE id = ?1",
		      DB_ARGS(DB_INT(m->report), DB_INT(g->row)), error) &&
	       refresh_answers(r, m, error) && refresh_quoting(r, m, error);
}

/*
 * What lists show of a regression: from its first report, of which the culprit's
 * subject or place may be known better from a later one.
 */
static bool describe(tracker *t, const group *g, GError **error)
{
	const member *first = g->members->pdata[0];

	return db_run(
		t,
		"UPDATE regression SET (kind, testcase, metric, machine, change) = "
		"(SELECT kind, testcase, metric, machine, change FROM finding "
		" WHERE report = ?2 AND position = 0), "
		"(\"commit\", subject, tree, branch, reported_at) = "
		"(SELECT \"commit\", coalesce(subject, (SELECT max(subject) FROM report "
		" WHERE regression = ?1 AND counts)), tree, branch, CASE WHEN r.live THEN r.at ELSE 0 END "
		" FROM report r WHERE id = ?2), "
		"report = ?3, seen = ?4, author = (SELECT coalesce(p.name, p.address) "
		" FROM person p JOIN report r ON r.id = p.report WHERE r.regression = ?1 "
		" AND r.counts AND p.role = 'author' ORDER BY r.live DESC, r.at, p.rowid LIMIT 1) "
		"WHERE id = ?1",
		DB_ARGS(DB_INT(g->row), DB_INT(first->report), DB_ROW(first->message),
			DB_INT(first->live)),
		error);
}

/* Rows of this culprit that no group stands in any more join the one that has their ID.
 */
static bool merge_rest(refresh *r, const char *culprit, const GPtrArray *groups,
		       GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(r->t, &rows,
		      "SELECT x.id, a.regression FROM regression x "
		      "JOIN alias a ON a.alias = x.regression "
		      "WHERE x.culprit IN (?1, substr(?1, 1, 7), substr(?1, 1, 8), "
		      "substr(?1, 1, 9)) AND x.merged_into IS NOT a.regression",
		      DB_ARGS(DB_TEXT(culprit)), error))
		return false;
	while (db_next(&rows, error)) {
		int64_t row = db_int(&rows, 0), into = db_int(&rows, 1);

		if (is_taken(groups, row) || row == into)
			continue;
		if (!db_run(r->t,
			    "UPDATE regression SET merged_into = ?2, open = 0 WHERE id = ?1",
			    DB_ARGS(DB_INT(row), DB_INT(into)), error) ||
		    !db_run(r->t,
			    "UPDATE regression SET merged_into = ?2 WHERE merged_into = ?1",
			    DB_ARGS(DB_INT(row), DB_INT(into)), error) ||
		    !db_run(r->t, "DELETE FROM suggestion WHERE regression = ?1",
			    DB_ARGS(DB_INT(row)), error) ||
		    !proofs_forget(r->t, row, error))
			return false;
		refresh_regression(r, into);
	}
	return !rows.failed;
}

/* Mails that were only guessed to be about this commit may be known better now. */
static bool refresh_guesses(refresh *r, const char *culprit, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    r->t, &rows,
		    "SELECT l.message FROM regression g JOIN link l "
		    "ON l.regression = g.id WHERE g.culprit = ?1 AND l.key = 'subject'",
		    DB_ARGS(DB_TEXT(culprit)), error))
		return false;
	while (db_next(&rows, error))
		refresh_message(r, db_int(&rows, 0));
	return !rows.failed;
}

bool group_forget(refresh *r, const char *culprit, GError **error)
{
	return db_run(r->t,
		      "DELETE FROM alias WHERE regression IN "
		      "(SELECT id FROM regression WHERE culprit = ?1)",
		      DB_ARGS(DB_TEXT(culprit)), error);
}

bool group_culprit(refresh *r, const char *culprit, GError **error)
{
	g_autoptr(GPtrArray) members = group_members(r->t, culprit, error);

	if (!members)
		return false;

	g_autoptr(GPtrArray) groups = make_groups(members, *culprit);

	/* IDs are unique: rows that have the right one are taken before any is renamed.
	 */
	for (guint i = 0; i < groups->len; i++)
		if (!find_row(r->t, groups->pdata[i], error))
			return false;
	for (guint i = 0; i < groups->len; i++) {
		group *g = groups->pdata[i];

		if (!inherit_row(r->t, groups, g, culprit, error) ||
		    !write_row(r->t, g, culprit, error) ||
		    !id_digits(r->t, primary_id(g), error) ||
		    !proofs_forget(r->t, g->row, error))
			return false;
		group_weigh(g);
		for (guint j = 0; j < g->members->len; j++)
			if (!place_member(r, g, g->members->pdata[j], error))
				return false;
		if (!describe(r->t, g, error))
			return false;
		refresh_regression(r, g->row);
	}
	return merge_rest(r, culprit, groups, error) &&
	       refresh_guesses(r, culprit, error);
}
