/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How to talk to a server: for mail that goes out and for mail that comes in. */
#ifndef MAILER_OPTIONS_H
#define MAILER_OPTIONS_H

#include <stdbool.h>

/* When a plain connection turns to TLS.  What is turned to is always verified. */
typedef enum mailer_tls {
	MAILER_TLS_OFFERED,  /* STARTTLS when the server offers it */
	MAILER_TLS_REQUIRED, /* or not at all */
	MAILER_TLS_NEVER
} mailer_tls;

/* All lent and copied; all zero is a sound default. */
typedef struct mailer_options {
	const char *user, *password; /* NULL = no login */
	const char *hello;           /* how to greet; NULL = this host's name */
	const char *ca_file; /* authorities to trust, PEM; NULL = the system's */
	mailer_tls tls;
	bool insecure;    /* a login may leave this machine unencrypted */
	unsigned timeout; /* seconds a step may take; 0 = 300 (the final dot: twice) */
} mailer_options;

#endif
