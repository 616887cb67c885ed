/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bots tell of commits: the first line is the subject, the rest the text. */
#include "parser/parser.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz.h"

#define NOTICES_MOST 100u

static bool is_text(const char *s)
{
	return *s && !strchr(s, '\n') && g_utf8_validate(s, -1, NULL);
}

static void check_notice(const parser_notice *n)
{
	if (!is_text(n->tree) || (n->branch && !is_text(n->branch)) ||
	    !is_text(n->line) || (n->subject && strchr(n->subject, '\n')))
		abort();
	if (n->commit && (strlen(n->commit) < 8 || strlen(n->commit) > 64 ||
			  n->commit[strspn(n->commit, "0123456789abcdef")]))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char head[] = "From: pr-tracker-bot@example.org\n"
				   "Content-Type: text/plain; charset=utf-8\nSubject: ";
	const uint8_t *nl = size ? memchr(data, '\n', size) : NULL;
	size_t subject = nl ? (size_t)(nl - data) : 0;
	g_autoptr(GString) bytes = g_string_new(head);

	g_string_append_len(bytes, (const char *)data, (gssize)subject);
	g_string_append(bytes, "\n\n");
	g_string_append_len(bytes, (const char *)data + subject,
			    (gssize)(size - subject));

	g_autoptr(parser_mail) mail =
		parser_mail_parse(bytes->str, bytes->len, PARSER_FORM_MAIL, 0, NULL);
	g_autoptr(GPtrArray) all = mail ? parser_notices_read(mail) : NULL;

	if (all && all->len > NOTICES_MOST)
		abort();
	for (guint i = 0; all && i < all->len; i++)
		check_notice(all->pdata[i]);
	return 0;
}
