/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server that answers as the input says: each NUL ends what it says at one line of
 * ours (or at the end of a mail).  No mail counts as sent without a 250 after its dot.
 */
#include <stdlib.h>
#include <string.h>

#include "mailer/smtp.h"
#include "mailer/transport.h"
#include "tests/fuzz/fuzz.h"

typedef struct script {
	const char *next, *end;
	GString *line; /* of ours, not yet ended */
	bool in_mail;
	bool accepted; /* the last thing said was a yes to a mail */
} script;

static void say(script *s, GString *answer)
{
	if (s->next == s->end)
		return;

	const char *stop = memchr(s->next, '\0', (size_t)(s->end - s->next));
	const char *end = stop ? stop : s->end;

	g_string_append_len(answer, s->next, end - s->next);
	s->next = stop ? stop + 1 : s->end;
}

static void hear(script *s, GString *answer)
{
	bool dot = s->in_mail && strcmp(s->line->str, ".\r\n") == 0;
	bool data = !s->in_mail && strcmp(s->line->str, "DATA\r\n") == 0;
	gsize before = answer->len;

	if (s->in_mail && !dot)
		return;
	say(s, answer);

	const char *said = answer->str + before;

	s->accepted = dot && said[0] == '2';
	s->in_mail = data && strstr(said, "354") != NULL;
}

static void peer(const char *bytes, size_t length, GString *answer, void *context)
{
	script *s = context;

	for (size_t i = 0; i < length; i++) {
		g_string_append_c(s->line, bytes[i]);
		if (bytes[i] != '\n')
			continue;
		hear(s, answer);
		g_string_truncate(s->line, 0);
	}
}

static void check(const mailer_envelope *envelope, mailer_outcome outcome,
		  const script *s, const char *detail)
{
	bool any = false;

	for (size_t i = 0; i < envelope->n_recipients; i++)
		any |= envelope->recipients[i].outcome == MAILER_SENT;
	if (outcome == MAILER_SENT && (!any || !s->accepted))
		abort();
	if (detail &&
	    (!g_utf8_validate(detail, -1, NULL) || strpbrk(detail, "\r\n\033")))
		abort();
}

static void deliver(smtp *server, script *s)
{
	mailer_recipient to[] = { { .address = "ann@example.org" },
				  { .address = "bob@example.org" } };
	static const char text[] = "Subject: \xc3\xa9\n\n.\nend\n";
	g_autoptr(GBytes) mail = g_bytes_new_static(text, strlen(text));
	mailer_envelope envelope = { .message_id = "1@example.org",
				     .sender = "bot@example.org",
				     .recipients = to,
				     .n_recipients = G_N_ELEMENTS(to),
				     .eight_bit = mail,
				     .quoted_printable = mail };
	g_autofree char *detail = NULL;

	s->accepted = false;
	check(&envelope, transport_smtp.deliver(server, &envelope, &detail), s, detail);
	for (size_t i = 0; i < G_N_ELEMENTS(to); i++)
		g_free(to[i].detail);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Port 1 of this machine: a lost connection is not made again. */
	const mailer_options options = { .hello = "bot.example.org",
					 .user = "bot",
					 .password = "secret",
					 .insecure = true,
					 .timeout = 1,
					 .tls = MAILER_TLS_NEVER };
	script s = { .next = (const char *)data, .end = (const char *)data + size };
	smtp *server = transport_smtp.open("smtp://127.0.0.1:1", &options, NULL);
	g_autoptr(GString) greeting = g_string_new(NULL);

	s.line = g_string_new(NULL);
	say(&s, greeting);
	if (smtp_begin(server, wire_peer(peer, greeting->str, &s), NULL)) {
		deliver(server, &s);
		deliver(server, &s);
	}
	transport_smtp.close(server);
	g_string_free(s.line, TRUE);
	return 0;
}
