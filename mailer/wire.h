/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire - one connection to a server, plain or TLS, behind a libetpan mailstream.
 *
 * Every wait has an absolute deadline, every read a cap, the end of input is an error,
 * a peer that goes away raises no signal, and the words for what went wrong stay here
 * when libetpan has forgotten them.  Serves SMTP, IMAP and NNTP alike.
 */
#ifndef MAILER_WIRE_H
#define MAILER_WIRE_H

#include <glib.h>
#include <libetpan/mailstream.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "mailer/guard.h"

typedef struct wire wire;

/* Resolves and connects within so many seconds; tries each address of the name. */
wire *wire_connect(const char *host, unsigned port, unsigned seconds, GError **error);

/*
 * A peer in memory: called with what is written, appends what it answers.  Reading when
 * there is no answer is the end of input.
 */
typedef void (*wire_peer_fn)(const char *bytes, size_t length, GString *answer,
			     void *context);
wire *wire_peer(wire_peer_fn peer, const char *greeting, void *context);

/* Over a connected socket, which the wire then owns; for tests and other transports. */
wire *wire_socket(int fd, const char *host, unsigned seconds);

/* Closes what is open.  The mailstream must be gone: mailstream_close() first. */
void wire_free(wire *w);

/*
 * The stream to hand to mailsmtp_connect() and the like, which own it from then on:
 * closing it closes the connection.  One per wire.
 */
mailstream *wire_stream(wire *w);

/*
 * Or without a stream: some bytes, at least one (-1: wire_fault() says why), and all
 * these bytes.
 */
ssize_t wire_read(wire *w, void *buffer, size_t size);
bool wire_write(wire *w, const char *bytes, size_t length);

/*
 * Turns to TLS 1.2 or later: certificate chain and host name verified against the PEM
 * file of authorities, or the system's if NULL.  Bytes that arrived before, in plain,
 * are an error: somebody might have put them there.
 */
bool wire_secure(wire *w, const char *ca_file, unsigned seconds, GError **error);
bool wire_is_secure(const wire *w);

/* Whether the peer is this machine. */
bool wire_is_loopback(const wire *w);

/* The next operations must end within so many seconds and read at most so many bytes.
 */
void wire_allow(wire *w, unsigned seconds, size_t bytes);
void wire_set_caps(wire *w, const guard_caps *caps);

/* What went wrong with reading or writing; NULL if nothing.  Lent. */
const GError *wire_fault(const wire *w);

/* The socket, for poll(); -1 for a peer in memory or when closed. */
int wire_fd(const wire *w);
/* Bytes that TLS holds already, which poll() does not see. */
bool wire_pending(const wire *w);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(wire, wire_free)

#endif
