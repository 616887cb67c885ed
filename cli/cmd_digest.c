/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/data.h"
#include "cli/digest.h"
#include "cli/json.h"
#include "cli/outgoing.h"
#include "cli/print.h"
#include "cli/recipients.h"
#include "cli/store.h"

#define DAY 86400

typedef struct digest_options {
	print_format format; /* first */
	gboolean mail, dry_run;
	char *date;
	char **to, **cc;
} digest_options;

#define AT(field) offsetof(digest_options, field)

static const cli_option options[] = {
	/* clang-format off */
	{ "mail", 'm', G_OPTION_ARG_NONE, AT(mail), NULL,
	  "put it into the outbox as a draft instead of printing it" },
	{ "dry-run", 'n', G_OPTION_ARG_NONE, AT(dry_run), NULL,
	  "print the mail with its header, store nothing" },
	{ "to", 0, G_OPTION_ARG_STRING_ARRAY, AT(to), "ADDRESS", "a further recipient" },
	{ "cc", 0, G_OPTION_ARG_STRING_ARRAY, AT(cc), "ADDRESS", "a further recipient of a copy" },
	{ "date", 0, G_OPTION_ARG_STRING, AT(date), "TIME",
	  "count ages from that time; what is known stays that of today" },
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
	/* clang-format on */
};

/* One run over all scopes that are asked for. */
typedef struct digest_run {
	cli *c;
	const digest_options *o;
	tracker *t;
	data_files *files;
	int64_t now;
	GPtrArray *private_trees; /* char * */
} digest_run;

/* ---- facts ---------------------------------------------------------------------- */

static tracker_digest *get(const digest_run *run, const digest_scope *scope,
			   int64_t now, GError **error)
{
	const tracker_filter filter = { .tree = scope->tree,
					.subsystem = scope->subsystem,
					.author = scope->author,
					.now = now };
	const tracker_digest_request request = {
		.scope = scope->name,
		.filter = &filter,
		.quiet_for = (int64_t)scope->quiet_days * DAY
	};

	return tracker_digest_get(run->t, &request, error);
}

static GPtrArray *private_trees(const config *conf)
{
	g_autoptr(GPtrArray) trees = config_names(conf, "tree");
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < trees->len; i++) {
		g_autofree char *group =
			g_strconcat("tree ", (char *)trees->pdata[i], NULL);

		if (config_bool(conf, group, "private"))
			g_ptr_array_add(found, g_strdup(trees->pdata[i]));
	}
	return found;
}

/* Nothing about a private tree leaves in a mail that is not private itself. */
static void leave_out(GPtrArray *entries, const GPtrArray *trees)
{
	for (guint i = entries->len; i-- > 0;) {
		const tracker_digest_entry *e = entries->pdata[i];

		if (e->summary->tree &&
		    g_ptr_array_find_with_equal_func(
			    (GPtrArray *)trees, e->summary->tree, g_str_equal, NULL))
			g_ptr_array_remove_index(entries, i);
	}
}

static GPtrArray *entries_of(const GPtrArray *from)
{
	GPtrArray *all =
		g_ptr_array_new_with_free_func((GDestroyNotify)digest_entry_free);

	for (guint i = 0; i < from->len; i++)
		g_ptr_array_add(all, digest_entry_of(from->pdata[i]));
	return all;
}

/* Everything that a rendering lends. */
typedef struct digest_facts {
	GPtrArray *open, *closed, *trees;
	char *archive_url;
	render_digest_facts facts;
} digest_facts;

static void digest_facts_clear(digest_facts *f)
{
	g_clear_pointer(&f->open, g_ptr_array_unref);
	g_clear_pointer(&f->closed, g_ptr_array_unref);
	g_clear_pointer(&f->trees, g_ptr_array_unref);
	g_free(f->archive_url);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(digest_facts, digest_facts_clear)

static void collect(const digest_run *run, const digest_scope *scope,
		    const tracker_digest *d, digest_facts *f)
{
	f->open = entries_of(d->open);
	f->closed = entries_of(d->closed);
	f->trees = config_names(run->c->config, "tree");
	f->archive_url = config_text(run->c->config, "regtrail", "archive-url");
	f->facts = (render_digest_facts){
		.created = d->at,
		.scope = scope->name,
		.title = scope->title,
		.archive_url = f->archive_url,
		.last_id = d->last_id,
		.last_at = d->last_at,
		.references = d->references,
		.trees = f->trees,
		.open = f->open,
		.closed = f->closed,
		.improvements = d->improvements,
		.improvements_new = d->improvements_new,
		.backburner = d->backburner,
		.quiet_days = (unsigned)scope->quiet_days,
	};
}

/* ---- on the terminal ------------------------------------------------------------ */

static const char *const fields[] = {
	"scope",       "news",      "regression", "short_id",   "status",
	"before",      "kind",      "metric",     "testcase",   "change_percent",
	"commit",      "subject",   "author",     "tree",       "report",
	"reported_at", "active_at", "active_by",  "quiet",      "owes",
	"replies",     "closed_at", "closed_by",  "closed_why", "suggestions",
	NULL
};

static json_t *to_record(const tracker_digest *d, const tracker_digest_entry *e)
{
	json_t *record = json_of_summary(e->summary);

	print_set_text(record, "scope", d->scope);
	print_set_text(record, "news", tracker_news_name(e->news));
	print_set_text(record, "before",
		       e->before ? tracker_status_name(e->before) : NULL);
	print_set_text(record, "report", e->report_id);
	print_set_time(record, "active_at", e->active_at);
	print_set_text(record, "active_by", e->active_by);
	json_object_set_new(record, "quiet", json_boolean(e->quiet));
	print_set_time(record, "closed_at", e->closed_at);
	print_set_text(record, "closed_by", e->closed_by);
	print_set_text(record, "closed_why", e->closed_why);
	return record;
}

static void add_records(const tracker_digest *d, GPtrArray *records)
{
	for (guint i = 0; i < d->open->len; i++)
		g_ptr_array_add(records, to_record(d, d->open->pdata[i]));
	for (guint i = 0; i < d->closed->len; i++)
		g_ptr_array_add(records, to_record(d, d->closed->pdata[i]));
}

static bool print_text(const digest_run *run, const digest_scope *scope,
		       const tracker_digest *d, GError **error)
{
	g_auto(digest_facts) f = { 0 };

	collect(run, scope, d, &f);

	g_autofree char *text =
		render_digest_text(&f.facts, data_text, run->files, error);

	if (text)
		fputs(text, stdout);
	return text;
}

static bool print_scopes(const digest_run *run, const GPtrArray *scopes, GError **error)
{
	bool records = run->o->format.json || run->o->format.csv;
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);

	for (guint i = 0; i < scopes->len; i++) {
		g_autoptr(tracker_digest) d =
			get(run, scopes->pdata[i], run->now, error);

		if (!d || (!records && !print_text(run, scopes->pdata[i], d, error)))
			return false;
		if (records)
			add_records(d, all);
	}
	if (records)
		print_records(all, fields, &run->o->format);
	return true;
}

/* ---- as a mail ------------------------------------------------------------------ */

/* A mail of one scope that is being made. */
typedef struct digest_mail {
	const digest_run *run;
	const digest_scope *scope;
	tracker_digest *digest;
	parser_address *from;
	GPtrArray *to, *cc; /* parser_address * */
	unsigned revision;
	render_mail *mail;
	outgoing_bytes bytes;
} digest_mail;

static void digest_mail_clear(digest_mail *m)
{
	tracker_digest_free(m->digest);
	parser_address_free(m->from);
	g_clear_pointer(&m->to, g_ptr_array_unref);
	g_clear_pointer(&m->cc, g_ptr_array_unref);
	render_mail_free(m->mail);
	outgoing_bytes_clear(&m->bytes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(digest_mail, digest_mail_clear)

static bool choose(digest_mail *m, GError **error)
{
	const digest_options *o = m->run->o;
	const recipients_given given = { .to = m->scope->to,
					 .cc = m->scope->cc,
					 .more_to = o->to,
					 .more_cc = o->cc,
					 .private = m->scope->private };

	m->to = g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	m->cc = g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	if (recipients_filter(m->run->c, &given, m->to, m->cc, error))
		return true;
	g_prefix_error(error, "digest of %s: ", m->scope->name);
	return false;
}

static bool render(digest_mail *m, int64_t at, unsigned revision, GError **error)
{
	g_auto(digest_facts) f = { 0 };

	g_clear_pointer(&m->digest, tracker_digest_free);
	g_clear_pointer(&m->mail, render_mail_free);
	m->revision = revision;
	m->digest = get(m->run, m->scope, at, error);
	if (!m->digest)
		return false;
	if (!m->scope->private) {
		leave_out(m->digest->open, m->run->private_trees);
		leave_out(m->digest->closed, m->run->private_trees);
	}
	collect(m->run, m->scope, m->digest, &f);
	f.facts.from = *m->from;
	f.facts.to = m->to;
	f.facts.cc = m->cc;
	f.facts.revision = revision;
	m->mail = render_digest(&f.facts, data_text, m->run->files, error);
	return m->mail && outgoing_compose(m->run->c, m->mail, &m->bytes, error);
}

/* The same as what waits already, or left today. */
static bool is_there(digest_mail *m, const tracker_draft *earlier,
		     tracker_stored *stored, GError **error)
{
	g_autoptr(tracker_outgoing) mail =
		tracker_outbox_get(m->run->t, earlier->outbox, error);

	if (!mail)
		return false;
	stored->existed =
		earlier->state == TRACKER_OUTBOX_SENT ||
		g_bytes_equal(mail->quoted_printable, m->bytes.quoted_printable);
	if (stored->existed) {
		stored->outbox = mail->id;
		stored->message_id = g_strdup(mail->message_id);
	}
	return true;
}

/* The mail of the day with the clock and revision of the earlier one, or the next. */
static bool make(digest_mail *m, tracker_stored *stored, GError **error)
{
	tracker_draft earlier = { 0 };
	int64_t now = m->run->now;

	if (!tracker_digest_find(m->run->t, m->scope->name, now - now % DAY, &earlier,
				 error))
		return false;
	if (!earlier.found)
		return render(m, now, 0, error);
	if (earlier.state != TRACKER_OUTBOX_CANCELLED &&
	    earlier.state != TRACKER_OUTBOX_REJECTED) {
		if (!render(m, earlier.created, earlier.revision, error) ||
		    !is_there(m, &earlier, stored, error))
			return false;
		if (stored->existed)
			return true;
	}
	return render(m, now, earlier.revision + 1, error);
}

static bool store(digest_mail *m, tracker_stored *stored, GError **error)
{
	g_autofree char *sender = outgoing_sender(m->run->c, m->from);
	tracker_report report =
		outgoing_report(m->mail, &m->bytes, m->revision, sender);
	bool approve = !config_bool(m->run->c->config, "report", "approval");
	int64_t cancelled = 0;

	if (!stored->existed &&
	    (!tracker_digest_add(m->run->t, m->digest, &report, stored, &cancelled,
				 error) ||
	     (approve &&
	      !tracker_outbox_approve(m->run->t, stored->outbox, cli_now(), error))))
		return false;
	if (cancelled)
		fprintf(stderr,
			"draft %" G_GINT64_FORMAT
			" is cancelled: this one takes its place\n",
			cancelled);
	outgoing_tell(m->mail, stored, approve);
	return true;
}

static bool mail_scope(const digest_run *run, const digest_scope *scope, GError **error)
{
	g_auto(digest_mail) m = { .run = run, .scope = scope };
	g_auto(tracker_stored) stored = { 0 };

	m.from = outgoing_from(run->c, error);
	if (!m.from || !choose(&m, error) || !make(&m, &stored, error))
		return false;
	if (!run->o->dry_run)
		return store(&m, &stored, error);
	outgoing_print(m.bytes.eight_bit ? m.bytes.eight_bit :
					   m.bytes.quoted_printable);
	return true;
}

/* ---- the command ---------------------------------------------------------------- */

static int run_scopes(const digest_run *run, const GPtrArray *scopes)
{
	bool mail = run->o->mail || run->o->dry_run;
	g_autoptr(GError) error = NULL;
	int code = CLI_OK;

	if (!mail)
		return print_scopes(run, scopes, &error) ? CLI_OK :
							   cli_fail(run->c, error);
	/* One that cannot be made does not keep the others from being made. */
	for (guint i = 0; i < scopes->len; i++) {
		g_autoptr(GError) why = NULL;

		if (!mail_scope(run, scopes->pdata[i], &why))
			code = cli_worse(code, cli_fail(run->c, why));
	}
	return code;
}

static int run(cli *c, const void *values, char **args)
{
	digest_run run = { .c = c, .o = values, .now = cli_now() };
	const digest_options *o = values;
	g_autoptr(GError) error = NULL;

	if ((o->mail || o->dry_run) && (o->format.json || o->format.csv))
		return cli_wrong(c, "a mail is not printed as JSON or CSV");
	if (o->date && !cli_parse_date(o->date, &run.now, &error))
		return cli_fail(c, error);

	g_autoptr(GPtrArray) scopes = digest_scopes(c, args, &error);
	g_autoptr(data_files) files = scopes ? data_open(c, &error) : NULL;
	g_autoptr(tracker) t =
		files ? store_open(c, !o->mail || o->dry_run, &error) : NULL;

	if (!t)
		return cli_fail(c, error);

	g_autoptr(GPtrArray) trees = private_trees(c->config);

	run.t = t;
	run.files = files;
	run.private_trees = trees;
	return run_scopes(&run, scopes);
}

const command cmd_digest = {
	.name = "digest",
	.args = "[NAME...]",
	.summary =
		"what is unresolved, and what is new since the last digest that was sent",
	.more = "NAME is a group [digest NAME] of the configuration, or `all`; without one\n"
		"all groups are made, and without groups everything is in one digest.  It is\n"
		"printed; --mail makes drafts of it.  A draft of the same digest that never\n"
		"left is cancelled.",
	.options = options,
	.size = sizeof(digest_options),
	.max = -1,
	.run = run,
};
