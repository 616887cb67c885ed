/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Containers, scanner, messages, spans and links in linear time: see counted.h. */
#include "tests/unit/counted.h"
#include "tests/unit/mail.h"

#define SMALL 1200 /* repetitions of a pattern; more than PARSER_PARTS_MAX */

#define BODY  "Subject: x\n\n"
#define HTML  "Content-Type: text/html\n\n"
#define MIXED "Content-Type: multipart/mixed; boundary=b\n\n"
#define MBOX  "From joe@x Fri Aug 11 09:11:21 2023\nSubject: x\n\n"
#define HEX   "0123456789012345678901234567890123456789"

static const hostile cases[] = {
	/* clang-format off */
	/* fields */
	{ "To: ", "a:", "\n\nx\n" }, { "To: @", ":", "\n\nx\n" }, { "To: ", "(", "\n\nx\n" },
	{ "To: ", "\"", "\n\nx\n" }, { "To: ", "<", "\n\nx\n" }, { "To: ", "a,", "\n\nx\n" },
	{ "To: ", "<,", "\n\nx\n" }, { "To: ", "a <b@c>,", "\n\nx\n" }, { "To: ", "a b@c ", "\n\nx\n" },
	{ "", "To: a@b\n", "\nx\n" }, { "", "Received: x; 1 Jan 2023 10:00\n", "\nx\n" },
	{ "From: a via b <l@x>\nReply-To: ", "c@d,", "\nList-Id: <l.x>\n\nx\n" },
	{ "From: a via b <l@x>\nCc: ", "a <l@x>,", "\nList-Id: <l.x>\n\nx\n" },
	{ "From: a via b <l@x>\n", "List-Id: <l.x>\nReply-To: l@x\n", "\nx\n" },
	{ "References:", " <a@b", "\n\nx\n" }, { "References: ", "(", "\n\nx\n" },
	{ "References: ", "\"", "\n\nx\n" }, { "References: ", "<", "\n\nx\n" },
	{ "References: ", "a@b ", "\n\nx\n" }, { "References: ", "\\", "\n\nx\n" },
	{ "References: ", "=?utf-8?q?=3Ca=40b=3E?= ", "\n\nx\n" },
	{ "", "In-Reply-To: <a@b>\n", "To: a@b\n\nx\n" }, { "", "Message-ID: <>\n", "\nx\n" },
	{ "Subject: ", "=?utf-8?q?x?= ", "\n\nx\n" }, { "Subject: ", "=?", "\n\nx\n" },
	{ "Subject: x", "\n y", "\n\nx\n" }, { "Date: ", "(", "\n\nx\n" }, { "Date: ", "1 ", "\n\nx\n" },
	{ "", "X: y\n", "\nx\n" }, { "Subject: x\n", ">From x\n", "\nx\n" },
	/* quotes and whose words */
	{ BODY, ">", "\n" }, { BODY, "> x\n", "" }, { BODY, "> x\ny\n", "" }, { BODY, ">> x\n> y\n", "" },
	{ BODY, "x", "\n" }, { BODY, "x ", "\n" }, { BODY, "\n", "x\n" }, { BODY, "x\n\n", "" },
	{ BODY, "AB> x\n", "" }, { BODY, ": x\n", "" },
	{ BODY, "On 1 Jan 2023 10:00 a@b wrote:\n", "" }, { BODY, "On 1 Jan 2023 10:00\n", "" },
	{ BODY, "x\nOn 1 Jan 2023 10:00 a@b wrote:\n> y\n", "" },
	{ "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nx\n", "" },
	{ "Content-Type: multipart/mixed; boundary=b\n\n", "boundary=xBb\n", "" },
	{ BODY, "De: Joe <joe@example.org>\n", "" },
	{ BODY, "-----Original Message-----\n", "" }, { BODY, "-----Original Message-----\nFrom: x\n\n", "" },
	{ BODY, "From: x\n", "" }, { BODY, "From: x\nSent: y\nTo: z\n\n> q\n", "" },
	{ BODY, "--- End of message ---\nFrom: x\nSent: y\nTo: z\n\n", "" },
	{ BODY, "-- \n", "" }, { BODY, "--\n", "" }, { BODY, "-- \nx\n> y\n", "" },
	{ BODY, "________________\nTo unsubscribe\n", "" },
	/* patches */
	{ BODY, "diff --git a/x b/x\n", "" }, { BODY, "@@ -1 +1 @@\nx\n", "" },
	{ BODY, "@@ -1,99999 +1,99999 @@\n", "" }, { BODY, "---\n", "diff --git a/x b/x\n" },
	{ BODY, "---\n x | 2 +-\n\ndiff --git a/x b/x\nx\n", "" },
	{ BODY, "Subject: [PATCH] x\n> y\n", "" }, { BODY, "Subject: [PATCH] x\n", "diff --git a/x b/x\n" },
	{ BODY, "--- 8< ---\n", "" }, { BODY, "8<", "\n" },
	/* reports */
	{ BODY, "noticed a -7.4% regression of x.y on:\n", "" },
	{ BODY, "commit: " HEX " (\"x\")\n", "" }, { BODY, "commit: " HEX "\ntestcase: x\n", "" },
	{ BODY, "1 2 x.y\n", "" }, { BODY, "| Closes: x\n", "" }, { BODY, "Regression-ID: \n", "" },
	{ BODY, "> > Regression-ID: x\n", "" },
	/* parts */
	{ MIXED, "--b\n\nx\n", "" }, { MIXED, "--b\n", "" }, { MIXED, "--b--\n", "" },
	{ "Content-Type: multipart/alternative; boundary=b\n\n", "--b\n\n\n", "" },
	{ "Content-Type: message/rfc822\n\nTo: ", "a:", "\n\nx\n" },
	{ "Content-Type: message/rfc822\n\n", "To: a@b\n", "\nx\n" },
	{ "Content-Transfer-Encoding: quoted-printable\n\n", "=\n", "" },
	{ "Content-Transfer-Encoding: base64\n\n", "PiA+", "\n" },
	{ "Content-Type: text/plain; charset=iso-8859-2\n\n", "\xb1 ", "\n" },
	{ BODY, "\xff", "\n" }, { BODY, "\xc3", "\n" }, { BODY, "\r", "\n" },
	/* HTML */
	{ HTML, "<", "" }, { HTML, "<a href='>", "" }, { HTML, "<!--", "" }, { HTML, "<style>", "" },
	{ HTML, "<blockquote>", "x" }, { HTML, "<blockquote>x", "" }, { HTML, "<p>", "x" }, { HTML, "&", "" },
	{ HTML, "&#", "" }, { HTML, "<pre>\n", "" }, { HTML, "</", "" },
	/* containers */
	{ MBOX, "\nFrom joe@x Fri Aug 11 09:11:21 2023\n", "" }, { MBOX, "\nFrom ", "" },
	{ MBOX, "\nFrom joe@x Fri Aug 11 09:11:21 2023\nA: b\n", "" },
	{ MBOX, "\nFrom joe@x Fri Aug 11 09:11:21 2023\n>From x\n", "" },
	{ "From joe@x Fri Aug 11 09:11:21 2023\nContent-Length: 0\n\n",
	  "From joe@x Fri Aug 11 09:11:21 2023\nContent-Length: 9\n\n", "" },
	{ MBOX, ">From x\n", "" },
	/* pages */
	{ "x wrote:\n\n", "x wrote: > y\n\n", "" }, { "x wrote: > ", "> ", "\n" },
	{ "x wrote:\n", "[a <b@c>]\n\n", "" }, { "x wrote:\n", "(a)", "\n" }, { "x wrote:\n", "b(a)c", "\n" },
	{ "x wrote:\n", "&gt;", "\n" }, { "x wrote:\n", "Date: From: ", "\n" },
	{ "Date: x From: y Subject: z ", "To: ", "\n" },
	/* links */
	{ BODY, "://", "\n" }, { BODY, "https://x.y/", "\n" }, { BODY, "lore.kernel.org/", "\n" },
	{ BODY, "a://b/c@d\n", "" }, { BODY, "<", "\n" }, { BODY, "<111111@x> ", "\n" },
	{ BODY, "a://b/%", "\n" }, { BODY, "http://x/-\n", "" },
	{ BODY, "#regzbot", "\n" }, { BODY, "1%", "\n" }, { BODY, "1@", "\n" },
	/* clang-format on */
};

static void read_mails(const char *bytes, size_t length)
{
	parser_splitter s;
	parser_slice slice;

	parser_splitter_init(&s, bytes, length);
	while (parser_splitter_next(&s, &slice)) {
		const char *p = bytes + slice.offset;
		g_auto(parser_scan) scan = { 0 };
		g_autoptr(parser_mail) mail = parser_mail_parse(
			p, slice.length, slice.form, slice.index, NULL);

		if (slice.form != PARSER_FORM_ARCHIVE)
			parser_scan_message(p, slice.length, &scan, NULL);
		if (mail)
			g_ptr_array_unref(parser_links_read(mail));
	}
}

static void twice_the_mail_is_twice_the_work(void **state)
{
	(void)state;
	counted_check(cases, G_N_ELEMENTS(cases), SMALL, read_mails);
}

static void work_is_counted_at_all(void **state)
{
	static const hostile plain = { BODY, "some words\n", "" };

	(void)state;
	assert_true(counted_work(&plain, SMALL, read_mails) >
		    SMALL * strlen("some words\n"));
}

/* A million empty lines are a short mail. */
static void empty_lines_cost_little(void **state)
{
	static const hostile empty = { BODY, "\n", "x\n" };

	(void)state;
	assert_true(counted_work(&empty, 100 * SMALL, read_mails) < 100 * SMALL * 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_counted_at_all),
		cmocka_unit_test(twice_the_mail_is_twice_the_work),
		cmocka_unit_test(empty_lines_cost_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
