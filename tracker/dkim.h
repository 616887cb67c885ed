/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACKER_DKIM_H
#define TRACKER_DKIM_H

#include "tracker/store.h"

/*
 * Every DKIM pass that Authentication-Results values (char *, "" for a Received:
 * between them) claim, one line each: the host that says so and the domain that signed.
 * Of a host only what it wrote last counts, at the top: what stands under its name
 * below a further Received: came to it with the mail, as may what speaks of a domain
 * again.  NULL if there is none.  g_free.
 */
char *dkim_passes(const GPtrArray *headers);

/* True if a trusted host says that the domain of this address signed the mail. */
bool dkim_vouched(const tracker *t, const char *passes, const char *address);

#endif
