/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_ROBOT_MAIL_H
#define TESTS_FUZZ_ROBOT_MAIL_H

#include "tests/fuzz/check.h"

/* A robot's mail whose first line is its subject and whose rest is its text. */
static inline parser_mail *robot_mail(const uint8_t *data, size_t size)
{
	static const char head[] = "From: kernel test robot <robot@example.org>\n"
				   "Content-Type: text/plain; charset=utf-8\nSubject: ";
	const uint8_t *nl = size ? memchr(data, '\n', size) : NULL;
	size_t subject = nl ? (size_t)(nl - data) : 0;
	g_autoptr(GString) bytes = g_string_new(head);

	g_string_append_len(bytes, (const char *)data, (gssize)subject);
	g_string_append(bytes, "\n\n");
	g_string_append_len(bytes, (const char *)data + subject,
			    (gssize)(size - subject));
	return parser_mail_parse(bytes->str, bytes->len, PARSER_FORM_MAIL, 0, NULL);
}

#endif
