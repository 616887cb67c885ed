/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A public-inbox: in version 2 the repositories git/0.git, git/1.git ... one after the
 * other, each commit with one mail as the blob `m` or a removed one as `d`; in version
 * 1 one repository with a file a mail.  The cursor names the last commit that was read
 * of each repository.  When history was rewritten (a purge), what the old commit does
 * not reach is read; when the old commit is gone, everything.
 */

#include <string.h>

#include "mailer/fetch_kind.h"
#include "mailer/git_objects.h"
#include "mailer/mailer.h"
#include "mailer/pubinbox_epoch.h"

#define SCHEME        "pubinbox:"
#define FETCH_SECONDS 1800
#define REPOSITORIES  1000 /* more than any archive has */

typedef struct inbox {
	char *path; /* absolute */
	bool mirror;
} inbox;

/* Where one of its repositories is; epoch -1: the path itself is one.  g_free. */
static char *repository(const inbox *self, int epoch)
{
	if (epoch < 0)
		return g_strdup(self->path);

	g_autofree char *name = g_strdup_printf("%d.git", epoch);

	return g_build_filename(self->path, "git", name, NULL);
}

static bool is_repository(const char *path)
{
	g_autofree char *objects = g_build_filename(path, "objects", NULL);
	g_autofree char *dot = g_build_filename(path, ".git", NULL);

	return g_file_test(objects, G_FILE_TEST_IS_DIR) ||
	       g_file_test(dot, G_FILE_TEST_EXISTS);
}

/* The numbers of its repositories, in order; empty: there is none. */
static GArray *epochs(const inbox *self)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(int));
	int whole = -1;

	/* An expired epoch may be missing at the beginning. */
	for (int i = 0; i < REPOSITORIES; i++) {
		g_autofree char *path = repository(self, i);

		if (is_repository(path))
			g_array_append_val(all, i);
		else if (all->len)
			break;
	}
	if (!all->len && is_repository(self->path))
		g_array_append_val(all, whole);
	return all;
}

static void *inbox_open(const char *url, const mailer_fetch_options *options,
			GError **error)
{
	char *path = fetch_path(url, error);

	if (!path)
		return NULL;

	inbox *self = g_new0(inbox, 1);

	self->path = path;
	self->mirror = options->mirror;
	return self;
}

static void inbox_close(void *data)
{
	inbox *self = data;

	g_free(self->path);
	g_free(self);
}

static char *inbox_name(const void *data)
{
	return g_strconcat(SCHEME, ((const inbox *)data)->path, NULL);
}

/* ---- the cursor: "0=COMMIT 1=COMMIT" ------------------------------------------- */

static GHashTable *cursor_read(const char *cursor)
{
	GHashTable *commits =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) words = g_strsplit(cursor ? cursor : "", " ", -1);

	for (char **word = words; *word; word++) {
		char *equals = strchr(*word, '=');

		if (equals && git_is_id(equals + 1))
			g_hash_table_insert(commits,
					    g_strndup(*word, (gsize)(equals - *word)),
					    g_strdup(equals + 1));
	}
	return commits;
}

static char *epoch_key(int epoch)
{
	return epoch < 0 ? g_strdup("all") : g_strdup_printf("%d", epoch);
}

static char *cursor_text(const GArray *all, GHashTable *commits)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		g_autofree char *key = epoch_key(g_array_index(all, int, i));
		const char *commit = g_hash_table_lookup(commits, key);

		if (commit)
			g_string_append_printf(text, "%s%s=%s", text->len ? " " : "",
					       key, commit);
	}
	return g_string_free(text, FALSE);
}

/* ---- reading ------------------------------------------------------------------- */

typedef struct walk {
	const mailer_fetch_sink *sink;
	const GArray *epochs;
	GHashTable *commits;
	char *key;
	int epoch;
} walk;

static bool hand_over(const char *blob, GBytes *bytes, const char *trouble,
		      void *context, GError **error)
{
	walk *w = context;
	g_autofree char *place = w->epoch < 0 ?
					 g_strdup(blob) :
					 g_strdup_printf("%d/%s", w->epoch, blob);
	mailer_fetched mail = {
		.place = place, .bytes = bytes, .trouble = trouble, .left = -1
	};

	return w->sink->mail(&mail, w->sink->context, error);
}

static bool reached(const char *commit, void *context, GError **error)
{
	walk *w = context;

	g_hash_table_insert(w->commits, g_strdup(w->key), g_strdup(commit));

	g_autofree char *cursor = cursor_text(w->epochs, w->commits);

	return w->sink->checkpoint(cursor, w->sink->context, error);
}

static bool read_epoch(const inbox *self, walk *w, int epoch, GError **error)
{
	g_autofree char *path = repository(self, epoch);
	g_autofree char *key = epoch_key(epoch);
	g_autofree char *since = g_strdup(g_hash_table_lookup(w->commits, key));
	const epoch_sink sink = { hand_over, reached, w };

	w->epoch = epoch;
	w->key = key;
	return epoch_read(path, since, &sink, error);
}

/* Older repositories of a mirror are finished: the newest is brought up to date. */
static bool update(const inbox *self, const GArray *all, GError **error)
{
	g_autofree char *path = repository(self, g_array_index(all, int, all->len - 1));

	return git_fetch(path, FETCH_SECONDS, error);
}

static bool inbox_run(void *data, const char *cursor, const mailer_fetch_sink *sink,
		      GError **error)
{
	inbox *self = data;
	g_autoptr(GArray) all = epochs(self);
	g_autoptr(GHashTable) commits = cursor_read(cursor);
	g_autoptr(GError) trouble = NULL;
	walk w = { .sink = sink, .epochs = all, .commits = commits };

	if (!all->len) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
			    "%s: no public-inbox (no git/0.git, and no git repository)",
			    self->path);
		return false;
	}
	/* What a mirror cannot get now does not keep what it has from being read. */
	if (self->mirror)
		update(self, all, &trouble);
	for (guint i = 0; i < all->len; i++)
		if (!read_epoch(self, &w, g_array_index(all, int, i), error))
			return false;
	if (!trouble)
		return true;
	g_propagate_error(error, g_steal_pointer(&trouble));
	return false;
}

static GBytes *inbox_again(void *data, const char *place, GError **error)
{
	const inbox *self = data;
	const char *slash = strchr(place, '/');
	g_autofree char *path =
		repository(self, slash ? (int)g_ascii_strtoll(place, NULL, 10) : -1);

	return git_blob(path, slash ? slash + 1 : place, error);
}

const fetch_kind fetch_pubinbox = {
	.scheme = SCHEME,
	.form = "pubinbox:PATH",
	.open = inbox_open,
	.name = inbox_name,
	.run = inbox_run,
	.again = inbox_again,
	.close = inbox_close,
};
