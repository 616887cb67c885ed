/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables, reports, trailers and commits in linear time: see counted.h. */
#include "tests/unit/counted.h"
#include "tests/unit/mail.h"

#define SMALL 800 /* repetitions of a pattern */

#define HEAD                                                                           \
	"From: Robot <robot@example.org>\nSubject: [x] 1122334455: a.b -7% regression\n\n"
#define HEX  "0123456789012345678901234567890123456789"
#define SAYS "kernel test robot noticed a -7.4% regression of a.b on:\n\n"
#define NAMES                                                                          \
	"commit:\n  " HEX                                                              \
	" (\"x\")\n  1122334455667788990011223344556677889900 (\"y\")\n\n"
#define RULE   "---------------- ---------------------------\n"
#define STDDEV "         %stddev     %change         %stddev\n"

static const hostile cases[] = {
	/* clang-format off */
	/* rows */
	{ HEAD, "8888 -7% 8234 a.b\n", "" }, { HEAD, "8888 \302\261 2% -7% 8234 a.b\n", "" },
	{ HEAD, "8888 ", "a.b\n" }, { HEAD, "8888 -7% ", "a.b\n" }, { HEAD, "1:4 -25% ", "a.b\n" },
	{ HEAD, "\302\261 ", "a.b\n" }, { HEAD, "1", " -7% 2 a.b\n" }, { HEAD, "1 -7% 2 ", "\n" },
	{ HEAD, "1 -7% 2 a.", "\n" }, { HEAD, "1 2\na.b\n", "" }, { HEAD, "1e", " 2 a.b\n" },
	{ HEAD, "1:4 -25% :4 a.b\n", "" }, { HEAD, "8888 - a.b\n", "" }, { HEAD, "%", "\n" },
	{ HEAD, "2%pp.self.x ", "\n" }, { HEAD, "1 2%pp.self.x\n", "" }, { HEAD, "new gone n/a ", "\n" },
	/* heads of tables */
	{ HEAD NAMES, "1122334455667788 ", "\n" RULE STDDEV "1 -7% 2 a.b\n" },
	{ HEAD NAMES HEX "\n" RULE, "%stddev %change ", "\n1 -7% 2 a.b\n" },
	{ HEAD, RULE, "" }, { HEAD, STDDEV, "" }, { HEAD, NAMES, "" }, { HEAD, "commit:\n", "" },
	{ HEAD "commit:\n", "  " HEX " (\"x\n", "" }, { HEAD "commit:\n", "  " HEX "\n", "" },
	{ HEAD, "*******************\nbox: 8 threads\n", "" },
	{ HEAD, "a/b/c/d:\n  x/y/z/1\n", "" }, { HEAD, "a/", ":\n  x/y\n" },
	{ HEAD, "a/b:\n  ", "x/y\n" }, { HEAD, "====================\n", "" },
	{ HEAD, "---------------- ", "\n" }, { HEAD, "fail:runs %reproduction fail:runs\n", "" },
	{ HEAD, NAMES HEX "\n" RULE STDDEV "1 -7% 2 a.b\n\n", "" },
	/* plots */
	{ HEAD, "1 +-----------------------+\n", "" }, { HEAD, "| * * O |\n", "" }, { HEAD, "a.b\n\n", "" },
	{ HEAD, "a.b\n 1 ++--------------------+\n", "" }, { HEAD "1 +", "-", "+\n" },
	/* the sentence and the sections */
	{ HEAD, SAYS, "" }, { HEAD, "noticed a ", "\n" }, { HEAD, "noticed a\n", "" },
	{ HEAD, "> " SAYS, "" }, { HEAD, "> " SAYS "> commit: " HEX "\n", "" },
	{ HEAD SAYS, "commit: " HEX " (\"x\n", "" }, { HEAD SAYS, "commit: " HEX " (\"x\")\n", "" },
	{ HEAD SAYS, "testcase: x\n", "" }, { HEAD SAYS, "parameters:\n\n\ta: b\n", "" },
	{ HEAD SAYS "parameters:\n\n", "\ta: b\n", "" }, { HEAD SAYS "parameters:\n\n", "a: b ", "\n" },
	{ HEAD SAYS, "https://example.org/x master\n", "" }, { HEAD SAYS, "url: x\nbase: y\n", "" },
	{ HEAD SAYS, "[still regression on a/b " HEX "]\n", "" },
	{ HEAD SAYS, "| Closes: <a@b>\n", "" }, { HEAD SAYS, "| testcase: change | a.b -7% regression |\n", "" },
	{ HEAD SAYS "In addition to that, the commit also has significant impact on the following tests:\n\n",
	  "+---+---+\n| testcase: change | x: a.b 7% improvement |\n| test parameters | a=b |\n", "" },
	{ HEAD SAYS "In addition to that,\n", "| test parameters | ", "|\n" },
	{ HEAD SAYS "In addition to that,\n", "| | a=b |\n", "" },
	{ HEAD, "We noticed throughput drop in testcase\n", "" },
	{ HEAD, "commit " HEX "\ntestcase x\n", "" }, { HEAD, "> commit: " HEX "\n", "" },
	{ HEAD, "> commit: " HEX "\n> in testcase: x\n", "" },
	{ "Subject: ", "[a/b] 1122334455: a.b -7% ", "\n\n" SAYS }, { "Subject: ", "Re: ", "\n\n" SAYS },
	{ "Subject: [", "a/", "b] 1: x\n\n" SAYS }, { HEAD, "FYI, we noticed a -7% regression of ", "\n" },
	/* collapsed by an archive */
	{ HEAD SAYS, "commit: " HEX " testcase: x test machine: y ", "\n" },
	{ HEAD, "%stddev %change 1 -7% 2 a.b ", "\n" }, { HEAD, "commit: testcase: ", "\n" },
	{ HEAD, "tbox_group: parameters: a: b ", "\n" }, { HEAD, "| Closes: | Link: ", "\n" },
	{ HEAD "commit: testcase: test machine: ", "---------------- ", "\n" },
	{ HEAD "commit: testcase: test machine: ", "1 -7% 2 a.b ", "\n" },
	{ HEAD "commit: testcase: test machine: ", "1 ", "\n" },
	{ HEAD "commit: testcase: test machine: ", "+--------------------+ ", "\n" },
	{ HEAD "commit: testcase: test machine: ", "****** ", "\n" },
	/* trailers and commits */
	{ HEAD, "Fixes: " HEX " (\"x\")\n", "" }, { HEAD, "Fixes: " HEX " (\"x\n", "" },
	{ HEAD, "Reported-by: ", "\n" }, { HEAD "Closes: ", "https://example.org/x ", "\n" },
	{ HEAD, "Link: https://example.org/\n x\n", "" }, { HEAD "Link: ", "\n x", "\n" },
	{ HEAD, "commit 1122334455 ", "\n" }, { HEAD, "1122334455667788 (\"x\")\n", "" },
	{ HEAD, "1122334455667788 (\"", "\n" }, { HEAD, "abcdef1 (\"", "\n" }, { HEAD, "1122334455667788 (\"x\n", "" },
	{ HEAD, "commit\n1122334455667788\n", "" }, { HEAD, "(\"", "\n" },
	{ HEAD, "\n", "x\n" }, { HEAD, " \n", "x\n" }, { HEAD, "\t", "x\n" }, { HEAD, ">\n", "" },
	/* clang-format on */
};

static void read_report(const char *bytes, size_t length)
{
	g_autoptr(parser_mail) mail =
		parser_mail_parse(bytes, length, PARSER_FORM_MAIL, 0, NULL);
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	unsigned plots = 0;

	assert_non_null(mail);
	parser_tables_read(mail, tables, &plots);
	parser_report_free(parser_report_read(mail, tables, NULL, false));
	parser_report_free(parser_report_read(mail, tables, NULL, true));
	g_ptr_array_unref(parser_trailers_read(mail));
	g_ptr_array_unref(parser_commits_read(mail));
}

static void twice_the_report_is_twice_the_work(void **state)
{
	(void)state;
	counted_check(cases, G_N_ELEMENTS(cases), SMALL, read_report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twice_the_report_is_twice_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
