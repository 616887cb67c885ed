/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores of earlier versions: each is brought up to date, and loses nothing. */
#include <sqlite3.h>

#include "tests/unit/tracker_fixture.h"

/* A row of what every version knows. */
static const char rows[] =
	"INSERT INTO meta VALUES ('hash-key', x'000102030405060708090a0b0c0d0e0f');"
	"INSERT INTO message (id, message_id, origin, name, address, date, subject, class) "
	"VALUES (1, 'first@tests.example.org', 'own', 'robot', 'robot@example.org', "
	"1700000000, 'a report', 'robot');"
	"INSERT INTO regression (id, regression, culprit, seen, status, open, kind, "
	"testcase, metric, \"commit\", subject, change, reported_at, report, owes) VALUES "
	"(1, '0123456701234567012345670123456701234567', '89abcdef01', 1, 'reported', 1, "
	"'regression', 'unixbench', 'unixbench.score', '89abcdef0123', 'mm: Change it', "
	"-7.5, 1700000000, 1, 'maintainer');"
	"INSERT INTO place (id, source, name) VALUES (1, 'file', '/box');"
	"INSERT INTO unclaimed (hash, refs, place, at, length, form, number, arrived, kept) "
	"VALUES (77, x'0102030405060708', 1, 40, 500, 1, 0, 1700000000, x'09');"
	"INSERT INTO alias VALUES ('01234567ffffffffffffffffffffffffffffffff', 1);"
	"INSERT INTO report (id, origin, message, mail, regression, own_id, culprit, live, "
	"at, \"commit\") VALUES (1, 'own', 1, 'report', 1, "
	"'0123456701234567012345670123456701234567', '89abcdef01', 1, 1700000000, "
	"'89abcdef0123');"
	"INSERT INTO finding (report, position, metric, change) VALUES "
	"(1, 0, 'unixbench.score', -7.5);"
	"INSERT INTO link VALUES (1, 1, 1, 'report', 1, 1);"
	"INSERT INTO words VALUES (1, 'contention on the lock');"
	"INSERT INTO event (regression, at, recorded, status, kind, actor, role, rule, "
	"message, evidence) VALUES (1, 1700000000, 1700000000, 'reported', 'report', "
	"'robot', 'operator', 'report', 1, 'a report');";

static void run(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

static char *ask(const char *path, const char *sql)
{
	GString *out = g_string_new(NULL);
	sqlite3_stmt *found;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &found, NULL), SQLITE_OK);
	while (sqlite3_step(found) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(found); i++) {
			const char *text = (const char *)sqlite3_column_text(found, i);

			g_string_append_printf(out, "%s|", text ? text : "");
		}
		g_string_append_c(out, '\n');
	}
	sqlite3_finalize(found);
	sqlite3_close(db);
	return g_string_free(out, FALSE);
}

/* What a store is made of, however its text is written. */
static char *shape(const char *path)
{
	g_autofree char *tables =
		ask(path,
		    "SELECT m.name, p.name, p.type, p.\"notnull\", p.dflt_value, p.pk "
		    "FROM sqlite_schema m, pragma_table_xinfo(m.name) p "
		    "WHERE m.type = 'table' ORDER BY m.name, p.cid");
	g_autofree char *indexes = ask(
		path, "SELECT m.name, i.name, i.\"unique\", i.partial, p.name, p.coll "
		      "FROM sqlite_schema m, pragma_index_list(m.name) i, "
		      "pragma_index_xinfo(i.name) p WHERE m.type = 'table' "
		      "ORDER BY m.name, i.name, p.seqno");
	g_autofree char *triggers =
		ask(path, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' "
			  "ORDER BY name");
	g_autofree char *version = ask(path, "PRAGMA user_version");

	g_autofree char *beginnings =
		ask(path, "SELECT name, instr(sql, 'prefix = ''3 4''') > 0 "
			  "FROM sqlite_schema WHERE name = 'words_index'");

	return g_strconcat(tables, indexes, triggers, beginnings, version, NULL);
}

/* A store as version n made it; false if there is no such version. */
static bool make_old(const fixture *f, int n, char **path)
{
	g_autofree char *name =
		g_strdup_printf("%s/tracker/schema-%d.sql", TEST_DATA, n);
	g_autofree char *sql = NULL;
	g_autofree char *set = g_strdup_printf("PRAGMA user_version = %d", n);

	if (!g_file_get_contents(name, &sql, NULL, NULL))
		return false;
	*path = g_strdup_printf("%s/old-%d.db", f->dir, n);
	run(*path, "PRAGMA journal_mode = WAL");
	run(*path, sql);
	run(*path, rows);
	/* From then on whoever adds an ID says how many of its digits tell it apart. */
	if (n >= 3)
		run(*path, "UPDATE regression SET digits = 40");
	run(*path, set);
	return true;
}

static void assert_brought_up(const fixture *f, const char *path)
{
	g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	tracker_filter filter = { .now = T0 };
	g_autoptr(tracker) t = tracker_open(path, false, &error);

	assert_done(t, error);
	assert_done(tracker_check(t, problems, &error), error);
	if (problems->len)
		fail_msg("%s", (char *)problems->pdata[0]);

	g_autoptr(GPtrArray) all = tracker_list(t, &filter, &error);
	g_autoptr(tracker_detail) d = tracker_show(t, "0123456701", &error);

	assert_done(d, error);
	assert_int_equal(all->len, 1);
	assert_int_equal(d->events->len, 1);
	/* Its alias begins like it: eight digits would not do. */
	assert_true(strlen(d->summary->short_id) > 8);

	g_autofree char *mail =
		ask(path, "SELECT hash, hex(refs), place, at, length, "
			  "form, number, arrived, hex(kept) FROM unclaimed");

	assert_string_equal(mail, "77|0102030405060708|1|40|500|1|0|1700000000|09|\n");

	bool complete;
	g_autoptr(GPtrArray) hits =
		tracker_search(t, "conten* lock", 0, &complete, &error);

	assert_done(hits, error);
	assert_int_equal(hits->len, 1);

	g_autofree char *got = shape(path);
	g_autofree char *expected = shape(f->path);

	assert_string_equal(got, expected);
}

static void remove_store(const char *path)
{
	static const char *const endings[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		g_autofree char *name = g_strconcat(path, endings[i], NULL);

		g_remove(name);
	}
}

static void every_earlier_version_becomes_the_present_one(void **state)
{
	fixture *f = *state;
	g_autofree char *present = ask(f->path, "PRAGMA user_version");
	int n;

	for (n = 1;; n++) {
		g_autofree char *path = NULL;

		if (!make_old(f, n, &path))
			break;
		assert_brought_up(f, path);
		remove_store(path);
	}
	/* A schema of each version before this one is at hand. */
	assert_int_equal(atoi(present), n);
}

static void a_reader_brings_an_old_store_up_too(void **state)
{
	fixture *f = *state;
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;

	assert_true(make_old(f, 1, &path));
	g_autoptr(tracker) t = tracker_open(path, true, &error);

	assert_done(t, error);
	g_clear_pointer(&t, tracker_close);
	remove_store(path);
}

static void proofs_of_our_mails_are_written_for_old_reports(void **state)
{
	fixture *f = *state;
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;

	assert_true(make_old(f, 1, &path));
	g_autoptr(tracker) t = tracker_open(path, false, &error);

	assert_done(t, error);
	g_autofree char *id = parser_own_message_id(
		"0123456701234567012345670123456701234567", "report", 0, T0, "a", "b");
	g_autofree char *sql = g_strdup_printf(
		"SELECT regression FROM proof WHERE digits = '%.8s'", id + 13);
	g_autofree char *found = ask(path, sql);

	assert_string_equal(found, "1|\n");
	g_clear_pointer(&t, tracker_close);
	remove_store(path);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(every_earlier_version_becomes_the_present_one),
		T(a_reader_brings_an_old_store_up_too),
		T(proofs_of_our_mails_are_written_for_old_reports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
