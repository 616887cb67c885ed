/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/cli.h"

/* What every command accepts. */
typedef struct global_options {
	char *config;
	char *color;
	gboolean help, version;
} global_options;

void global_options_clear(global_options *globals);

/*
 * Takes the options out of args, which starts with the command's name, wherever they
 * stand before a "--", and fills the command's struct and the global ones (free them
 * with options_clear() and global_options_clear(), after an error too).
 * CLI_ERROR_USAGE says which option is wrong.
 */
bool options_parse(const command *cmd, void *options, global_options *globals,
		   char ***args, GError **error);

/* The same for the options before the command's name, where it stops. */
bool options_parse_global(global_options *globals, char ***args, GError **error);

/* Frees the strings that options_parse() put into a command's struct. */
void options_clear(const command *cmd, void *options);

/* "  -j, --json           one JSON object a line" for each option. */
void options_help(const cli_option *options, GString *out);

extern const cli_option options_global[];

#endif
