/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_GIT_OBJECTS_H
#define MAILER_GIT_OBJECTS_H

#include "mailer/mailer.h"

/* True for a full object id, of either hash. */
bool git_is_id(const char *text);

/* The commit that HEAD names; *id NULL (g_free) when there is none yet. */
bool git_head(const char *dir, char **id, GError **error);

/* Whether the repository has that object: a full id, or "<full id>:path". */
bool git_has(const char *dir, const char *name);

/* An object's bytes, by its full id; MAILER_ERROR_NOT_FOUND when it is not there. */
GBytes *git_blob(const char *dir, const char *id, GError **error);

/* `git fetch` from where the repository was cloned from, which may be away:
 * MAILER_ERROR_TEMPORARY. */
bool git_fetch(const char *dir, unsigned seconds, GError **error);

#endif
