/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/parts.h"

#include <string.h>

#include "parser/mail.h"

/* Each part has a line before it; nested multiparts have one behind them, too. */
#define LINES_MAX      (2u * PARSER_PARTS_MAX)
#define BOUNDARIES_MAX 2000u
#define BOUNDARY_BYTES 200u

typedef struct boundaries {
	GHashTable *names; /* char * */
	bool any;          /* one of them may be anything */
} boundaries;

static const char *skip_white(const char *p, const char *end)
{
	while (p < end && memchr(" \t\r\n", *p, 4))
		p++;
	return p;
}

/* The value behind "boundary", quoted or not; NULL if it is in another form. */
static char *read_value(const char *p, const char *end)
{
	g_autoptr(GString) value = g_string_new(NULL);
	bool quoted;

	p = skip_white(p, end);
	if (p == end || *p != '=')
		return NULL;
	p = skip_white(p + 1, end);
	quoted = p < end && *p == '"';
	for (p += quoted; p < end && value->len <= BOUNDARY_BYTES; p++) {
		if (quoted ? *p == '"' : memchr(" \t\r\n;", *p, 5) != NULL)
			break;
		if (quoted && *p == '\\' && p + 1 < end)
			p++;
		g_string_append_c(value, *p);
	}
	/* An encoded word is none of the standard's, but GMime decodes it. */
	if (value->len > BOUNDARY_BYTES || g_str_has_prefix(value->str, "=?"))
		return NULL;
	return g_strdup(value->str);
}

static void collect(boundaries *b, const char *p, size_t length)
{
	static const char word[] = "boundary";
	const size_t n = strlen(word);
	const char *end = p + length;

	for (; !b->any && (size_t)(end - p) > n; p++) {
		if ((*p | 0x20) != 'b' || g_ascii_strncasecmp(p, word, n) != 0)
			continue;

		char *value = read_value(p + n, end);

		if (!value || g_hash_table_size(b->names) >= BOUNDARIES_MAX)
			b->any = true;
		if (value)
			g_hash_table_add(b->names, value);
	}
}

/* "--boundary" or "--boundary--", with blanks behind it or not. */
static bool may_be_boundary(const boundaries *b, const char *p, const char *stop)
{
	char name[BOUNDARY_BYTES + 3];
	size_t n;

	if (stop - p < 3 || p[0] != '-' || p[1] != '-')
		return false;
	if (b->any)
		return true;
	while (stop > p && memchr(" \t\r", stop[-1], 3))
		stop--;
	p = MIN(p + 2, stop);
	n = (size_t)(stop - p);
	if (n >= sizeof(name))
		return false;
	memcpy(name, p, n);
	name[n] = '\0';
	if (g_hash_table_contains(b->names, name))
		return true;
	if (n < 2 || memcmp(name + n - 2, "--", 2) != 0)
		return false;
	name[n - 2] = '\0';
	return g_hash_table_contains(b->names, name);
}

size_t parts_end(const field *type, const char *body, size_t length)
{
	g_autoptr(GHashTable) names =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	boundaries b = { .names = names };
	const char *end = body + length;
	unsigned lines = 0;

	if (type)
		collect(&b, type->value, type->length);
	collect(&b, body, length);
	for (const char *p = body; p < end;) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;

		if (may_be_boundary(&b, p, stop) && ++lines > LINES_MAX)
			return (size_t)(p - body);
		p = nl ? nl + 1 : end;
	}
	return length;
}
