/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading the evidence about a regression, in time order. */
#include <string.h>

#include "tracker/fold.h"
#include "tracker/records.h"

static void evidence_free(evidence *e)
{
	g_free(e->key);
	g_free(e->class);
	g_free(e->name);
	g_free(e->address);
	g_free(e->subject);
	g_free(e->mail);
	g_clear_pointer(&e->verdicts, g_ptr_array_unref);
	g_clear_pointer(&e->takes_back, g_array_unref);
	g_free(e->outcome);
	g_free(e);
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const evidence *x = *(evidence *const *)a, *y = *(evidence *const *)b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	if (x->kind == EVIDENCE_ACT || x->kind == EVIDENCE_FIX)
		return x->row < y->row ? -1 : x->row > y->row;
	return g_strcmp0(x->key, y->key);
}

static evidence *add(fold *f, evidence_kind kind, int64_t row, int64_t at)
{
	evidence *e = g_new0(evidence, 1);

	e->kind = kind;
	e->row = row;
	e->at = at;
	g_ptr_array_add(f->evidence, e);
	return e;
}

/* No mail was written after it came, whatever its Date: says. */
#define KNOWN_BY(date)                                                                 \
	"CASE WHEN m.arrived > 0 THEN min(" date ", m.arrived) ELSE " date " END"

static bool load_reports(fold *f, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    f->t, &rows,
		    "SELECT m.id, " KNOWN_BY(
			    "r.at") ", m.message_id, r.mail, r.origin = 'own', m.name, "
				    "m.address, m.subject, r.outcome, r.counts FROM report r JOIN message m ON m.id = r.message "
				    "WHERE r.regression = ?1 AND r.live",
		    DB_ARGS(DB_INT(f->regression)), error))
		return false;
	while (db_next(&rows, error)) {
		evidence *e =
			add(f, EVIDENCE_REPORT, db_int(&rows, 0), db_int(&rows, 1));

		e->key = db_dup(&rows, 2);
		e->mail = db_dup(&rows, 3);
		e->own = db_int(&rows, 4);
		e->name = db_dup(&rows, 5);
		e->address = db_dup(&rows, 6);
		e->subject = db_dup(&rows, 7);
		e->outcome = db_dup(&rows, 8);
		e->counts = db_int(&rows, 9);
		f->seen = true;
	}
	return !rows.failed;
}

static bool load_mails(fold *f, int64_t regression, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    f->t, &rows,
		    "SELECT m.id, " KNOWN_BY(
			    "m.date") ", m.message_id, m.class, m.name, m.address "
				      "FROM link l JOIN message m ON m.id = l.message "
				      "WHERE l.regression = ?1 AND l.acts AND l.key <> 'report'",
		    DB_ARGS(DB_INT(regression)), error))
		return false;
	while (db_next(&rows, error)) {
		evidence *e = add(f, EVIDENCE_MAIL, db_int(&rows, 0), db_int(&rows, 1));

		e->key = db_dup(&rows, 2);
		e->class = db_dup(&rows, 3);
		e->name = db_dup(&rows, 4);
		e->address = db_dup(&rows, 5);
		e->foreign = regression != f->regression;
		e->verdicts = records_verdicts(f->t, e->row, error);
		if (!e->verdicts)
			return false;
	}
	return !rows.failed && roles_load(f->t, regression, &f->roles, error);
}

/* Duplicates act as a set: what is said about one of them counts for the topmost. */
static bool load_set(fold *f, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(f->t, &rows,
		      "WITH RECURSIVE member (id) AS (SELECT ?1 UNION "
		      "SELECT r.id FROM regression r JOIN member m "
		      "ON r.duplicate_of = m.id WHERE r.merged_into IS NULL) "
		      "SELECT id FROM member",
		      DB_ARGS(DB_INT(f->regression)), error))
		return false;
	while (db_next(&rows, error))
		if (!load_mails(f, db_int(&rows, 0), error))
			return false;
	return !rows.failed;
}

static void mark(GHashTable *set, int64_t row)
{
	int64_t *key = g_new(int64_t, 1);

	*key = row;
	g_hash_table_add(set, key);
}

static bool load_acts(fold *f, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(f->t, &rows,
		      "SELECT id, at, kind = 'undo', message, undoes FROM act "
		      "WHERE regression = ?1 OR regression IN "
		      "(SELECT id FROM regression WHERE merged_into = ?1)",
		      DB_ARGS(DB_INT(f->regression)), error))
		return false;
	while (db_next(&rows, error)) {
		add(f, EVIDENCE_ACT, db_int(&rows, 0), db_int(&rows, 1));
		if (db_int(&rows, 2) && !db_is_null(&rows, 3))
			mark(f->undone_messages, db_int(&rows, 3));
		if (db_int(&rows, 2) && !db_is_null(&rows, 4))
			mark(f->undone_acts, db_int(&rows, 4));
	}
	return !rows.failed;
}

static bool load_fixes(fold *f, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(f->t, &rows,
		      "SELECT id, at FROM fix WHERE regression = ?1 OR regression IN "
		      "(SELECT id FROM regression WHERE merged_into = ?1)",
		      DB_ARGS(DB_INT(f->regression)), error))
		return false;
	while (db_next(&rows, error))
		add(f, EVIDENCE_FIX, db_int(&rows, 0), db_int(&rows, 1));
	return !rows.failed;
}

/* Nothing is older than the report that it is about, whatever its Date: says. */
static void clamp(fold *f)
{
	int64_t first = INT64_MAX;

	for (guint i = 0; i < f->evidence->len; i++) {
		const evidence *e = f->evidence->pdata[i];

		if (e->kind == EVIDENCE_REPORT && e->counts)
			first = MIN(first, e->at);
	}
	for (guint i = 0; first != INT64_MAX && i < f->evidence->len; i++) {
		evidence *e = f->evidence->pdata[i];

		if (e->foreign)
			e->said = e->at;
		e->at = MAX(first, e->at);
	}
}

/* What was said of a duplicate, which may be the older one, keeps its date. */
static void put_dates_back(fold *f)
{
	for (guint i = 0; i < f->evidence->len; i++) {
		evidence *e = f->evidence->pdata[i];

		if (e->said)
			e->at = e->said;
	}
}

bool fold_load(fold *f, GError **error)
{
	f->evidence = g_ptr_array_new_with_free_func((GDestroyNotify)evidence_free);
	if (!load_reports(f, error) || !load_set(f, error) || !load_acts(f, error) ||
	    !load_fixes(f, error))
		return false;
	clamp(f);
	g_ptr_array_sort(f->evidence, by_time);
	put_dates_back(f);
	return true;
}
