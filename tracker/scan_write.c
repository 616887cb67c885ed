/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows that a scan writes, and what they made of their regressions. */
#include <string.h>

#include "tracker/records.h"
#include "tracker/scanning.h"

/* Of the regression as it is before what was found is folded into it. */
static bool load_before(tracker *t, int64_t regression, tracker_scan_finding *f,
			GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT regression, status FROM regression WHERE id = ?1",
		      DB_ARGS(DB_INT(regression)), error))
		return false;
	if (db_next(&rows, error)) {
		f->id = db_dup(&rows, 0);
		tracker_status_from_name(db_text(&rows, 1), &f->before);
	}
	return !rows.failed;
}

bool scan_add(tracker_scan *scan, refresh *r, const scan_row *row, GError **error)
{
	tracker_scan_finding *f;
	bool added;

	if (!fix_write(scan->t,
		       &(fix_row){
			       .regression = row->regression,
			       .at = row->at ? row->at : scan->now,
			       .state = row->state,
			       .rule = row->rule,
			       .commit = row->commit,
			       .subject = row->subject,
			       .tree = row->tree,
			       .evidence = row->evidence,
		       },
		       &added, error))
		return false;
	if (!added)
		return true;
	f = g_new0(tracker_scan_finding, 1);
	g_ptr_array_add(scan->findings, f);
	f->state = g_strdup(row->state);
	f->commit = g_strdup(row->commit);
	f->subject = g_strdup(row->subject);
	f->tree = g_strdup(scan->tree ? scan->tree->name : NULL);
	f->branch = g_strdup(row->branch);
	f->evidence = g_strdup(row->evidence);
	refresh_regression(r, row->regression);
	return load_before(scan->t, row->regression, f, error);
}

bool scan_settle_findings(tracker_scan *scan, guint from, GError **error)
{
	for (guint i = from; i < scan->findings->len; i++) {
		tracker_scan_finding *f = scan->findings->pdata[i];
		int64_t row;

		if (!regression_by_prefix(scan->t, f->id, &row, error))
			return false;

		tracker_summary *now = records_summary_of(scan->t, row, error);

		if (!now)
			return false;
		f->status = now->status;
		f->short_id = g_strdup(now->short_id);
		tracker_summary_free(now);
	}
	return true;
}

bool scan_see(tracker_scan *scan, const subject_ *s, const candidate *c, bool copy,
	      const char *patch, GError **error)
{
	int64_t known = 0;

	g_hash_table_add(scan->met, g_strdup(c->id));
	if (!db_get_int(scan->t,
			"SELECT 1 FROM tree_commit WHERE regression = ?1 "
			"AND \"commit\" = ?2 LIMIT 1",
			DB_ARGS(DB_INT(s->row), DB_TEXT(c->id)), &known, error))
		return false;
	/* A hash that is new for this regression may be named by commits seen before.
	 */
	scan->copied |= copy && !known;
	return db_run(
		scan->t,
		"INSERT INTO tree_commit (tree, branch, \"commit\", regression, copy, "
		"patch, seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
		"ON CONFLICT (tree, branch, \"commit\", regression) DO UPDATE SET "
		"gone = NULL, patch = coalesce(patch, ?6)",
		DB_ARGS(DB_TEXT(scan->tree->name), DB_TEXT(scan->tree->branch),
			DB_TEXT(c->id), DB_INT(s->row), DB_INT(copy), DB_TEXT(patch),
			DB_INT(scan->now)),
		error);
}

/* ---- fixes that leave a tree ---------------------------------------------------- */

typedef struct fix_in_tree {
	int64_t regression;
	char *state, *commit, *subject;
} fix_in_tree;

static void fix_in_tree_free(fix_in_tree *f)
{
	g_free(f->state);
	g_free(f->commit);
	g_free(f->subject);
	g_free(f);
}

static GPtrArray *load_fixes(tracker_scan *scan, const char *tree, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)fix_in_tree_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(scan->t, &rows,
		      "SELECT regression, state, \"commit\", subject FROM fix "
		      "WHERE tree = ?1 AND \"commit\" <> '' "
		      "AND state IN ('posted', 'queued', 'merged') ORDER BY id",
		      DB_ARGS(DB_TEXT(tree)), error))
		return NULL;
	while (db_next(&rows, error)) {
		fix_in_tree *f = g_new0(fix_in_tree, 1);

		f->regression = db_int(&rows, 0);
		f->state = db_dup(&rows, 1);
		f->commit = db_dup(&rows, 2);
		f->subject = db_dup(&rows, 3);
		g_ptr_array_add(all, f);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

/* The commits of this walk that mention anything; set of char * (lent). */
static GHashTable *commits_met(const tracker_scan *scan)
{
	GHashTable *met = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < scan->candidates->len; i++) {
		const candidate *c = scan->candidates->pdata[i];

		g_hash_table_add(met, c->id);
	}
	return met;
}

static bool is_lost(const tracker_scan *scan, GHashTable *met, const fix_in_tree *f,
		    bool whole)
{
	const subject_ *s = g_hash_table_lookup(scan->subjects, &f->regression);

	/* What is not looked for any more tells nothing by its absence, and what went
	 * on to mainline may leave the trees before it. */
	if (!s || g_hash_table_contains(met, f->commit) ||
	    (s->status == TRACKER_STATUS_FIXED && strcmp(f->state, "merged") != 0))
		return false;
	return whole || g_hash_table_contains(scan->lost, f->commit);
}

/* One that stays under another hash was rebased: there is nothing to tell. */
static bool is_rebased(const GPtrArray *fixes, const tracker_scan *scan,
		       GHashTable *met, const fix_in_tree *gone, bool whole)
{
	for (guint i = 0; i < fixes->len; i++) {
		const fix_in_tree *f = fixes->pdata[i];

		if (f->regression == gone->regression &&
		    !g_strcmp0(f->subject, gone->subject) &&
		    !is_lost(scan, met, f, whole))
			return true;
	}
	return false;
}

static bool tell_of_lost(tracker_scan *scan, refresh *r, const fix_in_tree *f,
			 const char *tree, GError **error)
{
	g_autofree char *evidence = g_strdup_printf(
		"%.12s (\"%s\"), the fix that was %s there, is not in %s "
		"any more",
		f->commit, f->subject ? f->subject : "", f->state, tree);

	return scan_add(scan, r,
			&(scan_row){
				.regression = f->regression,
				.state = "hint",
				.rule = SCAN_RULE_LOST,
				.commit = f->commit,
				.subject = f->subject,
				.tree = tree,
				.branch = scan->tree->branch,
				.evidence = evidence,
			},
			error);
}

/* It is there again: that it was gone is no news any more. */
static bool take_back(tracker_scan *scan, const fix_in_tree *f, const char *tree,
		      GError **error)
{
	return db_run(scan->t,
		      "DELETE FROM fix WHERE regression = ?1 AND \"commit\" = ?2 "
		      "AND tree = ?3 AND rule = '" SCAN_RULE_LOST "'",
		      DB_ARGS(DB_INT(f->regression), DB_TEXT(f->commit), DB_TEXT(tree)),
		      error);
}

bool scan_lose_fixes(tracker_scan *scan, refresh *r, bool whole, GError **error)
{
	g_autofree char *tree = scan_tree_name(scan->tree);
	g_autoptr(GPtrArray) fixes = load_fixes(scan, tree, error);
	g_autoptr(GHashTable) met = commits_met(scan);

	for (guint i = 0; fixes && i < fixes->len; i++) {
		const fix_in_tree *f = fixes->pdata[i];

		if (g_hash_table_contains(met, f->commit) &&
		    !take_back(scan, f, tree, error))
			return false;
		if (is_lost(scan, met, f, whole) &&
		    !is_rebased(fixes, scan, met, f, whole) &&
		    !tell_of_lost(scan, r, f, tree, error))
			return false;
	}
	return fixes;
}

/* ---- when all trees are walked
 * --------------------------------------------------------- */

/* Where a culprit was last, and whether it is anywhere. */
typedef struct whereabouts {
	int64_t regression;
	bool there, gone; /* in some tree; as the last scans said */
	char *commit, *title, *tree, *branch;
} whereabouts;

static void whereabouts_free(whereabouts *w)
{
	g_free(w->commit);
	g_free(w->title);
	g_free(w->tree);
	g_free(w->branch);
	g_free(w);
}

static GPtrArray *load_whereabouts(tracker_scan *scan, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)whereabouts_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    scan->t, &rows,
		    "SELECT g.id, max(c.gone IS NULL), coalesce((SELECT state = 'gone' "
		    " FROM fix WHERE regression = g.id AND state IN ('gone', 'back') "
		    " ORDER BY id DESC LIMIT 1), 0), c.\"commit\", g.subject, c.tree, "
		    "c.branch, max(coalesce(c.gone, 1 << 62)) "
		    "FROM regression g JOIN tree_commit c ON c.regression = g.id "
		    "WHERE g.merged_into IS NULL AND (g.open OR g.status = 'dropped') "
		    "GROUP BY g.id ORDER BY g.id",
		    DB_NO_ARGS, error))
		return NULL;
	while (db_next(&rows, error)) {
		whereabouts *w = g_new0(whereabouts, 1);

		w->regression = db_int(&rows, 0);
		w->there = db_int(&rows, 1);
		w->gone = db_int(&rows, 2);
		w->commit = db_dup(&rows, 3);
		w->title = db_dup(&rows, 4);
		w->tree = db_dup(&rows, 5);
		w->branch = db_dup(&rows, 6);
		g_ptr_array_add(all, w);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

static bool settle_whereabouts(tracker_scan *scan, refresh *r, const whereabouts *w,
			       GError **error)
{
	g_autofree char *tree = g_strdup_printf("%s %s", w->tree, w->branch);
	g_autofree char *other = NULL, *more = NULL, *evidence = NULL;

	if (w->there != w->gone)
		return true; /* nothing changed since it was last said */
	if (!db_get_text(scan->t,
			 "SELECT \"commit\" FROM fix WHERE regression = ?1 "
			 "AND rule = '" SCAN_RULE_OTHER "' ORDER BY id DESC LIMIT 1",
			 DB_ARGS(DB_INT(w->regression)), &other, error))
		return false;
	more = other ? g_strdup_printf("; %.12s has its title and other content",
				       other) :
		       g_strdup("");
	if (w->there)
		evidence = g_strdup_printf("culprit %.12s is in %s again", w->commit,
					   tree);
	else
		evidence = g_strdup_printf("culprit %.12s is in no scanned tree any "
					   "more; it was last in %s%s",
					   w->commit, tree, more);
	return scan_add(scan, r,
			&(scan_row){
				.regression = w->regression,
				.state = w->there ? "back" : "gone",
				.rule = "culprit",
				.commit = w->commit,
				.subject = w->title,
				.tree = tree,
				.branch = w->branch,
				.evidence = evidence,
			},
			error);
}

bool tracker_scan_end(tracker_scan *scan, GError **error)
{
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	guint from = scan->findings->len;
	g_autoptr(GPtrArray) all = NULL;
	bool good;

	scan->tree = NULL;
	refresh_init(&r, scan->t, scan->now);
	good = db_begin(scan->t, &tx, error) &&
	       (all = load_whereabouts(scan, error)) != NULL;
	for (guint i = 0; good && i < all->len; i++)
		good = settle_whereabouts(scan, &r, all->pdata[i], error);
	good = good && refresh_settle(&r, error) &&
	       scan_settle_findings(scan, from, error) &&
	       (scan->findings->len == from || db_commit(&tx, error));
	if (!good)
		g_ptr_array_set_size(scan->findings, (gint)from);
	return good;
}
