/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creating, opening, and bringing files of earlier versions up to date. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tracker/link.h"

/* What SQL alone cannot: the digits that Message-IDs of ours prove things by. */
static bool write_proofs(tracker *t, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT DISTINCT regression, own_id FROM report "
		      "WHERE origin <> 'seen' AND regression IS NOT NULL",
		      DB_NO_ARGS, error))
		return false;
	while (db_next(&rows, error))
		if (!proofs_add(t, db_int(&rows, 0), db_text(&rows, 1), error))
			return false;
	return !rows.failed;
}

/* Scans of git trees; patches and notices in mails; what a re-test showed. */
static const char to_4[] =
	"CREATE TABLE patch (message INTEGER NOT NULL REFERENCES message ON DELETE CASCADE, "
	" position INTEGER NOT NULL, form TEXT NOT NULL CHECK (form IN ('mail', 'inline', "
	" 'scissors', 'attached', 'branch')), title TEXT, written INTEGER NOT NULL DEFAULT 0, "
	" url TEXT, branch TEXT, problem TEXT, PRIMARY KEY (message, position)) "
	"STRICT, WITHOUT ROWID;"
	"CREATE TABLE notice (message INTEGER NOT NULL REFERENCES message ON DELETE CASCADE, "
	" position INTEGER NOT NULL, tree TEXT NOT NULL, branch TEXT, mainline INTEGER NOT "
	" NULL CHECK (mainline IN (0, 1)), \"commit\" TEXT, subject TEXT, evidence TEXT NOT "
	" NULL CHECK (evidence <> ''), PRIMARY KEY (message, position)) STRICT, WITHOUT ROWID;"
	"ALTER TABLE report ADD COLUMN outcome TEXT CHECK (outcome IN "
	" ('fixed', 'partial', 'not-fixed', 'worse'));"
	"CREATE TABLE fix_4 (id INTEGER PRIMARY KEY, regression INTEGER NOT NULL REFERENCES "
	" regression, at INTEGER NOT NULL, state TEXT NOT NULL CHECK (state IN ('posted', "
	" 'queued', 'merged', 'hint', 'gone', 'back')), rule TEXT NOT NULL DEFAULT '', "
	" \"commit\" TEXT, subject TEXT, tree TEXT, evidence TEXT NOT NULL "
	" CHECK (evidence <> '')) STRICT;"
	"INSERT INTO fix_4 (id, regression, at, state, \"commit\", subject, tree, evidence) "
	" SELECT id, regression, at, state, \"commit\", subject, tree, evidence FROM fix;"
	"DROP TABLE fix;"
	"ALTER TABLE fix_4 RENAME TO fix;"
	"CREATE UNIQUE INDEX fix_once ON fix (regression, state, \"commit\", tree) "
	" WHERE state NOT IN ('gone', 'back');"
	"CREATE INDEX fix_by_regression ON fix (regression);"
	"CREATE TABLE tree_commit (tree TEXT NOT NULL, branch TEXT NOT NULL, \"commit\" TEXT "
	" NOT NULL, regression INTEGER NOT NULL REFERENCES regression, copy INTEGER NOT NULL "
	" CHECK (copy IN (0, 1)), patch TEXT, seen INTEGER NOT NULL, gone INTEGER, "
	" PRIMARY KEY (tree, branch, \"commit\", regression)) STRICT, WITHOUT ROWID;"
	"CREATE INDEX tree_commit_by_regression ON tree_commit (regression);"
	"CREATE TABLE tree_asked (tree TEXT NOT NULL, branch TEXT NOT NULL, regression "
	" INTEGER NOT NULL REFERENCES regression, digest INTEGER NOT NULL, "
	" PRIMARY KEY (tree, branch, regression)) STRICT, WITHOUT ROWID;";

/* Mail of no tracked thread, of which there are millions, is appended. */
static const char to_5[] =
	"CREATE TABLE unclaimed_5 (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, refs BLOB "
	" NOT NULL, place INTEGER NOT NULL REFERENCES place, at INTEGER NOT NULL, length "
	" INTEGER NOT NULL, form INTEGER NOT NULL CHECK (form BETWEEN 0 AND 2), number "
	" INTEGER NOT NULL, arrived INTEGER NOT NULL, kept BLOB) STRICT;"
	"INSERT INTO unclaimed_5 (id, hash, refs, place, at, length, form, number, arrived, "
	" kept) SELECT id, hash, refs, place, at, length, form, number, arrived, kept "
	" FROM unclaimed;"
	"DROP TABLE unclaimed;"
	"ALTER TABLE unclaimed_5 RENAME TO unclaimed;"
	"CREATE UNIQUE INDEX unclaimed_once ON unclaimed (place, at, number, hash);"
	"CREATE TABLE claiming (hash INTEGER PRIMARY KEY) STRICT;";

/* Beginnings of words, and who else touches a file, are found without a long search. */
static const char to_6[] =
	"CREATE INDEX commit_file_by_path ON commit_file (path);"
	"DROP TABLE words_index;"
	"CREATE VIRTUAL TABLE words_index USING fts5 (text, content = 'words', "
	" content_rowid = 'message', prefix = '3 4', "
	" tokenize = \"unicode61 remove_diacritics 2 tokenchars '_'\");"
	"INSERT INTO words_index (words_index) VALUES ('rebuild');";

/* What a mail led to is asked, and forgotten, without reading all history. */
static const char to_7[] = "CREATE INDEX event_by_message ON event (message) "
			   "WHERE message IS NOT NULL;";

/*
 * Whose report counts, what a suggestion suggests, and which mail no server of ours
 * delivered.  What follows from them is worked out anew when the configuration is next
 * looked at, for it is taken to have changed.
 */
static const char to_8[] =
	"ALTER TABLE place ADD COLUMN delivered INTEGER NOT NULL DEFAULT 1 "
	" CHECK (delivered IN (0, 1));"
	"UPDATE place SET delivered = 0 WHERE source LIKE 'nntp%' "
	" OR source LIKE 'lore+%' OR source LIKE 'http%' OR source LIKE 'pubinbox:%';"
	"UPDATE message SET signed_by = NULL WHERE signed_by IS NOT NULL AND place IN "
	" (SELECT id FROM place WHERE delivered = 0);"
	"ALTER TABLE report ADD COLUMN counts INTEGER NOT NULL DEFAULT 1 "
	" CHECK (counts IN (0, 1));"
	"ALTER TABLE event ADD COLUMN suggested TEXT CHECK (suggested IN ('reported', "
	" 'fixed', 'expected', 'ignored', 'invalid', 'not-reproducible', 'duplicate', "
	" 'dropped'));"
	"CREATE TABLE suggestion_8 (regression INTEGER NOT NULL REFERENCES regression, "
	" message INTEGER NOT NULL REFERENCES message, status TEXT NOT NULL CHECK (status "
	" IN ('reported', 'fixed', 'expected', 'ignored', 'invalid', 'not-reproducible', "
	" 'duplicate', 'dropped')), role TEXT NOT NULL CHECK (role IN ('author', "
	" 'maintainer', 'operator', 'robot-team', 'robot', 'other')), weight INTEGER NOT "
	" NULL, author TEXT NOT NULL, quote TEXT NOT NULL CHECK (quote <> ''), at INTEGER "
	" NOT NULL, PRIMARY KEY (regression, message, status)) STRICT, WITHOUT ROWID;"
	"INSERT INTO suggestion_8 SELECT regression, message, status, role, weight, "
	" author, quote, at FROM suggestion;"
	"DROP TABLE suggestion;"
	"ALTER TABLE suggestion_8 RENAME TO suggestion;"
	"CREATE INDEX suggestion_again ON suggestion (regression) "
	" WHERE status = 'reported';"
	"DELETE FROM meta WHERE name = 'policy';";

/* steps[n] brings version n to n + 1; each runs in a transaction of its own. */
static const struct step {
	const char *sql;
	bool (*more)(tracker *t, GError **error);
} steps[] = {
	{ NULL, NULL }, /* that is schema.sql */
	/* digests, and who is not to be reminded */
	{ "CREATE TABLE digest (id INTEGER PRIMARY KEY, "
	  "message INTEGER NOT NULL UNIQUE REFERENCES message, scope TEXT NOT NULL, "
	  "at INTEGER NOT NULL) STRICT;"
	  "CREATE INDEX digest_by_scope ON digest (scope, at);"
	  "CREATE TABLE digest_entry (digest INTEGER NOT NULL REFERENCES digest, "
	  "regression INTEGER NOT NULL REFERENCES regression, "
	  "status TEXT NOT NULL CHECK (status IN ('reported', 'acknowledged', "
	  "'needs-info', 'investigating', 'fix-posted', 'fix-queued')), "
	  "replies INTEGER NOT NULL, quiet INTEGER NOT NULL CHECK (quiet IN (0, 1)), "
	  "PRIMARY KEY (digest, regression)) STRICT, WITHOUT ROWID;"
	  "CREATE TABLE reminder_stop (hash INTEGER PRIMARY KEY, at INTEGER NOT NULL) "
	  "STRICT;",
	  NULL },
	/* shown digits, proofs of ids, culprits of few digits, a faster list */
	{ "ALTER TABLE regression ADD COLUMN digits INTEGER NOT NULL DEFAULT 8 "
	  "CHECK (digits BETWEEN 8 AND 40);"
	  "CREATE TEMP TABLE same AS SELECT substr(id, 1, 8) AS start FROM "
	  "(SELECT regression AS id FROM regression UNION ALL SELECT alias FROM alias) "
	  "GROUP BY 1 HAVING count(*) > 1;"
	  "UPDATE regression SET digits = 40 "
	  "WHERE substr(regression, 1, 8) IN (SELECT start FROM same);"
	  "DROP TABLE same;"
	  "DROP INDEX regression_open;"
	  "CREATE INDEX regression_open ON regression (reported_at, open, merged_into, "
	  "regression, status, kind, metric, testcase, \"commit\", subject, machine, "
	  "tree, branch, change, last_human_at, last_human, replies, owes, author, "
	  "disputed, culprit, digits) WHERE open = 1 AND merged_into IS NULL;"
	  "CREATE TABLE proof (digits TEXT NOT NULL CHECK (length(digits) = 8), "
	  "regression INTEGER NOT NULL REFERENCES regression, "
	  "PRIMARY KEY (digits, regression)) STRICT, WITHOUT ROWID;"
	  "CREATE INDEX proof_by_regression ON proof (regression);"
	  "CREATE INDEX report_short ON report (\"commit\") "
	  "WHERE length(\"commit\") < 10;",
	  write_proofs },
	{ to_4, NULL },
	{ to_5, NULL },
	{ to_6, NULL },
	{ to_7, NULL },
	{ to_8, NULL },
};

G_STATIC_ASSERT(G_N_ELEMENTS(steps) == DB_VERSION);

static bool version_of(tracker *t, int64_t *version, GError **error)
{
	*version = 0;
	return db_get_int(t, "PRAGMA user_version", DB_NO_ARGS, version, error);
}

static bool set_version(tracker *t, int64_t version, GError **error)
{
	char set[64];

	g_snprintf(set, sizeof(set), "PRAGMA user_version = %d", (int)version);
	return db_script(t, set, error);
}

static bool create(tracker *t, GError **error)
{
	return db_script(t, db_schema, error) &&
	       db_run(t,
		      "INSERT INTO meta (name, value) VALUES ('hash-key', randomblob(16))",
		      DB_NO_ARGS, error) &&
	       set_version(t, DB_VERSION, error);
}

static bool step(tracker *t, int64_t version, GError **error)
{
	const struct step *s = &steps[version];

	return db_script(t, s->sql, error) && (!s->more || s->more(t, error)) &&
	       set_version(t, version + 1, error);
}

bool db_migrate(tracker *t, GError **error)
{
	int64_t version;

	if (!version_of(t, &version, error))
		return false;
	if (version > DB_VERSION) {
		g_set_error(
			error, TRACKER_ERROR, TRACKER_ERROR_NEWER,
			"%s: made by a newer program (version %d of the store, this "
			"program knows %d)",
			t->path, (int)version, DB_VERSION);
		return false;
	}
	while (version < DB_VERSION) {
		g_auto(db_tx) tx = { 0 };

		/* Somebody else may have done the step while we waited for the lock. */
		if (!db_begin(t, &tx, error) || !version_of(t, &version, error))
			return false;
		if (version == 0 ? !create(t, error) :
				   version < DB_VERSION && !step(t, version, error))
			return false;
		if (!db_commit(&tx, error) || !version_of(t, &version, error))
			return false;
	}
	return true;
}

static bool read_hash_key(tracker *t, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, "SELECT value FROM meta WHERE name = 'hash-key'",
		      DB_NO_ARGS, error))
		return false;
	if (db_next(&rows, error)) {
		g_autoptr(GBytes) key = db_bytes(&rows, 0);

		if (g_bytes_get_size(key) == sizeof(t->hash_key))
			memcpy(t->hash_key, g_bytes_get_data(key, NULL),
			       sizeof(t->hash_key));
	}
	return !rows.failed;
}

/* A database that is none of ours, or an empty file, must not be turned into ours. */
static bool is_ours(tracker *t, GError **error)
{
	int64_t tables = 0;

	if (!db_get_int(t,
			"SELECT count(*) FROM sqlite_schema WHERE name IN "
			"('regression', 'event', 'outbox')",
			DB_NO_ARGS, &tables, error))
		return false;
	if (tables == 3)
		return true;
	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_FAILED,
		    "%s: not a database of regtrail", t->path);
	return false;
}

/* Whether nothing was ever put into it: what a create that was cut off leaves behind.
 */
static bool is_blank(tracker *t)
{
	int64_t tables = -1, rows = -1;

	if (!db_get_int(t, "SELECT count(*) FROM sqlite_schema", DB_NO_ARGS, &tables,
			NULL))
		return false;
	return tables == 0 || (is_ours(t, NULL) &&
			       db_get_int(t,
					  "SELECT EXISTS (SELECT 1 FROM message) + "
					  "EXISTS (SELECT 1 FROM place) + "
					  "EXISTS (SELECT 1 FROM source)",
					  DB_NO_ARGS, &rows, NULL) &&
			       rows == 0);
}

static bool fill(tracker *t, bool made, GError **error)
{
	if (!made && !is_blank(t)) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_EXISTS,
			    "%s: there already", t->path);
		return false;
	}
	return db_script(t, "PRAGMA journal_mode = WAL", error) && db_migrate(t, error);
}

bool tracker_create(const char *path, GError **error)
{
	/* SQLite would open what is there; O_EXCL tells whether anything is. */
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 && errno != EEXIST) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_FAILED, "%s: %s", path,
			    g_strerror(errno));
		return false;
	}
	if (fd >= 0)
		close(fd);

	g_autoptr(tracker) t = db_open(path, SQLITE_OPEN_READWRITE, error);
	bool done = t && fill(t, fd >= 0, error);

	if (!done && fd >= 0)
		unlink(path);
	return done;
}

tracker *tracker_open(const char *path, bool read_only, GError **error)
{
	g_autoptr(tracker) t = NULL;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND,
			    "%s: no such database (regtrail init makes one)", path);
		return NULL;
	}
	t = db_open(path, read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE,
		    error);
	if (!t || !is_ours(t, error))
		return NULL;

	int64_t version = DB_VERSION;

	if (!version_of(t, &version, error))
		return NULL;
	if (version != DB_VERSION && read_only && version < DB_VERSION) {
		/* Questions must work on an older file too: it is brought up to date.
		 */
		g_autoptr(tracker) writer = db_open(path, SQLITE_OPEN_READWRITE, error);

		if (!writer || !db_migrate(writer, error))
			return NULL;
	} else if (!db_migrate(t, error)) {
		return NULL;
	}
	return read_hash_key(t, error) ? g_steal_pointer(&t) : NULL;
}

static GPtrArray *copy_strings(const GPtrArray *from)
{
	GPtrArray *to = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; from && i < from->len; i++)
		g_ptr_array_add(to, g_strdup(from->pdata[i]));
	return to;
}

static void replace(GPtrArray **mine, const GPtrArray *from)
{
	g_clear_pointer(mine, g_ptr_array_unref);
	*mine = copy_strings(from);
}

void tracker_configure(tracker *t, const tracker_policy *policy)
{
	replace(&t->own, policy->own);
	replace(&t->robots, policy->robots);
	replace(&t->robot_team, policy->robot_team);
	replace(&t->operators, policy->operators);
	replace(&t->maintainers, policy->maintainers);
	replace(&t->trusted_hosts, policy->trusted_hosts);
	g_clear_pointer(&t->aliases, g_hash_table_unref);
	t->aliases = policy->aliases ? g_hash_table_ref(policy->aliases) : NULL;
	t->require_dkim = policy->require_dkim;
	t->apply = policy->apply;
}
