/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "tracker/records.h"

static void event_free(tracker_event *e)
{
	g_free(e->actor);
	g_free(e->kind);
	g_free(e->evidence);
	g_free(e->message_id);
	g_free(e->rule);
	g_free(e);
}

static void fix_free(tracker_fix *f)
{
	g_free(f->commit);
	g_free(f->subject);
	g_free(f->tree);
	g_free(f->message_id);
	g_free(f->state);
	g_free(f);
}

void tracker_detail_free(tracker_detail *d)
{
	if (!d)
		return;
	tracker_summary_free(d->summary);
	g_clear_pointer(&d->findings, g_ptr_array_unref);
	g_clear_pointer(&d->messages, g_ptr_array_unref);
	g_clear_pointer(&d->events, g_ptr_array_unref);
	g_clear_pointer(&d->aliases, g_ptr_array_unref);
	g_clear_pointer(&d->trailers, g_ptr_array_unref);
	g_clear_pointer(&d->fixes, g_ptr_array_unref);
	g_clear_pointer(&d->duplicates, g_ptr_array_unref);
	g_clear_pointer(&d->overrides, g_ptr_array_unref);
	g_clear_pointer(&d->related, g_ptr_array_unref);
	g_free(d->duplicate_of);
	g_free(d->report_id);
	g_free(d);
}

/* ---- the thread as a tree
 * ------------------------------------------------------------- */

/* A thread while it is put in order. */
typedef struct tree {
	GHashTable *children; /* char * -> GPtrArray of tracker_message *, by time */
	GHashTable *left;     /* tracker_message * that are not placed yet */
	GPtrArray *ordered;
} tree;

static void take(tree *t, tracker_message *m, unsigned depth, GPtrArray *stack)
{
	m->depth = depth;
	g_hash_table_remove(t->left, m);
	g_ptr_array_add(stack, m);
}

/* Appends a message and those below it, depth first. */
static void place_below(tree *t, tracker_message *root)
{
	g_autoptr(GPtrArray) stack = g_ptr_array_new();

	take(t, root, 0, stack);
	while (stack->len) {
		tracker_message *top = g_ptr_array_steal_index(stack, stack->len - 1);
		const GPtrArray *below =
			g_hash_table_lookup(t->children, top->message_id);

		g_ptr_array_add(t->ordered, top);
		/* From the newest to the oldest, so that the oldest is on top of the
		 * stack. */
		for (guint i = below ? below->len : 0; i-- > 0;)
			if (g_hash_table_contains(t->left, below->pdata[i]))
				take(t, below->pdata[i], top->depth + 1, stack);
	}
}

static void add_child(tree *t, tracker_message *m)
{
	GPtrArray *below = g_hash_table_lookup(t->children, m->parent_id);

	if (!below) {
		below = g_ptr_array_new();
		g_hash_table_insert(t->children, m->parent_id, below);
	}
	g_ptr_array_add(below, m);
}

/* `all` is in the order of time; so are the roots and the answers to each mail. */
static GPtrArray *thread_order(GPtrArray *all)
{
	g_autoptr(GHashTable) ids = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) children = g_hash_table_new_full(
		g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GHashTable) left = g_hash_table_new(NULL, NULL);
	g_autoptr(GPtrArray) roots = g_ptr_array_new();
	tree t = { children, left, NULL };

	t.ordered =
		g_ptr_array_new_with_free_func((GDestroyNotify)records_message_free);
	for (guint i = 0; i < all->len; i++)
		g_hash_table_add(ids, ((tracker_message *)all->pdata[i])->message_id);
	for (guint i = 0; i < all->len; i++) {
		tracker_message *m = all->pdata[i];

		g_hash_table_add(left, m);
		if (m->parent_id && g_hash_table_contains(ids, m->parent_id))
			add_child(&t, m);
		else
			g_ptr_array_add(roots, m);
	}
	for (guint i = 0; i < roots->len; i++)
		place_below(&t, roots->pdata[i]);
	/* What is left answers itself in a circle. */
	for (guint i = 0; i < all->len; i++)
		if (g_hash_table_contains(left, all->pdata[i]))
			place_below(&t, all->pdata[i]);
	return t.ordered;
}

static GPtrArray *load_messages(tracker *t, int64_t regression, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)records_message_free);
	g_auto(db_rows) rows = { 0 };
	g_auto(roles) r = { 0 };

	if (!roles_load(t, regression, &r, error) ||
	    !db_query(t, &rows,
		      "SELECT " MESSAGE_COLUMNS MESSAGE_FROM "WHERE l.regression = ?1 "
		      "ORDER BY l.key <> 'report', m.date, m.message_id",
		      DB_ARGS(DB_INT(regression)), error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_message *message = records_message(t, &rows, &r, error);

		if (!message)
			return NULL;
		g_ptr_array_add(all, message);
	}
	if (rows.failed)
		return NULL;

	GPtrArray *ordered = thread_order(all);

	g_ptr_array_set_free_func(all, NULL);
	return ordered;
}

/* ---- the rest
 * ---------------------------------------------------------------------------- */

static GPtrArray *load_events(tracker *t, int64_t regression, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)event_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT e.at, e.status, e.actor, e.kind, e.evidence, m.message_id, "
		    "e.rule, e.recorded, e.suggested FROM event e LEFT JOIN message m "
		    "ON m.id = e.message WHERE e.regression = ?1 OR e.regression IN "
		    "(SELECT id FROM regression WHERE merged_into = ?1) ORDER BY e.id",
		    DB_ARGS(DB_INT(regression)), error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_event *e = g_new0(tracker_event, 1);

		e->at = db_int(&rows, 0);
		tracker_status_from_name(db_text(&rows, 1), &e->status);
		e->actor = db_dup(&rows, 2);
		e->kind = db_dup(&rows, 3);
		e->evidence = db_dup(&rows, 4);
		e->message_id = db_dup(&rows, 5);
		e->rule = db_dup(&rows, 6);
		e->recorded = db_int(&rows, 7);
		tracker_status_from_name(db_text(&rows, 8), &e->suggested);
		g_ptr_array_add(all, e);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

static GPtrArray *load_strings(tracker *t, const char *sql, int64_t regression,
			       GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, sql, DB_ARGS(DB_INT(regression)), error))
		return NULL;
	while (db_next(&rows, error))
		g_ptr_array_add(all, db_dup(&rows, 0));
	return rows.failed ? NULL : g_steal_pointer(&all);
}

/* What bots tell of other commits in the thread is left out. */
static bool is_fix(tracker *t, int64_t regression, const db_rows *rows, bool *is,
		   GError **error)
{
	notice_row n = { db_int(rows, 6), db_text(rows, 0), db_text(rows, 1) };

	*is = true;
	return db_is_null(rows, 6) || notice_counts(t, regression, &n, is, error);
}

GPtrArray *records_fixes(tracker *t, int64_t regression, GError **error)
{
	bool is;
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)fix_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT \"commit\", subject, tree, NULL, state, at, NULL FROM fix "
		    "WHERE regression = ?1 AND state NOT IN ('gone', 'back') "
		    "AND NOT EXISTS (SELECT 1 FROM fix gone WHERE "
		    " gone.regression = ?1 AND gone.rule = 'fix-gone' AND fix.rule <> "
		    " 'fix-gone' AND gone.\"commit\" = fix.\"commit\" "
		    " AND gone.tree = fix.tree) UNION ALL "
		    "SELECT n.\"commit\", n.subject, n.tree, m.message_id, "
		    " CASE WHEN n.mainline THEN 'merged' ELSE 'queued' END, m.date, m.id "
		    "FROM link l JOIN message m ON m.id = l.message "
		    "JOIN notice n ON n.message = m.id WHERE l.regression = ?1 AND l.acts "
		    "UNION ALL "
		    "SELECT NULL, m.subject, NULL, m.message_id, CASE "
		    " WHEN v.verdict = 'patch' THEN 'offered' "
		    " WHEN v.verdict = 'fixed' THEN 'claimed' "
		    " WHEN v.outcome = 'fixed' THEN 'confirmed' ELSE 'refuted' END, m.date, "
		    " NULL "
		    "FROM link l JOIN message m ON m.id = l.message "
		    "JOIN verdict v ON v.message = m.id WHERE l.regression = ?1 AND l.acts "
		    "AND v.confidence >= 0.5 AND (v.verdict IN ('patch', 'fixed') OR "
		    " (v.verdict = 'test-result' AND v.outcome IS NOT NULL)) ORDER BY 6, 4",
		    DB_ARGS(DB_INT(regression)), error))
		return NULL;
	while (db_next(&rows, error)) {
		if (!is_fix(t, regression, &rows, &is, error))
			return NULL;
		if (!is)
			continue;

		tracker_fix *f = g_new0(tracker_fix, 1);

		f->commit = db_dup(&rows, 0);
		f->subject = db_dup(&rows, 1);
		f->tree = db_dup(&rows, 2);
		f->message_id = db_dup(&rows, 3);
		f->state = db_dup(&rows, 4);
		f->at = db_int(&rows, 5);
		g_ptr_array_add(all, f);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

/* Subjects of merges say nothing. */
static GPtrArray *load_related(tracker *t, int64_t regression, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT " SUMMARY_COLUMNS " FROM regression me JOIN regression g "
		      "ON (g.culprit = me.culprit AND me.culprit <> '') OR "
		      "(g.subject = me.subject AND length(me.subject) > 0 "
		      " AND me.subject NOT LIKE 'Merge %') "
		      "WHERE me.id = ?1 AND g.id <> me.id AND g.merged_into IS NULL "
		      "ORDER BY g.culprit <> me.culprit, g.reported_at, g.regression "
		      "LIMIT 100",
		      DB_ARGS(DB_INT(regression)), error))
		return NULL;
	return records_summaries(t, &rows, error);
}

static bool load_report(tracker *t, int64_t regression, tracker_detail *d,
			GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT m.message_id, g.seen, m.name, m.address, d.regression "
		      "FROM regression g LEFT JOIN message m ON m.id = g.report "
		      "LEFT JOIN regression d ON d.id = g.duplicate_of WHERE g.id = ?1",
		      DB_ARGS(DB_INT(regression)), error))
		return false;
	if (db_next(&rows, error)) {
		d->report_id = db_dup(&rows, 0);
		d->seen = db_int(&rows, 1);
		d->duplicate_of = db_dup(&rows, 4);
	}
	if (d->seen && !db_is_null(&rows, 3)) {
		g_autofree char *reporter =
			db_is_null(&rows, 2) ?
				g_strdup_printf("<%s>", db_text(&rows, 3)) :
				g_strdup_printf("%s <%s>", db_text(&rows, 2),
						db_text(&rows, 3));

		g_ptr_array_add(d->trailers, parser_pair_new("Reported-by", reporter));
	}
	return !rows.failed;
}

/* What a commit that repairs it should carry; Closes: gets its URL where URLs are
 * known. */
static void add_trailers(tracker_detail *d)
{
	const tracker_summary *s = d->summary;

	if (d->report_id)
		g_ptr_array_add(d->trailers, parser_pair_new("Closes", d->report_id));
	if (s->commit && strlen(s->commit) >= 10 && s->commit_subject) {
		g_autofree char *fixes =
			g_strdup_printf("%.12s (\"%s\")", s->commit, s->commit_subject);

		g_ptr_array_add(d->trailers, parser_pair_new("Fixes", fixes));
	}
}

tracker_detail *tracker_show(tracker *t, const char *id, GError **error)
{
	g_autoptr(tracker_detail) d = g_new0(tracker_detail, 1);
	int64_t row;

	d->trailers = g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	if (!regression_by_prefix(t, id, &row, error) ||
	    !(d->summary = records_summary_of(t, row, error)) ||
	    !(d->findings = records_findings(t, row, error)) ||
	    !(d->messages = load_messages(t, row, error)) ||
	    !(d->events = load_events(t, row, error)) ||
	    !(d->aliases = load_strings(
		      t, "SELECT alias FROM alias WHERE regression = ?1 ORDER BY alias",
		      row, error)) ||
	    !(d->duplicates =
		      load_strings(t,
				   "SELECT regression FROM regression "
				   "WHERE duplicate_of = ?1 ORDER BY regression",
				   row, error)) ||
	    !(d->related = load_related(t, row, error)) ||
	    !(d->fixes = records_fixes(t, row, error)) ||
	    !(d->overrides = overrides_load(t, row, NULL, error)) ||
	    !load_report(t, row, d, error))
		return NULL;
	add_trailers(d);
	return g_steal_pointer(&d);
}
