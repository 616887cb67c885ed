/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "tests/unit/report_mail.h"
#include "tests/unit/test.h"

#define HEAD                                                                           \
	"0123456789abcdef fedcba9876543210fedcba98765 \n"                              \
	"---------------- --------------------------- \n"                              \
	"         %stddev     %change         %stddev\n"                               \
	"             \\          |                \\  \n"
#define OLD_HEAD                                                                       \
	"0123456789abcdef  fedcba9876543210fedcba9876\n"                               \
	"----------------  --------------------------\n"                               \
	"         %stddev      change         %stddev\n"                               \
	"             \\          |                \\\n"

/* NAN stands for a blank. */
static void check_cell(const parser_cell *cell, double mean, double stddev,
		       const char *change_text)
{
	assert_int_equal(cell->has_mean, !isnan(mean));
	if (!isnan(mean))
		assert_near(cell->mean, mean, fabs(mean) * 1e-9);
	assert_int_equal(cell->has_stddev, !isnan(stddev));
	if (!isnan(stddev))
		assert_near(cell->stddev_percent, stddev, 1e-9);
	if (change_text)
		assert_string_equal(cell->change_text, change_text);
	else
		assert_null(cell->change_text);
}

static void every_cell_of_a_row_is_read(void **state)
{
	(void)state;
	seen s = see_robot(
		"x", HEAD " 2.656e+09 \302\261  5%     -11.1%  2.362e+09 \302\261167%  "
			  "hackbench.time.involuntary_context_switches\n"
			  "      1.00 \302\261 11%      +0.9        1.91            "
			  "mpstat.cpu.idle%\n");
	const parser_row *row = seen_row(&s, 0, 0);

	assert_string_equal(row->metric, "hackbench.time.involuntary_context_switches");
	assert_int_equal(row->n_cells, 2);
	check_cell(&row->cells[0], 2.656e9, 5, NULL);
	check_cell(&row->cells[1], 2.362e9, 167, "-11.1%");
	assert_near(row->cells[1].change, -11.1, 1e-9);
	assert_int_equal(row->cells[1].unit, PARSER_UNIT_PERCENT);
	row = seen_row(&s, 0, 1);
	check_cell(&row->cells[1], 1.91, NAN, "+0.9");
	assert_int_equal(row->cells[1].unit, PARSER_UNIT_POINTS);
	seen_clear(&s);
}

static void the_plus_minus_sign_is_known_in_every_form(void **state)
{
	static const char *const signs[] = { "\302\261",    "\304\205",
					     "+-",          "~",
					     "A+-",         "\303\202\302\261",
					     "\357\277\275" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
		g_autofree char *body = g_strdup_printf(
			"%s      4.26 %s  7%%     +31.0%%       5.58 %s12%%  a.metric\n",
			HEAD, signs[i], signs[i]);
		seen s = see_robot("x", body);
		const parser_row *row = seen_row(&s, 0, 0);

		check_cell(&row->cells[0], 4.26, 7, NULL);
		check_cell(&row->cells[1], 5.58, 12, "+31.0%");
		seen_clear(&s);
	}
}

static void a_lost_sign_is_told_from_a_change(void **state)
{
	(void)state;
	seen s = see_robot("x", HEAD
			   "  0.11   6%      +0.1        0.16   4%  perf-profile.a\n"
			   "  0.00            +0.1        0.06   6%  perf-profile.b\n");

	check_cell(&seen_row(&s, 0, 0)->cells[0], 0.11, 6, NULL);
	check_cell(&seen_row(&s, 0, 0)->cells[1], 0.16, 4, "+0.1");
	check_cell(&seen_row(&s, 0, 1)->cells[0], 0.00, NAN, NULL);
	check_cell(&seen_row(&s, 0, 1)->cells[1], 0.06, 6, "+0.1");
	seen_clear(&s);
}

static void changes_without_plus_sign_and_blank_ones_are_read(void **state)
{
	(void)state;
	seen s = see_robot(
		"x", OLD_HEAD
		"      8888              -7%       8234        unixbench.score\n"
		"     11626              31%      15267        unixbench.time\n"
		"     94622                       96223        vmstat.system.in\n"
		"      6000 \304\205 57%      1e+04      19033 \304\205 58%  "
		"latency_stats.sum.a.b\n"
		"    715117 \304\205 58%     -4e+05     300172 \304\205 12%  "
		"latency_stats.sum.c.d\n"
		" 9.788e+09              -9%  8.927e+09 \304\205  3%  perf-stat.x\n");

	check_cell(&seen_row(&s, 0, 0)->cells[1], 8234, NAN, "-7%");
	check_cell(&seen_row(&s, 0, 1)->cells[0], 11626, NAN, NULL);
	check_cell(&seen_row(&s, 0, 1)->cells[1], 15267, NAN, "31%");
	check_cell(&seen_row(&s, 0, 2)->cells[1], 96223, NAN, NULL);
	assert_false(seen_row(&s, 0, 2)->cells[1].has_change);
	check_cell(&seen_row(&s, 0, 3)->cells[0], 6000, 57, NULL);
	check_cell(&seen_row(&s, 0, 3)->cells[1], 19033, 58, "1e+04");
	assert_int_equal(seen_row(&s, 0, 3)->cells[1].unit, PARSER_UNIT_ABSOLUTE);
	check_cell(&seen_row(&s, 0, 4)->cells[1], 300172, 12, "-4e+05");
	check_cell(&seen_row(&s, 0, 5)->cells[1], 8.927e9, 3, "-9%");
	seen_clear(&s);
}

static void rows_of_2014_say_total_and_inf(void **state)
{
	(void)state;
	seen s = see_robot(
		"x", "012345678901234  fedcba9876543210fedcba987\n"
		     "---------------  -------------------------\n"
		     "   347258 ~ 0%     -18.2%     284195 ~ 0%  TOTAL vm.a\n"
		     "     0.00           +Inf%       0.94 ~ 7%  TOTAL perf.b\n"
		     "          ~ 1%      -3.6%            ~ 1%  TOTAL turbostat.W\n"
		     "     0.00         +1e+104%       0.30        TOTAL perf.c\n");

	assert_string_equal(seen_row(&s, 0, 0)->metric, "vm.a");
	check_cell(&seen_row(&s, 0, 1)->cells[1], 0.94, 7, "+Inf%");
	assert_false(seen_row(&s, 0, 1)->cells[1].has_change);
	check_cell(&seen_row(&s, 0, 2)->cells[0], NAN, 1, NULL);
	check_cell(&seen_row(&s, 0, 2)->cells[1], NAN, 1, "-3.6%");
	assert_near(seen_row(&s, 0, 3)->cells[1].change, 1e104, 1e95);
	seen_clear(&s);
}

static void failures_are_counted_apart(void **state)
{
	(void)state;
	seen s = see_robot(
		"x", "0123456789abcdef fedcba9876543210fedcba98765 \n"
		     "---------------- --------------------------- \n"
		     "       fail:runs  %reproduction    fail:runs\n"
		     "           |             |             |    \n"
		     "           1:4          -25%            :4     dmesg.RIP:f\n"
		     "            :60         105%          63:111   dmesg.BUG:g\n");
	const parser_table *table = g_ptr_array_index(s.tables, 0);
	const parser_fail_row *row;

	assert_int_equal(table->rows->len, 0);
	assert_int_equal(table->fail_rows->len, 2);
	row = g_ptr_array_index(table->fail_rows, 0);
	assert_string_equal(row->metric, "dmesg.RIP:f");
	assert_near(row->cells[0].fails, 1, 0);
	assert_near(row->cells[0].runs, 4, 0);
	assert_false(row->cells[0].has_reproduction);
	assert_near(row->cells[1].fails, 0, 0);
	assert_near(row->cells[1].reproduction, -25, 0);
	row = g_ptr_array_index(table->fail_rows, 1);
	assert_near(row->cells[1].fails, 63, 0);
	assert_near(row->cells[1].runs, 111, 0);
	seen_clear(&s);
}

static void a_table_may_have_many_columns(void **state)
{
	(void)state;
	seen s = see(
		"From: A <a@example.org>\nSubject: Re: x\n",
		"commit: \n  0123456789 (\"one\")\n  fedcba9876 (\"two (2)\")\n"
		"  aaaaaaaaaa <---- with a fix\n\n"
		"0123456789abcdef fedcba9876543210fedcba98765 aaaaaaaaaa3210fedcba9876543 \n"
		"---------------- --------------------------- --------------------------- \n"
		"         %stddev     %change         %stddev     %change         %stddev\n"
		"     15722           -69.5%       4792           -40.8%       9300 "
		"\302\261  3%  netperf.Throughput_Mbps\n"
		"      0.00            +0.3        0.26 \302\261  5%      +0.5        0.51 "
		"\302\261  2%pp.self.charge\n");
	const parser_table *table = g_ptr_array_index(s.tables, 0);
	const parser_table_column *column = g_ptr_array_index(table->columns, 1);

	assert_int_equal(table->columns->len, 3);
	assert_string_equal(column->id, "fedcba9876543210fedcba98765");
	assert_string_equal(column->subject, "two (2)");
	assert_int_equal(seen_row(&s, 0, 0)->n_cells, 3);
	check_cell(&seen_row(&s, 0, 0)->cells[2], 9300, 3, "-40.8%");
	assert_string_equal(seen_row(&s, 0, 1)->metric, "pp.self.charge");
	check_cell(&seen_row(&s, 0, 1)->cells[2], 0.51, 2, "+0.5");
	assert_null(s.report);
	seen_clear(&s);
}

static void axes_and_machines_head_their_tables(void **state)
{
	(void)state;
	seen s = see_robot(
		"x",
		"=========================================================\n"
		"compiler/disk/fs2/fs/tbox_group/testcase:\n"
		"  gcc-12/1HDD/nfsv4/btrfs/box-1/fsmark\n\n"
		"commit: \n  0123456789 (\"one\")\n  fedcba9876 (\"two\")\n\n" HEAD
		"      1.00           +50.0%       1.50        fsmark.app_overhead\n\n"
		"*********************************************************\n"
		"box-2: 64 threads 2 sockets Example CPU with 128G memory\n"
		"=========================================================\n"
		"compiler/tbox_group/testcase:\n  gcc-12/box-2/aim7\n\n" HEAD
		"      2.00           +50.0%       3.00        aim7.jobs-per-min\n");
	const parser_table *first = g_ptr_array_index(s.tables, 0);
	const parser_table *second = g_ptr_array_index(s.tables, 1);

	assert_int_equal(s.tables->len, 2);
	assert_string_equal(first->machine, "box-1");
	assert_string_equal(parser_pairs_get(first->axes, "fs"), "btrfs");
	assert_string_equal(second->machine,
			    "64 threads 2 sockets Example CPU with 128G memory");
	assert_string_equal(parser_pairs_get(second->axes, "testcase"), "aim7");
	seen_clear(&s);
}

static void quoted_rows_are_a_table_of_their_own(void **state)
{
	(void)state;
	seen s = see("From: A <a@example.org>\nSubject: Re: x\n",
		     "Bob wrote:\n>   8.00 \302\261  3%     +56.8%   12.54        h.a\n"
		     "> \n"
		     "What I get here is\n\n"
		     "    8.00            +1.0%       8.08        h.a\n");
	const parser_table *first = g_ptr_array_index(s.tables, 0);
	const parser_table *second = g_ptr_array_index(s.tables, 1);

	assert_int_equal(s.tables->len, 2);
	assert_true(first->quoted);
	assert_false(second->quoted);
	seen_clear(&s);
}

static void a_broken_row_gets_its_metric_back(void **state)
{
	(void)state;
	seen s = see("From: A <a@example.org>\nSubject: Re: x\n",
		     "> 0123456789abcdef fedcba9876543210fedcba98765\n"
		     "> ---------------- ---------------------------\n"
		     ">      29.00 \302\261  8%    +212.1%      90.50 \302\261  3% \n"
		     "> filebench.time.percent_of_cpu\n"
		     ">       4.81 \302\261  2%   +1038.4%      54.78        a.b\n");

	assert_string_equal(seen_row(&s, 0, 0)->metric,
			    "filebench.time.percent_of_cpu");
	check_cell(&seen_row(&s, 0, 0)->cells[1], 90.5, 3, "+212.1%");
	assert_string_equal(seen_row(&s, 0, 1)->metric, "a.b");
	seen_clear(&s);
}

static void a_remark_behind_a_metric_does_no_harm(void **state)
{
	(void)state;
	seen s = see_robot("x", HEAD "      6.40            +0.0%       6.40        "
				     "fsmark.files_per_sec     <-------- (a)\n");

	assert_string_equal(seen_row(&s, 0, 0)->metric, "fsmark.files_per_sec");
	seen_clear(&s);
}

static void plots_are_counted_and_give_no_rows(void **state)
{
	(void)state;
	seen s = see_robot(
		"x", HEAD
		"      1.00           +50.0%       1.50        fsmark.app_overhead\n\n\n"
		"                         fsmark.app_overhead\n\n"
		"  350 +-+-------------------------------------------------+\n"
		"      |    O    O   O                                     |\n"
		"  300 +-+   .+..+.                                        |\n"
		"  250 O+O--O--O-------------------------------------------+\n\n\n"
		"                         fsmark.files_per_sec\n\n"
		"  2e+06 ++------------------------------------*-*--------+\n"
		"  1e+06 ++-----------------------------------------------+\n\n"
		"\t[*] bisect-good sample\n\t[O] bisect-bad  sample\n");
	const parser_table *table = g_ptr_array_index(s.tables, 0);

	assert_int_equal(s.plots, 2);
	assert_int_equal(s.tables->len, 1);
	assert_int_equal(table->rows->len, 1);
	seen_clear(&s);
}

static void prose_with_numbers_is_no_table(void **state)
{
	(void)state;
	seen s = see("From: A <a@example.org>\nSubject: Re: x\n",
		     "I ran it 3 times and saw 5% less on page_fault1.threads.\n"
		     "12 34 foo.bar is what the box is called.\n"
		     "5.14 6.1 linux.git\n10% 20% some.metric\n"
		     "1. perf.data is attached\n2 x.y\n");

	assert_int_equal(s.tables->len, 0);
	seen_clear(&s);
}

static void collapsed_text_is_a_table_again(void **state)
{
	static const struct {
		const char *file;
		guint rows, fails, plots, columns;
		const char *first, *last;
	} cases[] = {
		{ "collapsed-regression.txt", 50, 0, 8, 2, "unixbench.score",
		  "perf-profile.calltrace.cycles-pp._raw_write_lock_irq.copy_process._do_"
		  "fork.sys_clone.do_syscall_64" },
		{ "collapsed-improvement.txt", 82, 8, 1, 2, "unixbench.score",
		  "perf-profile.self.cycles-pp.current_time" },
		{ "collapsed-patch.txt", 32, 0, 2, 2, "hackbench.throughput",
		  "cpuidle.C1E.usage" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		seen s = see_file(cases[i].file);
		guint rows = 0, fails = 0;

		for (guint t = 0; t < s.tables->len; t++) {
			const parser_table *table = g_ptr_array_index(s.tables, t);

			rows += table->rows->len;
			fails += table->fail_rows->len;
		}
		const parser_table *first = g_ptr_array_index(s.tables, 0);
		const parser_table *last =
			g_ptr_array_index(s.tables, s.tables->len - 1);
		const parser_row *end =
			g_ptr_array_index(last->rows, last->rows->len - 1);

		assert_int_equal(rows, cases[i].rows);
		assert_int_equal(fails, cases[i].fails);
		assert_int_equal(s.plots, cases[i].plots);
		assert_int_equal(first->columns->len, cases[i].columns);
		assert_string_equal(seen_row(&s, 0, 0)->metric, cases[i].first);
		assert_string_equal(end->metric, cases[i].last);
		seen_clear(&s);
	}
}

static void a_collapsed_plot_without_title_leaves_the_row_before_it(void **state)
{
	(void)state;
	g_autoptr(GString) body = g_string_new("");

	while (body->len < 400)
		g_string_append(body, "8.00 -5% 7.60 a.metric ");
	g_string_append(
		body, "2.5 ++--------------------+ | O O | 1 ++--------------------+");
	seen s = see_robot("x", body->str);
	const parser_table *table = g_ptr_array_index(s.tables, 0);

	assert_int_equal(s.plots, 1);
	assert_int_equal(table->rows->len, 18);
	seen_clear(&s);
}

static void collapsed_cells_are_those_of_the_lines(void **state)
{
	(void)state;
	seen s = see_file("collapsed-regression.txt");

	check_cell(&seen_row(&s, 0, 0)->cells[0], 8888, NAN, NULL);
	check_cell(&seen_row(&s, 0, 0)->cells[1], 8234, NAN, "-7%");
	for (guint i = 0; i < 43; i++) {
		const parser_row *row = seen_row(&s, 0, i);

		assert_int_equal(row->n_cells, 2);
		if (strcmp(row->metric, "vmstat.system.in") == 0)
			check_cell(&row->cells[1], 96223, NAN, NULL);
		if (g_str_has_prefix(row->metric, "latency_stats.sum.call_rwsem"))
			check_cell(&row->cells[1], 19033, 58, "1e+04");
		if (strcmp(row->metric, "perf-stat.node-loads") == 0)
			assert_int_equal(i, 42);
	}
	seen_clear(&s);
}

/* Quadratic work on any of these would outlast the test's time limit by far. */
static void hostile_text_takes_its_share_of_time_only(void **state)
{
	static const char *const pieces[] = {
		"abcdefabcdef ",
		"1 ",
		"% ",
		"1 2% ",
		"---------------- ",
		"| ",
		"+- ",
		"a.b ",
		"1:2 ",
		"> ",
		"commit: ",
		"\302\261 ",
		"2e9 ++------------------+ ",
		"kernel test robot noticed a 1% regression of a.b on:\n\n",
		"kernel test robot noticed a 1%\n",
		"0123456789 (\"a\n",
		"| testcase: change |\n",
		"1 +1% 2 a.b\n",
		"**********************\n",
		"a/b/testcase:\n",
		": ",
		"Fixes:\n",
		"---------------- ----------------\n",
		"parameters:\na: b\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++) {
		g_autoptr(GString) body = g_string_new(NULL);

		while (body->len < (1u << 18))
			g_string_append(body, pieces[i]);
		seen s = see_robot("x", body->str);
		seen_clear(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_of_a_row_is_read),
		cmocka_unit_test(the_plus_minus_sign_is_known_in_every_form),
		cmocka_unit_test(a_lost_sign_is_told_from_a_change),
		cmocka_unit_test(changes_without_plus_sign_and_blank_ones_are_read),
		cmocka_unit_test(rows_of_2014_say_total_and_inf),
		cmocka_unit_test(failures_are_counted_apart),
		cmocka_unit_test(a_table_may_have_many_columns),
		cmocka_unit_test(axes_and_machines_head_their_tables),
		cmocka_unit_test(quoted_rows_are_a_table_of_their_own),
		cmocka_unit_test(a_broken_row_gets_its_metric_back),
		cmocka_unit_test(a_remark_behind_a_metric_does_no_harm),
		cmocka_unit_test(plots_are_counted_and_give_no_rows),
		cmocka_unit_test(prose_with_numbers_is_no_table),
		cmocka_unit_test(collapsed_text_is_a_table_again),
		cmocka_unit_test(
			a_collapsed_plot_without_title_leaves_the_row_before_it),
		cmocka_unit_test(collapsed_cells_are_those_of_the_lines),
		cmocka_unit_test(hostile_text_takes_its_share_of_time_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
