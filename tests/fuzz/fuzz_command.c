/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands of a mail whose body is the input: each stands in the author's own words,
 * and a body that is all quote has none.
 */
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz.h"

static parser_mail *mail_of(const char *mark, const char *data, size_t size)
{
	g_autoptr(GString) bytes = g_string_new("From: Jane Doe <jane@example.org>\n"
						"Subject: Re: x\n\n");
	const char *end = data + size;

	while (data < end) {
		const char *nl = memchr(data, '\n', (size_t)(end - data));
		const char *stop = nl ? nl + 1 : end;

		g_string_append(bytes, mark);
		g_string_append_len(bytes, data, stop - data);
		data = stop;
	}
	return parser_mail_parse(bytes->str, bytes->len, PARSER_FORM_MAIL, 0, NULL);
}

static void check_command(const parser_mail *mail, const parser_command *c)
{
	if (!c->known && !c->problem)
		abort();
	if (c->offset > mail->text_length || strpbrk(c->arguments, "\r\n") ||
	    !g_utf8_validate(c->arguments, -1, NULL))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(parser_mail) mail = mail_of("", (const char *)data, size);
	g_autoptr(parser_mail) quoted = mail_of("> ", (const char *)data, size);

	if (mail) {
		g_autoptr(GPtrArray) commands = parser_commands_read(mail);

		for (guint i = 0; i < commands->len; i++)
			check_command(mail, commands->pdata[i]);
	}
	if (quoted && !memchr(data, '\r', size)) {
		g_autoptr(GPtrArray) none = parser_commands_read(quoted);

		for (guint i = 0; i < none->len; i++) {
			const parser_command *c = none->pdata[i];

			if (c->line > 0)
				abort();
		}
	}
	return 0;
}
