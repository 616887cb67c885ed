/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/store.h"
#include "cli/thread.h"

typedef struct replies_options {
	print_format format; /* first */
} replies_options;

static const cli_option options[] = {
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
};

static json_t *message_record(const void *item)
{
	return json_of_message(item);
}

static int run(cli *c, const void *values, char **args)
{
	const replies_options *o = values;
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker) t = store_open(c, true, &error);
	g_autoptr(GPtrArray) messages = t ? tracker_replies(t, args[0], &error) : NULL;

	if (!messages)
		return cli_fail(c, error);
	if (!o->format.json && !o->format.csv) {
		if (messages->len == 0)
			puts("no replies");
		thread_print(c, messages, NULL);
		return CLI_OK;
	}
	print_items(messages, message_record, json_message_fields, &o->format);
	return CLI_OK;
}

const command cmd_replies = {
	.name = "replies",
	.args = "COMMIT",
	.summary = "show all replies on every report of a commit",
	.more = "COMMIT is the beginning of its hash, or its subject.",
	.options = options,
	.size = sizeof(replies_options),
	.min = 1,
	.max = 1,
	.run = run,
};
