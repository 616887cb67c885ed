/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"

#define WIDTH_PIPED 80
#define WIDTH_MIN   40

extern const command cmd_init, cmd_compare, cmd_report, cmd_outbox, cmd_send,
	cmd_ingest, cmd_list, cmd_show, cmd_replies, cmd_search, cmd_similar,
	cmd_confirm, cmd_reject, cmd_set, cmd_reopen, cmd_undo, cmd_dup, cmd_undup,
	cmd_note, cmd_scan, cmd_patches, cmd_patch, cmd_digest, cmd_remind, cmd_sync,
	cmd_explain, cmd_parse, cmd_export, cmd_forget, cmd_check, cmd_help;

const command *const commands[] = {
	/* clang-format off */
	&cmd_init,
	&cmd_compare,
	&cmd_report,
	&cmd_outbox,
	&cmd_send,
	&cmd_ingest,
	&cmd_list,
	&cmd_show,
	&cmd_replies,
	&cmd_search,
	&cmd_similar,
	&cmd_confirm,
	&cmd_reject,
	&cmd_set,
	&cmd_reopen,
	&cmd_undo,
	&cmd_dup,
	&cmd_undup,
	&cmd_note,
	&cmd_scan,
	&cmd_patches,
	&cmd_patch,
	&cmd_digest,
	&cmd_remind,
	&cmd_sync,
	&cmd_explain,
	&cmd_parse,
	&cmd_export,
	&cmd_forget,
	&cmd_check,
	&cmd_help,
	NULL,
	/* clang-format on */
};

const command *command_find(const char *name)
{
	for (const command *const *c = commands; *c; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

static unsigned terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col < WIDTH_MIN)
		return WIDTH_PIPED;
	return size.ws_col;
}

static bool set_color(cli *c, const char *when)
{
	const char *terminal = g_getenv("TERM");

	if (!when || strcmp(when, "auto") == 0)
		c->color = isatty(STDOUT_FILENO) && !g_getenv("NO_COLOR") && terminal &&
			   strcmp(terminal, "dumb") != 0;
	else if (strcmp(when, "always") == 0)
		c->color = true;
	else if (strcmp(when, "never") != 0)
		return false;
	return true;
}

/* Results that could not be written are results that are not there. */
static int flush(const cli *c, int code)
{
	bool before = ferror(stdout); /* of which nobody knows the reason any more */

	if (fflush(stdout) == 0 && !before)
		return code;
	cli_complain(c, "standard output: %s",
		     before ? "cannot be written" : g_strerror(errno));
	return code == CLI_OK ? CLI_FAIL : code;
}

static int help_for(cli *c)
{
	char *args[] = { (char *)(guintptr)c->command->name, NULL };

	return cmd_help.run(c, NULL, args);
}

static int run_command(cli *c, global_options *globals, char ***args)
{
	const command *cmd = c->command;
	g_autofree void *options = g_malloc0(cmd->size + 1);
	g_autoptr(GError) error = NULL;
	int code;

	if (!options_parse(cmd, options, globals, args, &error)) {
		code = cli_wrong(c, "%s", error->message);
	} else if (globals->help) {
		code = help_for(c);
	} else if (!set_color(c, globals->color)) {
		code = cli_wrong(c, "--color is auto, always or never, not %s",
				 globals->color);
	} else {
		int n = (int)g_strv_length(*args) - 1;

		c->config_path = globals->config;
		if (n < cmd->min || (cmd->max >= 0 && n > cmd->max))
			code = cli_wrong(c, n < cmd->min ? "an argument is missing" :
							   "too many arguments");
		else
			code = cmd->run(c, options, *args + 1);
	}
	options_clear(cmd, options);
	return flush(c, code);
}

static int run_main(cli *c, global_options *globals, char ***args)
{
	g_autoptr(GError) error = NULL;

	if (!options_parse_global(globals, args, &error))
		return cli_wrong(c, "%s", error->message);
	if (globals->version) {
		printf("regtrail %s\n", REGTRAIL_VERSION);
		return flush(c, CLI_OK);
	}
	if (globals->help)
		return flush(c, cmd_help.run(c, NULL, *args + g_strv_length(*args)));
	if (!(*args)[1])
		return cli_wrong(c, "which command?");

	c->command = command_find((*args)[1]);
	if (!c->command)
		return cli_wrong(c, "no command named %s", (*args)[1]);

	g_auto(GStrv) rest = g_strdupv(*args + 1);

	return run_command(c, globals, &rest);
}

int main(int argc, char **argv)
{
	g_auto(GStrv) args = g_new0(char *, argc + 1);
	global_options globals = { 0 };
	cli c = { .width = terminal_width() };

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	/* A reader that has seen enough (head, less) ends us without a word. */
	signal(SIGPIPE, SIG_DFL);
	for (int i = 0; i < argc; i++)
		args[i] = g_strdup(argv[i]);

	int code = run_main(&c, &globals, &args);

	config_free(c.config);
	global_options_clear(&globals);
	return code;
}
