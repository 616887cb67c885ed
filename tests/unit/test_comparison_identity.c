/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDs against sha256sum of the texts that the header names. */
#include <glib.h>

#include "parser/parser.h"
#include "tests/unit/test.h"

static const char culprit[] = "8F3AB2A3b2ce14772811945b1f7ea036b769932e";

static void an_id_is_the_hash_of_culprit_testcase_and_metric(void **state)
{
	g_autofree char *id =
		parser_regression_id(culprit, "unixbench", "unixbench.score");
	g_autofree char *same =
		parser_regression_id("8f3ab2a3b2", "unixbench", "unixbench.score");

	(void)state;
	/* printf '8f3ab2a3b2\nunixbench\nunixbench.score\n' | sha256sum */
	assert_string_equal(id, "02222725ee8ff1c382f3ec49d9727e5db23d2ffd");
	assert_string_equal(same, id);
}

static void unknown_parts_are_empty(void **state)
{
	g_autofree char *null = parser_regression_id("8f3ab2a3b2", NULL, NULL);
	g_autofree char *empty = parser_regression_id("8f3ab2a3b2", "", "");

	(void)state;
	assert_string_equal(null, empty);
	/* printf '8f3ab2a3b2\n\n\n' | sha256sum */
	assert_string_equal(null, "cc9e50f2b0f80f58feac018a1d31625aca21bfbd");
}

static void a_message_id_proves_what_it_is_about(void **state)
{
	g_autofree char *id =
		parser_regression_id(culprit, "unixbench", "unixbench.score");
	g_autofree char *mid = parser_own_message_id(id, "report", 2, 1717920000,
						     "robot", "lists.example.org");

	(void)state;
	assert_true(g_str_has_prefix(mid, "202406090800."));
	assert_true(g_str_has_suffix(mid, "-robot@lists.example.org"));
	assert_true(parser_message_id_is_robot(mid));

	g_autofree char *digits = parser_own_message_id_digits(id, "report", 2);
	g_autofree char *other = parser_own_message_id_digits(id, "followup", 2);
	g_autofree char *nobody = parser_own_message_id_digits("other", "report", 2);

	assert_int_equal(strlen(digits), 8);
	assert_memory_equal(mid + strlen("202406090800."), digits, 8);
	assert_string_not_equal(digits, other);
	assert_string_not_equal(digits, nobody);
}

static void robot_message_ids_are_told_by_their_shape(void **state)
{
	static const struct {
		const char *id;
		bool robot;
	} cases[] = {
		{ "202304051633.bd0ad2b5-lkp@intel.example", true },
		{ "202304051633.bd0ad2b5-some.body@intel.example", true },
		{ "202304051633.bd0ad2bg-lkp@intel.example", false },
		{ "20230405163.bd0ad2b5-lkp@intel.example", false },
		{ "202304051633.bd0ad2b5-@intel.example", false },
		{ "202304051633.bd0ad2b5-lkp@", false },
		{ "202304051633.bd0ad2b5", false },
		{ "20230405163342.1234-1-dev@example.org", false },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_int_equal(parser_message_id_is_robot(cases[i].id),
				 cases[i].robot);
	assert_false(parser_message_id_is_robot(NULL));
}

static void kinds_have_names_and_back(void **state)
{
	(void)state;
	assert_null(parser_kind_name(PARSER_KIND_UNKNOWN));
	for (int i = PARSER_KIND_REGRESSION; i <= PARSER_KIND_FAILURE; i++)
		assert_int_equal(
			parser_kind_from_name(parser_kind_name((parser_kind)i)), i);
	assert_int_equal(parser_kind_from_name("noise"), PARSER_KIND_UNKNOWN);
	assert_string_equal(parser_sign_name(PARSER_SIGN_ROW), "row");
	assert_string_equal(parser_unit_name(PARSER_UNIT_POINTS), "points");
}

static void the_first_pair_of_a_name_counts(void **state)
{
	g_autoptr(GPtrArray) pairs =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);

	(void)state;
	g_ptr_array_add(pairs, parser_pair_new("a", "1"));
	g_ptr_array_add(pairs, parser_pair_new("a", "2"));
	g_ptr_array_add(pairs, parser_pair_new("b", NULL));
	assert_string_equal(parser_pairs_get(pairs, "a"), "1");
	assert_string_equal(parser_pairs_get(pairs, "b"), "");
	assert_null(parser_pairs_get(pairs, "c"));
	assert_null(parser_pairs_get(NULL, "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_id_is_the_hash_of_culprit_testcase_and_metric),
		cmocka_unit_test(unknown_parts_are_empty),
		cmocka_unit_test(a_message_id_proves_what_it_is_about),
		cmocka_unit_test(robot_message_ids_are_told_by_their_shape),
		cmocka_unit_test(kinds_have_names_and_back),
		cmocka_unit_test(the_first_pair_of_a_name_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
