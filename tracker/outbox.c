/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mail that waits, leaves, or is not known to have left. */
#include <string.h>

#include "tracker/store.h"

static const char *const state_names[] = { "draft",    "approved", "sending",  "sent",
					   "rejected", "unknown",  "cancelled" };

const char *tracker_outbox_state_name(tracker_outbox_state state)
{
	return state < G_N_ELEMENTS(state_names) ? state_names[state] : NULL;
}

static tracker_outbox_state state_from_name(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(state_names); i++)
		if (!g_strcmp0(state_names[i], name))
			return i;
	return TRACKER_OUTBOX_UNKNOWN;
}

static void fate_free(tracker_fate *fate)
{
	g_free(fate->address);
	g_free(fate->state);
	g_free(fate->detail);
	g_free(fate);
}

void tracker_outgoing_free(tracker_outgoing *mail)
{
	if (!mail)
		return;
	g_free(mail->message_id);
	g_free(mail->regression);
	g_free(mail->kind_of_mail);
	g_free(mail->subject);
	g_free(mail->sender);
	g_ptr_array_unref(mail->recipients);
	g_ptr_array_unref(mail->fates);
	g_clear_pointer(&mail->overrides, g_ptr_array_unref);
	g_clear_pointer(&mail->eight_bit, g_bytes_unref);
	g_clear_pointer(&mail->quoted_printable, g_bytes_unref);
	g_free(mail->detail);
	g_free(mail);
}

#define OUTGOING                                                                          \
	"SELECT o.id, o.state, m.message_id, g.regression, o.mail, m.subject, o.sender, " \
	"o.created, o.next_at, o.attempts, o.detail FROM outbox o "                       \
	"JOIN message m ON m.id = o.message "                                             \
	"LEFT JOIN regression g ON g.id = o.regression "

static tracker_outgoing *outgoing_from(const db_rows *rows)
{
	tracker_outgoing *mail = g_new0(tracker_outgoing, 1);

	mail->id = db_int(rows, 0);
	mail->state = state_from_name(db_text(rows, 1));
	mail->message_id = db_dup(rows, 2);
	mail->regression = db_dup(rows, 3);
	mail->kind_of_mail = db_dup(rows, 4);
	mail->subject = db_dup(rows, 5);
	mail->sender = db_dup(rows, 6);
	mail->created = db_int(rows, 7);
	mail->next_at = db_int(rows, 8);
	mail->attempts = (unsigned)db_int(rows, 9);
	mail->detail = db_dup(rows, 10);
	mail->recipients = g_ptr_array_new_with_free_func(g_free);
	mail->fates = g_ptr_array_new_with_free_func((GDestroyNotify)fate_free);
	return mail;
}

static bool load_recipients(tracker *t, tracker_outgoing *mail, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT address, state, detail, at FROM outbox_recipient "
		      "WHERE outbox = ?1 ORDER BY address",
		      DB_ARGS(DB_INT(mail->id)), error))
		return false;
	while (db_next(&rows, error)) {
		tracker_fate *fate = g_new0(tracker_fate, 1);

		fate->address = db_dup(&rows, 0);
		fate->state = db_dup(&rows, 1);
		fate->detail = db_dup(&rows, 2);
		fate->at = db_int(&rows, 3);
		g_ptr_array_add(mail->fates, fate);
		if (!strcmp(fate->state, "waiting"))
			g_ptr_array_add(mail->recipients, g_strdup(fate->address));
	}
	if (rows.failed)
		return false;
	mail->overrides = overrides_load(t, 0, mail->message_id, error);
	return mail->overrides != NULL;
}

GBytes *outbox_unpack(const db_rows *rows, int column)
{
	g_autoptr(GBytes) packed = db_bytes(rows, column);

	return packed ? db_unpack(g_bytes_get_data(packed, NULL),
				  g_bytes_get_size(packed)) :
			NULL;
}

static bool load_bytes(tracker *t, tracker_outgoing *mail, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT eight_bit, quoted_printable FROM outbox WHERE id = ?1",
		      DB_ARGS(DB_INT(mail->id)), error))
		return false;
	if (db_next(&rows, error)) {
		mail->eight_bit = outbox_unpack(&rows, 0);
		mail->quoted_printable = outbox_unpack(&rows, 1);
	}
	if (rows.failed || mail->quoted_printable)
		return !rows.failed;
	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_FAILED,
		    "%s: mail %" G_GINT64_FORMAT " of the outbox is damaged", t->path,
		    mail->id);
	return false;
}

GPtrArray *tracker_outbox_list(tracker *t, int state, GError **error)
{
	g_autoptr(GPtrArray) mails =
		g_ptr_array_new_with_free_func((GDestroyNotify)tracker_outgoing_free);
	g_auto(db_rows) rows = { 0 };
	const char *name = tracker_outbox_state_name((tracker_outbox_state)state);

	if (!db_query(t, &rows,
		      OUTGOING "WHERE ?1 IS NULL OR o.state = ?1 ORDER BY o.id",
		      DB_ARGS(DB_TEXT(name)), error))
		return NULL;
	while (db_next(&rows, error)) {
		tracker_outgoing *mail = outgoing_from(&rows);

		g_ptr_array_add(mails, mail);
		if (!load_recipients(t, mail, error))
			return NULL;
	}
	return rows.failed ? NULL : g_steal_pointer(&mails);
}

tracker_outgoing *tracker_outbox_get(tracker *t, int64_t id, GError **error)
{
	g_autoptr(tracker_outgoing) mail = NULL;
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, OUTGOING "WHERE o.id = ?1", DB_ARGS(DB_INT(id)), error))
		return NULL;
	if (db_next(&rows, error))
		mail = outgoing_from(&rows);
	if (!mail && !rows.failed)
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND,
			    "mail %" G_GINT64_FORMAT ": not in the outbox", id);
	if (!mail || !load_recipients(t, mail, error) || !load_bytes(t, mail, error))
		return NULL;
	return g_steal_pointer(&mail);
}

/* ---- steps --------------------------------------------------------------------------
 */

bool outbox_state(tracker *t, int64_t id, tracker_outbox_state *state, GError **error)
{
	g_autofree char *name = NULL;

	if (!db_get_text(t, "SELECT state FROM outbox WHERE id = ?1",
			 DB_ARGS(DB_INT(id)), &name, error))
		return false;
	if (!name) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND,
			    "mail %" G_GINT64_FORMAT ": not in the outbox", id);
		return false;
	}
	*state = state_from_name(name);
	return true;
}

#define STATE(name) (1u << TRACKER_OUTBOX_##name)

static bool expect(tracker *t, int64_t id, unsigned from, const char *verb,
		   GError **error)
{
	tracker_outbox_state state;

	if (!outbox_state(t, id, &state, error))
		return false;
	if (from & 1u << state)
		return true;
	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE,
		    "mail %" G_GINT64_FORMAT ": cannot be %s, it is %s", id, verb,
		    tracker_outbox_state_name(state));
	return false;
}

bool outbox_set_state(tracker *t, int64_t id, tracker_outbox_state state, int64_t now,
		      GError **error)
{
	return db_run(t, "UPDATE outbox SET state = ?2, changed = ?3 WHERE id = ?1",
		      DB_ARGS(DB_INT(id), DB_TEXT(tracker_outbox_state_name(state)),
			      DB_INT(now)),
		      error);
}

bool tracker_outbox_approve(tracker *t, int64_t id, int64_t now, GError **error)
{
	g_auto(db_tx) tx = { 0 };

	return db_begin(t, &tx, error) &&
	       expect(t, id, STATE(DRAFT), "approved", error) &&
	       outbox_set_state(t, id, TRACKER_OUTBOX_APPROVED, now, error) &&
	       db_commit(&tx, error);
}

bool tracker_outbox_cancel(tracker *t, int64_t id, int64_t now, GError **error)
{
	g_auto(db_tx) tx = { 0 };

	return db_begin(t, &tx, error) &&
	       expect(t, id, STATE(DRAFT) | STATE(APPROVED), "cancelled", error) &&
	       outbox_set_state(t, id, TRACKER_OUTBOX_CANCELLED, now, error) &&
	       db_commit(&tx, error);
}

bool tracker_outbox_retry(tracker *t, int64_t id, int64_t now, GError **error)
{
	g_auto(db_tx) tx = { 0 };

	return db_begin(t, &tx, error) &&
	       expect(t, id, STATE(REJECTED) | STATE(UNKNOWN), "tried again", error) &&
	       outbox_set_state(t, id, TRACKER_OUTBOX_APPROVED, now, error) &&
	       db_run(t, "UPDATE outbox SET next_at = ?2, attempts = 0 WHERE id = ?1",
		      DB_ARGS(DB_INT(id), DB_INT(now)), error) &&
	       db_run(t,
		      "UPDATE outbox_recipient SET state = 'waiting' "
		      "WHERE outbox = ?1 AND state <> 'sent'",
		      DB_ARGS(DB_INT(id)), error) &&
	       db_commit(&tx, error);
}

/* A reminder that has left is part of the thread. */
static bool link_reminder(refresh *r, int64_t id, GError **error)
{
	int64_t message = 0;

	if (!db_get_int(r->t,
			"SELECT message FROM outbox WHERE id = ?1 AND mail = 'remind'",
			DB_ARGS(DB_INT(id)), &message, error))
		return false;
	if (message)
		refresh_message(r, message);
	return true;
}

/* A report of ours is out: from now on it is evidence. */
bool outbox_make_live(refresh *r, int64_t id, GError **error)
{
	tracker *t = r->t;
	g_autofree char *culprit = NULL;

	if (!db_run(t,
		    "UPDATE report SET live = 1 WHERE message = "
		    "(SELECT message FROM outbox WHERE id = ?1) AND origin = 'own'",
		    DB_ARGS(DB_INT(id)), error) ||
	    !db_get_text(
		    t,
		    "SELECT r.culprit FROM report r JOIN outbox o "
		    "ON o.message = r.message WHERE o.id = ?1 AND r.origin = 'own'",
		    DB_ARGS(DB_INT(id)), &culprit, error))
		return false;
	if (culprit)
		refresh_culprit(r, culprit);
	return link_reminder(r, id, error);
}

bool outbox_sent(refresh *r, int64_t id, GError **error)
{
	return outbox_set_state(r->t, id, TRACKER_OUTBOX_SENT, r->now, error) &&
	       db_run(r->t,
		      "UPDATE outbox_recipient SET state = 'sent', at = ?2 "
		      "WHERE outbox = ?1 AND state IN ('waiting', 'unknown')",
		      DB_ARGS(DB_INT(id), DB_INT(r->now)), error) &&
	       outbox_make_live(r, id, error);
}

bool tracker_outbox_mark_sent(tracker *t, int64_t id, int64_t now, GError **error)
{
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };

	refresh_init(&r, t, now);
	return db_begin(t, &tx, error) &&
	       expect(t, id, STATE(UNKNOWN), "marked as sent", error) &&
	       outbox_sent(&r, id, error) && refresh_settle(&r, error) &&
	       db_commit(&tx, error);
}

/* A sender died.  What came back from a list meanwhile has left; of the rest nobody
 * knows. */
bool tracker_outbox_recover(tracker *t, int64_t now, GError **error)
{
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	int64_t id = 0;

	refresh_init(&r, t, now);
	if (!db_begin(t, &tx, error) ||
	    !db_run(t,
		    "UPDATE outbox_recipient SET state = 'unknown', at = ?1 "
		    "WHERE state = 'waiting' "
		    "AND outbox IN (SELECT id FROM outbox WHERE state = 'sending')",
		    DB_ARGS(DB_INT(now)), error) ||
	    !db_run(t,
		    "UPDATE outbox SET state = 'unknown', changed = ?1, detail = "
		    "'the sender died while the mail was on the wire' "
		    "WHERE state = 'sending'",
		    DB_ARGS(DB_INT(now)), error))
		return false;
	do {
		id = 0;
		if (!db_get_int(t,
				"SELECT id FROM outbox "
				"WHERE state = 'unknown' AND returned LIMIT 1",
				DB_NO_ARGS, &id, error) ||
		    (id && !outbox_sent(&r, id, error)))
			return false;
	} while (id);
	return refresh_settle(&r, error) && db_commit(&tx, error);
}

bool tracker_outbox_claim(tracker *t, int64_t now, tracker_outgoing **mail,
			  GError **error)
{
	g_auto(db_tx) tx = { 0 };
	int64_t id = 0;

	*mail = NULL;
	if (!db_begin(t, &tx, error) ||
	    !db_get_int(t,
			"SELECT id FROM outbox WHERE state = 'approved' "
			"AND (next_at <= ?1 OR next_at > ?1 + 86400) "
			"ORDER BY next_at, id LIMIT 1",
			DB_ARGS(DB_INT(now)), &id, error))
		return false;
	if (!id)
		return true;

	g_autoptr(tracker_outgoing) found = tracker_outbox_get(t, id, error);

	if (!found || !outbox_set_state(t, id, TRACKER_OUTBOX_SENDING, now, error) ||
	    !db_run(t, "UPDATE outbox SET attempts = attempts + 1 WHERE id = ?1",
		    DB_ARGS(DB_INT(id)), error) ||
	    !db_commit(&tx, error))
		return false;
	found->state = TRACKER_OUTBOX_SENDING;
	found->attempts++;
	*mail = g_steal_pointer(&found);
	return true;
}

bool tracker_sent_count(tracker *t, const char *address, int64_t since, int64_t *count,
			GError **error)
{
	*count = 0;
	return db_get_int(t,
			  "SELECT count(DISTINCT outbox) FROM outbox_recipient "
			  "WHERE state IN ('sent', 'unknown', 'bounced') "
			  "AND at >= ?1 AND (?2 IS NULL OR address = ?2)",
			  DB_ARGS(DB_INT(since), DB_TEXT(address)), count, error);
}
