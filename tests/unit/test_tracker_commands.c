/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands in mails: whose are obeyed, whose only suggest, what they change. */
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_mails.h"
#include "tests/unit/tracker_thread.h"

#define R1 "202305011000.0a1b2c3d-oli@tests.example.org"
#define SIGNED                                                                         \
	"Authentication-Results: mx.example.org; dkim=pass header.d=example.org\n"

static reader the_reader;

/* Brings a report and one reply with this body and these headers. */
static void bring(fixture *f, reply_text reply)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *report =
		report_mail((report_text){ .id = R1, .change = -7.5 });
	g_autofree char *text = NULL;
	mail_text mails[2] = { { .bytes = report } };
	const unsigned order[] = { 0, 1 };

	reply.parent = R1;
	if (!reply.id)
		reply.id = "reply@example.org";
	text = reply_mail(reply);
	mails[1].bytes = text;
	for (int i = 0; i < 2; i++)
		mails[i].length = strlen(mails[i].bytes);
	assert_done(ingest_mails(f->t, &the_reader, mails, order, 2, &error), error);
	assert_sound(f);
}

static void trust(fixture *f, bool require_dkim)
{
	g_autoptr(GPtrArray) hosts = g_ptr_array_new();
	g_autoptr(GPtrArray) operators = g_ptr_array_new();

	g_ptr_array_add(hosts, (gpointer) "mx.example.org");
	g_ptr_array_add(operators, (gpointer) "op@example.org");
	tracker_configure(f->t, &(tracker_policy){ .trusted_hosts = hosts,
						   .operators = operators,
						   .require_dkim = require_dkim });
}

static tracker_detail *show_it(fixture *f)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *id =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	tracker_detail *detail = tracker_show(f->t, id, &error);

	assert_done(detail, error);
	return detail;
}

static const char command[] =
	"Nothing to repair here.\n\n#regtrail expected: by design\n";

static void a_vouched_for_author_is_obeyed_at_once(void **state)
{
	fixture *f = *state;

	trust(f, true);
	bring(f, (reply_text){ .headers = SIGNED, .body = command });
	g_autoptr(tracker_detail) detail = show_it(f);

	assert_int_equal(detail->summary->status, TRACKER_STATUS_EXPECTED);
	const tracker_event *last = detail->events->pdata[detail->events->len - 1];

	assert_string_equal(last->kind, "command");
	assert_string_equal(last->evidence, "#regtrail expected by design");
}

static void without_a_pass_a_command_is_only_a_suggestion(void **state)
{
	static const char *const headers[] = {
		"",
		"Authentication-Results: mx.example.org; dkim=fail header.d=example.org\n",
		"Authentication-Results: evil.example.net; dkim=pass header.d=example.org\n",
		"Authentication-Results: mx.example.org; dkim=pass header.d=example.net\n",
		"Authentication-Results: mx.example.org; dkim=pass header.d=org\n",
		"Authentication-Results: mx.example.org; spf=pass "
		"(dkim=pass header.d=example.org) smtp.mailfrom=x\n",
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(headers); i++) {
		void *own;

		fixture_setup(&own);
		fixture *f = own;

		trust(f, true);
		bring(f, (reply_text){ .headers = headers[i], .body = command });
		g_autoptr(tracker_detail) detail = show_it(f);

		assert_int_equal(detail->summary->status, TRACKER_STATUS_REPORTED);
		assert_true(detail->summary->suggestions->len >= 1);
		fixture_teardown(&own);
	}
}

static void a_stranger_may_not_command(void **state)
{
	fixture *f = *state;

	trust(f, false);
	bring(f,
	      (reply_text){ .from = "Some Body <body@example.org>", .body = command });
	g_autoptr(tracker_detail) detail = show_it(f);

	assert_int_equal(detail->summary->status, TRACKER_STATUS_REPORTED);
	assert_string_equal(
		((tracker_suggestion *)detail->summary->suggestions->pdata[0])->status,
		"expected");
}

static void the_same_name_with_another_address_may_not_command(void **state)
{
	fixture *f = *state;

	trust(f, false);
	bring(f, (reply_text){ .from = "Ada Author <ada@evil.example.net>",
			       .body = command });
	g_autoptr(tracker_detail) detail = show_it(f);

	assert_int_equal(detail->summary->status, TRACKER_STATUS_REPORTED);
}

static void a_quoted_command_is_nobodys(void **state)
{
	fixture *f = *state;

	trust(f, false);
	bring(f,
	      (reply_text){ .body = "On Monday somebody wrote:\n> #regtrail invalid\n\n"
				    "I do not agree.\n" });
	g_autoptr(tracker_detail) detail = show_it(f);

	assert_true(tracker_status_is_open(detail->summary->status));
	for (guint i = 0; i < detail->summary->suggestions->len; i++)
		assert_string_not_equal(
			((tracker_suggestion *)detail->summary->suggestions->pdata[i])
				->status,
			"invalid");
}

static void other_trackers_commands_only_suggest(void **state)
{
	fixture *f = *state;

	trust(f, false);
	bring(f, (reply_text){ .body = "Hello,\n\n#regzbot invalid: not a bug\n" });
	g_autoptr(tracker_detail) detail = show_it(f);

	assert_int_equal(detail->summary->status, TRACKER_STATUS_REPORTED);
	assert_string_equal(
		((tracker_suggestion *)detail->summary->suggestions->pdata[0])->status,
		"invalid");
}

static void several_commands_act_in_their_order_and_undo_takes_one_back(void **state)
{
	fixture *f = *state;

	trust(f, false);
	bring(f, (reply_text){ .from = "Op Erator <op@example.org>",
			       .body = "\n#regtrail title: the slow queue\n"
				       "#regtrail investigating\n"
				       "#regtrail not-reproducible\n"
				       "#regtrail undo\n" });
	g_autoptr(tracker_detail) detail = show_it(f);

	assert_int_equal(detail->summary->status, TRACKER_STATUS_INVESTIGATING);
	assert_string_equal(detail->summary->title, "the slow queue");
}

/* Two copies of one mail after the report, in runs of their own; the status then. */
static tracker_status after_copies(const mail_text *first, const mail_text *second)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *report =
		report_mail((report_text){ .id = R1, .change = -7.5 });
	mail_text mails[3] = { { .bytes = report, .length = strlen(report) },
			       *first,
			       *second };
	void *own;

	fixture_setup(&own);
	fixture *f = own;

	trust(f, true);
	for (unsigned i = 0; i < 3; i++)
		assert_done(ingest_mails(f->t, &the_reader, mails, &i, 1, &error),
			    error);
	assert_sound(f);
	g_autoptr(tracker_detail) detail = show_it(f);
	tracker_status status = detail->summary->status;

	fixture_teardown(&own);
	return status;
}

static mail_text copy_of(reply_text reply, parser_form form)
{
	mail_text mail = { .form = form };

	reply.id = "reply@example.org";
	if (!reply.parent)
		reply.parent = R1;
	mail.bytes = reply_mail(reply);
	mail.length = strlen(mail.bytes);
	return mail;
}

#define WORDS "From here on it is by design.\n\n#regtrail expected: by design\n"

/* Its own server's copy differs from an archive's by what the ways put into it. */
static void who_vouches_counts_whichever_copy_comes_first(void **state)
{
	static const char *const archived[] = {
		WORDS,
		WORDS "\n_______________________________________________\n"
		      "example mailing list -- list@lists.example.org\n",
		WORDS "\nThis mail went through the list of the example people.\n",
	};
	static const struct {
		parser_form form;
		const char *body;
	} own[] = { { PARSER_FORM_MAIL, WORDS }, { PARSER_FORM_MBOX, ">" WORDS } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(archived); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(own); k++) {
			mail_text a = copy_of((reply_text){ .body = archived[i] },
					      PARSER_FORM_MAIL);
			mail_text b = copy_of(
				(reply_text){ .headers = SIGNED, .body = own[k].body },
				own[k].form);

			assert_int_equal(after_copies(&a, &b), TRACKER_STATUS_EXPECTED);
			assert_int_equal(after_copies(&b, &a), TRACKER_STATUS_EXPECTED);
			g_free((char *)a.bytes);
			g_free((char *)b.bytes);
		}
}

/* What was stored first in her name is not what she signed. */
static void who_vouches_for_one_mail_vouches_for_no_other_words(void **state)
{
	static const reply_text forged[] = {
		{ .body = WORDS "\n#regtrail invalid: too\n" },
		{ .body = WORDS "\nand #regtrail expected: as I wish\n"
				"#regtrail undo\n" },
		{ .body = WORDS "\nfooter\n", .subject = "Re: something else" },
		{ .body = WORDS "\nfooter\n", .references = "<other@example.org>" },
		{ .body = WORDS "\nfooter\n",
		  .headers = "X-Regtrail-Regression: "
			     "0123456789012345678901234567890123456789\n" },
		{ .body = WORDS "\nfooter\n", .from = "Op Erator <op@example.org>" },
		{ .body = WORDS "\nfooter\n", .from = "Some Body <ada@example.org>" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(forged); i++) {
		mail_text a = copy_of(forged[i], PARSER_FORM_MAIL);
		mail_text b =
			copy_of((reply_text){ .headers = SIGNED, .body = ">" WORDS },
				PARSER_FORM_MBOX);

		assert_int_equal(after_copies(&a, &b), TRACKER_STATUS_REPORTED);
		g_free((char *)a.bytes);
		g_free((char *)b.bytes);
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_vouched_for_author_is_obeyed_at_once),
		cmocka_unit_test(without_a_pass_a_command_is_only_a_suggestion),
		T(a_stranger_may_not_command),
		T(the_same_name_with_another_address_may_not_command),
		T(a_quoted_command_is_nobodys),
		T(other_trackers_commands_only_suggest),
		T(several_commands_act_in_their_order_and_undo_takes_one_back),
		cmocka_unit_test(who_vouches_counts_whichever_copy_comes_first),
		cmocka_unit_test(who_vouches_for_one_mail_vouches_for_no_other_words),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
