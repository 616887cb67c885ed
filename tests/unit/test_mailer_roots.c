/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mailer.h"

/* "name=bytes name=bytes" of what a root gives. */
static char *listing(const char *path, GError **error)
{
	g_autoptr(GPtrArray) blobs = mailer_root_read(path, error);
	g_autoptr(GString) out = g_string_new(NULL);

	if (!blobs)
		return NULL;
	for (guint i = 0; i < blobs->len; i++) {
		mailer_blob *blob = g_ptr_array_index(blobs, i);
		gsize n;
		const char *text = g_bytes_get_data(blob->bytes, &n);

		g_string_append_printf(out, "%s%s=%.*s", i ? " " : "", blob->name,
				       (int)n, text);
	}
	return g_string_free(g_steal_pointer(&out), FALSE);
}

static void a_matrix_comes_with_the_job_beside_it(void **state)
{
	scratch_text(*state, "matrix.json", "M");
	scratch_text(*state, "job.yaml", "J");
	scratch_text(*state, "0/job.yaml", "J0");
	scratch_text(*state, "0/stats.json", "S0");
	g_autofree char *got = listing(*state, NULL);
	assert_string_equal(got, "matrix.json=M job.yaml=J");
}

static void a_matrix_without_a_job_takes_that_of_a_run(void **state)
{
	scratch_text(*state, "matrix.json", "M");
	scratch_text(*state, "10/job.yaml", "J10");
	scratch_text(*state, "2/job.yaml", "J2");
	g_autofree char *got = listing(*state, NULL);
	assert_string_equal(got, "matrix.json=M 2/job.yaml=J2");
}

static void runs_come_in_the_order_of_their_numbers(void **state)
{
	scratch_text(*state, "10/stats.json", "S10");
	scratch_text(*state, "2/stats.json", "S2");
	scratch_text(*state, "2/job.yaml", "J2");
	scratch_text(*state, "2/matrix.json.gz", "a time series");
	scratch_text(*state, "notes/stats.json", "no run");
	g_autofree char *got = listing(*state, NULL);
	assert_string_equal(got, "2/stats.json=S2 2/job.yaml=J2 10/stats.json=S10");
}

static void one_run_directory_is_a_root(void **state)
{
	g_autofree char *run = g_build_filename(*state, "7", NULL);

	scratch_text(run, "stats.json", "S");
	scratch_text(run, "matrix.json", "a time series");
	scratch_text(run, "job.yaml", "J");
	g_autofree char *got = listing(run, NULL);
	assert_string_equal(got, "7/stats.json=S 7/job.yaml=J");
}

static void the_packed_file_goes_before_the_plain_one(void **state)
{
	/* printf G | gzip -n */
	static const guint8 packed[] = { 0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00,
					 0x00, 0x02, 0x03, 0x73, 0x07, 0x00, 0xbe,
					 0x3b, 0xba, 0x3a, 0x01, 0x00, 0x00, 0x00 };
	g_autoptr(GError) error = NULL;

	g_free(scratch_write(*state, "matrix.json.gz", packed, sizeof(packed)));
	scratch_text(*state, "matrix.json", "plain");
	g_autofree char *got = listing(*state, &error);

	assert_null(error);
	assert_string_equal(got, "matrix.json=G");
}

static void several_commits_are_named(void **state)
{
	g_autoptr(GError) error = NULL;

	scratch_text(*state, "aaaa/matrix.json", "{}");
	scratch_text(*state, "bbbb/0/stats.json", "{}");
	assert_null(listing(*state, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_FORMAT));
	assert_non_null(strstr(error->message, "aaaa, bbbb"));
}

static void a_directory_without_results_says_so(void **state)
{
	g_autoptr(GError) error = NULL;

	scratch_text(*state, "job.yaml", "J");
	assert_null(listing(*state, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_FORMAT));
	assert_non_null(strstr(error->message, "no matrix.json"));
}

static void a_missing_directory_is_named(void **state)
{
	g_autofree char *path = g_build_filename(*state, "none", NULL);
	g_autoptr(GError) error = NULL;

	assert_null(listing(path, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
	assert_true(g_str_has_prefix(error->message, path));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_matrix_comes_with_the_job_beside_it),
		TEST(a_matrix_without_a_job_takes_that_of_a_run),
		TEST(runs_come_in_the_order_of_their_numbers),
		TEST(one_run_directory_is_a_root),
		TEST(the_packed_file_goes_before_the_plain_one),
		TEST(several_commits_are_named),
		TEST(a_directory_without_results_says_so),
		TEST(a_missing_directory_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
