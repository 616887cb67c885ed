/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/cli.h"
#include "cli/draft.h"
#include "mailer/mailer.h"
#include "render/render.h"

#define AT(field) offsetof(draft_options, field)

static const cli_option options[] = {
	/* clang-format off */
	{ "dry-run", 'n', G_OPTION_ARG_NONE, AT(dry_run), NULL, "print the mail, store nothing" },
	{ "output", 'o', G_OPTION_ARG_FILENAME, AT(output), "FILE", "write the mail there too" },
	{ "kind", 0, G_OPTION_ARG_STRING, AT(kind), "KIND",
	  "regression, improvement or failure; else by the metric's sense" },
	{ "metric", 0, G_OPTION_ARG_STRING, AT(metric), "NAME", "the headline metric" },
	{ "culprit", 0, G_OPTION_ARG_STRING, AT(culprit), "COMMIT",
	  "the head that is blamed; else the first" },
	{ "also", 0, G_OPTION_ARG_STRING_ARRAY, AT(also), "BASE,HEAD",
	  "a further test for the impact table (or FILE); several times" },
	{ "followup", 0, G_OPTION_ARG_STRING, AT(followup), "ID",
	  "answer the report of ID: checked again" },
	{ "retest", 0, G_OPTION_ARG_STRING, AT(retest), "ID",
	  "answer it: a proposed fix was tested" },
	{ "retract", 0, G_OPTION_ARG_STRING, AT(retract), "ID", "answer it: take it back" },
	{ "still", 0, G_OPTION_ARG_STRING_ARRAY, AT(still), "TREE/BRANCH=COMMIT",
	  "it is still so there; heads that show it are found by themselves" },
	{ "note", 0, G_OPTION_ARG_STRING, AT(note), "TEXT", "words of your own at the top" },
	{ "force", 0, G_OPTION_ARG_STRING_ARRAY, AT(force), "NAME=REASON",
	  "make the mail although that check fails" },
	{ "style", 0, G_OPTION_ARG_STRING, AT(style), "STYLE", "robot, robot-2017 or brief" },
	{ "compat", 0, G_OPTION_ARG_STRING, AT(compat), "lkp",
	  "the table exactly as the public comparer prints it" },
	{ "attach", 0, G_OPTION_ARG_FILENAME_ARRAY, AT(attach), "FILE", "attach it" },
	{ "to", 0, G_OPTION_ARG_STRING_ARRAY, AT(to), "ADDRESS", "a further recipient" },
	{ "cc", 0, G_OPTION_ARG_STRING_ARRAY, AT(cc), "ADDRESS", "a further recipient of a copy" },
	{ "date", 0, G_OPTION_ARG_STRING, AT(date), "TIME", "the time of the mail; else now" },
	RESULTS_OPTIONS,
	CLI_OPTIONS_END,
	/* clang-format on */
};

static bool write_mail(const draft *made, const char *path, GError **error)
{
	gsize length;
	const char *data = g_bytes_get_data(outgoing_readable(&made->bytes), &length);

	return mailer_file_write(path, data, length, error);
}

/* What stops no mail and is worth knowing, and what was overridden. */
static void tell_checks(const cli *c, const draft *made)
{
	for (guint i = 0; i < made->checks->len; i++) {
		const render_check *one = g_ptr_array_index(made->checks, i);

		if (!one->passed)
			cli_complain(c, "%s%s: %s",
				     one->blocks ? "forced: " : "note: ", one->name,
				     one->reason);
	}
}

static bool store(cli *c, const draft *made, GError **error)
{
	g_auto(tracker_stored) stored = { 0 };
	bool approve = !config_bool(c->config, "report", "approval");

	if (!draft_store(made, &stored, error))
		return false;
	if (approve && !stored.existed &&
	    !tracker_outbox_approve(made->tracker, stored.outbox, cli_now(), error))
		return false;
	outgoing_tell(made->mail, &stored, approve);
	return true;
}

static int run(cli *c, const void *values, char **args)
{
	const draft_options *o = values;
	g_autoptr(GError) error = NULL;

	if ((o->followup != NULL) + (o->retest != NULL) + (o->retract != NULL) > 1)
		return cli_wrong(c, "--followup, --retest, --retract: one of them");
	if (!args[0] && !o->retract)
		return cli_wrong(c, "which results? give BASE and HEAD, or a FILE");
	if (o->retract && (!o->note || !*o->note))
		return cli_wrong(c, "--retract needs --note TEXT: why");
	if (o->compat && strcmp(o->compat, "lkp") != 0)
		return cli_wrong(c, "--compat: only lkp is known");

	g_autoptr(draft) made = draft_make(c, o, args, &error);

	if (!made)
		return cli_fail(c, error);
	if (o->output && !write_mail(made, o->output, &error))
		return cli_fail(c, error);
	tell_checks(c, made);
	if (o->dry_run) {
		if (!o->output)
			outgoing_print(outgoing_readable(&made->bytes));
		return CLI_OK;
	}
	return store(c, made, &error) ? CLI_OK : cli_fail(c, error);
}

const command cmd_report = {
	.name = "report",
	.args = "[BASE HEAD... | FILE]",
	.summary = "make a mail of a comparison and put it into the outbox as a draft",
	.more = "Arguments are those of `regtrail compare`.  The mail is refused when a check\n"
		"fails: the message starts with the check's name.  The same report again finds\n"
		"its earlier draft.  --retract needs no results, but a reason (--note).",
	.options = options,
	.size = sizeof(draft_options),
	.min = 0,
	.max = -1,
	.run = run,
};
