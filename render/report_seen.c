/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "Seen before": an earlier regression with the same mechanism, and what it was. */
#include <string.h>

#include "render/report.h"

#define WORDS_MAX 300u /* bytes of a quote; the link leads to the rest */
#define WIDTH     72u

static void set(json_t *o, const char *name, const char *value)
{
	g_autofree char *line = report_line(value);

	json_object_set_new(o, name, json_string(line));
}

static void add_line(json_t *list, const char *text)
{
	json_t *o = json_object();

	set(o, "line", text);
	json_array_append_new(list, o);
}

json_t *report_lines(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
	json_t *list = json_array();

	for (char **line = lines; *line && text && *text; line++)
		add_line(list, *line);
	return list;
}

/* At most WORDS_MAX bytes, cut between words, or characters when there is one only. */
static char *shorten(const char *words)
{
	g_autofree char *valid = g_utf8_make_valid(words, -1);
	g_autofree char *cut = NULL;
	const char *end, *blank;

	if (strlen(valid) <= WORDS_MAX)
		return g_steal_pointer(&valid);
	end = g_utf8_find_prev_char(valid, valid + WORDS_MAX + 1);
	blank = g_strrstr_len(valid, end - valid, " ");
	cut = g_strndup(valid, (gsize)((blank ? blank : end) - valid));
	return g_strconcat(cut, " ...", NULL);
}

/* The words as lines to quote: white space of any kind separates them. */
static json_t *wrap(const char *words)
{
	g_autofree char *text = shorten(words ? words : "");
	g_auto(GStrv) parts = g_strsplit_set(text, " \t\r\n", -1);
	g_autoptr(GString) line = g_string_new(NULL);
	json_t *list = json_array();

	for (char **part = parts; *part; part++) {
		if (!**part)
			continue;
		if (line->len && line->len + 1 + strlen(*part) > WIDTH) {
			add_line(list, line->str);
			g_string_truncate(line, 0);
		}
		g_string_append_printf(line, "%s%s", line->len ? " " : "", *part);
	}
	if (line->len)
		add_line(list, line->str);
	return list;
}

json_t *report_seen(const report *d)
{
	const render_seen *s = d->facts->seen;
	g_autofree char *change = NULL;
	g_autofree char *commit = NULL;
	g_autofree char *link = NULL;
	json_t *o;

	if (!s)
		return json_null();
	o = json_object();
	change = s->has_change ? report_percent(s->change_percent) : NULL;
	commit = g_strndup(s->commit ? s->commit : "", 10);
	link = render_link(d->facts->archive_url, s->message_id);
	set(o, "seen_commit", commit);
	set(o, "seen_subject", s->subject);
	set(o, "seen_change", change);
	set(o, "seen_kind", report_kind_word(s->kind));
	set(o, "seen_metric", s->metric);
	set(o, "seen_object", s->object);
	set(o, "seen_status", s->status);
	set(o, "seen_by", s->by);
	set(o, "seen_link", link);
	json_object_set_new(o, "words", wrap(s->words));
	return o;
}
