/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of ingest.  Every mail gets the fast look; only what is in a tracked thread, or
 * may be a robot's report or about one, is read to the end.
 */
#include "tracker/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "tracker/link.h"

void tracker_ingest_free(tracker_ingest *run)
{
	if (!run)
		return;
	refresh_clear(&run->r);
	db_tx_clear(&run->tx);
	g_clear_pointer(&run->names, g_array_unref);
	g_clear_pointer(&run->fresh, g_array_unref);
	g_clear_pointer(&run->claimable, claim_index_free);
	g_clear_pointer(&run->archive, g_hash_table_destroy);
	g_clear_pointer(&run->refusals, g_ptr_array_unref);
	g_free(run->place_source);
	g_free(run->place_name);
	g_free(run);
}

/* A digest: there may be thousands. */
static void note_aliases(const tracker *t, GString *text)
{
	g_autoptr(GList) keys = t->aliases ?
					g_list_sort(g_hash_table_get_keys(t->aliases),
						    (GCompareFunc)g_strcmp0) :
					NULL;
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (GList *l = keys; l; l = l->next) {
		g_autofree char *line = g_strdup_printf(
			"%s %s\n", (char *)l->data,
			(char *)g_hash_table_lookup(t->aliases, l->data));

		g_checksum_update(sum, (const guchar *)line, -1);
	}
	if (keys)
		g_string_append_printf(text, " %s", g_checksum_get_string(sum));
}

/* Who counts follows from the configuration: when that changed, all groups of reports
 * and all open regressions are stale. */
static bool check_policy(tracker_ingest *run, GError **error)
{
	const GPtrArray *const parts[] = { run->t->own,         run->t->robots,
					   run->t->robot_team,  run->t->operators,
					   run->t->maintainers, run->t->trusted_hosts };
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *before = NULL;
	g_auto(db_rows) rows = { 0 };

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		for (guint k = 0; parts[i] && k < parts[i]->len; k++)
			g_string_append_printf(text, "%s ", (char *)parts[i]->pdata[k]);
		g_string_append_c(text, '\n');
	}
	g_string_append_printf(text, "%d %u", run->t->require_dkim, run->t->apply);
	note_aliases(run->t, text);
	if (!db_get_text(run->t, "SELECT value FROM meta WHERE name = 'policy'",
			 DB_NO_ARGS, &before, error))
		return false;
	if (!g_strcmp0(before, text->str))
		return true;
	if (!db_run(run->t,
		    "INSERT OR REPLACE INTO meta (name, value) VALUES ('policy', ?1)",
		    DB_ARGS(DB_BLOB(text->str, text->len)), error) ||
	    !db_query(run->t, &rows, "SELECT id FROM regression WHERE open = 1",
		      DB_NO_ARGS, error))
		return false;
	while (db_next(&rows, error))
		refresh_regression(&run->r, db_int(&rows, 0));
	if (rows.failed ||
	    !db_query(run->t, &rows,
		      "SELECT DISTINCT culprit FROM report WHERE origin = 'seen'",
		      DB_NO_ARGS, error))
		return false;
	while (db_next(&rows, error))
		refresh_culprit(&run->r, db_text(&rows, 0));
	return !rows.failed;
}

static bool look_for_forgotten(tracker_ingest *run, GError **error)
{
	int64_t any = 0;

	if (!db_get_int(run->t, "SELECT EXISTS (SELECT 1 FROM forgotten)", DB_NO_ARGS,
			&any, error))
		return false;
	run->any_forgotten = any;
	return true;
}

tracker_ingest *tracker_ingest_begin(tracker *t, const parser_rules *rules,
				     const parser_lists *lists, tracker_again_fn again,
				     void *context, int64_t now, GError **error)
{
	g_autoptr(tracker_ingest) run = g_new0(tracker_ingest, 1);

	run->t = t;
	run->rules = rules;
	run->lists = lists;
	run->again = again;
	run->context = context;
	run->now = now;
	run->names = g_array_new(FALSE, FALSE, sizeof(int64_t));
	run->fresh = g_array_new(FALSE, FALSE, sizeof(int64_t));
	run->archive = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	refresh_init(&run->r, t, now);
	if (!db_begin(t, &run->tx, error) || !known_begin(t, error) ||
	    !look_for_forgotten(run, error) || !check_policy(run, error))
		return NULL;
	return g_steal_pointer(&run);
}

bool place_find(tracker_ingest *run, const tracker_place *place, int64_t *row,
		GError **error)
{
	if (run->place_row && !strcmp(run->place_name, place->name) &&
	    !strcmp(run->place_source, place->source)) {
		*row = run->place_row;
		return true;
	}
	/* What arrives is new, as a rule: then it is looked for once. */
	if (!db_run(run->t,
		    "INSERT INTO place (source, name, delivered) VALUES (?1, ?2, ?3) "
		    "ON CONFLICT DO NOTHING",
		    DB_ARGS(DB_TEXT(place->source), DB_TEXT(place->name),
			    DB_INT(place->delivered)),
		    error))
		return false;
	*row = db_id(run->t);
	if (db_changes(run->t))
		places_added(run->t, place->source, place->name);
	else if (!db_get_int(run->t,
			     "SELECT id FROM place WHERE source = ?1 AND name = ?2",
			     DB_ARGS(DB_TEXT(place->source), DB_TEXT(place->name)), row,
			     error) ||
		 !db_run(run->t,
			 "UPDATE place SET delivered = ?2 WHERE id = ?1 AND "
			 "delivered <> ?2",
			 DB_ARGS(DB_INT(*row), DB_INT(place->delivered)), error))
		return false;
	g_free(run->place_source);
	g_free(run->place_name);
	run->place_source = g_strdup(place->source);
	run->place_name = g_strdup(place->name);
	run->place_row = *row;
	g_hash_table_remove_all(run->archive);
	return true;
}

/* A mail that is stored, a report that is known by a quote, a mail of ours whose id
 * proves what it is about: answers to it are tracked. */
static bool is_tracked_id(tracker *t, const char *id, bool *tracked, GError **error)
{
	int64_t hit = 0;

	if (!db_get_int(
		    t,
		    "SELECT 1 FROM message m WHERE message_id = ?1 AND (origin <> 'ghost' "
		    "OR EXISTS (SELECT 1 FROM report WHERE message = m.id))",
		    DB_ARGS(DB_TEXT(id)), &hit, error))
		return false;
	if (!hit && !proof_find(t, id, &hit, error))
		return false;
	*tracked |= hit;
	return true;
}

static bool any_tracked(tracker *t, const GPtrArray *ids, bool *tracked, GError **error)
{
	for (guint i = 0; i < ids->len && !*tracked; i++)
		if (!is_tracked_id(t, ids->pdata[i], tracked, error))
			return false;
	return true;
}

bool is_forgotten(tracker_ingest *run, int64_t hash, bool *gone, GError **error)
{
	int64_t hit = 0;

	if (run->any_forgotten &&
	    !db_get_int(run->t, "SELECT 1 FROM forgotten WHERE hash = ?1",
			DB_ARGS(DB_INT(hash)), &hit, error))
		return false;
	*gone = hit;
	return true;
}

static bool names_known_regression(tracker *t, const char *id, bool *tracked,
				   GError **error)
{
	int64_t row;

	if (!id || *tracked)
		return true;
	if (!regression_find(t, id, &row, error))
		return false;
	*tracked = row;
	return true;
}

/* A subject that names the culprit of a known regression: good enough for a guess. */
static bool names_known_culprit(tracker *t, const char *subject, bool *tracked,
				GError **error)
{
	g_autofree char *culprit = link_subject_commit(subject);
	int64_t hit = 0;

	if (!culprit || *tracked)
		return true;
	if (!db_get_int(t, "SELECT 1 FROM regression WHERE culprit = ?1 LIMIT 1",
			DB_ARGS(DB_TEXT(culprit)), &hit, error))
		return false;
	*tracked = hit;
	return true;
}

bool arrival_is_tracked(tracker_ingest *run, const arrival *a, bool *tracked,
			GError **error)
{
	const parser_reading *reading = a->reading;
	const parser_mail *mail = reading->mail;

	*tracked = a->parent || reading->report || reading->quoted_report;
	return any_tracked(run->t, mail->in_reply_to, tracked, error) &&
	       any_tracked(run->t, mail->references, tracked, error) &&
	       any_tracked(run->t, reading->links, tracked, error) &&
	       names_known_regression(run->t, mail->regression, tracked, error) &&
	       names_known_culprit(run->t, mail->subject, tracked, error);
}

bool ingest_full(tracker_ingest *run, arrival *a, bool *stored, GError **error)
{
	bool refused = false, tracked = false, gone = false, ghost;
	int64_t known;

	*stored = false;
	if (!arrival_read(run, a, &refused, error))
		return false;
	if (refused)
		return true;
	if (!is_forgotten(run, db_hash(run->t, a->message_id), &gone, error) ||
	    !message_find(run->t, a->message_id, &known, &ghost, error))
		return false;
	if (gone || (known && !ghost)) {
		run->counts.duplicates += gone;
		*stored = true;
		return gone || copy_store(run, known, a, error);
	}
	if (!arrival_is_tracked(run, a, &tracked, error))
		return false;
	if (!tracked) {
		names_of(run, NULL, a);
		return unclaimed_store(run, a->message_id, a, error);
	}
	*stored = true;
	return arrival_store(run, a, error) &&
	       (!a->bounce || outbox_bounced(&run->r, a->bounce, error));
}

/* Whether a mail of which only the header was read belongs to what is tracked. */
static bool scan_is_tracked(tracker_ingest *run, const parser_scan *scan, bool *known,
			    GError **error)
{
	tracker *t = run->t;
	bool may;

	if (!known_may_be(t, db_hash(t, scan->message_id), &may, error))
		return false;
	may |= run->names_ours;
	for (guint i = 0; i < run->names->len && !may; i++)
		if (!known_may_be(t, g_array_index(run->names, int64_t, i), &may,
				  error))
			return false;
	if (may && (!is_tracked_id(t, scan->message_id, known, error) ||
		    !any_tracked(t, scan->in_reply_to, known, error) ||
		    !any_tracked(t, scan->references, known, error) ||
		    (scan->links && !any_tracked(t, scan->links, known, error))))
		return false;
	return names_known_culprit(t, scan->subject, known, error);
}

/* For tests that compare: every mail is read to the end. */
static bool reads_all(void)
{
	static int all = -1;

	if (all < 0)
		all = getenv("REGTRAIL_READ_ALL") != NULL;
	return all;
}

/* What came by one list comes by others, too; *seen: it is stored already, and that was
 * all that there was to do. */
static bool look_for_copy(tracker_ingest *run, const arrival *a,
			  const parser_scan *scan, bool *seen, GError **error)
{
	bool may;

	*seen = false;
	return known_may_be(run->t, db_hash(run->t, scan->message_id), &may, error) &&
	       (!may || copy_seen(run, a, scan, seen, error));
}

/* The fast look; *full = it has to be read to the end. */
static bool look(tracker_ingest *run, const arrival *a, bool *full, GError **error)
{
	g_auto(parser_scan) scan = { 0 };
	bool known = false, seen;

	*full = true;
	if (a->place->form == PARSER_FORM_ARCHIVE || reads_all() ||
	    !parser_scan_message(a->bytes, a->length, &scan, NULL))
		return true; /* the full parse says what is wrong with it */
	if (!scan.message_id)
		return true;
	if (!look_for_copy(run, a, &scan, &seen, error))
		return false;
	if (seen || scan.candidate || scan.bounce) {
		*full = !seen;
		return true;
	}
	names_of(run, &scan, a);
	if (!scan_is_tracked(run, &scan, &known, error))
		return false;
	if (known)
		return true;
	*full = false;
	return unclaimed_store(run, scan.message_id, a, error);
}

bool tracker_ingest_message(tracker_ingest *run, const char *bytes, size_t length,
			    const tracker_place *place, GError **error)
{
	g_auto(arrival) a = { .bytes = bytes, .length = length, .place = place };
	bool full, stored;

	run->counts.messages++;
	if (!place_find(run, place, &a.place_row, error) ||
	    !look(run, &a, &full, error))
		return false;
	return !full || ingest_full(run, &a, &stored, error);
}

bool tracker_ingest_refuse(tracker_ingest *run, const tracker_place *place,
			   const char *why, GError **error)
{
	arrival a = { .place = place };

	run->counts.messages++;
	return place_find(run, place, &a.place_row, error) &&
	       arrival_refuse(run, &a, why, error);
}

bool tracker_missing(tracker *t, char **id, GError **error)
{
	*id = NULL;
	return db_get_text(
		t,
		"SELECT wanted FROM (SELECT m.message_id AS wanted, r.id AS age "
		"FROM report r JOIN message m ON m.id = r.message "
		"WHERE m.origin = 'ghost' "
		/* What a report answers is not part of its thread. */
		"UNION ALL SELECT x.target, x.message FROM link l "
		"JOIN reference x ON x.message = l.message AND x.kind = 'in-reply-to' "
		"WHERE l.key <> 'report' AND NOT EXISTS (SELECT 1 FROM message m "
		"WHERE m.message_id = x.target AND m.origin <> 'ghost')) "
		"WHERE NOT EXISTS (SELECT 1 FROM source WHERE name = ?1 || wanted) "
		"ORDER BY age DESC LIMIT 1",
		DB_ARGS(DB_TEXT(TRACKER_ASKED)), id, error);
}

bool tracker_ingest_cursor(tracker_ingest *run, const char *source, const char *cursor,
			   GError **error)
{
	return db_run(
		run->t,
		"INSERT OR REPLACE INTO source (name, cursor, at) VALUES (?1, ?2, ?3)",
		DB_ARGS(DB_TEXT(source), DB_TEXT(cursor), DB_INT(run->now)), error);
}

bool tracker_cursor_get(tracker *t, const char *source, char **cursor, GError **error)
{
	*cursor = NULL;
	return db_get_text(t, "SELECT cursor FROM source WHERE name = ?1",
			   DB_ARGS(DB_TEXT(source)), cursor, error);
}

static bool commit(tracker_ingest *run, bool more, tracker_counts *counts,
		   GError **error)
{
	if (!claim_settle(run, more, error) || !db_commit(&run->tx, error))
		return false;
	if (counts)
		*counts = run->counts;
	return true;
}

bool tracker_ingest_commit(tracker_ingest *run, tracker_counts *counts, GError **error)
{
	return commit(run, false, counts, error);
}

bool tracker_ingest_pause(tracker_ingest *run, tracker_counts *counts, GError **error)
{
	return commit(run, true, counts, error);
}
