/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and records of reading.h. */
#include "parser/reading.h"

#include <string.h>

static const char *const verdict_names[PARSER_VERDICT_KINDS] = {
	[PARSER_VERDICT_NONE] = "none",
	[PARSER_VERDICT_ACK] = "ack",
	[PARSER_VERDICT_ANALYSIS] = "analysis",
	[PARSER_VERDICT_QUESTION] = "question",
	[PARSER_VERDICT_EXPECTED] = "expected",
	[PARSER_VERDICT_IGNORED] = "ignored",
	[PARSER_VERDICT_INVALID] = "invalid",
	[PARSER_VERDICT_NOT_REPRODUCIBLE] = "not-reproducible",
	[PARSER_VERDICT_PATCH] = "patch",
	[PARSER_VERDICT_FIXED] = "fixed",
	[PARSER_VERDICT_DROPPED] = "dropped",
	[PARSER_VERDICT_DUPLICATE] = "duplicate",
	[PARSER_VERDICT_DISPUTED] = "disputed",
	[PARSER_VERDICT_TEST_RESULT] = "test-result",
	[PARSER_VERDICT_INFO] = "info",
	[PARSER_VERDICT_THANKS] = "thanks",
};

const char *parser_verdict_name(parser_verdict_kind kind)
{
	if ((unsigned)kind >= PARSER_VERDICT_KINDS)
		return "none";
	return verdict_names[kind];
}

parser_verdict_kind parser_verdict_from_name(const char *name)
{
	for (unsigned i = 0; name && i < PARSER_VERDICT_KINDS; i++)
		if (strcmp(verdict_names[i], name) == 0)
			return (parser_verdict_kind)i;
	return PARSER_VERDICT_KINDS;
}

const char *parser_outcome_name(parser_outcome outcome)
{
	switch (outcome) {
	case PARSER_OUTCOME_FIXED:
		return "fixed";
	case PARSER_OUTCOME_PARTIAL:
		return "partial";
	case PARSER_OUTCOME_NOT_FIXED:
		return "not-fixed";
	case PARSER_OUTCOME_WORSE:
		return "worse";
	case PARSER_OUTCOME_NONE:
		break;
	}
	return NULL;
}

void parser_verdict_free(parser_verdict *verdict)
{
	if (!verdict)
		return;
	g_free(verdict->evidence);
	g_free(verdict->rule);
	g_free(verdict);
}

void parser_mechanism_free(parser_mechanism *mechanism)
{
	if (!mechanism)
		return;
	g_free(mechanism->kind);
	g_free(mechanism->object);
	g_free(mechanism->evidence);
	g_free(mechanism);
}

void parser_command_free(parser_command *command)
{
	if (!command)
		return;
	g_free(command->prefix);
	g_free(command->verb);
	g_free(command->arguments);
	g_free(command->problem);
	g_free(command);
}
