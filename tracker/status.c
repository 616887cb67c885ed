/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who may move what.  One table of rules; tracker_effect_of() looks things up in it and
 * tracker_status_table() prints it, so that the two cannot differ.
 */
#include <string.h>

#include "tracker/tracker.h"

static const char *const status_names[TRACKER_STATUSES] = {
	/* clang-format off */
	[TRACKER_STATUS_NONE]             = "none",
	[TRACKER_STATUS_REPORTED]         = "reported",
	[TRACKER_STATUS_ACKNOWLEDGED]     = "acknowledged",
	[TRACKER_STATUS_NEEDS_INFO]       = "needs-info",
	[TRACKER_STATUS_INVESTIGATING]    = "investigating",
	[TRACKER_STATUS_FIX_POSTED]       = "fix-posted",
	[TRACKER_STATUS_FIX_QUEUED]       = "fix-queued",
	[TRACKER_STATUS_FIXED]            = "fixed",
	[TRACKER_STATUS_EXPECTED]         = "expected",
	[TRACKER_STATUS_IGNORED]          = "ignored",
	[TRACKER_STATUS_INVALID]          = "invalid",
	[TRACKER_STATUS_NOT_REPRODUCIBLE] = "not-reproducible",
	[TRACKER_STATUS_DUPLICATE]        = "duplicate",
	[TRACKER_STATUS_DROPPED]          = "dropped",
	/* clang-format on */
};

static const char *const role_names[] = { "author",     "maintainer", "operator",
					  "robot-team", "robot",      "bot",
					  "other" };

static const char *const act_names[] = { "confirm", "reject", "set",   "reopen",
					 "undo",    "dup",    "undup", "note" };

const char *tracker_status_name(tracker_status status)
{
	return status < TRACKER_STATUSES ? status_names[status] : NULL;
}

bool tracker_status_from_name(const char *name, tracker_status *status)
{
	for (int i = 0; name && i < TRACKER_STATUSES; i++)
		if (!strcmp(status_names[i], name)) {
			*status = (tracker_status)i;
			return true;
		}
	return false;
}

bool tracker_status_is_open(tracker_status status)
{
	return status >= TRACKER_STATUS_REPORTED && status <= TRACKER_STATUS_FIX_QUEUED;
}

const char *tracker_role_name(tracker_role role)
{
	return role < G_N_ELEMENTS(role_names) ? role_names[role] : NULL;
}

const char *tracker_act_name(tracker_act_kind kind)
{
	return kind < G_N_ELEMENTS(act_names) ? act_names[kind] : NULL;
}

/* clang-format off */
#define BY(role)     (1u << TRACKER_ROLE_##role)
#define SAYS(kind)   (1u << PARSER_VERDICT_##kind)
#define OUT(outcome) (1u << PARSER_OUTCOME_##outcome)

#define PEOPLE     (BY(AUTHOR) | BY(MAINTAINER) | BY(OTHER))
#define ROBOTS     (BY(ROBOT_TEAM) | BY(ROBOT))
#define NOT_ROBOTS (PEOPLE | BY(OPERATOR) | BY(ROBOT_TEAM))
#define NOT_BOTS   (NOT_ROBOTS | BY(ROBOT))
#define FAILED     (OUT(NOT_FIXED) | OUT(WORSE) | OUT(PARTIAL))

typedef enum effect_kind {
	ADVANCE, /* to `status`, unless that is behind where we are */
	MOVE,    /* to `status`, from wherever */
	RESTORE, /* needs-info -> the status before it */
	FAIL,    /* a fix that was offered or queued did not help */
	SUGGEST  /* `status`; or, when that is NONE, the one that the verdict names */
} effect_kind;

static const struct rule {
	unsigned verdicts, outcomes, roles; /* outcomes 0: any */
	effect_kind kind;
	tracker_status status;
	bool confirms;
	const char *effect; /* for people */
} rules[] = {
	{ SAYS(ACK), 0, BY(AUTHOR) | BY(MAINTAINER),
	  ADVANCE, TRACKER_STATUS_ACKNOWLEDGED, false, "-> acknowledged" },
	{ SAYS(QUESTION), 0, PEOPLE,
	  MOVE, TRACKER_STATUS_NEEDS_INFO, false, "-> needs-info, until the robot answers" },
	{ SAYS(INFO) | SAYS(TEST_RESULT), 0, ROBOTS,
	  RESTORE, TRACKER_STATUS_NONE, false, "needs-info -> the status before it" },
	{ SAYS(ANALYSIS) | SAYS(DISPUTED), 0, PEOPLE,
	  ADVANCE, TRACKER_STATUS_INVESTIGATING, false, "-> investigating" },
	{ SAYS(PATCH), 0, PEOPLE | BY(ROBOT_TEAM),
	  ADVANCE, TRACKER_STATUS_FIX_POSTED, false, "-> fix-posted" },
	{ SAYS(TEST_RESULT), OUT(FIXED), NOT_BOTS,
	  SUGGEST, TRACKER_STATUS_FIXED, true, "the fix is confirmed; suggests fixed" },
	{ SAYS(TEST_RESULT), FAILED, ROBOTS | BY(AUTHOR) | BY(MAINTAINER),
	  FAIL, TRACKER_STATUS_INVESTIGATING, false,
	  "fix-posted -> investigating; earlier words that it is fixed are refuted" },
	{ SAYS(FIXED), 0, BY(AUTHOR) | BY(MAINTAINER),
	  ADVANCE, TRACKER_STATUS_FIX_QUEUED, false, "-> fix-queued" },
	{ SAYS(FIXED), 0, NOT_ROBOTS,
	  SUGGEST, TRACKER_STATUS_FIXED, false, "suggests fixed" },
	{ SAYS(EXPECTED) | SAYS(IGNORED) | SAYS(INVALID) | SAYS(DUPLICATE) | SAYS(DROPPED) |
	  SAYS(NOT_REPRODUCIBLE), 0, NOT_ROBOTS,
	  SUGGEST, TRACKER_STATUS_NONE, false, "suggests that status" },
};
/* clang-format on */

/* How far along a status is; what is behind is not gone back to. */
static int rank(tracker_status status)
{
	switch (status) {
	case TRACKER_STATUS_REPORTED:
		return 1;
	case TRACKER_STATUS_ACKNOWLEDGED:
		return 2;
	case TRACKER_STATUS_NEEDS_INFO:
	case TRACKER_STATUS_INVESTIGATING:
		return 3;
	case TRACKER_STATUS_FIX_POSTED:
		return 4;
	case TRACKER_STATUS_FIX_QUEUED:
		return 5;
	default:
		return 6;
	}
}

static tracker_status status_of_verdict(parser_verdict_kind verdict)
{
	switch (verdict) {
	case PARSER_VERDICT_EXPECTED:
		return TRACKER_STATUS_EXPECTED;
	case PARSER_VERDICT_IGNORED:
		return TRACKER_STATUS_IGNORED;
	case PARSER_VERDICT_INVALID:
		return TRACKER_STATUS_INVALID;
	case PARSER_VERDICT_DUPLICATE:
		return TRACKER_STATUS_DUPLICATE;
	case PARSER_VERDICT_DROPPED:
		return TRACKER_STATUS_DROPPED;
	case PARSER_VERDICT_NOT_REPRODUCIBLE:
		return TRACKER_STATUS_NOT_REPRODUCIBLE;
	default:
		return TRACKER_STATUS_NONE;
	}
}

static bool applies(const struct rule *rule, parser_verdict_kind verdict,
		    parser_outcome outcome, tracker_role role)
{
	return rule->verdicts & 1u << verdict && rule->roles & 1u << role &&
	       (!rule->outcomes || rule->outcomes & 1u << outcome);
}

static void apply(const struct rule *rule, tracker_status status,
		  parser_verdict_kind verdict, tracker_effect *effect)
{
	effect->fix_confirmed |= rule->confirms;
	switch (rule->kind) {
	case ADVANCE:
		if (rank(rule->status) >= rank(status) && rule->status != status)
			effect->status = rule->status;
		break;
	case MOVE:
		if (rule->status != status)
			effect->status = rule->status;
		break;
	case RESTORE:
		effect->restore = status == TRACKER_STATUS_NEEDS_INFO;
		break;
	case FAIL:
		effect->fix_refuted = true;
		if (status == TRACKER_STATUS_FIX_POSTED)
			effect->status = rule->status;
		break;
	case SUGGEST:
		effect->suggestion =
			rule->status ? rule->status : status_of_verdict(verdict);
		break;
	}
}

tracker_effect tracker_effect_of(tracker_status status, parser_verdict_kind verdict,
				 parser_outcome outcome, tracker_role role)
{
	tracker_effect effect = { 0 };

	if (!tracker_status_is_open(status))
		return effect;
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (applies(&rules[i], verdict, outcome, role))
			apply(&rules[i], status, verdict, &effect);
	return effect;
}

/* ---- the table as text
 * ---------------------------------------------------------------- */

static void append_verdicts(GString *line, const struct rule *rule)
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

static void append_roles(GString *line, const struct rule *rule)
{
	const char *separator = "";

	if (rule->roles == NOT_ROBOTS || rule->roles == NOT_BOTS) {
		g_string_append(line, rule->roles == NOT_ROBOTS ?
					      "anyone but robots and bots" :
					      "anyone but bots");
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(role_names); i++)
		if (rule->roles & 1u << i) {
			g_string_append_printf(line, "%s%s", separator, role_names[i]);
			separator = ", ";
		}
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

static void append_row(GString *out, const char *a, const char *b, const char *c)
{
	while (*a || *b || *c) {
		g_autoptr(GString) line = g_string_new(NULL);

		g_string_append_printf(line, "%*s", COLUMN_1, "");
		a = fill(line, a, COLUMN_2 - COLUMN_1 - 2);
		g_string_append_printf(line, "%*s", COLUMN_2 - (int)line->len, "");
		b = fill(line, b, COLUMN_3 - COLUMN_2 - 2);
		g_string_append_printf(line, "%*s", COLUMN_3 - (int)line->len, "");
		c = fill(line, c, COLUMNS - COLUMN_3);
		while (line->len && line->str[line->len - 1] == ' ')
			g_string_truncate(line, line->len - 1);
		g_string_append_printf(out, "%s\n", line->str);
	}
}

static void append_list(GString *out, const char *head, bool open)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (int i = TRACKER_STATUS_REPORTED; i < TRACKER_STATUSES; i++)
		if (tracker_status_is_open(i) == open)
			g_string_append_printf(names, "%s ", status_names[i]);
	for (const char *rest = names->str; *rest;) {
		g_string_append_printf(out, "%-8s", head);
		rest = fill(out, rest, COLUMNS - 8);
		g_string_append_c(out, '\n');
		head = "";
	}
}

/* What is no verdict of a mail. */
static const char *const further[][3] = {
	/* clang-format off */
	{ "a new report", "robot", "on a closed regression: -> reported" },
	{ "commit in a tree", "scan", "another tree: -> fix-queued; the report's own tree or mainline: -> fixed" },
	{ "culprit gone from all trees", "scan", "-> dropped" },
	{ "command", "whoever is entitled", "applies at once; by others a suggestion" },
	{ "confirm, set, dup", "operator", "-> that status" },
	{ "reopen", "operator", "-> reported" },
	{ "undo", "operator", "takes the newest step back" },
	{ "anything else", "anyone", "is recorded, no effect" },
	/* clang-format on */
};

char *tracker_status_table(void)
{
	GString *out = g_string_new(NULL);

	append_list(out, "open", true);
	append_list(out, "closed", false);
	g_string_append(out, "\nOn an open regression:\n\n");
	append_row(out, "verdict of a mail", "by whom", "effect");
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		g_autoptr(GString) verdicts = g_string_new(NULL);
		g_autoptr(GString) roles = g_string_new(NULL);

		append_verdicts(verdicts, &rules[i]);
		append_roles(roles, &rules[i]);
		append_row(out, verdicts->str, roles->str, rules[i].effect);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(further); i++)
		append_row(out, further[i][0], further[i][1], further[i][2]);
	g_string_append(
		out,
		"\nNothing moves backwards in reported < acknowledged < needs-info,\n"
		"investigating < fix-posted < fix-queued, but for a question and a failed\n"
		"test.  A suggestion waits for `regtrail confirm` or `regtrail reject`.  On a\n"
		"closed regression a verdict is recorded and shown, and changes nothing.\n");
	return g_string_free(out, FALSE);
}
