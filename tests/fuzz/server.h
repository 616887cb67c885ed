/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A server that answers as the input says: each NUL ends what it says at a line of
 * ours.
 */
#ifndef TESTS_FUZZ_SERVER_H
#define TESTS_FUZZ_SERVER_H

#include <stdlib.h>
#include <string.h>

#include "mailer/wire.h"

typedef struct server {
	const char *next, *end;
} server;

static void server_say(server *s, GString *answer)
{
	if (s->next == s->end)
		return;

	const char *stop = memchr(s->next, '\0', (size_t)(s->end - s->next));
	const char *end = stop ? stop : s->end;

	g_string_append_len(answer, s->next, end - s->next);
	s->next = stop ? stop + 1 : s->end;
}

static void server_peer(const char *bytes, size_t length, GString *answer,
			void *context)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] == '\n')
			server_say(context, answer);
}

/* The connection to it, greeting said. */
static wire *server_wire(server *s)
{
	g_autoptr(GString) greeting = g_string_new(NULL);

	server_say(s, greeting);
	return wire_peer(server_peer, greeting->str, s);
}

/* Failure has a reason, which can be shown to people; success has none. */
static void server_check(bool done, const GError *error)
{
	if (done != (error == NULL))
		abort();
	if (error && (!g_utf8_validate(error->message, -1, NULL) ||
		      strpbrk(error->message, "\r\n\033")))
		abort();
}

#endif
