/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "tracker/tracker.h"

static void help_all(void)
{
	g_autoptr(GString) out = g_string_new(NULL);

	options_help(options_global, out);
	printf("usage: regtrail COMMAND [OPTION...] [ARGUMENT...]\n\n");
	for (const command *const *c = commands; *c; c++)
		printf("  %-12s%s\n", (*c)->name, (*c)->summary);
	printf("\nOptions of every command:\n%s\n"
	       "`regtrail help COMMAND` shows one, `regtrail help status` what replies do.\n",
	       out->str);
}

static void help_command(const command *cmd)
{
	g_autoptr(GString) out = g_string_new(NULL);

	options_help(cmd->options, out);
	printf("usage: regtrail %s%s%s\n\n%c%s.\n", cmd->name, cmd->args[0] ? " " : "",
	       cmd->args, g_ascii_toupper(cmd->summary[0]), cmd->summary + 1);
	if (cmd->more)
		printf("\n%s\n", cmd->more);
	if (out->len)
		printf("\n%s", out->str);
}

static int run(cli *c, const void *options, char **args)
{
	(void)options;
	if (!args[0]) {
		help_all();
		return CLI_OK;
	}
	if (strcmp(args[0], "status") == 0) {
		g_autofree char *table = tracker_status_table();

		fputs(table, stdout);
		return CLI_OK;
	}

	const command *cmd = command_find(args[0]);

	if (!cmd)
		return cli_wrong(c, "no command named %s", args[0]);
	help_command(cmd);
	return CLI_OK;
}

const command cmd_help = {
	.name = "help",
	.args = "[COMMAND | status]",
	.summary = "show commands, one command, or what replies do to a status",
	.max = 1,
	.run = run,
};
