/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/trees.h"

#include <string.h>

static void tree_free(tree_path *tree)
{
	g_free(tree->name);
	g_free(tree->branch);
	g_free(tree->path);
	g_free(tree);
}

static bool read_order(const char *word, tracker_order *order, GError **error)
{
	*order = TRACKER_ORDER_NEXT;
	if (!word || tracker_order_from_name(word, order))
		return true;

	const char *const *choices =
		config_key_choices(config_key_find("tree NAME", "order"));
	g_autofree char *words = g_strjoinv(", ", (char **)choices);

	g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
		    "--order cannot be: %s (there are: %s)", word, words);
	return false;
}

/* Adds the branches of [tree NAME]; one without a path is none that could be walked. */
static void add_configured(const config *conf, const char *name, GPtrArray *trees)
{
	g_autofree char *group = g_strconcat("tree ", name, NULL);
	g_autofree char *path = config_file(conf, group, "path");
	g_autofree char *word = config_text(conf, group, "order");
	g_autoptr(GPtrArray) branches = config_words(conf, group, "branch");
	tracker_order order = TRACKER_ORDER_NEXT;

	tracker_order_from_name(word, &order);
	if (path && branches->len == 0)
		g_ptr_array_add(branches, g_strdup("HEAD"));
	for (guint i = 0; path && i < branches->len; i++) {
		tree_path *tree = g_new0(tree_path, 1);

		tree->name = g_strdup(name);
		tree->branch = g_strdup(g_ptr_array_index(branches, i));
		tree->path = g_strdup(path);
		tree->order = order;
		g_ptr_array_add(trees, tree);
	}
}

static int by_order(gconstpointer a, gconstpointer b)
{
	const tree_path *x = *(tree_path *const *)a, *y = *(tree_path *const *)b;

	return (int)x->order - (int)y->order;
}

static bool is_meant(const tree_path *tree, const char *repository)
{
	g_autofree char *full = g_canonicalize_filename(repository, NULL);

	return strcmp(tree->name, repository) == 0 || strcmp(tree->path, full) == 0;
}

/* A repository that nobody configured, under the name of its directory. */
static bool add_other(const tree_choice *choice, GPtrArray *trees, GError **error)
{
	tree_path *tree = g_new0(tree_path, 1);

	g_ptr_array_add(trees, tree);
	tree->path = g_canonicalize_filename(choice->repository, NULL);
	tree->name = g_path_get_basename(tree->path);
	if (g_str_has_suffix(tree->name, ".git") && strlen(tree->name) > 4)
		tree->name[strlen(tree->name) - 4] = '\0';
	tree->branch = g_strdup(choice->branch ? choice->branch : "HEAD");
	return read_order(choice->order, &tree->order, error);
}

GPtrArray *trees_of(cli *c, const tree_choice *choice, GError **error)
{
	const config *conf = cli_config(c, error);
	g_autoptr(GPtrArray) names = conf ? config_names(conf, "tree") : NULL;
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)tree_free);

	for (guint i = 0; names && i < names->len; i++)
		add_configured(conf, g_ptr_array_index(names, i), all);
	if (!conf)
		return NULL;
	for (guint i = all->len; choice->repository && i-- > 0;)
		if (!is_meant(g_ptr_array_index(all, i), choice->repository))
			g_ptr_array_remove_index(all, i);
	if ((choice->branch || choice->order) &&
	    (all->len > 0 || !choice->repository)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
			    "--branch and --order are for a repository that is no "
			    "[tree NAME] of %s",
			    config_path(conf));
		return NULL;
	}
	if (choice->repository && all->len == 0 && !add_other(choice, all, error))
		return NULL;
	if (all->len == 0) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
			    "no repository given, and no [tree NAME] with a path in %s",
			    config_path(conf));
		return NULL;
	}
	g_ptr_array_sort(all, by_order);
	return g_steal_pointer(&all);
}
