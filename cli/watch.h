/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for mail, until somebody says stop. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/sources.h"

/* Becomes the number of the signal when SIGINT or SIGTERM came. */
extern volatile int watch_stopped;

/* From now on these signals end the work at the next good moment instead of at once. */
bool watch_signals(GError **error);

/* After a try: the next one is in so many seconds; after failures in twice, four times
 * as many and so on, up to an hour. */
void watch_next(watch_turn *turn, bool good, unsigned seconds);
bool watch_due(const watch_turn *turn);

/*
 * Waits until a source may have something new, its turn has come, or a signal came; and
 * says of each whether it rests.  Each waits in a thread of its own: only it is used
 * there.
 */
bool watch_wait(const GPtrArray *sources, GError **error);

#endif
