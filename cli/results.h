/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From arguments to comparisons: result roots, our JSON, pasted tables, commit facts.
 */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/cli.h"
#include "parser/parser.h"

/* First in the options struct of every command that takes results. */
typedef struct results_options {
	char *git;     /* repository */
	char *commits; /* JSON file */
	char **axes;   /* what is compared; NULL = the commit */
} results_options;

#define RESULTS_OPTIONS                                                                \
	{ "git",                                                                       \
	  0,                                                                           \
	  G_OPTION_ARG_FILENAME,                                                       \
	  offsetof(results_options, git),                                              \
	  "DIR",                                                                       \
	  "take facts of commits from this repository" },                              \
		{ "commits",                                                           \
		  0,                                                                   \
		  G_OPTION_ARG_FILENAME,                                               \
		  offsetof(results_options, commits),                                  \
		  "FILE",                                                              \
		  "take facts of commits from this JSON file" },                       \
	{                                                                              \
		"axis", 0, G_OPTION_ARG_STRING_ARRAY, offsetof(results_options, axes), \
			"NAME", "compare along this axis instead of the commit"        \
	}

/*
 * Reads what the arguments name: one file (our JSON, a pasted table, "-") or two and
 * more result roots, base first.  Adds commit facts and the configured machines and
 * trees. Returns parser_comparison *, at least one.
 */
GPtrArray *results_read(cli *c, const results_options *options, char **args,
			const parser_lists *lists, GError **error);

#endif
