/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/text.h"

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
