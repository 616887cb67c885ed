/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notices of bots in a thread.  One counts when it is about a patch that the thread
 * offers, or when the commit that it shows names the report; that the culprit itself
 * was merged is no fix.
 */
#include <string.h>

#include "tracker/fold.h"

bool notices_insert(tracker *t, int64_t message, const GPtrArray *notices,
		    GError **error)
{
	for (guint i = 0; i < notices->len; i++) {
		const parser_notice *n = notices->pdata[i];

		if (!db_run(t,
			    "INSERT INTO notice (message, position, tree, branch, mainline, "
			    "\"commit\", subject, evidence) "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
			    DB_ARGS(DB_INT(message), DB_INT(i), DB_TEXT(n->tree),
				    DB_TEXT(n->branch), DB_INT(n->mainline),
				    DB_TEXT(n->commit), DB_TEXT(n->subject),
				    DB_TEXT(n->line)),
			    error))
			return false;
	}
	return true;
}

/* Whether a trailer of the mail points to a report of the regression. */
static bool names_report(tracker *t, int64_t regression, int64_t message, bool *names,
			 GError **error)
{
	int64_t hit = 0;

	if (!db_get_int(
		    t,
		    "SELECT 1 FROM reference x JOIN message m ON m.message_id = x.target "
		    "JOIN report r ON r.message = m.id WHERE x.message = ?1 "
		    "AND x.kind = 'link' AND x.position < 0 AND r.regression = ?2 LIMIT 1",
		    DB_ARGS(DB_INT(message), DB_INT(regression)), &hit, error))
		return false;
	*names = hit;
	return true;
}

/*
 * Whether the title is that of a patch which the thread offers, or the mail answers
 * one, or answers somebody who asks to pull.
 */
static bool is_offered(tracker *t, int64_t regression, const notice_row *n,
		       bool *offered, GError **error)
{
	const char *subject = n->subject;
	g_autofree char *title =
		subject ? parser_title(subject, strlen(subject)) : NULL;
	g_auto(db_rows) rows = { 0 };

	*offered = false;
	if (!db_query(
		    t, &rows,
		    "SELECT coalesce(p.title, m.subject), m.id = "
		    "(SELECT parent FROM message WHERE id = ?2), p.form = 'branch' "
		    "FROM link l "
		    "JOIN message m ON m.id = l.message JOIN patch p ON p.message = m.id "
		    "WHERE l.regression = ?1 AND l.acts",
		    DB_ARGS(DB_INT(regression), DB_INT(n->message)), error))
		return false;
	while (!*offered && db_next(&rows, error)) {
		const char *text = db_text(&rows, 0);
		g_autofree char *one = parser_title(text, strlen(text));

		*offered = db_int(&rows, 1) ||
			   (title && !db_int(&rows, 2) && strcmp(one, title) == 0);
	}
	return !rows.failed;
}

typedef struct place {
	char *culprit, *subject, *tree, *branch; /* of the regression */
} place;

static void place_clear(place *p)
{
	g_free(p->culprit);
	g_free(p->subject);
	g_free(p->tree);
	g_free(p->branch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(place, place_clear)

static bool load_place(tracker *t, int64_t regression, place *p, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT \"commit\", subject, tree, branch FROM regression "
		      "WHERE id = ?1",
		      DB_ARGS(DB_INT(regression)), error))
		return false;
	if (db_next(&rows, error)) {
		p->culprit = db_dup(&rows, 0);
		p->subject = db_dup(&rows, 1);
		p->tree = db_dup(&rows, 2);
		p->branch = db_dup(&rows, 3);
	}
	return !rows.failed;
}

static bool is_culprit(const place *p, const char *commit, const char *subject)
{
	g_autofree char *ours =
		p->subject ? parser_title(p->subject, strlen(p->subject)) : NULL;
	g_autofree char *theirs =
		subject ? parser_title(subject, strlen(subject)) : NULL;

	if (commit && p->culprit &&
	    strncmp(commit, p->culprit, MIN(strlen(commit), strlen(p->culprit))) == 0)
		return true;
	return ours && theirs && strcmp(ours, theirs) == 0;
}

bool notice_counts(tracker *t, int64_t regression, const notice_row *n, bool *counts,
		   GError **error)
{
	g_auto(place) p = { 0 };
	bool names, offered;

	if (!load_place(t, regression, &p, error) ||
	    !names_report(t, regression, n->message, &names, error) ||
	    !is_offered(t, regression, n, &offered, error))
		return false;
	*counts = (names || offered) && !is_culprit(&p, n->commit, n->subject);
	return true;
}

/* "netdev/net.git" is the tree "net". */
static bool is_tree(const char *told, const char *tree)
{
	const char *slash = strrchr(told, '/');
	const char *name = slash ? slash + 1 : told;
	size_t n = strlen(name);

	if (g_str_has_suffix(name, ".git"))
		n -= 4;
	return tree && strlen(tree) == n && strncmp(name, tree, n) == 0;
}

/* Anybody can write in a bot's name: unless somebody vouches for it, the commit is only
 * said to be on its way.
 */
static void take(fold *f, const evidence *e, const db_rows *rows, const place *p,
		 bool vouched)
{
	const char *tree = db_text(rows, 0), *branch = db_text(rows, 1);
	bool own = is_tree(tree, p->tree) &&
		   (!branch || !p->branch || strcmp(branch, p->branch) == 0);
	bool moved = fold_sighting(f, vouched && (own || db_int(rows, 2)) ? "merged" :
									    "queued");

	if (moved)
		fold_add_step(f, &(fold_step){
					 .at = e->at,
					 .status = f->status,
					 .kind = "scan",
					 .actor = fold_who(e->name, e->address),
					 .role = TRACKER_ROLE_BOT,
					 .rule = "notice",
					 .message = e->row,
					 .evidence = db_text(rows, 5),
					 .moves = true,
				 });
}

bool fold_notices(fold *f, const evidence *e, GError **error)
{
	g_auto(db_rows) rows = { 0 };
	g_auto(place) p = { 0 };
	bool counts, vouched;

	if (!f->seen || strcmp(e->class, "bot"))
		return true;
	if (!fold_is_vouched(f, e, &vouched, error) ||
	    !load_place(f->t, f->regression, &p, error) ||
	    !db_query(f->t, &rows,
		      "SELECT tree, branch, mainline, \"commit\", subject, evidence "
		      "FROM notice WHERE message = ?1 ORDER BY position",
		      DB_ARGS(DB_INT(e->row)), error))
		return false;
	while (db_next(&rows, error)) {
		notice_row n = { e->row, db_text(&rows, 3), db_text(&rows, 4) };

		if (!notice_counts(f->t, f->regression, &n, &counts, error))
			return false;
		if (counts)
			take(f, e, &rows, &p, vouched);
	}
	return !rows.failed;
}
