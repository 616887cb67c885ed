/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of mail reading share. */
#ifndef TESTS_UNIT_MAIL_H
#define TESTS_UNIT_MAIL_H

#include <string.h>

#include "parser/parser.h"
#include "tests/unit/test.h"

/* Parses a message that must be readable. */
static inline parser_mail *mail_of(const char *bytes)
{
	g_autoptr(GError) error = NULL;
	parser_mail *mail =
		parser_mail_parse(bytes, strlen(bytes), PARSER_FORM_MAIL, 0, &error);

	assert_null(error);
	assert_non_null(mail);
	return mail;
}

/* The text of all spans of a kind, one behind the other. */
static inline char *text_of_kind(const parser_mail *mail, parser_span_kind kind)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < mail->spans->len; i++) {
		const parser_span *s = &g_array_index(mail->spans, parser_span, i);

		if (s->kind == kind)
			g_string_append_len(out, mail->text + s->start,
					    (gssize)(s->end - s->start));
	}
	return g_string_free(out, FALSE);
}

/* Parses "Subject: x" + body and compares what the author says, blank lines aside. */
static inline void assert_own(const char *body, const char *own)
{
	g_autofree char *bytes = g_strconcat("Subject: Re: x\n\n", body, NULL);
	g_autoptr(parser_mail) mail = mail_of(bytes);
	g_autofree char *got = text_of_kind(mail, PARSER_SPAN_OWN);
	g_auto(GStrv) lines = g_strsplit(got, "\n", -1);
	GString *joined = g_string_new(NULL);

	for (char **l = lines; *l; l++) {
		g_strstrip(*l);
		if (**l)
			g_string_append_printf(joined, "%s%s", joined->len ? "|" : "",
					       *l);
	}
	assert_string_equal(joined->str, own);
	g_string_free(joined, TRUE);
}

/* True if the mail has a warning that contains the words. */
static inline bool warns(const parser_mail *mail, const char *words)
{
	for (guint i = 0; i < mail->warnings->len; i++)
		if (strstr(mail->warnings->pdata[i], words))
			return true;
	return false;
}

#endif
