/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/thread.h"

#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "render/render.h"
#include "tracker/tracker.h"

#define DEPTH_SHOWN 8 /* deeper replies are not moved further to the right */

static void print_ghost(const cli *c, const char *indent, const tracker_message *m)
{
	g_autofree char *text = g_strdup_printf("(not seen: <%s>)", m->message_id);

	print_fitting(c, indent, text);
}

static void print_verdict(const cli *c, const char *indent, const parser_verdict *v)
{
	const char *outcome = parser_outcome_name(v->outcome);
	g_autofree char *head = g_strdup_printf(
		"=> %s%s%s (%.0f %%)", parser_verdict_name(v->kind), outcome ? " " : "",
		outcome ? outcome : "", v->confidence * 100);
	g_autofree char *deeper = g_strconcat(indent, "   ", NULL);
	g_autofree char *quote = g_strdup_printf("\"%s\"", v->evidence);

	print_fitting(c, indent, head);
	print_quote(c, deeper, quote);
}

static void print_mechanism(const cli *c, const char *indent, const support *s,
			    const parser_mechanism *m)
{
	g_autofree char *head =
		g_strdup_printf("=> because: %s%s%s", m->kind, m->object ? ", " : "",
				m->object ? m->object : "");
	g_autofree char *deeper = g_strconcat(indent, "   ", NULL);
	g_autofree char *quote = g_strdup_printf("\"%s\"", m->evidence);

	print_fitting(c, indent, head);
	print_quote(c, deeper, quote);
	support_print(s, c, deeper, m);
}

static char *author_of(const tracker_message *m)
{
	if (m->from.name && m->from.name[0])
		return g_strdup(m->from.name);
	return g_strdup(m->from.address ? m->from.address : "?");
}

static void print_message(const cli *c, const support *s, const tracker_message *m)
{
	g_autofree char *indent =
		g_strnfill(2 + 2 * MIN(m->depth, (unsigned)DEPTH_SHOWN), ' ');
	g_autofree char *deeper = g_strconcat(indent, "    ", NULL);
	g_autofree char *date = print_time(m->date);
	g_autofree char *author = author_of(m);

	if (m->is_ghost) {
		print_ghost(c, indent, m);
		return;
	}

	g_autofree char *when = g_strconcat(indent, date, "  ", NULL);
	g_autofree char *head = g_strdup_printf(
		"%s (%s)%s%s", author,
		m->class == PARSER_CLASS_HUMAN ? tracker_role_name(m->role) :
						 parser_class_name(m->class),
		m->is_report ? ", report" : "",
		!m->suggested                      ? "" :
		!g_strcmp0(m->link_key, "subject") ? ", by subject only" :
		!g_strcmp0(m->link_key, "url")     ? ", points here" :
						     ", by a quote only");

	print_fitting(c, when, head);
	if (m->first_words && m->first_words[0])
		print_fitting(c, deeper, m->first_words);
	for (guint i = 0; i < m->verdicts->len; i++)
		print_verdict(c, deeper, g_ptr_array_index(m->verdicts, i));
	for (guint i = 0; i < m->mechanisms->len; i++)
		print_mechanism(c, deeper, s, g_ptr_array_index(m->mechanisms, i));
}

void thread_print(const cli *c, const GPtrArray *messages, const support *s)
{
	for (guint i = 0; i < messages->len; i++)
		print_message(c, s, g_ptr_array_index(messages, i));
}
