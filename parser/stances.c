/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the people of a thread stand by in the end. */
#include <string.h>

#include "parser/reading.h"

#define DECIDES_FROM 0.5 /* confidence from which a verdict counts */

/* Verdicts that exclude each other when one person gives both, one after the other. */
typedef enum group {
	GROUP_NONE,    /* decides nothing: takes nothing back, is not taken back */
	GROUP_WORKING, /* it is a problem: ack, disputed */
	GROUP_FIX,     /* a patch, the result of a test */
	GROUP_CLOSED
} group;

static group group_of(parser_verdict_kind kind)
{
	switch (kind) {
	case PARSER_VERDICT_ACK:
	case PARSER_VERDICT_DISPUTED:
		return GROUP_WORKING;
	case PARSER_VERDICT_PATCH:
	case PARSER_VERDICT_TEST_RESULT:
		return GROUP_FIX;
	case PARSER_VERDICT_EXPECTED:
	case PARSER_VERDICT_IGNORED:
	case PARSER_VERDICT_INVALID:
	case PARSER_VERDICT_NOT_REPRODUCIBLE:
	case PARSER_VERDICT_FIXED:
	case PARSER_VERDICT_DROPPED:
	case PARSER_VERDICT_DUPLICATE:
		return GROUP_CLOSED;
	default:
		return GROUP_NONE;
	}
}

static bool same_text(const char *a, const char *b)
{
	return a && b && *a && g_ascii_strcasecmp(a, b) == 0;
}

static bool same_person(const parser_reading *a, const parser_reading *b)
{
	const parser_address *x = &a->mail->from, *y = &b->mail->from;

	return same_text(x->address, y->address) || same_text(x->name, y->name);
}

static const parser_verdict *verdict_of(const GPtrArray *readings,
					const parser_stance *s)
{
	const parser_reading *r = g_ptr_array_index(readings, s->reading);

	return g_ptr_array_index(r->verdicts, s->verdict);
}

/* A later word of the same person takes an earlier one back unless it only adds to it.
 */
static bool supersedes(const parser_verdict *later, const parser_verdict *earlier)
{
	group a = group_of(later->kind), b = group_of(earlier->kind);

	if (a == GROUP_NONE || b == GROUP_NONE)
		return false;
	if (later->kind == earlier->kind)
		return true;
	if (a == GROUP_FIX && b == GROUP_FIX)
		return false; /* a patch and its test stand side by side */
	if (later->kind == PARSER_VERDICT_TEST_RESULT)
		return b == GROUP_FIX;
	return true;
}

static void add_stances(GArray *stances, const GPtrArray *readings, guint index)
{
	const parser_reading *r = g_ptr_array_index(readings, index);

	for (guint i = 0; i < r->verdicts->len; i++) {
		const parser_verdict *v = g_ptr_array_index(r->verdicts, i);
		parser_stance s = { .reading = index,
				    .verdict = i,
				    .superseded_by = -1 };
		if (v->confidence >= DECIDES_FROM && group_of(v->kind) != GROUP_NONE)
			g_array_append_val(stances, s);
	}
}

/*
 * Each person's verdicts that still stand, by address and by name, are few; a new mail
 * is held against those only, so the work does not grow with the square of the thread.
 */
static void supersede(GArray *stances, const GPtrArray *readings, GArray *standing,
		      guint before)
{
	for (guint k = before; k < stances->len; k++) {
		const parser_stance *new = &g_array_index(stances, parser_stance, k);
		guint kept = 0;
		for (guint i = 0; i < standing->len; i++) {
			guint at = g_array_index(standing, guint, i);
			parser_stance *old = &g_array_index(stances, parser_stance, at);
			if (same_person(g_ptr_array_index(readings, old->reading),
					g_ptr_array_index(readings, new->reading)) &&
			    supersedes(verdict_of(readings, new),
				       verdict_of(readings, old)))
				old->superseded_by = (int)new->reading;
			else
				g_array_index(standing, guint, kept++) = at;
		}
		g_array_set_size(standing, kept);
	}
	for (guint k = before; k < stances->len; k++)
		g_array_append_val(standing, k);
}

GArray *parser_stances(const GPtrArray *readings)
{
	GArray *stances = g_array_new(false, false, sizeof(parser_stance));
	g_autoptr(GArray) standing = g_array_new(false, false, sizeof(guint));

	for (guint i = 0; i < readings->len; i++) {
		guint before = stances->len;
		add_stances(stances, readings, i);
		supersede(stances, readings, standing, before);
	}
	return stances;
}
