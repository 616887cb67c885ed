/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of a mail that was handed out: by the server's word, by what comes back.
 */
#include <string.h>

#include "tracker/store.h"

/* No wait is longer than a day: a mail that waits longer does so by a clock that was
 * wrong. */
bool tracker_outbox_due(tracker *t, int64_t now, bool *due, GError **error)
{
	int64_t id = 0;

	if (!db_get_int(t,
			"SELECT id FROM outbox WHERE state = 'approved' "
			"AND (next_at <= ?1 OR next_at > ?1 + 86400) LIMIT 1",
			DB_ARGS(DB_INT(now)), &id, error))
		return false;
	*due = id != 0;
	return true;
}

/* ---- the server's word ---- */

static bool note_fates(tracker *t, int64_t id, const tracker_result *result,
		       GError **error)
{
	for (size_t i = 0; i < result->n_fates; i++) {
		const tracker_fate *fate = &result->fates[i];

		if (!db_run(t,
			    "UPDATE outbox_recipient SET state = ?3, at = ?4, detail = ?5 "
			    "WHERE outbox = ?1 AND address = ?2 AND state = 'waiting'",
			    DB_ARGS(DB_INT(id), DB_TEXT(fate->address),
				    DB_TEXT(fate->state), DB_INT(result->now),
				    DB_TEXT(fate->detail)),
			    error))
			return false;
	}
	return result->next_at ||
	       db_run(t,
		      "UPDATE outbox_recipient SET state = 'rejected', at = ?2, "
		      "detail = 'given up: ' || coalesce(detail, 'no reason is known') "
		      "WHERE outbox = ?1 AND state = 'waiting'",
		      DB_ARGS(DB_INT(id), DB_INT(result->now)), error);
}

/* The state of a mail by those of its recipients; *out: somebody has it. */
static bool sum_up(tracker *t, int64_t id, tracker_outbox_state *state, bool *out,
		   GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT total(state = 'waiting'), total(state = 'unknown'), "
		      "total(state IN ('sent', 'bounced')) "
		      "FROM outbox_recipient WHERE outbox = ?1",
		      DB_ARGS(DB_INT(id)), error) ||
	    !db_next(&rows, error))
		return false;
	*out = db_int(&rows, 2) > 0;
	*state = db_int(&rows, 0) ? TRACKER_OUTBOX_APPROVED :
		 db_int(&rows, 1) ? TRACKER_OUTBOX_UNKNOWN :
		 *out             ? TRACKER_OUTBOX_SENT :
				    TRACKER_OUTBOX_REJECTED;
	return true;
}

static bool expect_sending(tracker *t, int64_t id, GError **error)
{
	tracker_outbox_state state;

	if (!outbox_state(t, id, &state, error))
		return false;
	if (state == TRACKER_OUTBOX_SENDING)
		return true;
	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE,
		    "mail %" G_GINT64_FORMAT ": is not on the wire, it is %s", id,
		    tracker_outbox_state_name(state));
	return false;
}

bool tracker_outbox_result(tracker *t, int64_t id, const tracker_result *result,
			   tracker_outbox_state *state, GError **error)
{
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	bool out;

	refresh_init(&r, t, result->now);
	if (!db_begin(t, &tx, error) || !expect_sending(t, id, error) ||
	    !note_fates(t, id, result, error) || !sum_up(t, id, state, &out, error) ||
	    !outbox_set_state(t, id, *state, result->now, error) ||
	    (out && !outbox_make_live(&r, id, error)))
		return false;
	return db_run(t,
		      "UPDATE outbox SET detail = ?2, attempts = attempts - ?4, "
		      "next_at = CASE WHEN state = 'approved' THEN ?3 ELSE next_at END, "
		      "fcc = CASE WHEN state = 'sent' THEN ?5 ELSE fcc END WHERE id = ?1",
		      DB_ARGS(DB_INT(id), DB_TEXT(result->detail),
			      DB_INT(result->next_at), DB_INT(result->held),
			      DB_TEXT(result->fcc)),
		      error) &&
	       refresh_settle(&r, error) && db_commit(&tx, error);
}

/* ---- copies to file ---- */

static void filing_free(void *data)
{
	tracker_filing *filing = data;

	g_free(filing->fcc);
	g_free(filing->message_id);
	g_clear_pointer(&filing->bytes, g_bytes_unref);
	g_free(filing);
}

GPtrArray *tracker_outbox_unfiled(tracker *t, GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(filing_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT o.id, o.fcc, m.message_id, "
		      "coalesce(o.eight_bit, o.quoted_printable) FROM outbox o "
		      "JOIN message m ON m.id = o.message WHERE o.fcc IS NOT NULL "
		      "ORDER BY o.id",
		      DB_NO_ARGS, error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_filing *filing = g_new0(tracker_filing, 1);

		filing->id = db_int(&rows, 0);
		filing->fcc = db_dup(&rows, 1);
		filing->message_id = db_dup(&rows, 2);
		filing->bytes = outbox_unpack(&rows, 3);
		g_ptr_array_add(all, filing);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

bool tracker_outbox_filed(tracker *t, int64_t id, GError **error)
{
	g_auto(db_tx) tx = { 0 };

	return db_begin(t, &tx, error) &&
	       db_run(t, "UPDATE outbox SET fcc = NULL WHERE id = ?1",
		      DB_ARGS(DB_INT(id)), error) &&
	       db_commit(&tx, error);
}

/* ---- what comes back ---- */

/*
 * It did leave, whatever the wire said: nobody of that delivery is sent to again.  When
 * a sender is at work it settles the row itself, or the next one does.  Recipients that
 * a server put off, while it took the mail for others, go on waiting.
 */
bool outbox_returned(refresh *r, int64_t message, GError **error)
{
	int64_t id = 0;

	return db_run(r->t, "UPDATE outbox SET returned = 1 WHERE message = ?1",
		      DB_ARGS(DB_INT(message)), error) &&
	       db_get_int(
		       r->t,
		       "SELECT id FROM outbox o WHERE message = ?1 AND (state IN "
		       "('unknown', 'rejected') OR (state = 'approved' AND NOT EXISTS "
		       "(SELECT 1 FROM outbox_recipient WHERE outbox = o.id "
		       "AND state IN ('sent', 'bounced'))))",
		       DB_ARGS(DB_INT(message)), &id, error) &&
	       (!id || outbox_sent(r, id, error));
}

static bool note_bounced(tracker *t, int64_t id, const parser_bounced *one, int64_t now,
			 GError **error)
{
	g_autofree char *words = g_strdup_printf(
		"%s: %s", one->failed ? "bounced" : "delayed", one->detail);

	return db_run(t,
		      "UPDATE outbox_recipient SET detail = ?4, at = ?5, "
		      "state = CASE WHEN ?6 THEN 'bounced' ELSE state END "
		      "WHERE outbox = ?1 AND state = 'sent' AND "
		      "(lower(address) = lower(?2) OR lower(address) = lower(?3))",
		      DB_ARGS(DB_INT(id), DB_TEXT(one->final), DB_TEXT(one->original),
			      DB_TEXT(words), DB_INT(now), DB_INT(one->failed)),
		      error);
}

/* Only a mail that a server has taken can bounce. */
bool outbox_bounced(refresh *r, const parser_bounce *bounce, GError **error)
{
	tracker_outbox_state state;
	int64_t id = 0;

	if (!db_get_int(r->t,
			"SELECT o.id FROM outbox o JOIN message m ON m.id = o.message "
			"WHERE m.message_id = ?1 AND m.variant = 0",
			DB_ARGS(DB_TEXT(bounce->message_id)), &id, error))
		return false;
	if (!id)
		return true;
	if (!outbox_state(r->t, id, &state, error) ||
	    (state == TRACKER_OUTBOX_UNKNOWN && !outbox_sent(r, id, error)))
		return false;
	for (guint i = 0; i < bounce->recipients->len; i++)
		if (!note_bounced(r->t, id, bounce->recipients->pdata[i], r->now,
				  error))
			return false;
	return true;
}
