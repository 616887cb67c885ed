/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The examples that the documentation ships: they load, and tell the story they should.
 */
#include <glib.h>
#include <string.h>

#include "render/render.h"
#include "tests/unit/lists.h"
#include "tests/unit/test.h"

#define EXAMPLES "docs/examples/"
static const char root[] =
	EXAMPLES "results/unixbench/performance-100%-300s-spawn/example-2s-48c/"
		 "debian-12-x86_64.cgz/x86_64-server-6.9/gcc-13/";
static const char base[] = "aa6e427d334b832d952d658cae44f65f99ffaf74";
static const char head[] = "8f3ab2a3b2ce14772811945b1f7ea036b769932e";

static char *text_of(const char *name, gsize *length)
{
	const char *source = g_getenv("REGTRAIL_SOURCE");
	g_autofree char *path = g_build_filename(source ? source : ".", name, NULL);
	char *text = NULL;

	if (!g_file_get_contents(path, &text, length, NULL))
		fail_msg("%s cannot be read", path);
	return text;
}

static parser_column *column_of(const char *commit, const parser_lists *lists)
{
	g_autofree char *origin = g_strconcat(root, commit, NULL);
	g_autofree char *matrix_name = g_strconcat(origin, "/matrix.json", NULL);
	g_autofree char *job_name = g_strconcat(origin, "/0/job.yaml", NULL);
	gsize matrix_length, job_length;
	g_autofree char *matrix = text_of(matrix_name, &matrix_length);
	g_autofree char *job = text_of(job_name, &job_length);
	const parser_blob blobs[] = { { "matrix.json", matrix, matrix_length },
				      { "0/job.yaml", job, job_length } };
	g_autoptr(GError) error = NULL;
	parser_column *column =
		parser_column_from_root(origin, blobs, 2, lists, &error);

	if (!column)
		fail_msg("%s", error->message);
	return column;
}

static parser_comparison *example(const parser_lists *lists)
{
	g_autoptr(GPtrArray) columns =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);
	g_autoptr(GPtrArray) groups = NULL;
	parser_comparison *comparison;

	g_ptr_array_add(columns, column_of(base, lists));
	g_ptr_array_add(columns, column_of(head, lists));
	groups = parser_comparisons_group(columns, NULL, NULL);
	assert_non_null(groups);
	assert_int_equal(groups->len, 1);
	comparison = groups->pdata[0];
	groups->pdata[0] = NULL;
	return comparison;
}

static void the_example_is_a_certain_regression_of_its_score(void **state)
{
	g_autoptr(parser_lists) lists = test_lists();
	g_autoptr(parser_comparison) source = example(lists);
	const render_options options = { 0 };
	g_autoptr(render_comparison) c = render_compare(source, lists, &options, NULL);

	(void)state;
	assert_string_equal(source->testcase, "unixbench");
	assert_string_equal(source->machine, "example-2s-48c");
	assert_string_equal(c->headline.metric, "unixbench.score");
	assert_int_equal(c->headline.kind, PARSER_KIND_REGRESSION);
	assert_true(c->headline.significant);
	assert_true(c->headline.change_percent < -6 && c->headline.change_percent > -8);
	assert_int_equal(c->fail_rows->len, 1);
	assert_true(c->rows->len > 20);
}

static void the_example_s_commits_have_their_people(void **state)
{
	gsize length;
	g_autofree char *text = text_of(EXAMPLES "commits.json", &length);
	g_autoptr(GPtrArray) commits =
		parser_commits_from_json(text, length, "commits.json", NULL);
	const parser_commit *culprit;

	(void)state;
	assert_non_null(commits);
	assert_int_equal(commits->len, 2);
	culprit = commits->pdata[1];
	assert_string_equal(culprit->id, head);
	assert_string_equal(culprit->author_address, "mara@example.org");
	assert_string_equal(parser_pairs_get(culprit->trailers, "Reviewed-by"),
			    "Tomas Brandt <tomas@example.org>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_is_a_certain_regression_of_its_score),
		cmocka_unit_test(the_example_s_commits_have_their_people),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
