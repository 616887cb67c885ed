/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scan looks for in commits.  A sieve of bits tells for nearly every line that
 * it holds nothing of it; only what falls through is read in full.
 */
#include "parser/wanted_set.h"

#include <string.h>

#define BEFORE_AT 4 /* bytes of a Message-ID that the sieve knows */
#define BEHIND_AT 6

parser_wanted *parser_wanted_new(void)
{
	parser_wanted *w = g_new0(parser_wanted, 1);

	w->commits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   (GDestroyNotify)g_ptr_array_unref);
	w->titles = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	w->messages = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	w->robots = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	w->dates = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return w;
}

void parser_wanted_free(parser_wanted *w)
{
	if (!w)
		return;
	g_hash_table_destroy(w->commits);
	g_hash_table_destroy(w->titles);
	g_hash_table_destroy(w->messages);
	g_hash_table_destroy(w->robots);
	g_hash_table_destroy(w->dates);
	g_free(w);
}

static uint32_t mix(uint32_t hash, const char *s, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (guint8)s[i]) * 16777619u;
	return hash;
}

static void sieve_set(parser_wanted *w, uint32_t hash)
{
	hash ^= hash >> 13;
	w->sieve[hash % WANTED_SIEVE_BITS / 8] |= (guint8)(1u << (hash % 8));
}

static bool sieve_has(const parser_wanted *w, uint32_t hash)
{
	hash ^= hash >> 13;
	return w->sieve[hash % WANTED_SIEVE_BITS / 8] & 1u << (hash % 8);
}

/* Of what stands around an @: few addresses share that with an id that is wanted. */
static uint32_t around(const char *text, const char *at, const char *end)
{
	size_t before = MIN((size_t)(at - text), BEFORE_AT);
	size_t behind = MIN((size_t)(end - at - 1), BEHIND_AT);

	return mix(mix(2166136261u, at - before, before), at + 1, behind);
}

bool wanted_may_have_hash(const parser_wanted *w, const char *hash, size_t n)
{
	char low[WANTED_DIGITS];

	if (n < WANTED_DIGITS)
		return false;
	for (size_t i = 0; i < WANTED_DIGITS; i++)
		low[i] = g_ascii_tolower(hash[i]);
	return sieve_has(w, mix(0, low, WANTED_DIGITS));
}

bool wanted_may_have_at(const parser_wanted *w, const char *text, const char *at,
			const char *end)
{
	return w->any || sieve_has(w, around(text, at, end));
}

static void add_around(parser_wanted *w, const char *id)
{
	const char *at = strchr(id, '@');

	/* Of shorter ones, what stands around them in a text would count too. */
	if (at && at - id >= BEFORE_AT && strlen(at + 1) >= BEHIND_AT)
		sieve_set(w, around(id, at, id + strlen(id)));
	else
		w->any = true;
}

bool parser_wanted_add_commit(parser_wanted *w, const char *hash)
{
	size_t n = strspn(hash, "0123456789abcdefABCDEF");

	if (hash[n] || n < WANTED_DIGITS || n > WANTED_HASH_MAX)
		return false;

	g_autofree char *low = g_ascii_strdown(hash, -1);
	g_autofree char *key = g_strndup(low, WANTED_DIGITS);
	GPtrArray *same = g_hash_table_lookup(w->commits, key);

	if (!same) {
		same = g_ptr_array_new_with_free_func(g_free);
		sieve_set(w, mix(0, key, WANTED_DIGITS));
		g_hash_table_insert(w->commits, g_steal_pointer(&key), same);
	}
	for (guint i = 0; i < same->len; i++)
		if (strcmp(same->pdata[i], low) == 0)
			return true;
	g_ptr_array_add(same, g_steal_pointer(&low));
	return true;
}

void parser_wanted_add_title(parser_wanted *w, const char *title)
{
	char *plain = parser_title(title, strlen(title));

	if (*plain && !g_hash_table_contains(w->titles, plain))
		g_hash_table_insert(w->titles, plain, g_strdup(title));
	else
		g_free(plain);
}

void parser_wanted_add_message(parser_wanted *w, const char *id)
{
	if (g_hash_table_add(w->messages, g_strdup(id)))
		add_around(w, id);
}

void parser_wanted_add_robot(parser_wanted *w, const char *address)
{
	char *low = g_ascii_strdown(address, -1);

	if (!strchr(low, '@')) {
		g_free(low);
		return;
	}
	add_around(w, low);
	g_hash_table_add(w->robots, low);
}

void parser_wanted_add_date(parser_wanted *w, int64_t authored)
{
	if (authored > 0)
		g_hash_table_add(w->dates, g_memdup2(&authored, sizeof(authored)));
}
