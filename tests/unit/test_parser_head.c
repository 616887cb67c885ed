/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail.h"

static char *joined(const GPtrArray *ids)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < ids->len; i++)
		g_string_append_printf(out, "%s%s", i ? " " : "",
				       (char *)ids->pdata[i]);
	return g_string_free(out, FALSE);
}

/* ---- ids ------------------------------------------------------------------------- */

static const struct {
	const char *header, *message_id, *in_reply_to, *references;
} id_cases[] = {
	{ "Message-ID: <a1@x>\n", "a1@x", "", "" },
	{ "Message-Id:\n <long-one@x>\n", "long-one@x", "", "" },
	{ "Message-ID: no-brackets@x\n", "no-brackets@x", "", "" },
	{ "message-id: 25fdb2e4-e6d3\n", "25fdb2e4-e6d3", "", "" },
	{ "Message-ID: <fold\n ed@x>\n", "folded@x", "", "" },
	{ "Message-ID: <first@x>\nMessage-ID: <second@x>\n", "first@x", "", "" },
	{ "Message-ID: <>\nMessage-ID: <second@x>\n", "second@x", "", "" },
	{ "Message-ID: <a@x>\nIn-Reply-To: <b@x> (Joe's message of \"Mon, 1 <c@x> \")\n",
	  "a@x", "b@x", "" },
	{ "Message-ID: <a@x>\nIn-Reply-To: Your message of \"Mon\" <b@x>\n", "a@x",
	  "b@x", "" },
	{ "Message-ID: <a@x>\nIn-Reply-To: <b@x> <c@x>\n", "a@x", "b@x c@x", "" },
	{ "Message-ID: <a@x>\nIn-Reply-To: <b@x>\nIn-Reply-To: <c@x>\n", "a@x",
	  "b@x c@x", "" },
	{ "Message-ID: <a@x>\nIn-Reply-To: <a@x>\n", "a@x", "", "" },
	{ "Message-ID: <a@x>\nIn-Reply-To: <y>\nReferences: <n> <b@x>\n", "a@x", "",
	  "b@x" },
	{ "Message-ID: <a@x>\nTo: joe@example.org\nIn-Reply-To: <joe@example.org>\n",
	  "a@x", "", "" },
	{ "Message-ID: <a@x>\nIn-Reply-To: some words only\n", "a@x", "", "" },
	{ "Message-ID: <a@x>\nReferences: <b@x>,<c@x>\n <d@x>\n\t<b@x>\n", "a@x", "",
	  "b@x c@x d@x" },
	{ "Message-ID: <a@x>\nReferences: <b@x>\nReferences: <c@x>\n", "a@x", "",
	  "b@x c@x" },
	{ "Message-ID: <a@x>\nReferences: b@x c@x\n", "a@x", "", "b@x c@x" },
	{ "Message-ID: <a@x>\nReferences: =?utf-8?q?=3Cb=40x=3E?=\n =?utf-8?q?=3Cc=40x=3E?=\n",
	  "a@x", "", "b@x c@x" },
	{ "Message-ID: <a@x>\nReferences: <broken <b@x> (unclosed <c@x>\n", "a@x", "",
	  "b@x c@x" },
	{ "Message-ID: <a/b%2F+c@x>\n", "a/b%2F+c@x", "", "" },
};

static void ids_are_found_as_they_really_stand(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(id_cases); i++) {
		g_autofree char *bytes =
			g_strconcat(id_cases[i].header, "\nbody\n", NULL);
		g_autoptr(parser_mail) mail = mail_of(bytes);
		g_autofree char *parents = joined(mail->in_reply_to);
		g_autofree char *references = joined(mail->references);

		assert_string_equal(mail->message_id, id_cases[i].message_id);
		assert_string_equal(parents, id_cases[i].in_reply_to);
		assert_string_equal(references, id_cases[i].references);
	}
}

static void of_too_many_references_root_and_nearest_are_kept(void **state)
{
	(void)state;
	GString *bytes = g_string_new("Message-ID: <a@x>\nReferences:");

	for (unsigned i = 0; i < PARSER_REFERENCES_MAX + 500; i++)
		g_string_append_printf(bytes, "\n <r%u@x>", i);
	g_string_append(bytes, "\n\nbody\n");
	g_autoptr(parser_mail) mail = mail_of(bytes->str);

	assert_int_equal(mail->references->len, PARSER_REFERENCES_MAX);
	assert_string_equal(mail->references->pdata[0], "r0@x");
	assert_string_equal(mail->references->pdata[PARSER_REFERENCES_MAX - 1],
			    "r1499@x");
	g_string_free(bytes, TRUE);
}

static void a_mail_without_an_id_is_a_mail(void **state)
{
	(void)state;
	g_autoptr(parser_mail) mail = mail_of("Subject: x\n\nbody\n");

	assert_null(mail->message_id);
	assert_true(warns(mail, "no Message-ID"));
}

/* ---- subjects
 * ------------------------------------------------------------------------ */

static const struct {
	const char *header, *subject;
} subject_cases[] = {
	{ "Subject: plain\n", "plain" },
	{ "Subject : blank before the colon\n", "blank before the colon" },
	{ "Subject: folded\n  here\n", "folded here" },
	{ "Subject: =?iso-8859-1?q?J=F6rg?= =?iso-8859-1?q?_X?=\n", "J\xc3\xb6rg X" },
	{ "Subject: =?utf-8?b?w7Y=?=\n", "\xc3\xb6" },
	{ "Subject: a=?utf-8?q?line=0Aend?=\n", "aline end" },
	{ "Subject: raw \xf6\n", "raw \xc3\xb6" },
	{ "X-Other: 1\n", "" },
};

static void subjects_are_decoded_and_unfolded(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(subject_cases); i++) {
		g_autofree char *bytes =
			g_strconcat("From: a@example.org\n", subject_cases[i].header,
				    "\nbody\n", NULL);
		g_autoptr(parser_mail) mail = mail_of(bytes);

		assert_string_equal(mail->subject, subject_cases[i].subject);
	}
}

/* ---- dates
 * ----------------------------------------------------------------------------- */

static const struct {
	const char *date;
	int64_t seconds;
} date_cases[] = {
	{ "Fri, 11 Aug 2023 09:11:21 +0800", 1691716281 },
	{ "11 Aug 2023 01:11:21 GMT", 1691716281 },
	{ "Fri Aug 11 01:11:21 2023", 1691716281 },
	{ "2023-08-11T01:11:21Z", 1691716281 },
	{ "2023-08-11 03:11:21+02:00", 1691716281 },
	{ "Fri, 11 Aug 2023 01:11:21 -0000 (UTC)", 1691716281 },
	{ "Fri, 11 Aug 2023 01:11:21", 1691716281 },
	{ "Fri, 11 Aug 23 01:11:21 +00.00", 1691716281 },
	{ "Fri, 11 Aug 123 01:11:21 +0000", 1691716281 },
	{ "Fri, 11 Aug 2023 01:11:60 +0000", 1691716320 },
	{ "Fri, 11 Aug 2023 01:11:21 +9900", 1691716281 },
	{ "Mon Dec 04 2023 - 11:51:40 EST", 1701708700 },
	{ "Fri, 32 Aug 2023 01:11:21 +0000", 0 },
	{ "Thu, 1 Jan 1970 00:00:00 +0000", 0 },
	{ "no date at all", 0 },
	{ "", 0 },
};

static void dates_of_all_kinds_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(date_cases); i++) {
		g_autofree char *bytes = g_strdup_printf(
			"Subject: x\nDate: %s\n\nbody\n", date_cases[i].date);
		g_autoptr(parser_mail) mail = mail_of(bytes);

		assert_int_equal(mail->date, date_cases[i].seconds);
	}
}

static void a_date_after_its_arrival_is_clamped(void **state)
{
	(void)state;
	g_autoptr(parser_mail) late =
		mail_of("Received: from a by b; Fri, 11 Aug 2023 01:11:21 +0000\n"
			"Date: Fri, 11 Aug 2033 01:11:21 +0000\n\nbody\n");
	g_autoptr(parser_mail) none =
		mail_of("Received: from a by b;\n\tFri, 11 Aug 2023 01:11:21 +0000\n"
			"Subject: no date\n\nbody\n");

	assert_int_equal(late->date, 1691716281);
	assert_int_equal(none->date, 1691716281);
	assert_int_equal(none->received, 1691716281);
}

/* ---- addresses
 * --------------------------------------------------------------------------- */

static const struct {
	const char *header, *name, *address;
} address_cases[] = {
	{ "To: =?utf-8?q?Tools:_Joe?= <joe@example.org>\n", "Tools: Joe",
	  "joe@example.org" },
	{ "To: =?utf-8?q?Doe,_Joe:?= Tools <joe@example.org>\n", "Doe, Joe: Tools",
	  "joe@example.org" },
	{ "To: =?utf-8?q?Joe: =?utf-8?q?Ann?= <joe@example.org>\n", "Ann",
	  "joe@example.org" },
	{ "To: Joe Doe <joe@example.org>\n", "Joe Doe", "joe@example.org" },
	{ "To: \"Doe, Joe\" <joe@example.org>\n", "Doe, Joe", "joe@example.org" },
	{ "To: Doe, Joe <joe@example.org>\n", "Doe, Joe", "joe@example.org" },
	{ "To: joe@example.org (Joe)\n", "Joe", "joe@example.org" },
	{ "To: joe@example.org\n", NULL, "joe@example.org" },
	{ "To: <mailto:joe@example.org>\n", NULL, "joe@example.org" },
	{ "To: =?utf-8?q?J=C3=B6e=2C_D?= <joe@example.org>\n",
	  "J\xc3\xb6"
	  "e, D",
	  "joe@example.org" },
	{ "To: group: joe@example.org;\n", NULL, "joe@example.org" },
	{ "To: \"unclosed <joe@example.org>\n", "\"unclosed", "joe@example.org" },
	{ "To: Joe at nowhere\n", "Joe at nowhere", NULL },
};

static void addresses_of_all_kinds_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(address_cases); i++) {
		g_autofree char *bytes =
			g_strconcat(address_cases[i].header, "\nbody\n", NULL);
		g_autoptr(parser_mail) mail = mail_of(bytes);

		assert_int_equal(mail->to->len, 1);
		const parser_address *a = mail->to->pdata[0];

		assert_int_equal(g_strcmp0(a->name, address_cases[i].name), 0);
		assert_int_equal(g_strcmp0(a->address, address_cases[i].address), 0);
	}
}

static void empty_groups_hold_nobody(void **state)
{
	(void)state;
	g_autoptr(parser_mail) mail = mail_of(
		"To: undisclosed-recipients:;\nCc: unlisted-recipients:; , ;\n\nx\n");

	assert_int_equal(mail->to->len, 0);
	assert_int_equal(mail->cc->len, 0);
}

static const struct {
	const char *header, *name, *address;
} person_cases[] = {
	{ "From: Joe Doe via perf <perf@lists.example.org>\n"
	  "Reply-To: Joe Doe <joe@example.org>\n",
	  "Joe Doe", "joe@example.org" },
	{ "From: 'Joe Doe' via perf <perf@lists.example.org>\n"
	  "X-Original-From: Joe Doe <joe@example.org>\n",
	  "Joe Doe", "joe@example.org" },
	{ "From: Joe Doe via perf <perf@lists.example.org>\n"
	  "Cc: Ann <ann@example.org>, Joe Doe <joe@example.org>\n",
	  "Joe Doe", "joe@example.org" },
	{ "From: Joe Doe via B4 Relay <devnull+joe.example.org@kernel.example>\n"
	  "Reply-To: joe@example.org\n",
	  "Joe Doe", "joe@example.org" },
	{ "From: Joe Doe via perf <perf@lists.example.org>\n"
	  "Reply-To: perf@lists.example.org\nList-Id: <perf.lists.example.org>\n",
	  "Joe Doe", NULL },
	{ "From: Joe Doe <joe@example.org>\nReply-To: Other <other@example.org>\n",
	  "Joe Doe", "joe@example.org" },
};

static void a_sender_that_a_list_rewrote_is_restored(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(person_cases); i++) {
		g_autofree char *bytes =
			g_strconcat(person_cases[i].header, "\nbody\n", NULL);
		g_autoptr(parser_mail) mail = mail_of(bytes);

		assert_int_equal(g_strcmp0(mail->from.name, person_cases[i].name), 0);
		assert_int_equal(g_strcmp0(mail->from.address, person_cases[i].address),
				 0);
		assert_non_null(mail->sender_as_written.address);
	}
}

/* ---- the block
 * ------------------------------------------------------------------------------ */

static void lists_are_named_without_phrase(void **state)
{
	(void)state;
	g_autoptr(parser_mail) mail =
		mail_of("List-Id: Talk <perf.example.org>\nList-ID: <b.example.org>\n"
			"List-Id: <perf.example.org>\n\nx\n");

	assert_int_equal(mail->lists->len, 2);
	assert_string_equal(mail->lists->pdata[0], "perf.example.org");
}

static void a_body_may_follow_without_a_blank_line(void **state)
{
	(void)state;
	g_autoptr(parser_mail) mail = mail_of("Subject: x\nHello there\nmore: words\n");

	assert_string_equal(mail->text, "Hello there\nmore: words\n");
	assert_true(warns(mail, "no field"));
}

static void our_own_id_is_found_in_header_and_quote(void **state)
{
	static const char id[] = "0123456789abcdef0123456789abcdef01234567";
	g_autofree char *header =
		g_strdup_printf("X-Regtrail-Regression: %s\n\nbody\n", id);
	g_autofree char *quote =
		g_strdup_printf("Subject: Re: x\n\n> > Regression-ID: %s\nok\n", id);
	g_autofree char *prose =
		g_strdup_printf("Subject: x\n\nsee Regression-ID: %s\n", id);
	g_autoptr(parser_mail) a = mail_of(header);
	g_autoptr(parser_mail) b = mail_of(quote);
	g_autoptr(parser_mail) c = mail_of(prose);

	(void)state;
	assert_string_equal(a->regression, id);
	assert_string_equal(b->regression, id);
	assert_null(c->regression);
}

static void what_is_no_mail_says_so(void **state)
{
	static const char *const cases[] = { "", "\n\n", "just words\n",
					     "\x7f"
					     "ELF\x01" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(parser_mail_parse(cases[i], strlen(cases[i]),
					      PARSER_FORM_MAIL, 0, &error));
		assert_true(
			g_error_matches(error, PARSER_ERROR, PARSER_ERROR_NOT_MAIL));
	}
}

static void a_header_over_the_limit_is_refused(void **state)
{
	(void)state;
	g_autofree char *bytes = g_malloc(PARSER_HEADER_MAX + 100);
	g_autoptr(GError) error = NULL;

	memset(bytes, 'a', PARSER_HEADER_MAX + 100);
	memcpy(bytes, "X: ", 3);
	assert_null(parser_mail_parse(bytes, PARSER_HEADER_MAX + 100, PARSER_FORM_MAIL,
				      0, &error));
	assert_true(g_error_matches(error, PARSER_ERROR, PARSER_ERROR_TOO_BIG));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_found_as_they_really_stand),
		cmocka_unit_test(of_too_many_references_root_and_nearest_are_kept),
		cmocka_unit_test(a_mail_without_an_id_is_a_mail),
		cmocka_unit_test(subjects_are_decoded_and_unfolded),
		cmocka_unit_test(dates_of_all_kinds_are_read),
		cmocka_unit_test(a_date_after_its_arrival_is_clamped),
		cmocka_unit_test(addresses_of_all_kinds_are_read),
		cmocka_unit_test(empty_groups_hold_nobody),
		cmocka_unit_test(a_sender_that_a_list_rewrote_is_restored),
		cmocka_unit_test(lists_are_named_without_phrase),
		cmocka_unit_test(a_body_may_follow_without_a_blank_line),
		cmocka_unit_test(our_own_id_is_found_in_header_and_quote),
		cmocka_unit_test(what_is_no_mail_says_so),
		cmocka_unit_test(a_header_over_the_limit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
