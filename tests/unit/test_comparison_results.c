/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result roots: what is read, and what happens to input that is wrong. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "tests/unit/lists.h"
#include "tests/unit/test.h"

static const char job[] = "testcase: hackbench\n"
			  "category: benchmark\n"
			  "suite: hackbench\n"
			  "nr_threads: 50%\n"
			  "hackbench:\n"
			  "  mode: threads\n"
			  "  ipc: pipe\n"
			  "perf-profile:\n"
			  "  delay: 20\n"
			  "perf-stat:\n"
			  "tbox_group: example-box\n"
			  "kconfig: example-config\n"
			  "rootfs: /osimage/debian/example.cgz\n"
			  "commit: 0123456789abcdef0123456789abcdef01234567\n"
			  "branch: linus/master\n"
			  "list: [1, 2]\n"
			  "start_time: '1700000000'\n";

static parser_column *from(const char *name, const char *text, size_t length,
			   GError **error)
{
	g_autoptr(parser_lists) lists = test_lists();
	const parser_blob blobs[] = { { name, text, length },
				      { "0/job.yaml", job, strlen(job) } };

	return parser_column_from_root("root", blobs, 2, lists, error);
}

static parser_column *matrix(const char *text)
{
	GError *error = NULL;
	parser_column *column = from("matrix.json", text, strlen(text), &error);

	if (!column)
		fail_msg("%s", error->message);
	return column;
}

/* The error of a matrix that is refused; must hold `words`. */
static void refused(const char *text, parser_error code, const char *words)
{
	g_autoptr(GError) error = NULL;

	assert_null(from("matrix.json", text, strlen(text), &error));
	assert_true(g_error_matches(error, PARSER_ERROR, (gint)code));
	if (!strstr(error->message, words))
		fail_msg("'%s' has no '%s'", error->message, words);
}

static bool warned(const parser_column *column, const char *words)
{
	for (guint i = 0; i < column->warnings->len; i++)
		if (strstr(column->warnings->pdata[i], words))
			return true;
	return false;
}

static void integers_and_floats_are_kept_apart(void **state)
{
	g_autoptr(parser_column) c =
		matrix("{\"a.x\": [1, 2.0, -3, 4e2, null],\n"
		       " \"stats_source\": [\"0\", \"1\", \"2\", \"3\", \"4\"]}");
	const parser_metric *m = parser_column_find(c, "a.x");

	(void)state;
	assert_int_equal(c->runs, 5);
	assert_int_equal(m->n, 5);
	assert_int_equal(m->kinds[0], PARSER_SAMPLE_INTEGER);
	assert_int_equal(m->kinds[1], PARSER_SAMPLE_FLOAT);
	assert_int_equal(m->kinds[2], PARSER_SAMPLE_INTEGER);
	assert_int_equal(m->kinds[3], PARSER_SAMPLE_FLOAT);
	assert_int_equal(m->kinds[4], PARSER_SAMPLE_ABSENT);
	assert_true(m->values[2] == -3 && m->values[3] == 400);
	assert_null(parser_column_find(c, "stats_source"));
}

/* Every double must come back as the nearest one, by the short way and the long one. */
static void numbers_are_read_to_the_last_bit(void **state)
{
	static const char *const texts[] = {
		"0.1",
		"3.235",
		"1e22",
		"1e23",
		"0.6681657278995716",
		"123456789012345678",
		"9007199254740993",
		"2.2250738585072014e-308",
		"4.9e-324",
		"1e308",
		"0.000000000000000000000000000012345678901234567890",
		"1e-400",
		"1E+2",
		"179769313486231570000000000000000000000.5",
		"-0.0",
		"100000000000000000000000",
	};
	g_autoptr(GString) text = g_string_new("{\"m\": [");
	g_autoptr(parser_column) c = NULL;
	const parser_metric *m;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_string_append_printf(text, "%s%s", i ? "," : "", texts[i]);
	g_string_append(text, "]}");
	c = matrix(text->str);
	m = parser_column_find(c, "m");
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		double wanted = g_ascii_strtod(texts[i], NULL);

		if (memcmp(&m->values[i], &wanted, sizeof(wanted)) != 0)
			fail_msg("%s is read as %.17g", texts[i], m->values[i]);
	}
}

static void numbers_that_are_none_are_taken_as_ruby_writes_them(void **state)
{
	g_autoptr(parser_column) c =
		matrix("{\"m\": [NaN, Infinity, -Infinity, 1e308, 1e999]}");
	const parser_metric *m = parser_column_find(c, "m");

	(void)state;
	assert_int_equal(m->n, 5);
	assert_true(isnan(m->values[0]));
	assert_true(isinf(m->values[1]) && m->values[1] > 0);
	assert_true(isinf(m->values[2]) && m->values[2] < 0);
	assert_true(m->values[3] == 1e308);
	assert_true(isinf(m->values[4]));
}

static void short_arrays_stay_short_and_long_ones_are_refused(void **state)
{
	g_autoptr(parser_column) c =
		matrix("{\"m\": [1], \"stats_source\": [\"0\", \"1\"]}");
	g_autoptr(parser_column) without =
		matrix("{\"a\": [1], \"b\": [1,2,3], \"c\": [1]}");

	(void)state;
	assert_int_equal(parser_column_find(c, "m")->n, 1);
	assert_int_equal(c->runs, 2);
	assert_int_equal(without->runs, 3);
	refused("{\"good\": [1,2], \"long\": [1,2,3], \"stats_source\": [\"0\", \"1\"]}",
		PARSER_ERROR_INVALID,
		"metric 'long' has 3 samples, but there are 2 runs");
}

static void wrong_matrices_are_refused_with_their_place(void **state)
{
	(void)state;
	refused("{\"m\": 3}", PARSER_ERROR_INVALID, "metric 'm' is no array");
	refused("{\"m\": [1, true]}", PARSER_ERROR_INVALID, "entry 1 is true or false");
	refused("{\"m\": [1, [2]]}", PARSER_ERROR_INVALID,
		"entry 1 is an array or object");
	refused("{\"m\": [1, \"x\"]}", PARSER_ERROR_INVALID, "partly text");
	refused("{\n  \"m\": [1,\n  2", PARSER_ERROR_SYNTAX,
		"root/matrix.json:3:4: unexpected end of file");
	refused("{\"m\": [1 2]}", PARSER_ERROR_SYNTAX,
		"matrix.json:1:10: expected ','");
	refused("[1]", PARSER_ERROR_SYNTAX, "expected '{'");
	refused("", PARSER_ERROR_SYNTAX, "unexpected end of file");
	refused("{} x", PARSER_ERROR_SYNTAX, "text after the end");
	refused("{\"m\": [-]}", PARSER_ERROR_SYNTAX, "not a number");
	refused("{\"m\": [1.]}", PARSER_ERROR_SYNTAX, "not a number");
	refused("{\"m\": [1e]}", PARSER_ERROR_SYNTAX, "not a number");
	refused("{\"m\": [nul]}", PARSER_ERROR_SYNTAX, "not a value");
	refused("{\"m\\q\": [1]}", PARSER_ERROR_SYNTAX, "unknown escape");
	refused("{\"m", PARSER_ERROR_SYNTAX, "unterminated string");
}

static void deep_nesting_is_an_error_and_no_crash(void **state)
{
	g_autoptr(GString) text = g_string_new("{\"m\": ");

	(void)state;
	for (int i = 0; i < 1000000; i++)
		g_string_append_c(text, '[');
	refused(text->str, PARSER_ERROR_INVALID, "entry 0 is an array");
}

static void odd_names_are_kept_or_refused_but_never_silently(void **state)
{
	g_autofree char *huge = g_strnfill(10 << 10, 'x');
	g_autofree char *text =
		g_strdup_printf("{\"a b\": [1], \"tab\\tname\": [2], \"%s\": "
				"[3], \"\": [4], \"nul\\u0000\": [5], "
				"\"\\ud83d\\ude00\\ud800\": [6]}",
				huge);
	g_autoptr(parser_column) c = matrix(text);

	(void)state;
	assert_non_null(parser_column_find(c, "a b"));
	assert_non_null(parser_column_find(c, "tab\tname"));
	assert_non_null(parser_column_find(c, "\xf0\x9f\x98\x80\xef\xbf\xbd"));
	assert_int_equal(c->metrics->len, 3);
	assert_true(warned(c, "10240 bytes is too long"));
	assert_true(warned(c, "0 bytes is empty"));
	assert_true(warned(c, "holds a NUL"));
}

static void of_duplicate_keys_the_last_counts_at_the_first_place(void **state)
{
	g_autoptr(parser_column) c = matrix("{\"m\": [1, 2], \"n\": [3], \"m\": [7]}");
	const parser_metric *m = parser_column_find(c, "m");

	(void)state;
	assert_int_equal(c->metrics->len, 2);
	assert_string_equal(g_array_index(c->metrics, parser_metric, 0).name, "m");
	assert_int_equal(m->n, 1);
	assert_true(m->values[0] == 7);
	assert_true(warned(c, "'m' stands twice"));
}

static void text_is_no_metric(void **state)
{
	g_autoptr(parser_column) c =
		matrix("{\"m\": [1], \"notes\": [\"a\", \"b\"], \"n\": [2]}");

	(void)state;
	assert_null(parser_column_find(c, "notes"));
	assert_int_equal(c->metrics->len, 2);
	assert_true(warned(c, "'notes' holds text"));
	assert_true(parser_column_find(c, "n")->values[0] == 2);
}

static void axes_are_the_scalars_of_the_job_that_are_not_denied(void **state)
{
	g_autoptr(parser_column) c = matrix("{\"m\": [1]}");
	static const char *const wanted[][2] = {
		{ "testcase", "hackbench" },     { "nr_threads", "50%" },
		{ "mode", "threads" },           { "ipc", "pipe" },
		{ "tbox_group", "example-box" }, { "kconfig", "example-config" },
		{ "rootfs", "example.cgz" },     { "compiler", "gcc-7" },
	};

	(void)state;
	assert_int_equal(c->axes->len, G_N_ELEMENTS(wanted));
	for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
		const char *value = parser_pairs_get(c->axes, wanted[i][0]);

		if (g_strcmp0(value, wanted[i][1]) != 0)
			fail_msg("%s is %s", wanted[i][0], value ? value : "missing");
	}
	assert_string_equal(c->commit->id, "0123456789abcdef0123456789abcdef01234567");
	assert_string_equal(c->commit->tree, "linus");
	assert_string_equal(c->commit->branch, "master");
}

static void the_commit_may_stand_in_the_path_alone(void **state)
{
	const parser_blob blobs[] = { { "matrix.json", "{\"m\": [1]}", 10 } };
	g_autoptr(parser_column) c = parser_column_from_root(
		"/result/x/fedcba9876543210fedcba9876543210fedcba98/", blobs, 1, NULL,
		NULL);

	(void)state;
	assert_string_equal(c->commit->id, "fedcba9876543210fedcba9876543210fedcba98");
	assert_true(warned(c, "no job.yaml"));
}

static void without_a_job_the_path_of_a_result_root_tells_the_axes(void **state)
{
	const parser_blob blobs[] = { { "matrix.json", "{\"m\": [1]}", 10 } };
	g_autoptr(parser_column) c = parser_column_from_root(
		"/result/fio/4k-hdd/box/debian.cgz/kconf/gcc-12/"
		"fedcba9876543210fedcba9876543210fedcba98",
		blobs, 1, NULL, NULL);

	(void)state;
	assert_int_equal(c->axes->len, 6);
	assert_string_equal(parser_pairs_get(c->axes, "testcase"), "fio");
	assert_string_equal(parser_pairs_get(c->axes, "path_params"), "4k-hdd");
	assert_string_equal(parser_pairs_get(c->axes, "tbox_group"), "box");
	assert_string_equal(parser_pairs_get(c->axes, "compiler"), "gcc-12");
	assert_true(warned(c, "axes are those of the path"));
}

static void a_job_that_is_no_yaml_is_an_error_with_its_place(void **state)
{
	static const char *const bad[] = { "a: b\n\tc: [", "- 1\n- 2\n", "just text",
					   "a: {b: {c: ]}}" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		const parser_blob blobs[] = { { "matrix.json", "{\"m\": [1]}", 10 },
					      { "job.yaml", bad[i], strlen(bad[i]) } };
		g_autoptr(GError) error = NULL;

		assert_null(parser_column_from_root("root", blobs, 2, NULL, &error));
		assert_true(g_error_matches(error, PARSER_ERROR, PARSER_ERROR_SYNTAX));
		assert_true(g_str_has_prefix(error->message, "root/job.yaml:"));
	}
}

/* Axes that are left out would put two environments together. */
static void a_job_with_too_many_values_is_an_error(void **state)
{
	g_autoptr(GString) yaml = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	for (int i = 0; i < 10000; i++)
		g_string_append_printf(yaml, "k%d: v\n", i);
	const parser_blob most[] = { { "matrix.json", "{\"m\": [1]}", 10 },
				     { "job.yaml", yaml->str, yaml->len } };
	g_autoptr(parser_column) c =
		parser_column_from_root("root", most, 2, NULL, &error);
	assert_null(error);
	assert_non_null(parser_pairs_get(c->axes, "k9999"));
	g_string_append(yaml, "last: v\n");
	const parser_blob more[] = { { "matrix.json", "{\"m\": [1]}", 10 },
				     { "job.yaml", yaml->str, yaml->len } };
	assert_null(parser_column_from_root("root", more, 2, NULL, &error));
	assert_non_null(strstr(error->message, "root/job.yaml:1000"));
	assert_non_null(strstr(error->message, "more than 10000 values"));
}

static void odd_yaml_is_survived(void **state)
{
	static const char *const odd[] = {
		"",
		"# nothing\n",
		"a: &x 1\nb: *x\n*x : 2\n",
		"? {k: v}\n: {w: z}\n? [1]\n: 3\n",
		"a:\n  b:\n    c: 1\n",
		"\"esc\\e[31m\": \"\\x1b[0m\"\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(odd); i++) {
		const parser_blob blobs[] = { { "matrix.json", "{\"m\": [1]}", 10 },
					      { "job.yaml", odd[i], strlen(odd[i]) } };
		g_autoptr(GError) error = NULL;
		g_autoptr(parser_column) c =
			parser_column_from_root("root", blobs, 2, NULL, &error);

		if (!c)
			fail_msg("%s: %s", odd[i], error->message);
		for (guint k = 0; k < c->axes->len; k++) {
			const parser_pair *axis = c->axes->pdata[k];

			assert_null(strchr(axis->name, '\x1b'));
			assert_null(strchr(axis->value, '\x1b'));
		}
	}
}

static void runs_are_united_in_the_order_of_their_numbers(void **state)
{
	const char *r10 = "{\"m\": 30, \"late\": 1.5}";
	const char *r2 =
		"{\"m\": 20, \"zero\": 0, \"zerof\": 0.0, \"sched_debug.x.17\": 5}";
	const char *r0 = "{\"m\": 10, \"word\": \"x\", \"sched_debug.x.avg\": 5}";
	const parser_blob blobs[] = { { "10/stats.json", r10, strlen(r10) },
				      { "2/stats.json", r2, strlen(r2) },
				      { "0/stats.json", r0, strlen(r0) },
				      { "2/job.yaml", job, strlen(job) } };
	g_autoptr(parser_column) c =
		parser_column_from_root("root", blobs, 4, NULL, NULL);
	const parser_metric *m = parser_column_find(c, "m");
	const parser_metric *late = parser_column_find(c, "late");

	(void)state;
	assert_int_equal(c->runs, 3);
	assert_true(m->values[0] == 10 && m->values[1] == 20 && m->values[2] == 30);
	assert_int_equal(late->n, 3);
	assert_int_equal(late->kinds[0], PARSER_SAMPLE_ABSENT);
	assert_int_equal(late->kinds[2], PARSER_SAMPLE_FLOAT);
	assert_null(parser_column_find(c, "zero")); /* integer zeros are dropped */
	assert_non_null(parser_column_find(c, "zerof"));
	assert_null(parser_column_find(c, "sched_debug.x.17"));
	assert_non_null(parser_column_find(c, "sched_debug.x.avg"));
	assert_true(warned(c, "0/stats.json: 'word' is no number"));
	assert_string_equal(parser_pairs_get(c->axes, "testcase"), "hackbench");
}

static void a_root_without_results_is_an_error(void **state)
{
	const parser_blob blobs[] = { { "job.yaml", job, strlen(job) } };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(parser_column_from_root("some/dir", blobs, 1, NULL, &error));
	assert_string_equal(error->message,
			    "some/dir: no result root: neither matrix.json "
			    "nor a run's stats.json");
}

/* ---- groups -----------------------------------------------------------------------
 */

static parser_column *run_on(const char *origin, const char *machine,
			     const char *commit)
{
	g_autofree char *yaml = g_strdup_printf(
		"testcase: t\ntbox_group: %s\ncommit: %s\n", machine, commit);
	const parser_blob blobs[] = { { "matrix.json", "{\"m\": [1]}", 10 },
				      { "job.yaml", yaml, strlen(yaml) } };

	return parser_column_from_root(origin, blobs, 2, NULL, NULL);
}

static GPtrArray *columns_of(parser_column *a, parser_column *b, parser_column *c)
{
	GPtrArray *columns =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);

	g_ptr_array_add(columns, a);
	g_ptr_array_add(columns, b);
	if (c)
		g_ptr_array_add(columns, c);
	return columns;
}

static void columns_of_one_environment_belong_together(void **state)
{
	g_autoptr(GPtrArray) columns =
		columns_of(run_on("a", "box1", "aaaa"), run_on("b", "box2", "bbbb"),
			   run_on("c", "box1", "cccc"));
	g_autoptr(GPtrArray) groups = parser_comparisons_group(columns, NULL, NULL);
	const parser_comparison *c = groups->pdata[0];

	(void)state;
	assert_int_equal(columns->len, 0);
	assert_int_equal(groups->len, 1);
	assert_int_equal(c->columns->len, 2);
	assert_string_equal(c->machine, "box1");
	assert_string_equal(c->testcase, "t");
	assert_string_equal(c->warnings->pdata[0],
			    "b stands alone: it has nothing to be compared with");
}

static void other_axes_can_be_compared(void **state)
{
	g_autoptr(GPtrArray) compared = g_ptr_array_new();
	g_autoptr(GPtrArray) columns = columns_of(run_on("a", "box1", "aaaa"),
						  run_on("b", "box2", "aaaa"), NULL);
	g_autoptr(GPtrArray) groups = NULL;
	const parser_comparison *c;

	(void)state;
	g_ptr_array_add(compared, (void *)"tbox_group");
	groups = parser_comparisons_group(columns, compared, NULL);
	c = groups->pdata[0];
	assert_int_equal(c->columns->len, 2);
	assert_string_equal(parser_pairs_get(c->axes, "commit"), "aaaa");
	assert_null(parser_pairs_get(c->axes, "tbox_group"));
}

static void a_group_of_one_says_which_axes_differ(void **state)
{
	g_autoptr(GPtrArray) columns = columns_of(run_on("a", "box1", "aaaa"),
						  run_on("b", "box2", "bbbb"), NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(parser_comparisons_group(columns, NULL, &error));
	assert_int_equal(columns->len, 0);
	assert_string_equal(error->message, "nothing to compare with a: b differs in "
					    "tbox_group box1 against box2");
}

static void the_same_directory_twice_is_an_error(void **state)
{
	g_autoptr(GPtrArray) columns = columns_of(run_on("a", "box", "aaaa"),
						  run_on("a", "box", "aaaa"), NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(parser_comparisons_group(columns, NULL, &error));
	assert_string_equal(error->message, "a and a are the same column: commit aaaa");
}

static void axes_sort_by_name_and_value_together(void **state)
{
	const char *yaml = "testcase: t\nfs: ext4\nfs2: nfs\ncommit: aaaa\n";
	const char *yaml2 = "testcase: t\nfs: ext4\nfs2: nfs\ncommit: bbbb\n";
	const parser_blob a[] = { { "matrix.json", "{\"m\": [1]}", 10 },
				  { "job.yaml", yaml, strlen(yaml) } };
	const parser_blob b[] = { { "matrix.json", "{\"m\": [1]}", 10 },
				  { "job.yaml", yaml2, strlen(yaml2) } };
	g_autoptr(GPtrArray) columns =
		columns_of(parser_column_from_root("a", a, 2, NULL, NULL),
			   parser_column_from_root("b", b, 2, NULL, NULL), NULL);
	g_autoptr(GPtrArray) groups = parser_comparisons_group(columns, NULL, NULL);
	const parser_comparison *c = groups->pdata[0];
	g_autoptr(GString) names = g_string_new(NULL);

	(void)state;
	for (guint i = 0; i < c->axes->len; i++)
		g_string_append_printf(names, "%s ",
				       ((parser_pair *)c->axes->pdata[i])->name);
	assert_string_equal(names->str, "compiler fs2 fs rootfs testcase ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_and_floats_are_kept_apart),
		cmocka_unit_test(numbers_are_read_to_the_last_bit),
		cmocka_unit_test(numbers_that_are_none_are_taken_as_ruby_writes_them),
		cmocka_unit_test(short_arrays_stay_short_and_long_ones_are_refused),
		cmocka_unit_test(wrong_matrices_are_refused_with_their_place),
		cmocka_unit_test(deep_nesting_is_an_error_and_no_crash),
		cmocka_unit_test(odd_names_are_kept_or_refused_but_never_silently),
		cmocka_unit_test(of_duplicate_keys_the_last_counts_at_the_first_place),
		cmocka_unit_test(text_is_no_metric),
		cmocka_unit_test(axes_are_the_scalars_of_the_job_that_are_not_denied),
		cmocka_unit_test(the_commit_may_stand_in_the_path_alone),
		cmocka_unit_test(
			without_a_job_the_path_of_a_result_root_tells_the_axes),
		cmocka_unit_test(a_job_that_is_no_yaml_is_an_error_with_its_place),
		cmocka_unit_test(a_job_with_too_many_values_is_an_error),
		cmocka_unit_test(odd_yaml_is_survived),
		cmocka_unit_test(runs_are_united_in_the_order_of_their_numbers),
		cmocka_unit_test(a_root_without_results_is_an_error),
		cmocka_unit_test(columns_of_one_environment_belong_together),
		cmocka_unit_test(other_axes_can_be_compared),
		cmocka_unit_test(a_group_of_one_says_which_axes_differ),
		cmocka_unit_test(the_same_directory_twice_is_an_error),
		cmocka_unit_test(axes_sort_by_name_and_value_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
