/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/data.h"
#include "cli/digest.h"
#include "cli/outgoing.h"
#include "cli/print.h"
#include "cli/recipients.h"
#include "cli/store.h"

#define DAY  86400
#define WEEK (7 * DAY)

typedef struct remind_options {
	print_format format; /* first */
	gboolean dry_run;
	char *date;
} remind_options;

static const cli_option options[] = {
	{ "dry-run", 'n', G_OPTION_ARG_NONE, offsetof(remind_options, dry_run), NULL,
	  "list who would get what and why, and why not; store nothing" },
	{ "date", 0, G_OPTION_ARG_STRING, offsetof(remind_options, date), "TIME",
	  "as if it were then; else now" },
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
};

/* A group of the configuration. */
typedef struct group {
	char *name;
	GPtrArray *subsystems, *lists;
	tracker_remind_rules rules;
} group;

static void group_free(void *data)
{
	group *g = data;

	g_free(g->name);
	g_ptr_array_unref(g->subsystems);
	g_ptr_array_unref(g->lists);
	g_free(g);
}

static GPtrArray *read_groups(const config *conf)
{
	g_autoptr(GPtrArray) names = config_names(conf, "remind");
	GPtrArray *all = g_ptr_array_new_with_free_func(group_free);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *key =
			g_strconcat("remind ", (char *)names->pdata[i], NULL);
		group *g = g_new0(group, 1);

		g->name = g_strdup(names->pdata[i]);
		g->subsystems = config_words(conf, key, "subsystems");
		g->lists = store_bare_addresses(conf, key, "lists");
		g->rules.subsystems = g->subsystems;
		g->rules.lists = g->lists;
		g->rules.after = (int64_t)config_number(conf, key, "after-days") * DAY;
		g->rules.every =
			(int64_t)config_number(conf, key, "every-weeks") * WEEK;
		g->rules.max = (unsigned)config_number(conf, key, "at-most");
		g_ptr_array_add(all, g);
	}
	return all;
}

/* ---- decisions ------------------------------------------------------------------ */

typedef struct remind_run {
	cli *c;
	tracker *t;
	data_files *files;
	parser_address *from; /* NULL in a dry run without one */
	GPtrArray *groups;
	int64_t now;
} remind_run;

/* What becomes of one regression. */
typedef struct decision {
	const tracker_reminder *reminder;
	const group *group; /* NULL: none covers it */
	bool due;
	char *why;
	GPtrArray *to, *cc; /* parser_address * */
} decision;

static void decision_free(void *data)
{
	decision *d = data;

	g_free(d->why);
	g_ptr_array_unref(d->to);
	g_ptr_array_unref(d->cc);
	g_free(d);
}

static void say_no(decision *d, char *why)
{
	d->due = false;
	g_free(d->why);
	d->why = why;
}

/* Takes out who asked for silence. */
static bool heed_stops(const remind_run *run, decision *d, GPtrArray *people,
		       GError **error)
{
	for (guint i = people->len; i-- > 0;) {
		const parser_address *a = people->pdata[i];
		bool stopped;

		if (!tracker_reminder_stopped(run->t, d->reminder->summary->id,
					      a->address, &stopped, error))
			return false;
		if (stopped)
			g_ptr_array_remove_index(people, i);
	}
	return true;
}

/* Without the author there is nobody to remind, only people to annoy. */
static bool choose(const remind_run *run, decision *d, GError **error)
{
	const parser_commit *culprit = d->reminder->culprit;
	const recipients_request request = { .culprit = culprit,
					     .people = true,
					     .skip_unparsable = true,
					     .kind = d->reminder->summary->kind };
	const char *author = culprit->author_address;
	g_autoptr(GError) why = NULL;

	if (!recipients_choose(run->c, &request, d->to, d->cc, &why)) {
		say_no(d, g_strdup(why->message));
		return true;
	}

	const parser_address *first = d->to->pdata[0];
	bool known = author && !g_ascii_strcasecmp(first->address, author);

	if (!known) {
		say_no(d, g_strdup(author ? "its author never gets a mail from us" :
					    "its author is not known"));
		return true;
	}
	if (!heed_stops(run, d, d->to, error) || !heed_stops(run, d, d->cc, error))
		return false;
	if (!d->to->len)
		say_no(d, g_strdup("its author asked for no reminders"));
	return true;
}

static decision *decide(const remind_run *run, const tracker_reminder *r,
			GError **error)
{
	GDestroyNotify free_address = (GDestroyNotify)parser_address_free;
	decision *d = g_new0(decision, 1);

	d->reminder = r;
	d->to = g_ptr_array_new_with_free_func(free_address);
	d->cc = g_ptr_array_new_with_free_func(free_address);
	for (guint i = 0; !d->group && i < run->groups->len; i++) {
		const group *g = run->groups->pdata[i];

		if (tracker_reminder_covers(r, &g->rules))
			d->group = g;
	}
	d->due = tracker_reminder_due(r, d->group ? &d->group->rules : NULL, run->now,
				      &d->why);
	if (d->due && !choose(run, d, error)) {
		decision_free(d);
		return NULL;
	}
	return d;
}

/* ---- saying so ------------------------------------------------------------------ */

static const char *const fields[] = { "regression", "short_id",  "due",    "why",
				      "group",      "metric",    "commit", "to",
				      "cc",         "reminders", NULL };

static json_t *addresses_json(const decision *d, const GPtrArray *people)
{
	json_t *list = json_array();

	for (guint i = 0; d->due && i < people->len; i++)
		json_array_append_new(
			list,
			json_string(((parser_address *)people->pdata[i])->address));
	return list;
}

static json_t *to_record(const decision *d)
{
	const tracker_summary *s = d->reminder->summary;
	json_t *record = json_object();

	print_set_text(record, "regression", s->id);
	print_set_text(record, "short_id", s->short_id);
	json_object_set_new(record, "due", json_boolean(d->due));
	print_set_text(record, "why", d->why);
	print_set_text(record, "group", d->group ? d->group->name : NULL);
	print_set_text(record, "metric", s->metric);
	print_set_text(record, "commit", s->commit);
	json_object_set_new(record, "to", addresses_json(d, d->to));
	json_object_set_new(record, "cc", addresses_json(d, d->cc));
	json_object_set_new(record, "reminders", json_integer(d->reminder->count));
	return record;
}

static void print_people(const cli *c, const char *label, const GPtrArray *people)
{
	g_autoptr(GString) text = g_string_new(label);

	for (guint i = 0; i < people->len; i++) {
		const parser_address *a = people->pdata[i];

		g_string_append_printf(text, "%s%s", i ? ", " : " ", a->address);
	}
	if (people->len)
		print_quote(c, "    ", text->str);
}

static void print_decision(const cli *c, const decision *d)
{
	const tracker_summary *s = d->reminder->summary;
	g_autofree char *change = print_change(s->has_change, s->change_percent);
	g_autofree char *head = g_strdup_printf("%s  %s %s", s->short_id,
						s->metric ? s->metric : "?", change);
	g_autofree char *safe = print_line(head);
	g_autofree char *fit = render_text_fit(safe, c->width);
	g_autofree char *why =
		d->due ? g_strdup_printf("to be reminded of [remind %s]: %s",
					 d->group->name, d->why) :
			 g_strdup_printf("not now: %s", d->why);

	puts(fit);
	print_quote(c, "    ", why);
	if (d->due) {
		print_people(c, "To:", d->to);
		print_people(c, "Cc:", d->cc);
	}
}

static void show(const cli *c, const remind_options *o, const GPtrArray *decisions)
{
	g_autoptr(GPtrArray) records =
		g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	bool json = o->format.json || o->format.csv;

	for (guint i = 0; i < decisions->len; i++) {
		if (json)
			g_ptr_array_add(records, to_record(decisions->pdata[i]));
		else
			print_decision(c, decisions->pdata[i]);
	}
	if (json)
		print_records(records, fields, &o->format);
	else if (!decisions->len)
		puts("nothing unresolved");
}

/* ---- mails ---------------------------------------------------------------------- */

static render_mail *render(const remind_run *run, const decision *d, GError **error)
{
	const tracker_reminder *r = d->reminder;
	render_digest_entry *entry = digest_entry_new(r->summary);
	g_autofree char *archive_url =
		config_text(run->c->config, "regtrail", "archive-url");

	entry->report_id = r->report_id;
	entry->active_at = r->summary->last_human_at;
	entry->active_by = r->summary->last_human;

	const render_remind_facts facts = { .from = *run->from,
					    .to = d->to,
					    .cc = d->cc,
					    .created = run->now,
					    .revision = r->next_revision,
					    .regression = r->summary->id,
					    .entry = entry,
					    .report_subject = r->report_subject,
					    .archive_url = archive_url,
					    .number = r->count + 1,
					    .max = d->group->rules.max,
					    .every = d->group->rules.every };
	render_mail *mail = render_remind(&facts, data_text, run->files, error);

	digest_entry_free(entry);
	return mail;
}

/* Always a draft, whatever [report] approval says. */
static bool draft(const remind_run *run, const decision *d, GError **error)
{
	g_autoptr(render_mail) mail = render(run, d, error);
	g_autofree char *sender = outgoing_sender(run->c, run->from);
	g_auto(outgoing_bytes) bytes = { 0 };
	g_auto(tracker_stored) stored = { 0 };

	if (!mail || !outgoing_compose(run->c, mail, &bytes, error))
		return false;

	tracker_report report =
		outgoing_report(mail, &bytes, d->reminder->next_revision, sender);

	if (!tracker_reminder_add(run->t, &report, run->now - d->group->rules.every + 1,
				  &stored, error))
		return false;
	outgoing_tell(mail, &stored, false);
	return true;
}

static int draft_all(const remind_run *run, const GPtrArray *decisions)
{
	unsigned n = 0, not = 0;
	int code = CLI_OK;

	for (guint i = 0; i < decisions->len; i++) {
		const decision *d = decisions->pdata[i];
		g_autoptr(GError) error = NULL;

		if (!d->due) {
			not ++;
			continue;
		}
		if (draft(run, d, &error))
			n++;
		else
			code = cli_worse(code, cli_fail(run->c, error));
	}
	printf("%u reminder%s drafted, %u regression%s not to be reminded of now\n", n,
	       n == 1 ? "" : "s", not, not == 1 ? " is" : "s are");
	return code;
}

/* ---- the command ---------------------------------------------------------------- */

static GPtrArray *decide_all(const remind_run *run, const GPtrArray *candidates,
			     GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(decision_free);

	for (guint i = 0; i < candidates->len; i++) {
		decision *d = decide(run, candidates->pdata[i], error);

		if (!d)
			return NULL;
		g_ptr_array_add(all, d);
	}
	return g_steal_pointer(&all);
}

static bool withdraw(const remind_run *run, GError **error)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	bool good = tracker_reminders_withdraw(run->t, run->now, lines, error);

	for (guint i = 0; good && i < lines->len; i++)
		puts(lines->pdata[i]);
	return good;
}

static int remind(remind_run *run, const remind_options *o)
{
	g_autoptr(GError) error = NULL;

	if (!o->dry_run && (!run->from || !withdraw(run, &error))) {
		if (!error)
			outgoing_from(run->c, &error);
		return cli_fail(run->c, error);
	}

	g_autoptr(GPtrArray) candidates = tracker_reminders(run->t, run->now, &error);
	g_autoptr(GPtrArray) decisions =
		candidates ? decide_all(run, candidates, &error) : NULL;

	if (!decisions)
		return cli_fail(run->c, error);
	if (!o->dry_run)
		return draft_all(run, decisions);
	show(run->c, o, decisions);
	return CLI_OK;
}

static int run(cli *c, const void *values, char **args)
{
	remind_run run = { .c = c, .now = cli_now() };
	const remind_options *o = values;
	g_autoptr(GError) error = NULL;

	(void)args;
	if (!o->dry_run && (o->format.json || o->format.csv))
		return cli_wrong(c, "--json and --csv belong to --dry-run");
	if (o->date && !cli_parse_date(o->date, &run.now, &error))
		return cli_fail(c, error);

	g_autoptr(tracker) t = store_open(c, o->dry_run, &error);
	g_autoptr(data_files) files = t ? data_open(c, &error) : NULL;

	if (!files)
		return cli_fail(c, error);

	g_autoptr(GPtrArray) groups = read_groups(c->config);

	run.t = t;
	run.files = files;
	run.groups = groups;
	run.from = outgoing_from(c, NULL);

	int code = remind(&run, o);

	parser_address_free(run.from);
	return code;
}

const command cmd_remind = {
	.name = "remind",
	.args = "",
	.summary =
		"draft reminders of what nobody has answered, where that is configured",
	.more = "Only regressions that a group [remind NAME] covers, and only as drafts.  A\n"
		"reminder that has lost its reason before it left is cancelled.",
	.options = options,
	.size = sizeof(remind_options),
	.run = run,
};
