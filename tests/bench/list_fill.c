/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list_fill DATABASE REGRESSIONS OPEN MESSAGES: a store of that size, made of invented
 * reports and replies, written row by row behind the tracker's back.
 */
#include <glib.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracker/tracker.h"

typedef struct filler {
	sqlite3 *db;
	GHashTable *statements;
	unsigned regressions, open, messages, replies;
	int64_t message;
} filler;

static const char *const words[] = {
	"scheduler", "lock",  "cache",     "throughput", "queue",      "wakeup",
	"latency",   "page",  "writeback", "balance",    "contention", "vruntime",
	"cpu",       "fork",  "benchmark", "profile",    "stall",      "migration",
	"folio",     "rwsem", "spinning",
};

static void die(filler *f, const char *what)
{
	fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(f->db));
	exit(1);
}

/* Runs a prepared statement with integers and texts: 'i' and 's' in types. */
static void run(filler *f, const char *sql, const char *types, ...)
{
	sqlite3_stmt *statement = g_hash_table_lookup(f->statements, sql);
	va_list args;

	if (!statement) {
		if (sqlite3_prepare_v2(f->db, sql, -1, &statement, NULL))
			die(f, sql);
		g_hash_table_insert(f->statements, (gpointer)sql, statement);
	}
	va_start(args, types);
	for (int i = 0; types[i]; i++) {
		if (types[i] == 'i')
			sqlite3_bind_int64(statement, i + 1, va_arg(args, int64_t));
		else
			sqlite3_bind_text(statement, i + 1, va_arg(args, const char *),
					  -1, SQLITE_TRANSIENT);
	}
	va_end(args);
	if (sqlite3_step(statement) != SQLITE_DONE)
		die(f, sql);
	sqlite3_reset(statement);
}

static uint32_t mix(uint32_t x)
{
	x = (x ^ x >> 16) * 0x45d9f3bu;
	x = (x ^ x >> 16) * 0x45d9f3bu;
	return x ^ x >> 16;
}

static char *hex_id(uint32_t n, uint32_t salt)
{
	return g_strdup_printf("%08x%08x%08x%08x%08x", mix(n * 2 + salt), mix(n + 77),
			       mix(n + 999), mix(n + 31337), n);
}

static char *sentence(uint32_t seed)
{
	GString *text = g_string_new("I looked at it:");

	for (int i = 0; i < 12; i++)
		g_string_append_printf(
			text, " %s",
			words[mix(seed * 16 + (uint32_t)i) % G_N_ELEMENTS(words)]);
	return g_string_free(text, FALSE);
}

static void add_reply(filler *f, unsigned n, unsigned k, int64_t report, int64_t date,
		      const char *report_id)
{
	int64_t row = ++f->message;
	uint32_t seed = n * 64 + k;
	g_autofree char *id = g_strdup_printf("%u.%u@people.example.org", n, k);
	g_autofree char *name = g_strdup_printf("Person %u", mix(seed) % 5000);
	g_autofree char *text = sentence(seed);

	run(f,
	    "INSERT INTO message (id, message_id, origin, content, parent, name, address, "
	    "date, arrived, subject, class, first_words) VALUES (?1, ?2, 'mail', ?2, ?3, ?4, "
	    "?4 || '@people.example.org', ?5, ?5, 'Re: a report', 'human', ?6)",
	    "isisis", row, id, report, name, date + 3600 * (int64_t)(k + 1), text);
	run(f, "INSERT INTO words (message, text) VALUES (?1, ?2)", "is", row, text);
	run(f, "INSERT INTO reference VALUES (?1, 'in-reply-to', 0, ?2)", "is", row,
	    report_id);
	run(f, "INSERT INTO link VALUES (?1, ?2, ?3, 'in-reply-to', 1, 1)", "iii", row,
	    (int64_t)n + 1, report);
	run(f,
	    "INSERT INTO verdict VALUES (?1, 0, 'analysis', 0.8, NULL, ?2, 0, 'bench')",
	    "is", row, text);
}

static void add_regression(filler *f, unsigned n)
{
	bool is_open = n % (f->regressions / f->open) == 0;
	g_autofree char *id = hex_id(n, 1);
	g_autofree char *commit = hex_id(n, 0);
	g_autofree char *mid = g_strdup_printf("2023.%u-robot@tests.example.org", n);
	g_autofree char *subject =
		g_strdup_printf("sched/part%u: Change %u", n % 50, n);
	int64_t date = 1500000000 + (int64_t)n * 2000, report = ++f->message;
	const char *status = is_open ? "reported" : "expected";

	run(f,
	    "INSERT INTO message (id, message_id, origin, content, name, address, date, "
	    "arrived, subject, class) VALUES (?1, ?2, 'mail', ?2, 'kernel test robot', "
	    "'robot@tests.example.org', ?3, ?3, ?4, 'robot')",
	    "isis", report, mid, date, subject);
	run(f,
	    "INSERT INTO regression (id, regression, culprit, seen, status, open, kind, "
	    "testcase, metric, machine, \"commit\", subject, author, tree, branch, change, "
	    "reported_at, report, last_human_at, last_human, replies, owes) VALUES "
	    "(?1, ?2, substr(?3, 1, 10), 1, ?4, ?5, 'regression', 'unixbench', "
	    "'unixbench.score', '96 threads', ?3, ?6, 'Ada Author', 'next', 'master', "
	    "-(?1 % 900) / 10.0, ?7, ?8, ?7 + 3600, 'Person 1', ?9, "
	    "CASE WHEN ?5 THEN 'maintainer' END)",
	    "isssisiii", (int64_t)n + 1, id, commit, status, (int64_t)is_open, subject,
	    date, report, (int64_t)f->replies);
	run(f,
	    "INSERT INTO report (id, origin, message, mail, regression, own_id, culprit, "
	    "live, at, \"commit\", subject, tree, branch) VALUES (?1, 'seen', ?2, 'report', "
	    "?1, ?3, substr(?4, 1, 10), 1, ?5, ?4, ?6, 'next', 'master')",
	    "iissis", (int64_t)n + 1, report, id, commit, date, subject);
	run(f,
	    "INSERT INTO finding (report, position, testcase, metric, machine, kind, change) "
	    "VALUES (?1, 0, 'unixbench', 'unixbench.score', '96 threads', 'regression', -5)",
	    "i", (int64_t)n + 1);
	run(f, "INSERT INTO link VALUES (?1, ?2, ?1, 'report', 1, 1)", "ii", report,
	    (int64_t)n + 1);
	run(f,
	    "INSERT INTO event (regression, at, recorded, status, kind, actor, role, rule, "
	    "message, evidence) VALUES (?1, ?2, ?2, ?3, 'report', 'robot', 'robot', "
	    "'report', ?4, ?5)",
	    "iisis", (int64_t)n + 1, date, status, report, subject);
	for (unsigned k = 0; k < f->replies; k++)
		add_reply(f, n, k, report, date, mid);
	if (is_open && n % 7 == 0)
		run(f,
		    "INSERT INTO suggestion VALUES (?1, ?2, 'expected', 'author', 0, "
		    "'Person 1', 'this is expected', ?3)",
		    "iii", (int64_t)n + 1, f->message, date);
}

int main(int argc, char **argv)
{
	filler f = { .statements = g_hash_table_new(g_direct_hash, g_direct_equal) };
	g_autoptr(GError) error = NULL;

	if (argc != 5) {
		fprintf(stderr,
			"usage: list_fill DATABASE REGRESSIONS OPEN MESSAGES\n");
		return 2;
	}
	f.regressions = (unsigned)strtoul(argv[2], NULL, 10);
	f.open = (unsigned)strtoul(argv[3], NULL, 10);
	f.messages = (unsigned)strtoul(argv[4], NULL, 10);
	f.replies = f.messages / f.regressions - 1;
	if (!tracker_create(argv[1], &error)) {
		fprintf(stderr, "%s\n", error->message);
		return 1;
	}
	if (sqlite3_open(argv[1], &f.db))
		die(&f, argv[1]);
	sqlite3_exec(f.db,
		     "PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN",
		     NULL, NULL, NULL);
	for (unsigned n = 0; n < f.regressions; n++)
		add_regression(&f, n);
	if (sqlite3_exec(
		    f.db,
		    "COMMIT; INSERT INTO words_index (words_index) VALUES ('optimize'); "
		    "PRAGMA wal_checkpoint(TRUNCATE)",
		    NULL, NULL, NULL))
		die(&f, "commit");
	printf("%u regressions, %u open, %lld messages\n", f.regressions, f.open,
	       (long long)f.message);
	return 0;
}
