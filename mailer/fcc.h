/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_FCC_H
#define MAILER_FCC_H

#include "mailer/mailer.h"

/* A copy into a folder of an IMAP server; url as mailer_fcc() takes it. */
bool fcc_imap(const char *url, const mailer_options *options, const char *message_id,
	      GBytes *mail, GError **error);

/* Whether it is a URL with a folder; does not connect. */
bool fcc_imap_check(const char *url, GError **error);

#endif
