/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_FETCH_KIND_H
#define MAILER_FETCH_KIND_H

#include "mailer/fetch.h"
#include "mailer/server_url.h"

/* What a kind of source has to offer; `self` is its own state, fetch.h says what
 * its functions do. */
typedef struct fetch_kind {
	const char *scheme; /* with its colon */
	const char *form;   /* how such a URL looks, for messages */
	void *(*open)(const char *url, const mailer_fetch_options *options,
		      GError **error);
	char *(*name)(const void *self); /* g_free */
	bool (*run)(void *self, const char *cursor, const mailer_fetch_sink *sink,
		    GError **error);
	GBytes *(*again)(void *self, const char *place, GError **error);
	/* NULL: nobody says when mail arrives, ask again after the time. */
	bool (*wait)(void *self, unsigned seconds, int stop_fd, bool *fresh,
		     GError **error);
	void (*close)(void *self);
} fetch_kind;

extern const fetch_kind fetch_file, fetch_mbox, fetch_maildir, fetch_pubinbox;
extern const fetch_kind fetch_imap, fetch_imaps;
extern const fetch_kind fetch_nntp, fetch_nntps;
extern const fetch_kind fetch_lore_http, fetch_lore_https;

/* Waits so many seconds or until stop_fd can be read; true when the time is over. */
bool fetch_pause(unsigned seconds, int stop_fd);

/* Options with strings of their own; clear forgets the password. */
void fetch_options_copy(mailer_fetch_options *to, const mailer_fetch_options *from);
void fetch_options_clear(mailer_fetch_options *options);

/* A source on a server; the first member of its state. */
typedef struct fetch_server {
	server_url url;
	mailer_fetch_options options;
} fetch_server;

/* False with *error set; there is nothing to clear then. */
bool fetch_server_init(fetch_server *s, const char *url,
		       const mailer_fetch_options *options, unsigned port,
		       unsigned port_tls, GError **error);
void fetch_server_clear(fetch_server *s);
char *fetch_server_name(const void *self);

/* Puts URL and step before *error; false. */
bool fetch_server_fail(const fetch_server *s, const char *step, GError **error);

/* The absolute path of "SCHEME:PATH", or NULL with *error set.  g_free. */
char *fetch_path(const char *url, GError **error);

#endif
