/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether what the configuration names is there: files, ways out, sources, archive. */
#ifndef CLI_PLACES_H
#define CLI_PLACES_H

#include "cli/config.h"

/*
 * Adds a line (char *, "FILE: [GROUP] KEY: what is wrong") to `problems` for each file
 * that is not there or cannot be read, and for each URL that no later command would
 * take.  Connects to nothing and runs no program.
 */
void places_check(const config *conf, GPtrArray *problems);

#endif
