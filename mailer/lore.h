/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lore - what an inbox of public-inbox answers over HTTP. */
#ifndef MAILER_LORE_H
#define MAILER_LORE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "mailer/http.h"
#include "mailer/mboxrd.h"

typedef struct lore {
	char *base;  /* "https://host/inbox/" */
	char *query; /* of a search, or NULL */
	char *name;  /* lasts: "lore+https://host/inbox/" and the query */
	mailer_fetch_options options; /* owns its strings */
	http *http, *side;
	bool busy; /* an answer comes in over `http` */
} lore;

/* From "[lore+]http[s]://HOST/INBOX/[?q=WORDS]". */
lore *lore_open(const char *url, const mailer_fetch_options *options, GError **error);
void lore_close(lore *l);

/* One mail by its Message-ID. */
GBytes *lore_message(lore *l, const char *message_id, GError **error);
/* The whole thread of one, as an mbox. */
GBytes *lore_thread(lore *l, const char *message_id, GError **error);

/*
 * The state of an inbox: a hash that changes with every mail, and when the newest one
 * came.  MAILER_ERROR_NOT_FOUND where a server keeps no such file.
 */
bool lore_state(lore *l, char **hash, int64_t *modified, GError **error);

/* Whether there is such an inbox at all. */
bool lore_exists(lore *l, GError **error);

/* Hands over each mail that a search finds; none is no error. */
bool lore_search(lore *l, const char *query, mboxrd_fn fn, void *context,
		 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(lore, lore_close)

#endif
