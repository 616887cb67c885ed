/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who may move what.  Two tables of rules; tracker_effect_of() and
 * tracker_effect_of_move() look things up in them and status_table.c prints them, so
 * that the two cannot differ.
 */
#include "tracker/status.h"

#include <string.h>

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
#define BY           STATUS_BY
#define SAYS(kind)   (1u << PARSER_VERDICT_##kind)
#define OUT(outcome) (1u << PARSER_OUTCOME_##outcome)

#define PEOPLE     STATUS_PEOPLE
#define ROBOTS     (BY(ROBOT_TEAM) | BY(ROBOT))
#define NOT_ROBOTS STATUS_NOT_ROBOTS
#define NOT_BOTS   STATUS_NOT_BOTS
#define FAILED     (OUT(NOT_FIXED) | OUT(WORSE) | OUT(PARTIAL))

const status_rule status_rules[] = {
	{ SAYS(ACK), 0, BY(AUTHOR) | BY(MAINTAINER),
	  STATUS_ADVANCE, TRACKER_STATUS_ACKNOWLEDGED, false, "-> acknowledged" },
	{ SAYS(QUESTION), 0, PEOPLE,
	  STATUS_MOVE, TRACKER_STATUS_NEEDS_INFO, false, "-> needs-info, from wherever, until the robot answers" },
	{ SAYS(INFO) | SAYS(TEST_RESULT), 0, ROBOTS,
	  STATUS_RESTORE, TRACKER_STATUS_NONE, false, "needs-info -> the status before it" },
	{ SAYS(ANALYSIS) | SAYS(DISPUTED), 0, PEOPLE,
	  STATUS_ADVANCE, TRACKER_STATUS_INVESTIGATING, false, "-> investigating" },
	{ SAYS(PATCH), 0, PEOPLE | BY(ROBOT_TEAM),
	  STATUS_ADVANCE, TRACKER_STATUS_FIX_POSTED, false, "-> fix-posted" },
	{ SAYS(TEST_RESULT), OUT(FIXED), NOT_BOTS,
	  STATUS_SUGGEST, TRACKER_STATUS_FIXED, true, "the fix is confirmed; suggests fixed" },
	{ SAYS(TEST_RESULT), FAILED, ROBOTS | BY(AUTHOR) | BY(MAINTAINER),
	  STATUS_FAIL, TRACKER_STATUS_INVESTIGATING, false,
	  "fix-posted -> investigating; withdraws what suggested fixed" },
	{ SAYS(FIXED), 0, BY(AUTHOR) | BY(MAINTAINER),
	  STATUS_ADVANCE, TRACKER_STATUS_FIX_QUEUED, false, "-> fix-queued" },
	{ SAYS(FIXED), 0, NOT_ROBOTS,
	  STATUS_SUGGEST, TRACKER_STATUS_FIXED, false, "suggests fixed" },
	{ SAYS(EXPECTED) | SAYS(IGNORED) | SAYS(INVALID) | SAYS(DUPLICATE) | SAYS(DROPPED) |
	  SAYS(NOT_REPRODUCIBLE), 0, NOT_ROBOTS,
	  STATUS_SUGGEST, TRACKER_STATUS_NONE, false, "suggests that status" },
	/* Who is in charge and works on it overrides what others wanted done with it. */
	{ SAYS(ACK) | SAYS(PATCH) | SAYS(DISPUTED), 0, BY(AUTHOR) | BY(MAINTAINER),
	  STATUS_OVERRULE, TRACKER_STATUS_NONE, false,
	  "withdraws what any other suggested, but for fixed" },
};

#define OPEN       STATUS_OPEN
#define BEFORE(to) (OPEN & (STATUS_BIT(to) - 1))
#define TO(to)     TRACKER_STATUS_##to

const status_move status_moves[] = {
	{ TRACKER_MOVE_REPORT, "a report", "us, its robot",
	  STATUS_CLOSED | STATUS_BIT(NONE), TO(REPORTED) },
	{ TRACKER_MOVE_RETRACT, "a retraction", "the robot", OPEN, TO(INVALID) },
	{ TRACKER_MOVE_RETRACT, NULL, NULL, STATUS_BIT(NONE), TO(REPORTED) },
	{ TRACKER_MOVE_MAIL, "another mail about it", "the robot",
	  STATUS_BIT(NONE), TO(REPORTED) },
	{ TRACKER_MOVE_POSTED, "a fix in a tree of patches", "scan",
	  BEFORE(FIX_POSTED), TO(FIX_POSTED) },
	{ TRACKER_MOVE_QUEUED, "a fix in another tree", "scan, notice of a bot",
	  BEFORE(FIX_QUEUED), TO(FIX_QUEUED) },
	{ TRACKER_MOVE_MERGED, "a fix in the report's tree, or mainline",
	  "scan, a proved notice", OPEN, TO(FIXED) },
	{ TRACKER_MOVE_GONE, "the culprit is gone from all trees", "scan",
	  OPEN, TO(DROPPED) },
	{ TRACKER_MOVE_BACK, "a culprit that was gone is back", "scan", STATUS_BIT(DROPPED), TO(NONE) },
	{ TRACKER_MOVE_REOPEN, "reopen", "operator, command", STATUS_ALL, TO(REPORTED) },
	{ TRACKER_MOVE_DUP, "dup", "operator, command", STATUS_ALL, TO(DUPLICATE) },
	{ TRACKER_MOVE_UNDUP, "undup", "operator, command",
	  STATUS_BIT(DUPLICATE), TO(NONE) },
	{ TRACKER_MOVE_FIX, "fix", "command",
	  STATUS_ALL & ~STATUS_BIT(FIXED), TO(FIX_QUEUED) },
	{ TRACKER_MOVE_UNFIX, "unfix", "command", STATUS_ALL, TO(INVESTIGATING) },
};

const size_t status_rules_count = G_N_ELEMENTS(status_rules);
const size_t status_moves_count = G_N_ELEMENTS(status_moves);
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

static bool applies(const status_rule *rule, parser_verdict_kind verdict,
		    parser_outcome outcome, tracker_role role)
{
	return rule->verdicts & 1u << verdict && rule->roles & 1u << role &&
	       (!rule->outcomes || rule->outcomes & 1u << outcome);
}

static void apply(const status_rule *rule, tracker_status status,
		  parser_verdict_kind verdict, tracker_effect *effect)
{
	effect->fix_confirmed |= rule->confirms;
	switch (rule->kind) {
	case STATUS_ADVANCE:
		if (rank(rule->status) >= rank(status) && rule->status != status)
			effect->status = rule->status;
		break;
	case STATUS_MOVE:
		if (rule->status != status)
			effect->status = rule->status;
		break;
	case STATUS_RESTORE:
		effect->restore = status == TRACKER_STATUS_NEEDS_INFO;
		break;
	case STATUS_FAIL:
		effect->fix_refuted = true;
		if (status == TRACKER_STATUS_FIX_POSTED)
			effect->status = rule->status;
		break;
	case STATUS_OVERRULE:
		effect->overrules = true;
		break;
	case STATUS_SUGGEST:
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
	for (size_t i = 0; i < status_rules_count; i++)
		if (applies(&status_rules[i], verdict, outcome, role))
			apply(&status_rules[i], status, verdict, &effect);
	return effect;
}

tracker_effect tracker_effect_of_move(tracker_status status, tracker_move move)
{
	tracker_effect effect = { 0 };

	for (size_t i = 0; i < status_moves_count; i++) {
		const status_move *m = &status_moves[i];

		if (m->move != move || !(m->from & 1u << status))
			continue;
		effect.restore = !m->to;
		if (m->to != status)
			effect.status = m->to;
		break;
	}
	return effect;
}
