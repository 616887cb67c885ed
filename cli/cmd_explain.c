/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "cli/store.h"
#include "render/render.h"

typedef struct explain_options {
	print_format format; /* first */
} explain_options;

static const cli_option options[] = {
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
};

static const char *const fields[] = { "step", "text", NULL };

static json_t *to_record(const void *item)
{
	const parser_pair *step = item;
	json_t *record = json_object();

	print_set_text(record, "step", step->name);
	print_set_text(record, "text", step->value);
	return record;
}

static void show_for_people(const cli *c, const GPtrArray *steps)
{
	for (guint i = 0; i < steps->len; i++) {
		const parser_pair *step = g_ptr_array_index(steps, i);
		g_autofree char *label = g_strdup_printf("%-12s", step->name);

		print_labelled(c, label, step->value);
	}
}

/* "<id>", as people copy it from a header. */
static char *bare_id(const char *text)
{
	size_t n = strlen(text);

	return n > 2 && text[0] == '<' && text[n - 1] == '>' ?
		       g_strndup(text + 1, n - 2) :
		       g_strdup(text);
}

static int run(cli *c, const void *values, char **args)
{
	const explain_options *o = values;
	g_autofree char *id = bare_id(args[0]);
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker) t = store_open(c, true, &error);
	g_autoptr(GPtrArray) steps = t ? tracker_explain(t, id, &error) : NULL;

	if (!steps)
		return cli_fail(c, error);
	if (o->format.json || o->format.csv)
		print_items(steps, to_record, fields, &o->format);
	else
		show_for_people(c, steps);
	return CLI_OK;
}

const command cmd_explain = {
	.name = "explain",
	.args = "MESSAGE-ID",
	.summary = "show which header, rule and words of a mail led to what",
	.options = options,
	.size = sizeof(explain_options),
	.min = 1,
	.max = 1,
	.run = run,
};

static int run_forget(cli *c, const void *values, char **args)
{
	int code = CLI_OK;
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker) t = store_open(c, false, &error);

	(void)values;
	if (!t)
		return cli_fail(c, error);
	for (char **arg = args; *arg; arg++) {
		g_autofree char *id = bare_id(*arg);
		g_autoptr(GError) cause = NULL;

		if (tracker_forget(t, id, cli_now(), &cause))
			print_safe("forgotten: ", id);
		else
			code = cli_worse(code, cli_fail(c, cause));
	}
	return code;
}

const command cmd_forget = {
	.name = "forget",
	.args = "MESSAGE-ID...",
	.summary = "remove a person's mail for good, because they ask for it",
	.more = "Words, name, address and bytes go; what the mail decided stays, without its\n"
		"author.  It is not taken in again.",
	.min = 1,
	.max = -1,
	.run = run_forget,
};
