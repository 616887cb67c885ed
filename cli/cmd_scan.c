/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Git trees are walked for fixes; what a commit is for a regression the tracker
 * decides. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "cli/store.h"
#include "cli/trees.h"

typedef struct scan_options {
	print_format format; /* first */
	gboolean verbose;
	char *branch, *order, *date;
} scan_options;

#define AT(field) offsetof(scan_options, field)

static const cli_option options[] = {
	/* clang-format off */
	{ "branch", 0, G_OPTION_ARG_STRING, AT(branch), "NAME",
	  "of a REPO that is not configured; else HEAD" },
	{ "order", 0, G_OPTION_ARG_STRING, AT(order), "ORDER",
	  "of such a REPO: posted, next, mainline or stable; else next" },
	{ "verbose", 'v', G_OPTION_ARG_NONE, AT(verbose), NULL,
	  "name the commits that close reports which are not known here" },
	{ "date", 0, G_OPTION_ARG_STRING, AT(date), "TIME", "as if it were then; else now" },
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
	/* clang-format on */
};

static const char *const fields[] = { "regression",    "short_id", "state",   "status",
				      "status_before", "commit",   "subject", "tree",
				      "branch",        "evidence", NULL };

static json_t *json_of_finding(const tracker_scan_finding *f)
{
	json_t *object = json_object();

	print_set_text(object, "regression", f->id);
	print_set_text(object, "short_id", f->short_id);
	print_set_text(object, "state", f->state);
	print_set_text(object, "status", tracker_status_name(f->status));
	print_set_text(object, "status_before", tracker_status_name(f->before));
	print_set_text(object, "commit", f->commit);
	print_set_text(object, "subject", f->subject);
	print_set_text(object, "tree", f->tree);
	print_set_text(object, "branch", f->branch);
	print_set_text(object, "evidence", f->evidence);
	return object;
}

static void show_for_people(const cli *c, const tracker_scan_finding *f)
{
	if (f->status != f->before)
		printf("%s: %s -> %s\n", f->short_id, tracker_status_name(f->before),
		       tracker_status_name(f->status));
	else
		printf("%s: %s (%s)\n", f->short_id, tracker_status_name(f->status),
		       f->state);
	print_quote(c, "    ", f->evidence);
}

static void show(const cli *c, const scan_options *o, const tracker_scan *scan)
{
	const GPtrArray *all = tracker_scan_findings(scan);
	g_autoptr(GPtrArray) records =
		g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	bool records_wanted = o->format.json || o->format.csv;

	for (guint i = 0; i < all->len; i++) {
		const tracker_scan_finding *f = g_ptr_array_index(all, i);

		if (records_wanted)
			g_ptr_array_add(records, json_of_finding(f));
		else
			show_for_people(c, f);
	}
	if (records_wanted)
		print_records(records, fields, &o->format);
	else if (all->len == 0)
		puts("nothing new");
}

/* Nobody here knows the report that a commit closes: when it comes, the tree is asked
 * again. */
static void show_unknown(const cli *c, const scan_options *o, const tracker_scan *scan)
{
	size_t count;
	const GPtrArray *some = tracker_scan_unknown(scan, &count);

	if (!count)
		return;
	cli_complain(c,
		     "%zu commit%s close%s reports of robots that are not known here%s",
		     count, count == 1 ? "" : "s", count == 1 ? "s" : "",
		     o->verbose ? ":" : " (--verbose names them)");
	for (guint i = 0; o->verbose && i < some->len; i++) {
		const parser_pair *pair = g_ptr_array_index(some, i);

		cli_complain(c, "  %.12s: %s", pair->name, pair->value);
	}
}

static int scan_all(cli *c, const scan_options *o, tracker *t, const GPtrArray *trees,
		    int64_t now)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker_scan) scan = tracker_scan_begin(t, now, &error);
	int code = CLI_OK;

	if (!scan)
		return cli_fail(c, error);
	for (guint i = 0; i < trees->len; i++)
		code = cli_worse(code, tree_walk(c, scan, g_ptr_array_index(trees, i)));
	if (!tracker_scan_end(scan, &error))
		code = cli_worse(code, cli_fail(c, error));
	show(c, o, scan);
	show_unknown(c, o, scan);
	return code;
}

static int run(cli *c, const void *values, char **args)
{
	const scan_options *o = values;
	g_autoptr(GError) error = NULL;
	int64_t now = cli_now();
	bool dated = !o->date || cli_parse_date(o->date, &now, &error);
	g_autoptr(tracker) t = dated ? store_open(c, false, &error) : NULL;
	tree_choice choice = { .repository = args[0],
			       .branch = o->branch,
			       .order = o->order };
	g_autoptr(GPtrArray) trees = t ? trees_of(c, &choice, &error) : NULL;

	return trees ? scan_all(c, o, t, trees, now) : cli_fail(c, error);
}

const command cmd_scan = {
	.name = "scan",
	.args = "[REPO]",
	.summary = "look for fixes in git trees",
	.more = "Walks the commits that every [tree NAME] with a path has got since the last\n"
		"scan.  REPO is the name or the path of one of them, or another repository.  A\n"
		"commit counts that closes or links a report, that fixes or reverts a culprit,\n"
		"or that somebody said would be the fix.",
	.options = options,
	.size = sizeof(scan_options),
	.max = 1,
	.run = run,
};
