/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_CHECK_H
#define TESTS_FUZZ_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "parser/parser.h"

/* Aborts if a mail breaks a promise of parser/mail.h. */
static inline void check_mail(const parser_mail *mail)
{
	size_t at = 0;

	if (!mail)
		return;
	for (guint i = 0; i < mail->spans->len; i++) {
		const parser_span *s = &g_array_index(mail->spans, parser_span, i);

		if (s->start != at || s->end <= s->start)
			abort();
		at = s->end;
	}
	if (at != mail->text_length || strlen(mail->text) != mail->text_length ||
	    !g_utf8_validate(mail->text, -1, NULL) ||
	    !g_utf8_validate(mail->subject, -1, NULL) || strchr(mail->text, '\r') ||
	    strpbrk(mail->subject, "\r\n"))
		abort();
}

#endif
