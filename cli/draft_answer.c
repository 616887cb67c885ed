/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report that a mail answers: what it said, to whom, and who took part since. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/draft.h"
#include "cli/store.h"

void draft_answer_free(draft_answer *answer)
{
	if (!answer)
		return;
	tracker_detail_free(answer->detail);
	g_free(answer->subject);
	g_ptr_array_unref(answer->references);
	g_ptr_array_unref(answer->to);
	g_ptr_array_unref(answer->cc);
	g_free(answer);
}

/* ---- the database ---- */

static const char *answered_id(const draft *d)
{
	const draft_options *o = d->options;

	return o->followup ? o->followup : o->retest ? o->retest : o->retract;
}

/* A dry run makes do without a database; with one it shows what would be stored. */
static bool has_database(const draft *d)
{
	g_autofree char *path = config_file(d->cli->config, "regtrail", "database");

	return path && config_path(d->cli->config) &&
	       g_file_test(path, G_FILE_TEST_EXISTS);
}

/* The stored mail, read; *mail stays NULL when it is not kept (any more). */
static bool read_stored(const draft *d, const char *message_id, parser_mail **mail,
			GError **error)
{
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GError) cause = NULL;
	gsize length;
	const char *data;

	if (!d->tracker || !message_id)
		return true;
	if (!tracker_mail_bytes(d->tracker, message_id, &bytes, &cause) &&
	    !g_error_matches(cause, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND)) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return false;
	}
	data = bytes ? g_bytes_get_data(bytes, &length) : NULL;
	if (data)
		*mail = parser_mail_parse(data, length, PARSER_FORM_MAIL, 0, NULL);
	return true;
}

/* Appends the ids above a mail, root first. */
static void add_ids_above(GPtrArray *ids, const parser_mail *mail)
{
	const GPtrArray *above =
		mail->references->len ? mail->references : mail->in_reply_to;

	for (guint i = 0; i < above->len; i++)
		g_ptr_array_add(ids, g_strdup(g_ptr_array_index(above, i)));
}

GPtrArray *draft_references_of(const draft *d, const char *message_id, GError **error)
{
	GPtrArray *ids;
	g_autoptr(parser_mail) mail = NULL;

	if (!read_stored(d, message_id, &mail, error))
		return NULL;
	ids = g_ptr_array_new_with_free_func(g_free);
	if (mail)
		add_ids_above(ids, mail);
	return ids;
}

/* ---- who takes part ---- */

static void add_person(GPtrArray *people, const parser_address *a)
{
	if (a->address)
		g_ptr_array_add(people, parser_address_new(a->name, a->address));
}

static void add_people(GPtrArray *people, const GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++)
		add_person(people, g_ptr_array_index(from, i));
}

/* Whoever wrote in the thread wants to know; a guess by the subject is not enough. */
static void add_writers(draft_answer *answer)
{
	const GPtrArray *all = answer->detail->messages;

	for (guint i = 0; i < all->len; i++) {
		const tracker_message *m = g_ptr_array_index(all, i);

		if (m->class == PARSER_CLASS_HUMAN && !m->is_ghost && !m->suggested)
			add_person(answer->cc, &m->from);
	}
}

static const tracker_message *first_report(const tracker_detail *detail)
{
	for (guint i = 0; i < detail->messages->len; i++) {
		const tracker_message *m = g_ptr_array_index(detail->messages, i);

		if (g_strcmp0(m->message_id, detail->report_id) == 0)
			return m;
	}
	return NULL;
}

static bool read_first(const draft *d, draft_answer *answer, GError **error)
{
	const tracker_message *first = first_report(answer->detail);
	g_autoptr(parser_mail) mail = NULL;

	if (!read_stored(d, answer->detail->report_id, &mail, error))
		return false;
	if (first && first->subject && *first->subject)
		answer->subject = g_strdup(first->subject);
	if (mail) {
		add_ids_above(answer->references, mail);
		add_people(answer->to, mail->to);
		add_people(answer->cc, mail->cc);
	} else if (first && first->parent_id) {
		g_ptr_array_add(answer->references, g_strdup(first->parent_id));
	}
	add_writers(answer);
	return true;
}

static bool look_up(draft *d, const char *id, GError **error)
{
	GDestroyNotify free_address = (GDestroyNotify)parser_address_free;
	draft_answer *answer = d->answer = g_new0(draft_answer, 1);

	answer->references = g_ptr_array_new_with_free_func(g_free);
	answer->to = g_ptr_array_new_with_free_func(free_address);
	answer->cc = g_ptr_array_new_with_free_func(free_address);
	answer->detail = tracker_show(d->tracker, id, error);
	if (!answer->detail)
		return false;
	if (!answer->detail->report_id || !answer->detail->seen)
		return draft_refuse(error, "%s: its report has not been sent yet",
				    answer->detail->summary->short_id);
	return read_first(d, answer, error);
}

bool draft_open(draft *d, GError **error)
{
	const char *id = answered_id(d);

	if (!cli_config_or_default(d->cli, error))
		return false;
	if (d->options->dry_run && !id && !has_database(d))
		return true;
	d->tracker = store_open(d->cli, d->options->dry_run, error);
	return d->tracker && (!id || look_up(d, id, error));
}

/* ---- a report that is taken back ---- */

static void put(json_t *o, const char *name, const char *value)
{
	if (value && *value)
		json_object_set_new(o, name, json_string(value));
}

/* The facts that the store keeps of a report, as results without a metric. */
static parser_comparison *claimed_source(const tracker_summary *s, GError **error)
{
	json_t *commit = json_object();
	json_t *o = json_pack("{s:[{s:s}, {s:o}]}", "columns", "label", "base",
			      "commit", commit);
	g_autofree char *text = NULL;

	put(commit, "id", s->commit);
	put(commit, "subject", s->commit_subject);
	put(commit, "tree", s->tree);
	put(commit, "branch", s->branch);
	put(o, "testcase", s->testcase);
	put(o, "machine", s->machine);
	text = json_dumps(o, 0);
	json_decref(o);
	return parser_comparison_from_json(text, strlen(text), s->short_id, error);
}

bool draft_claim(draft *d, GError **error)
{
	const tracker_summary *s = d->answer->detail->summary;
	const render_claim claim = { .metric = s->metric,
				     .column = 1,
				     .kind = s->kind,
				     .change_percent =
					     s->has_change ? s->change_percent : NAN };
	parser_comparison *source = claimed_source(s, error);

	if (!source)
		return false;
	g_ptr_array_add(d->sources, source);
	g_ptr_array_add(d->rendered, render_comparison_claimed(source, &claim));
	return true;
}
