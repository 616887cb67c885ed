/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of ours, from a draft to an open regression, and the operator's acts on it.
 */
#include <sqlite3.h>

#include "tests/unit/tracker_fixture.h"

static char *own_id(void)
{
	return parser_regression_id(CULPRIT, "unixbench", "unixbench.score");
}

#define MID "202311142213.11111111-robot@example.org"

static tracker_report the_report(fixture *f, const char *id)
{
	return report_of(f, id, MID);
}

static void a_draft_is_no_regression_in_the_list_and_a_sent_report_is(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(GError) error = NULL;

	assert_done(tracker_report_add(f->t, &report, &stored, &error), error);
	assert_string_equal(stored.regression, id);
	g_autoptr(GPtrArray) before = list_all_open(f);

	assert_int_equal(before->len, 0);
	assert_done(tracker_outbox_approve(f->t, stored.outbox, T0, &error), error);

	g_autoptr(tracker_outgoing) mail = NULL;

	assert_done(tracker_outbox_claim(f->t, T0, &mail, &error), error);
	assert_int_equal(mail->recipients->len, 2);
	settle_as(f, mail->id, "sent", "sent", 0);

	g_autoptr(GPtrArray) after = list_all_open(f);

	assert_int_equal(after->len, 1);
	const tracker_summary *s = after->pdata[0];

	assert_string_equal(s->id, id);
	assert_int_equal(strlen(s->short_id), 8);
	assert_int_equal(s->status, TRACKER_STATUS_REPORTED);
	assert_string_equal(s->metric, "unixbench.score");
	assert_string_equal(s->author, "Ada Author");
	assert_true(s->has_change && s->change_percent == -10);
	assert_sound(f);
}

static void the_same_rendering_again_is_the_earlier_draft(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) first = { 0 };
	g_auto(tracker_stored) second = { 0 };
	g_autoptr(GError) error = NULL;

	assert_done(tracker_report_add(f->t, &report, &first, &error), error);
	report.created += 3600;
	report.message_id = "202311142313.11111111-robot@example.org";
	assert_done(tracker_report_add(f->t, &report, &second, &error), error);
	assert_true(second.existed);
	assert_int_equal(second.outbox, first.outbox);
	assert_string_equal(second.message_id, MID);

	report.body = "Other words\n";
	tracker_stored_clear(&second);
	assert_false(tracker_report_add(f->t, &report, &second, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_EXISTS));
}

static void a_regression_is_reported_once(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(GError) error = NULL;

	send_report(f, &report);
	report.revision = 1;
	report.message_id = "202311142213.22222222-robot@example.org";
	assert_false(tracker_report_add(f->t, &report, &stored, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_EXISTS));
	assert_non_null(strstr(error->message, MID));

	/* A follow-up is another thing. */
	g_clear_error(&error);
	report.kind_of_mail = "followup";
	assert_done(tracker_report_add(f->t, &report, &stored, &error), error);
}

static void a_cancelled_draft_does_not_stand_in_the_way(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) first = { 0 };
	g_auto(tracker_stored) second = { 0 };
	tracker_draft draft;
	g_autoptr(GError) error = NULL;

	assert_done(tracker_report_add(f->t, &report, &first, &error), error);
	assert_done(tracker_outbox_cancel(f->t, first.outbox, T0, &error), error);
	assert_done(tracker_draft_find(f->t, id, "report", &draft, &error), error);
	assert_true(draft.found);
	assert_int_equal(draft.state, TRACKER_OUTBOX_CANCELLED);
	assert_int_equal(draft.created, T0);
	report.revision = draft.revision + 1;
	report.message_id = "202311142213.33333333-robot@example.org";
	assert_done(tracker_report_add(f->t, &report, &second, &error), error);
	assert_false(second.existed);
	assert_sound(f);
}

static void a_report_leaves_nothing_behind_when_it_fails(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(GError) error = NULL;
	sqlite3 *db;

	/* The last row of all is refused. */
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db,
			     "CREATE TRIGGER no BEFORE INSERT ON outbox_recipient "
			     "BEGIN SELECT raise(ABORT, 'no'); END",
			     NULL, NULL, NULL),
		SQLITE_OK);
	assert_false(tracker_report_add(f->t, &report, &stored, &error));
	assert_non_null(error);
	assert_int_equal(sqlite3_exec(db, "DROP TRIGGER no", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	g_clear_error(&error);

	tracker_filter everything = { .all = true };
	g_autoptr(GPtrArray) found = tracker_list(f->t, &everything, &error);

	assert_int_equal(found->len, 0);
	assert_done(tracker_report_add(f->t, &report, &stored, &error), error);
}

static void mail_that_was_on_the_wire_is_not_sent_again_blindly(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(tracker_outgoing) mail = NULL;
	g_autoptr(tracker_outgoing) again = NULL;
	g_autoptr(GError) error = NULL;

	assert_done(tracker_report_add(f->t, &report, &stored, &error), error);
	assert_done(tracker_outbox_approve(f->t, stored.outbox, T0, &error), error);
	assert_done(tracker_outbox_claim(f->t, T0, &mail, &error), error);
	/* The sender dies here; the next one cleans up. */
	assert_done(tracker_outbox_recover(f->t, T0 + 60, &error), error);
	assert_done(tracker_outbox_claim(f->t, T0 + 60, &again, &error), error);
	assert_null(again);

	g_autoptr(GPtrArray) unknown =
		tracker_outbox_list(f->t, TRACKER_OUTBOX_UNKNOWN, &error);

	assert_int_equal(unknown->len, 1);
	assert_done(tracker_outbox_mark_sent(f->t, stored.outbox, T0 + 90, &error),
		    error);

	g_autoptr(GPtrArray) open = list_all_open(f);

	assert_int_equal(open->len, 1);
}

static void a_retry_waits_for_its_time_and_goes_only_to_who_has_not_got_it(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(tracker_outgoing) mail = NULL;
	g_autoptr(tracker_outgoing) early = NULL;
	g_autoptr(tracker_outgoing) late = NULL;
	g_autoptr(GError) error = NULL;
	int64_t count;

	assert_done(tracker_report_add(f->t, &report, &stored, &error), error);
	assert_done(tracker_outbox_approve(f->t, stored.outbox, T0, &error), error);
	assert_done(tracker_outbox_claim(f->t, T0, &mail, &error), error);
	settle_as(f, mail->id, "sent", "waiting", T0 + 600);
	assert_done(tracker_outbox_claim(f->t, T0 + 599, &early, &error), error);
	assert_null(early);
	assert_done(tracker_outbox_claim(f->t, T0 + 600, &late, &error), error);
	assert_int_equal(late->recipients->len, 1);
	assert_string_equal(late->recipients->pdata[0], "list@lists.example.org");
	assert_string_equal(late->detail, "smtp://mx: said");
	assert_done(tracker_sent_count(f->t, NULL, T0 - 3600, &count, &error), error);
	assert_int_equal(count, 1);
}

static void the_outbox_takes_no_step_that_mail_cannot_take(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(GError) error = NULL;

	send_report(f, &report);
	g_autoptr(GPtrArray) all = tracker_outbox_list(f->t, -1, &error);
	int64_t n = ((tracker_outgoing *)all->pdata[0])->id;

	assert_false(tracker_outbox_approve(f->t, n, T0, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_STATE));
	assert_non_null(strstr(error->message, "sent"));
	g_clear_error(&error);
	assert_false(tracker_outbox_retry(f->t, n, T0, &error));
	g_clear_error(&error);
	assert_false(tracker_outbox_cancel(f->t, 99, T0, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND));
}

/* ---- acts
 * ---------------------------------------------------------------------------- */

static tracker_status act(fixture *f, tracker_act a)
{
	g_autofree char *id = own_id();
	g_autoptr(GError) error = NULL;
	tracker_status status = TRACKER_STATUSES;

	a.id = id;
	a.who = "operator";
	assert_done(tracker_act_do(f->t, &a, &status, &error), error);
	return status;
}

static void a_clock_that_jumps_back_takes_no_act_away(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);

	send_report(f, &report);
	act(f, (tracker_act){ .kind = TRACKER_ACT_SET,
			      .status = TRACKER_STATUS_EXPECTED,
			      .reason = "the price of safety",
			      .now = T0 + 1000 });
	assert_int_equal(
		act(f, (tracker_act){ .kind = TRACKER_ACT_REOPEN, .now = T0 + 10 }),
		TRACKER_STATUS_REPORTED);
	assert_int_equal(act(f, (tracker_act){ .kind = TRACKER_ACT_SET,
					       .status = TRACKER_STATUS_INVALID,
					       .reason = "the machine was broken",
					       .now = T0 - 1000 }),
			 TRACKER_STATUS_INVALID);
	assert_sound(f);
}

static void acts_follow_the_clock_and_can_be_taken_back(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);

	send_report(f, &report);
	assert_int_equal(act(f, (tracker_act){ .kind = TRACKER_ACT_SET,
					       .status = TRACKER_STATUS_EXPECTED,
					       .reason = "the price of safety",
					       .now = T0 + 10 }),
			 TRACKER_STATUS_EXPECTED);
	assert_int_equal(
		act(f, (tracker_act){ .kind = TRACKER_ACT_REOPEN, .now = T0 + 20 }),
		TRACKER_STATUS_REPORTED);
	assert_int_equal(
		act(f, (tracker_act){ .kind = TRACKER_ACT_UNDO, .now = T0 + 30 }),
		TRACKER_STATUS_EXPECTED);
	assert_int_equal(
		act(f, (tracker_act){ .kind = TRACKER_ACT_UNDO, .now = T0 + 40 }),
		TRACKER_STATUS_REPORTED);

	tracker_act more = {
		.kind = TRACKER_ACT_UNDO, .id = id, .who = "operator", .now = T0 + 50
	};
	g_autoptr(GError) error = NULL;

	assert_false(tracker_act_do(f->t, &more, NULL, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_STATE));
	assert_sound(f);
}

static void an_act_that_makes_no_sense_is_refused(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	const tracker_act acts[] = {
		{ .kind = TRACKER_ACT_CONFIRM },
		{ .kind = TRACKER_ACT_REJECT },
		{ .kind = TRACKER_ACT_REOPEN },
		{ .kind = TRACKER_ACT_UNDO },
		{ .kind = TRACKER_ACT_UNDUP },
		{ .kind = TRACKER_ACT_NOTE },
		{ .kind = TRACKER_ACT_SET, .status = TRACKER_STATUS_EXPECTED },
		{ .kind = TRACKER_ACT_SET, .reason = "to what?" },
		{ .kind = TRACKER_ACT_DUP, .other = id },
		{ .kind = TRACKER_ACT_DUP },
	};

	send_report(f, &report);
	for (size_t i = 0; i < G_N_ELEMENTS(acts); i++) {
		tracker_act a = acts[i];
		g_autoptr(GError) error = NULL;

		a.id = id;
		a.who = "operator";
		a.now = T0 + 1;
		if (tracker_act_do(f->t, &a, NULL, &error))
			fail_msg("%s was not refused", tracker_act_name(a.kind));
		assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_STATE));
	}
}

static void a_note_stands_in_the_history_and_changes_nothing(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_autoptr(GError) error = NULL;

	send_report(f, &report);
	assert_int_equal(act(f, (tracker_act){ .kind = TRACKER_ACT_NOTE,
					       .reason = "asked on the phone",
					       .now = T0 + 10 }),
			 TRACKER_STATUS_REPORTED);
	g_autoptr(tracker_detail) detail = tracker_show(f->t, id, &error);

	assert_done(detail, error);
	assert_int_equal(detail->events->len, 2);
	assert_string_equal(((tracker_event *)detail->events->pdata[1])->evidence,
			    "asked on the phone");
	assert_string_equal(((tracker_event *)detail->events->pdata[1])->kind, "note");
	assert_int_equal(detail->findings->len, 1);
	assert_true(((tracker_finding *)detail->findings->pdata[0])->has_interval);
	assert_string_equal(detail->report_id, MID);
	assert_true(detail->seen);
	assert_int_equal(detail->trailers->len, 3);
}

static void history_cannot_be_edited_even_by_hand(void **state)
{
	static const char *const attempts[] = {
		"UPDATE event SET status = 'fixed'",
		"DELETE FROM event",
		"UPDATE act SET who = 'x'",
		"DELETE FROM act",
		"INSERT INTO event (regression, at, recorded, status, kind, actor, role, "
		"rule, evidence) VALUES (1, 0, 0, 'fixed', 'set', 'x', 'operator', 'act', '')",
		"INSERT INTO event (regression, at, recorded, status, kind, actor, role, "
		"rule, evidence) VALUES (1, 0, 0, 'solved', 'set', 'x', 'operator', 'a', 'b')",
		"UPDATE outbox SET state = 'draft'",
		"UPDATE regression SET status = 'odd'",
	};
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	sqlite3 *db;

	send_report(f, &report);
	act(f,
	    (tracker_act){ .kind = TRACKER_ACT_NOTE, .reason = "x", .now = T0 + 10 });
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	for (size_t i = 0; i < G_N_ELEMENTS(attempts); i++)
		if (sqlite3_exec(db, attempts[i], NULL, NULL, NULL) !=
		    SQLITE_CONSTRAINT)
			fail_msg("allowed: %s", attempts[i]);
	sqlite3_close(db);
}

static void ids_are_found_by_unique_prefixes_only(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	g_autofree char *upper = g_ascii_strup(id, 6);
	tracker_report report = the_report(f, id);
	g_autoptr(GError) error = NULL;

	send_report(f, &report);
	g_autoptr(tracker_detail) found = tracker_show(f->t, upper, &error);

	assert_done(found, error);
	assert_null(tracker_show(f->t, "ffffffffffff", &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND));
	g_clear_error(&error);
	assert_null(tracker_show(f->t, "not hex", &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND));
	g_clear_error(&error);
	assert_null(tracker_show(f->t, "", &error));
	assert_non_null(error);
}

/* ---- files
 * ---------------------------------------------------------------------------- */

static void a_second_create_is_refused_and_harms_nothing(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(GError) error = NULL;

	/* As long as it holds nothing, a create that was cut off may be repeated. */
	assert_done(tracker_create(f->path, &error), error);
	assert_done(tracker_report_add(f->t, &report, &stored, &error), error);
	assert_false(tracker_create(f->path, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_EXISTS));
	assert_sound(f);
}

static void a_newer_store_is_left_alone(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db, "PRAGMA user_version = 999", NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
	assert_null(tracker_open(f->path, false, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_NEWER));
}

static void what_is_no_store_is_not_opened(void **state)
{
	fixture *f = *state;
	g_autofree char *other = g_build_filename(f->dir, "other", NULL);
	g_autoptr(GError) error = NULL;

	assert_null(tracker_open(other, false, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND));
	g_clear_error(&error);
	assert_true(
		g_file_set_contents(other, "just some text, no database", -1, NULL));
	assert_null(tracker_open(other, false, &error));
	assert_non_null(strstr(error->message, other));
	g_clear_error(&error);
	assert_true(g_file_set_contents(other, "", 0, NULL));
	assert_null(tracker_open(other, false, &error));
	g_remove(other);
}

static void a_reader_is_not_blocked_and_a_second_writer_is_told(void **state)
{
	fixture *f = *state;
	g_autofree char *id = own_id();
	tracker_report report = the_report(f, id);
	g_autoptr(GError) error = NULL;
	sqlite3 *db;

	send_report(f, &report);
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
			 SQLITE_OK);
	g_autoptr(GPtrArray) open = list_all_open(f);

	assert_int_equal(open->len, 1);
	assert_false(tracker_outbox_recover(f->t, T0, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_BUSY));
	sqlite3_close(db);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_draft_is_no_regression_in_the_list_and_a_sent_report_is),
		T(the_same_rendering_again_is_the_earlier_draft),
		T(a_regression_is_reported_once),
		T(a_cancelled_draft_does_not_stand_in_the_way),
		T(a_report_leaves_nothing_behind_when_it_fails),
		T(mail_that_was_on_the_wire_is_not_sent_again_blindly),
		T(a_retry_waits_for_its_time_and_goes_only_to_who_has_not_got_it),
		T(the_outbox_takes_no_step_that_mail_cannot_take),
		T(acts_follow_the_clock_and_can_be_taken_back),
		T(a_clock_that_jumps_back_takes_no_act_away),
		T(an_act_that_makes_no_sense_is_refused),
		T(a_note_stands_in_the_history_and_changes_nothing),
		T(history_cannot_be_edited_even_by_hand),
		T(ids_are_found_by_unique_prefixes_only),
		T(a_second_create_is_refused_and_harms_nothing),
		T(a_newer_store_is_left_alone),
		T(what_is_no_store_is_not_opened),
		T(a_reader_is_not_blocked_and_a_second_writer_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
