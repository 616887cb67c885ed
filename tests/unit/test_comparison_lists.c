/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>

#include "tests/unit/lists.h"
#include "tests/unit/test.h"

static parser_lists *one(const char *text)
{
	parser_lists *lists = parser_lists_new();

	assert_true(parser_lists_add(lists, "l", text, strlen(text), NULL));
	return lists;
}

static void patterns_match_the_whole_name(void **state)
{
	static const struct {
		const char *pattern, *name;
		bool matches;
	} cases[] = {
		{ "vmstat.system.cs", "vmstat.system.cs", true },
		{ "vmstat.system.cs", "vmstat.system.csw", false },
		{ "vmstat.system.cs", "vmstat.system", false },
		{ "vmstat.*", "vmstat.", true },
		{ "vmstat.*", "vmstat", false },
		{ "*latency*", "latency", true },
		{ "*latency*", "a.latency_us", true },
		{ "*.time.*", "x.time.y.time.z", true },
		{ "*.us", "a.us.b.us", true },
		{ "*.us", "a.us.b.usx", false },
		{ "a?c", "abc", true },
		{ "a?c", "ac", false },
		{ "C[0-9]*", "C6%", true },
		{ "C[0-9]*", "Cx", false },
		{ "[!a-c]x", "dx", true },
		{ "[!a-c]x", "bx", false },
		{ "[]]x", "]x", true },
		{ "a*b*c", "a1b2b3c", true },
		{ "a*b*c", "a1b2b3", false },
		{ "*", "", true },
		{ "dmesg.CPU##stuck", "dmesg.CPU##stuck", true },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(parser_lists) lists = one(cases[i].pattern);

		if (parser_lists_match(lists, "l", cases[i].name) != cases[i].matches)
			fail_msg("'%s' against '%s'", cases[i].pattern, cases[i].name);
	}
}

static void the_first_matching_line_gives_the_value(void **state)
{
	g_autoptr(parser_lists) lists = one("# senses\n"
					    "fio.*lat* less # in microseconds\n"
					    "fio.*\tmore\n"
					    "*  neither of them \n");

	(void)state;
	assert_string_equal(parser_lists_value(lists, "l", "fio.read_lat"), "less");
	assert_string_equal(parser_lists_value(lists, "l", "fio.read_iops"), "more");
	assert_string_equal(parser_lists_value(lists, "l", "x"), "neither of them");
	assert_null(parser_lists_value(lists, "other", "x"));
}

static void a_list_of_the_same_name_replaces_the_old_one(void **state)
{
	g_autoptr(parser_lists) lists = one("old");

	(void)state;
	assert_true(parser_lists_add(lists, "l", "new", 3, NULL));
	assert_false(parser_lists_match(lists, "l", "old"));
	assert_true(parser_lists_match(lists, "l", "new"));
}

static void a_bad_line_is_named_and_changes_nothing(void **state)
{
	g_autoptr(parser_lists) lists = one("kept");
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_false(parser_lists_add(lists, "l", "fine\nbro[ken\n", 13, &error));
	assert_true(g_error_matches(error, PARSER_ERROR, PARSER_ERROR_SYNTAX));
	assert_string_equal(error->message, "list l, line 2: class without ]");
	assert_true(parser_lists_match(lists, "l", "kept"));
	g_clear_error(&error);
	assert_false(parser_lists_add(lists, "l", "a\0b", 3, &error));
	assert_non_null(strstr(error->message, "NUL byte at offset 1"));
}

/* Backtracking would need longer than the age of the universe for this one. */
static void many_stars_take_linear_time(void **state)
{
	g_autoptr(GString) pattern = g_string_new(NULL), name = g_string_new(NULL);
	g_autoptr(parser_lists) lists = NULL;

	(void)state;
	for (int i = 0; i < 100; i++)
		g_string_append(pattern, "*a");
	g_string_append_c(pattern, 'b');
	for (int i = 0; i < 100000; i++)
		g_string_append_c(name, 'a');
	lists = one(pattern->str);
	assert_false(parser_lists_match(lists, "l", name->str));
}

static void a_sense_is_more_less_or_unknown(void **state)
{
	static const char good[] = "a more\nb less\n# c\n\nd unknown # yet\n";
	g_autoptr(parser_lists) lists = parser_lists_new();
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(parser_lists_add(lists, "sense", good, strlen(good), NULL));
	assert_int_equal(parser_lists_sense(lists, "d"), PARSER_SENSE_UNKNOWN);
	assert_false(parser_lists_add(lists, "sense", "# x\na mor\n", 10, &error));
	assert_true(g_error_matches(error, PARSER_ERROR, PARSER_ERROR_SYNTAX));
	assert_string_equal(error->message,
			    "list sense, line 2: neither more, less nor unknown: mor");
	g_clear_error(&error);
	assert_false(parser_lists_add(lists, "sense", "a", 1, &error));
	assert_int_equal(parser_lists_sense(lists, "a"), PARSER_SENSE_MORE);
}

static void the_built_in_senses_know_common_benchmarks(void **state)
{
	static const struct {
		const char *metric;
		parser_sense sense;
	} cases[] = {
		{ "unixbench.score", PARSER_SENSE_MORE },
		{ "unixbench.throughput", PARSER_SENSE_MORE },
		{ "aim7.jobs-per-min", PARSER_SENSE_MORE },
		{ "reaim.jobs_per_min", PARSER_SENSE_MORE },
		{ "fio.write_iops", PARSER_SENSE_MORE },
		{ "fio.read_bw_MBps", PARSER_SENSE_MORE },
		{ "fio.read_clat_mean_us", PARSER_SENSE_LESS },
		{ "will-it-scale.per_process_ops", PARSER_SENSE_MORE },
		{ "will-it-scale.time.elapsed_time", PARSER_SENSE_LESS },
		{ "fsmark.app_overhead", PARSER_SENSE_LESS },
		{ "fsmark.files_per_sec", PARSER_SENSE_MORE },
		{ "hackbench.throughput", PARSER_SENSE_MORE },
		{ "stress-ng.fork.ops_per_sec", PARSER_SENSE_MORE },
		{ "phoronix-test-suite.pgbench.BufferTest.tps", PARSER_SENSE_MORE },
		{ "phoronix-test-suite.compile-bench.seconds", PARSER_SENSE_LESS },
		{ "netperf.Throughput_total_tps", PARSER_SENSE_MORE },
		{ "kbuild.buildtime_per_iteration", PARSER_SENSE_LESS },
		{ "adrestia.wakeup_cost_periodic_us", PARSER_SENSE_LESS },
		{ "filebench.sum_operations/s", PARSER_SENSE_MORE },
		{ "vm-scalability.throughput", PARSER_SENSE_MORE },
		{ "pmbench.latency.ns.average", PARSER_SENSE_LESS },
		{ "redis.get_total_throughput_rps", PARSER_SENSE_MORE },
		{ "sysbench-fileio.write_operations/s", PARSER_SENSE_MORE },
		{ "iperf.tcp.receiver.bps", PARSER_SENSE_MORE },
		{ "iozone.average_KBps", PARSER_SENSE_MORE },
		{ "fxmark.ssd_ext4_dbench_client_72.works/sec", PARSER_SENSE_MORE },
		{ "meminfo.Active", PARSER_SENSE_UNKNOWN },
		{ "perf-profile.self.cycles-pp.x", PARSER_SENSE_UNKNOWN },
		{ "nobody-knows.this", PARSER_SENSE_UNKNOWN },
	};
	g_autoptr(parser_lists) lists = test_lists();

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		if (parser_lists_sense(lists, cases[i].metric) != cases[i].sense)
			fail_msg("sense of %s", cases[i].metric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match_the_whole_name),
		cmocka_unit_test(the_first_matching_line_gives_the_value),
		cmocka_unit_test(a_list_of_the_same_name_replaces_the_old_one),
		cmocka_unit_test(a_bad_line_is_named_and_changes_nothing),
		cmocka_unit_test(many_stars_take_linear_time),
		cmocka_unit_test(a_sense_is_more_less_or_unknown),
		cmocka_unit_test(the_built_in_senses_know_common_benchmarks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
