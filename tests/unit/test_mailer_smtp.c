/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMTP against a server in memory that answers by a table. */
#include <string.h>

#include "mailer/smtp.h"
#include "mailer/transport.h"
#include "tests/unit/test.h"

typedef struct rule {
	const char *command; /* how the line begins; "." is the end of a mail */
	const char *answer;  /* "" is none: the end of input */
} rule;

typedef struct server {
	const rule *rules; /* the first that fits; else "250 ok" */
	GString *in, *said, *mail;
	bool in_mail;
	unsigned mails;
} server;

static const char *answer_to(const server *s, const char *line)
{
	for (const rule *r = s->rules; r && r->command; r++)
		if (g_str_has_prefix(line, r->command))
			return r->answer;
	return strcmp(line, "DATA") == 0 ? "354 go on\r\n" : "250 ok\r\n";
}

static void hear(server *s, const char *line, size_t length, GString *answer)
{
	bool dot = s->in_mail && length == 1 && line[0] == '.';

	if (s->in_mail && !dot) {
		g_string_append_len(s->mail, line, (gssize)length);
		g_string_append(s->mail, "\r\n");
		return;
	}
	g_string_append_len(s->said, line, (gssize)length);
	g_string_append_c(s->said, '\n');
	s->mails += dot;
	g_string_append(answer, answer_to(s, line));
	s->in_mail = !dot && g_str_has_prefix(answer->str, "354");
}

static void peer(const char *bytes, size_t length, GString *answer, void *context)
{
	server *s = context;
	size_t done = 0;
	const char *end;

	g_string_append_len(s->in, bytes, (gssize)length);
	while ((end = strstr(s->in->str + done, "\r\n"))) {
		size_t n = (size_t)(end - s->in->str) - done;
		g_autofree char *line = g_strndup(s->in->str + done, n);

		hear(s, line, n, answer);
		done += n + 2;
	}
	g_string_erase(s->in, 0, (gssize)done);
}

/* One connection to such a server. */
typedef struct fixture {
	smtp *s;
	server server;
	mailer_recipient to[3];
	char *detail;
} fixture;

static void open_fixture(fixture *f, const char *url, const mailer_options *options,
			 const rule *rules)
{
	*f = (fixture){ .s = transport_smtp.open(url, options, NULL) };
	assert_non_null(f->s);
	f->server.rules = rules;
	f->server.in = g_string_new(NULL);
	f->server.said = g_string_new(NULL);
	f->server.mail = g_string_new(NULL);
}

static bool begin(fixture *f, GError **error)
{
	return smtp_begin(f->s, wire_peer(peer, "220 mx.example.org\r\n", &f->server),
			  error);
}

static void close_fixture(fixture *f)
{
	transport_smtp.close(f->s);
	g_string_free(f->server.in, TRUE);
	g_string_free(f->server.said, TRUE);
	g_string_free(f->server.mail, TRUE);
	for (size_t i = 0; i < 3; i++)
		g_free(f->to[i].detail);
	g_free(f->detail);
}

static mailer_outcome deliver(fixture *f, const char *eight, const char *quoted,
			      size_t n)
{
	static const char *const names[] = { "ann@example.org", "bob@example.org",
					     "cid@example.org" };
	g_autoptr(GBytes) eight_bit =
		eight ? g_bytes_new_static(eight, strlen(eight)) : NULL;
	g_autoptr(GBytes) printable = g_bytes_new_static(quoted, strlen(quoted));
	mailer_envelope envelope = { .message_id = "1@example.org",
				     .sender = "bot@example.org",
				     .recipients = f->to,
				     .n_recipients = n,
				     .eight_bit = eight_bit,
				     .quoted_printable = printable };

	for (size_t i = 0; i < n; i++)
		if (!f->to[i].address)
			f->to[i].address = names[i];
	g_clear_pointer(&f->detail, g_free);
	return transport_smtp.deliver(f->s, &envelope, &f->detail);
}

#define URL "smtp://mx.example.org"

static fixture start(const rule *rules)
{
	const mailer_options options = { .hello = "bot.example.org" };
	fixture f;

	open_fixture(&f, URL, &options, rules);
	return f;
}

/* start() and begin(): the server must not move once a wire points to it. */
#define CONNECT(f, ...)                                                                \
	static const rule rules_of_##f[] = { __VA_ARGS__{ NULL, NULL } };              \
	fixture f = start(rules_of_##f);                                               \
	assert_true(begin(&f, NULL))

#define OFFERS(words) { "EHLO", "250-mx.example.org\r\n" words "250 HELP\r\n" },

static void an_answer_ahead_of_its_question_sends_no_mail(void **state)
{
	/* The second line would be taken for the welcome after the dot. */
	CONNECT(early, OFFERS(""){ "DATA", "354 go on\r\n250 queued\r\n" },
		{ ".", "" }, );
	assert_int_equal(deliver(&early, NULL, "a\n", 1), MAILER_RETRY);
	assert_string_equal(early.detail, URL ":25: before the final dot: the server "
					      "answers before it is asked");
	assert_int_equal(early.server.mails, 0);
	close_fixture(&early);

	CONNECT(twice, OFFERS(""){ "RCPT", "250 ok\r\n354 go on\r\n" }, );
	assert_int_equal(deliver(&twice, NULL, "a\n", 1), MAILER_RETRY);
	assert_int_equal(twice.server.mails, 0);
	close_fixture(&twice);
	(void)state;
}

static void a_mail_goes_out_with_what_the_server_offers(void **state)
{
	CONNECT(f, OFFERS("250-8BITMIME\r\n250-SIZE 100\r\n"));
	(void)state;
	assert_int_equal(deliver(&f, "s: \xc3\xbc\n\nb\n", "q\n", 2), MAILER_SENT);
	assert_string_equal(f.server.said->str,
			    "EHLO bot.example.org\n"
			    "MAIL FROM:<bot@example.org> SIZE=12 BODY=8BITMIME\n"
			    "RCPT TO:<ann@example.org>\nRCPT TO:<bob@example.org>\n"
			    "DATA\n.\n");
	assert_string_equal(f.server.mail->str, "s: \xc3\xbc\r\n\r\nb\r\n");
	assert_string_equal(f.detail,
			    "smtp://mx.example.org:25: after the final dot: 250 ok");
	close_fixture(&f);
}

static void without_8bitmime_the_quoted_printable_form_goes_out(void **state)
{
	CONNECT(f, );
	(void)state;
	assert_int_equal(deliver(&f, "s: \xc3\xbc\n", "q\n", 1), MAILER_SENT);
	assert_string_equal(f.server.mail->str, "q\r\n");
	assert_null(strstr(f.server.said->str, "BODY"));
	close_fixture(&f);
}

static void a_mail_of_plain_ascii_needs_no_offer(void **state)
{
	CONNECT(f, );
	(void)state;
	assert_int_equal(deliver(&f, "ascii\n", "q\n", 1), MAILER_SENT);
	assert_string_equal(f.server.mail->str, "ascii\r\n");
	close_fixture(&f);
}

static void each_recipient_has_its_own_result_and_words(void **state)
{
	CONNECT(f, { "RCPT TO:<ann", "550-5.1.1 no\r\n550 5.1.1 such user\r\n" },
		{ "RCPT TO:<cid", "450 4.2.0 greylisted\r\n" }, );
	(void)state;
	assert_int_equal(deliver(&f, NULL, "m\n", 3), MAILER_SENT);
	assert_int_equal(f.to[0].outcome, MAILER_REJECTED);
	assert_string_equal(f.to[0].detail, "550 5.1.1 no 5.1.1 such user");
	assert_int_equal(f.to[1].outcome, MAILER_SENT);
	assert_int_equal(f.to[2].outcome, MAILER_RETRY);
	assert_string_equal(f.to[2].detail, "450 4.2.0 greylisted");
	assert_int_equal(f.server.mails, 1);
	close_fixture(&f);
}

static void without_a_recipient_no_data_is_sent(void **state)
{
	CONNECT(f, { "RCPT TO:<ann", "550 no\r\n" },
		{ "RCPT TO:<bob", "450 later\r\n" }, );
	(void)state;
	assert_int_equal(deliver(&f, NULL, "m\n", 2), MAILER_RETRY);
	assert_null(strstr(f.server.said->str, "DATA"));
	close_fixture(&f);
}

/* What each answer, or its absence, makes of a mail to one recipient. */
static void every_fault_has_its_outcome_and_names_its_step(void **state)
{
	static const struct {
		rule rule;
		mailer_outcome outcome;
		const char *detail;
	} cases[] = {
		{ { "MAIL", "450 4.3.2 later\r\n" }, MAILER_RETRY, "MAIL FROM: 450" },
		{ { "MAIL", "550 5.7.1 no\r\n" }, MAILER_REJECTED, "MAIL FROM: 550" },
		{ { "MAIL", "530 log in\r\n" }, MAILER_RETRY, "MAIL FROM: 530" },
		{ { "MAIL", "" }, MAILER_RETRY, "MAIL FROM: closed" },
		{ { "MAIL", "banana\r\n" }, MAILER_RETRY, "MAIL FROM: the server" },
		{ { "RCPT", "550 no\r\n" }, MAILER_REJECTED, "RCPT TO:<ann" },
		{ { "RCPT", "421 bye\r\n" }, MAILER_RETRY, "RCPT TO:<ann" },
		{ { "RCPT", "" }, MAILER_RETRY, "RCPT TO:<ann" },
		{ { "RCPT", "banana\r\n" }, MAILER_RETRY, "RCPT TO:<ann" },
		{ { "RCPT", "354 go on\r\n" }, MAILER_RETRY, "RCPT TO:<ann" },
		{ { "DATA", "451 later\r\n" }, MAILER_RETRY, "DATA: 451" },
		{ { "DATA", "554 no\r\n" }, MAILER_REJECTED, "DATA: 554" },
		{ { "DATA", "250 what?\r\n" }, MAILER_RETRY, "DATA: 250" },
		{ { "DATA", "" }, MAILER_RETRY, "DATA: closed" },
		{ { ".", "451 later\r\n" }, MAILER_RETRY, "after the final dot: 451" },
		{ { ".", "554 no\r\n" }, MAILER_REJECTED, "after the final dot: 554" },
		{ { ".", "" }, MAILER_UNKNOWN, "after the final dot: closed" },
		{ { ".", "banana\r\n" }, MAILER_UNKNOWN, "after the final dot: the " },
		{ { ".", "250-half\r\n" }, MAILER_UNKNOWN, "after the final dot: clo" },
		{ { ".", "250-a\r\n554 b\r\n" },
		  MAILER_UNKNOWN,
		  "after the final dot" },
		{ { ".", "354 more\r\n" }, MAILER_UNKNOWN, "after the final dot: 354" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const rule rules[] = { cases[i].rule, { NULL, NULL } };
		fixture f = start(rules);

		assert_true(begin(&f, NULL));
		assert_int_equal(deliver(&f, NULL, "m\n", 1), cases[i].outcome);
		assert_int_equal(f.to[0].outcome, cases[i].outcome);
		assert_non_null(f.to[0].detail);
		assert_non_null(strstr(f.detail, URL));
		assert_non_null(strstr(f.detail, cases[i].detail));
		close_fixture(&f);
	}
}

static void a_connection_that_closes_at_a_recipient_loses_those_before(void **state)
{
	CONNECT(f, { "RCPT TO:<ann", "550 no\r\n" },
		{ "RCPT TO:<cid", "421 bye\r\n" }, );
	(void)state;
	assert_int_equal(deliver(&f, NULL, "m\n", 3), MAILER_RETRY);
	assert_int_equal(f.to[0].outcome, MAILER_REJECTED);
	assert_int_equal(f.to[1].outcome, MAILER_RETRY);
	assert_int_equal(f.to[2].outcome, MAILER_RETRY);
	assert_int_equal(f.server.mails, 0);
	close_fixture(&f);
}

static void a_mail_that_is_too_large_is_not_begun(void **state)
{
	CONNECT(f, OFFERS("250-SIZE 3\r\n"));
	(void)state;
	assert_int_equal(deliver(&f, NULL, "12\n", 1), MAILER_REJECTED);
	assert_null(strstr(f.server.said->str, "MAIL"));
	assert_non_null(strstr(f.detail, "4 bytes"));
	close_fixture(&f);
}

static void addresses_beyond_ascii_need_smtputf8(void **state)
{
	CONNECT(plain, );
	CONNECT(utf8, OFFERS("250-SMTPUTF8\r\n250-8BITMIME\r\n"));
	(void)state;
	plain.to[1].address = utf8.to[1].address = "b\xc3\xbc@example.org";
	assert_int_equal(deliver(&plain, NULL, "m\n", 2), MAILER_SENT);
	assert_int_equal(plain.to[1].outcome, MAILER_REJECTED);
	assert_null(strstr(plain.server.said->str, "b\xc3\xbc@"));
	assert_int_equal(deliver(&utf8, NULL, "m\n", 2), MAILER_SENT);
	assert_int_equal(utf8.to[1].outcome, MAILER_SENT);
	assert_non_null(strstr(utf8.server.said->str,
			       "MAIL FROM:<bot@example.org> SMTPUTF8\n"));
	close_fixture(&plain);
	close_fixture(&utf8);
}

static void an_address_with_a_line_end_never_reaches_the_server(void **state)
{
	CONNECT(f, );
	(void)state;
	f.to[0].address = "ann@example.org>\r\nRCPT TO:<x@example.org";
	assert_int_equal(deliver(&f, NULL, "m\n", 2), MAILER_SENT);
	assert_int_equal(f.to[0].outcome, MAILER_REJECTED);
	assert_null(strstr(f.server.said->str, "x@example.org"));
	close_fixture(&f);
}

static void many_mails_use_one_connection_with_rset_between(void **state)
{
	CONNECT(f, );
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_true(smtp_ready(f.s, NULL));
		assert_int_equal(deliver(&f, NULL, "m\n", 1), MAILER_SENT);
	}
	assert_int_equal(f.server.mails, 3);
	assert_string_equal(f.server.said->str,
			    "EHLO bot.example.org\n"
			    "MAIL FROM:<bot@example.org>\nRCPT TO:<ann@example.org>\n"
			    "DATA\n.\nRSET\n"
			    "MAIL FROM:<bot@example.org>\nRCPT TO:<ann@example.org>\n"
			    "DATA\n.\nRSET\n"
			    "MAIL FROM:<bot@example.org>\nRCPT TO:<ann@example.org>\n"
			    "DATA\n.\n");
	close_fixture(&f);
}

/* Sizes around the buffers of libetpan and of the socket layer. */
static void every_size_arrives_without_a_byte_more_or_less(void **state)
{
	static const size_t sizes[] = { 1,     65533, 65534,  65535, 65536,
					65537, 65538, 131072, 200000 };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
		for (unsigned end = 0; end < 3; end++) {
			CONNECT(f, );
			g_autofree char *mail = g_strnfill(sizes[i], 'x');
			g_autoptr(GString) want = g_string_new(NULL);

			for (size_t n = 70; n < sizes[i]; n += 70)
				mail[n] = '\n';
			if (end && sizes[i] > 2)
				memcpy(mail + sizes[i] - end, end == 1 ? "\n" : "\n.",
				       end);
			for (const char *p = mail; *p; p++)
				g_string_append(want, *p == '\n' ? "\r\n" :
						      *p == '.'  ? ".." :
								   "x");
			if (!g_str_has_suffix(want->str, "\r\n"))
				g_string_append(want, "\r\n");
			assert_int_equal(deliver(&f, NULL, mail, 1), MAILER_SENT);
			assert_string_equal(f.server.mail->str, want->str);
			close_fixture(&f);
		}
}

static void required_tls_is_not_waived(void **state)
{
	const mailer_options options = { .tls = MAILER_TLS_REQUIRED };
	g_autoptr(GError) error = NULL;
	fixture f;

	(void)state;
	open_fixture(&f, URL, &options, NULL);
	assert_false(begin(&f, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_REFUSED));
	assert_non_null(strstr(error->message, "STARTTLS is required"));
	close_fixture(&f);
}

static void starttls_that_fails_is_no_reason_to_go_on_in_plain(void **state)
{
	static const rule rules[] = { OFFERS("250-STARTTLS\r\n"){ "STARTTLS",
								  "454 not now\r\n" },
				      { NULL, NULL } };
	g_autoptr(GError) error = NULL;
	fixture f = start(rules);

	(void)state;
	assert_false(begin(&f, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY));
	assert_non_null(strstr(error->message, "STARTTLS: 454 not now"));
	assert_null(strstr(f.server.said->str, "MAIL"));
	close_fixture(&f);
}

static void a_login_uses_what_is_offered_and_believes_235_alone(void **state)
{
	static const struct {
		const char *ehlo, *answer, *said, *words;
	} cases[] = {
		{ "250-a\r\n250 AUTH PLAIN LOGIN\r\n", "235 2.7.0 in\r\n",
		  "AUTH PLAIN AGFubgBzZWNyZXQ=\n", NULL },
		{ "250-a\r\n250 AUTH PLAIN\r\n", "535 5.7.8 no\r\n", "AUTH PLAIN ",
		  "AUTH: 535 5.7.8 no" },
		{ "250-a\r\n250 AUTH PLAIN\r\n", "250 fine\r\n", "AUTH PLAIN ",
		  "AUTH: 250 fine" },
		{ "250-a\r\n250 AUTH PLAIN\r\n", "", "AUTH PLAIN ", "AUTH: closed" },
		{ "250 a\r\n", "", "EHLO", "offers no way to log in" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const mailer_options options = { .user = "ann", .password = "secret" };
		const rule rules[] = { { "EHLO", cases[i].ehlo },
				       { "AUTH", cases[i].answer },
				       { NULL, NULL } };
		g_autoptr(GError) error = NULL;
		fixture f;

		open_fixture(&f, URL, &options, rules);
		assert_true(begin(&f, &error) == !cases[i].words);
		assert_non_null(strstr(f.server.said->str, cases[i].said));
		if (error)
			assert_non_null(strstr(error->message, cases[i].words));
		close_fixture(&f);
	}
}

static void a_url_that_cannot_be_meant_is_wrong_usage(void **state)
{
	static const char *const bad[] = { "smtp:",
					   "smtp://",
					   "smtp://h:0",
					   "smtp://h:99999",
					   "smtp://ann:secret@h",
					   "smtp://h/path",
					   "smtp://h?x",
					   "smtp://ann@h" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(mailer_transport_open(bad[i], &error));
		assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_USAGE));
		assert_null(strstr(error->message, "secret"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_ahead_of_its_question_sends_no_mail),
		cmocka_unit_test(a_mail_goes_out_with_what_the_server_offers),
		cmocka_unit_test(without_8bitmime_the_quoted_printable_form_goes_out),
		cmocka_unit_test(a_mail_of_plain_ascii_needs_no_offer),
		cmocka_unit_test(each_recipient_has_its_own_result_and_words),
		cmocka_unit_test(without_a_recipient_no_data_is_sent),
		cmocka_unit_test(every_fault_has_its_outcome_and_names_its_step),
		cmocka_unit_test(
			a_connection_that_closes_at_a_recipient_loses_those_before),
		cmocka_unit_test(a_mail_that_is_too_large_is_not_begun),
		cmocka_unit_test(addresses_beyond_ascii_need_smtputf8),
		cmocka_unit_test(an_address_with_a_line_end_never_reaches_the_server),
		cmocka_unit_test(many_mails_use_one_connection_with_rset_between),
		cmocka_unit_test(every_size_arrives_without_a_byte_more_or_less),
		cmocka_unit_test(required_tls_is_not_waived),
		cmocka_unit_test(starttls_that_fails_is_no_reason_to_go_on_in_plain),
		cmocka_unit_test(a_login_uses_what_is_offered_and_believes_235_alone),
		cmocka_unit_test(a_url_that_cannot_be_meant_is_wrong_usage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
