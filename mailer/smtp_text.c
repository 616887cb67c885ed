/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/smtp_text.h"

#include <string.h>

#define WORDS_MAX 500

static void offer_auth(smtp_offers *offers, char *const *words)
{
	for (; *words; words++) {
		offers->auth_plain |= g_ascii_strcasecmp(*words, "PLAIN") == 0;
		offers->auth_login |= g_ascii_strcasecmp(*words, "LOGIN") == 0;
		offers->auth_cram_md5 |= g_ascii_strcasecmp(*words, "CRAM-MD5") == 0;
		offers->auth_digest_md5 |=
			g_ascii_strcasecmp(*words, "DIGEST-MD5") == 0;
	}
}

static void offer(smtp_offers *offers, const char *line)
{
	g_auto(GStrv) words = g_strsplit_set(line, " \t=", -1);
	const char *keyword = words[0] ? words[0] : "";

	offers->starttls |= g_ascii_strcasecmp(keyword, "STARTTLS") == 0;
	offers->eight_bit |= g_ascii_strcasecmp(keyword, "8BITMIME") == 0;
	offers->utf8 |= g_ascii_strcasecmp(keyword, "SMTPUTF8") == 0;
	if (g_ascii_strcasecmp(keyword, "SIZE") == 0) {
		offers->size = true;
		offers->size_max = words[1] ? g_ascii_strtoull(words[1], NULL, 10) : 0;
	}
	if (g_ascii_strcasecmp(keyword, "AUTH") == 0) /* "AUTH=LOGIN" is old Outlook */
		offer_auth(offers, words + 1);
}

smtp_offers smtp_offers_parse(const char *answer)
{
	smtp_offers offers = { 0 };
	g_auto(GStrv) lines = g_strsplit(answer, "\n", -1);

	/* The first line is a greeting. */
	for (size_t i = 1; lines[0] && lines[i]; i++)
		offer(&offers, g_strchomp(lines[i]));
	return offers;
}

bool smtp_line_parse(const char *line, unsigned *code, bool *more, const char **text)
{
	for (size_t i = 0; i < 3; i++)
		if (!g_ascii_isdigit(line[i]))
			return false;
	if (line[0] < '2' || line[0] > '5')
		return false;
	if (line[3] != '\0' && line[3] != ' ' && line[3] != '-')
		return false;
	*code = (unsigned)(line[0] - '0') * 100 + (unsigned)(line[1] - '0') * 10 +
		(unsigned)(line[2] - '0');
	*more = line[3] == '-';
	*text = line[3] ? line + 4 : line + 3;
	return true;
}

GString *smtp_wire_text(GBytes *mail, size_t *size)
{
	gsize length;
	const char *p = g_bytes_get_data(mail, &length);
	const char *end = p + length;
	GString *text = g_string_sized_new(length + length / 32 + 2);
	size_t dots = 0;

	while (p < end) {
		const char *stop = p;

		if (*p == '.') {
			g_string_append_c(text, '.');
			dots++;
		}
		while (stop < end && *stop != '\r' && *stop != '\n')
			stop++;
		g_string_append_len(text, p, stop - p);
		g_string_append(text, "\r\n");
		p = stop;
		if (p < end && *p == '\r')
			p++;
		if (p < end && *p == '\n' && (p == stop || p[-1] == '\r'))
			p++;
	}
	*size = text->len - dots;
	return text;
}

bool smtp_is_eight_bit(GBytes *mail)
{
	gsize length;
	const unsigned char *bytes = g_bytes_get_data(mail, &length);

	for (gsize i = 0; i < length; i++)
		if (bytes[i] > 127)
			return true;
	return false;
}

char *smtp_words(const char *text)
{
	g_autofree char *start = g_strndup(text, WORDS_MAX);
	char *words = g_utf8_make_valid(start, -1);

	for (char *p = words; *p; p++)
		if (g_ascii_iscntrl(*p))
			*p = ' ';
	return g_strstrip(words);
}

mailer_outcome smtp_judge(unsigned code, bool after_dot)
{
	if (code / 100 == 2)
		return MAILER_SENT;
	/* "Authentication required" speaks of us, not of the mail. */
	if (code / 100 == 4 || code == 530)
		return MAILER_RETRY;
	if (code / 100 == 5)
		return MAILER_REJECTED;
	return after_dot ? MAILER_UNKNOWN : MAILER_RETRY;
}
