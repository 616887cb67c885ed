/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ingest_floor scan DATABASE MBOX | gmime MBOX: the least that an ingest can cost.
 * scan: the scanner over every mail of the mailbox, and for each a row of hashes as the
 * tracker writes it, in the tracker's tables and transactions, but no question asked
 * and nothing read.  gmime: GMime parses every mail, and that is all.
 */
#include <gmime/gmime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracker/db.h"

#define BATCH 20000 /* rows of a transaction */

static void die(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

/* ---- the scanner and the tables -------------------------------------------------- */

typedef struct floor_store {
	tracker *t;
	sqlite3_stmt *insert;
	GArray *hashes; /* of the mail at hand */
	unsigned in_batch;
} floor_store;

static void run(floor_store *s, const char *sql)
{
	if (sqlite3_exec(s->t->db, sql, NULL, NULL, NULL))
		die(sql, sqlite3_errmsg(s->t->db));
}

static void open_store(floor_store *s, const char *path)
{
	g_autoptr(GError) error = NULL;

	if (!tracker_create(path, &error) ||
	    !(s->t = tracker_open(path, false, &error)))
		die(path, error->message);
	run(s, "BEGIN IMMEDIATE");
	run(s, "INSERT INTO place (id, source, name) VALUES (1, 'file', 'mailbox')");
	if (sqlite3_prepare_v3(
		    s->t->db,
		    "INSERT OR IGNORE INTO unclaimed (hash, refs, place, at, length, form, "
		    "number, arrived) VALUES (?1, ?2, 1, ?3, ?4, 1, 0, 1)",
		    -1, SQLITE_PREPARE_PERSISTENT, &s->insert, NULL))
		die(path, sqlite3_errmsg(s->t->db));
	s->hashes = g_array_new(FALSE, FALSE, sizeof(int64_t));
}

static void add_hashes(floor_store *s, const GPtrArray *ids)
{
	for (guint i = 0; i < ids->len; i++) {
		int64_t hash = db_hash(s->t, ids->pdata[i]);

		g_array_append_val(s->hashes, hash);
	}
}

static void store(floor_store *s, const char *bytes, const parser_slice *slice)
{
	g_auto(parser_scan) scan = { 0 };

	if (!parser_scan_message(bytes + slice->offset, slice->length, &scan, NULL) ||
	    !scan.message_id)
		return;
	g_array_set_size(s->hashes, 0);
	add_hashes(s, scan.in_reply_to);
	add_hashes(s, scan.references);
	sqlite3_bind_int64(s->insert, 1, db_hash(s->t, scan.message_id));
	sqlite3_bind_blob64(s->insert, 2, s->hashes->len ? s->hashes->data : "",
			    s->hashes->len * sizeof(int64_t), SQLITE_STATIC);
	sqlite3_bind_int64(s->insert, 3, (sqlite3_int64)slice->offset);
	sqlite3_bind_int64(s->insert, 4, (sqlite3_int64)slice->length);
	if (sqlite3_step(s->insert) != SQLITE_DONE)
		die("insert", sqlite3_errmsg(s->t->db));
	sqlite3_reset(s->insert);
	if (++s->in_batch % BATCH == 0) {
		run(s, "COMMIT");
		run(s, "BEGIN IMMEDIATE");
	}
}

static void close_store(floor_store *s)
{
	run(s, "COMMIT");
	sqlite3_finalize(s->insert);
	g_array_unref(s->hashes);
	tracker_close(s->t);
}

/* ---- GMime ----------------------------------------------------------------------- */

static void parse(const char *bytes, const parser_slice *slice)
{
	GMimeStream *stream =
		g_mime_stream_mem_new_with_buffer(bytes + slice->offset, slice->length);
	GMimeParser *parser = g_mime_parser_new_with_stream(stream);
	GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);

	if (message)
		g_object_unref(message);
	g_object_unref(parser);
	g_object_unref(stream);
}

int main(int argc, char **argv)
{
	bool scan = argc == 4 && strcmp(argv[1], "scan") == 0;
	floor_store s = { 0 };
	g_autoptr(GError) error = NULL;
	parser_splitter splitter;
	parser_slice slice;

	if (!scan && !(argc == 3 && strcmp(argv[1], "gmime") == 0))
		die("usage", "ingest_floor scan DATABASE MBOX | gmime MBOX");

	g_autoptr(GMappedFile) file = g_mapped_file_new(argv[argc - 1], FALSE, &error);

	if (!file)
		die(argv[argc - 1], error->message);
	if (scan)
		open_store(&s, argv[2]);
	else
		g_mime_init();
	parser_splitter_init(&splitter, g_mapped_file_get_contents(file),
			     g_mapped_file_get_length(file));
	while (parser_splitter_next(&splitter, &slice)) {
		if (scan)
			store(&s, splitter.bytes, &slice);
		else
			parse(splitter.bytes, &slice);
	}
	if (scan)
		close_store(&s);
	return 0;
}
