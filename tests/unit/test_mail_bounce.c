/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "parser/parser.h"
#include "tests/unit/test.h"

#define HEAD                                                                           \
	"From: MAILER-DAEMON@mx.example.org\r\nMessage-ID: <b1@mx.example.org>\r\n"    \
	"Subject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0\r\n"        \
	"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n"  \
	"\r\n--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n"

#define RETURNED                                                                       \
	"\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: bot@example.org\r\n"     \
	"Message-ID:\r\n <1@example.org>\r\nSubject: x\r\n\r\nbody\r\n--b--\r\n"

static parser_bounce *read_bounce(const char *text, parser_class *class)
{
	g_autoptr(parser_mail) mail =
		parser_mail_parse(text, strlen(text), PARSER_FORM_MAIL, 0, NULL);

	assert_non_null(mail);
	*class = mail->class;
	return parser_bounce_read(mail, text, strlen(text));
}

static void each_recipient_is_read_with_its_words(void **state)
{
	static const char text[] =
		HEAD "\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
		     "Reporting-MTA: dns; mx.example.org\r\n\r\n"
		     "Final-Recipient: rfc822; gone@inner.example.org\r\n"
		     "Original-Recipient: rfc822;gone@example.org\r\n"
		     "Action: failed\r\nStatus: 5.1.1\r\n"
		     "Diagnostic-Code: smtp; 550 5.1.1\r\n    no such\tuser\r\n\r\n"
		     "Final-Recipient: RFC822;<late@example.org>\r\n"
		     "Action: delayed\r\nStatus: 4.4.1\r\n" RETURNED;
	parser_class class;
	g_autoptr(parser_bounce) bounce = read_bounce(text, &class);
	const parser_bounced *one;

	(void)state;
	assert_int_equal(class, PARSER_CLASS_BOUNCE);
	assert_non_null(bounce);
	assert_string_equal(bounce->message_id, "1@example.org");
	assert_int_equal(bounce->recipients->len, 2);
	one = bounce->recipients->pdata[0];
	assert_string_equal(one->final, "gone@inner.example.org");
	assert_string_equal(one->original, "gone@example.org");
	assert_true(one->failed);
	assert_string_equal(one->detail, "5.1.1 550 5.1.1 no such user");
	one = bounce->recipients->pdata[1];
	assert_string_equal(one->final, "late@example.org");
	assert_null(one->original);
	assert_false(one->failed);
	assert_string_equal(one->detail, "4.4.1 delayed");
}

static void the_international_form_is_read_too(void **state)
{
	static const char text[] =
		HEAD "\r\n--b\r\nContent-Type: message/global-delivery-status\r\n"
		     "Content-Transfer-Encoding: 8bit\r\n\r\n"
		     "Reporting-MTA: dns; mx.example.org\r\n\r\n"
		     "Final-Recipient: utf-8; j\xc3\xbcrg@example.org\r\n"
		     "Action: Failed\r\nStatus: 5.1.1\r\n" RETURNED;
	parser_class class;
	g_autoptr(parser_bounce) bounce = read_bounce(text, &class);
	const parser_bounced *one;

	(void)state;
	assert_non_null(bounce);
	one = bounce->recipients->pdata[0];
	assert_string_equal(one->final, "j\xc3\xbcrg@example.org");
	assert_true(one->failed);
}

static void returned_headers_alone_name_the_mail(void **state)
{
	static const char text[] =
		HEAD "\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
		     "Final-Recipient: rfc822; a@example.org\r\nAction: failed\r\n"
		     "\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
		     "Subject: x\r\nMessage-Id: <2@example.org>\r\n\r\n--b--\r\n";
	parser_class class;
	g_autoptr(parser_bounce) bounce = read_bounce(text, &class);

	(void)state;
	assert_non_null(bounce);
	assert_string_equal(bounce->message_id, "2@example.org");
}

static void a_report_without_status_or_without_the_mail_is_none(void **state)
{
	static const char *const texts[] = {
		HEAD RETURNED,
		HEAD "\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
		     "Reporting-MTA: dns; mx.example.org\r\n\r\n" RETURNED,
		HEAD
		"\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
		"Final-Recipient: rfc822; a@example.org\r\nAction: failed\r\n--b--\r\n",
		"From: ann@example.org\r\nMessage-ID: <3@example.org>\r\n\r\n"
		"Final-Recipient: rfc822; a@example.org\r\nMessage-ID: <1@example.org>\r\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		parser_class class;

		assert_null(read_bounce(texts[i], &class));
	}
}

static void the_fast_look_knows_a_delivery_report(void **state)
{
	static const char report[] = HEAD RETURNED;
	static const char other[] = "From: ann@example.org\r\n\r\nhello\r\n";
	g_auto(parser_scan) scan = { 0 }, none = { 0 };

	(void)state;
	assert_true(parser_scan_message(report, strlen(report), &scan, NULL));
	assert_true(scan.bounce);
	assert_true(parser_scan_message(other, strlen(other), &none, NULL));
	assert_false(none.bounce);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_recipient_is_read_with_its_words),
		cmocka_unit_test(the_international_form_is_read_too),
		cmocka_unit_test(returned_headers_alone_name_the_mail),
		cmocka_unit_test(a_report_without_status_or_without_the_mail_is_none),
		cmocka_unit_test(the_fast_look_knows_a_delivery_report),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
