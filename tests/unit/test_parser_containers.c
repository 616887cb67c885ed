/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail.h"

/* The messages of a container as text, "|" between them. */
static char *split(const char *bytes, parser_form *form)
{
	GString *out = g_string_new(NULL);
	parser_splitter s;
	parser_slice slice;

	parser_splitter_init(&s, bytes, strlen(bytes));
	while (parser_splitter_next(&s, &slice)) {
		if (out->len)
			g_string_append_c(out, '|');
		g_string_append_len(out, bytes + slice.offset, (gssize)slice.length);
		*form = slice.form;
	}
	return g_string_free(out, FALSE);
}

#define A    "Subject: a\n\na\n"
#define B    "Subject: b\n\nb\n"
#define FROM "From joe@example.org Fri Aug 11 09:11:21 2023\n"

static const struct {
	const char *bytes, *messages;
	parser_form form;
} cases[] = {
	{ A, A, PARSER_FORM_MAIL },
	{ FROM A "\n" FROM B, A "|" B, PARSER_FORM_MBOX },
	{ FROM A FROM B, A "|" B, PARSER_FORM_MBOX },
	{ "\n\n" FROM A "\n" FROM B "\n", A "|" B, PARSER_FORM_MBOX },
	{ "From mboxrd@z Thu Jan  1 00:00:00 1970\n" A
	  "\nFrom mboxrd@z Thu Jan  1 00:00:00 "
	  "1970\n" B,
	  A "|" B, PARSER_FORM_MBOX },
	/* Body lines that begin like a separator are none. */
	{ FROM "Subject: a\n\nFrom here on\nFrom 8 to 9: 2023 times\n\n" FROM B,
	  "Subject: a\n\nFrom here on\nFrom 8 to 9: 2023 times\n|" B,
	  PARSER_FORM_MBOX },
	/* git's own separator inside a mail is part of it ... */
	{ FROM "Subject: a\n\nFrom 0123456789012345678901234567890123456789 Mon Sep 17 "
	       "00:00:00 2001\nFrom: Joe <joe@example.org>\nSubject: c\n",
	  "Subject: a\n\nFrom 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 "
	  "2001\nFrom: Joe <joe@example.org>\nSubject: c\n",
	  PARSER_FORM_MBOX },
	/* ... but separates what git itself wrote. */
	{ "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n" A
	  "\nFrom 1123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n" B,
	  A "|" B, PARSER_FORM_MBOX },
	/* mboxcl2: the length says where a message ends, and nothing is quoted. */
	{ FROM "Content-Length: 58\nSubject: a\n\n" FROM "Subject: x\n\n\n" FROM
	       "Content-Length: 2\nSubject: b\n\nb\n",
	  "Content-Length: 58\nSubject: a\n\n" FROM "Subject: x\n|"
	  "Content-Length: 2\nSubject: b\n\nb\n",
	  PARSER_FORM_MAIL },
	/* With CRLF, too, wherever the field stands. */
	{ FROM "Content-Length: 60\r\nSubject: a\r\n\r\n" FROM
	       "Subject: x\r\n\r\n\r\n" FROM
	       "Content-Length: 3\r\nSubject: b\r\n\r\nb\r\n",
	  "Content-Length: 60\r\nSubject: a\r\n\r\n" FROM "Subject: x\r\n|"
	  "Content-Length: 3\r\nSubject: b\r\n\r\nb\r\n",
	  PARSER_FORM_MAIL },
	/* A wrong length is not believed. */
	{ FROM "Content-Length: 9999\nSubject: a\n\na\n\n" FROM B,
	  "Content-Length: 9999\nSubject: a\n\na\n|" B, PARSER_FORM_MBOX },
	{ "\r\nFrom joe Fri Aug 11 09:11:21 2023\r\nSubject: a\r\n\r\na\r\n\r\nFrom joe Fri "
	  "Aug 11 09:11:21 2023\r\nSubject: b\r\n\r\nb\r\n",
	  "Subject: a\r\n\r\na\r\n|Subject: b\r\n\r\nb\r\n", PARSER_FORM_MBOX },
};

static void containers_are_cut_into_messages(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		parser_form form = PARSER_FORM_ARCHIVE;
		g_autofree char *got = split(cases[i].bytes, &form);

		assert_string_equal(got, cases[i].messages);
		assert_int_equal(form, cases[i].form);
	}
}

static void quoted_from_lines_of_a_mailbox_are_restored(void **state)
{
	static const char bytes[] =
		"Subject: a\n\n>From here\n>>From there\n> From me\n";
	g_autoptr(parser_mail) mbox =
		parser_mail_parse(bytes, sizeof(bytes) - 1, PARSER_FORM_MBOX, 0, NULL);
	g_autoptr(parser_mail) plain = mail_of(bytes);

	(void)state;
	assert_string_equal(mbox->text, "From here\n>From there\n> From me\n");
	assert_string_equal(plain->text, ">From here\n>>From there\n> From me\n");
}

static void nothing_holds_no_message(void **state)
{
	parser_form form;
	g_autofree char *got = split("", &form);

	(void)state;
	assert_string_equal(got, "");
}

/* ---- pages of archives -------------------------------------------------------------
 */

#define COLLAPSED                                                                            \
	"Hello, kernel test robot noticed a -7.4% regression of bench.score on: commit: "    \
	"0123456789012345678901234567890123456789 (\"x: y\") testcase: bench test machine: " \
	"8 threads %stddev %change %stddev \\ | \\ 8888 -7% 8234 bench.score Thanks, Ann"

static const char page_with_reply[] =
	"Hello, kernel test robot noticed a -7.4% regression of bench.score on:\n\n"
	"From test robot <robot(a)example.org&gt;:\n\n" COLLAPSED "\n\n"
	"test robot <robot(a)example.org&gt; writes: &gt; Hello, &gt; &gt; kernel test robot "
	"noticed a -7.4% regression of bench.score on: &gt; &gt; commit: 0123456789 &gt; We "
	"can ignore this, it is f(a) and a &gt;= b.\n";

static parser_mail *page_message(const char *page, unsigned wanted)
{
	parser_splitter s;
	parser_slice slice;

	parser_splitter_init(&s, page, strlen(page));
	while (parser_splitter_next(&s, &slice)) {
		assert_int_equal(slice.form, PARSER_FORM_ARCHIVE);
		if (slice.index == wanted)
			return parser_mail_parse(page + slice.offset, slice.length,
						 slice.form, slice.index, NULL);
	}
	return NULL;
}

static void a_collapsed_page_holds_report_and_reply(void **state)
{
	g_autoptr(parser_mail) report = page_message(page_with_reply, 0);
	g_autoptr(parser_mail) reply = page_message(page_with_reply, 1);
	g_autofree char *own = text_of_kind(reply, PARSER_SPAN_OWN);
	g_autofree char *quote = text_of_kind(reply, PARSER_SPAN_QUOTE);

	(void)state;
	assert_null(page_message(page_with_reply, 2));
	assert_string_equal(report->from.address, "robot@example.org");
	assert_string_equal(report->from.name, "test robot");
	assert_int_equal(report->class, PARSER_CLASS_ROBOT);
	assert_int_equal(report->archive_parent, -1);
	assert_non_null(strstr(report->text, "Hello, kernel test robot"));
	assert_int_equal(reply->class, PARSER_CLASS_HUMAN);
	assert_int_equal(reply->archive_parent, 0);
	assert_string_equal(own, "We can ignore this, it is f(a) and a >= b.\n");
	assert_non_null(strstr(quote, "regression of bench.score"));
}

static void a_collapsed_report_alone_is_the_robots(void **state)
{
	g_autoptr(parser_mail) mail = page_message(COLLAPSED "\n", 0);
	g_autofree char *own = text_of_kind(mail, PARSER_SPAN_OWN);

	(void)state;
	assert_int_equal(mail->class, PARSER_CLASS_ROBOT);
	assert_string_equal(own, COLLAPSED "\n");
}

static void page_text_has_title_and_author(void **state)
{
	g_autoptr(parser_mail) mail = page_message(
		"Re: [x] 0123456789: bench.score -7.4% regression\n\n"
		"[Joe Doe <joe@example.org>]\n\n"
		"On 11/23/20 10:53 AM, test robot wrote:\n> it is slow\n\nNo.\n",
		0);
	g_autofree char *own = text_of_kind(mail, PARSER_SPAN_OWN);

	(void)state;
	assert_string_equal(mail->subject,
			    "Re: [x] 0123456789: bench.score -7.4% regression");
	assert_string_equal(mail->from.name, "Joe Doe");
	assert_string_equal(mail->from.address, "joe@example.org");
	assert_string_equal(own, "\nNo.\n");
}

static void hypermail_has_names_and_dates(void **state)
{
	g_autoptr(parser_mail) mail =
		page_message("Re: bench.score -7.4% regression\n\nFrom: Joe Doe\n"
			     "Date: Mon Dec 04 2023 - 11:51:40 EST\n\n\n"
			     "* Ann <ann@xxxxxxx> [231204 02:15]:\n> slow\n\nNo.\n",
			     0);

	(void)state;
	assert_string_equal(mail->from.name, "Joe Doe");
	assert_int_equal(mail->date, 1701708700);
	assert_string_equal(mail->subject, "Re: bench.score -7.4% regression");
	assert_int_equal(parser_mail_kind_at(mail, 0), PARSER_SPAN_ATTRIBUTION);
}

static void mhonarc_navigation_is_no_text(void **state)
{
	g_autoptr(parser_mail) mail = page_message(
		"Re: bench.score\n\n[Date Prev][Date Next][Thread Prev]\n\n\n"
		"Joe wrote:\n> slow\n\nNo.\n",
		0);

	(void)state;
	assert_null(strstr(mail->text, "[Date"));
	assert_string_equal(mail->subject, "Re: bench.score");
}

static void a_report_below_an_attribution_is_not_the_authors(void **state)
{
	g_autoptr(parser_mail) mail = page_message(
		"On Tue, Nov 28, 2023 at 21:55, test robot wrote:\n" COLLAPSED "\n", 0);
	g_autofree char *report = text_of_kind(mail, PARSER_SPAN_REPORT);

	(void)state;
	assert_int_equal(mail->class, PARSER_CLASS_HUMAN);
	assert_string_equal(report, COLLAPSED "\n");
}

static void a_mail_on_one_line_keeps_its_header(void **state)
{
	g_autoptr(parser_mail) mail = page_message(
		"Return-Path: Received: from a by b ; Tue, 1 Sep 2009 12:04:11 -0400 Date: Tue, "
		"1 Sep 2009 08:43:28 -0700 From: Joe Doe To: perf@example.org Subject: x: y "
		"Message-ID: <1@example.org> MIME-Version: 1.0 Lines: 240 The words.\n",
		0);

	(void)state;
	assert_string_equal(mail->message_id, "1@example.org");
	assert_string_equal(mail->subject, "x: y");
	assert_string_equal(mail->from.name, "Joe Doe");
	assert_int_equal(mail->date, 1251819808);
	assert_string_equal(mail->text, "The words.\n");
}

static void words_without_any_sign_of_mail_are_no_page(void **state)
{
	parser_splitter s;

	(void)state;
	parser_splitter_init(&s, "just some words\n", 16);
	assert_int_equal(s.form, PARSER_FORM_MAIL);
}

/* The bytes end where they end: a mapped file has no NUL behind it. */
static void nothing_is_read_behind_the_bytes(void **state)
{
	static const char *const ends[] = { "we noticed",
					    "noticed a",
					    "x wrote:",
					    "On",
					    "From ",
					    ">",
					    "Date: ",
					    "&",
					    "\xe5\x86",
					    "Content-Length:",
					    "Content-Length: ",
					    "Content-Length: 7",
					    "Content-Length: 7\r" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		size_t length = strlen(ends[i]);
		g_autofree char *bytes = g_memdup2(ends[i], length);
		g_autofree char *reply = g_strconcat("a\n> b\n\n", ends[i], NULL);
		g_autofree char *exact = g_memdup2(reply, strlen(reply));
		g_autofree char *mbox = g_strconcat(FROM, ends[i], NULL);
		g_autofree char *exactly = g_memdup2(mbox, strlen(mbox));
		parser_splitter s;
		parser_slice slice;

		parser_splitter_init(&s, bytes, length);
		while (parser_splitter_next(&s, &slice))
			;
		parser_splitter_init(&s, exact, strlen(reply));
		while (parser_splitter_next(&s, &slice))
			;
		parser_splitter_init(&s, exactly, strlen(mbox));
		while (parser_splitter_next(&s, &slice))
			;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(containers_are_cut_into_messages),
		cmocka_unit_test(quoted_from_lines_of_a_mailbox_are_restored),
		cmocka_unit_test(nothing_holds_no_message),
		cmocka_unit_test(nothing_is_read_behind_the_bytes),
		cmocka_unit_test(a_collapsed_page_holds_report_and_reply),
		cmocka_unit_test(a_collapsed_report_alone_is_the_robots),
		cmocka_unit_test(page_text_has_title_and_author),
		cmocka_unit_test(hypermail_has_names_and_dates),
		cmocka_unit_test(mhonarc_navigation_is_no_text),
		cmocka_unit_test(a_report_below_an_attribution_is_not_the_authors),
		cmocka_unit_test(a_mail_on_one_line_keeps_its_header),
		cmocka_unit_test(words_without_any_sign_of_mail_are_no_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
