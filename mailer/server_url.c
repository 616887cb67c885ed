/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/server_url.h"

#include <string.h>

#include "mailer/mailer.h"

static char *full_name(const server_url *u)
{
	g_autofree char *user =
		u->user ? g_uri_escape_string(u->user, NULL, false) : NULL;
	g_autofree char *path = g_uri_escape_string(u->path, "/", false);

	return g_strdup_printf("%s://%s%s%s%s%s:%u/%s", u->scheme, user ? user : "",
			       user ? "@" : "", strchr(u->host, ':') ? "[" : "",
			       u->host, strchr(u->host, ':') ? "]" : "", u->port, path);
}

bool server_url_parse(server_url *u, const char *url, unsigned port, unsigned port_tls,
		      GError **error)
{
	g_autofree char *password = NULL, *path = NULL;
	int given = -1;

	*u = (server_url){ 0 };
	if (!g_uri_split_with_user(url, G_URI_FLAGS_HAS_PASSWORD, &u->scheme, &u->user,
				   &password, NULL, &u->host, &given, &path, NULL, NULL,
				   NULL) ||
	    !u->host || !u->host[0] || password) {
		server_url_clear(u);
		/* Without the URL itself: there may be a password in it. */
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "expected SCHEME://[USER@]HOST[:PORT]/PATH, without a "
			    "password");
		return false;
	}
	u->tls = g_str_has_suffix(u->scheme, "s");
	u->port = given > 0 ? (unsigned)given : u->tls ? port_tls : port;
	u->path = g_strdup(path && path[0] ? path + 1 : "");
	u->name = g_strdup_printf("%s://%s:%u", u->scheme, u->host, u->port);
	u->full = full_name(u);
	return true;
}

void server_url_clear(server_url *u)
{
	g_free(u->scheme);
	g_free(u->host);
	g_free(u->user);
	g_free(u->path);
	g_free(u->name);
	g_free(u->full);
	*u = (server_url){ 0 };
}
