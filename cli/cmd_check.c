/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/places.h"
#include "cli/print.h"
#include "cli/store.h"

/* Rules, lists and templates of the operator's directory must be readable at all. */
static bool check_data(cli *c, GPtrArray *problems, GError **error)
{
	g_autoptr(data_files) d = data_open(c, error);
	g_autoptr(parser_rules) rules = d ? data_rules(d, error) : NULL;
	g_autoptr(parser_lists) lists = rules ? data_lists(d, error) : NULL;

	if (!lists || !data_check_templates(d, error))
		return false;
	data_strays(d, problems);
	return true;
}

static bool check_outbox(tracker *t, GPtrArray *problems, GError **error)
{
	static const tracker_outbox_state stuck[] = { TRACKER_OUTBOX_SENDING,
						      TRACKER_OUTBOX_REJECTED,
						      TRACKER_OUTBOX_UNKNOWN };

	for (size_t i = 0; i < G_N_ELEMENTS(stuck); i++) {
		g_autoptr(GPtrArray) mails = tracker_outbox_list(t, stuck[i], error);

		if (!mails)
			return false;
		for (guint k = 0; k < mails->len; k++) {
			const tracker_outgoing *mail = g_ptr_array_index(mails, k);

			g_ptr_array_add(
				problems,
				g_strdup_printf("outbox %" G_GINT64_FORMAT ": %s: %s",
						mail->id,
						tracker_outbox_state_name(stuck[i]),
						mail->subject));
		}
	}
	return true;
}

/* A forgotten one looks like an outbox with nothing due. */
static bool tell_stop(const cli *c)
{
	g_autofree char *path = config_file(c->config, "send", "stop-file");

	if (!path || !g_file_test(path, G_FILE_TEST_EXISTS))
		return false;

	g_autofree char *text = g_strdup_printf(
		"%s is there: nothing is sent until it is removed", path);

	print_safe("", text);
	return true;
}

/* Commands by mail that no thread of ours claims: for the operator to look at. */
static bool list_strays(tracker *t, GPtrArray *problems, GError **error)
{
	g_autoptr(GPtrArray) strays = tracker_strays(t, error);

	for (guint i = 0; strays && i < strays->len; i++) {
		const tracker_stray *stray = g_ptr_array_index(strays, i);

		g_ptr_array_add(
			problems,
			g_strdup_printf("command in no known thread: %s %s, by %s "
					"in <%s>",
					stray->verb, stray->arguments,
					stray->author ? stray->author : "?",
					stray->message_id));
	}
	return strays != NULL;
}

/* What the configuration says, without what it leads to. */
static void check_config(const config *conf, GPtrArray *problems)
{
	g_autofree char *from = config_text(conf, "regtrail", "from");

	if (!from)
		g_ptr_array_add(problems,
				g_strdup_printf("%s: `from` is not set: nothing can be "
						"reported",
						config_path(conf)));
	places_check(conf, problems);
}

static bool check_store(cli *c, GPtrArray *problems, GError **error)
{
	g_autoptr(tracker) t = store_open(c, true, error);

	return t && tracker_check(t, problems, error) &&
	       check_outbox(t, problems, error) && list_strays(t, problems, error);
}

static int run(cli *c, const void *options, char **args)
{
	g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	config *conf = cli_config(c, &error);

	(void)options;
	(void)args;
	if (!conf)
		return cli_fail(c, error);
	check_config(conf, problems);

	bool whole =
		check_data(c, problems, &error) && check_store(c, problems, &error);

	for (guint i = 0; i < problems->len; i++)
		print_safe("", g_ptr_array_index(problems, i));
	if (!whole)
		return cli_fail(c, error);
	if (!tell_stop(c) && problems->len == 0)
		puts("all is well");
	return problems->len ? CLI_FAIL : CLI_OK;
}

const command cmd_check = {
	.name = "check",
	.args = "",
	.summary = "check configuration, rules, database and stuck mail",
	.more = "Looks for the files, sources and URLs that the configuration names, too, without\n"
		"connecting to any.  Prints one line for each thing that is wrong and exits with 1.  A stop file is\n"
		"named, too, but is not wrong.",
	.run = run,
};
