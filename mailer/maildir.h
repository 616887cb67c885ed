/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_MAILDIR_H
#define MAILER_MAILDIR_H

#include "mailer/mailer.h"

/* True if path has the directories cur and new. */
bool maildir_is(const char *path);

/* Calls fn for each mail of a Maildir, in the order of their names. */
bool maildir_walk(const char *path, mailer_file_fn fn, void *context, GError **error);

/* The mail of that name without flags, wherever it is by now. */
GBytes *maildir_read(const char *path, const char *name, GError **error);

#endif
