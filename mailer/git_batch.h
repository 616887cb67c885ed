/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects out of a git repository by the thousand: `git cat-file --batch --buffer`,
 * several of them side by side, asked ahead of what is taken.
 */
#ifndef MAILER_GIT_BATCH_H
#define MAILER_GIT_BATCH_H

#include "mailer/mailer.h"

typedef struct git_batch git_batch;

typedef struct git_object {
	GBytes *bytes;       /* NULL if there is trouble */
	const char *trouble; /* why there are none */
} git_object;

/* For the repository dir, whose objects are handed out up to `max` bytes. */
git_batch *git_batch_open(const char *dir, size_t max, GError **error);
void git_batch_close(git_batch *b);

/* True if another object may be asked for before one has to be taken. */
bool git_batch_has_room(const git_batch *b);

/* Asks for an object by its full id. */
bool git_batch_ask(git_batch *b, const char *id, GError **error);

/* Nothing more will be asked for. */
bool git_batch_end(git_batch *b, GError **error);

/* Takes what was asked for first; call it only when there is no room, or after the
 * end. The bytes are the caller's. */
bool git_batch_take(git_batch *b, git_object *object, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_batch, git_batch_close)

#endif
