/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patches that people offer: what waits for a test, and one of them for git am. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "cli/store.h"
#include "mailer/mailer.h"
#include "render/render.h"

/* ---- patches
 * --------------------------------------------------------------------------- */

typedef struct patches_options {
	print_format format; /* first */
	gboolean all;
} patches_options;

static const cli_option patches_cli_options[] = {
	{ "all", 'a', G_OPTION_ARG_NONE, offsetof(patches_options, all), NULL,
	  "those that are tested, and of closed regressions, too" },
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
};

static const char *const fields[] = {
	"message_id", "position",  "regression", "short_id", "status", "metric",
	"author",     "date",      "form",       "title",    "url",    "branch",
	"problem",    "tested_by", "outcome",    NULL
};

static json_t *json_of_offer(const tracker_offer *o)
{
	json_t *object = json_object();

	print_set_text(object, "message_id", o->message_id);
	json_object_set_new(object, "position", json_integer(o->position));
	print_set_text(object, "regression", o->regression);
	print_set_text(object, "short_id", o->short_id);
	print_set_text(object, "status", tracker_status_name(o->status));
	print_set_text(object, "metric", o->metric);
	print_set_text(object, "author", o->author);
	print_set_time(object, "date", o->date);
	print_set_text(object, "form", o->form);
	print_set_text(object, "title", o->title);
	print_set_text(object, "url", o->url);
	print_set_text(object, "branch", o->branch);
	print_set_text(object, "problem", o->problem);
	print_set_text(object, "tested_by", o->tested_by);
	print_set_text(object, "outcome", o->outcome);
	return object;
}

/* To be copied: the words come from a stranger's mail. */
static char *command_for(const tracker_offer *o)
{
	g_autofree char *id = print_word(o->message_id);
	g_autofree char *url = o->url ? print_word(o->url) : NULL;
	g_autofree char *branch = o->branch ? print_word(o->branch) : NULL;

	if (!url)
		return g_strdup_printf("regtrail patch %s", id);
	return g_strdup_printf("git pull %s%s%s", url, branch ? " " : "",
			       branch ? branch : "");
}

static void add_row(print_table *table, const tracker_offer *o, int64_t now)
{
	print_table_row(table, g_strdup(o->short_id), print_age(o->date, now),
			g_strdup(o->form), g_strdup(o->author), g_strdup(o->title),
			g_strdup(o->outcome   ? o->outcome :
				 o->tested_by ? "tested" :
						""),
			NULL);
	print_table_command(table, command_for(o));
	if (o->problem)
		print_table_note(table, g_strdup(o->problem));
}

static void show_for_people(const cli *c, const GPtrArray *all)
{
	static const print_column columns[] = {
		{ "ID", false, 0 },      { "AGE", true, 0 },     { "FORM", false, 0 },
		{ "AUTHOR", false, 10 }, { "TITLE", false, 16 }, { "TEST", false, 0 },
	};
	g_autoptr(print_table) table = print_table_new(columns, G_N_ELEMENTS(columns));
	int64_t now = cli_now();

	for (guint i = 0; i < all->len; i++)
		add_row(table, g_ptr_array_index(all, i), now);
	if (all->len)
		print_table_show(table, c);
	else
		puts("no patch waits for a test");
}

static int run_patches(cli *c, const void *values, char **args)
{
	const patches_options *o = values;
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker) t = store_open(c, true, &error);
	g_autoptr(GPtrArray) all = t ? tracker_offers(t, o->all, &error) : NULL;
	g_autoptr(GPtrArray) records =
		g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);

	(void)args;
	if (!all)
		return cli_fail(c, error);
	if (!o->format.json && !o->format.csv) {
		show_for_people(c, all);
		return CLI_OK;
	}
	for (guint i = 0; i < all->len; i++)
		g_ptr_array_add(records, json_of_offer(g_ptr_array_index(all, i)));
	print_records(records, fields, &o->format);
	return CLI_OK;
}

const command cmd_patches = {
	.name = "patches",
	.args = "",
	.summary = "list the patches in replies that wait for a test",
	.more = "A patch waits until `regtrail report --retest ID` about its regression is sent.\n"
		"FORM is mail (a mail that is the patch), inline, scissors, attached or branch\n"
		"(a repository to pull from).",
	.options = patches_cli_options,
	.size = sizeof(patches_options),
	.run = run_patches,
};

/* ---- patch
 * ----------------------------------------------------------------------------- */

typedef struct patch_options {
	char *output, *check;
} patch_options;

static const cli_option patch_cli_options[] = {
	{ "output", 'o', G_OPTION_ARG_FILENAME, offsetof(patch_options, output), "FILE",
	  "write it there instead" },
	{ "check", 0, G_OPTION_ARG_FILENAME, offsetof(patch_options, check), "DIR",
	  "only tell whether it applies to what is checked out in DIR" },
	CLI_OPTIONS_END,
};

static bool refuse(GError **error, const char *id, const char *what)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT, "<%s>: %s", id, what);
	return false;
}

/* All patches of the mail, one mbox; the first that is of no use refuses it. */
static bool collect(const parser_mail *mail, const char *id, GString *mbox,
		    GError **error)
{
	g_autoptr(GPtrArray) patches = parser_patches_read(mail);
	const char *branch = NULL;

	for (guint i = 0; i < patches->len; i++) {
		const parser_patch *p = g_ptr_array_index(patches, i);
		g_autofree char *one = render_patch_mbox(p, mail);

		if (p->problem)
			return refuse(error, id, p->problem);
		if (one)
			g_string_append(mbox, one);
		else
			branch = p->url;
	}
	if (mbox->len)
		return true;
	if (!branch)
		return refuse(error, id, "offers no patch");

	g_autofree char *words = g_strdup_printf("offers a branch of %s", branch);

	return refuse(error, id, words);
}

static bool hand_out(const patch_options *o, const GString *mbox, GError **error)
{
	g_autoptr(GBytes) bytes = g_bytes_new(mbox->str, mbox->len);

	if (o->check)
		return mailer_git_applies(o->check, bytes, error);
	if (o->output)
		return mailer_file_write(o->output, mbox->str, mbox->len, error);
	print_bytes(mbox->str, mbox->len);
	return true;
}

static int run_patch(cli *c, const void *values, char **args)
{
	const patch_options *o = values;
	g_autoptr(GError) error = NULL;
	g_autofree char *id = parser_url_message_id(args[0], strlen(args[0]));
	g_autoptr(tracker) t = store_open(c, true, &error);
	g_autoptr(parser_mail) mail =
		t ? tracker_mail_read(t, id ? id : args[0], &error) : NULL;
	g_autoptr(GString) mbox = g_string_new(NULL);

	if (!mail || !collect(mail, id ? id : args[0], mbox, &error) ||
	    !hand_out(o, mbox, &error))
		return cli_fail(c, error);
	return CLI_OK;
}

const command cmd_patch = {
	.name = "patch",
	.args = "MESSAGE-ID",
	.summary = "print a patch out of a mail as an mbox for git am",
	.more = "MESSAGE-ID may stand in <> or in the URL of an archive.  What mail programs do to\n"
		"patches is undone where that is certain; else the command says what is broken\n"
		"and prints nothing.",
	.options = patch_cli_options,
	.size = sizeof(patch_options),
	.min = 1,
	.max = 1,
	.run = run_patch,
};
