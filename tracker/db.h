/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layer over SQLite: typed binds, rows as a scope, transactions as a scope, each
 * statement prepared once.  SQL texts are literals; their address is the cache's key.
 */
#ifndef TRACKER_DB_H
#define TRACKER_DB_H

#include <sqlite3.h>

#include "tracker/tracker.h"

#define DB_VERSION 8 /* user_version of schema.sql */

extern const char db_schema[];

typedef struct known_ids known_ids; /* known.c */
void known_free(known_ids *k);
typedef struct known_places known_places; /* places.c */
void places_free(known_places *k);

struct tracker {
	sqlite3 *db;
	char *path;
	bool read_only;
	GHashTable *statements; /* SQL text by address -> sqlite3_stmt */
	GPtrArray *own, *robots, *robot_team, *operators, *maintainers, *trusted_hosts;
	GHashTable *aliases; /* NULL: none */
	bool require_dkim;
	unsigned apply;
	uint64_t hash_key[2]; /* of unclaimed.hash and refs */
	known_ids *known;     /* NULL before the first ingest */
	known_places *places; /* NULL until one is asked about */
};

typedef struct db_arg {
	enum {
		DB_END_,
		DB_NULL_,
		DB_INT_,
		DB_REAL_,
		DB_TEXT_,
		DB_BLOB_
	} type;
	union {
		int64_t integer;
		double real;
		struct {
			const void *data;
			size_t length;
		} bytes;
	};
} db_arg;

/* clang-format off */
#define DB_ARGS(...)     ((const db_arg[]){ __VA_ARGS__, { .type = DB_END_ } })
#define DB_NO_ARGS       ((const db_arg[]){ { .type = DB_END_ } })
#define DB_INT(n)        { .type = DB_INT_, .integer = (n) }
#define DB_REAL(x)       { .type = DB_REAL_, .real = (x) }
#define DB_TEXT(s)       { .type = DB_TEXT_, .bytes = { (s), 0 } } /* NULL is NULL */
#define DB_BLOB(p, n)    { .type = DB_BLOB_, .bytes = { (p), (n) } }
#define DB_NULL          { .type = DB_NULL_ }
/* A real that may be unknown; a row id of which 0 means none. */
#define DB_MAYBE(has, x) { .type = (has) ? DB_REAL_ : DB_NULL_, .real = (x) }
#define DB_ROW(id)       { .type = (id) ? DB_INT_ : DB_NULL_, .integer = (id) }
/* clang-format on */

/* Opens the connection with its pragmas; no schema. */
tracker *db_open(const char *path, int flags, GError **error);

/* Sets *error from the connection's last failure and returns false. */
bool db_fail(tracker *t, GError **error);

/* Runs a statement that returns no rows. */
bool db_run(tracker *t, const char *sql, const db_arg *args, GError **error);

/* Runs several statements without arguments. */
bool db_script(tracker *t, const char *sql, GError **error);

/* The row id of the last insert; rows that the last statement changed. */
int64_t db_id(tracker *t);
int db_changes(tracker *t);

/* Rows of a query: while (db_next(&rows, error)) ...; then if (rows.failed) return
 * false. */
typedef struct db_rows {
	tracker *t;
	sqlite3_stmt *statement;
	bool own; /* not from the cache, because that one is in use */
	bool failed;
} db_rows;

bool db_query(tracker *t, db_rows *rows, const char *sql, const db_arg *args,
	      GError **error);
bool db_next(db_rows *rows, GError **error);
void db_rows_clear(db_rows *rows);

const char *db_text(const db_rows *rows, int column); /* lent until the next row */
char *db_dup(const db_rows *rows, int column);        /* NULL for NULL */
int64_t db_int(const db_rows *rows, int column);      /* 0 for NULL */
double db_real(const db_rows *rows, int column);
bool db_is_null(const db_rows *rows, int column);
GBytes *db_bytes(const db_rows *rows, int column); /* a copy; NULL for NULL */

/* The first column of the first row; *value is untouched when there is none. */
bool db_get_int(tracker *t, const char *sql, const db_arg *args, int64_t *value,
		GError **error);
bool db_get_text(tracker *t, const char *sql, const db_arg *args, char **value,
		 GError **error);

/* A transaction that rolls back when its scope ends without db_commit(). */
typedef struct db_tx {
	tracker *t;
} db_tx;

bool db_begin(tracker *t, db_tx *tx, GError **error);
bool db_commit(db_tx *tx, GError **error);
void db_tx_clear(db_tx *tx);

/* zlib; the length of the plain text is stored in front.  NULL in, NULL out. */
GBytes *db_pack(const void *bytes, size_t length);
GBytes *db_unpack(const void *bytes, size_t length);

/* Keyed hash of a text, for tables that hold hashes instead of ids. */
int64_t db_hash(const tracker *t, const char *text);

/* Brings the file to DB_VERSION; an empty one gets the schema. */
bool db_migrate(tracker *t, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(db_rows, db_rows_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(db_tx, db_tx_clear)

#endif
