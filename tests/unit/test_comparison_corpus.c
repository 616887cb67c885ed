/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comparer's own tables, byte for byte: $REGTRAIL_CORPUS/compare has matrices and
 * what lkp-tests printed for them.  Skipped when that directory is not there.
 */
#include <glib.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "tests/unit/lists.h"
#include "tests/unit/test.h"

/* A mode of the comparer, and the file that holds its output. */
typedef struct mode {
	const char *file;
	render_options options;
} mode;

static const mode random_modes[] = {
	{ "all.txt", { .compat_lkp = true, .all = true } },
	{ "default.txt", { .compat_lkp = true } },
	{ "more.txt", { .compat_lkp = true, .more = true } },
	{ "perfprofile5.txt",
	  { .compat_lkp = true,
	    .has_profile_threshold = true,
	    .profile_threshold = 5 } },
};

static const mode whole_modes[] = {
	{ "outa.txt", { .compat_lkp = true, .all = true } },
	{ "out.txt", { .compat_lkp = true } },
	{ "outm.txt", { .compat_lkp = true, .more = true } },
	{ "outk.txt", { .compat_lkp = true, .kpi = true } },
	{ "outp5.txt",
	  { .compat_lkp = true,
	    .has_profile_threshold = true,
	    .profile_threshold = 5 } },
};

static char *corpus(void)
{
	const char *given = g_getenv("REGTRAIL_CORPUS");
	const char *source = g_getenv("REGTRAIL_SOURCE");
	char *path = given ? g_build_filename(given, "compare", NULL) :
			     g_build_filename(source ? source : ".", "..", "shared",
					      "corpus", "compare", NULL);

	if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
		g_free(path);
		print_message("no corpus (set REGTRAIL_CORPUS)\n");
		skip();
	}
	return path;
}

static char *read_text(const char *dir, const char *name, gsize *length)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	char *text = NULL;

	if (!g_file_get_contents(path, &text, length, NULL))
		return NULL;
	return text;
}

/* A column from a matrix and the text of a job.yaml. */
static parser_column *load(const char *dir, const char *name, const char *job,
			   const parser_lists *lists)
{
	gsize length = 0;
	g_autofree char *matrix = read_text(dir, name, &length);
	parser_blob blobs[2] = { { "matrix.json", matrix, length },
				 { "job.yaml", job, strlen(job) } };
	g_autoptr(GError) error = NULL;
	parser_column *column = parser_column_from_root(name, blobs, 2, lists, &error);

	if (!column)
		fail_msg("%s/%s: %s", dir, name, error->message);
	return column;
}

/* meta.json of a random case as the job.yaml of its column `i`. */
static char *random_job(const json_t *meta, size_t i)
{
	GString *job = g_string_new("---\n");
	const char *key;
	json_t *value;

	json_object_foreach(json_object_get(meta, "axes"), key, value)
		g_string_append_printf(job, "%s: '%s'\n", key,
				       json_string_value(value));
	g_string_append_printf(
		job, "commit: %s\n",
		json_string_value(json_array_get(json_object_get(meta, "commits"), i)));
	return g_string_free(job, FALSE);
}

static GPtrArray *random_columns(const char *dir, const parser_lists *lists)
{
	GPtrArray *columns =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);
	gsize length = 0;
	g_autofree char *text = read_text(dir, "meta.json", &length);
	json_t *meta = json_loadb(text, length, 0, NULL);

	for (size_t i = 0; i < json_array_size(json_object_get(meta, "commits")); i++) {
		g_autofree char *name = g_strdup_printf("col%zu.json", i);
		g_autofree char *job = random_job(meta, i);

		g_ptr_array_add(columns, load(dir, name, job, lists));
	}
	json_decref(meta);
	return columns;
}

static GPtrArray *whole_columns(const char *dir, const parser_lists *lists)
{
	GPtrArray *columns =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);

	for (size_t i = 0;; i++) {
		g_autofree char *job_name = g_strdup_printf("job.%zu.yaml", i);
		g_autofree char *job = read_text(dir, job_name, NULL);
		g_autofree char *prefix = g_strdup_printf("matrix.%zu.", i);
		GDir *files = g_dir_open(dir, 0, NULL);
		const char *name;

		while ((name = g_dir_read_name(files)) && job)
			if (g_str_has_prefix(name, prefix))
				g_ptr_array_add(columns, load(dir, name, job, lists));
		g_dir_close(files);
		if (!job)
			return columns;
	}
}

/* Compares and says where the first difference is; returns whether it is the same. */
static bool same_output(const char *dir, const mode *m, const parser_comparison *source,
			const parser_lists *lists)
{
	g_autofree char *wanted = read_text(dir, m->file, NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(render_comparison) c =
		render_compare(source, lists, &m->options, &error);
	size_t same = 0;
	char *line;

	if (!wanted)
		return true;
	assert_non_null(c);
	render_comparison_text(c, text);
	if (strcmp(text->str, wanted) == 0)
		return true;
	while (text->str[same] == wanted[same])
		same++;
	while (same > 0 && wanted[same - 1] != '\n')
		same--;
	line = g_strndup(wanted + same, strcspn(wanted + same, "\n"));
	print_message("%s/%s wants:\n%s\n", dir, m->file, line);
	g_free(line);
	line = g_strndup(text->str + same, strcspn(text->str + same, "\n"));
	print_message("but has:\n%s\n", line);
	g_free(line);
	return false;
}

static void run_case(const char *dir, GPtrArray *columns, const mode *modes, size_t n,
		     unsigned *same, const parser_lists *lists)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) groups = parser_comparisons_group(columns, NULL, &error);

	if (!groups)
		fail_msg("%s: %s", dir, error->message);
	assert_int_equal(groups->len, 1);
	for (size_t i = 0; i < n; i++)
		same[i] += same_output(dir, &modes[i], groups->pdata[0], lists);
	g_ptr_array_unref(columns);
}

static void random_cases_are_equal_to_the_byte(void **state)
{
	g_autofree char *root = corpus();
	g_autoptr(parser_lists) lists = test_lists();
	unsigned same[G_N_ELEMENTS(random_modes)] = { 0 }, cases = 0;

	(void)state;
	for (;; cases++) {
		g_autofree char *dir = g_strdup_printf("%s/random/%04u", root, cases);

		if (!g_file_test(dir, G_FILE_TEST_IS_DIR))
			break;
		run_case(dir, random_columns(dir, lists), random_modes,
			 G_N_ELEMENTS(random_modes), same, lists);
	}
	assert_true(cases > 0);
	for (size_t i = 0; i < G_N_ELEMENTS(random_modes); i++)
		print_message("%s: %u of %u\n", random_modes[i].file, same[i], cases);
	assert_int_equal(same[0], cases);
	for (size_t i = 1; i < G_N_ELEMENTS(random_modes); i++)
		assert_true(same[i] * 20 >= cases * 19);
}

static void whole_cases_are_equal_to_the_byte(void **state)
{
	g_autofree char *root = corpus();
	g_autoptr(parser_lists) lists = test_lists();
	unsigned same[G_N_ELEMENTS(whole_modes)] = { 0 }, cases = 0;

	(void)state;
	for (;; cases++) {
		g_autofree char *dir = g_strdup_printf("%s/s%u", root, cases + 1);

		if (!g_file_test(dir, G_FILE_TEST_IS_DIR))
			break;
		run_case(dir, whole_columns(dir, lists), whole_modes,
			 G_N_ELEMENTS(whole_modes), same, lists);
	}
	assert_true(cases > 0);
	for (size_t i = 0; i < G_N_ELEMENTS(whole_modes); i++)
		assert_int_equal(same[i], cases);
}

/* The 15 rows of the frame; blank rows around it differ between gnuplot and mails. */
static char *frame_of(const char *plot)
{
	g_auto(GStrv) lines = g_strsplit(plot, "\n", -1);
	g_autoptr(GString) frame = g_string_new(NULL);

	for (guint i = 3; i < 18 && i < g_strv_length(lines); i++)
		g_string_append_printf(frame, "%s\n", lines[i]);
	return g_string_free(g_steal_pointer(&frame), FALSE);
}

static void a_plot_has_the_frame_that_gnuplot_draws(void **state)
{
	static const char metric[] = "will-it-scale.per_process_ops";
	g_autofree char *root = corpus();
	g_autofree char *dir = g_build_filename(root, "s1", NULL);
	g_autofree char *wanted = read_text(dir, "mmplot.txt", NULL);
	g_autoptr(parser_lists) lists = test_lists();
	g_autoptr(GPtrArray) columns = whole_columns(dir, lists);
	const parser_metric *base = parser_column_find(columns->pdata[0], metric);
	const parser_metric *head = parser_column_find(columns->pdata[1], metric);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *wanted_frame = frame_of(wanted), *frame = NULL;

	(void)state;
	render_plot_text(metric, base->values, base->n, head->values, head->n, true,
			 out);
	frame = frame_of(out->str);
	assert_string_equal(frame, wanted_frame);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_cases_are_equal_to_the_byte),
		cmocka_unit_test(whole_cases_are_equal_to_the_byte),
		cmocka_unit_test(a_plot_has_the_frame_that_gnuplot_draws),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
