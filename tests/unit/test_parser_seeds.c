/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mails as archives and lists left them: three reports collapsed to a line, one with an
 * answer below it, a raw reply, and the text of a web page.  The same is asked of our
 * own files and, where they are at hand, of the mails that these are modelled on.
 */
#include <string.h>

#include "tests/unit/report_mail.h"
#include "tests/unit/test.h"

#define MESSAGES_MAX 4

/* The messages of one file. */
typedef struct file {
	seen messages[MESSAGES_MAX];
	size_t n;
} file;

static bool read_file(const char *path, file *f)
{
	g_autofree char *bytes = NULL;
	gsize length;
	parser_splitter splitter;
	parser_slice slice;

	f->n = 0;
	if (!g_file_get_contents(path, &bytes, &length, NULL))
		return false;
	parser_splitter_init(&splitter, bytes, length);
	while (f->n < MESSAGES_MAX && parser_splitter_next(&splitter, &slice))
		f->messages[f->n++] =
			seen_of(parser_mail_parse(bytes + slice.offset, slice.length,
						  slice.form, slice.index, NULL));
	return true;
}

static void clear_file(file *f)
{
	for (size_t i = 0; i < f->n; i++)
		seen_clear(&f->messages[i]);
	f->n = 0;
}

/* The file of the corpus whose name begins with prefix, or NULL. */
static char *corpus_file(const char *prefix)
{
	const char *corpus = g_getenv("REGTRAIL_CORPUS");
	const char *source = g_getenv("REGTRAIL_SOURCE");
	g_autofree char *folder =
		corpus ? g_build_filename(corpus, "seeds", NULL) :
			 g_build_filename(source ? source : ".", "..", "shared",
					  "corpus", "seeds", NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_prefix(name, prefix))
			return g_build_filename(folder, name, NULL);
	return NULL;
}

typedef void (*check_fn)(const file *f);

/* Checks our own file, and the one it is modelled on if that is there. */
static void check_both(const char *own, const char *prefix, check_fn check)
{
	g_autofree char *path = g_build_filename(TEST_DATA, "report", own, NULL);
	g_autofree char *original = corpus_file(prefix);
	file f;

	assert_true(read_file(path, &f));
	check(&f);
	clear_file(&f);
	if (!original) {
		print_message("no mail %s: only %s was read\n", prefix, own);
		return;
	}
	assert_true(read_file(original, &f));
	check(&f);
	clear_file(&f);
}

static guint count_rows(const seen *s, bool fails)
{
	guint n = 0;

	for (guint t = 0; t < s->tables->len; t++) {
		const parser_table *table = g_ptr_array_index(s->tables, t);

		n += fails ? table->fail_rows->len : table->rows->len;
	}
	return n;
}

static guint count_prefix(const seen *s, const char *prefix)
{
	guint n = 0;

	for (guint t = 0; t < s->tables->len; t++) {
		const parser_table *table = g_ptr_array_index(s->tables, t);

		for (guint i = 0; i < table->rows->len; i++)
			n += g_str_has_prefix(seen_row(s, t, i)->metric, prefix);
	}
	return n;
}

static void check_commit(const parser_report *r, const char *commit,
			 const char *subject)
{
	assert_non_null(r);
	assert_string_equal(r->commit, commit);
	assert_string_equal(r->commit_subject, subject);
}

static void check_regression(const file *f)
{
	const seen *s = &f->messages[0], *answer = &f->messages[1];
	const parser_report *r = s->report;
	const parser_row *row;

	assert_int_equal(f->n, 2);
	check_commit(r, "625ed2bf049d5a352c1bcca962d6e133454eaaff",
		     "sched/cfs: Make util/load_avg more stable");
	assert_int_equal(r->kind, PARSER_KIND_REGRESSION);
	assert_string_equal(r->metric, "unixbench.score");
	assert_near(r->change_percent, -7.4, 1e-9);
	assert_int_equal(r->sign, PARSER_SIGN_ROW);
	assert_string_equal(r->tree, "linux-next");
	assert_string_equal(r->branch, "master");
	assert_string_equal(r->machine, "88 threads Intel(R) Xeon(R) CPU E5-2699 v4 @ "
					"2.20GHz with 64G memory");
	assert_int_equal(r->parameters->len, 4);
	assert_string_equal(parser_pairs_get(r->parameters, "runtime"), "300s");
	assert_string_equal(parser_pairs_get(r->parameters, "nr_task"), "100%");
	assert_string_equal(parser_pairs_get(r->parameters, "test"), "spawn");
	assert_string_equal(parser_pairs_get(r->parameters, "cpufreq_governor"),
			    "performance");
	assert_int_equal(count_rows(s, false), 43);
	assert_int_equal(s->plots, 8);
	row = seen_row(s, 0, 0);
	assert_string_equal(row->metric, "unixbench.score");
	assert_near(row->cells[0].mean, 8888, 0);
	assert_near(row->cells[1].mean, 8234, 0);
	assert_string_equal(seen_row(s, 0, 42)->metric, "perf-stat.node-loads");

	assert_null(answer->report);
	check_commit(answer->quoted, "625ed2bf049d5a352c1bcca962d6e133454eaaff",
		     "sched/cfs: Make util/load_avg more stable");
	assert_int_equal(answer->quoted->parameters->len, 4);
	assert_int_equal(count_rows(answer, false), 7);
	assert_int_equal(count_prefix(answer, "perf-profile."), 5);
	assert_int_equal(count_prefix(answer, "sched_debug."), 2);
	assert_int_equal(answer->plots, 0);
}

static void a_collapsed_regression_and_its_answer(void **state)
{
	(void)state;
	check_both("collapsed-regression.txt", "000_", check_regression);
}

static void check_improvement(const file *f)
{
	const seen *s = &f->messages[0];

	assert_int_equal(f->n, 1);
	check_commit(s->report, "5462bc3a9a3c38328bbbd276d51164c7cf21d6a8",
		     "x86/mm/tlb: Always use lazy TLB mode");
	assert_int_equal(s->report->kind, PARSER_KIND_IMPROVEMENT);
	assert_near(s->report->change_percent, 7.0, 1e-9);
	assert_string_equal(s->report->metric, "unixbench.score");
	assert_int_equal(count_rows(s, true), 8);
	assert_int_equal(count_rows(s, false), 82);
	assert_int_equal(s->plots, 1);
}

static void a_collapsed_improvement(void **state)
{
	(void)state;
	check_both("collapsed-improvement.txt", "001_", check_improvement);
}

static void check_patch(const file *f)
{
	const seen *s = &f->messages[0];
	const parser_table *table = g_ptr_array_index(s->tables, 0);

	assert_int_equal(f->n, 1);
	check_commit(
		s->report, "9824134a551e01246f3cb34287609db5d0d4f514",
		"sched: limit cpu search and rotate search window for scalability");
	assert_near(s->report->change_percent, 85.7, 1e-9);
	assert_string_equal(s->report->metric, "hackbench.throughput");
	assert_true(
		g_str_has_prefix(s->report->url, "https://github.com/0day-ci/linux/"));
	assert_null(s->report->tree);
	assert_int_equal(count_rows(s, false), 32);
	assert_int_equal(s->plots, 2);
	/* the head of its table is another test's: both are kept */
	assert_string_equal(s->report->testcase, "hackbench");
	assert_true(g_str_has_prefix(s->report->machine, "192 threads"));
	assert_string_equal(parser_pairs_get(table->axes, "testcase"), "netperf");
	assert_string_equal(table->machine, "lkp-bdw-de1");
	assert_int_equal(s->report->warnings->len, 1);
}

static void a_collapsed_report_on_a_patch(void **state)
{
	(void)state;
	check_both("collapsed-patch.txt", "002_", check_patch);
}

static void check_raw_reply(const file *f)
{
	const seen *s = &f->messages[0];

	assert_int_equal(f->n, 1);
	assert_null(s->report);
	check_commit(s->quoted, "e0c2ff903c320d3fd3c2c604dc401b3b7c0a1d13",
		     "sched/fair: Remove sched_feat(START_DEBIT)");
	assert_near(s->quoted->change_percent, -34.8, 1e-9);
	assert_string_equal(s->quoted->metric,
			    "phoronix-test-suite.blogbench.Write.final_score");
	assert_string_equal(s->quoted->tree, "tip");
	assert_string_equal(s->quoted->branch, "sched/eevdf");
	assert_int_equal(s->quoted->parameters->len, 3);
}

static void a_raw_reply(void **state)
{
	(void)state;
	check_both("raw-reply.eml", "003_", check_raw_reply);
}

static void check_page_reply(const file *f)
{
	const seen *s = &f->messages[0];
	const parser_impact *fio, *aim7;

	assert_int_equal(f->n, 1);
	assert_null(s->report);
	check_commit(s->quoted, "10a59003d29fbfa855b2ef4f3534fee9bdf4e575",
		     "[PATCH v2 5/5] locking/rwsem: Remove reader optimistic spinning");
	assert_near(s->quoted->change_percent, -25.5, 1e-9);
	assert_true(g_str_has_suffix(
		s->quoted->base, "tip.git 932f8c64d38bb08f69c8c26a2216ba0c36c6daa8"));
	assert_int_equal(s->quoted->impacts->len, 2);
	fio = g_ptr_array_index(s->quoted->impacts, 0);
	assert_string_equal(fio->testcase, "fio-basic");
	assert_string_equal(fio->metric, "fio.write_iops");
	assert_near(fio->change_percent, -29.9, 1e-9);
	assert_true(g_str_has_prefix(fio->machine, "192 threads"));
	assert_int_equal(fio->parameters->len, 10);
	aim7 = g_ptr_array_index(s->quoted->impacts, 1);
	assert_string_equal(aim7->metric, "aim7.jobs-per-min");
	assert_near(aim7->change_percent, 952.6, 1e-9);
	assert_int_equal(aim7->kind, PARSER_KIND_IMPROVEMENT);
	assert_int_equal(aim7->parameters->len, 7);
}

static void the_text_of_a_web_page(void **state)
{
	(void)state;
	check_both("page-reply.txt", "004_", check_page_reply);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_collapsed_regression_and_its_answer),
		cmocka_unit_test(a_collapsed_improvement),
		cmocka_unit_test(a_collapsed_report_on_a_patch),
		cmocka_unit_test(a_raw_reply),
		cmocka_unit_test(the_text_of_a_web_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
