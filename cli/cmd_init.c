/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "mailer/mailer.h"
#include "tracker/tracker.h"

static bool refuse_if_there(const char *path, GError **error)
{
	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return true;
	g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG, "%s: there already", path);
	return false;
}

static bool create(const char *file, const char *database, GError **error)
{
	g_autofree char *sample = config_sample();
	bool was_there = g_file_test(database, G_FILE_TEST_EXISTS);

	/* The configuration comes last: as long as it is missing, init can be repeated.
	 */
	if (!refuse_if_there(file, error) || !tracker_create(database, error))
		return false;
	if (mailer_file_write(file, sample, strlen(sample), error))
		return true;
	/* Either both or none. */
	unlink(file);
	if (!was_there)
		unlink(database);
	return false;
}

/*
 * The configuration is there: it is kept, and the database that it names is created,
 * unless that is there too.  One that cannot be opened may have been cut off.
 */
static bool complete(const char *file, GError **error)
{
	g_autoptr(config) conf = config_load(file, error);
	g_autofree char *path = conf ? config_file(conf, "regtrail", "database") : NULL;
	g_autofree char *here = g_get_current_dir();
	g_autofree char *prefix = g_strconcat(here, "/", NULL);

	if (!path)
		return false;

	bool was_there = g_file_test(path, G_FILE_TEST_EXISTS);
	g_autoptr(tracker) whole = was_there ? tracker_open(path, true, NULL) : NULL;

	if (whole)
		return refuse_if_there(file, error);
	if (!tracker_create(path, error))
		return false;
	printf("%s: there already, kept\n%s: created\n", file,
	       path + (g_str_has_prefix(path, prefix) ? strlen(prefix) : 0));
	return true;
}

static int run(cli *c, const void *options, char **args)
{
	const char *file = c->config_path ? c->config_path : CONFIG_FILE;
	g_autofree char *dir = g_path_get_dirname(file);
	g_autofree char *database = g_build_filename(dir, "regtrail.db", NULL);
	g_autoptr(GError) error = NULL;

	(void)options;
	(void)args;
	if (g_file_test(file, G_FILE_TEST_EXISTS))
		return complete(file, &error) ? CLI_OK : cli_fail(c, error);
	if (!create(file, strcmp(dir, ".") == 0 ? "regtrail.db" : database, &error))
		return cli_fail(c, error);
	printf("%s: written; set `from` in it before you report\n%s: created\n", file,
	       strcmp(dir, ".") == 0 ? "regtrail.db" : database);
	return CLI_OK;
}

const command cmd_init = {
	.name = "init",
	.args = "",
	.summary = "write a commented configuration and create the database",
	.more = "Both go to the current directory, or to where --config FILE says.\n"
		"Nothing is overwritten.  Cut off in the middle, it can be repeated.\n"
		"A configuration that is there is kept; the database that it names is created\n"
		"when there is none.",
	.run = run,
};
