/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a timer runs: the commands that it stands for, one after the other. */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/lock.h"

static bool has_sources(const config *conf)
{
	g_autoptr(GPtrArray) names = config_names(conf, "source");

	return names->len;
}

static bool has_trees(const config *conf)
{
	g_autoptr(GPtrArray) names = config_names(conf, "tree");
	bool found = false;

	for (guint i = 0; i < names->len && !found; i++) {
		g_autofree char *group =
			g_strconcat("tree ", g_ptr_array_index(names, i), NULL);
		g_autofree char *path = config_key_find(group, "path") ?
						config_text(conf, group, "path") :
						NULL;

		found = path;
	}
	return found;
}

static bool has_transport(const config *conf)
{
	g_autofree char *via = config_text(conf, "send", "via");

	return via;
}

static const struct step {
	const char *name;
	bool (*configured)(const config *conf);
} steps[] = {
	{ "ingest", has_sources },
	{ "scan", has_trees },
	{ "send", has_transport },
};

/* What goes wrong in one step does not keep the next from being done. */
static int run_step(cli *c, const struct step *step)
{
	const command *self = c->command, *cmd = command_find(step->name);
	char *none[] = { NULL };

	if (!cmd || !step->configured(c->config))
		return CLI_OK;

	g_autofree void *options = g_malloc0(cmd->size + 1);

	printf("%s: ", step->name);
	fflush(stdout);
	c->command = cmd;

	int code = cmd->run(c, options, none);

	c->command = self;
	fflush(stdout);
	return code;
}

static int run(cli *c, const void *options, char **args)
{
	g_autoptr(GError) error = NULL;
	int code = CLI_OK, fd;

	(void)options;
	(void)args;
	if (!cli_config(c, &error))
		return cli_fail(c, error);
	fd = lock_take(c->config, "sync", &error);
	if (fd < 0)
		return cli_fail(c, error);
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++)
		code = cli_worse(code, run_step(c, &steps[i]));
	close(fd);
	return code;
}

const command cmd_sync = {
	.name = "sync",
	.args = "",
	.summary = "ingest, scan and send in one go, for a timer",
	.more = "Reads every [source NAME], looks for fixes in every [tree NAME] with a path,\n"
		"and delivers what is approved and due; what is not configured is left out.\n"
		"Only one sync is at work at a time; the exit code is that of the worst step.",
	.run = run,
};
