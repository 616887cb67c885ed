/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_IDENTITY_H
#define PARSER_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* A regression ID as stored: 40 lower-case hex digits and a NUL. */
#define PARSER_ID_DIGITS 40

/*
 * The ID of a regression: the first 40 hex digits of SHA-256 over
 * "<first 10 hex digits of the culprit>\n<testcase>\n<headline metric>\n".
 * Any argument may be NULL or empty for unknown; such an ID is provisional.
 * The culprit is lower-cased and cut to ten digits.  Returns a new string (g_free).
 */
char *parser_regression_id(const char *culprit, const char *testcase,
			   const char *metric);

/*
 * The Message-ID of one of our mails, without <>:
 * "YYYYMMDDHHMM.XXXXXXXX-local@host", where the time is the draft's creation in UTC
 * (Unix seconds) and X the first 8 hex digits of SHA-256 over
 * "<id>\n<kind of mail>\n<revision>\n".  For a digest, id is "digest/<scope>/<date>".
 * local and host must be non-empty and made of RFC 5322 atext or dots.
 * Returns a new string (g_free).
 */
char *parser_own_message_id(const char *id, const char *kind, unsigned revision,
			    int64_t created, const char *local, const char *host);

/*
 * The 8 digits in such a Message-ID, which are 13 characters in: they prove without a
 * database what a mail is about.  g_free.
 */
char *parser_own_message_id_digits(const char *id, const char *kind, unsigned revision);

/* True if message_id (without <>) is shaped like a robot's: YYYYMMDDHHMM.8hex-any@host.
 */
bool parser_message_id_is_robot(const char *message_id);

#endif
