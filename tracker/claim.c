/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mail that belongs to no tracked thread costs one small row.  When a report that comes
 * later claims it, it is read again from where it was found.
 */
#include <string.h>

#include "tracker/ingest.h"
#include "tracker/link.h"

char *claim_by_subject(const char *culprit)
{
	return g_strconcat("subject:", culprit, NULL);
}

char *claim_by_id(const char *regression)
{
	return g_strconcat("id:", regression, NULL);
}

static char *claim_by_proof(const char *digits)
{
	return g_strconcat("own:", digits, NULL);
}

static void add_hash(GArray *hashes, tracker *t, const char *name)
{
	int64_t hash = db_hash(t, name);

	g_array_append_val(hashes, hash);
}

static void add_hashes(GArray *hashes, tracker *t, const GPtrArray *names)
{
	for (guint i = 0; i < names->len; i++)
		add_hash(hashes, t, names->pdata[i]);
}

/* Ids, and what those that look like ours prove. */
static void add_ids(tracker_ingest *run, const GPtrArray *ids)
{
	add_hashes(run->names, run->t, ids);
	for (guint i = 0; i < ids->len; i++) {
		g_autofree char *digits = proof_digits(run->t, ids->pdata[i]);
		g_autofree char *name = digits ? claim_by_proof(digits) : NULL;

		if (!name)
			continue;
		run->names_ours = true;
		add_hash(run->names, run->t, name);
	}
}

void names_of(tracker_ingest *run, const parser_scan *scan, const arrival *a)
{
	tracker *t = run->t;
	GArray *hashes = g_array_set_size(run->names, 0);
	const parser_mail *mail = scan ? NULL : a->reading->mail;
	g_autofree char *culprit =
		link_subject_commit(scan ? scan->subject : mail->subject);

	run->names_ours = false;
	add_ids(run, scan ? scan->in_reply_to : mail->in_reply_to);
	add_ids(run, scan ? scan->references : mail->references);
	if (culprit) {
		g_autofree char *name = claim_by_subject(culprit);

		add_hash(hashes, t, name);
	}
	if (mail || scan->links)
		add_hashes(hashes, t, mail ? a->reading->links : scan->links);
	if (mail && mail->regression) {
		g_autofree char *name = claim_by_id(mail->regression);

		add_hash(hashes, t, name);
	}
}

/* A command in an untracked thread is kept for the operator to see. */
static bool store_strays(tracker_ingest *run, const arrival *a, GError **error)
{
	const parser_reading *reading = a->reading;

	for (guint i = 0; reading && i < reading->commands->len; i++) {
		const parser_command *c = reading->commands->pdata[i];
		const parser_address *from = &reading->mail->from;

		if (!g_ascii_strcasecmp(c->prefix, "#regtrail") &&
		    !db_run(run->t,
			    "INSERT OR REPLACE INTO stray (hash, position, message_id, "
			    "author, date, verb, arguments) "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
			    DB_ARGS(DB_INT(db_hash(run->t, a->message_id)), DB_INT(i),
				    DB_TEXT(a->message_id),
				    DB_TEXT(from->name    ? from->name :
					    from->address ? from->address :
							    ""),
				    DB_INT(reading->mail->date), DB_TEXT(c->verb),
				    DB_TEXT(c->arguments)),
			    error))
			return false;
	}
	return !reading || arrival_stop(run, reading, error);
}

bool unclaimed_store(tracker_ingest *run, const char *message_id, const arrival *a,
		     GError **error)
{
	const tracker_place *place = a->place;
	const GArray *hashes = run->names;
	int64_t hash = db_hash(run->t, message_id);
	bool gone = false;
	g_autoptr(GBytes) kept = place->keep ? db_pack(a->bytes, a->length) : NULL;

	if (!is_forgotten(run, hash, &gone, error))
		return false;
	if (gone)
		return true;
	run->counts.unclaimed++;
	if (!db_run(run->t,
		    "INSERT OR IGNORE INTO unclaimed (hash, refs, place, at, length, form, "
		    "number, arrived, kept) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
		    DB_ARGS(DB_INT(hash),
			    DB_BLOB(hashes->len ? hashes->data : "",
				    hashes->len * sizeof(int64_t)),
			    DB_INT(a->place_row), DB_INT(place->offset),
			    DB_INT(place->length), DB_INT(place->form),
			    DB_INT(place->index), DB_INT(run->now),
			    DB_BLOB(kept ? g_bytes_get_data(kept, NULL) : NULL,
				    kept ? g_bytes_get_size(kept) : 0)),
		    error))
		return false;
	if (!db_changes(run->t))
		run->counts.duplicates++;
	return store_strays(run, a, error);
}

/* ---- what newly tracked mails claim -------------------------------------------------
 */

static void claim_hash(GHashTable *claims, int64_t hash)
{
	int64_t *key = g_new(int64_t, 1);

	*key = hash;
	g_hash_table_add(claims, key);
}

static void claim(tracker *t, GHashTable *claims, const char *name)
{
	claim_hash(claims, db_hash(t, name));
}

static void claim_proofs(tracker *t, GHashTable *claims, const char *id)
{
	g_autoptr(GPtrArray) proofs = proofs_of(id);

	for (guint i = 0; i < proofs->len; i++) {
		g_autofree char *name = claim_by_proof(proofs->pdata[i]);

		claim(t, claims, name);
	}
}

/* A report claims what names its culprit or its ID, too. */
static bool claim_for_report(tracker *t, int64_t message, GHashTable *claims,
			     GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT r.culprit, r.own_id, m.message_id, r.origin <> 'seen' "
		      "FROM report r "
		      "LEFT JOIN message m ON m.id = r.message "
		      "WHERE r.message = ?1 "
		      "OR (r.quoted_by = ?1 AND r.origin = 'quote')",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error)) {
		g_autofree char *subject = claim_by_subject(db_text(&rows, 0));
		g_autofree char *id = claim_by_id(db_text(&rows, 1));

		claim(t, claims, subject);
		claim(t, claims, id);
		if (!db_is_null(&rows, 2))
			claim(t, claims, db_text(&rows, 2));
		if (db_int(&rows, 3))
			claim_proofs(t, claims, db_text(&rows, 1));
	}
	return !rows.failed;
}

/* A mail that turned out to be linked to nothing goes back to where it costs little. */
static bool untrack(tracker_ingest *run, int64_t message, GError **error)
{
	static const char *const parts[] = {
		"DELETE FROM words WHERE message = ?1",
		"DELETE FROM message_list WHERE message = ?1",
		"DELETE FROM reference WHERE message = ?1",
		"DELETE FROM verdict WHERE message = ?1",
		"DELETE FROM mechanism WHERE message = ?1",
		"DELETE FROM command WHERE message = ?1",
		"DELETE FROM trailer WHERE message = ?1",
	};
	g_autoptr(GArray) hashes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_auto(db_rows) rows = { 0 };

	if (!db_query(run->t, &rows, "SELECT target FROM reference WHERE message = ?1",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	while (db_next(&rows, error))
		add_hash(hashes, run->t, db_text(&rows, 0));
	if (rows.failed ||
	    !db_query(run->t, &rows, "SELECT message_id FROM message WHERE id = ?1",
		      DB_ARGS(DB_INT(message)), error) ||
	    !db_next(&rows, error))
		return false;

	int64_t hash = db_hash(run->t, db_text(&rows, 0));

	db_rows_clear(&rows);
	if (!db_run(run->t,
		    "INSERT OR IGNORE INTO unclaimed (hash, refs, place, at, length, form, "
		    "number, arrived, kept) SELECT ?2, ?3, m.place, m.at, m.length, m.form, "
		    "m.number, m.arrived, m.bytes FROM message m WHERE id = ?1",
		    DB_ARGS(DB_INT(message), DB_INT(hash),
			    DB_BLOB(hashes->len ? hashes->data : "",
				    hashes->len * sizeof(int64_t))),
		    error))
		return false;
	if (db_changes(run->t))
		claim_index_add(run->claimable, db_id(run->t), hashes);
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		if (!db_run(run->t, parts[i], DB_ARGS(DB_INT(message)), error))
			return false;
	refresh_walks(&run->r);
	run->counts.replies--;
	run->counts.unclaimed++;
	/* Others may name it as their parent: it stays as a ghost, unless another mail
	 * stands under its id. */
	if (!db_run(run->t, "DELETE FROM message WHERE id = ?1 AND variant > 0",
		    DB_ARGS(DB_INT(message)), error))
		return false;
	return db_run(
		run->t,
		"UPDATE message SET origin = 'ghost', content = NULL, bytes = NULL, "
		"place = NULL, parent = NULL WHERE id = ?1",
		DB_ARGS(DB_INT(message)), error);
}

/* What the mails stored since the last settling claim, once it is known what they are.
 */
static bool settle_fresh(tracker_ingest *run, GHashTable *claims, GError **error)
{
	if (!refresh_links(&run->r, error))
		return false;
	for (guint i = 0; i < run->fresh->len; i++) {
		int64_t row = g_array_index(run->fresh, int64_t, i);
		g_auto(db_rows) rows = { 0 };

		if (!db_query(run->t, &rows,
			      "SELECT m.message_id, l.key FROM message m "
			      "LEFT JOIN link l ON l.message = m.id WHERE m.id = ?1 "
			      "ORDER BY l.key IN ('url', 'subject')",
			      DB_ARGS(DB_INT(row)), error))
			return false;
		if (!db_next(&rows, error))
			return false;

		const char *key = db_text(&rows, 1);

		if (!key) {
			db_rows_clear(&rows);
			if (!untrack(run, row, error))
				return false;
			continue;
		}
		if (strcmp(key, "url") && strcmp(key, "subject"))
			claim(run->t, claims, db_text(&rows, 0));
		if (!claim_for_report(run->t, row, claims, error))
			return false;
	}
	g_array_set_size(run->fresh, 0);
	return true;
}

/* So often it is gone through all that is unclaimed; if there is still more then, the
 * names in it are put in order. */
#define SCANS 3

static GArray *find_claimed(tracker_ingest *run, unsigned level, GHashTable *claims,
			    GError **error)
{
	if (level < SCANS)
		return claim_scan(run->t, claims, error);
	if (!run->claimable)
		run->claimable = claim_index_new(run->t, error);
	return run->claimable ?
		       claim_index_find(run->claimable, run->t, claims, error) :
		       NULL;
}

static GBytes *read_again(tracker_ingest *run, const db_rows *rows,
			  const tracker_place *place)
{
	g_autoptr(GBytes) kept = db_bytes(rows, 8);

	if (kept)
		return db_unpack(g_bytes_get_data(kept, NULL), g_bytes_get_size(kept));
	return run->again ? run->again(place, run->context) : NULL;
}

/* Reads one claimed mail again; what cannot be read stays where it is. */
static bool take_claimed(tracker_ingest *run, int64_t id, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    run->t, &rows,
		    "SELECT p.source, p.name, u.at, u.length, u.form, u.number, u.place, "
		    "u.kept IS NOT NULL, u.kept, p.delivered FROM unclaimed u "
		    "JOIN place p ON p.id = u.place WHERE u.id = ?1",
		    DB_ARGS(DB_INT(id)), error))
		return false;
	if (!db_next(&rows, error))
		return !rows.failed;

	g_autofree char *source = db_dup(&rows, 0);
	g_autofree char *name = db_dup(&rows, 1);
	tracker_place place = {
		.source = source,
		.name = name,
		.offset = db_int(&rows, 2),
		.length = db_int(&rows, 3),
		.form = (parser_form)db_int(&rows, 4),
		.index = (unsigned)db_int(&rows, 5),
		.keep = db_int(&rows, 7),
		.delivered = db_int(&rows, 9),
	};
	g_autoptr(GBytes) bytes = read_again(run, &rows, &place);
	g_auto(arrival) a = { .place = &place, .place_row = db_int(&rows, 6) };
	bool stored;

	db_rows_clear(&rows);
	if (!bytes)
		return true;
	a.bytes = g_bytes_get_data(bytes, &a.length);
	if (!db_run(run->t, "DELETE FROM unclaimed WHERE id = ?1", DB_ARGS(DB_INT(id)),
		    error))
		return false;
	run->counts.claimed++;
	return ingest_full(run, &a, &stored, error);
}

/* Reports that we drafted since the last run: answers to them may lie here already. */
static bool claim_for_drafts(tracker *t, GHashTable *claims, GError **error)
{
	int64_t last = 0, newest = 0;
	g_auto(db_rows) rows = { 0 };

	if (!db_get_int(t, "SELECT value FROM meta WHERE name = 'drafts-claimed'",
			DB_NO_ARGS, &last, error) ||
	    !db_query(t, &rows,
		      "SELECT id, message FROM report WHERE origin = 'own' AND id > ?1 "
		      "ORDER BY id",
		      DB_ARGS(DB_INT(last)), error))
		return false;
	while (db_next(&rows, error)) {
		newest = db_int(&rows, 0);
		if (!claim_for_report(t, db_int(&rows, 1), claims, error))
			return false;
	}
	return !rows.failed && (!newest || db_run(t,
						  "INSERT OR REPLACE INTO meta (name, "
						  "value) VALUES ('drafts-claimed', "
						  "CAST(?1 AS BLOB))",
						  DB_ARGS(DB_INT(newest)), error));
}

/* To go through all that is unclaimed takes long when that is a whole archive: once,
 * when the last of it was read, is enough. */
static bool claim_later(tracker *t, GHashTable *claims, GError **error)
{
	GHashTableIter iter;
	int64_t *hash;

	g_hash_table_iter_init(&iter, claims);
	while (g_hash_table_iter_next(&iter, (gpointer *)&hash, NULL))
		if (!db_run(t, "INSERT OR IGNORE INTO claiming (hash) VALUES (?1)",
			    DB_ARGS(DB_INT(*hash)), error))
			return false;
	return true;
}

static bool claimed_earlier(tracker *t, GHashTable *claims, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, "SELECT hash FROM claiming", DB_NO_ARGS, error))
		return false;
	while (db_next(&rows, error))
		claim_hash(claims, db_int(&rows, 0));
	return !rows.failed && (!g_hash_table_size(claims) ||
				db_run(t, "DELETE FROM claiming", DB_NO_ARGS, error));
}

bool claim_settle(tracker_ingest *run, bool more, GError **error)
{
	g_autoptr(GHashTable) claims =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	if (!claim_for_drafts(run->t, claims, error))
		return false;
	if (more)
		return settle_fresh(run, claims, error) &&
		       claim_later(run->t, claims, error) &&
		       refresh_settle(&run->r, error);
	if (!claimed_earlier(run->t, claims, error))
		return false;
	for (unsigned level = 0; run->fresh->len || g_hash_table_size(claims);
	     level++) {
		if (!settle_fresh(run, claims, error))
			return false;
		if (!g_hash_table_size(claims))
			continue;

		g_autoptr(GArray) found = find_claimed(run, level, claims, error);

		g_hash_table_remove_all(claims);
		for (guint i = 0; found && i < found->len; i++)
			if (!take_claimed(run, g_array_index(found, int64_t, i), error))
				return false;
		if (!found)
			return false;
	}
	g_clear_pointer(&run->claimable, claim_index_free);
	return refresh_settle(&run->r, error);
}
