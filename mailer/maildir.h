/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_MAILDIR_H
#define MAILER_MAILDIR_H

#include <stdbool.h>

/* True if path has the directories cur and new. */
bool maildir_is(const char *path);

#endif
