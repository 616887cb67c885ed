/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_FILL_H
#define CLI_FILL_H

#include "cli/intake.h"

/*
 * Asks the configured archive for what is missing in tracked threads: each mail once,
 * and [regtrail] fill-max in one run.  Exit codes as of intake_all().
 */
int fill_missing(intake *in, GError **error);

#endif
