/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a digest says: the open regressions of a scope, beside what the last one said.
 */
#include "tracker/digest.h"

#include <string.h>

#include "tracker/records.h"

#define THREAD_MAX 2000 /* digests above one; more is a loop */

static const char *const news_names[] = { "none", "new", "changed", "quiet", "closed" };

const char *tracker_news_name(tracker_news news)
{
	return news < G_N_ELEMENTS(news_names) ? news_names[news] : NULL;
}

static void entry_free(void *data)
{
	tracker_digest_entry *e = data;

	tracker_summary_free(e->summary);
	g_clear_pointer(&e->fixes, g_ptr_array_unref);
	g_free(e->report_id);
	g_free(e->reporter);
	g_free(e->active_by);
	g_free(e->closed_by);
	g_free(e->closed_why);
	g_free(e);
}

void tracker_digest_free(tracker_digest *d)
{
	if (!d)
		return;
	g_free(d->scope);
	g_free(d->last_id);
	g_ptr_array_unref(d->references);
	g_ptr_array_unref(d->open);
	g_ptr_array_unref(d->closed);
	g_free(d);
}

/* ---- the last one that was sent ------------------------------------------------- */

/* What it said about one regression. */
typedef struct earlier {
	int64_t regression; /* first: the key of its table */
	tracker_status status;
	unsigned replies;
	bool quiet;
} earlier;

static bool load_earlier(tracker *t, int64_t digest, GHashTable *table, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT coalesce(g.merged_into, g.id), e.status, e.replies, e.quiet "
		    "FROM digest_entry e JOIN regression g ON g.id = e.regression "
		    "WHERE e.digest = ?1",
		    DB_ARGS(DB_INT(digest)), error))
		return false;
	while (db_next(&rows, error)) {
		earlier *one = g_new0(earlier, 1);

		one->regression = db_int(&rows, 0);
		tracker_status_from_name(db_text(&rows, 1), &one->status);
		one->replies = (unsigned)db_int(&rows, 2);
		one->quiet = db_int(&rows, 3);
		g_hash_table_replace(table, one, one);
	}
	return !rows.failed;
}

/* Ids of the thread from the root down to that mail. */
static bool load_thread(tracker *t, int64_t message, GPtrArray *ids, GError **error)
{
	for (unsigned i = 0; message && i < THREAD_MAX; i++) {
		g_auto(db_rows) rows = { 0 };

		if (!db_query(t, &rows,
			      "SELECT message_id, parent FROM message WHERE id = ?1",
			      DB_ARGS(DB_INT(message)), error))
			return false;
		if (!db_next(&rows, error))
			return !rows.failed;
		g_ptr_array_insert(ids, 0, db_dup(&rows, 0));
		message = db_int(&rows, 1);
	}
	return true;
}

static bool check_clock(const tracker_digest *d, GError **error)
{
	g_autoptr(GDateTime) now = g_date_time_new_from_unix_utc(d->at);
	g_autoptr(GDateTime) last = g_date_time_new_from_unix_utc(d->last_at);

	if (!d->last_id || d->at >= d->last_at)
		return true;

	g_autofree char *is = now ? g_date_time_format(now, "%F %T") : g_strdup("?");
	g_autofree char *was = last ? g_date_time_format(last, "%F %T") : g_strdup("?");

	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE,
		    "digest of %s: the clock says %s UTC, but the last digest "
		    "<%s> was made at %s UTC",
		    d->scope, is, d->last_id, was);
	return false;
}

static bool load_last(tracker *t, tracker_digest *d, GHashTable *table, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT d.id, d.at, m.id, m.message_id FROM digest d "
		      "JOIN outbox o ON o.message = d.message "
		      "JOIN message m ON m.id = d.message "
		      "WHERE d.scope = ?1 AND o.state = 'sent' "
		      "ORDER BY d.at DESC, d.id DESC LIMIT 1",
		      DB_ARGS(DB_TEXT(d->scope)), error))
		return false;
	if (!db_next(&rows, error))
		return !rows.failed;
	d->last_at = db_int(&rows, 1);
	d->last_id = db_dup(&rows, 3);
	return load_thread(t, db_int(&rows, 2), d->references, error) &&
	       load_earlier(t, db_int(&rows, 0), table, error) && check_clock(d, error);
}

/* ---- one regression ------------------------------------------------------------- */

static bool load_report(tracker *t, int64_t row, tracker_digest_entry *e,
			GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT m.message_id, coalesce(nullif(m.name, ''), m.address) "
		      "FROM regression g JOIN message m ON m.id = g.report "
		      "WHERE g.id = ?1",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	if (db_next(&rows, error)) {
		e->report_id = db_dup(&rows, 0);
		e->reporter = db_dup(&rows, 1);
	}
	return !rows.failed;
}

/*
 * What happened last: a developer's word (as lists count it), a test or a bot's notice,
 * an event.  Reminders are no activity, nor is what has not left.
 */
static bool load_activity(tracker *t, int64_t row, tracker_digest_entry *e,
			  GError **error)
{
	const tracker_summary *s = e->summary;
	g_auto(db_rows) rows = { 0 };

	e->active_at = s->last_human_at;
	e->active_by = g_strdup(s->last_human);
	if (!db_query(t, &rows,
		      "SELECT m.date AS at, coalesce(nullif(m.name, ''), m.address) "
		      "FROM link l JOIN message m ON m.id = l.message "
		      "JOIN regression g ON g.id = l.regression "
		      "LEFT JOIN outbox o ON o.message = m.id "
		      "WHERE l.regression = ?1 AND l.acts AND m.id IS NOT g.report "
		      "AND m.class IN ('robot', 'bot') AND m.origin <> 'ghost' "
		      "AND coalesce(o.mail <> 'remind' AND o.state = 'sent', 1) "
		      "UNION ALL SELECT at, CASE kind WHEN 'scan' THEN "
		      " trim('a scan of ' || actor) ELSE actor END FROM event "
		      "WHERE regression = ?1 "
		      "AND kind NOT IN ('report', 'correction', 'command') "
		      "ORDER BY at DESC LIMIT 1",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	if (db_next(&rows, error) && db_int(&rows, 0) > e->active_at) {
		e->active_at = db_int(&rows, 0);
		g_free(e->active_by);
		e->active_by = db_dup(&rows, 1);
	}
	return !rows.failed;
}

static bool load_end(tracker *t, int64_t row, tracker_digest_entry *e, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT at, actor, evidence FROM event WHERE regression = ?1 "
		    "AND status = ?2 AND kind NOT IN ('note', 'suggestion', 'report') "
		    "ORDER BY kind = 'correction', id DESC LIMIT 1",
		    DB_ARGS(DB_INT(row),
			    DB_TEXT(tracker_status_name(e->summary->status))),
		    error))
		return false;
	if (db_next(&rows, error)) {
		e->closed_at = db_int(&rows, 0);
		e->closed_by = db_dup(&rows, 1);
		e->closed_why = db_dup(&rows, 2);
	}
	return !rows.failed;
}

static tracker_news news_of(const tracker_digest *d, const tracker_digest_entry *e,
			    const earlier *before)
{
	if (!tracker_status_is_open(e->summary->status))
		return TRACKER_NEWS_CLOSED;
	if (!d->last_id)
		return TRACKER_NEWS_NONE;
	if (!before)
		return TRACKER_NEWS_NEW;
	if (before->status != e->summary->status ||
	    before->replies < e->summary->replies)
		return TRACKER_NEWS_CHANGED;
	return e->quiet && !before->quiet ? TRACKER_NEWS_QUIET : TRACKER_NEWS_NONE;
}

/* What an entry is made with. */
typedef struct maker {
	tracker *t;
	tracker_digest *d;
	GHashTable *table; /* earlier *, by row */
	int64_t quiet_for;
} maker;

/* Takes the summary. */
static tracker_digest_entry *entry_new(const maker *m, tracker_summary *summary,
				       int64_t row, GError **error)
{
	tracker_digest_entry *e = g_new0(tracker_digest_entry, 1);
	const earlier *before = g_hash_table_lookup(m->table, &row);

	e->summary = summary;
	if (!load_report(m->t, row, e, error) || !load_activity(m->t, row, e, error) ||
	    (!tracker_status_is_open(summary->status) &&
	     !load_end(m->t, row, e, error)) ||
	    !(e->fixes = records_fixes(m->t, row, error))) {
		entry_free(e);
		return NULL;
	}

	int64_t since = MAX(summary->reported_at, e->active_at);

	e->quiet = m->quiet_for && m->d->at - since >= m->quiet_for;
	if (before) {
		e->before = before->status;
		e->replies_before = before->replies;
	}
	e->news = news_of(m->d, e, before);
	return e;
}

static bool add_entry(const maker *m, GPtrArray *to, GPtrArray *from, guint i,
		      GError **error)
{
	int64_t row;

	if (!regression_find(m->t, ((tracker_summary *)from->pdata[i])->id, &row,
			     error))
		return false;

	tracker_summary *summary = g_steal_pointer(&from->pdata[i]);
	tracker_digest_entry *e = entry_new(m, summary, row, error);

	if (e)
		g_ptr_array_add(to, e);
	return e;
}

/* ---- all of a scope ------------------------------------------------------------- */

/* Improvements need no resolution, and what is on the back burner no attention. */
static bool count(tracker_digest *d, const tracker_summary *s)
{
	if (s->kind == PARSER_KIND_IMPROVEMENT && !s->disputed) {
		d->improvements++;
		d->improvements_new += d->last_id && s->reported_at > d->last_at;
		return true;
	}
	d->backburner += s->backburner;
	return s->backburner;
}

static bool load_open(const maker *m, const tracker_filter *filter, GError **error)
{
	tracker_filter all = *filter;

	all.improvements = all.backburner = true;

	g_autoptr(GPtrArray) found = tracker_list(m->t, &all, error);

	for (guint i = 0; found && i < found->len; i++)
		if (!count(m->d, found->pdata[i]) &&
		    !add_entry(m, m->d->open, found, i, error))
			return false;
	return found;
}

/*
 * What the last digest had, or what came and went since.  Another one was closed at the
 * time of the last digest too, whatever is written about it since.
 */
static bool is_news(const maker *m, const tracker_summary *s, bool *news,
		    GError **error)
{
	int64_t row;

	if (!regression_find(m->t, s->id, &row, error))
		return false;
	*news = g_hash_table_contains(m->table, &row) || s->reported_at > m->d->last_at;
	return true;
}

static bool load_closed(const maker *m, const tracker_filter *filter, GError **error)
{
	tracker_filter all = *filter;

	if (!m->d->last_id)
		return true;
	all.closed_since = m->d->last_at;

	g_autoptr(GPtrArray) found = tracker_list(m->t, &all, error);

	for (guint i = 0; found && i < found->len; i++) {
		bool news;

		if (!is_news(m, found->pdata[i], &news, error) ||
		    (news && !add_entry(m, m->d->closed, found, i, error)))
			return false;
	}
	return found;
}

tracker_digest *tracker_digest_get(tracker *t, const tracker_digest_request *request,
				   GError **error)
{
	g_autoptr(tracker_digest) d = g_new0(tracker_digest, 1);
	g_autoptr(GHashTable) table =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	const maker m = { t, d, table, request->quiet_for };

	d->scope = g_strdup(request->scope);
	d->at = request->filter->now;
	d->references = g_ptr_array_new_with_free_func(g_free);
	d->open = g_ptr_array_new_with_free_func(entry_free);
	d->closed = g_ptr_array_new_with_free_func(entry_free);
	return load_last(t, d, table, error) && load_open(&m, request->filter, error) &&
			       load_closed(&m, request->filter, error) ?
		       g_steal_pointer(&d) :
		       NULL;
}

/* ---- as a mail ------------------------------------------------------------------ */

bool tracker_digest_find(tracker *t, const char *scope, int64_t day,
			 tracker_draft *draft, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT o.id, o.created, o.revision, o.state FROM digest d "
		      "JOIN outbox o ON o.message = d.message "
		      "WHERE d.scope = ?1 AND d.at >= ?2 AND d.at < ?2 + 86400 "
		      "ORDER BY o.revision DESC, o.id DESC LIMIT 1",
		      DB_ARGS(DB_TEXT(scope), DB_INT(day)), error))
		return false;
	return own_draft(&rows, draft, error);
}

/* An earlier one of the scope that has not left: a draft goes, else it must be settled.
 */
static bool supersede(tracker *t, const char *scope, int64_t now, int64_t *cancelled,
		      GError **error)
{
	int64_t id;

	do {
		tracker_outbox_state state;

		id = 0;
		if (!db_get_int(t,
				"SELECT o.id FROM digest d "
				"JOIN outbox o ON o.message = d.message "
				"WHERE d.scope = ?1 AND o.state IN "
				"('draft', 'approved', 'sending', 'unknown') "
				"ORDER BY o.state = 'draft', o.id LIMIT 1",
				DB_ARGS(DB_TEXT(scope)), &id, error) ||
		    (id && !outbox_state(t, id, &state, error)))
			return false;
		if (!id)
			return true;
		if (state != TRACKER_OUTBOX_DRAFT) {
			g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE,
				    "mail %" G_GINT64_FORMAT
				    " of the outbox is a digest of %s too, and it is "
				    "%s: settle that one first",
				    id, scope, tracker_outbox_state_name(state));
			return false;
		}
		*cancelled = id;
	} while (outbox_set_state(t, id, TRACKER_OUTBOX_CANCELLED, now, error));
	return false;
}

static bool write_said(tracker *t, const tracker_digest *d, int64_t message,
		       GError **error)
{
	if (!db_run(t, "INSERT INTO digest (message, scope, at) VALUES (?1, ?2, ?3)",
		    DB_ARGS(DB_INT(message), DB_TEXT(d->scope), DB_INT(d->at)), error))
		return false;

	int64_t digest = db_id(t);

	for (guint i = 0; i < d->open->len; i++) {
		const tracker_digest_entry *e = d->open->pdata[i];
		int64_t row;

		if (!regression_find(t, e->summary->id, &row, error) ||
		    !db_run(t,
			    "INSERT INTO digest_entry (digest, regression, status, "
			    "replies, quiet) VALUES (?1, ?2, ?3, ?4, ?5)",
			    DB_ARGS(DB_INT(digest), DB_INT(row),
				    DB_TEXT(tracker_status_name(e->summary->status)),
				    DB_INT(e->summary->replies), DB_INT(e->quiet)),
			    error))
			return false;
	}
	return true;
}

bool tracker_digest_add(tracker *t, const tracker_digest *digest,
			const tracker_report *mail, tracker_stored *stored,
			int64_t *cancelled, GError **error)
{
	g_auto(tracker_stored) result = { 0 };
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	int64_t message = 0, gone = 0;

	refresh_init(&r, t, mail->created);
	if (!db_begin(t, &tx, error) || !own_find_same(t, mail, &result, error))
		return false;
	if (!result.existed &&
	    (!supersede(t, digest->scope, mail->created, &gone, error) ||
	     !own_add(&r, mail, &result, &message, error) ||
	     !write_said(t, digest, message, error) || !db_commit(&tx, error)))
		return false;
	if (cancelled)
		*cancelled = gone;
	*stored = result;
	result = (tracker_stored){ 0 };
	return true;
}
