/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_TRANSPORT_H
#define CLI_TRANSPORT_H

#include "cli/cli.h"
#include "mailer/mailer.h"

/* Opens a way of delivery with what [send] says about logins and certificates. */
mailer_transport *transport_open(const config *conf, const char *url, GError **error);

/* Files a copy of what was sent, by mailer_fcc() with the logins of [send] fcc-...  */
bool transport_fcc(const config *conf, const char *where, const char *message_id,
		   GBytes *mail, GError **error);

#endif
