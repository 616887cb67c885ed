/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_SERVER_URL_H
#define MAILER_SERVER_URL_H

#include <glib.h>
#include <stdbool.h>

/* "imap[s]://[USER@]HOST[:PORT]/PATH" and the like, taken apart. */
typedef struct server_url {
	char *scheme, *host;
	char *user; /* or NULL */
	char *path; /* without its first slash, percent signs undone; may be empty */
	unsigned port;
	bool tls;   /* from the first byte on: the scheme ends with "s" */
	char *name; /* "imap://host:143", for messages */
	char *full; /* the name with user and path: lasts */
} server_url;

/* False with *error set: no host, or a password, which has no place in a URL. */
bool server_url_parse(server_url *u, const char *url, unsigned port, unsigned port_tls,
		      GError **error);
void server_url_clear(server_url *u);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(server_url, server_url_clear)

#endif
