/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a digest says against the last one that was sent. */
#include "tests/unit/tracker_fixture.h"

#define DAY   86400
#define MID   "202311142213.11111111-robot@example.org"
#define OTHER "89abcdef0123456789abcdef0123456789abcdef"

static char *own_id(const char *commit)
{
	return parser_regression_id(commit, "unixbench", "unixbench.score");
}

/* A report on that commit, sent at T0 or so. */
static void report_commit(fixture *f, const char *commit, const char *message_id,
			  int64_t at)
{
	g_autofree char *id = own_id(commit);
	parser_column *column = f->comparison->columns->pdata[1];
	tracker_report report = report_of(f, id, message_id);

	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(tracker_outgoing) mail = NULL;
	g_autoptr(GError) error = NULL;

	g_free(column->commit->id);
	column->commit->id = g_strdup(commit);
	report.created = at;
	assert_done(tracker_report_add(f->t, &report, &stored, &error), error);
	assert_done(tracker_outbox_approve(f->t, stored.outbox, at, &error), error);
	assert_done(tracker_outbox_claim(f->t, at, &mail, &error), error);
	settle_as(f, stored.outbox, "sent", "sent", 0);
}

static tracker_digest *digest_at(fixture *f, int64_t now, GError **error)
{
	const tracker_filter filter = { .now = now };
	const tracker_digest_request request = { .scope = "all",
						 .filter = &filter,
						 .quiet_for = (int64_t)14 * DAY };

	return tracker_digest_get(f->t, &request, error);
}

static tracker_report mail_of(fixture *f, const char *message_id, int64_t at)
{
	tracker_report mail = report_of(f, NULL, message_id);

	mail.kind_of_mail = "digest";
	mail.comparison = NULL;
	mail.created = at;
	mail.subject = "a digest";
	mail.body = message_id;
	return mail;
}

static int64_t draft_digest(fixture *f, const char *message_id, int64_t at)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker_digest) d = digest_at(f, at, &error);
	tracker_report mail = mail_of(f, message_id, at);
	g_auto(tracker_stored) stored = { 0 };

	assert_done(d, error);
	assert_done(tracker_digest_add(f->t, d, &mail, &stored, NULL, &error), error);
	return stored.outbox;
}

static void send_digest(fixture *f, const char *message_id, int64_t at)
{
	int64_t id = draft_digest(f, message_id, at);
	g_autoptr(tracker_outgoing) mail = NULL;
	g_autoptr(GError) error = NULL;

	assert_done(tracker_outbox_approve(f->t, id, at, &error), error);
	assert_done(tracker_outbox_claim(f->t, at, &mail, &error), error);
	assert_int_equal(mail->id, id);
	settle_as(f, id, "sent", "sent", 0);
}

static void set_status(fixture *f, tracker_status status, int64_t now)
{
	g_autofree char *id = own_id(CULPRIT);
	const tracker_act act = { .kind = TRACKER_ACT_SET,
				  .id = id,
				  .status = status,
				  .who = "Olga Operator",
				  .reason = "seen in the logs",
				  .now = now };
	g_autoptr(GError) error = NULL;

	assert_done(tracker_act_do(f->t, &act, NULL, &error), error);
}

/* The only open entry of the digest at that time. */
static tracker_digest *only_one(fixture *f, int64_t now,
				const tracker_digest_entry **entry)
{
	g_autoptr(GError) error = NULL;
	tracker_digest *d = digest_at(f, now, &error);

	assert_done(d, error);
	assert_int_equal(d->open->len, 1);
	*entry = d->open->pdata[0];
	return d;
}

static void the_first_digest_calls_nothing_new(void **state)
{
	fixture *f = *state;
	const tracker_digest_entry *e;

	report_commit(f, CULPRIT, MID, T0);
	g_autoptr(tracker_digest) d = only_one(f, T0 + DAY, &e);

	assert_null(d->last_id);
	assert_int_equal(e->news, TRACKER_NEWS_NONE);
	assert_string_equal(e->report_id, MID);
	assert_string_equal(e->reporter, "robot");
	assert_int_equal(e->active_at, 0);
	assert_int_equal(d->closed->len, 0);
	assert_int_equal(d->references->len, 0);
}

static void only_a_digest_that_was_sent_is_compared_with(void **state)
{
	fixture *f = *state;
	const tracker_digest_entry *e;
	int64_t id;
	g_autoptr(GError) error = NULL;

	report_commit(f, CULPRIT, MID, T0);
	id = draft_digest(f, "1@example.org", T0 + DAY);
	g_autoptr(tracker_digest) draft = only_one(f, T0 + 2 * DAY, &e);

	assert_null(draft->last_id);
	assert_done(tracker_outbox_cancel(f->t, id, T0 + DAY, &error), error);
	g_autoptr(tracker_digest) cancelled = only_one(f, T0 + 2 * DAY, &e);

	assert_null(cancelled->last_id);
	send_digest(f, "2@example.org", T0 + 3 * DAY);
	g_autoptr(tracker_digest) sent = only_one(f, T0 + 4 * DAY, &e);

	assert_string_equal(sent->last_id, "2@example.org");
	assert_int_equal(sent->last_at, T0 + 3 * DAY);
	assert_int_equal(e->news, TRACKER_NEWS_NONE);
	assert_int_equal(e->before, TRACKER_STATUS_REPORTED);
	assert_sound(f);
}

static void what_the_last_one_lacked_is_new(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;

	report_commit(f, CULPRIT, MID, T0);
	send_digest(f, "1@example.org", T0 + DAY);
	report_commit(f, OTHER, "202311162213.22222222-robot@example.org",
		      T0 + 2 * DAY);
	g_autoptr(tracker_digest) d = digest_at(f, T0 + 8 * DAY, &error);

	assert_done(d, error);
	assert_int_equal(d->open->len, 2);
	for (guint i = 0; i < 2; i++) {
		const tracker_digest_entry *e = d->open->pdata[i];
		bool other = g_str_has_prefix(e->summary->commit, "89abcdef");

		assert_int_equal(e->news, other ? TRACKER_NEWS_NEW : TRACKER_NEWS_NONE);
	}
}

static void another_status_is_a_change_and_says_what_it_was(void **state)
{
	fixture *f = *state;
	const tracker_digest_entry *e;

	report_commit(f, CULPRIT, MID, T0);
	send_digest(f, "1@example.org", T0 + DAY);
	set_status(f, TRACKER_STATUS_INVESTIGATING, T0 + 2 * DAY);
	g_autoptr(tracker_digest) d = only_one(f, T0 + 8 * DAY, &e);

	assert_int_equal(e->news, TRACKER_NEWS_CHANGED);
	assert_int_equal(e->before, TRACKER_STATUS_REPORTED);
	assert_int_equal(e->active_at, T0 + 2 * DAY);
	assert_string_equal(e->active_by, "Olga Operator");
	assert_false(e->quiet);
}

static void silence_is_told_once(void **state)
{
	fixture *f = *state;
	const tracker_digest_entry *e;

	report_commit(f, CULPRIT, MID, T0);
	send_digest(f, "1@example.org", T0 + 7 * DAY);
	g_autoptr(tracker_digest) second = only_one(f, T0 + 14 * DAY, &e);

	assert_int_equal(e->news, TRACKER_NEWS_QUIET);
	assert_true(e->quiet);
	send_digest(f, "2@example.org", T0 + 14 * DAY);
	g_autoptr(tracker_digest) third = only_one(f, T0 + 21 * DAY, &e);

	assert_int_equal(e->news, TRACKER_NEWS_NONE);
	assert_true(e->quiet);
}

static void what_was_closed_is_told_once_with_who_and_why(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;

	report_commit(f, CULPRIT, MID, T0);
	send_digest(f, "1@example.org", T0 + DAY);
	set_status(f, TRACKER_STATUS_EXPECTED, T0 + 2 * DAY);
	g_autoptr(tracker_digest) d = digest_at(f, T0 + 8 * DAY, &error);

	assert_done(d, error);
	assert_int_equal(d->open->len, 0);
	assert_int_equal(d->closed->len, 1);
	const tracker_digest_entry *e = d->closed->pdata[0];

	assert_int_equal(e->news, TRACKER_NEWS_CLOSED);
	assert_int_equal(e->closed_at, T0 + 2 * DAY);
	assert_string_equal(e->closed_by, "Olga Operator");
	assert_string_equal(e->closed_why, "seen in the logs");

	send_digest(f, "2@example.org", T0 + 8 * DAY);
	g_autoptr(tracker_digest) next = digest_at(f, T0 + 15 * DAY, &error);

	assert_done(next, error);
	assert_int_equal(next->closed->len, 0);
}

static void what_came_and_went_in_between_is_told(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;

	send_digest(f, "1@example.org", T0 - DAY);
	report_commit(f, CULPRIT, MID, T0);
	set_status(f, TRACKER_STATUS_FIXED, T0 + DAY);
	g_autoptr(tracker_digest) d = digest_at(f, T0 + 6 * DAY, &error);

	assert_done(d, error);
	assert_int_equal(d->open->len, 0);
	assert_int_equal(d->closed->len, 1);
}

static void a_clock_before_the_last_digest_is_an_error(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;

	report_commit(f, CULPRIT, MID, T0);
	send_digest(f, "1@example.org", T0 + DAY);
	assert_null(digest_at(f, T0 + DAY - 1, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_STATE));
	assert_non_null(strstr(error->message, "<1@example.org>"));
	assert_non_null(strstr(error->message, "2023-11-15 22:13:19"));
	assert_non_null(strstr(error->message, "2023-11-15 22:13:20"));
}

static void the_thread_is_that_of_all_digests_before(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	tracker_report mail = mail_of(f, "2@example.org", T0 + 2 * DAY);
	g_auto(tracker_stored) stored = { 0 };

	send_digest(f, "1@example.org", T0 + DAY);
	g_autoptr(tracker_digest) d = digest_at(f, T0 + 2 * DAY, &error);

	assert_done(d, error);
	mail.in_reply_to = d->last_id;
	assert_done(tracker_digest_add(f->t, d, &mail, &stored, NULL, &error), error);
	assert_done(tracker_outbox_approve(f->t, stored.outbox, T0, &error), error);
	g_autoptr(tracker_outgoing) claimed = NULL;

	assert_done(tracker_outbox_claim(f->t, T0 + 3 * DAY, &claimed, &error), error);
	settle_as(f, stored.outbox, "sent", "sent", 0);
	g_autoptr(tracker_digest) third = digest_at(f, T0 + 9 * DAY, &error);

	assert_done(third, error);
	assert_int_equal(third->references->len, 2);
	assert_string_equal(third->references->pdata[0], "1@example.org");
	assert_string_equal(third->references->pdata[1], "2@example.org");
}

static void a_new_draft_takes_the_place_of_one_that_never_left(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	int64_t first = draft_digest(f, "1@example.org", T0), gone = 0;
	g_autoptr(tracker_digest) d = digest_at(f, T0 + 7 * DAY, &error);
	tracker_report mail = mail_of(f, "2@example.org", T0 + 7 * DAY);
	g_auto(tracker_stored) stored = { 0 };

	assert_done(tracker_digest_add(f->t, d, &mail, &stored, &gone, &error), error);
	assert_int_equal(gone, first);
	g_autoptr(tracker_outgoing) old = tracker_outbox_get(f->t, first, &error);

	assert_int_equal(old->state, TRACKER_OUTBOX_CANCELLED);
	assert_false(stored.existed);

	/* The same again changes nothing. */
	g_auto(tracker_stored) again = { 0 };

	assert_done(tracker_digest_add(f->t, d, &mail, &again, &gone, &error), error);
	assert_true(again.existed);
	assert_int_equal(again.outbox, stored.outbox);
	assert_int_equal(gone, 0);
}

static void one_that_may_still_leave_must_be_settled_first(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	int64_t first = draft_digest(f, "1@example.org", T0);
	g_autoptr(tracker_digest) d = digest_at(f, T0 + 7 * DAY, &error);
	tracker_report mail = mail_of(f, "2@example.org", T0 + 7 * DAY);
	g_auto(tracker_stored) stored = { 0 };

	assert_done(tracker_outbox_approve(f->t, first, T0, &error), error);
	assert_false(tracker_digest_add(f->t, d, &mail, &stored, NULL, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_STATE));
	assert_non_null(strstr(error->message, "approved"));
	g_clear_error(&error);

	g_autoptr(GPtrArray) all = tracker_outbox_list(f->t, 99, &error);

	assert_int_equal(all->len, 1);
}

static void scopes_have_memories_of_their_own(void **state)
{
	fixture *f = *state;
	const tracker_filter filter = { .now = T0 + 2 * DAY, .subsystem = "mm" };
	const tracker_digest_request request = { .scope = "mm", .filter = &filter };
	g_autoptr(GError) error = NULL;

	report_commit(f, CULPRIT, MID, T0);
	send_digest(f, "1@example.org", T0 + DAY);
	g_autoptr(tracker_digest) d = tracker_digest_get(f->t, &request, &error);

	assert_done(d, error);
	assert_null(d->last_id);
	assert_int_equal(d->open->len, 0); /* the culprit is of sched */
}

#define TEST(name)                                                                     \
	cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_first_digest_calls_nothing_new),
		TEST(only_a_digest_that_was_sent_is_compared_with),
		TEST(what_the_last_one_lacked_is_new),
		TEST(another_status_is_a_change_and_says_what_it_was),
		TEST(silence_is_told_once),
		TEST(what_was_closed_is_told_once_with_who_and_why),
		TEST(what_came_and_went_in_between_is_told),
		TEST(a_clock_before_the_last_digest_is_an_error),
		TEST(the_thread_is_that_of_all_digests_before),
		TEST(a_new_draft_takes_the_place_of_one_that_never_left),
		TEST(one_that_may_still_leave_must_be_settled_first),
		TEST(scopes_have_memories_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
