/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points and spans of time as people type them. */
#include "cli/cli.h"

#include <string.h>

int64_t cli_now(void)
{
	return g_get_real_time() / G_USEC_PER_SEC;
}

bool cli_parse_date(const char *text, int64_t *seconds, GError **error)
{
	g_autoptr(GTimeZone) local = g_time_zone_new_local();
	g_autofree char *full = NULL;

	if (text[0] == '@') {
		guint64 value;

		if (g_ascii_string_to_unsigned(text + 1, 10, 0, G_MAXINT32 * 4ull,
					       &value, NULL)) {
			*seconds = (int64_t)value;
			return true;
		}
	}
	/* A day alone is its beginning. */
	full = strchr(text, ':') ? g_strdup(text) :
				   g_strconcat(text, "T00:00:00", NULL);

	char *blank = strchr(full, ' ');

	if (blank)
		*blank = 'T';

	g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(full, local);

	if (!time) {
		g_set_error(
			error, CLI_ERROR, CLI_ERROR_USAGE,
			"not a date (2026-01-31, 2026-01-31T12:00:00Z or @SECONDS): %s",
			text);
		return false;
	}
	*seconds = g_date_time_to_unix(time);
	return true;
}

bool cli_parse_duration(const char *text, int64_t *seconds, GError **error)
{
	static const struct unit {
		char letter;
		int64_t seconds;
	} units[] = { { 's', 1 },
		      { 'm', 60 },
		      { 'h', 3600 },
		      { 'd', 24 * 3600 },
		      { 'w', 7 * 24 * 3600 },
		      { 'y', 365 * 24 * 3600 } };
	size_t digits = strspn(text, "0123456789");

	/* Six digits of years still fit. */
	if (digits >= 1 && digits <= 6 && text[digits] && !text[digits + 1]) {
		for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
			if (units[i].letter != text[digits])
				continue;
			*seconds = (int64_t)g_ascii_strtoull(text, NULL, 10) *
				   units[i].seconds;
			return true;
		}
	}
	g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
		    "not a span of time (12h, 30d, 2w ...): %s", text);
	return false;
}
