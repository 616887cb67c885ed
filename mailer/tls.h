/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_TLS_H
#define MAILER_TLS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A TLS session over a socket that does not block. */
typedef struct tls tls;

/* Shakes hands before the deadline (monotonic, microseconds); NULL with *error set. */
tls *tls_open(int fd, const char *host, const char *ca_file, int64_t deadline,
	      GError **error);
void tls_free(tls *t);

/* Bytes moved; 0 = wait for the socket (tls_events); -1 with *error set, also at the
 * end of input. */
ssize_t tls_read(tls *t, void *buffer, size_t size, GError **error);
ssize_t tls_write(tls *t, const void *buffer, size_t size, GError **error);
short tls_events(const tls *t);
bool tls_pending(const tls *t);

/* Says goodbye if the socket takes it at once. */
void tls_bye(tls *t);

#endif
