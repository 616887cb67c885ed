/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "render/report.h"

#define SUBSYSTEM_MAX 40 /* longer is prose before a colon */

/* Past "[PATCH v2 3/5] " and `Revert "`, which say nothing about the part. */
static const char *skip_tags(const char *s)
{
	while (*s == '[' || *s == ' ') {
		const char *close = *s == '[' ? strchr(s, ']') : s;

		if (!close)
			break;
		s = close + 1;
	}
	if (g_str_has_prefix(s, "Revert \""))
		s += strlen("Revert \"");
	return s;
}

char *report_subsystem(const char *commit_subject)
{
	const char *s = commit_subject ? skip_tags(commit_subject) : "";
	size_t length = strcspn(s, ":");
	unsigned blanks = 0;

	if (s[length] != ':' || length == 0 || length > SUBSYSTEM_MAX)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		if (s[i] == ' ' && ++blanks > 2)
			return NULL;
		if (!g_ascii_isalnum(s[i]) && !strchr(" ,/_-.&", s[i]))
			return NULL;
	}
	return g_strstrip(g_strndup(s, length));
}

char *report_percent(double change)
{
	char number[64];

	/* The table's own rule, so that subject and row cannot differ. */
	if (change > -100000 && change < 100000)
		render_number(number, sizeof(number), change, 'f', 1, true);
	else
		render_number(number, sizeof(number), change, 'g', 2, true);
	return g_strconcat(number, "%", NULL);
}

const char *report_kind_word(parser_kind kind)
{
	const char *name = parser_kind_name(kind);

	return name ? name : "change";
}

parser_kind report_kind(const render_comparison *comparison, parser_kind given)
{
	return given != PARSER_KIND_UNKNOWN ? given : comparison->headline.kind;
}

char *report_line(const char *value)
{
	g_autofree char *valid = g_utf8_make_valid(value ? value : "", -1);
	GString *out = g_string_new(NULL);

	for (const char *p = valid; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			g_string_append_unichar(out, 0xfffd);
		else
			g_string_append_c(out, *p);
	return g_string_free(out, FALSE);
}
