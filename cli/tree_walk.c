/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One walk of a tree: what is new since its cursor, and as far back as the culprits of
 * those regressions go that it was not asked about before.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/trees.h"
#include "mailer/mailer.h"

#define ROUNDS_MAX  5  /* culprits under new hashes, found one after the other */
#define LATE_MAX    64 /* culprits whose common ancestor is looked for */
#define SHOWN_EVERY 1  /* second */

typedef struct walk {
	cli *c;
	tracker_scan *scan;
	const tree_path *path;
	tracker_tree tree;
	parser_log log;
	char *tip;
	GPtrArray *without; /* char *: what is left out */
	bool whole;         /* nothing is left out */
	bool complete;      /* no shallow clone, no grafts */
	bool lost;          /* what passes now are commits that the branch has lost */
	int64_t shown;
	bool progress;
} walk;

static void walk_clear(walk *w)
{
	parser_log_clear(&w->log);
	g_free(w->tip);
	g_ptr_array_unref(w->without);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(walk, walk_clear)

static void say(const walk *w, const char *what)
{
	cli_complain(w->c, "%s %s: %s", w->tree.name, w->tree.branch, what);
}

/* ---- what the tracker asks of the repository
 * ------------------------------------------- */

static char *patch_id(const char *commit, void *context)
{
	const walk *w = context;

	return mailer_git_patch_id(w->path->path, commit, NULL);
}

static char *patch_id_of(GBytes *patch, void *context)
{
	(void)context;
	return mailer_git_patch_id_of(patch, NULL);
}

static char *full_hash(const char *digits, bool *several, void *context)
{
	const walk *w = context;
	g_autoptr(GPtrArray) one = g_ptr_array_new();
	g_autoptr(GPtrArray) names = NULL;
	const mailer_git_name *name;

	g_ptr_array_add(one, (gpointer)(guintptr)digits);
	names = mailer_git_names(w->path->path, one, NULL);
	name = names ? g_ptr_array_index(names, 0) : NULL;
	*several = name && name->ambiguous;
	return name ? g_strdup(name->id) : NULL;
}

/* ---- the stream
 * ------------------------------------------------------------------------ */

static void show_progress(walk *w)
{
	int64_t now = g_get_monotonic_time() / G_USEC_PER_SEC;

	if (!w->progress || now - w->shown < SHOWN_EVERY)
		return;
	if (w->shown)
		fprintf(stderr, "\r%s %s: %zu commits", w->tree.name, w->tree.branch,
			w->log.records);
	w->shown = now;
}

static bool take_commit(const parser_logged *commit, void *context)
{
	walk *w = context;

	if (w->lost)
		tracker_scan_lost(w->scan, commit);
	else
		tracker_scan_commit(w->scan, commit);
	if (commit->cut)
		cli_complain(w->c, "%s %s: %.12s: its message of over %u MiB was cut",
			     w->tree.name, w->tree.branch, commit->id,
			     PARSER_LOG_RECORD_MAX >> 20);
	return true;
}

static bool take_piece(const char *bytes, size_t length, void *context, GError **error)
{
	walk *w = context;

	(void)error;
	parser_log_feed(&w->log, bytes, length, take_commit, w);
	show_progress(w);
	return true;
}

static bool stream(walk *w, const char *tip, const GPtrArray *without, GError **error)
{
	mailer_git_span range = { .tip = tip,
				  .without = without,
				  .format = PARSER_LOG_FORMAT };
	bool good;

	parser_log_clear(&w->log);
	parser_log_init(&w->log);
	good = mailer_git_log(w->path->path, &range, take_piece, w, error);
	parser_log_end(&w->log, take_commit, w);
	if (w->progress && w->shown)
		fputs("\r\033[K", stderr);
	w->shown = 0;
	if (w->log.broken)
		cli_complain(w->c, "%s %s: %zu records of git log are no commits",
			     w->tree.name, w->tree.branch, w->log.broken);
	return good;
}

/* ---- from where
 * ------------------------------------------------------------------------ */

static bool stream_lost(walk *w, const char *cursor, GError **error)
{
	g_autoptr(GPtrArray) without = g_ptr_array_new();
	bool good;

	g_ptr_array_add(without, w->tip);
	w->lost = true;
	good = stream(w, cursor, without, error);
	w->lost = false;
	return good;
}

/* Looks at how the branch moved; *bound (g_free) is what both have, NULL for nothing.
 */
static bool from_cursor(walk *w, const char *cursor, char **bound, GError **error)
{
	mailer_git_move move;
	g_autofree char *base = NULL;
	g_autofree char *text = NULL;

	if (!mailer_git_moved(w->path->path, cursor, w->tip, &move, &base, error))
		return false;
	if (move == MAILER_GIT_FORWARD) {
		*bound = g_strdup(cursor);
		return true;
	}
	if (move == MAILER_GIT_VANISHED) {
		text = g_strdup_printf(
			"%.12s, where the last scan ended, is not in the "
			"repository any more: all of it is read",
			cursor);
	} else if (base) {
		text = g_strdup_printf(
			"was pushed by force; it is read from %.12s on, which it has in "
			"common with what was read",
			base);
		*bound = g_strdup(base);
	} else {
		text = g_strdup(
			"was pushed by force and has nothing in common with what "
			"was read: all of it is read");
	}
	say(w, text);
	return move == MAILER_GIT_VANISHED || !w->complete ||
	       stream_lost(w, cursor, error);
}

/* The full hashes of the culprits that are asked for late; false if the repository does
 * not have them all, so that nothing says how far back to go. */
static bool late_ids(walk *w, const tracker_walk *asked, GPtrArray *ids, bool *all,
		     GError **error)
{
	g_autoptr(GPtrArray) names = NULL;

	*all = !asked->blind && asked->late->len <= LATE_MAX;
	if (!*all)
		return true;
	names = mailer_git_names(w->path->path, asked->late, error);
	for (guint i = 0; names && i < names->len; i++) {
		const mailer_git_name *name = g_ptr_array_index(names, i);

		*all = *all && name->id;
		g_ptr_array_add(ids, g_strdup(name->id));
	}
	return names;
}

/* Leaves out what is behind `bound` and behind every late culprit. */
static bool leave_out(walk *w, const tracker_walk *asked, const char *bound,
		      GError **error)
{
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *base = NULL;
	bool all = true;

	g_ptr_array_set_size(w->without, 0);
	w->whole = true;
	if (!bound && asked->cursor)
		return true;
	if (!asked->late->len && !asked->blind) {
		if (bound)
			g_ptr_array_add(w->without, g_strdup(bound));
		w->whole = !bound;
		return true;
	}
	if (!late_ids(w, asked, ids, &all, error))
		return false;
	if (!all || !w->complete)
		return true;
	if (bound)
		g_ptr_array_add(ids, g_strdup(bound));
	if (!mailer_git_base(w->path->path, ids, &base, error))
		return false;
	if (base) {
		/* The culprit itself shall pass. */
		g_ptr_array_add(w->without, g_strconcat(base, "^@", NULL));
		w->whole = false;
	}
	return true;
}

static bool is_failure_of_tree(const GError *error)
{
	return error && error->domain == MAILER_ERROR;
}

static bool walk_once(walk *w, const tracker_repository *repository, bool *again,
		      GError **error)
{
	g_auto(tracker_walk) asked = { 0 };
	g_autofree char *bound = NULL;
	tracker_walked walked = { .cursor = w->tip };
	g_autoptr(GError) broke = NULL;

	if (!tracker_scan_enter(w->scan, &w->tree, repository, &asked, error))
		return false;
	if (asked.cursor && !from_cursor(w, asked.cursor, &bound, error))
		return false;
	if (!leave_out(w, &asked, bound, error))
		return false;
	if (asked.any && !stream(w, w->tip, w->without, &broke)) {
		/* What was read counts; the next scan begins where this one did. */
		walked.cursor = NULL;
		if (!is_failure_of_tree(broke)) {
			g_propagate_error(error, g_steal_pointer(&broke));
			return false;
		}
	}
	walked.whole = asked.any && w->whole && w->complete;
	if (!tracker_scan_leave(w->scan, &walked, again, error))
		return false;
	if (broke) {
		g_propagate_error(error, g_steal_pointer(&broke));
		g_prefix_error(error, "broke off after %zu commit%s: ", w->log.records,
			       w->log.records == 1 ? "" : "s");
	}
	return walked.cursor;
}

static bool prepare(walk *w, GError **error)
{
	w->tip = mailer_git_tip(w->path->path, w->path->branch, error);
	if (!w->tip || !mailer_git_complete(w->path->path, &w->complete, error))
		return false;
	if (!w->complete)
		say(w,
		    "a shallow clone, or one with grafts: what is cut off is not seen, "
		    "and nothing is called gone");
	return true;
}

int tree_walk(cli *c, tracker_scan *scan, const tree_path *path)
{
	g_auto(walk) w = { .c = c,
			   .scan = scan,
			   .path = path,
			   .tree = { path->name, path->branch, path->order },
			   .without = g_ptr_array_new_with_free_func(g_free),
			   .progress = isatty(STDERR_FILENO) };
	tracker_repository repository = { .patch_id = patch_id,
					  .patch_id_of = patch_id_of,
					  .full_hash = full_hash,
					  .context = &w };
	g_autoptr(GError) error = NULL;
	bool again = true, good = prepare(&w, &error);

	for (int round = 0; good && again && round < ROUNDS_MAX; round++)
		good = walk_once(&w, &repository, &again, &error);
	tracker_scan_abandon(scan);
	if (good)
		return CLI_OK;
	g_prefix_error(&error, "%s %s: ", path->name, path->branch);
	return cli_fail(c, error);
}
