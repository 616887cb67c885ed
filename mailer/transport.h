/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_TRANSPORT_H
#define MAILER_TRANSPORT_H

#include "mailer/mailer.h"

/* What a kind of delivery has to offer; `self` is its own state. */
typedef struct transport_kind {
	const char *scheme; /* with its colon */
	void *(*open)(const char *url, const mailer_options *options, GError **error);
	bool (*ready)(void *self, GError **error); /* NULL: always */
	mailer_outcome (*deliver)(void *self, mailer_envelope *envelope, char **detail);
	void (*close)(void *self);
} transport_kind;

extern const transport_kind transport_dir;
extern const transport_kind transport_sendmail;
extern const transport_kind transport_smtp;
extern const transport_kind transport_smtps;

/* Gives every recipient the same outcome and words. */
void transport_settle_all(mailer_envelope *envelope, mailer_outcome outcome,
			  const char *detail);

/* Options with strings of their own; clear forgets the password. */
void transport_options_copy(mailer_options *to, const mailer_options *from);
void transport_options_clear(mailer_options *options);

#endif
