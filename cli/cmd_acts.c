/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator decides: confirm, reject, set, reopen, undo, dup, undup, note. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "cli/store.h"

typedef struct act_options {
	char *reason, *status, *who;
} act_options;

#define AT(field) offsetof(act_options, field)
#define WHO                                                                            \
	{                                                                              \
		"who", 0, G_OPTION_ARG_STRING, AT(who), "NAME",                        \
			"who decides; else the user's name"                            \
	}
#define REASON                                                                         \
	{                                                                              \
		"reason", 0, G_OPTION_ARG_STRING, AT(reason), "TEXT",                  \
			"why, for the history"                                         \
	}
#define WHICH                                                                          \
	{                                                                              \
		"status", 0, G_OPTION_ARG_STRING, AT(status), "STATUS",                \
			"which suggestion, when there are several"                     \
	}

static const cli_option choice_options[] = { WHICH, REASON, WHO, CLI_OPTIONS_END };
static const cli_option plain_options[] = { REASON, WHO, CLI_OPTIONS_END };

static int act(cli *c, const act_options *o, tracker_act *what, const char *status)
{
	g_autofree char *user = cli_who();
	g_autofree char *undone = NULL;
	g_autoptr(GError) error = NULL;
	tracker_status result = TRACKER_STATUS_NONE;

	if (status && !tracker_status_from_name(status, &what->status))
		return cli_wrong(
			c, "no status named %s (`regtrail help status` lists them)",
			status);

	g_autoptr(tracker) t = store_open(c, false, &error);

	if (!t)
		return cli_fail(c, error);
	what->who = o->who && o->who[0] ? o->who : user;
	if (!what->reason)
		what->reason = o->reason;
	what->now = cli_now();
	what->undone = &undone;
	if (!tracker_act_do(t, what, &result, &error))
		return cli_fail(c, error);

	g_autofree char *safe = undone ? print_line(undone) : NULL;

	printf("%s: %s%s%s%s\n", what->id, tracker_status_name(result),
	       safe ? " (" : "", safe ? safe : "", safe ? ")" : "");
	return CLI_OK;
}

static int run_confirm(cli *c, const void *values, char **args)
{
	const act_options *o = values;
	tracker_act what = { .kind = TRACKER_ACT_CONFIRM, .id = args[0] };

	return act(c, o, &what, o->status);
}

static int run_reject(cli *c, const void *values, char **args)
{
	const act_options *o = values;
	tracker_act what = { .kind = TRACKER_ACT_REJECT, .id = args[0] };

	return act(c, o, &what, o->status);
}

static int run_set(cli *c, const void *values, char **args)
{
	const act_options *o = values;
	tracker_act what = { .kind = TRACKER_ACT_SET, .id = args[0] };

	if (!o->reason || !o->reason[0])
		return cli_wrong(c, "why? give --reason TEXT");
	return act(c, o, &what, args[1]);
}

static int run_reopen(cli *c, const void *values, char **args)
{
	tracker_act what = { .kind = TRACKER_ACT_REOPEN, .id = args[0] };

	return act(c, values, &what, NULL);
}

static int run_undo(cli *c, const void *values, char **args)
{
	tracker_act what = { .kind = TRACKER_ACT_UNDO, .id = args[0] };

	return act(c, values, &what, NULL);
}

static int run_dup(cli *c, const void *values, char **args)
{
	tracker_act what = { .kind = TRACKER_ACT_DUP, .id = args[0], .other = args[1] };

	return act(c, values, &what, NULL);
}

static int run_undup(cli *c, const void *values, char **args)
{
	tracker_act what = { .kind = TRACKER_ACT_UNDUP, .id = args[0] };

	return act(c, values, &what, NULL);
}

static int run_note(cli *c, const void *values, char **args)
{
	g_autofree char *text = g_strjoinv(" ", args + 1);
	tracker_act what = { .kind = TRACKER_ACT_NOTE, .id = args[0], .reason = text };

	return act(c, values, &what, NULL);
}

const command cmd_confirm = {
	.name = "confirm",
	.args = "ID",
	.summary = "let a suggested status apply",
	.options = choice_options,
	.size = sizeof(act_options),
	.min = 1,
	.max = 1,
	.run = run_confirm,
};

const command cmd_reject = {
	.name = "reject",
	.args = "ID",
	.summary = "take a suggested status away",
	.options = choice_options,
	.size = sizeof(act_options),
	.min = 1,
	.max = 1,
	.run = run_reject,
};

const command cmd_set = {
	.name = "set",
	.args = "ID STATUS --reason TEXT",
	.summary = "set a status by hand",
	.options = plain_options,
	.size = sizeof(act_options),
	.min = 2,
	.max = 2,
	.run = run_set,
};

const command cmd_reopen = {
	.name = "reopen",
	.args = "ID",
	.summary = "make a closed regression unresolved again",
	.options = plain_options,
	.size = sizeof(act_options),
	.min = 1,
	.max = 1,
	.run = run_reopen,
};

const command cmd_undo = {
	.name = "undo",
	.args = "ID",
	.summary = "take back the newest act of an operator",
	.more = "When there is none, what the newest mail decided.  What a scan found stays.",
	.options = plain_options,
	.size = sizeof(act_options),
	.min = 1,
	.max = 1,
	.run = run_undo,
};

const command cmd_dup = {
	.name = "dup",
	.args = "ID OTHER",
	.summary = "mark a regression as a duplicate of another",
	.options = plain_options,
	.size = sizeof(act_options),
	.min = 2,
	.max = 2,
	.run = run_dup,
};

const command cmd_undup = {
	.name = "undup",
	.args = "ID",
	.summary = "take that back",
	.options = plain_options,
	.size = sizeof(act_options),
	.min = 1,
	.max = 1,
	.run = run_undup,
};

const command cmd_note = {
	.name = "note",
	.args = "ID TEXT...",
	.summary = "add words to the history",
	.options = plain_options,
	.size = sizeof(act_options),
	.min = 2,
	.max = -1,
	.run = run_note,
};
