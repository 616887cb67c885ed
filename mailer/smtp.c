/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "smtp://HOST[:PORT]" and "smtps://HOST[:PORT]" - mails over one connection.
 *
 * Whatever goes wrong before the final dot leaves a mail certainly unaccepted; after it
 * only a clean answer settles anything.  Each recipient has its own result.
 */
#include "mailer/smtp.h"

#include <string.h>

#include "mailer/address.h"
#include "mailer/transport.h"

#define TIMEOUT_DEFAULT 300 /* seconds; RFC 5321, 4.5.3.2 */
#define PORT_SMTP       25
#define PORT_SMTPS      465

/* A delivery on its way. */
typedef struct delivery {
	smtp *s;
	mailer_envelope *envelope;
	GString *text; /* for the wire */
	size_t size;
	bool eight_bit, utf8;
	bool *accepted; /* by RCPT, one a recipient */
	size_t n_accepted;
	char *detail;
} delivery;

/* ---- settling ---- */

static void settle(mailer_recipient *to, mailer_outcome outcome, const char *words)
{
	to->outcome = outcome;
	g_free(to->detail);
	to->detail = g_strdup(words);
}

/* Those that are not settled yet; with accepted, only those that RCPT took. */
static void settle_rest(delivery *d, bool accepted, mailer_outcome outcome,
			const char *words)
{
	for (size_t i = 0; i < d->envelope->n_recipients; i++) {
		mailer_recipient *to = &d->envelope->recipients[i];

		if (accepted ? d->accepted[i] : !to->detail)
			settle(to, outcome, words);
	}
}

/* The last answer decides about everybody who is still in the game. */
static mailer_outcome settle_by_answer(delivery *d, const char *step, bool after_dot)
{
	smtp *s = d->s;
	mailer_outcome outcome = smtp_judge(s->code, after_dot);

	/* A welcome where none was due (250 to DATA) is nonsense, not success. */
	if (outcome == MAILER_SENT && !after_dot)
		outcome = MAILER_RETRY;
	g_free(d->detail);
	d->detail = g_strdup_printf("%s: %s: %s", s->name, step, s->words);
	settle_rest(d, true, outcome, s->words);
	settle_rest(d, false, outcome, s->words);
	if (s->code == 0 || s->code == 421)
		smtp_drop(s);
	return outcome;
}

/* SENT if anyone has it; else what is the least settled. */
static mailer_outcome outcome_of(const mailer_envelope *envelope)
{
	static const mailer_outcome order[] = { MAILER_SENT, MAILER_UNKNOWN,
						MAILER_RETRY };

	for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
		for (size_t r = 0; r < envelope->n_recipients; r++)
			if (envelope->recipients[r].outcome == order[i])
				return order[i];
	return MAILER_REJECTED;
}

/* ---- before the wire ---- */

/* Settles recipients whose address cannot be used; true if anyone is left. */
static bool check_addresses(delivery *d)
{
	const char *fault = address_fault(d->envelope->sender);
	size_t left = 0;

	if (fault) {
		g_autofree char *words = g_strdup_printf("sender: %s", fault);

		settle_rest(d, false, MAILER_REJECTED, words);
		d->detail = g_steal_pointer(&words);
		return false;
	}
	d->utf8 = !address_is_ascii(d->envelope->sender);
	for (size_t i = 0; i < d->envelope->n_recipients; i++) {
		mailer_recipient *to = &d->envelope->recipients[i];

		fault = address_fault(to->address);
		if (fault)
			settle(to, MAILER_REJECTED, fault);
		else
			left++;
	}
	if (!left)
		d->detail = g_strdup("no recipient has a usable address");
	return left > 0;
}

/* Non-ASCII addresses need SMTPUTF8 on the other side. */
static bool check_utf8(delivery *d)
{
	static const char fault[] = "the server does not take addresses beyond ASCII "
				    "(no SMTPUTF8)";
	size_t left = 0;

	if (d->utf8 && !d->s->offers.utf8) {
		settle_rest(d, false, MAILER_REJECTED, fault);
		d->detail = g_strdup_printf("%s: sender: %s", d->s->name, fault);
		return false;
	}
	for (size_t i = 0; i < d->envelope->n_recipients; i++) {
		mailer_recipient *to = &d->envelope->recipients[i];

		if (to->detail)
			continue;
		if (address_is_ascii(to->address)) {
			left++;
		} else if (d->s->offers.utf8) {
			d->utf8 = true;
			left++;
		} else {
			settle(to, MAILER_REJECTED, fault);
		}
	}
	if (!left)
		d->detail = g_strdup_printf("%s: %s", d->s->name, fault);
	return left > 0;
}

/* Chooses the form of the mail that this server takes. */
static bool choose_text(delivery *d)
{
	const smtp_offers *offers = &d->s->offers;
	GBytes *eight = d->envelope->eight_bit;

	d->eight_bit = eight && smtp_is_eight_bit(eight);
	if (d->eight_bit && !offers->eight_bit) {
		d->eight_bit = false;
		eight = NULL;
	}
	d->text =
		smtp_wire_text(eight ? eight : d->envelope->quoted_printable, &d->size);
	if (!offers->size_max || d->size <= offers->size_max)
		return true;
	d->detail = g_strdup_printf(
		"%s: the mail has %zu bytes, the server takes %zu at most", d->s->name,
		d->size, offers->size_max);
	settle_rest(d, false, MAILER_REJECTED, d->detail);
	return false;
}

/* ---- on the wire ---- */

static bool say_from(delivery *d)
{
	g_autoptr(GString) command = g_string_new(NULL);

	g_string_printf(command, "MAIL FROM:<%s>", d->envelope->sender);
	if (d->s->offers.size)
		g_string_append_printf(command, " SIZE=%zu", d->size);
	if (d->eight_bit)
		g_string_append(command, " BODY=8BITMIME");
	if (d->utf8)
		g_string_append(command, " SMTPUTF8");
	d->s->used = true;
	smtp_allow(d->s, 1);
	if (smtp_judge(smtp_ask(d->s, command->str), false) == MAILER_SENT)
		return true;
	settle_by_answer(d, "MAIL FROM", false);
	return false;
}

/* False if the connection is gone or closing. */
static bool say_to(delivery *d, size_t i)
{
	mailer_recipient *to = &d->envelope->recipients[i];

	smtp_allow(d->s, 1);
	mailesmtp_rcpt(d->s->session, to->address, 0, NULL);

	unsigned code = smtp_take(d->s);

	if (code == 0 || code == 421) {
		g_autofree char *step = g_strdup_printf("RCPT TO:<%s>", to->address);

		settle_by_answer(d, step, false);
		return false;
	}
	to->outcome = smtp_judge(code, false);
	if (to->outcome == MAILER_SENT) {
		d->accepted[i] = true;
		d->n_accepted++;
		return true;
	}
	settle(to, to->outcome, d->s->words);
	g_free(d->detail);
	d->detail = g_strdup_printf("%s: RCPT TO:<%s>: %s", d->s->name, to->address,
				    d->s->words);
	return true;
}

static bool say_recipients(delivery *d)
{
	for (size_t i = 0; i < d->envelope->n_recipients; i++)
		if (!d->envelope->recipients[i].detail && !say_to(d, i))
			return false;
	return d->n_accepted > 0;
}

static bool write_all(smtp *s, const char *bytes, size_t length)
{
	return mailstream_write(s->session->stream, bytes, length) != -1 &&
	       mailstream_flush(s->session->stream) != -1;
}

/*
 * Whether all that the server said was asked for.  What it says ahead of time would be
 * taken for its answer to what comes next, and a mail for accepted that it never had.
 */
static bool in_step(delivery *d, const char *step)
{
	smtp *s = d->s;

	if (!wire_pending(s->wire))
		return true;
	s->code = 0;
	g_free(s->words);
	s->words = g_strdup("the server answers before it is asked");
	settle_by_answer(d, step, false);
	return false;
}

static void say_data(delivery *d)
{
	smtp *s = d->s;

	if (!in_step(d, "DATA"))
		return;
	smtp_allow(s, 1);
	mailsmtp_data(s->session);
	if (smtp_take(s) != 354) {
		settle_by_answer(d, "DATA", false);
		/* It may wait for a mail now, or not: nothing can be said any more. */
		if (s->wire && s->code / 100 < 4)
			smtp_drop(s);
		return;
	}
	smtp_allow(s, 1);
	if (!write_all(s, d->text->str, d->text->len)) {
		s->code = 0;
		g_free(s->words);
		s->words = g_strdup(wire_fault(s->wire)->message);
		settle_by_answer(d, "in the middle of the mail", false);
		return;
	}
	if (!in_step(d, "before the final dot"))
		return;
	smtp_allow(s, 2); /* the RFC gives it ten minutes, twice what others get */
	smtp_ask(s, ".");
	settle_by_answer(d, "after the final dot", true);
}

static void converse(delivery *d)
{
	g_autoptr(GError) error = NULL;

	if (!check_addresses(d))
		return;
	if (!smtp_ready(d->s, &error)) {
		d->detail = g_strdup(error->message);
		settle_rest(d, false, MAILER_RETRY, d->detail);
		return;
	}
	if (check_utf8(d) && choose_text(d) && say_from(d) && say_recipients(d))
		say_data(d);
}

static mailer_outcome deliver(void *self, mailer_envelope *envelope, char **detail)
{
	delivery d = { .s = self, .envelope = envelope };

	for (size_t i = 0; i < envelope->n_recipients; i++) {
		envelope->recipients[i].outcome = MAILER_RETRY;
		g_clear_pointer(&envelope->recipients[i].detail, g_free);
	}
	d.accepted = g_new0(bool, envelope->n_recipients);
	converse(&d);
	g_free(d.accepted);
	if (d.text)
		g_string_free(d.text, TRUE);
	*detail = d.detail ? d.detail : g_strdup("no recipients");
	return outcome_of(envelope);
}

/* ---- opening and closing ---- */

static void close_smtp(void *self)
{
	smtp *s = self;

	if (!s)
		return;
	smtp_leave(s);
	transport_options_clear(&s->options);
	g_free(s->words);
	g_free(s->name);
	g_free(s->host);
	g_free(s);
}

static bool bad_url(const char *url, const char *why, GError **error)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE, "%s: %s", url, why);
	return false;
}

static bool hello_is_sound(const char *hello)
{
	return !hello ||
	       (hello[0] && strspn(hello, "abcdefghijklmnopqrstuvwxyz"
					  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789.-_:[]") == strlen(hello));
}

/* Fills host, port and user from [USER@]HOST[:PORT]. */
static bool parse_url(smtp *s, const char *url, GError **error)
{
	g_autofree char *scheme = NULL, *user = NULL, *password = NULL, *path = NULL,
			*query = NULL;
	int port = -1;

	if (!g_uri_split_with_user(url, G_URI_FLAGS_NONE, &scheme, &user, &password,
				   NULL, &s->host, &port, &path, &query, NULL, NULL) ||
	    !s->host || !s->host[0])
		return bad_url(url, "expected SCHEME://[USER@]HOST[:PORT]", error);
	if (password)
		return bad_url("smtp", "a password does not belong into a URL", error);
	if ((path && path[0] && strcmp(path, "/") != 0) || query)
		return bad_url(url, "nothing may follow the host and port", error);
	if (port == 0)
		return bad_url(url, "port 0 is none", error);
	s->implicit_tls = strcmp(scheme, "smtps") == 0;
	s->port = port > 0 ? (unsigned)port : s->implicit_tls ? PORT_SMTPS : PORT_SMTP;
	s->name = g_strdup_printf(strchr(s->host, ':') ? "%s://[%s]:%u" : "%s://%s:%u",
				  scheme, s->host, s->port);
	if (user && !s->options.user)
		s->options.user = g_steal_pointer(&user);
	return true;
}

static void *open_smtp(const char *url, const mailer_options *options, GError **error)
{
	smtp *s = g_new0(smtp, 1);

	transport_options_copy(&s->options, options);
	if (!s->options.timeout)
		s->options.timeout = TIMEOUT_DEFAULT;
	s->words = g_strdup("");
	if (parse_url(s, url, error)) {
		if (!hello_is_sound(s->options.hello))
			bad_url(s->options.hello, "no host name to greet with", error);
		else if (s->options.user && !s->options.password)
			bad_url(s->name, "a user but no password is configured", error);
		else
			return s;
	}
	close_smtp(s);
	return NULL;
}

static bool ready(void *self, GError **error)
{
	return smtp_ready(self, error);
}

const transport_kind transport_smtp = {
	.scheme = "smtp:",
	.open = open_smtp,
	.ready = ready,
	.deliver = deliver,
	.close = close_smtp,
};

const transport_kind transport_smtps = {
	.scheme = "smtps:",
	.open = open_smtp,
	.ready = ready,
	.deliver = deliver,
	.close = close_smtp,
};
