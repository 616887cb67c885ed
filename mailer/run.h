/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_RUN_H
#define MAILER_RUN_H

#include <gio/gio.h>

#include "mailer/mailer.h"

/* How a program ended. */
typedef struct run_end {
	bool exited; /* by itself; else by a signal, or because it was late */
	int status;  /* its exit code */
} run_end;

/*
 * Runs argv with these bytes as its input (NULL: none), at most so many seconds, and
 * returns its output if it ended well.  Else *error, and *end if it ran at all
 * (MAILER_ERROR_NOT_FOUND: it did not).
 */
GBytes *run_program(const char *const *argv, GBytes *input, unsigned seconds,
		    run_end *end, GError **error);

/* A launcher whose programs do not inherit what git's own hooks set. */
GSubprocessLauncher *run_launcher(GSubprocessFlags flags);

/* Whether an ended program did well; else *error with the first line it complained of.
 */
bool run_judge(GSubprocess *process, const char *program, const char *err,
	       size_t length, GError **error);

#endif
