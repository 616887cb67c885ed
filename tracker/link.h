/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACKER_LINK_H
#define TRACKER_LINK_H

#include "tracker/store.h"

/*
 * What a mail answers: the first In-Reply-To id that is stored; else the last reference
 * that is; else a ghost for the first id that it names; 0 = it names none.
 */
bool link_parent(tracker *t, int64_t message, int64_t *parent, GError **error);

/* Mails that name this one may be linked through it: they are linked anew. */
bool link_refresh_below(refresh *r, int64_t message, GError **error);

/* The first ten digits of the commit that a robot's subject names, or NULL.  g_free. */
char *link_subject_commit(const char *subject);

/* True if a Message-ID is one that we would give to a mail about that regression. */
bool link_is_own_id(tracker *t, const char *message_id, const char *regression);

#endif
