/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads mails with the program's own rules and lists. */
#ifndef TESTS_UNIT_READING_MAIL_H
#define TESTS_UNIT_READING_MAIL_H

#include <string.h>

#include "parser/parser.h"
#include "templates/templates.h"

#define ROBOT "kernel test robot <robot@example.org>"
#define JANE  "Jane Doe <jane@example.org>"
#define JOE   "Joe Bloggs <joe@example.org>"

static inline parser_rules *reading_rules(void)
{
	parser_rules *rules = parser_rules_new();

	for (const templates_file *f = templates_files; f->name; f++)
		if (g_str_has_prefix(f->name, "rules/"))
			assert_true(parser_rules_add(rules, f->name, f->text, f->length,
						     NULL));
	return rules;
}

static inline parser_lists *reading_lists(void)
{
	parser_lists *lists = parser_lists_new();

	for (const templates_file *f = templates_files; f->name; f++) {
		g_autofree char *name = g_path_get_basename(f->name);
		name[strcspn(name, ".")] = '\0';
		if (g_str_has_prefix(f->name, "metrics/"))
			assert_true(parser_lists_add(lists, name, f->text, f->length,
						     NULL));
	}
	return lists;
}

/* A reply by that person to a robot's report of commit 1122334455. */
static inline parser_reading *reading_of(const char *from, const char *body)
{
	static const char headers[] =
		"To: list@example.org\n"
		"Subject: Re: [mm] 1122334455: foo.ops_per_sec -7.1% regression\n"
		"Message-ID: <reply@example.org>\n"
		"In-Reply-To: <202001010101.0a0b0c0d-robot@example.org>\n"
		"References: <202001010101.0a0b0c0d-robot@example.org>\n"
		"Date: Thu, 02 Jan 2020 10:00:00 +0000\n";
	static parser_rules *rules; /* compiled once: they stay the same */
	static parser_lists *lists;
	g_autoptr(GString) text = g_string_new(NULL);

	if (!rules)
		rules = reading_rules();
	if (!lists)
		lists = reading_lists();
	g_string_append_printf(text, "From: %s\n", from);
	g_string_append(text, headers);
	g_string_append_printf(text, "\n%s\n", body);
	parser_reading *reading = parser_read(text->str, text->len, PARSER_FORM_MAIL, 0,
					      rules, lists, NULL);
	assert_non_null(reading);
	return reading;
}

#endif
