/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/maintainers.h"
#include "cli/print.h"
#include "cli/store.h"
#include "mailer/mailer.h"

typedef struct list_options {
	print_format format; /* first */
	gboolean closed, improvements, all;
	char *status, *tree, *testcase, *metric, *machine, *author, *commit, *subsystem;
	char *older_than, *silent_for, *change_over, *owes, *date, *git;
} list_options;

#define AT(field) offsetof(list_options, field)

static const cli_option options[] = {
	/* clang-format off */
	{ "closed", 0, G_OPTION_ARG_NONE, AT(closed), NULL, "those that are resolved too" },
	{ "improvements", 0, G_OPTION_ARG_NONE, AT(improvements), NULL, "improvements too" },
	{ "all", 'a', G_OPTION_ARG_NONE, AT(all), NULL, "everything" },
	{ "status", 0, G_OPTION_ARG_STRING, AT(status), "STATUS", "of that status" },
	{ "tree", 0, G_OPTION_ARG_STRING, AT(tree), "NAME", "found in that tree" },
	{ "testcase", 0, G_OPTION_ARG_STRING, AT(testcase), "NAME", "of that test" },
	{ "metric", 0, G_OPTION_ARG_STRING, AT(metric), "NAME", "of that metric" },
	{ "machine", 0, G_OPTION_ARG_STRING, AT(machine), "TEXT", "on such a machine" },
	{ "author", 0, G_OPTION_ARG_STRING, AT(author), "TEXT", "by that author" },
	{ "commit", 0, G_OPTION_ARG_STRING, AT(commit), "COMMIT", "by that commit" },
	{ "subsystem", 0, G_OPTION_ARG_STRING, AT(subsystem), "NAME",
	  "where the commit's subject starts so, or it touches files of such a section" },
	{ "git", 0, G_OPTION_ARG_STRING, AT(git), "DIR",
	  "by a commit of the range A..B in that repository" },
	{ "older-than", 0, G_OPTION_ARG_STRING, AT(older_than), "SPAN",
	  "reported longer ago than 30d, 2w ..." },
	{ "silent-for", 0, G_OPTION_ARG_STRING, AT(silent_for), "SPAN",
	  "without a human word for so long" },
	{ "change-over", 0, G_OPTION_ARG_STRING, AT(change_over), "PERCENT",
	  "changed by more than that" },
	{ "owes", 0, G_OPTION_ARG_STRING, AT(owes), "WHO",
	  "waiting for robot, maintainer or operator" },
	{ "date", 0, G_OPTION_ARG_STRING, AT(date), "TIME",
	  "count ages from that time; what is known stays that of today" },
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
	/* clang-format on */
};

static bool to_percent(const char *text, double *value, GError **error)
{
	char *end;

	*value = g_ascii_strtod(text, &end);
	if (*end == '%')
		end++;
	if (end != text && *end == '\0' && *value >= 0)
		return true;
	g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
		    "--change-over: not a number: %s", text);
	return false;
}

static bool check_owes(const char *who, GError **error)
{
	if (!who || !strcmp(who, "robot") || !strcmp(who, "maintainer") ||
	    !strcmp(who, "operator"))
		return true;
	g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
		    "--owes is robot, maintainer or operator, not %s", who);
	return false;
}

static bool to_filter(const list_options *o, tracker_filter *f, GError **error)
{
	tracker_status status;

	*f = (tracker_filter){ .closed = o->closed,
			       .improvements = o->improvements,
			       .all = o->all,
			       .again = true,
			       .status = o->status,
			       .tree = o->tree,
			       .testcase = o->testcase,
			       .metric = o->metric,
			       .machine = o->machine,
			       .author = o->author,
			       .commit = o->commit,
			       .subsystem = o->subsystem,
			       .owes = o->owes,
			       .now = cli_now() };
	if (o->status && !tracker_status_from_name(o->status, &status)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
			    "no status named %s (`regtrail help status` lists them)",
			    o->status);
		return false;
	}
	return check_owes(o->owes, error) &&
	       (!o->date || cli_parse_date(o->date, &f->now, error)) &&
	       (!o->older_than ||
		cli_parse_duration(o->older_than, &f->older_than, error)) &&
	       (!o->silent_for ||
		cli_parse_duration(o->silent_for, &f->silent_for, error)) &&
	       (!o->change_over || to_percent(o->change_over, &f->change_over, error));
}

/* What must live while the list is asked for. */
typedef struct list_lent {
	GPtrArray *commits;
	maintainers *sections;
} list_lent;

static void list_lent_clear(list_lent *lent)
{
	g_clear_pointer(&lent->commits, g_ptr_array_unref);
	g_clear_pointer(&lent->sections, maintainers_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(list_lent, list_lent_clear)

static bool in_sections(const char *path, void *context)
{
	return maintainers_have(context, path);
}

/* The sections of the MAINTAINERS file that the subsystem names, if there is such a
 * file. */
static bool read_sections(cli *c, const list_options *o, list_lent *lent,
			  tracker_filter *f, GError **error)
{
	const config *conf = cli_config(c, error);
	g_autofree char *path =
		conf ? config_file(conf, "regtrail", "maintainers") : NULL;
	g_autofree char *text = NULL;
	gsize length;

	if (!conf || !path || !o->subsystem)
		return conf;
	if (!g_file_get_contents(path, &text, &length, error))
		return false;
	lent->sections = maintainers_new(text, length, o->subsystem);
	if (maintainers_sections(lent->sections)) {
		f->touches = in_sections;
		f->touches_context = lent->sections;
	}
	return true;
}

static bool read_range(const list_options *o, const char *range, list_lent *lent,
		       tracker_filter *f, GError **error)
{
	if (!o->git && !range)
		return true;
	if (!o->git || !range) {
		g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE,
				    o->git ? "--git DIR needs a range: A..B" :
					     "a range A..B needs --git DIR");
		return false;
	}
	lent->commits = mailer_git_range(o->git, range, error);
	f->commits = lent->commits;
	return lent->commits;
}

static char *suggestion_line(const tracker_suggestion *s)
{
	return g_strdup_printf("%s? %s (%s): \"%s\"", s->status,
			       s->author ? s->author : "?", s->role ? s->role : "?",
			       s->quote ? s->quote : "");
}

#define SUGGESTIONS 3u /* below each; the heaviest come first */

static void add_suggestions(print_table *table, const tracker_summary *s)
{
	const GPtrArray *all = s->suggestions;

	for (guint i = 0; i < MIN(all->len, SUGGESTIONS); i++)
		print_table_note(table, suggestion_line(all->pdata[i]));
	if (all->len > SUGGESTIONS)
		print_table_note(table,
				 g_strdup_printf("... and %u more (regtrail show %s)",
						 all->len - SUGGESTIONS, s->short_id));
}

static void add_row(print_table *table, const tracker_summary *s, int64_t now)
{
	print_table_row(table, g_strdup(s->short_id), print_age(s->reported_at, now),
			print_change(s->has_change, s->change_percent),
			g_strdup(s->metric), g_strndup(s->commit ? s->commit : "", 10),
			g_strdup(tracker_status_name(s->status)),
			print_age(s->last_human_at, now), g_strdup(s->owes), NULL);
	add_suggestions(table, s);
}

static bool is_narrowed(const tracker_filter *f)
{
	return f->status || f->tree || f->testcase || f->metric || f->machine ||
	       f->author || f->commit || f->subsystem || f->owes || f->commits ||
	       f->older_than || f->silent_for || f->change_over > 0;
}

static const char *why_empty(const tracker_filter *f)
{
	bool closed = f->closed || f->all || f->status;

	if (!is_narrowed(f))
		return closed ? "nothing tracked" : "nothing unresolved";
	return closed ? "nothing fits" : "nothing unresolved fits";
}

static void show_for_people(const cli *c, const GPtrArray *all, const tracker_filter *f)
{
	static const print_column columns[] = {
		{ "ID", false, 0 },      { "AGE", true, 0 },
		{ "CHANGE", true, 0 },   { "METRIC", false, 12 },
		{ "CULPRIT", false, 0 }, { "STATUS", false, 8 },
		{ "WORD", true, 0 },     { "OWES", false, 5 },
	};
	g_autoptr(print_table) table = print_table_new(columns, G_N_ELEMENTS(columns));

	for (guint i = 0; i < all->len; i++)
		add_row(table, g_ptr_array_index(all, i), f->now);
	if (all->len)
		print_table_show(table, c);
	else
		puts(why_empty(f));
}

static json_t *summary_record(const void *item)
{
	return json_of_summary(item);
}

static int run(cli *c, const void *values, char **args)
{
	const list_options *o = values;
	g_autoptr(GError) error = NULL;
	g_auto(list_lent) lent = { 0 };
	tracker_filter filter;

	if (!to_filter(o, &filter, &error) ||
	    !read_range(o, args[0], &lent, &filter, &error) ||
	    !read_sections(c, o, &lent, &filter, &error))
		return cli_fail(c, error);

	g_autoptr(tracker) t = store_open(c, true, &error);
	g_autoptr(GPtrArray) all = t ? tracker_list(t, &filter, &error) : NULL;

	if (!all)
		return cli_fail(c, error);
	if (!o->format.json && !o->format.csv) {
		show_for_people(c, all, &filter);
		return CLI_OK;
	}
	print_items(all, summary_record, json_summary_fields, &o->format);
	return CLI_OK;
}

const command cmd_list = {
	.name = "list",
	.args = "[A..B]",
	.summary = "show unresolved regressions, those that need attention first",
	.more = "WORD is how long ago a developer last said something; OWES is who has to\n"
		"answer.  A line under a regression is a suggestion: `regtrail confirm ID` or\n"
		"`reject ID` decides about it.  A closed one stands here when somebody who is\n"
		"not known for it has reported it again.",
	.options = options,
	.size = sizeof(list_options),
	.max = 1,
	.run = run,
};
