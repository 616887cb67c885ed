/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_LOCK_H
#define CLI_LOCK_H

#include "cli/cli.h"

/*
 * Takes the lock `regtrail NAME` holds while it works: a file beside the database.  An
 * open file, whose end is the lock's end however we end; or -1: another one is at work.
 */
int lock_take(const config *conf, const char *name, GError **error);

#endif
