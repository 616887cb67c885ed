/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command language: one row a verb. */
#include "parser/reading.h"

#include <string.h>

#define NONE     PARSER_ARGUMENTS_NONE
#define OPTIONAL PARSER_ARGUMENTS_OPTIONAL
#define REQUIRED PARSER_ARGUMENTS_REQUIRED

/* clang-format off */
const parser_verb parser_verbs[] = {
	{ "acknowledged", "ack confirmed", "[REMARK]", OPTIONAL,
	  PARSER_ACT_STATUS, "acknowledged", "undo",
	  "somebody looks at it", true, false },
	{ "investigating", "looking", "[REMARK]", OPTIONAL,
	  PARSER_ACT_STATUS, "investigating", "undo",
	  "somebody works on it", true, false },
	{ "needs-info", "needinfo need-info", "[QUESTION]", OPTIONAL,
	  PARSER_ACT_STATUS, "needs-info", "undo",
	  "the robot owes an answer", true, false },
	{ "retest", "test re-test", "[REPOSITORY BRANCH | HASH]", OPTIONAL,
	  PARSER_ACT_RETEST, "needs-info", "undo",
	  "the robot is asked for a test of the named branch, commit or patch", true, false },
	{ "fix-posted", "patch-posted", "[LINK | TITLE]", OPTIONAL,
	  PARSER_ACT_STATUS, "fix-posted", "undo",
	  "a fix is under review", true, false },
	{ "fix", "fixed-by fixedby fix-queued", "HASH | TITLE", REQUIRED,
	  PARSER_ACT_FIX, "fix-queued", "unfix",
	  "names the commit that fixes it; the scan of git trees closes it", true, true },
	{ "unfix", "notfixed not-fixed", "[HASH | TITLE]", OPTIONAL,
	  PARSER_ACT_UNFIX, NULL, "fix",
	  "forgets the named fix, or all of them", true, false },
	{ "fixed", "", "[REASON]", OPTIONAL,
	  PARSER_ACT_STATUS, "fixed", "reopen",
	  "closes it: it is fixed", true, true },
	{ "expected", "tradeoff trade-off", "[REASON]", OPTIONAL,
	  PARSER_ACT_STATUS, "expected", "reopen",
	  "closes it: a known or acceptable consequence", true, false },
	{ "invalid", "noise false-positive falsepositive", "[REASON]", OPTIONAL,
	  PARSER_ACT_STATUS, "invalid", "reopen",
	  "closes it: the report is wrong", true, true },
	{ "ignored", "ignore resolve resolved wontfix wont-fix", "[REASON]", OPTIONAL,
	  PARSER_ACT_STATUS, "ignored", "reopen",
	  "closes it: nothing will be done", true, true },
	{ "not-reproducible", "unreproducible inconclusive worksforme cannot-reproduce",
	  "[REASON]", OPTIONAL,
	  PARSER_ACT_STATUS, "not-reproducible", "reopen",
	  "closes it: nobody could see it again", true, true },
	{ "dropped", "drop reverted revert", "[REASON]", OPTIONAL,
	  PARSER_ACT_STATUS, "dropped", "reopen",
	  "closes it: the culprit is gone", true, false },
	{ "duplicate", "dup dup-of dupof duplicate-of", "ID | LINK ...", REQUIRED,
	  PARSER_ACT_DUPLICATE, "duplicate", "undup",
	  "closes it: the same as the named one", true, true },
	{ "undup", "unduplicate undupe not-duplicate", "", NONE,
	  PARSER_ACT_UNDUPLICATE, NULL, "dup",
	  "takes the newest dup back", true, false },
	{ "reopen", "reopened open", "[REASON]", OPTIONAL,
	  PARSER_ACT_REOPEN, NULL, "undo",
	  "opens a closed one again", true, false },
	{ "undo", "", "", NONE,
	  PARSER_ACT_UNDO, NULL, NULL,
	  "takes the newest change of status by hand back", true, false },
	{ "title", "summary subject", "TEXT", REQUIRED,
	  PARSER_ACT_TITLE, NULL, "untitle",
	  "renames it", true, true },
	{ "untitle", "", "", NONE,
	  PARSER_ACT_UNTITLE, NULL, "title",
	  "gives it the name of its report again", true, false },
	{ "link", "relate relatebrief related monitor", "LINK [TITLE]", REQUIRED,
	  PARSER_ACT_LINK, NULL, "unlink",
	  "shows the link beside it", true, true },
	{ "unlink", "unrelate unrelated unmonitor", "LINK", REQUIRED,
	  PARSER_ACT_UNLINK, NULL, "link",
	  "removes the link", true, true },
	{ "note", "comment", "TEXT", REQUIRED,
	  PARSER_ACT_NOTE, NULL, NULL,
	  "a remark in the history, nothing else", true, true },
	{ "poke", "ping ignore-activity activity-ignore", "[REMARK]", OPTIONAL,
	  PARSER_ACT_POKE, NULL, NULL,
	  "this mail does not count as an answer", true, true },
	{ "backburner", "backburn back-burner", "[REASON]", OPTIONAL,
	  PARSER_ACT_BACKBURNER, NULL, "unbackburner",
	  "hidden from the list until there is activity", true, true },
	{ "unbackburner", "unbackburn un-backburner", "", NONE,
	  PARSER_ACT_UNBACKBURNER, NULL, "backburner",
	  "shown in the list again", true, true },
	{ "priority", "prio", "low | normal | high", REQUIRED,
	  PARSER_ACT_PRIORITY, NULL, "priority",
	  "sorts it in lists", true, false },
	{ "owner", "assign assigned assign-to", "NAME | ADDRESS", REQUIRED,
	  PARSER_ACT_OWNER, NULL, "noowner",
	  "who takes care of it", true, false },
	{ "noowner", "unowner unassign no-owner", "", NONE,
	  PARSER_ACT_UNOWNER, NULL, "owner",
	  "nobody in particular takes care of it", true, false },
	{ "no-reminders", "noreminders unremind", "", NONE,
	  PARSER_ACT_REMINDERS_OFF, NULL, "reminders",
	  "no reminder is ever sent about it; from anybody else: none to the address that the mail comes from", true, false },
	{ "stop", "not-me notme", "[REMARK]", OPTIONAL,
	  PARSER_ACT_STOP, NULL, NULL,
	  "no reminder is ever sent to the address that this mail comes from", true, false },
	{ "reminders", "remind", "", NONE,
	  PARSER_ACT_REMINDERS_ON, NULL, "no-reminders",
	  "reminders may be sent about it again", true, false },
	{ "introduced", "^introduced introduced^ ^^introduced", "HASH | A..B [LINK]", REQUIRED,
	  PARSER_ACT_INTRODUCED, NULL, NULL,
	  "names the culprit; opens nothing in an untracked thread", true, true },
	{ "from", "reporter reported-by", "NAME <ADDRESS>", REQUIRED,
	  PARSER_ACT_REPORTER, NULL, NULL,
	  "names who found it", true, true },
	/* What only #regzbot has. */
	{ "use", "report handle", "LINK", REQUIRED,
	  PARSER_ACT_LINK, NULL, NULL,
	  "the lines that follow are about the linked report", false, true },
	{ "^backmonitor", "backmonitor", "LINK", REQUIRED,
	  PARSER_ACT_LINK, NULL, NULL,
	  "shows the link beside it", false, true },
	{ NULL, NULL, NULL, NONE, PARSER_ACT_NOTE, NULL, NULL, NULL, false, false },
};
/* clang-format on */

static bool is_word_of(const char *list, const char *word, size_t length)
{
	while (*list) {
		size_t n = strcspn(list, " ");
		if (n == length && strncmp(list, word, n) == 0)
			return true;
		list += n + (list[n] == ' ');
	}
	return false;
}

const parser_verb *parser_verb_find(const char *prefix, const char *word)
{
	bool regzbot = strcmp(prefix, "#regzbot") == 0;
	size_t length = strlen(word);

	for (const parser_verb *v = parser_verbs; v->name && length > 0; v++) {
		if (regzbot ? !v->regzbot : !v->regtrail)
			continue;
		if (strcmp(v->name, word) == 0 || is_word_of(v->aliases, word, length))
			return v;
	}
	return NULL;
}
