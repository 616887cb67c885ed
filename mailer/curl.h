/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * curl - libcurl, loaded with the first question to a web server.  With it come
 * Kerberos, LDAP, SSH and a second TLS library, which take longer to load than most
 * commands run, and few commands ask a web server.
 */
#ifndef MAILER_CURL_H
#define MAILER_CURL_H

#include <curl/curl.h>
#include <glib.h>

/* Its functions of these names. */
typedef struct curl_library {
	__typeof__(curl_global_init) *global_init;
	__typeof__(curl_easy_init) *init;
	__typeof__(curl_easy_cleanup) *cleanup;
	__typeof__(curl_easy_reset) *reset;
	__typeof__(curl_easy_setopt) *setopt;
	__typeof__(curl_easy_perform) *perform;
	__typeof__(curl_easy_getinfo) *getinfo;
	__typeof__(curl_easy_strerror) *strerror;
} curl_library;

/* Lent for good; NULL with MAILER_ERROR_IO when it cannot be loaded. */
const curl_library *curl_load(GError **error);

#endif
