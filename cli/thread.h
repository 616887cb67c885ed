/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_THREAD_H
#define CLI_THREAD_H

#include "cli/cli.h"
#include "cli/support.h"

/* Messages (tracker_message *) as a tree: who, when, their words, what was read in
 * them, and what bears that out (s may be NULL). */
void thread_print(const cli *c, const GPtrArray *messages, const support *s);

#endif
