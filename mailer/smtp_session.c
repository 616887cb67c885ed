/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a name to a server that is ready to take a mail. */
#include <string.h>

#include "mailer/smtp.h"

#define ANSWER_MAX      65536 /* bytes; EHLO of large servers has some hundred */
#define ANSWER_LINE_MAX 4096
#define LOGIN_MAX       360 /* user twice and password: libetpan's command buffer is 513 */

void smtp_allow(smtp *s, unsigned times)
{
	wire_allow(s->wire, s->options.timeout * times, ANSWER_MAX);
}

static void remember(smtp *s, unsigned code, char *words)
{
	s->code = code;
	g_free(s->words);
	s->words = words;
}

/* No answer: the wire knows why, or the server spoke no SMTP. */
static unsigned broken(smtp *s)
{
	const GError *fault = wire_fault(s->wire);

	remember(s, 0,
		 fault ? g_strdup(fault->message) :
			 g_strdup("the server does not speak SMTP"));
	return 0;
}

unsigned smtp_take(smtp *s)
{
	int code = s->session->response_code;

	if (wire_fault(s->wire) || code < 200 || code > 599)
		return broken(s);

	g_autofree char *words =
		smtp_words(s->session->response ? s->session->response : "");

	remember(s, (unsigned)code, g_strdup_printf("%d %s", code, words));
	return s->code;
}

/* Reads an answer strictly: each line with the same code, ended by one without '-'. */
static bool read_answer(smtp *s)
{
	MMAPString *line = s->session->line_buffer;
	g_autoptr(GString) all = g_string_new(NULL);
	unsigned first = 0, code = 0;
	bool more = true;

	while (more) {
		const char *text;
		const char *read =
			mailstream_read_line_remove_eol(s->session->stream, line);

		if (!read || !smtp_line_parse(read, &code, &more, &text) ||
		    (first && code != first))
			return false;
		first = code;
		g_string_append(all, text);
		g_string_append_c(all, '\n');
	}
	mmap_string_assign(s->session->response_buffer, all->str);
	s->session->response = s->session->response_buffer->str;
	s->session->response_code = (int)code;
	return true;
}

unsigned smtp_ask(smtp *s, const char *command)
{
	mailstream *stream = s->session->stream;

	if (command && (mailstream_write(stream, command, strlen(command)) == -1 ||
			mailstream_write(stream, "\r\n", 2) == -1 ||
			mailstream_flush(stream) == -1))
		return broken(s);
	return read_answer(s) ? smtp_take(s) : broken(s);
}

void smtp_drop(smtp *s)
{
	if (s->session && s->session->stream) {
		mailstream_close(s->session->stream);
		s->session->stream = NULL; /* or mailsmtp_free() says QUIT */
	}
	g_clear_pointer(&s->session, mailsmtp_free);
	g_clear_pointer(&s->wire, wire_free);
	s->used = false;
}

void smtp_leave(smtp *s)
{
	if (s->session && !wire_fault(s->wire)) {
		smtp_allow(s, 1);
		mailsmtp_quit(s->session);
	}
	smtp_drop(s);
}

/* Sets *error from the last answer: 5xx is for good, all else may pass. */
static bool refuse(const smtp *s, const char *step, GError **error)
{
	g_set_error(error, MAILER_ERROR,
		    s->code / 100 == 5 ? MAILER_ERROR_REFUSED : MAILER_ERROR_TEMPORARY,
		    "%s: %s: %s", s->name, step, s->words);
	return false;
}

static bool greet(smtp *s, GError **error)
{
	s->session = mailsmtp_new(0, NULL);
	smtp_allow(s, 1);
	if (mailsmtp_connect(s->session, wire_stream(s->wire)) == MAILSMTP_NO_ERROR)
		return true;
	smtp_take(s);
	return refuse(s, "greeting", error);
}

static bool say_hello(smtp *s, GError **error)
{
	const char *name = s->options.hello ? s->options.hello : g_get_host_name();
	g_autofree char *ehlo = g_strdup_printf("EHLO %s", name);
	g_autofree char *helo = g_strdup_printf("HELO %s", name);

	s->offers = (smtp_offers){ 0 };
	smtp_allow(s, 1);
	if (smtp_ask(s, ehlo) == 250) {
		s->offers = smtp_offers_parse(s->session->response);
		s->session->esmtp = MAILSMTP_ESMTP |
				    (s->offers.starttls ? MAILSMTP_ESMTP_STARTTLS : 0);
		return true;
	}
	if ((s->code == 500 || s->code == 502) && smtp_ask(s, helo) == 250)
		return true;
	return refuse(s, "EHLO", error);
}

static bool turn_to_tls(smtp *s, GError **error)
{
	if (!s->offers.starttls || s->options.tls == MAILER_TLS_NEVER) {
		if (s->options.tls != MAILER_TLS_REQUIRED)
			return true;
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "%s: STARTTLS is required and the server does not offer it",
			    s->name);
		return false;
	}
	smtp_allow(s, 1);
	if (mailesmtp_starttls(s->session) != MAILSMTP_NO_ERROR) {
		if (smtp_take(s) != 220)
			return refuse(s, "STARTTLS", error);
		/* Debian's libetpan has seen bytes behind the answer. */
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "%s: STARTTLS: the server went on in plain text where TLS "
			    "begins",
			    s->name);
		return false;
	}
	/* Never back to plain text: who can break TLS would only have to do so. */
	if (!wire_secure(s->wire, s->options.ca_file, s->options.timeout, error)) {
		g_prefix_error(error, "%s: STARTTLS: ", s->name);
		return false;
	}
	return say_hello(s, error);
}

static const char *choose_mechanism(const smtp_offers *offers)
{
	if (offers->auth_plain)
		return "PLAIN";
	if (offers->auth_login)
		return "LOGIN";
	if (offers->auth_cram_md5)
		return "CRAM-MD5";
	return offers->auth_digest_md5 ? "DIGEST-MD5" : NULL;
}

/* What forbids a login on this connection; NULL if nothing. */
static const char *login_fault(const smtp *s, const char *mechanism)
{
	if (!wire_is_secure(s->wire) && !wire_is_loopback(s->wire) &&
	    !s->options.insecure)
		return "the connection is not encrypted (allow it with insecure = yes)";
	if (!mechanism)
		return "the server offers no way to log in that we know";
	if (2 * strlen(s->options.user) + strlen(s->options.password) > LOGIN_MAX)
		return "user and password are too long";
	return NULL;
}

static bool log_in(smtp *s, GError **error)
{
	const char *mechanism = choose_mechanism(&s->offers);
	const char *fault = s->options.user ? login_fault(s, mechanism) : NULL;

	if (!s->options.user)
		return true;
	if (fault) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED, "%s: login: %s",
			    s->name, fault);
		return false;
	}
	s->session->response_code = 0; /* of EHLO: SASL may fail before it asks */
	smtp_allow(s, 1);

	/* Nobody is to be impersonated: the first of the two names stays empty. */
	int failed = mailesmtp_auth_sasl(s->session, mechanism, s->host, NULL, NULL, "",
					 s->options.user, s->options.password, NULL);

	if (failed && !s->session->response_code && !wire_fault(s->wire)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "%s: AUTH %s: not known to SASL here (package "
			    "libsasl2-modules)",
			    s->name, mechanism);
		return false;
	}
	/* libetpan takes any code that is not 4xx or 5xx for a welcome. */
	if (smtp_take(s) == 235)
		return true;
	if (s->code / 100 < 4)
		s->code = 0;
	return refuse(s, "AUTH", error);
}

bool smtp_begin(smtp *s, wire *w, GError **error)
{
	static const guard_caps caps = { .line = ANSWER_LINE_MAX };

	s->wire = w;
	wire_set_caps(w, &caps);
	if (s->implicit_tls &&
	    !wire_secure(w, s->options.ca_file, s->options.timeout, error)) {
		g_prefix_error(error, "%s: ", s->name);
		return false;
	}
	return greet(s, error) && say_hello(s, error) &&
	       (s->implicit_tls || turn_to_tls(s, error)) && log_in(s, error);
}

static bool open_connection(smtp *s, GError **error)
{
	wire *w = wire_connect(s->host, s->port, s->options.timeout, error);

	if (w)
		return smtp_begin(s, w, error);
	g_prefix_error(error, "%s: ", s->name);
	return false;
}

/* After a mail, or a long pause, RSET tells whether the server is still there. */
static bool still_there(smtp *s)
{
	if (!s->wire)
		return false;
	if (!s->used)
		return true;
	smtp_allow(s, 1);
	if (mailsmtp_reset(s->session) != MAILSMTP_NO_ERROR || smtp_take(s) != 250) {
		smtp_drop(s);
		return false;
	}
	s->used = false;
	return true;
}

bool smtp_ready(smtp *s, GError **error)
{
	if (still_there(s))
		return true;
	if (open_connection(s, error))
		return true;
	smtp_drop(s);
	return false;
}
