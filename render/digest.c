/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is unresolved, tree by tree, as text and as a mail. */
#include <string.h>

#include "render/digest_entry.h"
#include "render/report.h"
#include "render/wording.h"

static const char *const digest_names[] = {
	/* clang-format off */
	"robot", "from", "about", "date", "first", "last_date", "last_link", "n_open", "n_new",
	"n_changed", "n_quiet", "n_closed", "one", "sections", "tree", "rule", "entries",
	"silent", "quiet_days", "fixed", "ended", "closed_left_out", "left_out", "improvements",
	"improvements_new", "backburner", "signature", ENTRY_NAMES, NULL,
	/* clang-format on */
};

static const wording_template body_template = { "digest", RENDER_ESCAPE_TEXT };
static const wording_template subject_template = { "digest-subject",
						   RENDER_ESCAPE_HEADER };

/* ---- entries by tree ------------------------------------------------------------ */

typedef struct section {
	const char *tree; /* NULL: of no tree that is known */
	GPtrArray *active, *silent;
} section;

static void section_free(void *data)
{
	section *s = data;

	g_ptr_array_unref(s->active);
	g_ptr_array_unref(s->silent);
	g_free(s);
}

static section *section_of(GPtrArray *all, const char *tree)
{
	section *s;

	for (guint i = 0; i < all->len; i++) {
		s = all->pdata[i];
		if (!g_strcmp0(s->tree, tree))
			return s;
	}
	s = g_new0(section, 1);
	s->tree = tree;
	s->active = g_ptr_array_new();
	s->silent = g_ptr_array_new();
	g_ptr_array_add(all, s);
	return s;
}

static guint place_of(const GPtrArray *trees, const char *tree)
{
	guint place = G_MAXUINT;

	if (!tree)
		return place;
	if (!trees || !g_ptr_array_find_with_equal_func((GPtrArray *)trees, tree,
							g_str_equal, &place))
		place = G_MAXUINT - 1;
	return place;
}

static int by_place(gconstpointer a, gconstpointer b, gpointer trees)
{
	const section *x = *(section *const *)a, *y = *(section *const *)b;
	guint i = place_of(trees, x->tree), j = place_of(trees, y->tree);

	return i != j ? (i > j ? 1 : -1) : g_strcmp0(x->tree, y->tree);
}

/* Nobody has moved, and it is not our turn either. */
static bool is_silent(const render_digest_entry *e)
{
	bool ours = !g_strcmp0(e->owes, "operator") || !g_strcmp0(e->owes, "robot");

	return e->quiet && !e->mark && !ours && !(e->quotes && e->quotes->len);
}

/* What has been quiet for long sinks below what is talked about; the order is kept. */
static GPtrArray *sections_of(const render_digest_facts *f)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(section_free);

	for (guint i = 0; f->open && i < MIN(f->open->len, RENDER_DIGEST_OPEN_MAX);
	     i++) {
		render_digest_entry *e = f->open->pdata[i];
		const char *tree = e->tree && *e->tree ? e->tree : NULL;
		section *s = section_of(all, tree);

		g_ptr_array_add(is_silent(e) ? s->silent : s->active, e);
	}
	g_ptr_array_sort_with_data(all, by_place, (gpointer)f->trees);
	return all;
}

static json_t *entries_json(const GPtrArray *entries, const entry_view *view)
{
	json_t *list = json_array();

	for (guint i = 0; i < entries->len; i++)
		json_array_append_new(list, entry_json(entries->pdata[i], view));
	return list;
}

static json_t *sections_json(const render_digest_facts *f, const entry_view *view)
{
	g_autoptr(GPtrArray) all = sections_of(f);
	json_t *list = json_array();

	for (guint i = 0; i < all->len; i++) {
		const section *s = all->pdata[i];
		g_autofree char *safe =
			render_safe_line(s->tree ? s->tree : "No tree is known");
		g_autofree char *fit = render_text_fit(safe, RENDER_DIGEST_WIDTH);
		json_t *o = json_object();

		json_object_set_new(o, "tree", json_string(fit));
		entry_take(o, "rule", g_strnfill(render_text_width(fit), '='));
		json_object_set_new(o, "entries", entries_json(s->active, view));
		json_object_set_new(o, "silent", entries_json(s->silent, view));
		json_array_append_new(list, o);
	}
	return list;
}

/* ---- the whole ------------------------------------------------------------------ */

static unsigned marked(const render_digest_facts *f, const char *mark)
{
	unsigned n = 0;

	for (guint i = 0; f->open && i < f->open->len; i++)
		n += !g_strcmp0(((render_digest_entry *)f->open->pdata[i])->mark, mark);
	return n;
}

static char *day_of(int64_t seconds)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(seconds);

	return time ? g_date_time_format(time, "%Y-%m-%d") : g_strdup("1970-01-01");
}

static void put_counts(json_t *o, const render_digest_facts *f)
{
	guint open = f->open ? f->open->len : 0;
	guint closed = f->closed ? f->closed->len : 0;

	entry_count(o, "n_open", open);
	json_object_set_new(o, "one", json_boolean(open == 1));
	entry_count(o, "n_new", marked(f, "NEW"));
	entry_count(o, "n_changed", marked(f, "CHANGED"));
	entry_count(o, "n_quiet", marked(f, "GONE QUIET"));
	entry_count(o, "n_closed", closed);
	entry_count(o, "left_out", open - MIN(open, RENDER_DIGEST_OPEN_MAX));
	entry_count(o, "closed_left_out", closed - MIN(closed, RENDER_DIGEST_DONE_MAX));
	entry_count(o, "improvements", f->improvements);
	entry_count(o, "improvements_new", f->improvements_new);
	entry_count(o, "backburner", f->backburner);
	entry_count(o, "quiet_days", f->quiet_days);
}

static void put_closed(json_t *o, const render_digest_facts *f, const entry_view *view)
{
	json_t *fixed = json_array(), *ended = json_array();

	for (guint i = 0; f->closed && i < MIN(f->closed->len, RENDER_DIGEST_DONE_MAX);
	     i++) {
		const render_digest_entry *e = f->closed->pdata[i];

		json_array_append_new(g_strcmp0(e->status, "fixed") ? ended : fixed,
				      entry_json(e, view));
	}
	json_object_set_new(o, "fixed", fixed);
	json_object_set_new(o, "ended", ended);
}

static json_t *context_of(const render_digest_facts *f)
{
	const entry_view view = { f->archive_url, f->created };
	bool named = f->from.name && *f->from.name;
	const char *robot = named ? f->from.name : f->from.address;
	json_t *o = json_object();

	entry_put(o, "robot", robot);
	entry_take(o, "from",
		   named ? g_strdup_printf("%s <%s>", f->from.name,
					   f->from.address ? f->from.address : "") :
			   g_strdup(f->from.address));
	entry_put(o, "signature", robot ? robot : "regtrail");
	entry_put(o, "about", f->title);
	entry_take(o, "date", day_of(f->created));
	json_object_set_new(o, "first", json_boolean(!f->last_id));
	entry_take(o, "last_date", f->last_id ? day_of(f->last_at) : NULL);
	entry_take(o, "last_link", render_link(f->archive_url, f->last_id));
	put_counts(o, f);
	json_object_set_new(o, "sections", sections_json(f, &view));
	put_closed(o, f, &view);
	return o;
}

/* Who answers above the mail without quote marks must give no command: ## is none. */
static char *defuse(const char *body)
{
	g_auto(GStrv) lines = g_strsplit(body, "\n", -1);

	for (char **line = lines; *line; line++)
		if (**line == '#') {
			char *more = g_strconcat("#", *line, NULL);

			g_free(*line);
			*line = more;
		}
	return g_strjoinv("\n", lines);
}

static char *expand_body(const wording *w, const wording_template *which,
			 const json_t *context, GError **error)
{
	g_autofree char *body = wording_expand(w, which, context, error);
	g_autofree char *safe = body ? defuse(body) : NULL;

	return safe ? render_text_wrap(safe, RENDER_DIGEST_WIDTH) : NULL;
}

char *render_digest_text(const render_digest_facts *facts, render_text_fn text,
			 void *context, GError **error)
{
	const wording w = { text, context, digest_names };
	json_t *values = context_of(facts);
	char *body = expand_body(&w, &body_template, values, error);

	json_decref(values);
	return body;
}

/* ---- mails ---------------------------------------------------------------------- */

/* From, To, Date and Message-ID of a mail. */
static render_mail *start(const render_mail *head, const char *id, unsigned revision,
			  GError **error)
{
	g_autoptr(render_mail) mail = render_mail_new();
	const char *from = head->from.address;

	if (!render_address_is_valid(from)) {
		report_refuse(error, "from: '%s' is not an address", from ? from : "");
		return NULL;
	}

	const char *at = strrchr(from, '@');
	g_autofree char *local = g_strndup(from, (gsize)(at - from));

	mail->kind = head->kind;
	mail->date = head->date;
	mail->utc_offset = head->utc_offset;
	mail->from.name = g_strdup(head->from.name);
	mail->from.address = g_strdup(from);
	mail->message_id = parser_own_message_id(id, render_mail_kind_name(head->kind),
						 revision, head->date, local, at + 1);
	for (guint i = 0; head->to && i < head->to->len; i++) {
		const parser_address *a = head->to->pdata[i];

		g_ptr_array_add(mail->to, parser_address_new(a->name, a->address));
	}
	for (guint i = 0; head->cc && i < head->cc->len; i++) {
		const parser_address *a = head->cc->pdata[i];

		g_ptr_array_add(mail->cc, parser_address_new(a->name, a->address));
	}
	return g_steal_pointer(&mail);
}

render_mail *render_digest(const render_digest_facts *facts, render_text_fn text,
			   void *context, GError **error)
{
	const wording w = { text, context, digest_names };
	const render_mail head = { .kind = RENDER_MAIL_DIGEST,
				   .from = facts->from,
				   .to = (GPtrArray *)facts->to,
				   .cc = (GPtrArray *)facts->cc,
				   .date = facts->created,
				   .utc_offset = facts->utc_offset };
	g_autofree char *day = day_of(facts->created);
	g_autofree char *id = g_strdup_printf("digest/%s/%s", facts->scope, day);
	g_autoptr(render_mail) mail = start(&head, id, facts->revision, error);
	json_t *values;

	if (!mail)
		return NULL;
	render_mail_thread(mail, facts->references, facts->last_id);
	values = context_of(facts);
	mail->subject = wording_expand(&w, &subject_template, values, error);
	mail->body =
		mail->subject ? expand_body(&w, &body_template, values, error) : NULL;
	json_decref(values);
	if (!mail->body)
		return NULL;
	g_strstrip(mail->subject);
	return g_steal_pointer(&mail);
}

/* ---- reminders ------------------------------------------------------------------ */

static const char *const remind_names[] = {
	"robot", "regression", "number",        "max",       "weeks",
	"days",  "signature",  "first_subject", ENTRY_NAMES, NULL,
};

static const wording_template remind_template = { "remind", RENDER_ESCAPE_TEXT };

static json_t *remind_context(const render_remind_facts *f)
{
	const entry_view view = { f->archive_url, f->created };
	bool named = f->from.name && *f->from.name;
	const char *robot = named ? f->from.name : f->from.address;
	int64_t days = f->every / 86400;
	json_t *o = entry_json(f->entry, &view);

	entry_put(o, "robot", robot);
	entry_put(o, "signature", robot);
	entry_put(o, "regression", f->regression);
	entry_put(o, "first_subject", f->report_subject);
	entry_count(o, "number", f->number);
	entry_count(o, "max", f->max);
	entry_count(o, "weeks", days % 7 == 0 ? (unsigned)(days / 7) : 0);
	entry_count(o, "days", (unsigned)days);
	return o;
}

render_mail *render_remind(const render_remind_facts *facts, render_text_fn text,
			   void *context, GError **error)
{
	const wording w = { text, context, remind_names };
	const render_mail head = { .kind = RENDER_MAIL_REMIND,
				   .from = facts->from,
				   .to = (GPtrArray *)facts->to,
				   .cc = (GPtrArray *)facts->cc,
				   .date = facts->created,
				   .utc_offset = facts->utc_offset };
	g_autoptr(render_mail) mail =
		start(&head, facts->regression, facts->revision, error);
	json_t *values;

	if (!mail)
		return NULL;
	if (!facts->entry->report_id || !facts->report_subject) {
		report_refuse(error, "a reminder needs the report that it answers");
		return NULL;
	}
	mail->regression = g_strdup(facts->regression);
	mail->subject = wording_reply(facts->report_subject);
	render_mail_thread(mail, NULL, facts->entry->report_id);
	values = remind_context(facts);
	mail->body = expand_body(&w, &remind_template, values, error);
	json_decref(values);
	return mail->body ? g_steal_pointer(&mail) : NULL;
}

bool render_digest_templates_check(render_text_fn text, void *context, GError **error)
{
	const wording digest = { text, context, digest_names };
	const wording remind = { text, context, remind_names };
	g_autoptr(render_template) a = wording_load(&digest, &body_template, error);
	g_autoptr(render_template) b =
		a ? wording_load(&digest, &subject_template, error) : NULL;
	g_autoptr(render_template) c =
		b ? wording_load(&remind, &remind_template, error) : NULL;

	return c != NULL;
}
