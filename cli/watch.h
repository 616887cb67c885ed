/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for mail, until somebody says stop. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/sources.h"

/* Becomes the number of the signal when SIGINT or SIGTERM came. */
extern volatile int watch_stopped;

/* From now on these signals end the work at the next good moment instead of at once. */
bool watch_signals(GError **error);

/*
 * Waits until one of the sources may have something new, at most so many seconds, or
 * until a signal came.  Each waits in a thread of its own: only it is used there.
 */
bool watch_wait(const GPtrArray *sources, unsigned seconds, GError **error);

#endif
