/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys by which a mail tells what it is about, the surest first. */
#include "tracker/linking.h"

static bool names_report(tracker *t, int64_t message, int64_t report, bool *names,
			 GError **error)
{
	int64_t hit = 0;

	if (!db_get_int(
		    t,
		    "SELECT 1 FROM reference x JOIN message m ON m.message_id = x.target "
		    "WHERE x.message = ?1 AND m.id = ?2 AND x.kind <> 'link' LIMIT 1",
		    DB_ARGS(DB_INT(message), DB_INT(report)), &hit, error))
		return false;
	*names = hit;
	return true;
}

/* In-Reply-To, References and the chain of stored mails. */
static bool by_thread(refresh *r, int64_t message, link_found *f, GError **error)
{
	link_above w;
	bool names, direct = false;

	if (!link_walk(r, message, &w, error))
		return false;
	f->report = w.report;
	f->regression = w.regression;
	if (!f->regression)
		return true;
	if (!names_report(r->t, message, f->report, &names, error))
		return false;
	if (names && !w.gap) {
		int64_t reply = 0;

		if (!db_get_int(r->t,
				"SELECT 1 FROM reference x JOIN message m "
				"ON m.message_id = x.target WHERE x.message = ?1 "
				"AND x.kind = 'in-reply-to' AND m.id = ?2",
				DB_ARGS(DB_INT(message), DB_INT(f->report)), &reply,
				error))
			return false;
		direct = reply;
	}
	f->acts = !w.hearsay;
	f->key = direct ? "in-reply-to" : names ? "references" : "chain";
	f->confidence = w.hearsay ? 0.5 : direct ? 1 : names ? 0.98 : 0.95;
	return true;
}

/* "X-Regtrail-Regression:" or a quoted "Regression-ID:" line. */
static bool by_id_line(refresh *r, int64_t message, link_found *f, GError **error)
{
	tracker *t = r->t;
	g_autofree char *id = NULL;

	if (!db_get_text(t, "SELECT regression FROM message WHERE id = ?1",
			 DB_ARGS(DB_INT(message)), &id, error))
		return false;
	if (!id)
		return true;
	*f = (link_found){ .key = "id-line", .confidence = 0.95, .acts = true };
	return regression_find(t, id, &f->regression, error);
}

/* Our own Message-IDs prove the regression by themselves: eight digits of a hash over
 * it. */
static bool by_own_id(refresh *r, int64_t message, link_found *f, GError **error)
{
	tracker *t = r->t;
	g_auto(db_rows) rows = { 0 };

	*f = (link_found){ .key = "own-id", .confidence = 0.9, .acts = true };
	if (!db_query(t, &rows,
		      "SELECT target FROM reference WHERE message = ?1 "
		      "AND kind <> 'link' ORDER BY kind = 'references', "
		      "CASE kind WHEN 'references' THEN -position ELSE position END",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error) && !f->regression)
		if (!proof_find(t, db_text(&rows, 0), &f->regression, error))
			return false;
	return !rows.failed;
}

/* A report that stands in the quotes of this mail. */
static bool by_quote(refresh *r, int64_t message, link_found *f, GError **error)
{
	tracker *t = r->t;
	*f = (link_found){ .key = "quote", .confidence = 0.9, .acts = true };
	return db_get_int(t,
			  "SELECT regression FROM report "
			  "WHERE quoted_by = ?1 AND origin = 'quote'",
			  DB_ARGS(DB_INT(message)), &f->regression, error);
}

/* The culprit's digits in the subject: only a suggestion, and only when it is unique.
 */
static bool by_subject(refresh *r, int64_t message, link_found *f, GError **error)
{
	tracker *t = r->t;
	g_autofree char *subject = NULL;
	g_autofree char *culprit = NULL;
	g_auto(db_rows) rows = { 0 };

	if (!db_get_text(t, "SELECT subject FROM message WHERE id = ?1",
			 DB_ARGS(DB_INT(message)), &subject, error))
		return false;
	culprit = link_subject_commit(subject);
	if (!culprit)
		return true;
	if (!db_query(
		    t, &rows,
		    "SELECT id, metric IS NOT NULL AND instr(?2, metric) FROM regression "
		    "WHERE culprit = ?1 AND merged_into IS NULL ORDER BY 2 DESC LIMIT 2",
		    DB_ARGS(DB_TEXT(culprit), DB_TEXT(subject)), error))
		return false;
	*f = (link_found){ .key = "subject", .confidence = 0.3 };

	bool first_hits = false, second_hits = false;
	guint n = 0;

	while (db_next(&rows, error)) {
		if (n++ == 0) {
			f->regression = db_int(&rows, 0);
			first_hits = db_int(&rows, 1);
		} else {
			second_hits = db_int(&rows, 1);
		}
	}
	if (n > 1 && (!first_hits || second_hits))
		f->regression = 0;
	return !rows.failed;
}

typedef bool (*key_fn)(refresh *, int64_t, link_found *, GError **);

bool link_find(refresh *r, int64_t message, link_found *f, GError **error)
{
	static const key_fn keys[] = { by_thread, by_id_line, by_quote, by_own_id,
				       by_subject };

	link_found guess = { 0 };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		*f = (link_found){ 0 };
		if (!keys[i](r, message, f, error))
			return false;
		if (f->regression && f->acts)
			return true;
		if (f->regression && !guess.regression)
			guess = *f;
	}
	*f = guess;
	return true;
}
