/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The built-in lists of metrics, for tests that need them. */
#ifndef TESTS_UNIT_LISTS_H
#define TESTS_UNIT_LISTS_H

#include <string.h>

#include "parser/parser.h"
#include "templates/templates.h"

static inline parser_lists *test_lists(void)
{
	parser_lists *lists = parser_lists_new();

	for (const templates_file *f = templates_files; f->name; f++) {
		g_autofree char *name = NULL;
		GError *error = NULL;

		if (!g_str_has_prefix(f->name, "metrics/") ||
		    !g_str_has_suffix(f->name, ".list"))
			continue;
		name = g_strndup(f->name + 8, strlen(f->name) - 8 - 5);
		if (!parser_lists_add(lists, name, f->text, f->length, &error))
			g_error("%s", error->message);
	}
	return lists;
}

#endif
