/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list_fill DATABASE REGRESSIONS OPEN MESSAGES: a store of that size, made of invented
 * reports and replies, row by row as an ingest would have left them: mails of threads
 * that run at the same time lie among each other, one thread is very long, words have
 * the frequencies of prose, a report is as long as such mails are.
 */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/tracker_thread.h"
#include "tracker/db.h"

#define LONG_THREAD 1000  /* replies of the first regression */
#define SPREAD      15    /* a thread is over when so many others began after it */
#define VOCABULARY  30000 /* words */
#define PATHS       5000  /* files that culprits touch, some more often than others */
#define TABLE_ROWS  900   /* of a report: a mail of some 90 kB */
#define START       1400000000
#define STEP        4000 /* seconds between two reports */

typedef struct filler {
	sqlite3 *db;
	GHashTable *statements;
	unsigned regressions, open, average;
	int64_t message, event, act;
	int64_t *reports;                      /* row of message of each */
	GPtrArray *report_bytes, *reply_bytes; /* GBytes *: packed, used again */
} filler;

static void die(filler *f, const char *what)
{
	fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(f->db));
	exit(1);
}

static void script(filler *f, const char *sql)
{
	if (sqlite3_exec(f->db, sql, NULL, NULL, NULL))
		die(f, sql);
}

/* Runs a statement, prepared once, with values as the tracker binds them. */
static void run(filler *f, const char *sql, const db_arg *args)
{
	sqlite3_stmt *statement = g_hash_table_lookup(f->statements, sql);

	if (!statement) {
		if (sqlite3_prepare_v2(f->db, sql, -1, &statement, NULL))
			die(f, sql);
		g_hash_table_insert(f->statements, (gpointer)sql, statement);
	}
	for (int i = 1; args->type != DB_END_; args++, i++) {
		if (args->type == DB_INT_)
			sqlite3_bind_int64(statement, i, args->integer);
		else if (args->type == DB_REAL_)
			sqlite3_bind_double(statement, i, args->real);
		else if (args->type == DB_TEXT_)
			sqlite3_bind_text(statement, i, args->bytes.data, -1,
					  SQLITE_STATIC);
		else if (args->type == DB_BLOB_)
			sqlite3_bind_blob64(statement, i, args->bytes.data,
					    args->bytes.length, SQLITE_STATIC);
		else
			sqlite3_bind_null(statement, i);
	}
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

/* ---- text ---------------------------------------------------------------------- */

/* A number below n: the one of rank r comes 1/r as often as the first. */
static uint32_t by_rank(uint32_t seed, double n)
{
	return (uint32_t)exp(mix(seed) / 4294967296.0 * log(n)) - 1;
}

static void append_word(GString *text, uint32_t seed)
{
	static const char *const common[] = { "the",   "is",   "of",     "this",
					      "to",    "it",   "commit", "that",
					      "patch", "with", "lock",   "on",
					      "page",  "we",   "cpu",    "queue",
					      "cache", "not",  "slower" };
	static const char *const parts[] = { "ra",  "ke",  "mo", "ti", "su",
					     "ven", "dra", "lo", "pi", "na",
					     "bu",  "fer", "sta" };
	uint32_t r = by_rank(seed, VOCABULARY);

	if (r < G_N_ELEMENTS(common)) {
		g_string_append(text, common[r]);
		return;
	}
	for (uint32_t left = r; left; left /= G_N_ELEMENTS(parts))
		g_string_append(text, parts[left % G_N_ELEMENTS(parts)]);
}

static char *prose(uint32_t seed, unsigned words)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < words; i++) {
		if (i)
			g_string_append(text, i % 12 ? " " : "\n");
		append_word(text, seed * 4096 + i);
	}
	return g_string_free(text, FALSE);
}

static GPtrArray *packed_texts(unsigned n, unsigned words)
{
	GPtrArray *all = g_ptr_array_new();

	for (unsigned i = 0; i < n; i++) {
		g_autofree char *text = prose(i + 7, words);

		g_ptr_array_add(all, db_pack(text, strlen(text)));
	}
	return all;
}

/* Reports as robots send them, with a table of what else moved. */
static GPtrArray *packed_reports(unsigned n)
{
	GPtrArray *all = g_ptr_array_new();

	for (unsigned i = 0; i < n; i++) {
		g_autofree char *mail = report_mail((report_text){
			.id = "report@tests.example.org", .change = -12.5 });
		const char *end = strstr(mail, "\n\n\n\nDisclaimer");
		g_autoptr(GString) text = g_string_new_len(mail, end + 1 - mail);

		for (unsigned row = 0; row < TABLE_ROWS; row++) {
			uint32_t x = mix(i * TABLE_ROWS + row);

			g_string_append_printf(
				text, "%10.2f \302\261 %2u%% %+12.1f%% %10.2f        ",
				x % 9973 / 7.0, x % 9, (x % 900) / 9.0 - 50,
				x % 8999 / 7.0);
			g_string_append_printf(text,
					       "perf-profile.calltrace.cycles-pp."
					       "object_%u_lock.call_%u\n",
					       x % 400, row);
		}
		g_string_append(text, end);
		g_ptr_array_add(all, db_pack(text->str, text->len));
	}
	return all;
}

static char *hex_id(uint32_t n, uint32_t salt)
{
	return g_strdup_printf("%08x%08x%08x%08x%08x", mix(n * 2 + salt), mix(n + 77),
			       mix(n + 999), mix(n + 31337), n);
}

static const char *choose(const char *const *names, size_t n, uint32_t seed)
{
	return names[mix(seed) % n];
}

/* ---- replies ------------------------------------------------------------------- */

static unsigned replies_of(const filler *f, unsigned n)
{
	if (n == 0)
		return LONG_THREAD;
	return f->average < 5 ? f->average : f->average - 5 + mix(n) % 11;
}

static char *report_id(unsigned n)
{
	return g_strdup_printf("%012u.%08x-robot@tests.example.org", n, mix(n));
}

static void add_said(filler *f, int64_t row, uint32_t seed, const char *text)
{
	static const char *const verdicts[] = { "analysis", "question", "patch",
						"expected", "ack",      "invalid" };
	static const char *const kinds[] = { "lock-contention", "task-placement",
					     "cache-footprint", "extra-work" };
	g_autofree char *line = g_strndup(text, 80);
	g_autofree char *object = g_strdup_printf("object_%u_lock", mix(seed) % 400);

	if (mix(seed) % 5 < 2)
		run(f,
		    "INSERT INTO verdict VALUES (?1, 0, ?2, 0.8, NULL, ?3, 0, 'bench')",
		    DB_ARGS(DB_INT(row),
			    DB_TEXT(choose(verdicts, G_N_ELEMENTS(verdicts), seed)),
			    DB_TEXT(line)));
	if (mix(seed) % 7 == 0)
		run(f, "INSERT INTO mechanism VALUES (?1, 0, ?2, ?3, ?4, 0)",
		    DB_ARGS(DB_INT(row),
			    DB_TEXT(choose(kinds, G_N_ELEMENTS(kinds), seed)),
			    DB_TEXT(object), DB_TEXT(line)));
}

static void add_mail(filler *f, const db_arg *args, GBytes *bytes)
{
	db_arg all[12];
	size_t n = 0;

	for (; args[n].type != DB_END_; n++)
		all[n] = args[n];
	all[n++] =
		(db_arg)DB_BLOB(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
	all[n] = (db_arg){ .type = DB_END_ };
	run(f,
	    "INSERT INTO message (id, message_id, origin, content, parent, name, address, "
	    "date, arrived, subject, class, first_words, place, at, length, form, bytes) "
	    "VALUES (?1, ?2, 'mail', hex(?2), ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, 1, ?1, "
	    "2000, 1, ?10)",
	    all);
	run(f, "INSERT INTO message_list VALUES (?1, 'lists.example.org')",
	    DB_ARGS(args[0]));
}

static void add_reply(filler *f, unsigned n, unsigned k, int64_t date)
{
	int64_t row = ++f->message;
	uint32_t seed = n * 2048 + k;
	g_autofree char *report = report_id(n);
	g_autofree char *id =
		g_strdup_printf("%08x.%u.%u@people.example.org", mix(seed), n, k);
	g_autofree char *name = g_strdup_printf("Person %u", mix(seed) % 5000);
	g_autofree char *address =
		g_strdup_printf("p%u@people.example.org", mix(seed) % 5000);
	g_autofree char *text = prose(seed, 40);
	g_autofree char *line = g_strndup(text, strcspn(text, "\n"));

	add_mail(f,
		 DB_ARGS(DB_INT(row), DB_TEXT(id), DB_INT(f->reports[n]), DB_TEXT(name),
			 DB_TEXT(address), DB_INT(date), DB_TEXT("Re: a report"),
			 DB_TEXT("human"), DB_TEXT(line)),
		 f->reply_bytes->pdata[mix(seed) % f->reply_bytes->len]);
	run(f, "INSERT INTO words (message, text) VALUES (?1, ?2)",
	    DB_ARGS(DB_INT(row), DB_TEXT(text)));
	run(f,
	    "INSERT INTO reference VALUES (?1, 'in-reply-to', 0, ?2), "
	    "(?1, 'references', 0, ?2)",
	    DB_ARGS(DB_INT(row), DB_TEXT(report)));
	run(f,
	    "INSERT INTO link SELECT ?1, id, report, 'in-reply-to', 1, 1 "
	    "FROM regression WHERE id = ?2",
	    DB_ARGS(DB_INT(row), DB_INT((int64_t)n + 1)));
	add_said(f, row, seed, text);
	if (n % (f->regressions / f->open) == 0 && mix(n) % 7 == 0 && k == 1)
		run(f,
		    "INSERT INTO suggestion VALUES (?1, ?2, 'expected', 'author', 0, ?3, "
		    "'this is expected', ?4)",
		    DB_ARGS(DB_INT((int64_t)n + 1), DB_INT(row), DB_TEXT(name),
			    DB_INT(date)));
}

/* ---- reports ------------------------------------------------------------------- */

typedef struct facts {
	int64_t row, message, date;
	bool open;
	char *id, *commit, *subject;
	const char *test, *metric, *machine, *status;
	double change;
} facts;

static void add_event(filler *f, const facts *r, const char *kind, const char *status)
{
	bool act = strcmp(kind, "report") != 0;

	run(f,
	    "INSERT INTO event (id, regression, at, recorded, status, kind, actor, role, "
	    "rule, message, act, evidence) VALUES (?1, ?2, ?3, ?3, ?4, ?5, 'robot', "
	    "'robot', 'report', ?6, ?7, 'words of evidence')",
	    DB_ARGS(DB_INT(++f->event), DB_INT(r->row), DB_INT(r->date),
		    DB_TEXT(status), DB_TEXT(kind), DB_INT(r->message),
		    DB_ROW(act ? f->act : 0)));
}

static void add_history(filler *f, const facts *r)
{
	add_event(f, r, "report", "reported");
	if (r->open)
		return;
	run(f,
	    "INSERT INTO act (id, regression, at, kind, status, who, reason) "
	    "VALUES (?1, ?2, ?3, 'set', ?4, 'operator', 'as the thread says')",
	    DB_ARGS(DB_INT(++f->act), DB_INT(r->row), DB_INT(r->date + 86400),
		    DB_TEXT(r->status)));
	add_event(f, r, "set", r->status);
}

static void add_report(filler *f, const facts *r)
{
	run(f,
	    "INSERT INTO report (id, origin, message, mail, regression, own_id, culprit, "
	    "live, at, \"commit\", subject, tree, branch, base, config, compiler) VALUES "
	    "(?1, 'seen', ?2, 'report', ?1, ?3, substr(?4, 1, 10), 1, ?5, ?4, ?6, "
	    "'linux-next', 'master', '0123456789', 'x86_64-rhel', 'gcc-12')",
	    DB_ARGS(DB_INT(r->row), DB_INT(r->message), DB_TEXT(r->id),
		    DB_TEXT(r->commit), DB_INT(r->date), DB_TEXT(r->subject)));
	run(f,
	    "INSERT INTO finding (report, position, testcase, metric, machine, kind, "
	    "change) VALUES (?1, 0, ?2, ?3, ?4, 'regression', ?5)",
	    DB_ARGS(DB_INT(r->row), DB_TEXT(r->test), DB_TEXT(r->metric),
		    DB_TEXT(r->machine), DB_REAL(r->change)));
	run(f,
	    "INSERT INTO finding_parameter VALUES (?1, 0, 0, 'runtime', '300s'), "
	    "(?1, 0, 1, 'nr_task', '100%'), (?1, 0, 2, 'cpufreq_governor', "
	    "'performance')",
	    DB_ARGS(DB_INT(r->row)));
	run(f,
	    "INSERT INTO person VALUES (?1, 'author', 'Person ' || ?1 % 5000, "
	    "'p' || ?1 % 5000 || '@people.example.org', 1), "
	    "(?1, 'maintainer', 'Person ' || ?1 % 300, "
	    "'p' || ?1 % 300 || '@people.example.org', 0)",
	    DB_ARGS(DB_INT(r->row)));
	run(f, "INSERT INTO link VALUES (?1, ?2, ?1, 'report', 1, 1)",
	    DB_ARGS(DB_INT(r->message), DB_INT(r->row)));
}

static void add_culprit(filler *f, const facts *r)
{
	run(f,
	    "INSERT INTO \"commit\" (id, subject, author_name, author_address, date) "
	    "VALUES (?1, ?2, 'Person ' || ?3 % 5000, "
	    "'p' || ?3 % 5000 || '@people.example.org', ?4)",
	    DB_ARGS(DB_TEXT(r->commit), DB_TEXT(r->subject), DB_INT(r->row),
		    DB_INT(r->date - 86400)));
	for (uint32_t i = 0; i < 3; i++) {
		g_autofree char *path = g_strdup_printf(
			"kernel/part_%u.c", by_rank((uint32_t)r->row * 3 + i, PATHS));

		run(f, "INSERT OR IGNORE INTO commit_file VALUES (?1, ?2)",
		    DB_ARGS(DB_TEXT(r->commit), DB_TEXT(path)));
	}
}

static void add_row(filler *f, const facts *r, unsigned replies)
{
	run(f,
	    "INSERT INTO regression (id, regression, culprit, seen, status, open, kind, "
	    "testcase, metric, machine, \"commit\", subject, author, tree, branch, change, "
	    "reported_at, report, last_human_at, last_human, replies, owes) VALUES "
	    "(?1, ?2, substr(?3, 1, 10), 1, ?4, ?5, 'regression', ?6, ?7, ?8, ?3, ?9, "
	    "'Person ' || ?1 % 5000, 'linux-next', 'master', ?10, ?11, ?12, "
	    "?11 + 3600, 'Person 1', ?13, CASE WHEN ?5 THEN 'maintainer' END)",
	    DB_ARGS(DB_INT(r->row), DB_TEXT(r->id), DB_TEXT(r->commit),
		    DB_TEXT(r->status), DB_INT(r->open), DB_TEXT(r->test),
		    DB_TEXT(r->metric), DB_TEXT(r->machine), DB_TEXT(r->subject),
		    DB_REAL(r->change), DB_INT(r->date), DB_INT(r->message),
		    DB_INT(replies)));
}

static void add_regression(filler *f, unsigned n)
{
	static const char *const tests[] = { "unixbench", "will-it-scale", "hackbench",
					     "stress-ng", "fio-basic",     "netperf" };
	static const char *const metrics[] = {
		"unixbench.score",      "will-it-scale.per_process_ops",
		"hackbench.throughput", "stress-ng.metamix.ops_per_sec",
		"fio.write_iops",       "netperf.Throughput_Mbps"
	};
	static const char *const ends[] = { "expected", "fixed", "ignored", "invalid",
					    "dropped" };
	bool open = n % (f->regressions / f->open) == 0;
	g_autofree char *id = hex_id(n, 1);
	g_autofree char *commit = hex_id(n, 0);
	g_autofree char *mid = report_id(n);
	g_autofree char *subject =
		g_strdup_printf("sched/part%u: Change what number %u does", n % 50, n);
	facts r = {
		.row = (int64_t)n + 1,
		.message = ++f->message,
		.date = START + (int64_t)n * STEP,
		.open = open,
		.id = id,
		.commit = commit,
		.subject = subject,
		.test = tests[n % G_N_ELEMENTS(tests)],
		.metric = metrics[n % G_N_ELEMENTS(metrics)],
		.machine =
			"96 threads 2 sockets Example CPU @ 2.10GHz with 512G memory",
		.status = open ? "reported" : choose(ends, G_N_ELEMENTS(ends), n),
		.change = -(double)(mix(n) % 900) / 10,
	};

	add_mail(f,
		 DB_ARGS(DB_INT(r.message), DB_TEXT(mid), DB_NULL,
			 DB_TEXT("kernel test robot"),
			 DB_TEXT("robot@tests.example.org"), DB_INT(r.date),
			 DB_TEXT(subject), DB_TEXT("robot"), DB_TEXT("noticed a")),
		 f->report_bytes->pdata[n % f->report_bytes->len]);
	f->reports[n] = r.message;
	add_row(f, &r, replies_of(f, n));
	add_culprit(f, &r);
	add_report(f, &r);
	add_history(f, &r);
}

/* A report, and what is said meanwhile about those before it. */
static void add_step(filler *f, unsigned n)
{
	int64_t now = START + (int64_t)n * STEP;

	if (n < f->regressions)
		add_regression(f, n);
	for (unsigned back = 1; back <= SPREAD; back++) {
		unsigned of = n - back;

		if (n >= back && of && of < f->regressions && back <= replies_of(f, of))
			add_reply(f, of, back - 1, now + back);
	}
	if (n && n <= LONG_THREAD)
		add_reply(f, 0, n - 1, now + 60);
}

static unsigned number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
	filler f = { .statements = g_hash_table_new(g_direct_hash, g_direct_equal) };
	g_autoptr(GTimer) timer = g_timer_new();
	g_autoptr(GError) error = NULL;

	if (argc != 5 || number(argv[3]) == 0 || number(argv[2]) < number(argv[3])) {
		fprintf(stderr,
			"usage: list_fill DATABASE REGRESSIONS OPEN MESSAGES\n");
		return 2;
	}
	/* The index of words takes and gives back large blocks all the time. */
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	f.regressions = number(argv[2]);
	f.open = number(argv[3]);
	f.average = number(argv[4]) / f.regressions - 1;
	f.reports = g_new0(int64_t, f.regressions);
	f.report_bytes = packed_reports(32);
	f.reply_bytes = packed_texts(256, 200);
	if (!tracker_create(argv[1], &error)) {
		fprintf(stderr, "%s\n", error->message);
		return 1;
	}
	if (sqlite3_open(argv[1], &f.db))
		die(&f, argv[1]);
	script(&f, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; "
		   "PRAGMA synchronous = OFF; PRAGMA cache_size = -600000; BEGIN; "
		   "INSERT INTO place VALUES (1, 'mbox:/archive', '/archive'); "
		   "INSERT INTO robot VALUES ('robot@tests.example.org')");
	for (unsigned n = 0; n < f.regressions + SPREAD; n++)
		add_step(&f, n);
	script(&f, "COMMIT; PRAGMA journal_mode = WAL");

	struct stat st;

	if (stat(argv[1], &st))
		die(&f, argv[1]);
	printf("%u regressions, %u open, %lld messages, %.1f GB in %.0f s\n",
	       f.regressions, f.open, (long long)f.message, (double)st.st_size / 1e9,
	       g_timer_elapsed(timer, NULL));
	return 0;
}
