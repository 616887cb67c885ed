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

/* How to talk to a server, by the keys of a group; it owns its strings. */
typedef struct transport_login {
	mailer_options options;
	char *user, *password, *ca_file;
} transport_login;

/*
 * user, password-command, password-file, ca-file, tls, insecure and timeout of a group.
 * A password is asked for only if the URL or the key names a user.
 */
bool transport_login_find(const config *conf, const char *group, const char *url,
			  transport_login *login, GError **error);
void transport_login_clear(transport_login *login);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(transport_login, transport_login_clear)

#endif
