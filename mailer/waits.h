/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_WAITS_H
#define MAILER_WAITS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Deadlines are g_get_monotonic_time() values: absolute, so that a peer that sends a
 * byte now and then gains nothing. */
int64_t deadline_in(unsigned seconds);

/* Waits until the socket is ready for these poll() events; false with *error set. */
bool wait_for(int fd, short events, int64_t deadline, GError **error);

/* A connected, non-blocking socket, or -1 with *error set. */
int dial(const char *host, unsigned port, int64_t deadline, GError **error);

#endif
