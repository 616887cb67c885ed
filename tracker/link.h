/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACKER_LINK_H
#define TRACKER_LINK_H

#include "tracker/store.h"

/*
 * What a mail answers: the first In-Reply-To id that is stored; else the last reference
 * that is; else a ghost for the first id that it names; 0 = it names none.
 */
bool link_parent(tracker *t, int64_t message, int64_t *parent, GError **error);

/* A mail is stored: those that name it are linked anew, for they may be linked through
 * it, and what lies above them is another. */
bool link_arrived(refresh *r, int64_t message, GError **error);

/* The first ten digits of the commit that a robot's subject names, or NULL.  g_free. */
char *link_subject_commit(const char *subject);

/* ---- what Message-IDs of ours prove (proof.c) --------------------------------- */

/* The digits that tell what it is about; NULL if it is not shaped like one of ours.
 * g_free. */
char *proof_digits(const tracker *t, const char *message_id);

/* The digits that Message-IDs of mails about a regression's ID have (char *). */
GPtrArray *proofs_of(const char *id);

/* Writes them down for a regression, or takes them away. */
bool proofs_add(tracker *t, int64_t regression, const char *id, GError **error);
bool proofs_forget(tracker *t, int64_t regression, GError **error);

/* The regression that a Message-ID of ours is about; 0 = none, or it may be several. */
bool proof_find(tracker *t, const char *message_id, int64_t *regression,
		GError **error);

#endif
