/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACKER_TRUST_H
#define TRACKER_TRUST_H

#include "tracker/store.h"

/* How far a report is believed, by its sender. */
typedef enum trust {
	TRUST_ANYBODY,
	TRUST_ROBOT,  /* says that it comes from a robot of the configuration */
	TRUST_PROVED, /* and a trusted host vouches for that, or nobody has to */
	TRUST_OWN
} trust;

/* address may be NULL; signed_by as it is stored. */
trust trust_of(const tracker *t, const char *address, const char *signed_by);

/* Whether a trusted host vouches for the sender, or nobody has to (require-dkim). */
bool trust_proved(const tracker *t, const char *address, const char *signed_by);

/* The same domain: robots of one lab write from several addresses. */
bool trust_same_house(const char *a, const char *b);

#endif
