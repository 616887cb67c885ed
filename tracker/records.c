/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracker/records.h"

#include <string.h>

static void suggestion_free(tracker_suggestion *s)
{
	g_free(s->status);
	g_free(s->role);
	g_free(s->author);
	g_free(s->quote);
	g_free(s->message_id);
	g_free(s);
}

void tracker_summary_free(tracker_summary *s)
{
	if (!s)
		return;
	g_free(s->id);
	g_free(s->short_id);
	g_free(s->metric);
	g_free(s->testcase);
	g_free(s->commit);
	g_free(s->commit_subject);
	g_free(s->machine);
	g_free(s->tree);
	g_free(s->branch);
	g_free(s->last_human);
	g_free(s->owes);
	g_free(s->author);
	g_free(s->title);
	g_free(s->owner);
	g_free(s->priority);
	g_ptr_array_unref(s->suggestions);
	g_free(s);
}

/* What hangs on summaries: rows first ... last of them, by row in a hash table. */
typedef struct hanging {
	GHashTable *summaries; /* int64_t * -> tracker_summary *, lent */
	int64_t first, last;
} hanging;

static bool load_suggestions(tracker *t, const hanging *h, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT s.regression, s.status, s.role, s.author, s.quote, "
		      "m.message_id, s.at FROM suggestion s JOIN message m "
		      "ON m.id = s.message WHERE s.regression BETWEEN ?1 AND ?2 "
		      "ORDER BY s.regression, s.weight, s.at DESC, m.message_id",
		      DB_ARGS(DB_INT(h->first), DB_INT(h->last)), error))
		return false;
	while (db_next(&rows, error)) {
		int64_t row = db_int(&rows, 0);
		tracker_summary *of = g_hash_table_lookup(h->summaries, &row);
		tracker_suggestion *s;

		if (!of)
			continue;
		s = g_new0(tracker_suggestion, 1);
		s->status = db_dup(&rows, 1);
		s->role = db_dup(&rows, 2);
		s->author = db_dup(&rows, 3);
		s->quote = db_dup(&rows, 4);
		s->message_id = db_dup(&rows, 5);
		s->at = db_int(&rows, 6);
		g_ptr_array_add(of->suggestions, s);
	}
	return !rows.failed;
}

static bool load_attributes(tracker *t, const hanging *h, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT regression, name, value FROM attribute "
		      "WHERE regression BETWEEN ?1 AND ?2",
		      DB_ARGS(DB_INT(h->first), DB_INT(h->last)), error))
		return false;
	while (db_next(&rows, error)) {
		int64_t row = db_int(&rows, 0);
		tracker_summary *s = g_hash_table_lookup(h->summaries, &row);
		const char *name = db_text(&rows, 1);

		if (!s)
			continue;
		if (!strcmp(name, "title"))
			s->title = db_dup(&rows, 2);
		else if (!strcmp(name, "owner"))
			s->owner = db_dup(&rows, 2);
		else if (!strcmp(name, "priority"))
			s->priority = db_dup(&rows, 2);
		s->backburner |= !strcmp(name, "backburner");
		s->reminders_off |= !strcmp(name, "reminders");
	}
	return !rows.failed;
}

static tracker_summary *read_summary(const db_rows *rows)
{
	tracker_summary *s = g_new0(tracker_summary, 1);

	s->suggestions =
		g_ptr_array_new_with_free_func((GDestroyNotify)suggestion_free);
	s->id = db_dup(rows, 1);
	tracker_status_from_name(db_text(rows, 2), &s->status);
	s->kind = db_is_null(rows, 3) ? PARSER_KIND_UNKNOWN :
					parser_kind_from_name(db_text(rows, 3));
	s->metric = db_dup(rows, 4);
	s->testcase = db_dup(rows, 5);
	s->commit = db_dup(rows, 6);
	s->commit_subject = db_dup(rows, 7);
	s->machine = db_dup(rows, 8);
	s->tree = db_dup(rows, 9);
	s->branch = db_dup(rows, 10);
	s->has_change = !db_is_null(rows, 11);
	s->change_percent = db_real(rows, 11);
	s->reported_at = db_int(rows, 12);
	s->last_human_at = db_int(rows, 13);
	s->last_human = db_dup(rows, 14);
	s->replies = (unsigned)db_int(rows, 15);
	s->owes = db_dup(rows, 16);
	s->author = db_dup(rows, 17);
	s->disputed = db_int(rows, 18);
	s->short_id = g_strndup(s->id, (gsize)db_int(rows, 20));
	return s;
}

GPtrArray *records_summaries(tracker *t, db_rows *rows, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)tracker_summary_free);
	g_autoptr(GHashTable) by_row =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	hanging h = { by_row, INT64_MAX, INT64_MIN };

	while (db_next(rows, error)) {
		int64_t row = db_int(rows, 0);
		tracker_summary *s = read_summary(rows);

		g_ptr_array_add(all, s);
		g_hash_table_insert(by_row, g_memdup2(&row, sizeof(row)), s);
		h.first = MIN(h.first, row);
		h.last = MAX(h.last, row);
	}
	if (rows->failed || !load_suggestions(t, &h, error) ||
	    !load_attributes(t, &h, error))
		return NULL;
	return g_steal_pointer(&all);
}

tracker_summary *records_summary_of(tracker *t, int64_t regression, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT " SUMMARY_COLUMNS " FROM regression g WHERE g.id = ?1",
		      DB_ARGS(DB_INT(regression)), error))
		return NULL;

	g_autoptr(GPtrArray) all = records_summaries(t, &rows, error);

	return all && all->len ? g_ptr_array_steal_index(all, 0) : NULL;
}

/* ---- messages -----------------------------------------------------------------------
 */

void records_message_free(tracker_message *m)
{
	g_free(m->message_id);
	g_free(m->parent_id);
	g_free(m->from.name);
	g_free(m->from.address);
	g_free(m->subject);
	g_free(m->regression);
	g_free(m->link_key);
	g_free(m->first_words);
	g_clear_pointer(&m->verdicts, g_ptr_array_unref);
	g_clear_pointer(&m->mechanisms, g_ptr_array_unref);
	g_free(m);
}

static parser_class class_from_name(const char *name)
{
	for (int i = PARSER_CLASS_HUMAN; i <= PARSER_CLASS_BOUNCE; i++)
		if (!g_strcmp0(parser_class_name(i), name))
			return i;
	return PARSER_CLASS_HUMAN;
}

static parser_outcome outcome_from_name(const char *name)
{
	for (int i = PARSER_OUTCOME_FIXED; name && i <= PARSER_OUTCOME_WORSE; i++)
		if (!strcmp(parser_outcome_name(i), name))
			return i;
	return PARSER_OUTCOME_NONE;
}

GPtrArray *records_verdicts(tracker *t, int64_t message, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_verdict_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT verdict, confidence, outcome, evidence, at, rule FROM verdict "
		    "WHERE message = ?1 ORDER BY position",
		    DB_ARGS(DB_INT(message)), error))
		return NULL;
	while (db_next(&rows, error)) {
		parser_verdict *v = g_new0(parser_verdict, 1);

		v->kind = parser_verdict_from_name(db_text(&rows, 0));
		v->confidence = db_real(&rows, 1);
		v->outcome = outcome_from_name(db_text(&rows, 2));
		v->evidence = db_dup(&rows, 3);
		v->offset = (size_t)db_int(&rows, 4);
		v->rule = db_dup(&rows, 5);
		g_ptr_array_add(all, v);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

static bool load_mechanisms(tracker *t, int64_t message, GPtrArray *all, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT kind, object, evidence, at FROM mechanism WHERE message = ?1 "
		    "ORDER BY position",
		    DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error)) {
		parser_mechanism *m = g_new0(parser_mechanism, 1);

		m->kind = db_dup(&rows, 0);
		m->object = db_dup(&rows, 1);
		m->evidence = db_dup(&rows, 2);
		m->offset = (size_t)db_int(&rows, 3);
		g_ptr_array_add(all, m);
	}
	return !rows.failed;
}

tracker_message *records_message(tracker *t, const db_rows *rows, const roles *r,
				 GError **error)
{
	tracker_message *m = g_new0(tracker_message, 1);

	m->message_id = db_dup(rows, 1);
	m->parent_id = db_dup(rows, 2);
	m->from.name = db_dup(rows, 3);
	m->from.address = db_dup(rows, 4);
	m->date = db_int(rows, 5);
	m->subject = db_dup(rows, 6);
	m->class = class_from_name(db_text(rows, 7));
	m->regression = db_dup(rows, 8);
	m->link_key = db_dup(rows, 9);
	m->link_confidence = db_real(rows, 10);
	m->first_words = db_dup(rows, 11);
	m->is_report = db_int(rows, 12);
	m->is_ghost = db_int(rows, 13);
	m->suggested = db_int(rows, 14);
	m->verdicts = records_verdicts(t, db_int(rows, 0), error);
	m->mechanisms =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_mechanism_free);
	if (!m->verdicts ||
	    !load_mechanisms(t, db_int(rows, 0), m->mechanisms, error) ||
	    !roles_of(r, db_text(rows, 7), m->from.address, &m->role, error)) {
		records_message_free(m);
		return NULL;
	}
	return m;
}

/* ---- findings -----------------------------------------------------------------------
 */

static void finding_free(tracker_finding *f)
{
	g_free(f->testcase);
	g_free(f->metric);
	g_free(f->machine);
	g_free(f->tree);
	g_free(f->message_id);
	g_ptr_array_unref(f->parameters);
	g_free(f);
}

static bool load_parameters(tracker *t, int64_t report, int64_t position,
			    GPtrArray *all, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT name, value FROM finding_parameter "
		      "WHERE report = ?1 AND position = ?2 ORDER BY number",
		      DB_ARGS(DB_INT(report), DB_INT(position)), error))
		return false;
	while (db_next(&rows, error))
		g_ptr_array_add(all,
				parser_pair_new(db_text(&rows, 0), db_text(&rows, 1)));
	return !rows.failed;
}

/*
 * A quote counts only while the report that it quotes is not seen, and of several
 * quotes of the same report the one that says most.
 */
GPtrArray *records_findings(tracker *t, int64_t regression, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)finding_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT r.id, f.position, f.testcase, f.metric, f.machine, r.tree, "
		    "f.kind, f.change, f.ci_low, f.ci_high, f.p, m.message_id, r.counts "
		    "FROM report r JOIN finding f ON f.report = r.id "
		    "LEFT JOIN message m ON m.id = coalesce(r.message, r.quoted_by) "
		    "WHERE r.regression = ?1 AND (r.origin <> 'quote' OR r.id = "
		    " (SELECT q.id FROM report q WHERE q.regression = ?1 ORDER BY "
		    "  q.origin = 'quote', (SELECT count(*) FROM finding "
		    "  WHERE report = q.id) DESC, q.at, q.id LIMIT 1)) "
		    "ORDER BY r.live DESC, r.counts DESC, r.at, m.message_id, f.position",
		    DB_ARGS(DB_INT(regression)), error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_finding *f = g_new0(tracker_finding, 1);

		f->parameters = g_ptr_array_new_with_free_func(
			(GDestroyNotify)parser_pair_free);
		g_ptr_array_add(all, f);
		f->testcase = db_dup(&rows, 2);
		f->metric = db_dup(&rows, 3);
		f->machine = db_dup(&rows, 4);
		f->tree = db_dup(&rows, 5);
		f->kind = db_is_null(&rows, 6) ?
				  PARSER_KIND_UNKNOWN :
				  parser_kind_from_name(db_text(&rows, 6));
		f->has_change = !db_is_null(&rows, 7);
		f->change_percent = db_real(&rows, 7);
		f->has_interval = !db_is_null(&rows, 8);
		f->ci_low = db_real(&rows, 8);
		f->ci_high = db_real(&rows, 9);
		f->p = db_real(&rows, 10);
		f->message_id = db_dup(&rows, 11);
		f->counts = db_int(&rows, 12);
		if (!load_parameters(t, db_int(&rows, 0), db_int(&rows, 1),
				     f->parameters, error))
			return NULL;
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}
