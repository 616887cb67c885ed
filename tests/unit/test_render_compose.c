/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "render/render.h"
#include "tests/unit/test.h"

static render_mail *sample(void)
{
	render_mail *mail = render_mail_new();

	mail->message_id = g_strdup("202311142213.0123abcd-robot@example.org");
	mail->from.name = g_strdup("perf robot");
	mail->from.address = g_strdup("robot@example.org");
	mail->date = 1700000000;
	mail->subject =
		g_strdup("[tree:branch] [fs]  0123456789:  fio.iops -7.1% regression");
	mail->body = g_strdup("value \xc2\xb1  3%\n             \\          |  \n");
	mail->regression = g_strdup("0123456789abcdef0123456789abcdef01234567");
	g_ptr_array_add(mail->to, parser_address_new("Ada Example", "ada@example.org"));
	return mail;
}

static char *composed(const render_mail *mail, render_transfer transfer)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = render_compose(mail, transfer, &error);
	gsize length;
	const char *data;

	if (!bytes)
		fail_msg("%s", error->message);
	data = g_bytes_get_data(bytes, &length);
	assert_int_equal(strnlen(data, length), length);
	return g_strndup(data, length);
}

static void assert_has(const render_mail *mail, const char *expected)
{
	g_autofree char *text = composed(mail, RENDER_TRANSFER_8BIT);

	if (!strstr(text, expected))
		fail_msg("no %s in:\n%s", expected, text);
}

static void assert_refused(const render_mail *mail, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = render_compose(mail, RENDER_TRANSFER_8BIT, &error);

	assert_null(bytes);
	assert_true(g_error_matches(error, RENDER_ERROR, RENDER_ERROR_INPUT));
	assert_string_equal(error->message, expected);
}

static void the_bytes_are_these(void **state)
{
	g_autoptr(render_mail) mail = sample();
	g_autofree char *text = composed(mail, RENDER_TRANSFER_8BIT);
	g_autofree char *again = composed(mail, RENDER_TRANSFER_8BIT);

	(void)state;
	assert_string_equal(
		text,
		"Date: Tue, 14 Nov 2023 22:13:20 +0000\r\n"
		"From: perf robot <robot@example.org>\r\n"
		"To: Ada Example <ada@example.org>\r\n"
		"Subject: [tree:branch] [fs]  0123456789:  fio.iops -7.1% regression\r\n"
		"Message-ID: <202311142213.0123abcd-robot@example.org>\r\n"
		"Auto-Submitted: auto-generated\r\n"
		"Precedence: bulk\r\n"
		"X-Auto-Response-Suppress: All\r\n"
		"X-Regtrail-Regression: 0123456789abcdef0123456789abcdef01234567\r\n"
		"MIME-Version: 1.0\r\n"
		"Content-Type: text/plain; charset=utf-8\r\n"
		"Content-Transfer-Encoding: 8bit\r\n"
		"\r\n"
		"value \xc2\xb1  3%\r\n"
		"             \\          |  \r\n");
	assert_string_equal(text, again);
}

static void quoted_printable_keeps_blanks_at_line_ends(void **state)
{
	g_autoptr(render_mail) mail = sample();
	g_autofree char *text = composed(mail, RENDER_TRANSFER_QUOTED_PRINTABLE);

	(void)state;
	assert_non_null(strstr(text,
			       "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
			       "value =C2=B1  3%\r\n"
			       "             \\          | =20\r\n"));
}

static void the_date_is_in_the_zone_asked_for(void **state)
{
	g_autoptr(render_mail) mail = sample();

	(void)state;
	mail->utc_offset = -34200;
	assert_has(mail, "Date: Tue, 14 Nov 2023 12:43:20 -0930\r\n");
	mail->utc_offset = 8 * 3600;
	assert_has(mail, "Date: Wed, 15 Nov 2023 06:13:20 +0800\r\n");
	mail->date = INT64_MAX / 2;
	assert_refused(mail, "Date: 4611686018427387903 is not a time");
}

static void headers_fold_at_single_blanks_only(void **state)
{
	g_autoptr(render_mail) mail = sample();
	g_autoptr(GString) long_metric = g_string_new("[a:b]  0123456789:  ");
	g_autofree char *text = NULL;

	(void)state;
	for (int i = 0; i < 40; i++)
		g_string_append(long_metric, "metric.");
	g_string_append(long_metric, " -7.1% regression");
	g_free(mail->subject);
	mail->subject = g_strdup(long_metric->str);
	text = composed(mail, RENDER_TRANSFER_8BIT);
	assert_null(strstr(text, "metric.\r\n metric."));
	/* Not at the two blanks: some readers would make one of a fold there. */
	assert_non_null(strstr(text, "Subject: [a:b]  0123456789:  metric."));
	assert_non_null(strstr(text, "metric.\r\n -7.1% regression\r\n"));
}

static void names_are_quoted_or_encoded(void **state)
{
	static const struct {
		const char *name, *expected;
	} cases[] = {
		/* clang-format off */
		{ "Doe, Jane \"JD\"", "To: \"Doe, Jane \\\"JD\\\"\" <a@example.org>\r\n" },
		{ "J. Random Back\\slash", "To: \"J. Random Back\\\\slash\" <a@example.org>\r\n" },
		{ "J\xc3\xb6rg", "To: =?utf-8?Q?J=C3=B6rg?= <a@example.org>\r\n" },
		{ "=?x?Q?y?=", "To: =?utf-8?Q?=3D=3Fx=3FQ=3Fy=3F=3D?= <a@example.org>\r\n" },
		{ "", "To: a@example.org\r\n" },
		{ NULL, "To: a@example.org\r\n" },
		/* clang-format on */
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(render_mail) mail = sample();

		g_ptr_array_set_size(mail->to, 0);
		g_ptr_array_add(mail->to,
				parser_address_new(cases[i].name, "a@example.org"));
		assert_has(mail, cases[i].expected);
	}
}

static void a_long_subject_in_another_script_is_cut_between_characters(void **state)
{
	g_autoptr(render_mail) mail = sample();
	g_autoptr(GString) subject = g_string_new(NULL);
	g_autofree char *text = NULL;

	(void)state;
	for (int i = 0; i < 60; i++)
		g_string_append(subject, "\xe6\xb8\xac");
	g_free(mail->subject);
	mail->subject = g_strdup(subject->str);
	text = composed(mail, RENDER_TRANSFER_8BIT);
	for (const char *p = strstr(text, "Subject:"); p && *p != 'M';
	     p = strstr(p, "\r\n") + 2) {
		const char *end = strstr(p, "?=\r\n");

		assert_true(end && end - p <= 74);
		assert_int_equal((end - strstr(p, "?Q?") - 3) % 9, 0);
	}
}

static void a_host_outside_ascii_becomes_punycode(void **state)
{
	g_autoptr(render_mail) mail = sample();

	(void)state;
	g_ptr_array_set_size(mail->to, 0);
	g_ptr_array_add(mail->to, parser_address_new(NULL, "a@b\xc3\xbc"
							   "cher.example.org"));
	assert_has(mail, "To: a@xn--bcher-kva.example.org\r\n");
}

static void replace(char **field, const char *value)
{
	g_free(*field);
	*field = g_strdup(value);
}

static void no_line_break_reaches_a_header(void **state)
{
	g_autoptr(render_mail) mail = sample();
	parser_address *to = g_ptr_array_index(mail->to, 0);

	(void)state;
	replace(&mail->subject, "x\r\nBcc: all@example.org");
	assert_refused(mail, "Subject: the value holds the control character 0x0d");
	replace(&mail->subject, "x");
	replace(&mail->from.name, "a\nb");
	assert_refused(mail, "From: the value holds the control character 0x0a");
	replace(&mail->from.name, "a");
	replace(&to->name, "a\xc2\x85");
	assert_refused(mail, "To: the value holds the control character 0x85");
	replace(&to->name, "a");
	replace(&to->address, "a@example.org\r\nBcc: b@example.org");
	assert_refused(mail,
		       "To: 'a@example.org\\r\\nBcc: b@example.org' is not an address");
	replace(&to->address, "a@example.org");
	replace(&mail->message_id, "a@b\r\n");
	assert_refused(mail, "Message-ID: 'a@b\\r\\n' is not a Message-ID");
	replace(&mail->message_id, "a@b");
	render_mail_thread(mail, NULL, "c@d> <e@f");
	assert_refused(mail, "In-Reply-To: 'c@d> <e@f' is not a Message-ID");
	render_mail_thread(mail, NULL, NULL);
	replace(&mail->regression, "0123\n");
	assert_refused(mail, "X-Regtrail-Regression: '0123\n' is not 40 hex digits");
}

static void what_cannot_be_a_mail_is_refused(void **state)
{
	g_autoptr(render_mail) mail = sample();

	(void)state;
	replace(&mail->body, "a\rb");
	assert_refused(mail, "body: holds a carriage return");
	replace(&mail->body, "a\xff");
	assert_refused(mail, "body: not valid UTF-8");
	replace(&mail->body, "");
	assert_refused(mail, "body: there is none");
	replace(&mail->body, "b");
	replace(&mail->subject, "");
	assert_refused(mail, "Subject: no value");
	replace(&mail->subject, "s");
	g_ptr_array_set_size(mail->to, 0);
	assert_refused(mail, "To: there is no recipient");
}

static void a_line_too_long_for_8bit_fits_quoted_printable(void **state)
{
	g_autoptr(render_mail) mail = sample();
	g_autofree char *text = NULL;

	(void)state;
	g_free(mail->body);
	mail->body = g_strnfill(999, 'x');
	assert_refused(mail, "body: a line is longer than 998 bytes");
	text = composed(mail, RENDER_TRANSFER_QUOTED_PRINTABLE);
	for (const char *p = text; *p;) {
		size_t line = strcspn(p, "\r");

		assert_true(line <= 76 || g_str_has_prefix(p, "Subject"));
		p += line + 2;
	}
	mail->body[998] = '\0';
	g_free(composed(mail, RENDER_TRANSFER_8BIT));
}

static void attachments_follow_the_text(void **state)
{
	g_autoptr(render_mail) mail = sample();
	g_autoptr(GBytes) yaml = g_bytes_new("a: 1\n", 5);
	g_autoptr(GBytes) binary = g_bytes_new("\0\1\2", 3);
	g_autofree char *text = NULL;

	(void)state;
	g_ptr_array_add(mail->attachments,
			render_attachment_new("job.yaml", "text/plain", yaml));
	g_ptr_array_add(mail->attachments,
			render_attachment_new("gr\xc3\xb6\xc3\x9f"
					      "e; x.xz",
					      "application/x-xz", binary));
	text = composed(mail, RENDER_TRANSFER_8BIT);
	assert_non_null(strstr(text, "Content-Type: multipart/mixed; boundary=\"=-"));
	assert_non_null(strstr(text,
			       "Content-Transfer-Encoding: 8bit\r\n"
			       "Content-Disposition: attachment; filename=job.yaml\r\n"
			       "\r\na: 1\r\n"));
	assert_non_null(strstr(text, "filename*=iso-8859-1''gr%F6%DFe%3B%20x.xz\r\n"));
	assert_non_null(strstr(text, "\r\n\r\nAAEC\r\n"));
}

static void a_bad_attachment_is_named(void **state)
{
	static const struct {
		const char *name, *type, *expected;
	} cases[] = {
		/* clang-format off */
		{ "gone", "text/plain", "attachment gone: there are no bytes" },
		{ "../etc", "text/plain", "attachment ../etc: the name is a path or too long" },
		{ "", "text/plain", "attachment: has no name" },
		{ "a\nb", "text/plain", "attachment: the value holds the control character 0x0a" },
		{ "a", "text", "attachment a: 'text' is not a media type" },
		{ "a", "text/x; y=z", "attachment a: 'text/x; y=z' is not a media type" },
		/* clang-format on */
	};
	g_autoptr(GBytes) bytes = g_bytes_new("x", 1);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(render_mail) mail = sample();

		g_ptr_array_add(mail->attachments,
				render_attachment_new(cases[i].name, cases[i].type,
						      i == 0 ? NULL : bytes));
		assert_refused(mail, cases[i].expected);
	}
}

static void a_boundary_never_stands_in_the_text(void **state)
{
	g_autoptr(render_mail) mail = sample();
	g_autoptr(GBytes) bytes = g_bytes_new("x\n", 2);
	g_autofree char *first = NULL;
	g_autofree char *boundary = NULL;
	g_autofree char *second = NULL;

	(void)state;
	g_ptr_array_add(mail->attachments,
			render_attachment_new("x", "text/plain", bytes));
	first = composed(mail, RENDER_TRANSFER_8BIT);
	boundary = g_strndup(strstr(first, "boundary=\"") + 10, 26);
	g_free(mail->body);
	mail->body = g_strdup_printf("\n--%s--\n", boundary);
	second = composed(mail, RENDER_TRANSFER_8BIT);
	assert_non_null(strstr(second, "boundary=\"=-"));
	assert_false(g_str_has_prefix(strstr(second, "boundary=\"") + 10, boundary));
}

static void references_keep_the_root_and_the_last_nine(void **state)
{
	g_autoptr(render_mail) mail = render_mail_new();
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);

	(void)state;
	for (int i = 0; i < 14; i++)
		g_ptr_array_add(ids, g_strdup_printf("%d@x", i));
	render_mail_thread(mail, ids, "parent@x");
	assert_int_equal(mail->references->len, 10);
	assert_string_equal(g_ptr_array_index(mail->references, 0), "0@x");
	assert_string_equal(g_ptr_array_index(mail->references, 1), "6@x");
	assert_string_equal(g_ptr_array_index(mail->references, 9), "parent@x");
	assert_string_equal(mail->in_reply_to, "parent@x");
	render_mail_thread(mail, ids, "2@x");
	assert_int_equal(mail->references->len, 3);
	assert_string_equal(g_ptr_array_index(mail->references, 2), "2@x");
	render_mail_thread(mail, NULL, NULL);
	assert_int_equal(mail->references->len, 0);
	assert_null(mail->in_reply_to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_bytes_are_these),
		cmocka_unit_test(quoted_printable_keeps_blanks_at_line_ends),
		cmocka_unit_test(the_date_is_in_the_zone_asked_for),
		cmocka_unit_test(headers_fold_at_single_blanks_only),
		cmocka_unit_test(names_are_quoted_or_encoded),
		cmocka_unit_test(
			a_long_subject_in_another_script_is_cut_between_characters),
		cmocka_unit_test(a_host_outside_ascii_becomes_punycode),
		cmocka_unit_test(no_line_break_reaches_a_header),
		cmocka_unit_test(what_cannot_be_a_mail_is_refused),
		cmocka_unit_test(a_line_too_long_for_8bit_fits_quoted_printable),
		cmocka_unit_test(attachments_follow_the_text),
		cmocka_unit_test(a_bad_attachment_is_named),
		cmocka_unit_test(a_boundary_never_stands_in_the_text),
		cmocka_unit_test(references_keep_the_root_and_the_last_nine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
