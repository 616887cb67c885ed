/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/imap.h"
#include "mailer/imap_text.h"
#include "mailer/mailer.h"
#include "mailer/text.h"
#include "tests/unit/test.h"

#include <string.h>

/* A server that says one thing whatever it is asked. */
typedef struct peer {
	const char *answer;
	GString *heard;
} peer;

static void answer_once(const char *bytes, size_t length, GString *answer,
			void *context)
{
	peer *p = context;

	g_string_append_len(p->heard, bytes, (gssize)length);
	if (p->answer)
		g_string_append(answer, p->answer);
	p->answer = NULL;
}

/* The first mail of an answer to FETCH; NULL with *error set. */
static GByteArray *fetch(const char *answer, imap_mail *mail, GError **error)
{
	peer p = { .answer = answer, .heard = g_string_new(NULL) };
	imap s = { .timeout = 5, .lines = lines_new(wire_peer(answer_once, "", &p)) };
	unsigned tag = imap_say(&s, "UID FETCH 1 (UID BODY.PEEK[])", NULL);
	char *line = lines_next(s.lines, IMAP_LINE_MAX, NULL, error);
	bool is_fetch = false;
	bool good = tag && line && imap_read_fetch(&s, line, mail, &is_fetch, error) &&
		    is_fetch;

	lines_free(s.lines);
	g_string_free(p.heard, TRUE);
	return good ? mail->bytes : NULL;
}

static void a_mail_is_found_among_items_that_nobody_asked_for(void **state)
{
	static const char *const answers[] = {
		"1 FETCH (UID 7 BODY[] {5}\r\nhello)\r\n",
		"1 FETCH (BODY[] {5}\r\nhello UID 7)\r\n",
		"1 fetch (uid 7 body[] \"hello\")\r\n",
		"1 FETCH (X-GM-LABELS (\"a)b\" (c d) {3}\r\n))( e) UID 7 BODY[] "
		"{5}\r\nhello FLAGS (\\Seen))\r\n",
		"1 FETCH (MODSEQ (12) BODY[HEADER.FIELDS (DATE)]<0> {2}\r\nx) "
		"UID 7 INTERNALDATE \"1 (2\" BODY[] {5}\r\nhello)\r\n",
		"1 FETCH (BODYSTRUCTURE ((((\"a\" NIL))(NIL))) UID 7 BODY[] "
		"{5}\r\nhello)\r\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(answers); i++) {
		g_auto(imap_mail) mail = { 0 };
		g_autoptr(GError) error = NULL;
		GByteArray *bytes = fetch(answers[i], &mail, &error);

		assert_null(error);
		assert_non_null(bytes);
		assert_int_equal(mail.uid, 7);
		assert_int_equal(bytes->len, 5);
		assert_memory_equal(bytes->data, "hello", 5);
	}
}

static void what_is_no_answer_is_an_error(void **state)
{
	static const char *const answers[] = {
		"1 FETCH (UID 7 BODY[] {5}\r\nhel",
		"1 FETCH (UID 7 BODY[] {5}\r\nhello\r\n",
		"1 FETCH (UID 7 BODY[] \"hello\r\n",
		"1 FETCH (UID 7 BODY[] {5x}\r\nhello)\r\n",
		"1 FETCH (UID 7 X ((a)\r\n",
		"1 FETCH (\"\" 5)\r\n",
		"1 FETCH (UID 7 BODY[] {4294967295}\r\nabc",
		"1 FETCH (UID 7 BODY[] {99999999999999999999999999}\r\nabc",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(answers); i++) {
		g_auto(imap_mail) mail = { 0 };
		g_autoptr(GError) error = NULL;

		assert_null(fetch(answers[i], &mail, &error));
		assert_non_null(error);
	}
}

static void a_literal_that_is_too_large_is_named_and_not_read(void **state)
{
	g_auto(imap_mail) mail = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(fetch("1 FETCH (UID 7 BODY[] {67108865}\r\nabc", &mail, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_FORMAT));
	assert_int_equal(mail.uid, 7);
	assert_int_equal(mail.too_large, 67108865);
}

static void deep_lists_cost_no_stack(void **state)
{
	g_autoptr(GString) answer = g_string_new("1 FETCH (X ");
	g_auto(imap_mail) mail = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	for (int i = 0; i < 200000; i++)
		g_string_append_c(answer, '(');
	for (int i = 0; i < 200000; i++)
		g_string_append_c(answer, ')');
	g_string_append(answer, " UID 7 BODY[] {2}\r\nhi)\r\n");
	assert_non_null(fetch(answer->str, &mail, &error));
	assert_int_equal(mail.uid, 7);
}

static void mailboxes_are_named_in_their_utf7(void **state)
{
	static const struct {
		const char *name, *wanted;
	} names[] = {
		{ "INBOX", "\"INBOX\"" },
		{ "Tom & Jerry", "\"Tom &- Jerry\"" },
		{ "Entw\xc3\xbcrfe", "\"Entw&APw-rfe\"" },
		{ "~peter/mail/\xe5\x8f\xb0\xe5\x8c\x97/\xe6\x97\xa5\xe6\x9c\xac\xe8"
		  "\xaa\x9e",
		  "\"~peter/mail/&U,BTFw-/&ZeVnLIqe-\"" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *quoted = imap_quote_mailbox(names[i].name);

		assert_string_equal(quoted, names[i].wanted);
	}
	assert_null(imap_quote_mailbox("\xff"));
	assert_null(imap_quote_mailbox("a\r\nb"));
}

static void line_ends_become_those_of_files(void **state)
{
	static const struct {
		const char *from, *to;
	} texts[] = {
		{ "", "" },
		{ "a\r\nb\r\n", "a\nb\n" },
		{ "\r\n\r\n", "\n\n" },
		{ "a\rb\r", "a\rb\r" },
		{ "a\r\r\nb\n", "a\r\nb\n" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GByteArray) bytes = g_byte_array_new();

		g_byte_array_append(bytes, (const guint8 *)texts[i].from,
				    (guint)strlen(texts[i].from));
		text_unix(bytes);
		assert_int_equal(bytes->len, strlen(texts[i].to));
		if (bytes->len)
			assert_memory_equal(bytes->data, texts[i].to, bytes->len);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mail_is_found_among_items_that_nobody_asked_for),
		cmocka_unit_test(what_is_no_answer_is_an_error),
		cmocka_unit_test(a_literal_that_is_too_large_is_named_and_not_read),
		cmocka_unit_test(deep_lists_cost_no_stack),
		cmocka_unit_test(mailboxes_are_named_in_their_utf7),
		cmocka_unit_test(line_ends_become_those_of_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
