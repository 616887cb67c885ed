/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDs that anyone can compute again from the facts that they stand for. */
#include <glib.h>
#include <string.h>

#include "parser/identity.h"

#define CULPRIT_DIGITS 10
#define TIME_DIGITS    12 /* YYYYMMDDHHMM */
#define PROOF_DIGITS   8

char *parser_regression_id(const char *culprit, const char *testcase,
			   const char *metric)
{
	g_autofree char *start = g_ascii_strdown(culprit ? culprit : "", -1);
	g_autofree char *text = NULL;
	char *digits;

	if (strlen(start) > CULPRIT_DIGITS)
		start[CULPRIT_DIGITS] = '\0';
	text = g_strdup_printf("%s\n%s\n%s\n", start, testcase ? testcase : "",
			       metric ? metric : "");
	digits = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
	digits[PARSER_ID_DIGITS] = '\0';
	return digits;
}

char *parser_own_message_id_digits(const char *id, const char *kind, unsigned revision)
{
	g_autofree char *text = g_strdup_printf("%s\n%s\n%u\n", id, kind, revision);
	char *digits = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);

	digits[PROOF_DIGITS] = '\0';
	return digits;
}

char *parser_own_message_id(const char *id, const char *kind, unsigned revision,
			    int64_t created, const char *local, const char *host)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(created);
	g_autofree char *stamp = time ? g_date_time_format(time, "%Y%m%d%H%M") :
					g_strdup("197001010000");
	g_autofree char *digits = parser_own_message_id_digits(id, kind, revision);

	return g_strdup_printf("%s.%s-%s@%s", stamp, digits, local, host);
}

static bool all_digits(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!g_ascii_isdigit(s[i]))
			return false;
	return true;
}

static bool all_hex(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!g_ascii_isdigit(s[i]) && !(s[i] >= 'a' && s[i] <= 'f'))
			return false;
	return true;
}

bool parser_message_id_is_robot(const char *message_id)
{
	const size_t head = TIME_DIGITS + 1 + PROOF_DIGITS;
	const char *at;

	if (!message_id || strlen(message_id) <= head)
		return false;
	at = strchr(message_id, '@');
	return all_digits(message_id, TIME_DIGITS) && message_id[TIME_DIGITS] == '.' &&
	       all_hex(message_id + TIME_DIGITS + 1, PROOF_DIGITS) &&
	       message_id[head] == '-' && at > message_id + head + 1 && at[1];
}
