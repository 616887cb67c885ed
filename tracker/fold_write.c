/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing down what a fold found: events that are new, the suggestions that are open,
 * and the columns of the regression that lists read.
 */
#include <string.h>

#include "tracker/fold.h"

/* What tells one event from another.  The status is no part of it: the same words may
 * lead somewhere else when an earlier mail arrives late. */
static char *event_key(const char *kind, int64_t message, int64_t act, const char *rule,
		       const char *words)
{
	/* A scan has neither mail nor act, but it names commit, tree and line. */
	if (!strcmp(kind, "scan"))
		return g_strdup_printf("scan %s %s", rule, words);
	/* Moved or only suggested: the same words all the same. */
	if (!strcmp(kind, "suggestion"))
		kind = "verdict";
	if (act)
		rule = "";
	return g_strdup_printf("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s", kind,
			       message, act, rule);
}

static bool load_events(fold *f, GHashTable *keys, tracker_status *last, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(f->t, &rows,
		      "SELECT kind, message, act, rule, status, evidence FROM event "
		      "WHERE regression = ?1 ORDER BY id",
		      DB_ARGS(DB_INT(f->regression)), error))
		return false;
	while (db_next(&rows, error)) {
		g_hash_table_add(keys, event_key(db_text(&rows, 0), db_int(&rows, 1),
						 db_int(&rows, 2), db_text(&rows, 3),
						 db_text(&rows, 5)));
		tracker_status_from_name(db_text(&rows, 4), last);
	}
	return !rows.failed;
}

static bool write_event(fold *f, const fold_step *s, const char *kind,
			tracker_status status, GError **error)
{
	return db_run(
		f->t,
		"INSERT INTO event (regression, at, recorded, status, kind, actor, "
		"role, rule, message, act, evidence, suggested) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
		DB_ARGS(DB_INT(f->regression), DB_INT(s->at), DB_INT(f->now),
			DB_TEXT(tracker_status_name(status)), DB_TEXT(kind),
			DB_TEXT(s->actor), DB_TEXT(tracker_role_name(s->role)),
			DB_TEXT(s->rule), DB_ROW(s->message), DB_ROW(s->act),
			DB_TEXT(s->evidence),
			DB_TEXT(s->suggested ? tracker_status_name(s->suggested) :
					       NULL)),
		error);
}

/* The step that made the status what it is in the end. */
static const fold_step *decisive(const fold *f)
{
	const fold_step *found = NULL;
	tracker_status before = TRACKER_STATUS_NONE;

	for (guint i = 0; i < f->steps->len; i++) {
		const fold_step *s = f->steps->pdata[i];

		if (s->status != before)
			found = s;
		before = s->status;
	}
	return found;
}

/*
 * Appends what is not there yet.  When evidence came late, or was taken away, the
 * newest row would not have the right status: one more row says so.
 */
static bool write_events(fold *f, GError **error)
{
	g_autoptr(GHashTable) keys =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	tracker_status last = TRACKER_STATUS_NONE;

	if (!f->seen)
		return true;
	if (!load_events(f, keys, &last, error))
		return false;
	for (guint i = 0; i < f->steps->len; i++) {
		const fold_step *s = f->steps->pdata[i];
		char *key =
			event_key(s->kind, s->message, s->act, s->rule, s->evidence);

		if (!g_hash_table_add(keys, key))
			continue;
		if (!write_event(f, s, s->kind, s->status, error))
			return false;
		last = s->status;
	}

	const fold_step *why = decisive(f);

	if (last == f->status || !why)
		return true;

	/* The words are old, that they decide is news. */
	fold_step now = *why;

	now.at = f->now;
	return write_event(f, &now, "correction", f->status, error);
}

static int weight_of(const fold_suggestion *s)
{
	switch (s->role) {
	case TRACKER_ROLE_AUTHOR:
		return 0;
	case TRACKER_ROLE_ROBOT_TEAM:
		/* Taking its own report back, it speaks as that report's author. */
		return s->status == TRACKER_STATUS_FIXED ? 2 : 0;
	case TRACKER_ROLE_MAINTAINER:
		return 1;
	case TRACKER_ROLE_OPERATOR:
	case TRACKER_ROLE_ROBOT:
		return 2;
	default:
		return 3;
	}
}

static bool write_suggestions(fold *f, GError **error)
{
	if (!db_run(f->t, "DELETE FROM suggestion WHERE regression = ?1",
		    DB_ARGS(DB_INT(f->regression)), error))
		return false;
	for (guint i = 0; f->seen && i < f->suggestions->len; i++) {
		const fold_suggestion *s = f->suggestions->pdata[i];

		if (!db_run(f->t,
			    "INSERT OR REPLACE INTO suggestion (regression, message, status, "
			    "role, weight, author, quote, at) "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
			    DB_ARGS(DB_INT(f->regression), DB_INT(s->message),
				    DB_TEXT(tracker_status_name(s->status)),
				    DB_TEXT(tracker_role_name(s->role)),
				    DB_INT(weight_of(s)),
				    DB_TEXT(fold_who(s->name, s->address)),
				    DB_TEXT(s->quote), DB_INT(s->at)),
			    error))
			return false;
	}
	return true;
}

/* What commands said about it, beside its status. */
static bool write_attributes(fold *f, GError **error)
{
	GHashTableIter iter;
	gpointer name, value;

	if (!db_run(f->t, "DELETE FROM attribute WHERE regression = ?1",
		    DB_ARGS(DB_INT(f->regression)), error))
		return false;
	g_hash_table_iter_init(&iter, f->attributes);
	while (g_hash_table_iter_next(&iter, &name, &value))
		if (!db_run(f->t,
			    "INSERT INTO attribute (regression, name, value) "
			    "VALUES (?1, ?2, ?3)",
			    DB_ARGS(DB_INT(f->regression), DB_TEXT(name),
				    DB_TEXT(value)),
			    error))
			return false;
	return true;
}

static bool is_improvement(fold *f, GError **error)
{
	int64_t hit = 0;

	if (!db_get_int(
		    f->t,
		    "SELECT 1 FROM regression WHERE id = ?1 AND kind = 'improvement'",
		    DB_ARGS(DB_INT(f->regression)), &hit, error))
		return false;
	f->improvement = hit;
	return true;
}

static const char *owes(const fold *f)
{
	/* Somebody reported again what is closed. */
	if (f->status && !tracker_status_is_open(f->status))
		return f->suggestions->len ? "operator" : NULL;
	/* An improvement needs no resolution. */
	if (!f->status || (f->improvement && !f->disputed))
		return NULL;
	if (f->suggestions->len)
		return "operator";
	if (f->status == TRACKER_STATUS_NEEDS_INFO || f->question_open)
		return "robot";
	if (f->status == TRACKER_STATUS_FIX_POSTED && f->test_owed)
		return "robot";
	return "maintainer";
}

static bool write_regression(fold *f, GError **error)
{
	const char *status = f->status ? tracker_status_name(f->status) : NULL;

	return db_run(f->t,
		      "UPDATE regression SET seen = ?2, status = ?3, open = ?4, "
		      "last_human_at = ?5, last_human = ?6, replies = ?7, owes = ?8, "
		      "disputed = ?9, duplicate_of = ?10 WHERE id = ?1",
		      DB_ARGS(DB_INT(f->regression), DB_INT(f->seen), DB_TEXT(status),
			      DB_INT(tracker_status_is_open(f->status)),
			      DB_INT(f->last_human_at), DB_TEXT(f->last_human),
			      DB_INT(f->replies), DB_TEXT(owes(f)), DB_INT(f->disputed),
			      DB_ROW(f->duplicate_of)),
		      error);
}

/* Duplicates speak for the one that they duplicate: that one is folded after them. */
static bool refresh_set(fold *f, int64_t old, GError **error)
{
	int64_t top = f->duplicate_of;

	if (old != f->duplicate_of)
		refresh_regression(f->r, old);
	for (int i = 0; top && i < 100; i++) {
		int64_t next = 0;

		if (!db_get_int(f->t,
				"SELECT duplicate_of FROM regression WHERE id = ?1",
				DB_ARGS(DB_INT(top)), &next, error))
			return false;
		if (!next)
			break;
		top = next;
	}
	refresh_regression(f->r, top);
	return true;
}

bool fold_regression(refresh *r, int64_t regression, GError **error)
{
	g_auto(fold) f = { 0 };
	int64_t merged = 0, old = 0;

	if (!db_get_int(r->t, "SELECT merged_into FROM regression WHERE id = ?1",
			DB_ARGS(DB_INT(regression)), &merged, error) ||
	    !db_get_int(r->t, "SELECT duplicate_of FROM regression WHERE id = ?1",
			DB_ARGS(DB_INT(regression)), &old, error))
		return false;
	if (merged)
		return true;
	return fold_run(&f, r, regression, error) && is_improvement(&f, error) &&
	       write_events(&f, error) && write_suggestions(&f, error) &&
	       write_attributes(&f, error) && write_regression(&f, error) &&
	       refresh_set(&f, old, error);
}
