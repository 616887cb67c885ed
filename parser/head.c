/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/head.h"

#include <string.h>

char *head_subject(const head *h)
{
	const field *f = head_first(h, FIELD_SUBJECT);

	return f ? field_decoded(f) : g_strdup("");
}

static void add_list(GPtrArray *lists, char *name)
{
	if (!*name) {
		g_free(name);
		return;
	}
	for (guint i = 0; i < lists->len; i++)
		if (strcmp(lists->pdata[i], name) == 0) {
			g_free(name);
			return;
		}
	g_ptr_array_add(lists, name);
}

GPtrArray *head_lists(const head *h)
{
	GPtrArray *lists = g_ptr_array_new_with_free_func(g_free);

	for (const field *f = head_first(h, FIELD_LIST_ID); f; f = head_next(h, f)) {
		g_autofree char *text = field_raw_text(f);
		char *open = strrchr(text, '<'),
		     *close = open ? strchr(open, '>') : NULL;

		if (close)
			*close = '\0';
		if (lists->len < 64)
			add_list(lists, g_strstrip(g_strdup(open ? open + 1 : text)));
	}
	return lists;
}
