/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of results, ours and others', in linear time: see counted.h. */
#include "tests/unit/counted.h"
#include "tests/unit/lists.h"
#include "tests/unit/test.h"

#define SMALL 600 /* repetitions of a pattern */

/* ---- JSON ---------------------------------------------------------------------- */

#define OURS                                                                           \
	"{\"version\": 1, \"columns\": [{\"commit\": \"1122334455\", \"runs\": 2},"    \
	" {\"commit\": \"6677889900\", \"runs\": 2}],"

static const hostile json[] = {
	/* clang-format off */
	{ "", "[", "" }, { "", "{\"a\":", "" }, { "[", "1,", "1]" }, { "{", "\"a\":1,", "\"b\":1}" },
	{ "[", "\"", "]" }, { "\"", "\\u0041", "\"" }, { "\"", "\\", "\"" }, { "\"", "x", "\"" },
	{ "[", "1e9,", "1]" }, { "", "1", "" }, { "", " ", "1" }, { "", "\n", "1" }, { "[", "{},", "{}]" },
	{ "{\"a\": [", "1.5, ", "1]}" }, { "{\"a\": [", "null,", "1]}" }, { "{\"", "x", "\": [1]}" },
	{ "{\"a.b\": [1],", "\"a.b\": [1],", "\"c\": [2]}" },
	{ "[", "{\"id\": \"1122334455\"},", "{}]" },
	{ "[{\"id\": \"1122334455\", \"trailers\": [", "[\"Cc\", \"x\"],", "[\"Cc\", \"x\"]]}]" },
	{ OURS " \"metrics\": [", "{\"name\": \"a.b\", \"samples\": [[1, 2], [3]]},",
	  "{\"name\": \"c\", \"samples\": [[1], [2]]}]}" },
	{ OURS " \"metrics\": [{\"name\": \"a.b\", \"samples\": [[", "1,", "1], [2]]}]}" },
	{ OURS " \"parameters\": {", "\"a\": \"b\",", "\"c\": \"d\"}}" },
	/* clang-format on */
};

static void read_json(const char *bytes, size_t length)
{
	const parser_blob blobs[] = { { "0/stats.json", bytes, length },
				      { "1/stats.json", bytes, length } };
	const parser_blob matrix = { "matrix.json", bytes, length };
	static parser_lists *lists;

	if (!lists)
		lists = test_lists();
	parser_comparison_free(parser_comparison_from_json(bytes, length, "x", NULL));
	parser_column_free(parser_column_from_root("x", blobs, 2, lists, NULL));
	parser_column_free(parser_column_from_root("x", &matrix, 1, lists, NULL));
	GPtrArray *commits = parser_commits_from_json(bytes, length, "x", NULL);

	if (commits)
		g_ptr_array_unref(commits);
}

static void twice_the_json_is_twice_the_work(void **state)
{
	(void)state;
	read_json("[]", 2); /* reads the lists */
	counted_check(json, G_N_ELEMENTS(json), SMALL, read_json);
}

/* ---- job.yaml ------------------------------------------------------------------- */

static const hostile yaml[] = {
	/* clang-format off */
	{ "", "a: b\n", "" }, { "", "a", ": b\n" }, { "a: ", "b ", "\n" }, { "", "a:\n  b: c\n", "" },
	{ "a:\n", "- b\n", "" }, { "a: &x\n  b: c\n", "d: *x\n", "" }, { "a: &a [x]\n", "b: &b [*a, *a]\n", "" },
	{ "", "---\na: b\n", "" }, { "a: \"", "x", "\"\n" }, { "a: |\n", "  x\n", "" }, { "", "# x\n", "a: b\n" },
	{ "", "\n", "a: b\n" }, { "pp:\n  x:\n", "    a: b\n", "" }, { "a: [", "b, ", "c]\n" },
	{ "testcase: x\ncommit: ", "1", "\n" },
	/* clang-format on */
};

static void read_yaml(const char *bytes, size_t length)
{
	static const char matrix[] = "{\"a.b\": [1, 2]}";
	const parser_blob blobs[] = { { "matrix.json", matrix, sizeof(matrix) - 1 },
				      { "job.yaml", bytes, length } };
	g_autoptr(parser_lists) lists = parser_lists_new();

	parser_column_free(parser_column_from_root("x", blobs, 2, lists, NULL));
}

static void twice_the_job_is_twice_the_work(void **state)
{
	(void)state;
	counted_check(yaml, G_N_ELEMENTS(yaml), SMALL, read_yaml);
}

/* ---- text ----------------------------------------------------------------------- */

static const hostile text[] = {
	/* clang-format off */
	{ "", "8888 -7% 8234 a.b\n", "" }, { "", "1 ", "a.b\n" }, { "", "x\n", "" }, { "", "\n", "x" },
	{ "tree x\n", "parent 1122334455\n", "\nx\n" }, { "tree x\nauthor ", "x", "\n\nx\n" },
	{ "tree x\nauthor a <b> 1 +0000\n\n", "Cc: x\n", "" }, { "tree x\nauthor a <b> 1 +0000\n\n", "x\n", "" },
	{ "tree x\ngpgsig ", "\n x", "\n\nx\n" }, { "tree x\nauthor a <b> 1 +0000\n\nx\n\n", "Fixes: 1\n x\n", "" },
	/* clang-format on */
};

static void read_text(const char *bytes, size_t length)
{
	parser_comparison_free(parser_comparison_from_table(bytes, length, "x", NULL));
	parser_commit_free(parser_commit_from_git(bytes, length, NULL));
}

static void twice_the_text_is_twice_the_work(void **state)
{
	(void)state;
	counted_check(text, G_N_ELEMENTS(text), SMALL, read_text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twice_the_json_is_twice_the_work),
		cmocka_unit_test(twice_the_job_is_twice_the_work),
		cmocka_unit_test(twice_the_text_is_twice_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
