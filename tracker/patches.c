/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patches that mails offer: rows on the way in, what waits for a test, their text. */
#include <string.h>

#include "tracker/records.h"
#include "tracker/scanning.h"

bool patches_insert(tracker *t, int64_t message, const GPtrArray *patches,
		    GError **error)
{
	for (guint i = 0; i < patches->len; i++) {
		const parser_patch *p = patches->pdata[i];

		if (!db_run(t,
			    "INSERT INTO patch (message, position, form, title, written, url, "
			    "branch, problem) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
			    DB_ARGS(DB_INT(message), DB_INT(i),
				    DB_TEXT(parser_patch_form_name(p->form)),
				    DB_TEXT(p->title), DB_INT(p->date), DB_TEXT(p->url),
				    DB_TEXT(p->branch), DB_TEXT(p->problem)),
			    error))
			return false;
	}
	return true;
}

/* ---- its text, out of the mail
 * --------------------------------------------------------- */

static parser_mail *load_mail(tracker *t, int64_t message, GError **error)
{
	g_auto(db_rows) rows = { 0 };
	g_autoptr(GBytes) packed = NULL, bytes = NULL;
	gsize length;

	if (!db_query(t, &rows, "SELECT bytes, form, number FROM message WHERE id = ?1",
		      DB_ARGS(DB_INT(message)), error))
		return NULL;
	if (!db_next(&rows, error) || !(packed = db_bytes(&rows, 0)))
		return NULL;
	bytes = db_unpack(g_bytes_get_data(packed, NULL), g_bytes_get_size(packed));
	if (!bytes)
		return NULL;

	const char *data = g_bytes_get_data(bytes, &length);

	return parser_mail_parse(data, length, (parser_form)db_int(&rows, 1),
				 (unsigned)db_int(&rows, 2), NULL);
}

parser_mail *tracker_mail_read(tracker *t, const char *message_id, GError **error)
{
	g_autoptr(GError) cause = NULL;
	parser_mail *mail;
	int64_t row = 0;

	if (!db_get_int(t,
			"SELECT id FROM message WHERE message_id = ?1 "
			"AND bytes IS NOT NULL ORDER BY variant LIMIT 1",
			DB_ARGS(DB_TEXT(message_id)), &row, error))
		return NULL;
	mail = row ? load_mail(t, row, &cause) : NULL;
	if (!mail && cause)
		g_propagate_error(error, g_steal_pointer(&cause));
	else if (!mail)
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND,
			    "<%s>: no such mail is kept", message_id);
	return mail;
}

GBytes *scan_patch_text(tracker_scan *scan, int64_t message, int64_t position,
			GError **error)
{
	g_autoptr(parser_mail) mail = load_mail(scan->t, message, error);
	g_autoptr(GPtrArray) patches = mail ? parser_patches_read(mail) : NULL;
	const parser_patch *p =
		patches && position < patches->len ? patches->pdata[position] : NULL;

	return p && p->diff ? g_bytes_new(p->diff, strlen(p->diff)) : NULL;
}

/* ---- what waits
 * ------------------------------------------------------------------------ */

void tracker_offer_free(tracker_offer *o)
{
	if (!o)
		return;
	g_free(o->message_id);
	g_free(o->regression);
	g_free(o->short_id);
	g_free(o->form);
	g_free(o->title);
	g_free(o->url);
	g_free(o->branch);
	g_free(o->problem);
	g_free(o->author);
	g_free(o->metric);
	g_free(o->tested_by);
	g_free(o->outcome);
	g_free(o);
}

static tracker_offer *read_offer(tracker *t, const db_rows *rows, GError **error)
{
	g_autoptr(tracker_offer) o = g_new0(tracker_offer, 1);
	tracker_summary *s = records_summary_of(t, db_int(rows, 0), error);

	if (!s)
		return NULL;
	o->regression = g_strdup(s->id);
	o->short_id = g_strdup(s->short_id);
	o->metric = g_strdup(s->metric);
	o->status = s->status;
	tracker_summary_free(s);
	o->message_id = db_dup(rows, 1);
	o->author = g_strdup(db_is_null(rows, 2) ? db_text(rows, 3) : db_text(rows, 2));
	o->date = db_int(rows, 4);
	o->position = (unsigned)db_int(rows, 5);
	o->form = db_dup(rows, 6);
	o->title = db_dup(rows, 7);
	o->url = db_dup(rows, 8);
	o->branch = db_dup(rows, 9);
	o->problem = db_dup(rows, 10);
	o->tested_by = db_dup(rows, 11);
	o->outcome = db_dup(rows, 12);
	return g_steal_pointer(&o);
}

/*
 * A re-test of ours that is sent answers all patches that were there when it was made;
 * so does a result that a robot reports below the patch.
 */
#define OFFERS_SQL                                                                           \
	"SELECT g.id, m.message_id, m.name, m.address, m.date, p.position, p.form, "         \
	"coalesce(p.title, m.subject), p.url, p.branch, p.problem, x.message_id, r.outcome " \
	"FROM patch p JOIN message m ON m.id = p.message "                                   \
	"JOIN link l ON l.message = m.id AND l.acts "                                        \
	"JOIN regression g ON g.id = l.regression AND g.merged_into IS NULL "                \
	"LEFT JOIN report r ON r.id = (SELECT y.id FROM report y WHERE y.mail = 'retest' "   \
	" AND y.live AND y.origin = 'own' AND y.regression = g.id AND y.at >= m.date "       \
	" ORDER BY y.at, y.id LIMIT 1) LEFT JOIN message x ON x.id = r.message "

GPtrArray *tracker_offers(tracker *t, bool all, GError **error)
{
	g_autoptr(GPtrArray) offers =
		g_ptr_array_new_with_free_func((GDestroyNotify)tracker_offer_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      OFFERS_SQL "WHERE ?1 OR (g.open AND r.id IS NULL) "
				 "ORDER BY m.date, m.message_id, p.position",
		      DB_ARGS(DB_INT(all)), error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_offer *o = read_offer(t, &rows, error);

		if (!o)
			return NULL;
		g_ptr_array_add(offers, o);
	}
	return rows.failed ? NULL : g_steal_pointer(&offers);
}
