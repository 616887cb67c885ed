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

/* "dkim=pass header.d=example.org": the domain, lower case, and whether its signature
 * passed; NULL if it is no such clause.
 */
static char *signed_domain(const char *clause, bool *passed)
{
	g_auto(GStrv) words = g_strsplit_set(clause, " \t\r\n", -1);
	char *domain = NULL;

	if (!words[0] || g_ascii_strncasecmp(words[0], "dkim=", 5))
		return NULL;
	*passed = !g_ascii_strcasecmp(words[0] + 5, "pass");
	for (char **word = words + 1; *word && !domain; word++) {
		if (g_str_has_prefix(*word, "header.d="))
			domain = g_ascii_strdown(*word + 9, -1);
		else if (g_str_has_prefix(*word, "header.i="))
			domain = g_ascii_strdown(
				strchr(*word, '@') ? strchr(*word, '@') + 1 : "", -1);
	}
	return domain;
}

/* What was said first counts: of a host at which hop, of its domain in which field. */
static bool is_first(GHashTable *said, const char *what, guint where)
{
	guint first = GPOINTER_TO_UINT(g_hash_table_lookup(said, what));

	if (!first)
		g_hash_table_insert(said, g_strdup(what), GUINT_TO_POINTER(where));
	return !first || first == where;
}

/* The passes of one field; those of a domain that a field above spoke of do not count.
 */
static void read_clauses(const char *at, const char *host, GHashTable *said,
			 guint field, GString *out)
{
	while (*at) {
		g_autofree char *clause = next_clause(&at);
		bool passed = false;
		g_autofree char *domain = signed_domain(clause, &passed);
		g_autofree char *line =
			domain ? g_strdup_printf("%s %s\n", host, domain) : NULL;

		if (domain && *domain && is_first(said, line, field) && passed)
			g_string_append(out, line);
	}
}

char *dkim_passes(const GPtrArray *headers)
{
	g_autoptr(GHashTable) said =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GString *out = g_string_new(NULL);
	guint hop = 1;

	for (guint i = 0; headers && i < headers->len; i++) {
		const char *at = headers->pdata[i];

		if (!*at) {
			hop++;
			continue;
		}

		g_autofree char *head = next_clause(&at);
		g_autofree char *low = g_ascii_strdown(head, -1);
		g_auto(GStrv) host = g_strsplit_set(low, " \t\r\n", 2);

		if (host[0] && is_first(said, host[0], hop))
			read_clauses(at, host[0], said, i + 1, out);
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
