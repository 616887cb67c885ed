/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maildirs.  Mail readers rename files while we look (flags follow a colon, and new
 * mail moves from new/ to cur/), so a mail's lasting name is what stands before the
 * colon.  It is never used twice: a name that was read once is not opened again.  The
 * cursor holds when the two directories changed last, so that nothing is listed when
 * nothing happened.
 */
#include "mailer/maildir.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "mailer/fetch_kind.h"
#include "mailer/mailer.h"

#define SCHEME     "maildir:"
#define CHECKPOINT 500 /* mails */
#define SETTLED    2   /* seconds after which a directory's time says enough */

#define FOLDER 3 /* bytes of their names */
static const char *const folders[] = { "new", "cur" };

typedef struct maildir {
	char *path;         /* absolute */
	GHashTable *listed; /* name without flags -> "cur/NAME"; NULL: not listed */
} maildir;

bool maildir_is(const char *path)
{
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *dir = g_build_filename(path, folders[i], NULL);

		if (!g_file_test(dir, G_FILE_TEST_IS_DIR))
			return false;
	}
	return true;
}

static void *maildir_open(const char *url, const mailer_fetch_options *options,
			  GError **error)
{
	char *path = fetch_path(url, error);

	(void)options;
	if (!path)
		return NULL;

	maildir *self = g_new0(maildir, 1);

	self->path = path;
	return self;
}

static void maildir_close(void *data)
{
	maildir *self = data;

	g_clear_pointer(&self->listed, g_hash_table_destroy);
	g_free(self->path);
	g_free(self);
}

static char *maildir_name(const void *data)
{
	return g_strconcat(SCHEME, ((const maildir *)data)->path, NULL);
}

/* ---- when it changed ------------------------------------------------------------- */

/* "NANOSECONDS NANOSECONDS" of new and cur; 0 for one that changed just now: what comes
 * in the same moment would not be seen by its time. */
static char *times_of(const maildir *self)
{
	GString *text = g_string_new(NULL);
	int64_t now = g_get_real_time() * 1000;

	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *dir = g_build_filename(self->path, folders[i], NULL);
		struct stat st;
		int64_t at = 0;

		if (stat(dir, &st) == 0)
			at = st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec;
		if (now - at < SETTLED * 1000000000ll)
			at = 0;
		g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i ? " " : "", at);
	}
	return g_string_free(text, FALSE);
}

static bool nothing_happened(const char *cursor, const char *times)
{
	return cursor && strcmp(cursor, times) == 0 && times[0] != '0' &&
	       !g_str_has_suffix(times, " 0");
}

/* ---- what is there --------------------------------------------------------------- */

/* Adds "new/NAME" or "cur/NAME" of every mail in one of the two folders. */
static bool list_folder(const maildir *self, const char *folder, GStringChunk *names,
			GPtrArray *files, GError **error)
{
	g_autofree char *full = g_build_filename(self->path, folder, NULL);
	g_autoptr(GDir) dir = g_dir_open(full, 0, NULL);
	const char *name;
	char file[NAME_MAX + 8];

	if (!dir) {
		g_set_error(error, MAILER_ERROR,
			    errno == ENOENT ? MAILER_ERROR_NOT_FOUND : MAILER_ERROR_IO,
			    "%s: %s", full, g_strerror(errno));
		return false;
	}
	while ((name = g_dir_read_name(dir)))
		if (name[0] != '.' && snprintf(file, sizeof(file), "%s/%s", folder,
					       name) < (int)sizeof(file))
			g_ptr_array_add(files, g_string_chunk_insert(names, file));
	return true;
}

/* Behind "new/" or "cur/". */
static const char *name_of(const char *file)
{
	return file + FOLDER + 1;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(name_of(*(const char *const *)a),
		      name_of(*(const char *const *)b));
}

static char *base_of(const char *file)
{
	const char *name = name_of(file), *flags = strchr(name, ':');

	return flags ? g_strndup(name, (gsize)(flags - name)) : g_strdup(name);
}

static bool list_all(const maildir *self, GStringChunk *names, GPtrArray *files,
		     GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++)
		if (!list_folder(self, folders[i], names, files, error))
			return false;
	g_ptr_array_sort(files, by_name);
	return true;
}

static GBytes *read_file(const maildir *self, const char *file, GError **error)
{
	g_autofree char *full = g_build_filename(self->path, file, NULL);

	return mailer_file_read(full, error);
}

/* Where each mail is now. */
static bool index_files(maildir *self, GError **error)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new();
	GStringChunk *names = g_string_chunk_new(64 << 10);
	bool good = list_all(self, names, files, error);

	g_clear_pointer(&self->listed, g_hash_table_destroy);
	if (good)
		self->listed =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; good && i < files->len; i++)
		g_hash_table_insert(self->listed, base_of(files->pdata[i]),
				    g_strdup(files->pdata[i]));
	g_string_chunk_free(names);
	return good;
}

static GBytes *maildir_again(void *data, const char *place, GError **error)
{
	maildir *self = data;

	/* A listing may be old: the second look is at a new one. */
	for (int look = 0; look < 2; look++) {
		g_autoptr(GError) cause = NULL;

		if ((!self->listed || look > 0) && !index_files(self, error))
			return NULL;

		const char *file = g_hash_table_lookup(self->listed, place);
		GBytes *bytes = file ? read_file(self, file, &cause) : NULL;

		if (bytes)
			return bytes;
		if (cause && cause->code != MAILER_ERROR_NOT_FOUND) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return NULL;
		}
	}
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND, "%s: no mail named %s",
		    self->path, place);
	return NULL;
}

/* ---- reading --------------------------------------------------------------------- */

/* *bytes NULL without an error: it was deleted since we looked. */
static bool read_listed(maildir *self, const char *file, const char *base,
			GBytes **bytes, GError **error)
{
	g_autoptr(GError) cause = NULL;

	*bytes = read_file(self, file, &cause);
	if (g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_NOT_FOUND)) {
		g_clear_error(&cause);
		*bytes = maildir_again(self, base, &cause);
	}
	if (!cause || g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_NOT_FOUND))
		return true;
	g_propagate_error(error, g_steal_pointer(&cause));
	return false;
}

/* *taken says whether it was handed over. */
static bool take_one(maildir *self, const char *file, int64_t left,
		     const mailer_fetch_sink *sink, bool *taken, GError **error)
{
	g_autofree char *base = base_of(file);
	g_autoptr(GBytes) bytes = NULL;
	bool known = false;

	*taken = false;
	if (sink->known && !sink->known(base, &known, sink->context, error))
		return false;
	if (known)
		return true;
	if (!read_listed(self, file, base, &bytes, error))
		return false;
	if (!bytes)
		return true;

	mailer_fetched mail = {
		.place = base, .bytes = bytes, .is_file = true, .left = left
	};

	*taken = true;
	return sink->mail(&mail, sink->context, error);
}

static bool take_all(maildir *self, const GPtrArray *files,
		     const mailer_fetch_sink *sink, GError **error)
{
	unsigned since = 0;
	bool taken;

	for (guint i = 0; i < files->len; i++) {
		if (!take_one(self, files->pdata[i], files->len - 1 - i, sink, &taken,
			      error))
			return false;
		since += taken;
		/* Names tell what is known: this says only that a batch is complete. */
		if (since == CHECKPOINT) {
			if (!sink->checkpoint("0 0", sink->context, error))
				return false;
			since = 0;
		}
	}
	return true;
}

static bool maildir_run(void *data, const char *cursor, const mailer_fetch_sink *sink,
			GError **error)
{
	maildir *self = data;
	g_autofree char *times = times_of(self);
	g_autoptr(GPtrArray) files = g_ptr_array_new();

	if (nothing_happened(cursor, times))
		return true;

	GStringChunk *names = g_string_chunk_new(64 << 10);
	bool good = list_all(self, names, files, error) &&
		    take_all(self, files, sink, error) &&
		    (g_strcmp0(cursor, times) == 0 ||
		     sink->checkpoint(times, sink->context, error));

	g_string_chunk_free(names);
	return good;
}

const fetch_kind fetch_maildir = {
	.scheme = SCHEME,
	.form = "maildir:PATH",
	.open = maildir_open,
	.name = maildir_name,
	.run = maildir_run,
	.again = maildir_again,
	.close = maildir_close,
};
