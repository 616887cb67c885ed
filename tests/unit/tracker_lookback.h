/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two threads of made-up people, which the questions about the past are asked of. */
#ifndef TESTS_UNIT_TRACKER_LOOKBACK_H
#define TESTS_UNIT_TRACKER_LOOKBACK_H

#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_mails.h"
#include "tests/unit/tracker_thread.h"

#define R1 "202305011000.0a1b2c3d-oli@tests.example.org"
#define R2 "202306011000.0a1b2c3d-oli@tests.example.org"

static const char explanation[] =
	"I profiled this.  The regression is caused by contention on tasklist_lock: the "
	"change spreads the tasks over more CPUs.\n";

static reader the_reader;

static inline void bring_quietly(fixture *f, char **texts, unsigned n)
{
	g_autoptr(GError) error = NULL;
	g_autofree mail_text *mails = g_new0(mail_text, n);
	g_autofree unsigned *order = g_new(unsigned, n);

	for (unsigned i = 0; i < n; i++) {
		mails[i] =
			(mail_text){ texts[i], strlen(texts[i]), PARSER_FORM_MAIL, 0 };
		order[i] = i;
	}
	assert_done(ingest_mails(f->t, &the_reader, mails, order, n, &error), error);
	for (unsigned i = 0; i < n; i++)
		g_free(texts[i]);
}

static inline void bring(fixture *f, char **texts, unsigned n)
{
	bring_quietly(f, texts, n);
	assert_sound(f);
}

static inline void bring_two_threads(fixture *f)
{
	char *texts[] = {
		report_mail((report_text){ .id = R1, .change = -7.5 }),
		reply_mail((reply_text){
			.id = "why@example.org", .parent = R1, .body = explanation }),
		report_mail((report_text){
			.id = R2,
			.commit = "5555555555555555555555555555555555555555",
			.subject = "fork: Take the lock longer",
			.change = -12,
			.date = "Thu, 01 Jun 2023 10:00:00 +0000" }),
		reply_mail((reply_text){
			.id = "again@example.org",
			.parent = R2,
			.date = "Fri, 02 Jun 2023 10:00:00 +0000",
			.body = "I ran perf on it.  The regression is caused by contention on "
				"tasklist_lock again: fork takes it for longer.\n" }),
	};

	bring(f, texts, G_N_ELEMENTS(texts));
}

/* Changes a store behind its back. */
static inline void run_sql(fixture *f, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

#endif
