/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of a mail of ours, recipient by recipient. */
#include "tests/unit/tracker_delivery.h"

static void the_state_of_a_mail_is_that_of_its_recipients(void **state)
{
	static const struct {
		const char *ada, *list;
		int64_t next_at;
		tracker_outbox_state is;
		guint open;
	} cases[] = {
		{ "sent", "sent", 0, TRACKER_OUTBOX_SENT, 1 },
		{ "sent", "rejected", 0, TRACKER_OUTBOX_SENT, 1 },
		{ "rejected", "rejected", 0, TRACKER_OUTBOX_REJECTED, 0 },
		{ "sent", "waiting", T0 + 300, TRACKER_OUTBOX_APPROVED, 1 },
		{ "waiting", "rejected", T0 + 300, TRACKER_OUTBOX_APPROVED, 0 },
		{ "unknown", "rejected", 0, TRACKER_OUTBOX_UNKNOWN, 0 },
		{ "unknown", "waiting", T0 + 300, TRACKER_OUTBOX_APPROVED, 0 },
		{ "waiting", "waiting", 0, TRACKER_OUTBOX_REJECTED, 0 },
		{ "sent", "waiting", 0, TRACKER_OUTBOX_SENT, 1 },
	};

	fixture_teardown(state);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		fixture_setup(state);
		int64_t id = claimed(*state);

		assert_int_equal(settle_as(*state, id, cases[i].ada, cases[i].list,
					   cases[i].next_at),
				 cases[i].is);
		assert_open(*state, cases[i].open);
		if (i + 1 < G_N_ELEMENTS(cases))
			fixture_teardown(state);
	}
}

static void who_waits_is_tried_again_and_nobody_else(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);
	g_autoptr(tracker_outgoing) again = NULL;
	g_autoptr(GError) error = NULL;
	bool due;

	settle_as(f, id, "sent", "waiting", T0 + 300);
	assert_done(tracker_outbox_due(f->t, T0 + 299, &due, &error), error);
	assert_false(due);
	assert_done(tracker_outbox_due(f->t, T0 + 300, &due, &error), error);
	assert_true(due);
	assert_done(tracker_outbox_claim(f->t, T0 + 300, &again, &error), error);
	assert_int_equal(again->recipients->len, 1);
	assert_string_equal(again->recipients->pdata[0], LIST);
	assert_int_equal(again->attempts, 2);
	assert_string_equal(fate_of(again, LIST)->detail, "words for the list");
	assert_int_equal(settle_as(f, id, "waiting", "sent", 0), TRACKER_OUTBOX_SENT);

	g_autoptr(tracker_outgoing) done = get(f, id);

	assert_string_equal(fate_of(done, ADA)->state, "sent");
	assert_string_equal(fate_of(done, ADA)->detail, "words for Ada");
}

static void a_clock_that_was_years_ahead_delays_nothing(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);
	g_autoptr(tracker_outgoing) again = NULL;
	g_autoptr(GError) error = NULL;
	int64_t year = INT64_C(365) * 86400;
	bool due;

	settle_as(f, id, "waiting", "waiting", T0 + year);
	assert_done(tracker_outbox_due(f->t, T0, &due, &error), error);
	assert_true(due);
	assert_done(tracker_outbox_claim(f->t, T0, &again, &error), error);
	assert_non_null(again);
}

static void who_is_given_up_keeps_the_last_words(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);

	settle_as(f, id, "sent", "waiting", 0);
	g_autoptr(tracker_outgoing) mail = get(f, id);

	assert_string_equal(fate_of(mail, LIST)->state, "rejected");
	assert_string_equal(fate_of(mail, LIST)->detail,
			    "given up: words for the list");
}

static void what_was_held_back_is_no_attempt(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);
	const tracker_result result = {
		.next_at = T0 + 60, .held = true, .detail = "a cap", .now = T0
	};
	tracker_outbox_state is;
	g_autoptr(GError) error = NULL;

	assert_done(tracker_outbox_result(f->t, id, &result, &is, &error), error);
	assert_int_equal(is, TRACKER_OUTBOX_APPROVED);
	g_autoptr(tracker_outgoing) mail = get(f, id);

	assert_int_equal(mail->attempts, 0);
	assert_int_equal(mail->next_at, T0 + 60);
	assert_int_equal(mail->recipients->len, 2);
}

static void a_row_that_is_not_on_the_wire_takes_no_result(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);
	const tracker_result result = { .now = T0 };
	tracker_outbox_state is;
	g_autoptr(GError) error = NULL;

	settle_as(f, id, "sent", "sent", 0);
	assert_false(tracker_outbox_result(f->t, id, &result, &is, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_STATE));
}

static void a_copy_is_owed_until_it_is_filed(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);
	g_autoptr(GError) error = NULL;

	settle_as(f, id, "sent", "rejected", 0);
	g_autoptr(GPtrArray) owed = tracker_outbox_unfiled(f->t, &error);

	assert_done(owed, error);
	assert_int_equal(owed->len, 1);
	const tracker_filing *one = owed->pdata[0];

	assert_string_equal(one->fcc, "maildir:sent");
	assert_string_equal(one->message_id, MID);
	assert_int_equal(g_bytes_get_size(one->bytes), 17);
	assert_done(tracker_outbox_filed(f->t, id, &error), error);
	g_autoptr(GPtrArray) none = tracker_outbox_unfiled(f->t, &error);

	assert_int_equal(none->len, 0);
}

static void caps_count_mails_and_also_those_that_may_have_left(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f), count;
	g_autoptr(GError) error = NULL;

	settle_as(f, id, "unknown", "unknown", 0);
	assert_done(tracker_sent_count(f->t, NULL, T0, &count, &error), error);
	assert_int_equal(count, 1);
	assert_done(tracker_sent_count(f->t, ADA, T0, &count, &error), error);
	assert_int_equal(count, 1);
	assert_done(tracker_sent_count(f->t, ADA, T0 + 6, &count, &error), error);
	assert_int_equal(count, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_state_of_a_mail_is_that_of_its_recipients),
		TEST(who_waits_is_tried_again_and_nobody_else),
		TEST(a_clock_that_was_years_ahead_delays_nothing),
		TEST(who_is_given_up_keeps_the_last_words),
		TEST(what_was_held_back_is_no_attempt),
		TEST(a_row_that_is_not_on_the_wire_takes_no_result),
		TEST(a_copy_is_owed_until_it_is_filed),
		TEST(caps_count_mails_and_also_those_that_may_have_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
