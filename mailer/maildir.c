/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maildirs.  Mail readers rename files while we look (flags follow a colon, and new
 * mail moves from new/ to cur/), so a mail's lasting name is what stands before the
 * colon.
 */
#include "mailer/maildir.h"

#include <errno.h>
#include <string.h>

static const char *const folders[] = { "new", "cur" };

bool maildir_is(const char *path)
{
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *dir = g_build_filename(path, folders[i], NULL);

		if (!g_file_test(dir, G_FILE_TEST_IS_DIR))
			return false;
	}
	return true;
}

static char *base_of(const char *file)
{
	return g_strndup(file, strcspn(file, ":"));
}

/* Adds "new/NAME" or "cur/NAME" of every mail in one of the two folders. */
static bool list_folder(const char *path, const char *folder, GPtrArray *files,
			GError **error)
{
	g_autofree char *full = g_build_filename(path, folder, NULL);
	g_autoptr(GDir) dir = g_dir_open(full, 0, NULL);
	const char *name;

	if (!dir) {
		g_set_error(error, MAILER_ERROR,
			    errno == ENOENT ? MAILER_ERROR_NOT_FOUND : MAILER_ERROR_IO,
			    "%s: %s", full, g_strerror(errno));
		return false;
	}
	while ((name = g_dir_read_name(dir)))
		if (name[0] != '.')
			g_ptr_array_add(files, g_build_filename(folder, name, NULL));
	return true;
}

static int by_base_name(gconstpointer a, gconstpointer b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;

	return strcmp(strchr(x, '/'), strchr(y, '/'));
}

static GPtrArray *list_files(const char *path, GError **error)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++)
		if (!list_folder(path, folders[i], files, error))
			return NULL;
	g_ptr_array_sort(files, by_base_name);
	return g_steal_pointer(&files);
}

static GBytes *read_file(const char *path, const char *file, GError **error)
{
	g_autofree char *full = g_build_filename(path, file, NULL);

	return mailer_file_read(full, error);
}

GBytes *maildir_read(const char *path, const char *name, GError **error)
{
	g_autoptr(GPtrArray) files = list_files(path, error);

	if (!files)
		return NULL;
	for (guint i = 0; i < files->len; i++) {
		const char *file = g_ptr_array_index(files, i);
		g_autofree char *base = base_of(strchr(file, '/') + 1);

		if (strcmp(base, name) == 0)
			return read_file(path, file, error);
	}
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND, "%s: no mail named %s",
		    path, name);
	return NULL;
}

bool maildir_walk(const char *path, mailer_file_fn fn, void *context, GError **error)
{
	g_autoptr(GPtrArray) files = list_files(path, error);

	if (!files)
		return false;
	for (guint i = 0; i < files->len; i++) {
		const char *file = g_ptr_array_index(files, i);
		g_autofree char *name = base_of(strchr(file, '/') + 1);
		g_autoptr(GError) cause = NULL;
		g_autoptr(GBytes) bytes = read_file(path, file, &cause);

		if (g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_NOT_FOUND)) {
			g_clear_error(&cause);
			bytes = maildir_read(path, name, &cause);
			/* Deleted since we looked: there is nothing to read. */
			if (g_error_matches(cause, MAILER_ERROR,
					    MAILER_ERROR_NOT_FOUND))
				continue;
		}
		if (!bytes) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return false;
		}
		if (!fn(name, bytes, context, error))
			return false;
	}
	return true;
}
