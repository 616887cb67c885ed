/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracker/db.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define BUSY_MS 5000

bool db_fail(tracker *t, GError **error)
{
	int code = sqlite3_errcode(t->db);
	tracker_error kind = TRACKER_ERROR_FAILED;
	const char *hint = "";

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
		kind = TRACKER_ERROR_BUSY;
		hint = " (another process is writing)";
	}
	if (code == SQLITE_FULL)
		hint = " (no space left)";
	if (code == SQLITE_CANTOPEN)
		hint = " (can files be made beside it, and is there space?)";
	g_set_error(error, TRACKER_ERROR, kind, "%s: %s%s", t->path,
		    sqlite3_errmsg(t->db), hint);
	return false;
}

static void finalize(gpointer statement)
{
	sqlite3_finalize(statement);
}

tracker *db_open(const char *path, int flags, GError **error)
{
	g_autoptr(tracker) t = g_new0(tracker, 1);

	t->path = g_strdup(path);
	t->read_only = flags & SQLITE_OPEN_READONLY;
	t->statements =
		g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, finalize);
	/* Nobody asks how much memory SQLite has, and to count it takes a lock each
	 * time. Refused when SQLite is in use already: then all is as it was. */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (sqlite3_open_v2(path, &t->db, flags | SQLITE_OPEN_NOMUTEX, NULL)) {
		db_fail(t, error);
		return NULL;
	}
	sqlite3_extended_result_codes(t->db, 0);
	sqlite3_busy_timeout(t->db, BUSY_MS);
	/* FULL: a committed transaction survives the loss of power. */
	if (!db_script(t,
		       "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
		       "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;",
		       error))
		return NULL;
	/* Who writes goes on for long. A question touches each page once or twice, and
	 * to map it costs more than to read it. */
	if (!t->read_only && !db_script(t, "PRAGMA mmap_size = 2147418112;", error))
		return NULL;
	return g_steal_pointer(&t);
}

void tracker_close(tracker *t)
{
	if (!t)
		return;
	g_hash_table_destroy(t->statements);
	known_free(t->known);
	places_free(t->places);
	sqlite3_close(t->db);
	g_clear_pointer(&t->own, g_ptr_array_unref);
	g_clear_pointer(&t->robots, g_ptr_array_unref);
	g_clear_pointer(&t->aliases, g_hash_table_unref);
	g_clear_pointer(&t->robot_team, g_ptr_array_unref);
	g_clear_pointer(&t->operators, g_ptr_array_unref);
	g_clear_pointer(&t->maintainers, g_ptr_array_unref);
	g_clear_pointer(&t->trusted_hosts, g_ptr_array_unref);
	g_free(t->path);
	g_free(t);
}

static sqlite3_stmt *prepare(tracker *t, const char *sql, unsigned flags,
			     GError **error)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v3(t->db, sql, -1, flags, &statement, NULL))
		db_fail(t, error);
	return statement;
}

static bool bind(tracker *t, sqlite3_stmt *statement, const db_arg *args,
		 GError **error)
{
	for (int i = 1; args->type != DB_END_; args++, i++) {
		int rc = SQLITE_OK;

		switch (args->type) {
		case DB_INT_:
			rc = sqlite3_bind_int64(statement, i, args->integer);
			break;
		case DB_REAL_:
			rc = sqlite3_bind_double(statement, i, args->real);
			break;
		case DB_TEXT_:
			rc = sqlite3_bind_text(statement, i, args->bytes.data, -1,
					       SQLITE_STATIC);
			break;
		case DB_BLOB_:
			rc = args->bytes.data ?
				     sqlite3_bind_blob64(statement, i, args->bytes.data,
							 args->bytes.length,
							 SQLITE_STATIC) :
				     sqlite3_bind_null(statement, i);
			break;
		default:
			rc = sqlite3_bind_null(statement, i);
		}
		if (rc)
			return db_fail(t, error);
	}
	return true;
}

bool db_query(tracker *t, db_rows *rows, const char *sql, const db_arg *args,
	      GError **error)
{
	db_rows_clear(rows);
	rows->t = t;
	rows->failed = true;
	rows->statement = g_hash_table_lookup(t->statements, sql);
	rows->own = rows->statement && sqlite3_stmt_busy(rows->statement);
	if (!rows->statement || rows->own) {
		rows->statement = prepare(
			t, sql, rows->own ? 0 : SQLITE_PREPARE_PERSISTENT, error);
		if (!rows->statement)
			return false;
		if (!rows->own)
			g_hash_table_insert(t->statements, (gpointer)sql,
					    rows->statement);
	}
	if (!bind(t, rows->statement, args, error)) {
		db_rows_clear(rows);
		return false;
	}
	rows->failed = false;
	return true;
}

bool db_next(db_rows *rows, GError **error)
{
	int rc = sqlite3_step(rows->statement);

	if (rc == SQLITE_ROW)
		return true;
	if (rc != SQLITE_DONE) {
		db_fail(rows->t, error);
		rows->failed = true;
	}
	return false;
}

void db_rows_clear(db_rows *rows)
{
	if (rows->statement && rows->own) {
		sqlite3_finalize(rows->statement);
	} else if (rows->statement) {
		sqlite3_reset(rows->statement);
		sqlite3_clear_bindings(rows->statement);
	}
	rows->statement = NULL;
}

bool db_run(tracker *t, const char *sql, const db_arg *args, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, sql, args, error))
		return false;
	while (db_next(&rows, error))
		;
	return !rows.failed;
}

bool db_script(tracker *t, const char *sql, GError **error)
{
	return !sqlite3_exec(t->db, sql, NULL, NULL, NULL) || db_fail(t, error);
}

int64_t db_id(tracker *t)
{
	return sqlite3_last_insert_rowid(t->db);
}

int db_changes(tracker *t)
{
	return sqlite3_changes(t->db);
}

const char *db_text(const db_rows *rows, int column)
{
	return (const char *)sqlite3_column_text(rows->statement, column);
}

char *db_dup(const db_rows *rows, int column)
{
	return g_strdup(db_text(rows, column));
}

int64_t db_int(const db_rows *rows, int column)
{
	return sqlite3_column_int64(rows->statement, column);
}

double db_real(const db_rows *rows, int column)
{
	return sqlite3_column_double(rows->statement, column);
}

bool db_is_null(const db_rows *rows, int column)
{
	return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

GBytes *db_bytes(const db_rows *rows, int column)
{
	const void *blob = sqlite3_column_blob(rows->statement, column);

	if (db_is_null(rows, column))
		return NULL;
	return g_bytes_new(blob, (size_t)sqlite3_column_bytes(rows->statement, column));
}

bool db_get_int(tracker *t, const char *sql, const db_arg *args, int64_t *value,
		GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, sql, args, error))
		return false;
	if (db_next(&rows, error) && !db_is_null(&rows, 0))
		*value = db_int(&rows, 0);
	return !rows.failed;
}

bool db_get_text(tracker *t, const char *sql, const db_arg *args, char **value,
		 GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, sql, args, error))
		return false;
	if (db_next(&rows, error) && !db_is_null(&rows, 0)) {
		g_free(*value);
		*value = db_dup(&rows, 0);
	}
	return !rows.failed;
}

/*
 * For tests of what a crash leaves behind: the process dies at the Nth durable write,
 * counted before and after each commit.
 */
static void die_point(void)
{
	static long left = -1;

	if (left == -1) {
		const char *setting = getenv("REGTRAIL_DIE_AFTER");

		left = setting ? strtol(setting, NULL, 10) : 0;
	}
	if (left > 0 && --left == 0)
		raise(SIGKILL);
}

bool db_begin(tracker *t, db_tx *tx, GError **error)
{
	if (!db_run(t, "BEGIN IMMEDIATE", DB_NO_ARGS, error))
		return false;
	tx->t = t;
	return true;
}

bool db_commit(db_tx *tx, GError **error)
{
	die_point();
	if (!db_run(tx->t, "COMMIT", DB_NO_ARGS, error))
		return false;
	tx->t = NULL;
	die_point();
	return true;
}

void db_tx_clear(db_tx *tx)
{
	if (tx->t && !sqlite3_get_autocommit(tx->t->db))
		db_run(tx->t, "ROLLBACK", DB_NO_ARGS, NULL);
	tx->t = NULL;
}
