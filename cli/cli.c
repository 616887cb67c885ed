/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all commands need: the configuration on demand, and a way to fail. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "mailer/mailer.h"
#include "tracker/tracker.h"

config *cli_config_or_default(cli *c, GError **error)
{
	if (!c->config) {
		g_autofree char *path = config_find(c->config_path);

		c->config = config_load(path, error);
	}
	return c->config;
}

config *cli_config(cli *c, GError **error)
{
	if (!cli_config_or_default(c, error))
		return NULL;
	if (!config_path(c->config)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG,
			    "no configuration: `regtrail init` makes one here, "
			    "--config FILE names another");
		return NULL;
	}
	return c->config;
}

char *cli_who(void)
{
	const char *login = g_get_user_name();

	return g_utf8_make_valid(*login ? login : "operator", -1);
}

static int code_of(const GError *error)
{
	if (g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_BUSY) ||
	    g_error_matches(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY))
		return CLI_RETRY;
	if (g_error_matches(error, MAILER_ERROR, MAILER_ERROR_USAGE) ||
	    g_error_matches(error, CLI_ERROR, CLI_ERROR_USAGE))
		return CLI_USAGE;
	return CLI_FAIL;
}

static void say(const cli *c, const char *text)
{
	/* Errors quote what they are about, and that may come from a mail. */
	g_autofree char *safe = print_line(text);

	fflush(stdout);
	fprintf(stderr, "regtrail%s%s: %s\n", c->command ? " " : "",
		c->command ? c->command->name : "", safe);
}

int cli_fail(const cli *c, const GError *error)
{
	say(c, error->message);
	return code_of(error);
}

void cli_complain(const cli *c, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);

	g_autofree char *text = g_strdup_vprintf(format, arguments);

	va_end(arguments);
	say(c, text);
}

int cli_wrong(const cli *c, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);

	g_autofree char *text = g_strdup_vprintf(format, arguments);

	va_end(arguments);
	say(c, text);
	if (c->command)
		fprintf(stderr, "usage: regtrail %s%s%s\n", c->command->name,
			c->command->args[0] ? " " : "", c->command->args);
	else
		fprintf(stderr, "usage: regtrail COMMAND [OPTION...] [ARGUMENT...]\n"
				"`regtrail help` lists the commands\n");
	return CLI_USAGE;
}
