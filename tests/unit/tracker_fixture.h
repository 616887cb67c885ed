/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store in a directory of its own, and reports of made-up people to put into it. */
#ifndef TESTS_UNIT_TRACKER_FIXTURE_H
#define TESTS_UNIT_TRACKER_FIXTURE_H

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tracker/tracker.h"

#define CULPRIT "0123456789abcdef0123456789abcdef01234567"
#define T0      1700000000 /* the clock of the tests */

typedef struct fixture {
	char *dir, *path;
	tracker *t;
	parser_comparison *comparison;
	GPtrArray *to, *cc;
	GBytes *bytes;
} fixture;

/* A macro, so that the error is looked at after the call that sets it. */
#define assert_done(call, error)                                                       \
	do {                                                                           \
		if (!(call))                                                           \
			fail_msg("%s",                                                 \
				 (error) ? (error)->message : "no error is set");      \
	} while (0)

static inline parser_address *address_new(const char *name, const char *address)
{
	parser_address *a = g_new0(parser_address, 1);

	a->name = g_strdup(name);
	a->address = g_strdup(address);
	return a;
}

static inline void address_free(void *data)
{
	parser_address *a = data;

	g_free(a->name);
	g_free(a->address);
	g_free(a);
}

static const char comparison_json[] =
	"{\"testcase\": \"unixbench\", \"machine\": \"box-1\","
	" \"parameters\": {\"runtime\": \"300s\"}, \"columns\": ["
	"  {\"commit\": {\"id\": \"fedcba9876543210fedcba9876543210fedcba98\"}},"
	"  {\"commit\": {\"id\": \"" CULPRIT "\","
	"   \"subject\": \"sched/core: Pick the wrong queue\","
	"   \"author\": {\"name\": \"Ada Author\", \"address\": \"ada@example.org\"},"
	"   \"trailers\": [{\"name\": \"Signed-off-by\","
	"    \"value\": \"Max Tainer <max@example.org>\"}],"
	"   \"tree\": \"next\", \"branch\": \"master\"}}],"
	" \"metrics\": [{\"name\": \"unixbench.score\","
	"  \"samples\": [[100, 101, 99], [90, 91, 89]]}]}";

static inline parser_comparison *comparison_new(void)
{
	g_autoptr(GError) error = NULL;
	parser_comparison *c = parser_comparison_from_json(
		comparison_json, strlen(comparison_json), "fixture", &error);

	assert_done(c, error);
	return c;
}

static inline int fixture_setup(void **state)
{
	fixture *f = g_new0(fixture, 1);
	g_autoptr(GError) error = NULL;

	/* In memory where there is such a place: what is tested is not the disk. */
	f->dir = g_strdup("/dev/shm/regtrail-XXXXXX");
	if (!g_mkdtemp(f->dir)) {
		g_free(f->dir);
		f->dir = g_dir_make_tmp("regtrail-XXXXXX", NULL);
	}
	f->path = g_build_filename(f->dir, "t.db", NULL);
	f->comparison = comparison_new();
	f->to = g_ptr_array_new_with_free_func(address_free);
	f->cc = g_ptr_array_new_with_free_func(address_free);
	g_ptr_array_add(f->to, address_new("Ada Author", "ada@example.org"));
	g_ptr_array_add(f->cc, address_new(NULL, "list@lists.example.org"));
	f->bytes = g_bytes_new_static("Subject: x\r\n\r\ny\r\n", 17);
	assert_done(tracker_create(f->path, &error), error);
	f->t = tracker_open(f->path, false, &error);
	assert_done(f->t, error);
	*state = f;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	static const char *const endings[] = { "", "-wal", "-shm" };
	fixture *f = *state;

	tracker_close(f->t);
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		g_autofree char *name = g_strconcat(f->path, endings[i], NULL);

		g_remove(name);
	}
	g_rmdir(f->dir);
	parser_comparison_free(f->comparison);
	g_ptr_array_unref(f->to);
	g_ptr_array_unref(f->cc);
	g_bytes_unref(f->bytes);
	g_free(f->dir);
	g_free(f->path);
	g_free(f);
	return 0;
}

/* The facts of a report; `id` and `message_id` are static text. */
static inline tracker_report report_of(fixture *f, const char *id,
				       const char *message_id)
{
	return (tracker_report){
		.regression = id,
		.kind_of_mail = "report",
		.message_id = message_id,
		.created = T0,
		.subject =
			"[next:master] [sched] 0123456789: unixbench.score 10.0% regression",
		.body = "Hello,\n",
		.from = { (char *)"robot", (char *)"robot@example.org" },
		.to = f->to,
		.cc = f->cc,
		.quoted_printable = f->bytes,
		.sender = "robot@example.org",
		.comparison = f->comparison,
		.culprit_column = 1,
		.metric = "unixbench.score",
		.kind = PARSER_KIND_REGRESSION,
		.has_change = true,
		.change_percent = -10,
		.ci_low = -12,
		.ci_high = -8,
		.p = 0.001,
	};
}

/* Settles a claimed mail for Ada and for the list. */
static inline tracker_outbox_state settle_as(fixture *f, int64_t id, const char *ada,
					     const char *list, int64_t next_at)
{
	const tracker_fate fates[] = {
		{ (char *)"ada@example.org", (char *)ada, (char *)"words for Ada", 0 },
		{ (char *)"list@lists.example.org", (char *)list,
		  (char *)"words for the list", 0 },
	};
	const tracker_result result = { .fates = fates,
					.n_fates = 2,
					.next_at = next_at,
					.detail = "smtp://mx: said",
					.fcc = "maildir:sent",
					.now = T0 + 5 };
	tracker_outbox_state state = TRACKER_OUTBOX_DRAFT;
	g_autoptr(GError) error = NULL;

	assert_done(tracker_outbox_result(f->t, id, &result, &state, &error), error);
	return state;
}

/* Drafts, approves, claims and settles a report as sent. */
static inline void send_report(fixture *f, const tracker_report *report)
{
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(tracker_outgoing) mail = NULL;
	g_autoptr(GError) error = NULL;

	assert_done(tracker_report_add(f->t, report, &stored, &error), error);
	assert_done(tracker_outbox_approve(f->t, stored.outbox, T0, &error), error);
	assert_done(tracker_outbox_claim(f->t, T0, &mail, &error), error);
	assert_non_null(mail);
	settle_as(f, mail->id, "sent", "sent", 0);
}

static inline GPtrArray *list_all_open(fixture *f)
{
	tracker_filter filter = { .now = T0 + 86400 };
	g_autoptr(GError) error = NULL;
	GPtrArray *found = tracker_list(f->t, &filter, &error);

	assert_done(found, error);
	return found;
}

static inline void assert_sound(fixture *f)
{
	g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;

	assert_done(tracker_check(f->t, problems, &error), error);
	if (problems->len)
		fail_msg("%s", (char *)problems->pdata[0]);
}

#endif
