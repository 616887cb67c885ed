/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run over git trees: entering, walking, leaving. */
#include "tracker/scanning.h"

#include <string.h>

#define UNKNOWN_KEPT 100 /* of commits that close reports which nobody knows */

static const char *const order_names[] = { "posted", "next", "mainline", "stable" };

bool tracker_order_from_name(const char *name, tracker_order *order)
{
	for (size_t i = 0; i < G_N_ELEMENTS(order_names); i++)
		if (strcmp(order_names[i], name) == 0) {
			*order = (tracker_order)i;
			return true;
		}
	return false;
}

const char *tracker_fix_state(const tracker_tree *tree, const char *report_tree,
			      const char *report_branch)
{
	bool own = report_tree && strcmp(report_tree, tree->name) == 0 &&
		   (!report_branch || strcmp(report_branch, tree->branch) == 0);

	if (own || tree->order == TRACKER_ORDER_MAINLINE)
		return "merged";
	/* What is behind mainline gets copies of what is there; that decides nothing.
	 */
	return tree->order == TRACKER_ORDER_STABLE ? "hint" :
	       tree->order == TRACKER_ORDER_NEXT   ? "queued" :
						     "posted";
}

char *scan_tree_name(const tracker_tree *tree)
{
	return g_strdup_printf("%s %s", tree->name, tree->branch);
}

static char *source_name(const tracker_tree *tree)
{
	return g_strdup_printf("git:%s:%s", tree->name, tree->branch);
}

void tracker_walk_clear(tracker_walk *walk)
{
	g_clear_pointer(&walk->cursor, g_free);
	g_clear_pointer(&walk->late, g_ptr_array_unref);
}

static void finding_free(tracker_scan_finding *f)
{
	g_free(f->id);
	g_free(f->short_id);
	g_free(f->state);
	g_free(f->commit);
	g_free(f->subject);
	g_free(f->tree);
	g_free(f->branch);
	g_free(f->evidence);
	g_free(f);
}

static void candidate_free(candidate *c)
{
	g_free(c->id);
	g_free(c->subject);
	g_free(c->author);
	g_ptr_array_unref(c->mentions);
	g_free(c);
}

tracker_scan *tracker_scan_begin(tracker *t, int64_t now, GError **error)
{
	tracker_scan *scan = g_new0(tracker_scan, 1);

	(void)error;
	scan->t = t;
	scan->now = now;
	scan->findings = g_ptr_array_new_with_free_func((GDestroyNotify)finding_free);
	scan->unknown =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	scan->candidates =
		g_ptr_array_new_with_free_func((GDestroyNotify)candidate_free);
	scan->mentions =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_mentioned_free);
	scan->lost = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	scan->met = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return scan;
}

void tracker_scan_free(tracker_scan *scan)
{
	if (!scan)
		return;
	scan_forget(scan);
	g_ptr_array_unref(scan->findings);
	g_ptr_array_unref(scan->unknown);
	g_ptr_array_unref(scan->candidates);
	g_ptr_array_unref(scan->mentions);
	g_hash_table_destroy(scan->lost);
	g_hash_table_destroy(scan->met);
	g_free(scan);
}

const GPtrArray *tracker_scan_findings(const tracker_scan *scan)
{
	return scan->findings;
}

const GPtrArray *tracker_scan_unknown(const tracker_scan *scan, size_t *count)
{
	*count = scan->n_unknown;
	return scan->unknown;
}

/* ---- a tree
 * ---------------------------------------------------------------------------- */

static void add_late(tracker_scan *scan, tracker_walk *walk)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, scan->subjects);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const subject_ *s = value;

		if (!s->late)
			continue;
		if (s->commit && strlen(s->commit) >= 7)
			g_ptr_array_add(walk->late, g_strdup(s->commit));
		else
			walk->blind = true;
	}
}

bool tracker_scan_enter(tracker_scan *scan, const tracker_tree *tree,
			const tracker_repository *repository, tracker_walk *walk,
			GError **error)
{
	g_autofree char *source = source_name(tree);

	*walk = (tracker_walk){ .late = g_ptr_array_new_with_free_func(g_free) };
	tracker_scan_abandon(scan);
	scan->tree = tree;
	scan->repository = repository;
	if (!scan_ask(scan, error) ||
	    !db_get_text(scan->t, "SELECT cursor FROM source WHERE name = ?1",
			 DB_ARGS(DB_TEXT(source)), &walk->cursor, error) ||
	    !db_get_int(scan->t, "SELECT at FROM source WHERE name = ?1",
			DB_ARGS(DB_TEXT(source)), &scan->since, error))
		return false;
	add_late(scan, walk);
	walk->any = g_hash_table_size(scan->subjects) > 0;
	/* How long what it is asked late about has been there nobody can tell. */
	if (walk->late->len || walk->blind)
		scan->since = 0;
	return true;
}

void tracker_scan_abandon(tracker_scan *scan)
{
	g_ptr_array_set_size(scan->candidates, 0);
	g_hash_table_remove_all(scan->lost);
	g_hash_table_remove_all(scan->met);
	scan->since = 0;
	scan->copied = false;
}

static void note_unknown(tracker_scan *scan, const parser_logged *commit,
			 const parser_mentioned *m)
{
	g_autofree char *id = g_strndup(commit->id, commit->id_length);

	scan->n_unknown++;
	if (scan->unknown->len < UNKNOWN_KEPT)
		g_ptr_array_add(scan->unknown, parser_pair_new(id, m->line));
}

/* Moves the mentions that matter to a candidate of their own. */
static void keep(tracker_scan *scan, const parser_logged *commit)
{
	candidate *c = g_new0(candidate, 1);
	g_autofree char *author = g_strndup(commit->author, commit->author_length);

	c->id = g_strndup(commit->id, commit->id_length);
	c->subject = parser_logged_subject(commit);
	c->author = g_utf8_make_valid(author, -1);
	c->committed = commit->committed;
	c->mentions = scan->mentions;
	scan->mentions =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_mentioned_free);
	g_ptr_array_add(scan->candidates, c);
}

void tracker_scan_commit(tracker_scan *scan, const parser_logged *commit)
{
	bool matters = false;

	parser_wanted_find(scan->wanted, commit, scan->mentions);
	for (guint i = 0; i < scan->mentions->len; i++) {
		const parser_mentioned *m = scan->mentions->pdata[i];

		if (m->kind == PARSER_MENTION_UNKNOWN)
			note_unknown(scan, commit, m);
		else
			matters = true;
	}
	if (matters)
		keep(scan, commit);
	else if (scan->mentions->len)
		g_ptr_array_set_size(scan->mentions, 0);
}

void tracker_scan_lost(tracker_scan *scan, const parser_logged *commit)
{
	parser_wanted_find(scan->wanted, commit, scan->mentions);
	for (guint i = 0; i < scan->mentions->len; i++) {
		const parser_mentioned *m = scan->mentions->pdata[i];

		if (m->kind == PARSER_MENTION_SELF)
			g_hash_table_add(scan->lost,
					 g_strndup(commit->id, commit->id_length));
	}
	g_ptr_array_set_size(scan->mentions, 0);
}

static bool write_cursor(tracker_scan *scan, const char *cursor, GError **error)
{
	g_autofree char *source = source_name(scan->tree);
	GHashTableIter iter;
	gpointer value;

	if (!db_run(scan->t,
		    "INSERT OR REPLACE INTO source (name, cursor, at) "
		    "VALUES (?1, ?2, ?3)",
		    DB_ARGS(DB_TEXT(source), DB_TEXT(cursor), DB_INT(scan->now)),
		    error))
		return false;
	g_hash_table_iter_init(&iter, scan->subjects);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const subject_ *s = value;

		if (s->late &&
		    !db_run(scan->t,
			    "INSERT OR REPLACE INTO tree_asked (tree, branch, regression, "
			    "digest) VALUES (?1, ?2, ?3, ?4)",
			    DB_ARGS(DB_TEXT(scan->tree->name),
				    DB_TEXT(scan->tree->branch), DB_INT(s->row),
				    DB_INT(s->digest)),
			    error))
			return false;
	}
	return true;
}

typedef struct placed {
	char *commit;
	int64_t regression;
} placed;

static void placed_free(placed *p)
{
	g_free(p->commit);
	g_free(p);
}

/* The culprits that are in this tree, as far as is known. */
static GPtrArray *load_placed(tracker_scan *scan, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)placed_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(scan->t, &rows,
		      "SELECT \"commit\", regression FROM tree_commit WHERE tree = ?1 "
		      "AND branch = ?2 AND gone IS NULL",
		      DB_ARGS(DB_TEXT(scan->tree->name), DB_TEXT(scan->tree->branch)),
		      error))
		return NULL;
	while (db_next(&rows, error)) {
		placed *p = g_new0(placed, 1);

		p->commit = db_dup(&rows, 0);
		p->regression = db_int(&rows, 1);
		g_ptr_array_add(all, p);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

/* The branch lost it, or did not show it when all of it went by and it was looked for.
 */
static bool is_gone(const tracker_scan *scan, const placed *p, bool whole)
{
	const subject_ *s = g_hash_table_lookup(scan->subjects, &p->regression);

	if (g_hash_table_contains(scan->lost, p->commit))
		return true;
	return whole && s && s->status != TRACKER_STATUS_FIXED &&
	       !g_hash_table_contains(scan->met, p->commit);
}

static bool write_gone(tracker_scan *scan, bool whole, GError **error)
{
	g_autoptr(GPtrArray) all = load_placed(scan, error);

	for (guint i = 0; all && i < all->len; i++) {
		const placed *p = all->pdata[i];

		if (is_gone(scan, p, whole) &&
		    !db_run(scan->t,
			    "UPDATE tree_commit SET gone = ?5 WHERE tree = ?1 "
			    "AND branch = ?2 AND \"commit\" = ?3 AND regression = ?4",
			    DB_ARGS(DB_TEXT(scan->tree->name),
				    DB_TEXT(scan->tree->branch), DB_TEXT(p->commit),
				    DB_INT(p->regression), DB_INT(scan->now)),
			    error))
			return false;
	}
	return all;
}

bool tracker_scan_leave(tracker_scan *scan, const tracker_walked *walked, bool *again,
			GError **error)
{
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	guint from = scan->findings->len;

	*again = false;
	refresh_init(&r, scan->t, scan->now);
	if (!db_begin(scan->t, &tx, error) || !scan_find(scan, &r, error) ||
	    (walked->cursor && (!write_gone(scan, walked->whole, error) ||
				!scan_lose_fixes(scan, &r, walked->whole, error) ||
				!write_cursor(scan, walked->cursor, error))) ||
	    !refresh_settle(&r, error) || !scan_settle_findings(scan, from, error) ||
	    !db_commit(&tx, error)) {
		g_ptr_array_set_size(scan->findings, (gint)from);
		return false;
	}
	*again = scan->copied && walked->cursor;
	tracker_scan_abandon(scan);
	return true;
}
