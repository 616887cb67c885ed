/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of status.c as text. */
#include <string.h>

#include "tracker/status.h"

static void append_verdicts(GString *line, const status_rule *rule)
{
	const char *separator = "";

	for (int i = 0; i < PARSER_VERDICT_KINDS; i++)
		if (rule->verdicts & 1u << i) {
			g_string_append_printf(line, "%s%s", separator,
					       parser_verdict_name(i));
			separator = ", ";
		}
	separator = " ";
	for (int i = PARSER_OUTCOME_FIXED; i <= PARSER_OUTCOME_WORSE; i++)
		if (rule->outcomes & 1u << i) {
			g_string_append_printf(line, "%s%s", separator,
					       parser_outcome_name(i));
			separator = ", ";
		}
}

static void append_roles(GString *line, unsigned roles)
{
	const char *separator = "";

	if (roles == STATUS_NOT_ROBOTS || roles == STATUS_NOT_BOTS) {
		g_string_append(line, roles == STATUS_NOT_ROBOTS ?
					      "anyone but robots and bots" :
					      "anyone but bots");
		return;
	}
	for (int i = 0; tracker_role_name(i); i++)
		if (roles & 1u << i) {
			g_string_append_printf(line, "%s%s", separator,
					       tracker_role_name(i));
			separator = ", ";
		}
}

/* "open", "closed", "reported, acknowledged", "any but fixed" ... */
static void append_statuses(GString *line, unsigned statuses)
{
	const char *separator = "";

	if (statuses == STATUS_ALL)
		return;
	for (int i = TRACKER_STATUS_REPORTED; i < TRACKER_STATUSES; i++)
		if (statuses == (STATUS_ALL & ~(1u << i))) {
			g_string_append_printf(line, "any but %s",
					       tracker_status_name(i));
			return;
		}
	if ((statuses & STATUS_CLOSED) == STATUS_CLOSED)
		g_string_append(line, "closed");
	if ((statuses & STATUS_OPEN) == STATUS_OPEN)
		g_string_append(line, "open");
	if (line->len)
		separator = ", ";
	for (int i = TRACKER_STATUS_REPORTED; i < TRACKER_STATUSES; i++) {
		unsigned set = tracker_status_is_open(i) ? STATUS_OPEN : STATUS_CLOSED;

		if (!(statuses & 1u << i) || (statuses & set) == set)
			continue;
		g_string_append_printf(line, "%s%s", separator, tracker_status_name(i));
		separator = ", ";
	}
	if (statuses & STATUS_BIT(NONE))
		g_string_append_printf(line, "%snot known yet", separator);
}

#define COLUMNS  80
#define COLUMN_1 2
#define COLUMN_2 24
#define COLUMN_3 46

/* Appends words to a column of at most `width`, and returns what did not fit. */
static const char *fill(GString *line, const char *text, size_t width)
{
	size_t length = strlen(text);

	if (length > width) {
		length = width;
		while (length > 1 && text[length] != ' ')
			length--;
	}
	g_string_append_len(line, text, (gssize)length);
	text += length;
	while (*text == ' ')
		text++;
	return text;
}

/* What goes on in another line is indented, so that it is seen to be no row. */
static void append_row(GString *out, const char *a, const char *b, const char *c)
{
	int more = 0;

	while (*a || *b || *c) {
		g_autoptr(GString) line = g_string_new(NULL);

		g_string_append_printf(line, "%*s", COLUMN_1 + more, "");
		a = fill(line, a, COLUMN_2 - line->len - 2);
		g_string_append_printf(line, "%*s", COLUMN_2 + more - (int)line->len,
				       "");
		b = fill(line, b, COLUMN_3 - line->len - 2);
		g_string_append_printf(line, "%*s", COLUMN_3 + more - (int)line->len,
				       "");
		c = fill(line, c, COLUMNS - line->len);
		while (line->len && line->str[line->len - 1] == ' ')
			g_string_truncate(line, line->len - 1);
		g_string_append_printf(out, "%s\n", line->str);
		more = 1;
	}
}

static void append_list(GString *out, const char *head, bool open)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (int i = TRACKER_STATUS_REPORTED; i < TRACKER_STATUSES; i++)
		if (tracker_status_is_open(i) == open)
			g_string_append_printf(names, "%s ", tracker_status_name(i));
	for (const char *rest = names->str; *rest;) {
		g_string_append_printf(out, "%-8s", head);
		rest = fill(out, rest, COLUMNS - 8);
		while (out->str[out->len - 1] == ' ')
			g_string_truncate(out, out->len - 1);
		g_string_append_c(out, '\n');
		head = "";
	}
}

static void append_rules(GString *out)
{
	append_row(out, "VERDICT OF A MAIL", "BY WHOM", "EFFECT");
	for (size_t i = 0; i < status_rules_count; i++) {
		const status_rule *rule = &status_rules[i];
		g_autoptr(GString) verdicts = g_string_new(NULL);
		g_autoptr(GString) roles = g_string_new(NULL);

		append_verdicts(verdicts, rule);
		append_roles(roles, rule->roles);
		append_row(out, verdicts->str, roles->str, rule->effect);
	}
}

static void append_moves(GString *out)
{
	const char *what = NULL, *who = NULL;

	append_row(out, "WHAT", "BY WHOM", "EFFECT");
	for (size_t i = 0; i < status_moves_count; i++) {
		const status_move *m = &status_moves[i];
		g_autoptr(GString) effect = g_string_new(NULL);

		what = m->what ? m->what : what;
		who = m->who ? m->who : who;
		append_statuses(effect, m->from);
		g_string_append_printf(effect, "%s-> %s", effect->len ? " " : "",
				       m->to ? tracker_status_name(m->to) :
					       "the status before it");
		append_row(out, what, who, effect->str);
	}
}

/* Commands that set the status; those that are called like it stand in one row. */
static void append_commands(GString *out)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (const parser_verb *v = parser_verbs; v->name; v++) {
		g_autofree char *effect = g_strdup_printf("-> %s", v->status);

		if (!v->regtrail || !v->status || v->act == PARSER_ACT_DUPLICATE ||
		    v->act == PARSER_ACT_FIX)
			continue;
		if (!strcmp(v->name, v->status))
			g_string_append_printf(names, "%s%s", names->len ? ", " : "",
					       v->name);
		else
			append_row(out, v->name, "command", effect);
	}
	append_row(out, names->str, "command", "-> that status");
}

/* What is no matter of the status alone. */
static const char *const further[][3] = {
	/* clang-format off */
	{ "a stranger's report", "anyone", "suggests reported, if it is closed" },
	{ "set, confirm", "operator", "-> the status that is named, or suggested" },
	{ "reject", "operator", "withdraws a suggestion for good" },
	{ "undo", "operator", "takes the newest act back; without one, what the newest mail decided" },
	{ "undo", "command", "takes the newest change by hand back" },
	{ "other words than before", "who said those", "withdraws what these suggested" },
	{ "a command", "who may not command", "suggests it, if it would close; withdraws own earlier ones" },
	{ "whatever closes it", "anyone", "withdraws all suggestions" },
	{ "anything else", "anyone", "is recorded, no effect" },
	/* clang-format on */
};

char *tracker_status_table(void)
{
	GString *out = g_string_new(NULL);

	append_list(out, "open", true);
	append_list(out, "closed", false);
	g_string_append(out, "\nOn an open regression:\n\n");
	append_rules(out);
	g_string_append(out, "\nOn any:\n\n");
	append_moves(out);
	append_commands(out);
	for (size_t i = 0; i < G_N_ELEMENTS(further); i++)
		append_row(out, further[i][0], further[i][1], further[i][2]);
	g_string_append(
		out,
		"\nNothing moves backwards in reported < acknowledged < needs-info,\n"
		"investigating < fix-posted < fix-queued, but for a question and a failed\n"
		"test.  All verdicts of a mail act that are at least 50 % sure, the main one\n"
		"last; who offers a patch does not suggest expected or ignored in the same\n"
		"mail.  A re-test of ours acts as that of a robot.  A suggestion waits for\n"
		"`regtrail confirm` or `regtrail reject`, unless [policy] lets its status apply\n"
		"at once.  A command is that of an operator, the culprit's author or a signer,\n"
		"with a trusted host that vouches for it.  On a closed regression a verdict is\n"
		"recorded and shown, and changes nothing.\n");
	return g_string_free(out, FALSE);
}
