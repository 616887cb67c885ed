/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/text.h"

#include <string.h>

#define WORDS_MAX 200

const char *text_number(const char *text, uint64_t *number)
{
	uint64_t value = 0;
	const char *p = text;

	for (; g_ascii_isdigit(*p); p++) {
		if (p - text >= 18)
			return NULL;
		value = value * 10 + (uint64_t)(*p - '0');
	}
	if (p == text)
		return NULL;
	*number = value;
	return p;
}

char *text_words(const char *line)
{
	g_autofree char *part = g_strndup(line, WORDS_MAX);
	char *words = g_utf8_make_valid(part, -1);

	for (char *p = words; *p; p++)
		if (g_ascii_iscntrl(*p))
			*p = ' ';
	return g_strstrip(words);
}

void text_unix(GByteArray *bytes)
{
	guint8 *to = bytes->data;
	const guint8 *from = bytes->data, *end;

	if (!bytes->len)
		return;
	end = from + bytes->len;
	while (from < end) {
		const guint8 *cr = memchr(from, '\r', (size_t)(end - from));
		size_t part = (size_t)((cr ? cr : end) - from);

		memmove(to, from, part);
		to += part;
		from += part;
		if (!cr)
			break;
		if (from + 1 == end || from[1] != '\n')
			*to++ = *from;
		from++;
	}
	g_byte_array_set_size(bytes, (guint)(to - bytes->data));
}

GBytes *text_unix_copy(GBytes *bytes)
{
	gsize length;
	const guint8 *data = g_bytes_get_data(bytes, &length);
	GByteArray *copy = g_byte_array_sized_new((guint)length);

	g_byte_array_append(copy, data, (guint)length);
	text_unix(copy);
	return g_byte_array_free_to_bytes(copy);
}
