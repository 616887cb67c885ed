/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_GIT_H
#define MAILER_GIT_H

#include "mailer/pipe.h"
#include "mailer/run.h"

#define GIT_SECONDS 60

/* The full hash of a revision, which comes from a user or a mail and may start with -.
 */
char *git_resolve(const char *dir, const char *revision, GError **error);

/* A line of output without its end.  g_free. */
char *git_line(GBytes *out);

#endif
