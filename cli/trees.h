/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The git trees of the configuration, and walking one of them for a scan. */
#ifndef CLI_TREES_H
#define CLI_TREES_H

#include "cli/cli.h"
#include "tracker/tracker.h"

/* A branch to be walked; owns its strings. */
typedef struct tree_path {
	char *name, *branch, *path;
	tracker_order order;
} tree_path;

/* What was asked for; all NULL: every tree that has a path. */
typedef struct tree_choice {
	const char *repository, *branch, *order;
} tree_choice;

/* The trees (tree_path *) that are meant, the most posted first.  CLI_ERROR_CONFIG
 * names what is wrong with which. */
GPtrArray *trees_of(cli *c, const tree_choice *choice, GError **error);

/* Walks one; complains of what is wrong with it, and returns an exit code. */
int tree_walk(cli *c, tracker_scan *scan, const tree_path *tree);

#endif
