/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which key links a mail to a regression; culprits by few digits; rebased commits. */
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_post.h"
#include "tests/unit/tracker_thread.h"
#include "tracker/db.h"

#define R1      "202305011000.0a1b2c3d-oli@tests.example.org"
#define R2      "202305021000.0a1b2c3e-oli@tests.example.org"
#define COMMIT  "89abcdef0123456789abcdef0123456789abcdef"
#define COMMIT2 "89abcdef1111111111abcdef0123456789abcdef"

/* "key report-or-minus acts" of the link that is no mere mention; NULL if none. */
static char *link_of(fixture *f, const char *message_id)
{
	sqlite3_stmt *rows;
	sqlite3 *db;
	char *text = NULL;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(
			db,
			"SELECT l.key || ' ' || coalesce(r.message_id, '-') || "
			"' ' || l.acts FROM link l JOIN message m "
			"ON m.id = l.message LEFT JOIN message r "
			"ON r.id = l.report WHERE m.message_id = ?1 "
			"ORDER BY l.key = 'url'",
			-1, &rows, NULL),
		SQLITE_OK);
	sqlite3_bind_text(rows, 1, message_id, -1, SQLITE_STATIC);
	if (sqlite3_step(rows) == SQLITE_ROW)
		text = g_strdup((const char *)sqlite3_column_text(rows, 0));
	sqlite3_finalize(rows);
	sqlite3_close(db);
	return text;
}

static void assert_link(fixture *f, const char *message_id, const char *expected)
{
	g_autofree char *got = link_of(f, message_id);

	if (!expected)
		assert_null(got);
	else
		assert_string_equal(got ? got : "(none)", expected);
}

static char *say(const char *id, const char *parent, const char *references)
{
	return reply_mail((reply_text){ .id = id,
					.parent = parent,
					.references = references,
					.body = "I see.\n" });
}

static void each_way_to_name_the_report_is_the_key_that_is_written_down(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, say("direct@example.org", R1, "<" R1 ">"));
	add(&p,
	    say("deep@example.org", "lost@example.org", "<" R1 "> <lost@example.org>"));
	add(&p, say("chain@example.org", "direct@example.org", "<direct@example.org>"));
	add(&p, reply_mail((reply_text){
			.id = "trailer@example.org",
			.body = "This repairs it.\n\n"
				"Closes: https://lore.example.org/r/" R1 "\n" }));
	add(&p, reply_mail((reply_text){
			.id = "guess@example.org",
			.subject = "Re: [sched/core] 89abcdef01: unixbench.score",
			.body = "I see.\n" }));
	bring(f, &p, "012345");
	assert_link(f, R1, "report " R1 " 1");
	assert_link(f, "direct@example.org", "in-reply-to " R1 " 1");
	assert_link(f, "deep@example.org", "references " R1 " 1");
	assert_link(f, "chain@example.org", "chain " R1 " 1");
	assert_link(f, "trailer@example.org", "url " R1 " 1");
	assert_link(f, "guess@example.org", "subject - 0");
}

static void a_line_with_the_id_links_a_mail_without_references(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autofree char *id =
		parser_regression_id(COMMIT, "unixbench", "unixbench.score");
	g_autofree char *body = g_strdup_printf("> Regression-ID: %s\n\nI see.\n", id);

	add(&p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	add(&p, reply_mail((reply_text){ .id = "line@example.org", .body = body }));
	bring(f, &p, "01");
	assert_link(f, "line@example.org", "id-line - 1");
}

static void own(fixture *f)
{
	g_autoptr(GPtrArray) own = g_ptr_array_new();

	g_ptr_array_add(own, (gpointer) "robot@example.org");
	tracker_configure(f->t, &(tracker_policy){ .own = own });
}

/* An id of an earlier mail of ours about it, which this store does not know. */
static char *lost_id(void)
{
	g_autofree char *id =
		parser_regression_id(CULPRIT, "unixbench", "unixbench.score");

	return parser_own_message_id(id, "report", 0, T0 - 500000, "robot",
				     "example.org");
}

static char *draft_id(void)
{
	g_autofree char *id =
		parser_regression_id(CULPRIT, "unixbench", "unixbench.score");

	return parser_own_message_id(id, "report", 0, T0, "robot", "example.org");
}

static void send_ours(fixture *f)
{
	g_autofree char *id =
		parser_regression_id(CULPRIT, "unixbench", "unixbench.score");
	g_autofree char *mid = draft_id();
	tracker_report report = report_of(f, id, mid);

	send_report(f, &report);
}

static void an_id_of_ours_proves_what_a_mail_is_about_without_its_subject(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autofree char *lost = lost_id();

	own(f);
	send_ours(f);
	add(&p, say("late@example.org", lost, NULL));
	bring(f, &p, "0");
	assert_link(f, "late@example.org", "own-id - 1");
}

static void an_id_of_ours_is_claimed_when_the_report_comes_after_the_answer(
	void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autofree char *lost = lost_id();

	own(f);
	add(&p, say("early@example.org", lost, NULL));
	add(&p, say("nobody@example.org", NULL, NULL));
	bring(f, &p, "0");
	assert_link(f, "early@example.org", NULL);
	send_ours(f);
	bring(f, &p, "1");
	assert_link(f, "early@example.org", "own-id - 1");
}

static void an_id_of_another_host_proves_nothing(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autofree char *id =
		parser_regression_id(CULPRIT, "unixbench", "unixbench.score");
	g_autofree char *forged =
		parser_own_message_id(id, "report", 0, T0, "robot", "elsewhere.org");

	own(f);
	send_ours(f);
	add(&p, say("forged@example.org", forged, NULL));
	bring(f, &p, "0");
	assert_link(f, "forged@example.org", NULL);
}

static guint seen(fixture *f)
{
	g_autoptr(GPtrArray) all = list_all_open(f);

	return all->len;
}

/* Reports whose commit has few digits, all or other ones. */
static void add_digits(post *p)
{
	add(p, report_mail(
		       (report_text){ .id = R1, .commit = "89abcdef0", .change = -7 }));
	add(p, report_mail((report_text){ .id = R2,
					  .commit = COMMIT,
					  .change = -8,
					  .date = "Tue, 02 May 2023 10:00:00 +0000" }));
	add(p, report_mail((report_text){
		       .id = "third@tests.example.org",
		       .commit = "89abcdef0222222222abcdef0123456789abcdef",
		       .change = -9,
		       .date = "Wed, 03 May 2023 10:00:00 +0000" }));
}

static void few_digits_of_a_culprit_join_the_only_commit_that_goes_on_so(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autofree char *full =
		parser_regression_id(COMMIT, "unixbench", "unixbench.score");
	g_autofree char *brief =
		parser_regression_id("89abcdef0", "unixbench", "unixbench.score");
	g_autoptr(GError) error = NULL;

	add_digits(&p);
	bring(f, &p, "0");
	assert_int_equal(seen(f), 1);
	bring(f, &p, "1");
	assert_int_equal(seen(f), 1);

	g_autoptr(tracker_detail) d = tracker_show(f->t, brief, &error);

	assert_done(d, error);
	assert_string_equal(d->summary->id, full);
	assert_string_equal(d->summary->commit, COMMIT);
}

static void few_digits_that_fit_two_commits_stay_alone(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();

	add_digits(&p);
	bring(f, &p, "012");
	assert_int_equal(seen(f), 3);
}

static void few_digits_end_the_same_in_every_order(void **state)
{
	static const char *const orders[] = {
		"012", "021", "102", "120", "201", "210"
	};
	g_autofree char *expected = NULL;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		void *mine;
		g_auto(post) p = post_new();

		add_digits(&p);
		fixture_setup(&mine);
		for (size_t k = 0; orders[i][k]; k++) {
			char one[2] = { orders[i][k], '\0' };

			bring(mine, &p, one);
		}
		g_autofree char *got = state_dump(((fixture *)mine)->path);

		fixture_teardown(&mine);
		if (expected)
			assert_string_equal(got, expected);
		else
			expected = g_strdup(got);
	}
}

static void a_rebased_commit_is_shown_beside_its_earlier_self(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *id =
		parser_regression_id(COMMIT2, "unixbench", "unixbench.score");

	add(&p,
	    report_mail((report_text){ .id = R1, .commit = COMMIT, .change = -7.5 }));
	add(&p,
	    report_mail((report_text){ .id = R2,
				       .commit = COMMIT2,
				       .change = -7.5,
				       .date = "Tue, 02 May 2023 10:00:00 +0000" }));
	add(&p, report_mail((report_text){
			.id = "other@tests.example.org",
			.commit = "7777777777777777777777777777777777777777",
			.subject = "mm: Another thing",
			.change = -7.5 }));
	bring(f, &p, "012");

	g_autoptr(tracker_detail) d = tracker_show(f->t, id, &error);

	assert_done(d, error);
	assert_int_equal(d->related->len, 1);
	assert_string_equal(((tracker_summary *)d->related->pdata[0])->commit, COMMIT);
}

/* ---- depth ----------------------------------------------------------------------- */

static int count(unsigned kind, void *counter, void *statement, void *text)
{
	(void)kind;
	(void)statement;
	(void)text;
	++*(unsigned long *)counter;
	return 0;
}

/* Mails of which each answers the one before, to a report; in a ring the first answers
 * the last, and the last one names the report. */
static void add_deep(post *p, unsigned depth, bool ring)
{
	add(p, report_mail((report_text){ .id = R1, .change = -7.5 }));
	for (unsigned i = 0; i < depth; i++) {
		g_autofree char *id = g_strdup_printf("d%u@example.org", i);
		g_autofree char *above =
			i    ? g_strdup_printf("d%u@example.org", i - 1) :
			ring ? g_strdup_printf("d%u@example.org", depth - 1) :
			       g_strdup(R1);

		add(p, reply_mail((reply_text){
			       .id = id,
			       .parent = above,
			       .references = ring && i + 1 == depth ? "<" R1 ">" : NULL,
			       .body = "I see.\n" }));
	}
}

/* The statements that it takes to bring them in, the last one first. */
static unsigned long statements(unsigned depth, bool ring)
{
	void *mine;
	g_auto(post) p = post_new();
	g_autofree unsigned *order = g_new(unsigned, depth + 1);
	g_autofree char *last = g_strdup_printf("d%u@example.org", depth - 1);
	unsigned long n = 0;
	g_autoptr(GError) error = NULL;
	fixture *f;

	add_deep(&p, depth, ring);
	fixture_setup(&mine);
	f = mine;
	order[0] = 0;
	for (unsigned i = 0; i < depth; i++)
		order[i + 1] = depth - i;
	sqlite3_trace_v2(f->t->db, SQLITE_TRACE_STMT, count, &n);
	assert_done(ingest_mails(f->t, &the_reader, (mail_text *)(void *)p.mails->data,
				 order, depth + 1, &error),
		    error);
	sqlite3_trace_v2(f->t->db, 0, NULL, NULL);
	assert_link(f, last, ring ? "references " R1 " 1" : "chain " R1 " 1");
	assert_link(f, "d1@example.org", "chain " R1 " 1");
	fixture_teardown(&mine);
	return n;
}

static void twice_as_deep_a_thread_takes_twice_as_many_statements(void **state)
{
	(void)state;
	for (int ring = 0; ring < 2; ring++) {
		unsigned long once = statements(100, ring),
			      twice = statements(200, ring);

		if (twice > once * 5 / 2)
			fail_msg("%lu statements, then %lu", once, twice);
	}
}

/* ---- threads that lie there with their end first --------------------------------- */

static int count_row(unsigned type, void *counter, void *statement, void *text)
{
	(void)type;
	(void)statement;
	(void)text;
	++*(unsigned long *)counter;
	return 0;
}

/* The rows that are looked at when the report comes last: each mail is claimed by the
 * one before it. */
static unsigned long rows_looked_at(unsigned depth)
{
	void *mine;
	g_auto(post) p = post_new();
	g_autofree unsigned *order = g_new(unsigned, depth + 1);
	g_autofree char *last = g_strdup_printf("d%u@example.org", depth - 1);
	unsigned long n = 0;
	g_autoptr(GError) error = NULL;
	fixture *f;

	add_deep(&p, depth, false);
	fixture_setup(&mine);
	f = mine;
	for (unsigned i = 0; i <= depth; i++)
		order[i] = depth - i;
	sqlite3_trace_v2(f->t->db, SQLITE_TRACE_ROW, count_row, &n);
	assert_done(ingest_mails(f->t, &the_reader, (mail_text *)(void *)p.mails->data,
				 order, depth + 1, &error),
		    error);
	sqlite3_trace_v2(f->t->db, 0, NULL, NULL);
	assert_link(f, last, "chain " R1 " 1");
	assert_link(f, "d0@example.org", "in-reply-to " R1 " 1");
	assert_sound(f);
	fixture_teardown(&mine);
	return n;
}

static void a_thread_with_its_end_first_is_not_gone_through_mail_by_mail(void **state)
{
	(void)state;
	unsigned long once = rows_looked_at(100), twice = rows_looked_at(200);

	if (twice > once * 5 / 2)
		fail_msg("%lu rows, then %lu", once, twice);
}

/* It mentions a mail of the thread, which claims it too early: only when the mail that
 * it answers was claimed as well it is known what it belongs to. */
static void what_is_claimed_in_vain_is_claimed_again(void **state)
{
	fixture *f = *state;
	g_auto(post) p = post_new();
	unsigned order[16];
	g_autoptr(GError) error = NULL;

	add_deep(&p, 14, false);
	add(&p,
	    reply_mail((reply_text){
		    .id = "else@example.org",
		    .parent = "d12@example.org",
		    .body = "As https://lore.example.org/r/d8@example.org/ says.\n" }));
	for (unsigned i = 0; i < 16; i++)
		order[i] = 15 - i;
	assert_done(ingest_mails(f->t, &the_reader, (mail_text *)(void *)p.mails->data,
				 order, 16, &error),
		    error);
	assert_link(f, "d12@example.org", "chain " R1 " 1");
	assert_link(f, "else@example.org", "chain " R1 " 1");
	assert_sound(f);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(each_way_to_name_the_report_is_the_key_that_is_written_down),
		T(a_line_with_the_id_links_a_mail_without_references),
		T(an_id_of_ours_proves_what_a_mail_is_about_without_its_subject),
		T(an_id_of_ours_is_claimed_when_the_report_comes_after_the_answer),
		T(an_id_of_another_host_proves_nothing),
		T(few_digits_of_a_culprit_join_the_only_commit_that_goes_on_so),
		T(few_digits_that_fit_two_commits_stay_alone),
		cmocka_unit_test(few_digits_end_the_same_in_every_order),
		T(a_rebased_commit_is_shown_beside_its_earlier_self),
		cmocka_unit_test(twice_as_deep_a_thread_takes_twice_as_many_statements),
		cmocka_unit_test(
			a_thread_with_its_end_first_is_not_gone_through_mail_by_mail),
		T(what_is_claimed_in_vain_is_claimed_again),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
