/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One repository of a public-inbox: `git log --raw` names the blobs, oldest first. */
#include "mailer/pubinbox_epoch.h"

#include <string.h>

#include "mailer/fetch.h"
#include "mailer/git_batch.h"
#include "mailer/git_objects.h"
#include "mailer/pipe.h"

#define CHECKPOINT 500 /* mails */

/* A blob that was asked for, and the commit that added it. */
typedef struct pending {
	char *blob, *commit;
} pending;

static void pending_free(gpointer data)
{
	pending *p = data;

	g_free(p->blob);
	g_free(p->commit);
	g_free(p);
}

typedef struct reader {
	const char *dir;
	const epoch_sink *sink;
	git_batch *batch;
	GQueue *asked;    /* pending * */
	GHashTable *gone; /* blob -> how often it will be removed after this */
	char *commit;     /* of the lines that are read now */
	char *done;       /* the last commit of which a mail was taken */
	unsigned taken;   /* mails since the last checkpoint */
} reader;

/* ---- the log ------------------------------------------------------------------- */

/* ":<mode> <mode> <old blob> <new blob> <letter>\t<path>"; the parts are cut out. */
typedef struct change {
	const char *before, *after, *path;
	char letter;
} change;

static bool change_read(char *line, change *c)
{
	char *parts[5], *tab = strchr(line, '\t');

	if (line[0] != ':' || !tab)
		return false;
	*tab = '\0';
	c->path = tab + 1;
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		parts[i] = line;
		line = strchr(line, ' ');
		if (!line != (i + 1 == G_N_ELEMENTS(parts)))
			return false;
		if (line)
			*line++ = '\0';
	}
	c->before = parts[2];
	c->after = parts[3];
	c->letter = parts[4][0];
	return true;
}

/* The blob that a change removes from the archive, or NULL: version 2 says so by a file
 * `d` with the mail, version 1 by removing its file. */
static const char *removed_by(const change *c)
{
	if (strcmp(c->path, "d") == 0)
		return c->letter == 'D' ? NULL : c->after;
	return c->letter == 'D' && strcmp(c->path, "m") != 0 ? c->before : NULL;
}

static bool is_mail_path(const char *path)
{
	return strcmp(path, "m") == 0 ||
	       (strlen(path) == 41 && path[2] == '/' && g_ascii_isxdigit(path[0]) &&
		g_ascii_isxdigit(path[1]));
}

static const char *added_by(const change *c)
{
	return c->letter != 'D' && is_mail_path(c->path) ? c->after : NULL;
}

/* `git log` over what is new, with further arguments that end with NULL. */
static bool log_open(run_pipe *git, const char *dir, const char *head,
		     const char *since, const char *const *more, GError **error)
{
	static const char *const words[] = { "log",
					     "--reverse",
					     "--first-parent",
					     "--diff-merges=first-parent",
					     "--raw",
					     "--no-abbrev",
					     "--no-renames",
					     "--no-color",
					     "--no-show-signature",
					     "--no-notes",
					     "--format=%H" };
	g_autofree char *except = since ? g_strconcat("^", since, NULL) : NULL;
	g_autoptr(GPtrArray) argv = g_ptr_array_new();

	g_ptr_array_add(argv, (gpointer) "git");
	g_ptr_array_add(argv, (gpointer) "-C");
	g_ptr_array_add(argv, (gpointer)(guintptr)dir);
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		g_ptr_array_add(argv, (gpointer)(guintptr)words[i]);
	g_ptr_array_add(argv, (gpointer)(guintptr)head);
	if (except)
		g_ptr_array_add(argv, except);
	for (; *more; more++)
		g_ptr_array_add(argv, (gpointer)(guintptr)*more);
	g_ptr_array_add(argv, NULL);
	return pipe_open(git, (const char *const *)(void *)argv->pdata, dir, false,
			 error);
}

/* ---- what was removed ------------------------------------------------------------ */

static void count_removal(GHashTable *gone, const char *blob, int by)
{
	int n = GPOINTER_TO_INT(g_hash_table_lookup(gone, blob)) + by;

	if (n > 0)
		g_hash_table_insert(gone, g_strdup(blob), GINT_TO_POINTER(n));
	else
		g_hash_table_remove(gone, blob);
}

/* A cheap walk before the real one: what is removed later is never handed over. */
static bool find_removed(reader *r, const char *head, const char *since, GError **error)
{
	static const char *const two[] = { "--", "d", NULL };
	static const char *const one[] = { "--diff-filter=D", NULL };
	g_autofree char *m = g_strconcat(head, ":m", NULL);
	g_autofree char *d = g_strconcat(head, ":d", NULL);
	bool is_two = git_has(r->dir, m) || git_has(r->dir, d);
	g_auto(run_pipe) git = { 0 };
	char *line;
	change c;

	if (!log_open(&git, r->dir, head, since, is_two ? two : one, error))
		return false;
	for (;;) {
		if (!pipe_line(&git, &line, error))
			return false;
		if (!line)
			return pipe_finish(&git, error);

		const char *blob = change_read(line, &c) ? removed_by(&c) : NULL;

		if (blob)
			count_removal(r->gone, blob, 1);
	}
}

/* ---- mails ----------------------------------------------------------------------- */

static bool checkpoint(reader *r, const char *commit, GError **error)
{
	r->taken = 0;
	return r->sink->reached(commit, r->sink->context, error);
}

static bool take(reader *r, GError **error)
{
	pending *p = g_queue_pop_head(r->asked);
	git_object object;
	bool good = git_batch_take(r->batch, &object, error);

	/* A commit is done when a mail of the next one is there. */
	if (good && r->taken >= CHECKPOINT && r->done && strcmp(r->done, p->commit))
		good = checkpoint(r, r->done, error);
	if (good)
		good = r->sink->mail(p->blob, object.bytes, object.trouble,
				     r->sink->context, error);
	r->taken++;
	g_free(r->done);
	r->done = g_steal_pointer(&p->commit);
	g_clear_pointer(&object.bytes, g_bytes_unref);
	pending_free(p);
	return good;
}

static bool ask(reader *r, const char *blob, GError **error)
{
	pending *p = g_new(pending, 1);

	p->blob = g_strdup(blob);
	p->commit = g_strdup(r->commit);
	g_queue_push_tail(r->asked, p);
	return git_batch_ask(r->batch, blob, error) &&
	       (git_batch_has_room(r->batch) || take(r, error));
}

static bool take_line(reader *r, char *line, GError **error)
{
	change c;

	if (git_is_id(line)) {
		g_free(r->commit);
		r->commit = g_strdup(line);
		return true;
	}
	if (!change_read(line, &c) || !r->commit)
		return true;

	const char *removed = removed_by(&c), *added = added_by(&c);

	if (removed)
		count_removal(r->gone, removed, -1);
	return !added || g_hash_table_contains(r->gone, added) || ask(r, added, error);
}

static bool read_log(reader *r, run_pipe *git, const char *head, GError **error)
{
	char *line;

	for (;;) {
		if (!pipe_line(git, &line, error))
			return false;
		if (!line)
			break;
		if (!take_line(r, line, error))
			return false;
	}
	if (!pipe_finish(git, error) || !git_batch_end(r->batch, error))
		return false;
	while (!g_queue_is_empty(r->asked))
		if (!take(r, error))
			return false;
	return checkpoint(r, head, error);
}

/* The log walks all history before its first line, while we look for what was removed.
 */
static bool read_range(reader *r, const char *head, const char *since, GError **error)
{
	static const char *const nothing[] = { NULL };
	g_auto(run_pipe) git = { 0 };

	bool good = log_open(&git, r->dir, head, since, nothing, error) &&
		    find_removed(r, head, since, error) &&
		    (r->batch = git_batch_open(r->dir, MAILER_MAIL_MAX, error)) &&
		    read_log(r, &git, head, error);

	git_batch_close(r->batch);
	return good;
}

bool epoch_read(const char *dir, const char *since, const epoch_sink *sink,
		GError **error)
{
	g_autofree char *head = NULL;
	reader r = { .dir = dir, .sink = sink };

	if (!git_head(dir, &head, error))
		return false;
	if (!head || g_strcmp0(head, since) == 0)
		return true;
	if (since && !git_has(dir, since))
		since = NULL;
	r.asked = g_queue_new();
	r.gone = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	bool good = read_range(&r, head, since, error);

	g_queue_free_full(r.asked, pending_free);
	g_hash_table_destroy(r.gone);
	g_free(r.commit);
	g_free(r.done);
	return good;
}
