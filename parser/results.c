/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A result root becomes a column. */
#include <stdlib.h>
#include <string.h>

#include "parser/column.h"
#include "parser/error.h"

#define COMMIT_DIGITS 40

static const parser_blob *blob_named(const parser_blob *blobs, size_t n,
				     const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(blobs[i].name, name) == 0)
			return &blobs[i];
	return NULL;
}

/* The number of the run whose file `base` this is, or -1. */
static int64_t run_of(const parser_blob *blob, const char *base)
{
	const char *slash = strchr(blob->name, '/');
	size_t length = slash ? (size_t)(slash - blob->name) : 0;

	if (!length || length > 9 || strcmp(slash + 1, base) != 0 ||
	    strspn(blob->name, "0123456789") != length)
		return -1;
	return g_ascii_strtoll(blob->name, NULL, 10);
}

static int by_run(gconstpointer a, gconstpointer b)
{
	const parser_blob *x = *(const parser_blob *const *)a;
	const parser_blob *y = *(const parser_blob *const *)b;
	int64_t m = run_of(x, "stats.json"), n = run_of(y, "stats.json");

	return m < n ? -1 : m > n;
}

static bool read_samples(parser_column *column, const parser_blob *blobs, size_t n,
			 GError **error)
{
	g_autoptr(GPtrArray) runs = g_ptr_array_new();
	const parser_blob *matrix = blob_named(blobs, n, "matrix.json");

	if (matrix)
		return matrix_read(column, matrix, error);

	for (size_t i = 0; i < n; i++)
		if (run_of(&blobs[i], "stats.json") >= 0 ||
		    strcmp(blobs[i].name, "stats.json") == 0)
			g_ptr_array_add(runs, (void *)&blobs[i]);
	if (!runs->len) {
		g_set_error(
			error, PARSER_ERROR, PARSER_ERROR_INVALID,
			"%s: no result root: neither matrix.json nor a run's stats.json",
			column->origin);
		return false;
	}
	g_ptr_array_sort(runs, by_run);
	return stats_unite(column, (const parser_blob *const *)runs->pdata, runs->len,
			   error);
}

/* The root's own job.yaml, else that of the first run that has one. */
static const parser_blob *job_of(const parser_blob *blobs, size_t n)
{
	const parser_blob *best = blob_named(blobs, n, "job.yaml");
	int64_t best_run = INT64_MAX;

	for (size_t i = 0; !blob_named(blobs, n, "job.yaml") && i < n; i++) {
		int64_t run = run_of(&blobs[i], "job.yaml");

		if (run >= 0 && run < best_run) {
			best_run = run;
			best = &blobs[i];
		}
	}
	return best;
}

static bool is_commit(const char *word)
{
	return strlen(word) == COMMIT_DIGITS &&
	       strspn(word, "0123456789abcdef") == COMMIT_DIGITS;
}

/* The last component of a path that is a full commit hash; g_free. */
static char *commit_in_path(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);

	for (guint i = g_strv_length(parts); i > 0; i--)
		if (is_commit(parts[i - 1]))
			return g_strdup(parts[i - 1]);
	return NULL;
}

static void settle_commit(parser_column *column)
{
	g_autofree char *in_path = commit_in_path(column->origin);
	parser_commit *commit = column->commit;

	if (!commit->id)
		commit->id = g_steal_pointer(&in_path);
	else if (in_path && strcmp(in_path, commit->id) != 0)
		column_warn(column, "%s: job.yaml says commit %s, the path %s",
			    column->origin, commit->id, in_path);
}

/*
 * Axes from a path that has the layout of lkp-tests:
 * .../result/TESTCASE/PARAMETERS/MACHINE/ROOTFS/KCONFIG/COMPILER/COMMIT
 */
static bool axes_of_path(parser_column *column)
{
	static const char *const names[] = { "compiler",   "kconfig",     "rootfs",
					     "tbox_group", "path_params", "testcase" };
	g_auto(GStrv) parts = g_strsplit(column->origin, "/", -1);
	guint n = g_strv_length(parts);
	const size_t depth = G_N_ELEMENTS(names);

	while (n > 0 && !is_commit(parts[n - 1]))
		n--;
	if (n < depth + 2 || strncmp(parts[n - depth - 2], "result", 6) != 0)
		return false;
	for (size_t i = 0; i < depth; i++)
		g_ptr_array_add(column->axes,
				parser_pair_new(names[i], parts[n - 2 - i]));
	return true;
}

/* What lkp-tests assumes of a job that does not say. */
static void default_axes(parser_column *column)
{
	static const char *const defaults[][2] = {
		{ "rootfs", "debian-x86_64.cgz" },
		{ "compiler", "gcc-7" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(defaults); i++)
		if (!parser_pairs_get(column->axes, defaults[i][0]))
			g_ptr_array_add(column->axes, parser_pair_new(defaults[i][0],
								      defaults[i][1]));
}

parser_column *parser_column_from_root(const char *origin, const parser_blob *blobs,
				       size_t n_blobs, const parser_lists *lists,
				       GError **error)
{
	g_autoptr(parser_column) column = column_new(origin);
	const parser_blob *job = job_of(blobs, n_blobs);

	if (!read_samples(column, blobs, n_blobs, error))
		return NULL;
	if (job) {
		if (!job_read(column, job, lists, error))
			return NULL;
		default_axes(column);
	} else if (axes_of_path(column)) {
		column_warn(column, "%s: no job.yaml: axes are those of the path",
			    column->origin);
	} else {
		column_warn(column, "%s: no job.yaml: nothing is known but the samples",
			    column->origin);
	}
	settle_commit(column);
	column_finish(column);
	if (!column->runs)
		column_warn(column, "%s: no run", column->origin);
	return g_steal_pointer(&column);
}
