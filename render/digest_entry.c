/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/digest_entry.h"

#include <math.h>
#include <string.h>

#define QUOTES_MAX 5u   /* the heaviest come first; a flood of them fills no mail */
#define VALUE_MAX  400u /* cells of a value that is shown; a quote, mostly */
#define TITLE_MAX  (RENDER_DIGEST_WIDTH - 13u) /* "[GONE QUIET] " stands before it */

#define DAY  86400
#define YEAR ((int64_t)365 * DAY)

void entry_put(json_t *o, const char *name, const char *value)
{
	g_autofree char *line = render_safe_line(value ? value : "");
	g_autofree char *fit = render_text_fit(g_strstrip(line), VALUE_MAX);

	json_object_set_new(o, name, json_string(fit));
}

void entry_take(json_t *o, const char *name, char *value)
{
	entry_put(o, name, value);
	g_free(value);
}

void entry_count(json_t *o, const char *name, unsigned n)
{
	entry_take(o, name, n ? g_strdup_printf("%u", n) : NULL);
}

char *entry_ago(int64_t then, int64_t now)
{
	int64_t age = MAX(now - then, 0);

	if (!then)
		return g_strdup("at an unknown time");
	if (age < DAY)
		return g_strdup("today");
	if (age < 2 * DAY)
		return g_strdup("1 day ago");
	if (age < 2 * YEAR)
		return g_strdup_printf("%d days ago", (int)(age / DAY));
	return g_strdup_printf("%d years ago", (int)(age / YEAR));
}

static char *change_of(const render_digest_entry *e)
{
	return e->has_change && isfinite(e->change_percent) ?
		       g_strdup_printf("%+.1f%%", e->change_percent) :
		       g_strdup("");
}

static const char *kind_of(const render_digest_entry *e)
{
	return e->kind == PARSER_KIND_UNKNOWN ? "change" : parser_kind_name(e->kind);
}

static char *title_of(const render_digest_entry *e)
{
	g_autofree char *change = change_of(e);

	if (e->title && *e->title)
		return g_strdup(e->title);
	return g_strdup_printf("%s%s%s %s", e->metric ? e->metric : "unknown metric",
			       *change ? " " : "", change, kind_of(e));
}

/* The title in one line, and a rule as long as that with its mark. */
static void put_title(json_t *o, const render_digest_entry *e)
{
	g_autofree char *whole = title_of(e);
	g_autofree char *safe = render_safe_line(whole);
	g_autofree char *fit = render_text_fit(g_strstrip(safe), TITLE_MAX);
	size_t mark = e->mark ? strlen(e->mark) + strlen("[] ") : 0;

	entry_put(o, "mark", e->mark);
	json_object_set_new(o, "title", json_string(fit));
	entry_take(o, "underline", g_strnfill(render_text_width(fit) + mark, '-'));
}

static json_t *quotes_of(const render_digest_entry *e)
{
	json_t *list = json_array();

	for (guint i = 0; e->quotes && i < MIN(e->quotes->len, QUOTES_MAX); i++) {
		const render_digest_quote *q = e->quotes->pdata[i];
		json_t *o = json_object();

		entry_put(o, "suggests", q->status);
		entry_put(o, "by", q->author);
		entry_put(o, "role", q->role);
		entry_put(o, "quote", q->quote);
		json_array_append_new(list, o);
	}
	return list;
}

static char *fix_what(const render_digest_fix *f)
{
	bool subject = f->subject && *f->subject;
	bool commit = f->commit && *f->commit;
	bool tree = f->tree && *f->tree;

	return g_strdup_printf("%.12s%s%s%s%s", commit ? f->commit : "",
			       commit && subject ? " " : "", subject ? f->subject : "",
			       tree ? " in " : "", tree ? f->tree : "");
}

static json_t *fix_of(const render_digest_entry *e, const entry_view *view)
{
	const render_digest_fix *f = e->fix;
	json_t *o;

	if (!f)
		return json_null();
	o = json_object();
	entry_put(o, "fix_state", f->state);
	entry_take(o, "fix_what", fix_what(f));
	entry_take(o, "fix_link", render_link(view->archive_url, f->message_id));
	return o;
}

static void put_numbers(json_t *o, const render_digest_entry *e)
{
	entry_put(o, "kind", kind_of(e));
	entry_put(o, "metric", e->metric);
	entry_take(o, "change", change_of(e));
	entry_put(o, "testcase", e->testcase);
	entry_put(o, "machine", e->machine);
	entry_take(o, "commit", g_strndup(e->commit ? e->commit : "", 12));
	entry_put(o, "commit_subject", e->commit_subject);
	entry_put(o, "author", e->author);
}

static void put_story(json_t *o, const render_digest_entry *e, const entry_view *view)
{
	bool answered = e->active_at != 0;

	entry_take(o, "link", render_link(view->archive_url, e->report_id));
	entry_put(o, "reporter", e->reporter);
	entry_take(o, "reported", entry_ago(e->reported_at, view->now));
	entry_put(o, "status", e->status);
	entry_put(o, "before", e->before);
	entry_take(o, "active", answered ? entry_ago(e->active_at, view->now) : NULL);
	entry_put(o, "active_by", answered ? e->active_by : NULL);
	entry_put(o, "owes", e->owes);
	entry_put(o, "owner", e->owner);
	entry_count(o, "replies", e->replies);
	entry_count(o, "replies_new", e->replies_new);
	entry_take(o, "closed",
		   e->closed_at ? entry_ago(e->closed_at, view->now) : NULL);
	entry_put(o, "closed_by", e->closed_by);
	entry_put(o, "closed_why", e->closed_why);
}

json_t *entry_json(const render_digest_entry *e, const entry_view *view)
{
	json_t *o = json_object();

	entry_put(o, "id", e->id);
	put_title(o, e);
	put_numbers(o, e);
	put_story(o, e, view);
	json_object_set_new(o, "quotes", quotes_of(e));
	entry_count(o, "quotes_more",
		    e->quotes && e->quotes->len > QUOTES_MAX ?
			    e->quotes->len - QUOTES_MAX :
			    0);
	json_object_set_new(o, "fix", fix_of(e, view));
	return o;
}
