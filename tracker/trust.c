/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom a report is believed: anybody can write one.  Ours come first, then those of
 * robots that the configuration names, and of these the ones whose sender is proved.
 */
#include <string.h>

#include "tracker/dkim.h"
#include "tracker/trust.h"

static bool is_robot(const tracker *t, const char *address)
{
	if (addresses_have(t->own, address) || addresses_have(t->robot_team, address))
		return true;

	g_autofree char *low = g_ascii_strdown(address, -1);

	for (guint i = 0; t->robots && i < t->robots->len; i++) {
		g_autofree char *glob = g_ascii_strdown(t->robots->pdata[i], -1);

		if (g_pattern_match_simple(glob, low))
			return true;
	}
	return false;
}

bool trust_proved(const tracker *t, const char *address, const char *signed_by)
{
	return !t->require_dkim || dkim_vouched(t, signed_by, address);
}

trust trust_of(const tracker *t, const char *address, const char *signed_by)
{
	if (!address || !is_robot(t, address))
		return TRUST_ANYBODY;
	return trust_proved(t, address, signed_by) ? TRUST_PROVED : TRUST_ROBOT;
}

bool trust_same_house(const char *a, const char *b)
{
	const char *x = a ? strrchr(a, '@') : NULL;
	const char *y = b ? strrchr(b, '@') : NULL;

	return x && y && !g_ascii_strcasecmp(x, y);
}
