/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/digest.h"

#include <string.h>

#include "cli/address.h"

#define EVERYTHING "all"

/* ---- entries -------------------------------------------------------------------- */

static const char *mark_of(tracker_news news)
{
	switch (news) {
	case TRACKER_NEWS_NEW:
		return "NEW";
	case TRACKER_NEWS_CHANGED:
		return "CHANGED";
	case TRACKER_NEWS_QUIET:
		return "GONE QUIET";
	default:
		return NULL;
	}
}

static GPtrArray *quotes_of(const tracker_summary *s)
{
	GPtrArray *quotes = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < s->suggestions->len; i++) {
		const tracker_suggestion *from = s->suggestions->pdata[i];
		render_digest_quote *q = g_new0(render_digest_quote, 1);

		q->status = from->status;
		q->author = from->author;
		q->role = from->role;
		q->quote = from->quote;
		g_ptr_array_add(quotes, q);
	}
	return quotes;
}

/* How near its end a fix is; 0 = it is none, or a test refuted it. */
static int weight_of(const tracker_fix *fix)
{
	static const char *const states[] = { "claimed",   "offered", "posted",
					      "confirmed", "queued",  "merged" };

	for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
		if (!strcmp(fix->state, states[i]))
			return (int)i + 1;
	return 0;
}

/* The furthest, and of those the newest; a test that refutes takes back what mails
 * offered before it. */
static render_digest_fix *fix_of(const GPtrArray *fixes)
{
	const tracker_fix *best = NULL;

	for (guint i = 0; fixes && i < fixes->len; i++) {
		const tracker_fix *one = fixes->pdata[i];

		if (!strcmp(one->state, "refuted") && best && !best->commit)
			best = NULL;
		if (weight_of(one) && (!best || weight_of(one) >= weight_of(best)))
			best = one;
	}
	if (!best)
		return NULL;

	render_digest_fix *fix = g_new0(render_digest_fix, 1);

	fix->state = best->state;
	fix->subject = best->subject;
	fix->commit = best->commit;
	fix->tree = best->tree;
	fix->message_id = best->message_id;
	return fix;
}

render_digest_entry *digest_entry_new(const tracker_summary *s)
{
	render_digest_entry *e = g_new0(render_digest_entry, 1);

	e->id = s->short_id;
	e->title = s->title;
	e->metric = s->metric;
	e->testcase = s->testcase;
	e->machine = s->machine;
	e->tree = s->tree;
	e->commit = s->commit;
	e->commit_subject = s->commit_subject;
	e->author = s->author;
	e->kind = s->kind;
	e->has_change = s->has_change;
	e->change_percent = s->change_percent;
	e->reported_at = s->reported_at;
	e->status = tracker_status_name(s->status);
	e->owes = s->owes;
	e->owner = s->owner;
	e->replies = s->replies;
	e->quotes = quotes_of(s);
	return e;
}

render_digest_entry *digest_entry_of(const tracker_digest_entry *from)
{
	render_digest_entry *e = digest_entry_new(from->summary);
	bool moved = from->before && from->before != from->summary->status;

	e->report_id = from->report_id;
	e->reporter = from->reporter;
	e->active_at = from->active_at;
	e->active_by = from->active_by;
	e->before = moved ? tracker_status_name(from->before) : NULL;
	e->replies_new = from->before && e->replies > from->replies_before ?
				 e->replies - from->replies_before :
				 0;
	e->mark = mark_of(from->news);
	e->quiet = from->quiet;
	e->fix = fix_of(from->fixes);
	e->closed_at = from->closed_at;
	e->closed_by = from->closed_by;
	e->closed_why = from->closed_why;
	return e;
}

void digest_entry_free(render_digest_entry *entry)
{
	if (!entry)
		return;
	g_ptr_array_unref((GPtrArray *)entry->quotes);
	g_free((render_digest_fix *)entry->fix);
	g_free(entry);
}

/* ---- scopes --------------------------------------------------------------------- */

static void scope_free(void *data)
{
	digest_scope *s = data;

	g_free(s->name);
	g_free(s->title);
	g_free(s->tree);
	g_free(s->subsystem);
	g_free(s->author);
	g_ptr_array_unref(s->to);
	g_ptr_array_unref(s->cc);
	g_free(s);
}

static GPtrArray *addresses(const config *conf, const char *group, const char *key)
{
	g_autofree char *text = config_text(conf, group, key);
	/* The configuration was checked when it was read. */
	GPtrArray *all = text ? cli_address_list(text, NULL) : NULL;

	return all ? all :
		     g_ptr_array_new_with_free_func(
			     (GDestroyNotify)parser_address_free);
}

/* A name that no group has: everything, by the defaults of a group. */
static digest_scope *scope_new(const config *conf, const char *name, bool configured)
{
	g_autofree char *group = g_strconcat("digest ", name, NULL);
	digest_scope *s = g_new0(digest_scope, 1);

	s->name = g_strdup(name);
	if (configured) {
		g_autofree char *title = config_text(conf, group, "title");

		s->title = title ? g_steal_pointer(&title) : g_strdup(name);
		s->tree = config_text(conf, group, "tree");
		s->subsystem = config_text(conf, group, "subsystem");
		s->author = config_text(conf, group, "author");
	}
	s->quiet_days = config_number(conf, group, "quiet-days");
	s->private = config_bool(conf, group, "private");
	s->to = addresses(conf, group, "to");
	s->cc = addresses(conf, group, "cc");
	return s;
}

static bool has(const GPtrArray *names, const char *name)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)names, name, g_str_equal,
						NULL);
}

GPtrArray *digest_scopes(cli *c, char **names, GError **error)
{
	config *conf = cli_config(c, error);

	if (!conf)
		return NULL;

	g_autoptr(GPtrArray) known = config_names(conf, "digest");
	g_autoptr(GPtrArray) scopes = g_ptr_array_new_with_free_func(scope_free);

	for (char **name = names; *name; name++) {
		if (!has(known, *name) && strcmp(*name, EVERYTHING) != 0) {
			g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
				    "there is no group [digest %s] in %s", *name,
				    config_path(conf) ? config_path(conf) :
							"the defaults");
			return NULL;
		}
		g_ptr_array_add(scopes, scope_new(conf, *name, has(known, *name)));
	}
	for (guint i = 0; !*names && i < known->len; i++)
		g_ptr_array_add(scopes, scope_new(conf, known->pdata[i], true));
	if (!scopes->len)
		g_ptr_array_add(scopes, scope_new(conf, EVERYTHING, false));
	return g_steal_pointer(&scopes);
}
