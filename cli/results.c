/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/results.h"

#include <string.h>

#include "mailer/mailer.h"

/* ---- columns and comparisons ---- */

static parser_column *read_root(const char *path, const parser_lists *lists,
				GError **error)
{
	g_autofree char *origin = g_canonicalize_filename(path, NULL);
	g_autoptr(GPtrArray) files = mailer_root_read(path, error);

	if (!files)
		return NULL;

	g_autofree parser_blob *blobs = g_new0(parser_blob, files->len + 1);

	for (guint i = 0; i < files->len; i++) {
		const mailer_blob *file = g_ptr_array_index(files, i);
		gsize length;
		const char *bytes = g_bytes_get_data(file->bytes, &length);

		blobs[i].name = file->name;
		blobs[i].bytes = bytes ? bytes : "";
		blobs[i].length = length;
	}
	return parser_column_from_root(origin, blobs, files->len, lists, error);
}

static GPtrArray *read_roots(char **args, const GPtrArray *axes,
			     const parser_lists *lists, GError **error)
{
	g_autoptr(GPtrArray) columns =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);

	for (char **arg = args; *arg; arg++) {
		parser_column *column = read_root(*arg, lists, error);

		if (!column)
			return NULL;
		g_ptr_array_add(columns, column);
	}
	return parser_comparisons_group(columns, axes, error);
}

/* The first byte that is no blank tells JSON from a table. */
static bool looks_like_json(const char *bytes, gsize length)
{
	gsize i = 0;

	if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < length && g_ascii_isspace(bytes[i]))
		i++;
	return i < length && bytes[i] == '{';
}

static GPtrArray *read_file(const char *path, GError **error)
{
	const char *origin = strcmp(path, "-") == 0 ? "standard input" : path;
	g_autoptr(GBytes) bytes = mailer_file_read(path, error);

	if (!bytes)
		return NULL;

	gsize length;
	const char *text = g_bytes_get_data(bytes, &length);
	parser_comparison *comparison;

	if (!text)
		text = "";
	comparison = looks_like_json(text, length) ?
			     parser_comparison_from_json(text, length, origin, error) :
			     parser_comparison_from_table(text, length, origin, error);
	if (!comparison)
		return NULL;

	GPtrArray *all =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_comparison_free);

	g_ptr_array_add(all, comparison);
	return all;
}

/* ---- facts from elsewhere ---- */

typedef bool (*commit_fn)(parser_commit *commit, void *context, GError **error);

static bool for_each_commit(const GPtrArray *comparisons, commit_fn fn, void *context,
			    GError **error)
{
	for (guint i = 0; i < comparisons->len; i++) {
		const parser_comparison *one = g_ptr_array_index(comparisons, i);

		for (guint k = 0; k < one->columns->len; k++) {
			parser_column *column = g_ptr_array_index(one->columns, k);

			if (column->commit->id && !fn(column->commit, context, error))
				return false;
		}
	}
	return true;
}

/* One is a prefix of the other, and no mere stub. */
static bool same_commit(const char *a, const char *b)
{
	size_t n = MIN(strlen(a), strlen(b));

	return n >= 7 && g_ascii_strncasecmp(a, b, n) == 0;
}

static bool merge_from_file(parser_commit *commit, void *context, GError **error)
{
	const GPtrArray *known = context;

	(void)error;
	for (guint i = 0; i < known->len; i++) {
		const parser_commit *fact = g_ptr_array_index(known, i);

		if (fact->id && same_commit(fact->id, commit->id))
			parser_commit_merge(commit, fact);
	}
	return true;
}

static bool add_file_facts(const GPtrArray *comparisons, const char *path,
			   GError **error)
{
	g_autoptr(GBytes) bytes = mailer_file_read(path, error);

	if (!bytes)
		return false;

	gsize length;
	const char *text = g_bytes_get_data(bytes, &length);
	g_autoptr(GPtrArray) known =
		parser_commits_from_json(text ? text : "", length, path, error);

	return known && for_each_commit(comparisons, merge_from_file, known, error);
}

static bool merge_from_git(parser_commit *commit, void *context, GError **error)
{
	g_autofree char *id = NULL;
	g_autoptr(GPtrArray) paths = NULL;
	g_autoptr(GBytes) bytes =
		mailer_git_commit(context, commit->id, &id, &paths, error);

	if (!bytes)
		return false;

	gsize length;
	const char *text = g_bytes_get_data(bytes, &length);
	g_autoptr(parser_commit) fact = parser_commit_from_git(text, length, error);

	if (!fact) {
		g_prefix_error(error, "%s: commit %s: ", (const char *)context, id);
		return false;
	}
	g_free(fact->id);
	fact->id = g_steal_pointer(&id);
	for (guint i = 0; i < paths->len; i++)
		g_ptr_array_add(fact->files, g_strdup(g_ptr_array_index(paths, i)));
	parser_commit_merge(commit, fact);
	return true;
}

static bool merge_from_config(parser_commit *commit, void *context, GError **error)
{
	(void)error;
	if (!commit->tree)
		return true;

	g_autofree char *group = g_strconcat("tree ", commit->tree, NULL);

	if (!commit->url)
		commit->url = config_text(context, group, "url");
	g_autoptr(GPtrArray) branches = config_words(context, group, "branch");

	if (!commit->branch && branches->len)
		commit->branch = g_strdup(g_ptr_array_index(branches, 0));
	return true;
}

static void describe_machines(const GPtrArray *comparisons, const config *conf)
{
	for (guint i = 0; i < comparisons->len; i++) {
		parser_comparison *one = g_ptr_array_index(comparisons, i);

		if (!one->machine || one->machine_description)
			continue;

		g_autofree char *group = g_strconcat("machine ", one->machine, NULL);

		one->machine_description = config_text(conf, group, "description");
	}
}

static bool add_facts(cli *c, const results_options *options,
		      const GPtrArray *comparisons, GError **error)
{
	config *conf = cli_config_or_default(c, error);

	if (!conf)
		return false;
	if (options->commits && !add_file_facts(comparisons, options->commits, error))
		return false;
	if (options->git &&
	    !for_each_commit(comparisons, merge_from_git, options->git, error))
		return false;
	describe_machines(comparisons, conf);
	return for_each_commit(comparisons, merge_from_config, conf, error);
}

static GPtrArray *axes_of(const results_options *options)
{
	GPtrArray *axes = options->axes ? g_ptr_array_new_with_free_func(g_free) : NULL;

	for (char **axis = options->axes; axis && *axis; axis++)
		g_ptr_array_add(axes, g_strdup(*axis));
	return axes;
}

GPtrArray *results_read(cli *c, const results_options *options, char **args,
			const parser_lists *lists, GError **error)
{
	g_autoptr(GPtrArray) axes = axes_of(options);
	g_autoptr(GPtrArray) comparisons = NULL;

	if (args[1]) {
		comparisons = read_roots(args, axes, lists, error);
	} else if (g_file_test(args[0], G_FILE_TEST_IS_DIR)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
			    "%s: one result root alone compares with nothing: "
			    "give the base and a head",
			    args[0]);
		return NULL;
	} else {
		comparisons = read_file(args[0], error);
	}
	if (!comparisons || !add_facts(c, options, comparisons, error))
		return NULL;
	return g_steal_pointer(&comparisons);
}
