/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Result roots: a commit's directory with a matrix or numbered run directories, or one
 * run directory alone.  A run's own matrix.json.gz is a time series and is left alone.
 */
#include "mailer/mailer.h"

#include <errno.h>
#include <string.h>

#define RUN_DIGITS_MAX 9u

static void free_blob(gpointer data)
{
	mailer_blob *blob = data;

	g_free(blob->name);
	g_clear_pointer(&blob->bytes, g_bytes_unref);
	g_free(blob);
}

static bool is_run_name(const char *name)
{
	size_t n = strspn(name, "0123456789");

	return n > 0 && n <= RUN_DIGITS_MAX && name[n] == '\0';
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;

	if (is_run_name(x) && is_run_name(y)) {
		long i = strtol(x, NULL, 10), j = strtol(y, NULL, 10);

		if (i != j)
			return i < j ? -1 : 1;
	}
	return strcmp(x, y);
}

/* Names of the subdirectories, runs in the order of their numbers. */
static GPtrArray *subdirectories(const char *path, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) cause = NULL;
	g_autoptr(GDir) dir = g_dir_open(path, 0, &cause);
	const char *name;

	if (!dir) {
		bool missing =
			g_error_matches(cause, G_FILE_ERROR, G_FILE_ERROR_NOENT) ||
			g_error_matches(cause, G_FILE_ERROR, G_FILE_ERROR_NOTDIR);

		g_set_error(error, MAILER_ERROR,
			    missing ? MAILER_ERROR_NOT_FOUND : MAILER_ERROR_IO,
			    "%s: %s", path, g_strerror(errno));
		return NULL;
	}
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *full = g_build_filename(path, name, NULL);

		if (g_file_test(full, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_names);
	return g_steal_pointer(&names);
}

/*
 * Adds dir/stem as X.json.gz, X.json or X.yaml, whichever is there first, under the
 * name prefix + X.json or X.yaml.  False only when it is there and cannot be read.
 */
static bool add(GPtrArray *blobs, const char *dir, const char *prefix, const char *stem,
		GError **error)
{
	static const char *const endings[] = { ".json.gz", ".json", ".yaml.gz",
					       ".yaml" };

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		g_autofree char *file = g_strconcat(stem, endings[i], NULL);
		g_autofree char *path = g_build_filename(dir, file, NULL);

		if (!g_file_test(path, G_FILE_TEST_EXISTS))
			continue;

		GBytes *bytes = mailer_file_read(path, error);

		if (!bytes)
			return false;

		mailer_blob *blob = g_new0(mailer_blob, 1);

		if (g_str_has_suffix(file, ".gz"))
			file[strlen(file) - strlen(".gz")] = '\0';
		blob->name = g_strconcat(prefix, file, NULL);
		blob->bytes = bytes;
		g_ptr_array_add(blobs, blob);
		return true;
	}
	return true;
}

static bool has(const char *dir, const char *stem)
{
	static const char *const endings[] = { ".json.gz", ".json", ".yaml.gz",
					       ".yaml" };

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		g_autofree char *file = g_strconcat(stem, endings[i], NULL);
		g_autofree char *path = g_build_filename(dir, file, NULL);

		if (g_file_test(path, G_FILE_TEST_EXISTS))
			return true;
	}
	return false;
}

/* The runs below a commit's directory.  stats: their numbers too, not only job.yaml. */
static bool add_runs(GPtrArray *blobs, const char *path, const GPtrArray *names,
		     bool stats, GError **error)
{
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);

		if (!is_run_name(name))
			continue;

		g_autofree char *dir = g_build_filename(path, name, NULL);
		g_autofree char *prefix = g_strconcat(name, "/", NULL);
		guint before = blobs->len;

		if ((stats && !add(blobs, dir, prefix, "stats", error)) ||
		    !add(blobs, dir, prefix, "job", error))
			return false;
		/* All runs of a commit are the same job: one description will do. */
		if (!stats && blobs->len > before)
			return true;
	}
	return true;
}

static bool add_single_run(GPtrArray *blobs, const char *path, GError **error)
{
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *prefix =
		g_strconcat(is_run_name(name) ? name : "0", "/", NULL);

	return add(blobs, path, prefix, "stats", error) &&
	       add(blobs, path, prefix, "job", error);
}

/* The directory holds no results itself: say what it does hold. */
static void explain(const char *path, const GPtrArray *names, GError **error)
{
	g_autoptr(GString) commits = g_string_new(NULL);

	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *dir = g_build_filename(path, name, NULL);
		g_autofree char *first = g_build_filename(dir, "0", NULL);

		if (!is_run_name(name) && (has(dir, "matrix") || has(first, "stats")))
			g_string_append_printf(commits, "%s%s",
					       commits->len ? ", " : "", name);
	}
	if (commits->len)
		g_set_error(
			error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			"%s: holds results of several commits, give one of them: %s",
			path, commits->str);
	else
		g_set_error(
			error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			"%s: not a result root: no matrix.json and no stats.json of a "
			"run",
			path);
}

static bool holds(const GPtrArray *blobs, const char *what)
{
	for (guint i = 0; i < blobs->len; i++)
		if (strstr(((mailer_blob *)g_ptr_array_index(blobs, i))->name, what))
			return true;
	return false;
}

GPtrArray *mailer_root_read(const char *path, GError **error)
{
	g_autoptr(GPtrArray) blobs = g_ptr_array_new_with_free_func(free_blob);
	g_autoptr(GPtrArray) names = subdirectories(path, error);

	if (!names)
		return NULL;
	if (has(path, "stats"))
		return add_single_run(blobs, path, error) ? g_steal_pointer(&blobs) :
							    NULL;
	if (!add(blobs, path, "", "matrix", error))
		return NULL;

	bool matrix = blobs->len > 0;

	if (!add(blobs, path, "", "job", error))
		return NULL;

	bool job = holds(blobs, "job.");

	if ((!matrix || !job) && !add_runs(blobs, path, names, !matrix, error))
		return NULL;
	if (!matrix && !holds(blobs, "stats.")) {
		explain(path, names, error);
		return NULL;
	}
	return g_steal_pointer(&blobs);
}

/* ---- materials ----------------------------------------------------------------- */

static const char *const materials[] = { "job.yaml",     "job.sh", "reproduce",
					 "reproduce.sh", "config", "kconfig" };

/* The file, or the same with .gz, under its plain name. */
static bool add_material(GPtrArray *blobs, const char *dir, const char *name,
			 GError **error)
{
	static const char *const endings[] = { "", ".gz" };

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		g_autofree char *file = g_strconcat(name, endings[i], NULL);
		g_autofree char *path = g_build_filename(dir, file, NULL);
		mailer_blob *blob;
		GBytes *bytes;

		if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
			continue;
		bytes = mailer_file_read(path, error);
		if (!bytes)
			return false;
		blob = g_new0(mailer_blob, 1);
		blob->name = g_strdup(name);
		blob->bytes = bytes;
		g_ptr_array_add(blobs, blob);
		return true;
	}
	return true;
}

static bool add_materials(GPtrArray *blobs, const char *dir, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(materials); i++)
		if (!add_material(blobs, dir, materials[i], error))
			return false;
	return true;
}

GPtrArray *mailer_root_materials(const char *path, GError **error)
{
	g_autoptr(GPtrArray) blobs = g_ptr_array_new_with_free_func(free_blob);
	g_autoptr(GPtrArray) names = subdirectories(path, error);

	if (!names || !add_materials(blobs, path, error))
		return NULL;
	for (guint i = 0; i < names->len && blobs->len == 0; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *dir = g_build_filename(path, name, NULL);

		if (is_run_name(name) && has(dir, "job") &&
		    !add_materials(blobs, dir, error))
			return NULL;
	}
	return g_steal_pointer(&blobs);
}
