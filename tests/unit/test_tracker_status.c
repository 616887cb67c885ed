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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_verdict_moves_what_its_author_may_move),
		cmocka_unit_test(only_the_robot_answers_a_question),
		cmocka_unit_test(a_passed_test_confirms_and_a_failed_one_refutes),
		cmocka_unit_test(names_and_statuses_go_both_ways),
		cmocka_unit_test(the_table_names_every_status_and_fits_a_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
