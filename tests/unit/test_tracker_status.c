/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tracker/tracker.h"

/* Short names, so that a row of the tables below fits a line. */
/* clang-format off */
#define V(x) PARSER_VERDICT_##x
#define O(x) PARSER_OUTCOME_##x
#define S(x) TRACKER_STATUS_##x
#define R(x) TRACKER_ROLE_##x
/* clang-format on */

static const struct step {
	tracker_status from;
	parser_verdict_kind verdict;
	parser_outcome outcome;
	tracker_role role;
	tracker_status to, suggestion;
} steps[] = {
	/* clang-format off */
	{ S(REPORTED), V(ACK), O(NONE), R(AUTHOR), S(ACKNOWLEDGED), S(NONE) },
	{ S(REPORTED), V(ACK), O(NONE), R(OTHER), S(NONE), S(NONE) },
	{ S(INVESTIGATING), V(ACK), O(NONE), R(AUTHOR), S(NONE), S(NONE) },
	{ S(REPORTED), V(QUESTION), O(NONE), R(OTHER), S(NEEDS_INFO), S(NONE) },
	{ S(FIX_POSTED), V(QUESTION), O(NONE), R(MAINTAINER), S(NEEDS_INFO), S(NONE) },
	{ S(REPORTED), V(QUESTION), O(NONE), R(ROBOT_TEAM), S(NONE), S(NONE) },
	{ S(ACKNOWLEDGED), V(ANALYSIS), O(NONE), R(OTHER), S(INVESTIGATING), S(NONE) },
	{ S(NEEDS_INFO), V(DISPUTED), O(NONE), R(AUTHOR), S(INVESTIGATING), S(NONE) },
	{ S(FIX_POSTED), V(ANALYSIS), O(NONE), R(AUTHOR), S(NONE), S(NONE) },
	{ S(REPORTED), V(PATCH), O(NONE), R(OTHER), S(FIX_POSTED), S(NONE) },
	{ S(FIX_QUEUED), V(PATCH), O(NONE), R(OTHER), S(NONE), S(NONE) },
	{ S(REPORTED), V(PATCH), O(NONE), R(BOT), S(NONE), S(NONE) },
	{ S(FIX_POSTED), V(TEST_RESULT), O(FIXED), R(ROBOT), S(NONE), S(FIXED) },
	{ S(FIX_POSTED), V(TEST_RESULT), O(FIXED), R(BOT), S(NONE), S(NONE) },
	{ S(FIX_POSTED), V(TEST_RESULT), O(PARTIAL), R(ROBOT_TEAM), S(INVESTIGATING), S(NONE) },
	{ S(FIX_POSTED), V(TEST_RESULT), O(WORSE), R(OTHER), S(NONE), S(NONE) },
	{ S(REPORTED), V(FIXED), O(NONE), R(AUTHOR), S(FIX_QUEUED), S(FIXED) },
	{ S(REPORTED), V(FIXED), O(NONE), R(OTHER), S(NONE), S(FIXED) },
	{ S(REPORTED), V(EXPECTED), O(NONE), R(OTHER), S(NONE), S(EXPECTED) },
	{ S(REPORTED), V(INVALID), O(NONE), R(ROBOT_TEAM), S(NONE), S(INVALID) },
	{ S(REPORTED), V(INVALID), O(NONE), R(ROBOT), S(NONE), S(NONE) },
	{ S(REPORTED), V(DROPPED), O(NONE), R(AUTHOR), S(NONE), S(DROPPED) },
	{ S(REPORTED), V(THANKS), O(NONE), R(AUTHOR), S(NONE), S(NONE) },
	{ S(EXPECTED), V(PATCH), O(NONE), R(AUTHOR), S(NONE), S(NONE) },
	{ S(NONE), V(FIXED), O(NONE), R(AUTHOR), S(NONE), S(NONE) },
	/* clang-format on */
};

static void each_verdict_moves_what_its_author_may_move(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		const struct step *s = &steps[i];
		tracker_effect effect =
			tracker_effect_of(s->from, s->verdict, s->outcome, s->role);

		if (effect.status != s->to || effect.suggestion != s->suggestion)
			fail_msg("row %zu: got %s, suggests %s", i,
				 tracker_status_name(effect.status),
				 tracker_status_name(effect.suggestion));
	}
}

static void only_the_robot_answers_a_question(void **state)
{
	(void)state;
	assert_true(
		tracker_effect_of(S(NEEDS_INFO), V(INFO), O(NONE), R(ROBOT)).restore);
	assert_false(
		tracker_effect_of(S(NEEDS_INFO), V(INFO), O(NONE), R(OTHER)).restore);
	assert_false(
		tracker_effect_of(S(REPORTED), V(INFO), O(NONE), R(ROBOT)).restore);
}

static void a_passed_test_confirms_and_a_failed_one_refutes(void **state)
{
	(void)state;
	tracker_effect passed =
		tracker_effect_of(S(FIX_QUEUED), V(TEST_RESULT), O(FIXED), R(ROBOT));
	tracker_effect failed = tracker_effect_of(S(FIX_QUEUED), V(TEST_RESULT),
						  O(NOT_FIXED), R(ROBOT));

	assert_true(passed.fix_confirmed);
	assert_false(passed.fix_refuted);
	assert_true(failed.fix_refuted);
}

static void names_and_statuses_go_both_ways(void **state)
{
	(void)state;
	for (int i = 0; i < TRACKER_STATUSES; i++) {
		tracker_status back = TRACKER_STATUSES;

		assert_true(tracker_status_from_name(tracker_status_name(i), &back));
		assert_int_equal(back, i);
	}
	tracker_status back;

	assert_false(tracker_status_from_name("solved", &back));
	assert_false(tracker_status_from_name(NULL, &back));
}

static void the_table_names_every_status_and_fits_a_terminal(void **state)
{
	(void)state;
	g_autofree char *table = tracker_status_table();
	g_auto(GStrv) lines = g_strsplit(table, "\n", -1);

	for (int i = TRACKER_STATUS_REPORTED; i < TRACKER_STATUSES; i++)
		assert_non_null(strstr(table, tracker_status_name(i)));
	for (char **line = lines; *line; line++)
		assert_true(g_utf8_strlen(*line, -1) <= 80);
	assert_non_null(strstr(table, "test-result"));
}

/* ---- the printed table means what the functions do ----------------------------- */

typedef struct row {
	char *what, *who, *effect;
} row;

static void row_free(void *data)
{
	row *r = data;

	g_free(r->what);
	g_free(r->who);
	g_free(r->effect);
	g_free(r);
}

static void append_column(char **to, const char *line, size_t from, size_t end)
{
	size_t length = strlen(line);
	g_autofree char *cell =
		length > from ? g_strndup(line + from, MIN(end, length) - from) : NULL;

	if (!cell || !*g_strstrip(cell))
		return;
	char *joined = *to ? g_strconcat(*to, " ", cell, NULL) : g_strdup(cell);

	g_free(*to);
	*to = joined;
}

/* The rows below a heading that begins with this word. */
static GPtrArray *rows_below(const char *heading)
{
	g_autofree char *table = tracker_status_table();
	g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
	GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);
	char **line = lines;

	while (*line && !g_str_has_prefix(*line, heading))
		line++;
	assert_non_null(*line);
	for (line++; *line && **line; line++) {
		if ((*line)[2] != ' ')
			g_ptr_array_add(rows, g_new0(row, 1));

		row *last = rows->pdata[rows->len - 1];

		append_column(&last->what, *line, 2, 24);
		append_column(&last->who, *line, 24, 46);
		append_column(&last->effect, *line, 46, 80);
	}
	return rows;
}

static bool has_role(const row *r, tracker_role role)
{
	g_auto(GStrv) names = g_strsplit(r->who, ", ", -1);

	if (!strcmp(r->who, "anyone but bots"))
		return role != R(BOT);
	if (!strcmp(r->who, "anyone but robots and bots"))
		return role != R(BOT) && role != R(ROBOT);
	return g_strv_contains((const char *const *)names, tracker_role_name(role));
}

/* "patch, ack", or "test-result worse, partial". */
static bool has_verdict(const row *r, parser_verdict_kind kind, parser_outcome outcome)
{
	const char *blank = strchr(r->what, ' ');
	bool outcomes = blank && blank[-1] != ',';
	g_autofree char *verdicts =
		outcomes ? g_strndup(r->what, (gsize)(blank - r->what)) :
			   g_strdup(r->what);
	g_auto(GStrv) kinds = g_strsplit(verdicts, ", ", -1);
	g_auto(GStrv) results = g_strsplit(outcomes ? blank + 1 : "", ", ", -1);

	return g_strv_contains((const char *const *)kinds, parser_verdict_name(kind)) &&
	       (!outcomes ||
		(outcome && g_strv_contains((const char *const *)results,
					    parser_outcome_name(outcome))));
}

/* As the sentence below the table has it. */
static int how_far(tracker_status status)
{
	static const int order[] = { [S(REPORTED)] = 1,   [S(ACKNOWLEDGED)] = 2,
				     [S(NEEDS_INFO)] = 3, [S(INVESTIGATING)] = 3,
				     [S(FIX_POSTED)] = 4, [S(FIX_QUEUED)] = 5 };

	return order[status];
}

static tracker_status status_called(const char *text)
{
	g_autofree char *name = g_strndup(text, strcspn(text, ", "));
	tracker_status status = S(NONE);

	if (!tracker_status_from_name(name, &status))
		fail_msg("no status: %s", text);
	return status;
}

/* Does to *effect what one part of a row's words says. */
static void obey_part(const char *part, tracker_status status, parser_verdict_kind kind,
		      tracker_effect *effect)
{
	const char *arrow = strstr(part, "-> ");

	if (!strcmp(part, "the fix is confirmed")) {
		effect->fix_confirmed = true;
	} else if (!strcmp(part, "withdraws what suggested fixed")) {
		effect->fix_refuted = true;
	} else if (!strcmp(part, "withdraws what any other suggested, but for fixed")) {
		effect->overrules = true;
	} else if (!strcmp(part, "suggests that status")) {
		effect->suggestion = status_called(parser_verdict_name(kind));
	} else if (g_str_has_prefix(part, "suggests ")) {
		effect->suggestion = status_called(part + strlen("suggests "));
	} else if (!strcmp(part, "needs-info -> the status before it")) {
		effect->restore = status == S(NEEDS_INFO);
	} else if (arrow) {
		tracker_status to = status_called(arrow + 3);
		bool from = arrow == part || status_called(part) == status;
		bool back = arrow != part || strstr(part, "from wherever");

		if (from && to != status && (back || how_far(to) >= how_far(status)))
			effect->status = to;
	} else {
		fail_msg("nobody knows what that means: %s", part);
	}
}

static tracker_effect read_effect(const GPtrArray *rows, tracker_status status,
				  parser_verdict_kind kind, parser_outcome outcome,
				  tracker_role role)
{
	tracker_effect effect = { 0 };

	for (guint i = 0; i < rows->len && tracker_status_is_open(status); i++) {
		const row *r = rows->pdata[i];
		g_auto(GStrv) parts = g_strsplit(r->effect, "; ", -1);

		for (char **part = parts;
		     has_role(r, role) && has_verdict(r, kind, outcome) && *part;
		     part++)
			obey_part(*part, status, kind, &effect);
	}
	return effect;
}

static void compare(const GPtrArray *rows, tracker_status status, int kind, int outcome,
		    int role)
{
	tracker_effect told = read_effect(rows, status, kind, outcome, role);
	tracker_effect done = tracker_effect_of(status, kind, outcome, role);

	if (told.status == done.status && told.suggestion == done.suggestion &&
	    told.fix_confirmed == done.fix_confirmed &&
	    told.fix_refuted == done.fix_refuted && told.overrules == done.overrules &&
	    told.restore == done.restore)
		return;
	fail_msg("%s, %s %s by %s: the table says -> %s, suggests %s",
		 tracker_status_name(status), parser_verdict_name(kind),
		 outcome ? parser_outcome_name(outcome) : "", tracker_role_name(role),
		 tracker_status_name(told.status),
		 tracker_status_name(told.suggestion));
}

static void the_table_says_of_every_verdict_what_it_does(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) rows = rows_below("  VERDICT");

	for (int s = 0; s < TRACKER_STATUSES; s++)
		for (int v = 0; v < PARSER_VERDICT_KINDS; v++)
			for (int o = PARSER_OUTCOME_NONE; o <= PARSER_OUTCOME_WORSE;
			     o++)
				for (int r = 0; r <= TRACKER_ROLE_OTHER; r++)
					compare(rows, s, v, o, r);
}

static const char *const moves[TRACKER_MOVES] = {
	/* clang-format off */
	[TRACKER_MOVE_REPORT]  = "a report",
	[TRACKER_MOVE_RETRACT] = "a retraction",
	[TRACKER_MOVE_MAIL]    = "another mail about it",
	[TRACKER_MOVE_POSTED]  = "a fix in a tree of patches",
	[TRACKER_MOVE_QUEUED]  = "a fix in another tree",
	[TRACKER_MOVE_MERGED]  = "a fix in the report's tree, or mainline",
	[TRACKER_MOVE_GONE]    = "the culprit is gone from all trees",
	[TRACKER_MOVE_BACK]    = "a culprit that was gone is back",
	[TRACKER_MOVE_REOPEN]  = "reopen",
	[TRACKER_MOVE_DUP]     = "dup",
	[TRACKER_MOVE_UNDUP]   = "undup",
	[TRACKER_MOVE_FIX]     = "fix",
	[TRACKER_MOVE_UNFIX]   = "unfix",
	/* clang-format on */
};

static bool is_from(const char *effect, tracker_status status)
{
	const char *arrow = strstr(effect, "-> ");
	g_autofree char *from = g_strndup(effect, (gsize)(arrow - effect));
	g_auto(GStrv) names = g_strsplit(g_strchomp(from), ", ", -1);
	const char *name = status ? tracker_status_name(status) : "not known yet";

	if (!names[0])
		return true;
	if (g_str_has_prefix(names[0], "any but "))
		return strcmp(names[0] + strlen("any but "), name);
	return g_strv_contains((const char *const *)names, name) ||
	       (status &&
		g_strv_contains((const char *const *)names,
				tracker_status_is_open(status) ? "open" : "closed"));
}

static void the_table_says_of_every_move_where_it_leads(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) rows = rows_below("  WHAT");

	for (int s = 0; s < TRACKER_STATUSES; s++)
		for (int m = 0; m < TRACKER_MOVES; m++) {
			tracker_effect told = { 0 };
			tracker_effect done = tracker_effect_of_move(s, m);
			bool printed = false;

			for (guint i = 0; i < rows->len; i++) {
				const row *r = rows->pdata[i];
				const char *arrow = strstr(r->effect, "-> ");

				if (strcmp(r->what, moves[m]))
					continue;
				printed = true;
				if (!is_from(r->effect, s))
					continue;
				told.restore =
					!strcmp(arrow, "-> the status before it");
				if (!told.restore)
					told.status = status_called(arrow + 3);
			}
			if (told.status == (tracker_status)s)
				told.status = S(NONE);
			if (!printed || told.status != done.status ||
			    told.restore != done.restore)
				fail_msg("%s on %s: the table says -> %s", moves[m],
					 tracker_status_name(s),
					 tracker_status_name(told.status));
		}
}

static void the_table_names_every_command_that_sets_a_status(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) rows = rows_below("  WHAT");

	for (const parser_verb *v = parser_verbs; v->name; v++) {
		bool printed = !v->regtrail || !v->status;

		for (guint i = 0; i < rows->len && !printed; i++) {
			const row *r = rows->pdata[i];
			g_auto(GStrv) names = g_strsplit(r->what, ", ", -1);
			const char *name =
				v->act == PARSER_ACT_DUPLICATE ? "dup" : v->name;

			printed = g_strv_contains((const char *const *)names, name) &&
				  (strstr(r->effect, v->status) ||
				   !strcmp(r->effect, "-> that status"));
		}
		if (!printed)
			fail_msg("%s -> %s is not in the table", v->name, v->status);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_verdict_moves_what_its_author_may_move),
		cmocka_unit_test(only_the_robot_answers_a_question),
		cmocka_unit_test(a_passed_test_confirms_and_a_failed_one_refutes),
		cmocka_unit_test(names_and_statuses_go_both_ways),
		cmocka_unit_test(the_table_names_every_status_and_fits_a_terminal),
		cmocka_unit_test(the_table_says_of_every_verdict_what_it_does),
		cmocka_unit_test(the_table_says_of_every_move_where_it_leads),
		cmocka_unit_test(the_table_names_every_command_that_sets_a_status),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
