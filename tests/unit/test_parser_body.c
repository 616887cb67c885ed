/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail.h"

static void assert_text(const char *bytes, const char *text)
{
	g_autoptr(parser_mail) mail = mail_of(bytes);

	assert_string_equal(mail->text, text);
	assert_int_equal(mail->text_length, strlen(text));
}

#define PM "\xc2\xb1" /* the plus-minus sign in UTF-8 */

static const struct {
	const char *name, *header, *body, *text;
} sign_cases[] = {
	{ "raw under iso-8859-1", "text/plain; charset=iso-8859-1\n", "8 \xb1  3%\n",
	  "8 " PM "  3%\n" },
	{ "raw under us-ascii", "text/plain; charset=us-ascii\n", "8 \xb1  3%\n",
	  "8 " PM "  3%\n" },
	{ "raw under utf-8", "text/plain; charset=utf-8\n", "8 \xb1  3%\n",
	  "8 " PM "  3%\n" },
	{ "raw under windows-1252", "text/plain; charset=windows-1252\n",
	  "8 \xb1  3%\n", "8 " PM "  3%\n" },
	{ "raw under iso-8859-2", "text/plain; charset=iso-8859-2\n", "8 \xb1  3%\n",
	  "8 " PM "  3%\n" },
	{ "raw under koi8-r", "text/plain; charset=koi8-r\n", "8 \xb1  3%\n",
	  "8 " PM "  3%\n" },
	{ "raw under gb2312", "text/plain; charset=gb2312\n", "8 \xb1  3%\n",
	  "8 " PM "  3%\n" },
	{ "raw without a label", "text/plain\n", "8 \xb1  3%\n", "8 " PM "  3%\n" },
	{ "UTF-8 under a lie", "text/plain; charset=iso-8859-1\n", "8 " PM "  3%\n",
	  "8 " PM "  3%\n" },
	{ "quoted-printable Latin-1",
	  "text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n",
	  "8 =B1  3%\n", "8 " PM "  3%\n" },
	{ "quoted-printable UTF-8",
	  "text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n",
	  "8 =C2=B1  3=\n%\n", "8 " PM "  3%\n" },
	{ "base64", "text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n",
	  "OCDCsSAgMyUK\n", "8 " PM "  3%\n" },
	{ "a letter of an earlier mistake", "text/plain; charset=utf-8\n",
	  "8 \xc4\x85 3%\n", "8 \xc4\x85 3%\n" },
	{ "ASCII forms", "text/plain\n", "8 +-  3% 8 ~ 3% 8 A+- 3% 8   3%\n",
	  "8 +-  3% 8 ~ 3% 8 A+- 3% 8   3%\n" },
};

static void the_plus_minus_sign_survives(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(sign_cases); i++) {
		g_autofree char *bytes =
			g_strconcat("Content-Type: ", sign_cases[i].header, "\n",
				    sign_cases[i].body, NULL);

		assert_text(bytes, sign_cases[i].text);
	}
}

static void a_charset_that_lies_or_is_unknown_is_said(void **state)
{
	g_autoptr(parser_mail) lie =
		mail_of("Content-Type: text/plain; charset=yes\n\nJ\xf6rg\n");
	g_autoptr(parser_mail) true_one =
		mail_of("Content-Type: text/plain; charset=iso-8859-2\n\n\xb1 a\n");
	g_autoptr(parser_mail) escapes = mail_of(
		"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B$\"\x1b(B\n");

	(void)state;
	assert_string_equal(lie->text, "J\xc3\xb6rg\n");
	assert_string_equal(lie->charset, "windows-1252");
	assert_true(warns(lie, "yes"));
	assert_string_equal(true_one->charset, "iso-8859-2");
	assert_string_equal(true_one->text, "\xc4\x85 a\n");
	assert_string_equal(escapes->text, "\xe3\x81\x82\n");
}

static void line_ends_are_newlines(void **state)
{
	(void)state;
	assert_text("Subject: x\r\n\r\na\r\nb\r\r\nd\n", "a\nb\nd\n");
	assert_text("Subject: x\n\na\rb\rc\r", "a\nb\nc\n");
	assert_text("Subject: x\r\n\r\n> a\rb\r\nc\rd\n", "> a b\nc d\n");
}

static void nul_bytes_are_dropped_and_said(void **state)
{
	static const char bytes[] = "Subject: x\n\na\0b\n";
	g_autoptr(parser_mail) mail =
		parser_mail_parse(bytes, sizeof(bytes) - 1, PARSER_FORM_MAIL, 0, NULL);

	(void)state;
	assert_string_equal(mail->text, "ab\n");
	assert_true(warns(mail, "NUL"));
}

static void encodings_count_without_mime_version(void **state)
{
	(void)state;
	assert_text("Content-Transfer-Encoding: quoted-printable\n\na=3Db\n", "a=b\n");
	assert_text("Content-Transfer-Encoding: base64\n\naGkK\n", "hi\n");
	assert_text("Content-Transfer-Encoding: bogus\n\na=3Db\n", "a=3Db\n");
}

static void of_alternatives_the_plain_one_is_read(void **state)
{
	(void)state;
	assert_text("Content-Type: multipart/alternative; boundary=b\n\n"
		    "--b\nContent-Type: text/html\n\n<p>html</p>\n"
		    "--b\nContent-Type: text/plain\n\nplain\n--b--\n",
		    "plain");
}

static void an_empty_plain_alternative_yields_to_html(void **state)
{
	g_autoptr(parser_mail) mail =
		mail_of("Content-Type: multipart/alternative; boundary=b\n\n"
			"--b\nContent-Type: text/plain\n\n \n"
			"--b\nContent-Type: text/html\n\n<p>html</p>\n--b--\n");

	(void)state;
	assert_non_null(strstr(mail->text, "html"));
	assert_true(mail->html_only || strlen(mail->text) > 0);
}

static void html_becomes_readable_text(void **state)
{
	g_autoptr(parser_mail) mail = mail_of(
		"Content-Type: text/html; charset=utf-8\n\n"
		"<html><head><style>p { x }</style></head><body><!-- no --><p>I&nbsp;will "
		"<b>look</b> &lt;here&gt;.</p>\n<blockquote>it is slow<br>very</blockquote>"
		"<div>Bye</div><script>bad()</script></body></html>\n");
	g_autofree char *own = text_of_kind(mail, PARSER_SPAN_OWN);

	(void)state;
	assert_true(mail->html_only);
	assert_string_equal(mail->text,
			    "I will look <here>.\n\n> it is slow\n> very\nBye\n");
	assert_null(strstr(own, "slow"));
}

static void parts_of_a_mixed_mail_are_joined(void **state)
{
	g_autoptr(parser_mail) mail = mail_of(
		"Content-Type: multipart/mixed; boundary=\"b b\"\n\npreamble\n"
		"--b b\n\nfirst\n"
		"--b b\nContent-Type: text/plain; name=job.yaml\n"
		"Content-Disposition: attachment; filename*=utf-8''j%C3%B6b.yaml\n\nk: v\n"
		"--b b\nContent-Type: application/octet-stream\n"
		"Content-Transfer-Encoding: base64\n\nAAEC\n"
		"--b b\nContent-Type: text/plain\n\nsecond\n--b b--\nepilogue\n");
	const parser_attachment *a;
	gsize n;

	(void)state;
	assert_string_equal(mail->text, "first\nsecond");
	assert_int_equal(mail->attachments->len, 2);
	a = mail->attachments->pdata[0];
	assert_string_equal(a->name, "j\xc3\xb6"
				     "b.yaml");
	assert_string_equal(a->type, "text/plain");
	a = mail->attachments->pdata[1];
	assert_string_equal(a->type, "application/octet-stream");
	assert_memory_equal(g_bytes_get_data(a->bytes, &n), "\x00\x01\x02", 3);
	assert_int_equal(n, 3);
}

static void signed_wrappers_are_looked_into(void **state)
{
	(void)state;
	assert_text("Content-Type: multipart/signed; boundary=b\n\n"
		    "--b\nContent-Type: multipart/mixed; boundary=c\n\n"
		    "--c\nContent-Type: text/plain\n\nsigned\n--c--\n"
		    "--b\nContent-Type: application/pgp-signature\n\nxx\n--b--\n",
		    "signed");
}

static void an_inline_diff_is_text_and_patch(void **state)
{
	g_autoptr(parser_mail) mail = mail_of(
		"Content-Type: multipart/mixed; boundary=b\n\n"
		"--b\n\nTry this.\n"
		"--b\nContent-Type: text/x-patch; name=\"a.patch\"\n"
		"Content-Disposition: inline; filename=a.patch\n\nthis is invalid\n--b--\n");
	g_autofree char *patch = text_of_kind(mail, PARSER_SPAN_PATCH);

	(void)state;
	assert_string_equal(patch, "this is invalid");
	assert_int_equal(mail->attachments->len, 1);
}

static void a_message_inside_is_forwarded_text(void **state)
{
	g_autoptr(parser_mail) mail = mail_of(
		"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nFYI\n"
		"--b\nContent-Type: message/rfc822\n\n"
		"From: Joe <joe@example.org>\nSubject: slow\n\nIt is invalid.\n--b--\n");
	g_autofree char *own = text_of_kind(mail, PARSER_SPAN_OWN);
	g_autofree char *forwarded = text_of_kind(mail, PARSER_SPAN_FORWARDED);

	(void)state;
	assert_string_equal(own, "FYI\n");
	assert_non_null(strstr(forwarded, "Subject: slow"));
	assert_non_null(strstr(forwarded, "It is invalid."));
}

static void a_multipart_without_parts_is_text(void **state)
{
	(void)state;
	assert_text("Content-Type: multipart/mixed\n\nwords\n", "words\n");
}

static void text_in_an_attachment_only_is_read(void **state)
{
	(void)state;
	assert_text(
		"Content-Type: text/plain\nContent-Disposition: attachment\n\nwords\n",
		"words\n");
}

static void odd_content_types_are_text(void **state)
{
	(void)state;
	assert_text("Content-Type: text\n\nwords\n", "words\n");
	assert_text("Content-Type: plain/text\n\nwords\n", "words\n");
	assert_text("Content-Type: text/plain; charset=\n\nwords\n", "words\n");
}

static void nesting_beyond_the_limit_is_cut_with_a_warning(void **state)
{
	GString *bytes = g_string_new("Content-Type: multipart/mixed; boundary=b0\n\n");

	(void)state;
	for (int i = 1; i < 80; i++)
		g_string_append_printf(
			bytes, "--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n",
			i - 1, i);
	g_string_append(bytes, "--b79\n\nwords\n");
	g_autoptr(parser_mail) mail = mail_of(bytes->str);

	assert_true(warns(mail, "nested deeper"));
	g_string_free(bytes, TRUE);
}

static void parts_beyond_the_limit_are_cut_with_a_warning(void **state)
{
	GString *bytes = g_string_new("Content-Type: multipart/mixed; boundary=b\n\n");

	(void)state;
	for (int i = 0; i < 1500; i++)
		g_string_append(bytes, "--b\n\nx\n");
	g_autoptr(parser_mail) mail = mail_of(bytes->str);

	assert_true(warns(mail, "parts beyond"));
	g_string_free(bytes, TRUE);
}

static void an_address_bomb_in_a_message_inside_is_harmless(void **state)
{
	GString *bytes = g_string_new("Content-Type: message/rfc822\n\nTo: ");

	(void)state;
	for (int i = 0; i < 200000; i++)
		g_string_append(bytes, "a:");
	g_string_append(bytes, "\nSubject: inner\n\nwords\n");
	g_autoptr(parser_mail) mail = mail_of(bytes->str);

	assert_true(warns(mail, "address line"));
	assert_non_null(strstr(mail->text, "words"));
	g_string_free(bytes, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_plus_minus_sign_survives),
		cmocka_unit_test(a_charset_that_lies_or_is_unknown_is_said),
		cmocka_unit_test(line_ends_are_newlines),
		cmocka_unit_test(nul_bytes_are_dropped_and_said),
		cmocka_unit_test(encodings_count_without_mime_version),
		cmocka_unit_test(of_alternatives_the_plain_one_is_read),
		cmocka_unit_test(an_empty_plain_alternative_yields_to_html),
		cmocka_unit_test(html_becomes_readable_text),
		cmocka_unit_test(parts_of_a_mixed_mail_are_joined),
		cmocka_unit_test(signed_wrappers_are_looked_into),
		cmocka_unit_test(an_inline_diff_is_text_and_patch),
		cmocka_unit_test(a_message_inside_is_forwarded_text),
		cmocka_unit_test(a_multipart_without_parts_is_text),
		cmocka_unit_test(text_in_an_attachment_only_is_read),
		cmocka_unit_test(odd_content_types_are_text),
		cmocka_unit_test(nesting_beyond_the_limit_is_cut_with_a_warning),
		cmocka_unit_test(parts_beyond_the_limit_are_cut_with_a_warning),
		cmocka_unit_test(an_address_bomb_in_a_message_inside_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
