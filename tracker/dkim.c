/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who vouches for a mail.  Only what a configured host wrote into
 * Authentication-Results counts (RFC 8601); everybody else may have written there what
 * he liked.
 */
#include <string.h>

#include "tracker/dkim.h"

/* The next clause of a header value, up to a ';' that is in no comment and no string.
 */
static char *next_clause(const char **at)
{
	GString *clause = g_string_new(NULL);
	unsigned depth = 0;
	bool quoted = false;
	const char *s = *at;

	for (; *s && (depth || quoted || *s != ';'); s++) {
		if (*s == '\\' && s[1] && (depth || quoted)) {
			s++;
			continue;
		}
		if (*s == '"' && !depth)
			quoted = !quoted;
		else if (*s == '(' && !quoted)
			depth++;
		else if (*s == ')' && depth && !quoted)
			depth--;
		else if (!depth && !quoted)
			g_string_append_c(clause, *s);
	}
	*at = *s ? s + 1 : s;
	return g_strstrip(g_string_free(clause, FALSE));
}

/* "dkim=pass header.d=example.org": the domain, lower case; NULL if it is no such pass.
 */
static char *passed_domain(const char *clause)
{
	g_auto(GStrv) words = g_strsplit_set(clause, " \t\r\n", -1);
	char *domain = NULL;

	if (!words[0] || g_ascii_strcasecmp(words[0], "dkim=pass"))
		return NULL;
	for (char **word = words + 1; *word && !domain; word++) {
		if (g_str_has_prefix(*word, "header.d="))
			domain = g_ascii_strdown(*word + 9, -1);
		else if (g_str_has_prefix(*word, "header.i="))
			domain = g_ascii_strdown(
				strchr(*word, '@') ? strchr(*word, '@') + 1 : "", -1);
	}
	return domain;
}

char *dkim_passes(const GPtrArray *headers)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; headers && i < headers->len; i++) {
		const char *at = headers->pdata[i];
		g_autofree char *head = next_clause(&at);
		g_auto(GStrv) host = g_strsplit_set(head, " \t\r\n", 2);

		while (*at) {
			g_autofree char *clause = next_clause(&at);
			g_autofree char *domain = passed_domain(clause);

			if (domain && *domain && host[0])
				g_string_append_printf(out, "%s %s\n", host[0], domain);
		}
	}
	if (out->len)
		return g_string_free(out, FALSE);
	g_string_free(out, TRUE);
	return NULL;
}

static bool trusts(const tracker *t, const char *host)
{
	return addresses_have(t->trusted_hosts, host);
}

/* The signing domain is the author's, or one above it. */
static bool is_aligned(const char *domain, const char *address)
{
	const char *at = address ? strrchr(address, '@') : NULL;
	size_t n = strlen(domain), length = at ? strlen(at + 1) : 0;

	if (!at || n > length || !strchr(domain, '.'))
		return false;

	const char *tail = at + 1 + length - n;

	return !g_ascii_strcasecmp(tail, domain) && (tail == at + 1 || tail[-1] == '.');
}

bool dkim_vouched(const tracker *t, const char *passes, const char *address)
{
	g_auto(GStrv) lines = g_strsplit(passes ? passes : "", "\n", -1);

	for (char **line = lines; *line; line++) {
		char *domain = strchr(*line, ' ');

		if (!domain)
			continue;
		*domain++ = '\0';
		if (trusts(t, *line) && is_aligned(domain, address))
			return true;
	}
	return false;
}
