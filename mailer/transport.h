/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_TRANSPORT_H
#define MAILER_TRANSPORT_H

#include "mailer/mailer.h"

/* What a kind of delivery has to offer; `self` is its own state. */
typedef struct transport_kind {
	const char *scheme; /* with its colon */
	void *(*open)(const char *rest, GError **error);
	mailer_outcome (*deliver)(void *self, mailer_envelope *envelope, char **detail);
	void (*close)(void *self);
} transport_kind;

extern const transport_kind transport_dir;

/* Gives every recipient the same outcome and words. */
void transport_settle_all(mailer_envelope *envelope, mailer_outcome outcome,
			  const char *detail);

#endif
