/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes back of a mail of ours: copies from lists, and bounces. */
#include "tests/unit/tracker_delivery.h"

static void ingest(fixture *f, const char *text)
{
	const tracker_place place = { .source = "-",
				      .name = "-",
				      .length = (int64_t)strlen(text),
				      .form = PARSER_FORM_MAIL,
				      .keep = true };
	g_autoptr(parser_rules) rules = parser_rules_new();
	parser_lists *lists = parser_lists_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker_ingest) run =
		tracker_ingest_begin(f->t, rules, lists, NULL, NULL, T0 + 1000, &error);

	assert_done(run, error);
	assert_done(tracker_ingest_message(run, text, strlen(text), &place, &error),
		    error);
	assert_done(tracker_ingest_commit(run, NULL, &error), error);
	parser_lists_free(lists);
}

#define COPY(body)                                                                     \
	"From: robot <robot@example.org>\nTo: ada@example.org\n"                       \
	"List-Id: <list.lists.example.org>\nMessage-ID: <" MID ">\n"                   \
	"Date: Tue, 14 Nov 2023 22:13:20 +0000\nSubject: x\n\n" body

#define BOUNCE(action)                                                                 \
	"From: MAILER-DAEMON@mx.example.org\nTo: robot@example.org\n"                  \
	"Message-ID: <b@mx.example.org>\nDate: Tue, 14 Nov 2023 22:20:00 +0000\n"      \
	"Subject: Undelivered\nMIME-Version: 1.0\nContent-Type: multipart/report;\n"   \
	" report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n\n--b\n"           \
	"Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"          \
	"Final-Recipient: rfc822; Ada@Example.org\nAction: " action "\n"               \
	"Status: 5.1.1\nDiagnostic-Code: smtp; 550 nobody\n\n--b\n"                    \
	"Content-Type: message/rfc822\n\nMessage-ID: <" MID ">\n\nHello\n\n--b--\n"

static void a_copy_from_the_list_settles_what_nobody_knew(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);

	settle_as(f, id, "unknown", "unknown", 0);
	assert_open(f, 0);
	ingest(f, COPY("y\n\n_____\nA footer of the list\n"));
	g_autoptr(tracker_outgoing) mail = get(f, id);

	assert_int_equal(mail->state, TRACKER_OUTBOX_SENT);
	assert_open(f, 1);
	assert_sound(f);
}

/* Who knows or guesses the id of a mail cannot keep it from being sent. */
static void what_only_bears_our_id_settles_nothing(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);

	settle_as(f, id, "waiting", "waiting", T0 + 300);
	ingest(f, COPY("hello\n"));
	g_autoptr(tracker_outgoing) waiting = get(f, id);

	assert_int_equal(waiting->state, TRACKER_OUTBOX_APPROVED);
	assert_open(f, 0);
	ingest(f, COPY("y\n"));
	g_autoptr(tracker_outgoing) sent = get(f, id);

	assert_int_equal(sent->state, TRACKER_OUTBOX_SENT);
	assert_open(f, 1);
	assert_sound(f);
}

static void a_copy_leaves_those_waiting_whom_a_server_put_off(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);

	settle_as(f, id, "waiting", "sent", T0 + 300);
	ingest(f, COPY("y\n\n_____\nA footer of the list\n"));
	g_autoptr(tracker_outgoing) mail = get(f, id);

	assert_int_equal(mail->state, TRACKER_OUTBOX_APPROVED);
	assert_int_equal(mail->recipients->len, 1);
}

static void a_copy_that_arrives_while_the_sender_is_at_work_counts_if_it_dies(
	void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);
	g_autoptr(GError) error = NULL;

	ingest(f, COPY("y\n\n_____\nA footer of the list\n"));
	assert_done(tracker_outbox_recover(f->t, T0 + 2000, &error), error);
	g_autoptr(tracker_outgoing) mail = get(f, id);

	assert_int_equal(mail->state, TRACKER_OUTBOX_SENT);
	assert_open(f, 1);
}

static void a_bounce_is_matched_to_mail_and_recipient_and_is_no_reply(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);

	settle_as(f, id, "sent", "sent", 0);
	ingest(f, BOUNCE("failed"));
	ingest(f, BOUNCE("failed"));
	g_autoptr(tracker_outgoing) mail = get(f, id);
	g_autoptr(GPtrArray) open = list_all_open(f);
	const tracker_summary *s = open->pdata[0];

	assert_int_equal(mail->state, TRACKER_OUTBOX_SENT);
	assert_string_equal(fate_of(mail, ADA)->state, "bounced");
	assert_string_equal(fate_of(mail, ADA)->detail, "bounced: 5.1.1 550 nobody");
	assert_string_equal(fate_of(mail, LIST)->state, "sent");
	assert_int_equal(s->replies, 0);
	assert_int_equal(s->last_human_at, 0);
	assert_int_equal(s->status, TRACKER_STATUS_REPORTED);
	assert_sound(f);
}

static void a_notice_of_delay_changes_no_state(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);

	settle_as(f, id, "sent", "sent", 0);
	ingest(f, BOUNCE("delayed"));
	g_autoptr(tracker_outgoing) mail = get(f, id);

	assert_string_equal(fate_of(mail, ADA)->state, "sent");
	assert_string_equal(fate_of(mail, ADA)->detail, "delayed: 5.1.1 550 nobody");
}

static void what_bounces_was_sent(void **state)
{
	fixture *f = *state;
	int64_t id = claimed(f);

	settle_as(f, id, "unknown", "unknown", 0);
	ingest(f, BOUNCE("failed"));
	g_autoptr(tracker_outgoing) mail = get(f, id);

	assert_int_equal(mail->state, TRACKER_OUTBOX_SENT);
	assert_string_equal(fate_of(mail, ADA)->state, "bounced");
	assert_open(f, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_copy_from_the_list_settles_what_nobody_knew),
		TEST(what_only_bears_our_id_settles_nothing),
		TEST(a_copy_leaves_those_waiting_whom_a_server_put_off),
		TEST(a_copy_that_arrives_while_the_sender_is_at_work_counts_if_it_dies),
		TEST(a_bounce_is_matched_to_mail_and_recipient_and_is_no_reply),
		TEST(a_notice_of_delay_changes_no_state),
		TEST(what_bounces_was_sent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
