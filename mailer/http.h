/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * http - questions to a web server, politely: one connection, kept; who asks is said;
 * what is asked too often (429, 503) is asked again later, and not before the server's
 * time is over.
 */
#ifndef MAILER_HTTP_H
#define MAILER_HTTP_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mailer/fetch.h"

typedef struct http http;

/* Takes a part of the answer. */
typedef bool (*http_fn)(const char *bytes, size_t length, void *context,
			GError **error);

typedef struct http_request {
	const char *url;
	bool post;        /* with nothing in its body */
	const char *type; /* what the answer must be, such as "application/gzip" */
	uint64_t max;     /* bytes of an answer */
	http_fn fn;
	void *context;
} http_request;

/* The options are lent until http_free(). */
http *http_new(const mailer_fetch_options *options);
void http_free(http *h);

/*
 * Asks.  404 is MAILER_ERROR_NOT_FOUND; another type of content MAILER_ERROR_FORMAT;
 * what may pass by itself MAILER_ERROR_TEMPORARY; all else MAILER_ERROR_REFUSED.
 * The message does not name the URL.
 */
bool http_ask(http *h, const http_request *request, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(http, http_free)

#endif
