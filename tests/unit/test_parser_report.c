/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "tests/unit/report_mail.h"
#include "tests/unit/test.h"

#define HASH "0123456789abcdef0123456789abcdef01234567"
#define TABLE(change, metric)                                                          \
	"\n0123456789abcdef 0123456789abcdef0123456789a \n"                            \
	"---------------- --------------------------- \n"                              \
	"         %stddev     %change         %stddev\n"                               \
	"      100.00          " change "      200.00        " metric "\n"

/* A report in today's form. */
static const char g6[] =
	"\n\nHello,\n\n"
	"kernel test robot noticed a 12.5% regression of unixbench.score on:\n\n\n"
	"commit: " HASH " (\"sched: Count (\"twice\") (v2)\")\n"
	"https://git.example.org/cgit/linux/kernel/git/next/linux-next.git master\n\n"
	"[test failed on linus/master      aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd]\n"
	"[still regression on linux-next/master bbbbbbbbbbaaaaaaaaaaccccccccccdddddddddd]\n"
	"\ntestcase: unixbench\nconfig: x86_64-rhel-9.4\ncompiler: gcc-12\n"
	"test machine: 64 threads 2 sockets Example CPU (Lake) with 256G memory\n"
	"parameters:\n\n"
	"\truntime: 300s\n\tnr_task: 100%\n\toption_a: Sequential Write\n\tempty:\n\n\n"
	"In addition to that, the commit also has significant impact on the following "
	"tests:\n\n"
	"+------------------+-------------------------------------------------------+\n"
	"| testcase: change | fsmark: fsmark.app_overhead  7.3% regression          |\n"
	"| test machine     | 96 threads with 128G memory                           |\n"
	"| test parameters  | cpufreq_governor=performance                          |\n"
	"|                  | disk=1SSD                                             |\n"
	"+------------------+-------------------------------------------------------+\n"
	"| testcase: change | aim7: aim7.jobs-per-min 952.6% improvement            |\n"
	"| test parameters  | load=100                                              |\n"
	"+------------------+-------------------------------------------------------+\n"
	"\n\nIf you fix the issue in a separate patch/commit, kindly add following tags\n"
	"| Reported-by: kernel test robot <robot@example.org>\n"
	"| Closes: https://lore.kernel.org/oe-lkp/202411041000.01234567-robot@example.org\n"
	"\n\nDetails are as below:\n--------------------------------------------->\n";

static void a_report_of_today_is_read_in_full(void **state)
{
	(void)state;
	g_autofree char *body =
		g_strconcat(g6, TABLE("-12.5%", "unixbench.score"), NULL);
	seen s = see_robot("[linux-next:master] [sched]  0123456789:  unixbench.score "
			   "12.5% regression",
			   body);
	const parser_report *r = s.report;

	assert_non_null(r);
	assert_int_equal(r->kind, PARSER_KIND_REGRESSION);
	assert_string_equal(r->metric, "unixbench.score");
	assert_near(r->change_percent, -12.5, 1e-9);
	assert_int_equal(r->sign, PARSER_SIGN_ROW);
	assert_string_equal(r->commit, HASH);
	assert_string_equal(r->commit_subject, "sched: Count (\"twice\") (v2)");
	assert_string_equal(r->tree, "linux-next");
	assert_string_equal(r->branch, "master");
	assert_string_equal(r->url,
			    "https://git.example.org/cgit/linux/kernel/git/next/"
			    "linux-next.git");
	assert_string_equal(r->testcase, "unixbench");
	assert_string_equal(r->config, "x86_64-rhel-9.4");
	assert_string_equal(r->compiler, "gcc-12");
	assert_string_equal(r->machine,
			    "64 threads 2 sockets Example CPU (Lake) with 256G memory");
	assert_int_equal(r->parameters->len, 4);
	assert_string_equal(parser_pairs_get(r->parameters, "option_a"),
			    "Sequential Write");
	assert_string_equal(parser_pairs_get(r->parameters, "empty"), "");
	assert_int_equal(r->generation, 6);
	assert_string_equal(r->closes, "202411041000.01234567-robot@example.org");
	assert_int_equal(r->still_failing->len, 2);
	assert_string_equal(parser_pairs_get(r->still_failing, "linus/master"),
			    "aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd");
	assert_null(s.quoted);
	seen_clear(&s);
}

static void the_impact_table_gives_further_findings(void **state)
{
	(void)state;
	seen s = see_robot("x", g6);
	const parser_impact *first, *second;

	assert_int_equal(s.report->impacts->len, 2);
	first = g_ptr_array_index(s.report->impacts, 0);
	assert_string_equal(first->testcase, "fsmark");
	assert_string_equal(first->metric, "fsmark.app_overhead");
	assert_int_equal(first->kind, PARSER_KIND_REGRESSION);
	assert_near(first->change_percent, 7.3, 1e-9); /* less is better */
	assert_string_equal(first->machine, "96 threads with 128G memory");
	assert_string_equal(parser_pairs_get(first->parameters, "disk"), "1SSD");
	second = g_ptr_array_index(s.report->impacts, 1);
	assert_int_equal(second->kind, PARSER_KIND_IMPROVEMENT);
	assert_near(second->change_percent, 952.6, 1e-9);
	assert_null(second->machine);
	seen_clear(&s);
}

/* A sentence and what surrounds it. */
static seen see_sentence(const char *sentence, const char *date, const char *rest)
{
	g_autofree char *headers =
		g_strdup_printf("From: kernel test robot <robot@example.org>\n"
				"Subject: x\nDate: %s\n",
				date);
	g_autofree char *body = g_strdup_printf("%s\n\ncommit: " HASH " (\"a: b\")\n%s",
						sentence, rest);

	return see(headers, body);
}

static void the_sign_comes_from_row_or_sense_or_print(void **state)
{
	static const char before[] = "Fri, 4 Aug 2023 10:00:00 +0000";
	static const char after[] = "Mon, 4 Nov 2024 10:00:00 +0000";
	static const struct {
		const char *sentence, *date, *rest;
		double change;
		parser_sign sign;
	} cases[] = {
		/* the row decides, whatever the words say */
		{ "kernel test robot noticed a 5.0% regression of some.metric on:",
		  after, TABLE(" -5.0%", "some.metric"), -5, PARSER_SIGN_ROW },
		{ "kernel test robot noticed a 5.0% regression of some.metric on:",
		  after, TABLE(" +5.0%", "some.metric"), 5, PARSER_SIGN_ROW },
		{ "kernel test robot noticed a 5.0% regression of net.A_tps on:", after,
		  TABLE(" -5.0%", "net.ABoth_tps"), -5, PARSER_SIGN_ROW },
		/* a row of another size is another thing */
		{ "kernel test robot noticed a 5.0% regression of some.metric on:",
		  after, TABLE("+25.0%", "some.metric"), 5, PARSER_SIGN_UNKNOWN },
		/* no row: more is better, less is better */
		{ "kernel test robot noticed a 5.0% regression of unixbench.score on:",
		  after, "", -5, PARSER_SIGN_SENSE },
		{ "kernel test robot noticed a 5.0% improvement of fsmark.app_overhead on:",
		  after, "", -5, PARSER_SIGN_SENSE },
		/* neither: as printed, while signs were printed */
		{ "FYI, we noticed a -7.4% regression of some.metric due to commit:",
		  before, "", -7.4, PARSER_SIGN_PRINTED },
		{ "FYI, we noticed a +7.4% improvement of some.metric due to commit:",
		  before, "", 7.4, PARSER_SIGN_PRINTED },
		{ "FYI, we noticed a 7.4% improvement of some.metric due to commit:",
		  before, "", 7.4, PARSER_SIGN_PRINTED },
		{ "kernel test robot noticed a -33.3% improvement of some.cost_us on:",
		  before, "", -33.3, PARSER_SIGN_PRINTED },
		{ "kernel test robot noticed a 7.4% regression of some.metric on:",
		  after, "", 7.4, PARSER_SIGN_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		seen s = see_sentence(cases[i].sentence, cases[i].date, cases[i].rest);

		assert_non_null(s.report);
		assert_near(s.report->change_percent, cases[i].change, 1e-9);
		assert_int_equal(s.report->sign, cases[i].sign);
		seen_clear(&s);
	}
}

static void patches_have_base_and_link_and_no_tree(void **state)
{
	(void)state;
	seen s = see(
		"From: kernel test robot <robot@example.org>\n"
		"Subject: Re: [PATCH v2 3/5] mm: count\n"
		"In-Reply-To: <patch@example.org>\n"
		"Date: Sat, 21 Oct 2023 00:17:56 +0800\n",
		"Hello,\n\n"
		"kernel test robot noticed a -25.8% regression of unixbench.score on:\n\n"
		"commit: " HASH " (\"[PATCH v2 3/5] mm: count\")\n"
		"url: https://github.com/example/linux/commits/A-B/mm/20231010-112257\n"
		"base: https://git.example.org/akpm/mm.git mm-everything\n"
		"patch link: https://lore.kernel.org/all/patch@example.org/\n"
		"patch subject: [PATCH v2 3/5] mm: count\n\n"
		"testcase: unixbench\n");
	const parser_report *r = s.report;

	assert_non_null(r);
	assert_int_equal(r->generation, 5);
	assert_string_equal(
		r->url,
		"https://github.com/example/linux/commits/A-B/mm/20231010-112257");
	assert_string_equal(r->base,
			    "https://git.example.org/akpm/mm.git mm-everything");
	assert_string_equal(r->patch_link,
			    "https://lore.kernel.org/all/patch@example.org/");
	assert_string_equal(r->patch_subject, "[PATCH v2 3/5] mm: count");
	assert_string_equal(r->commit_subject, "[PATCH v2 3/5] mm: count");
	assert_null(r->tree);
	seen_clear(&s);
}

static void generations_are_told_apart(void **state)
{
	static const struct {
		const char *subject, *date, *body;
		int generation;
	} cases[] = {
		{ "[numa] 5507231dd04: -18.2% vm.migrate_mbps",
		  "Thu, 26 Jun 2014 13:13:02 +0800",
		  "Hi Ada,\n\nFYI, we noticed the below changes on\n\n"
		  "git://git.example.org/balbi/usb.git am437x\n"
		  "commit 5507231dd04d3d68796bafe83e6a20c985a0ef68 (\"numa: walk\")\n\n"
		  "test case: ivb44/vm/300s-migrate\n" TABLE("-18.2%",
							     "vm.migrate_mbps"),
		  1 },
		{ "[shrinker] 9b17c62382: -36.6% regression on sparse file copy",
		  "Thu, 12 Dec 2013 13:13:02 +0800",
		  "Hi Dave,\n\nWe see the throughput drop in one test case\n\n"
		  "commit 9b17c62382dd2e7507984b9890bf44e070cdd8bb (\"shrinker: nodes\")\n\n"
		  "test case: box3/vm/300s-mmap\n" TABLE("-36.6%", "vm.throughput"),
		  0 },
		{ "[lkp-developer] [sched,rcu]  cf7a2dca60: [No primary change] +186% "
		  "will.time.switches",
		  "Thu, 15 Dec 2016 13:13:02 +0800",
		  "Greeting,\n\nThere is no primary kpi change in this test, below is the data "
		  "collected through multiple monitors running background just for your "
		  "information.\n\n"
		  "commit: cf7a2dca6056544bb04a8f819fbbdb415bdb2933 (\"sched: idle\")\n"
		  "https://git.example.org/rcu.git dev\n\nin testcase: will\n"
		  "on test machine: 32 threads\n" TABLE("+186.0%",
							"will.time.switches"),
		  2 },
		{ "[lkp-robot] [mm]  7674270022:  will.ops -19.3% regression",
		  "Thu, 15 Jun 2017 13:13:02 +0800",
		  "Greeting,\n\nFYI, we noticed a -19.3% regression of will.ops due to commit:\n"
		  "\n\ncommit: 7674270022056544bb04a8f819fbbdb415bdb293 (\"mm: x\")\n",
		  3 },
		{ "[mm]  7674270022:  will.ops -19.3% regression",
		  "Thu, 15 Dec 2022 13:13:02 +0800",
		  "Greeting,\n\nFYI, we noticed a -19.3% regression of will.ops due to commit:\n"
		  "\n\ncommit: 7674270022056544bb04a8f819fbbdb415bdb293 (\"mm: x\")\n\n"
		  "| Reported-by: kernel test robot <robot@example.org>\n"
		  "| Link: https://lore.kernel.org/oe-lkp/1-robot@example.org\n",
		  4 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *headers = g_strdup_printf(
			"From: Ada Sample <ada@example.org>\nSubject: %s\n"
			"Date: %s\n",
			cases[i].subject, cases[i].date);
		seen s = see(headers, cases[i].body);

		assert_non_null(s.report);
		assert_int_equal(s.report->generation, cases[i].generation);
		seen_clear(&s);
	}
}

static void a_report_of_2014_is_read_from_subject_and_path(void **state)
{
	(void)state;
	seen s = see(
		"From: Ada Sample <ada@example.org>\n"
		"Subject: [numa] 5507231dd04: -18.2% vm.migrate_mbps\n"
		"Date: Thu, 26 Jun 2014 13:13:02 +0800\n",
		"Hi Bob,\n\nFYI, we noticed the below changes on\n\n"
		"git://git.example.org/balbi/usb.git am437x\n"
		"commit 5507231dd04d3d68796bafe83e6a20c985a0ef68 (\"numa: walk\")\n\n"
		"test case: ivb44/vm/300s-migrate\n" TABLE("-18.2%",
							   "vm.migrate_mbps"));
	const parser_report *r = s.report;

	assert_non_null(r);
	assert_string_equal(r->commit, "5507231dd04d3d68796bafe83e6a20c985a0ef68");
	assert_string_equal(r->commit_subject, "numa: walk");
	assert_string_equal(r->metric, "vm.migrate_mbps");
	assert_near(r->change_percent, -18.2, 1e-9);
	assert_string_equal(r->testcase, "vm");
	assert_string_equal(r->machine, "ivb44");
	assert_string_equal(r->branch, "am437x");
	seen_clear(&s);
}

static void a_failure_is_a_report_with_its_name(void **state)
{
	(void)state;
	seen s = see_robot(
		"[linus:master] [mm]  0123456789: BUG:soft_lockup-CPU",
		"Hello,\n\nkernel test robot noticed \"BUG:soft_lockup-CPU\" on:\n\n"
		"commit: " HASH " (\"mm: a\")\n"
		"https://git.example.org/torvalds/linux.git master\n\n"
		"in testcase: boot\n");

	assert_non_null(s.report);
	assert_int_equal(s.report->kind, PARSER_KIND_FAILURE);
	assert_string_equal(s.report->metric, "BUG:soft_lockup-CPU");
	assert_false(s.report->has_change);
	assert_string_equal(s.report->testcase, "boot");
	assert_string_equal(s.report->tree, "linus");
	seen_clear(&s);
}

static void a_build_failure_is_no_report(void **state)
{
	(void)state;
	seen s = see_robot(
		"[tip:x86] error: y",
		"Hello,\n\nkernel test robot noticed the following build errors:\n\n"
		"commit: " HASH " (\"mm: a\")\n");

	assert_null(s.report);
	seen_clear(&s);
}

static void a_preface_does_not_hide_a_report(void **state)
{
	(void)state;
	g_autofree char *body = g_strconcat(
		"Hello,\n\nwe told of this before in\n"
		"https://lore.kernel.org/all/1@example.org/\nnow there is more.\n\n",
		g6, NULL);
	seen s = see_robot("x", body);

	assert_non_null(s.report);
	assert_string_equal(s.report->commit, HASH);
	seen_clear(&s);
}

/* Every line of text with a quote mark. */
static char *quote(const char *text, const char *mark)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GString) out = g_string_new(NULL);

	for (char **line = lines; *line; line++)
		g_string_append_printf(out, "%s%s\n", mark, *line);
	return g_strdup(out->str);
}

static void a_quoted_report_is_not_the_mail_itself(void **state)
{
	static const char *const marks[] = { "> ", ">> ", "> > ", ": " };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		g_autofree char *quoted = quote(g6, marks[i]);
		g_autofree char *body = g_strdup_printf(
			"On Mon, kernel test robot wrote:\n%s\nI will look.\n", quoted);
		seen s = see("From: Bob <bob@example.org>\nSubject: Re: x\n"
			     "In-Reply-To: <2@example.org>\n",
			     body);

		assert_null(s.report);
		assert_non_null(s.quoted);
		assert_string_equal(s.quoted->commit, HASH);
		assert_string_equal(s.quoted->testcase, "unixbench");
		assert_int_equal(s.quoted->parameters->len, 4);
		assert_int_equal(s.quoted->impacts->len, 2);
		assert_string_equal(s.quoted->closes,
				    "202411041000.01234567-robot@example.org");
		seen_clear(&s);
	}
}

static void a_report_pasted_below_an_answer_is_not_the_mail_itself(void **state)
{
	(void)state;
	g_autofree char *body =
		g_strdup_printf("I cannot see this on my machine.\n\n"
				"-----Original Message-----\n"
				"From: kernel test robot <robot@example.org>\n"
				"Subject: x\n\n%s",
				g6);
	seen s = see("From: Bob <bob@example.org>\nSubject: RE: x\n"
		     "In-Reply-To: <2@example.org>\n",
		     body);

	assert_null(s.report);
	assert_non_null(s.quoted);
	assert_string_equal(s.quoted->metric, "unixbench.score");
	seen_clear(&s);
}

static void an_account_of_a_report_is_none(void **state)
{
	(void)state;
	seen s = see("From: Bob <bob@example.org>\nSubject: [GIT PULL] fixes\n",
		     "Hi,\n\nplease pull. With this\n\n"
		     "   kernel test robot noticed a 93.1% improvement of a.b on:\n\n"
		     "Thanks\n");

	assert_null(s.report);
	assert_null(s.quoted);
	seen_clear(&s);
	s = see("From: Bob <bob@example.org>\nSubject: [PATCH 0/8] make it fast\n",
		"Hi,\n\nThe kernel test robot noticed a -88.8% regression of a.b\n"
		"on commit 012345678901 (\"a: b\").\n");
	assert_null(s.report);
	seen_clear(&s);
}

static void a_table_alone_is_no_report(void **state)
{
	(void)state;
	seen s = see_robot(
		"Re: [mm]  0123456789:  a.b 12.5% regression",
		"Hi Bob,\n\nwe tested your patch on top of commit 0123456789:\n" TABLE(
			"-12.5%", "a.b"));

	assert_null(s.report);
	assert_int_equal(s.tables->len, 1);
	seen_clear(&s);
}

static void wrapped_quotes_lose_nothing(void **state)
{
	(void)state;
	seen s = see(
		"From: Bob <bob@example.org>\nSubject: Re: x\n",
		"> FYI, we noticed a -7.4% regression of\n> unixbench.score due to\n"
		"> commit:\n>\n>\n"
		"> commit: " HASH "\n> (\"sched/cfs: Make the load average more\n"
		"> stable\")\n"
		"> https://git.example.org/next/linux-next.git\n> master\n>\n"
		"> in testcase: unixbench\n"
		"> on test machine: 128 threads 2 sockets Example CPU @\n"
		"> 2.60GHz with 128G memory\n> with following parameters:\n"
		">\n> \ta: b\n>\n> | Closes:\n"
		"> https://lore.kernel.org/oe-lkp/1-robot@example.org\n");

	assert_non_null(s.quoted);
	assert_string_equal(s.quoted->metric, "unixbench.score");
	assert_string_equal(s.quoted->commit_subject,
			    "sched/cfs: Make the load average more stable");
	assert_string_equal(s.quoted->branch, "master");
	assert_string_equal(s.quoted->machine,
			    "128 threads 2 sockets Example CPU @ 2.60GHz "
			    "with 128G memory");
	assert_int_equal(s.quoted->parameters->len, 1);
	assert_string_equal(s.quoted->closes, "1-robot@example.org");
	seen_clear(&s);
}

static void a_quote_without_its_sentence_takes_it_from_the_subject(void **state)
{
	(void)state;
	seen s = see("From: Bob <bob@example.org>\n"
		     "Subject: Re: [ata] 0123456789: a.b -15.0% regression\n",
		     ">>> commit: " HASH " (\"ata:\n>>> cap it\")\n"
		     ">>> https://git.example.org/next/linux-next.git master\n>>>\n"
		     ">>> in testcase: stress\n>>> on test machine: 96 threads\n\n"
		     "Which adapter is it?\n");

	assert_null(s.report);
	assert_non_null(s.quoted);
	assert_string_equal(s.quoted->metric, "a.b");
	assert_near(s.quoted->change_percent, -15, 1e-9);
	assert_string_equal(s.quoted->commit_subject, "ata: cap it");
	assert_string_equal(s.quoted->testcase, "stress");
	seen_clear(&s);
}

static void trees_that_still_show_it_are_read_without_brackets(void **state)
{
	(void)state;
	seen s = see_robot("x",
			   "kernel test robot noticed a 1.0% regression of a.b on:\n\n"
			   "commit: " HASH " (\"a: b\")\n\nstill regression on:\n"
			   "fix commit: 0123456789abcdef\n"
			   "linus/master: aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd\n\n"
			   "testcase: c\n");

	assert_non_null(s.report);
	assert_int_equal(s.report->still_failing->len, 1);
	assert_string_equal(parser_pairs_get(s.report->still_failing, "linus/master"),
			    "aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd");
	assert_string_equal(s.report->testcase, "c");
	seen_clear(&s);
}

static void a_person_who_posts_a_table_makes_no_report(void **state)
{
	(void)state;
	seen s = see("From: Bob <bob@example.org>\nSubject: [PATCH] mm: faster\n",
		     "With this test case the performance found below changes since\n"
		     "commit " HASH " (\"a: b\"):\n" TABLE("+5.0%", "a.b"));

	assert_null(s.report);
	assert_int_equal(s.tables->len, 1);
	seen_clear(&s);
}

static void collapsed_reports_give_their_facts(void **state)
{
	(void)state;
	seen s = see_file("collapsed-regression.txt");

	assert_non_null(s.report);
	assert_near(s.report->change_percent, -7.4, 1e-9);
	assert_string_equal(s.report->commit,
			    "625ed2bf049d5a352c1bcca962d6e133454eaaff");
	assert_string_equal(s.report->commit_subject,
			    "sched/cfs: Make util/load_avg more stable");
	assert_string_equal(s.report->tree, "linux-next");
	assert_string_equal(s.report->branch, "master");
	assert_string_equal(
		s.report->machine,
		"88 threads Intel(R) Xeon(R) CPU E5-2699 v4 @ 2.20GHz with 64G "
		"memory");
	assert_int_equal(s.report->parameters->len, 4);
	assert_string_equal(parser_pairs_get(s.report->parameters, "cpufreq_governor"),
			    "performance");
	assert_int_equal(s.report->generation, 3);
	seen_clear(&s);

	s = see_file("collapsed-improvement.txt");
	assert_near(s.report->change_percent, 7.0, 1e-9);
	assert_int_equal(s.report->kind, PARSER_KIND_IMPROVEMENT);
	assert_string_equal(s.report->branch, "x86/mm");
	seen_clear(&s);
}

static void a_group_header_of_another_test_is_kept_with_a_warning(void **state)
{
	(void)state;
	seen s = see_file("collapsed-patch.txt");
	const parser_table *table = g_ptr_array_index(s.tables, 0);

	assert_near(s.report->change_percent, 85.7, 1e-9);
	assert_string_equal(s.report->testcase, "hackbench");
	assert_true(
		g_str_has_prefix(s.report->url, "https://github.com/0day-ci/linux/"));
	assert_string_equal(parser_pairs_get(table->axes, "testcase"), "netperf");
	assert_string_equal(table->machine, "lkp-bdw-de1");
	assert_int_equal(s.report->warnings->len, 1);
	assert_non_null(strstr(g_ptr_array_index(s.report->warnings, 0), "netperf"));
	seen_clear(&s);
}

static void a_commit_without_its_subject_has_none(void **state)
{
	static const char *const subjects[] = { "(\")", "(\"\")", "(\"", "\")", "()" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(subjects); i++) {
		g_autofree char *body = g_strconcat(
			"\n\nHello,\n\n"
			"kernel test robot noticed a 12.5% regression of a.b on:\n\n\n"
			"commit: " HASH " ",
			subjects[i], "\n\n\ntestcase: a\n", TABLE("-12.5%", "a.b"),
			NULL);
		seen s = see_robot("[x] 0123456789: a.b 12.5% regression", body);

		assert_non_null(s.report);
		assert_string_equal(s.report->commit, HASH);
		assert_null(s.report->commit_subject);
		seen_clear(&s);
	}
}

static void subjects_of_every_shape_fill_what_the_body_lacks(void **state)
{
	static const struct {
		const char *subject, *tree, *branch, *commit;
	} cases[] = {
		{ "[linus:master] [mm]  0123456789:  a.b 1.0% regression", "linus",
		  "master", "0123456789" },
		{ "[LKP] [lkp-robot] [mm, memcontrol] 309fe96bfc: a.b +23.0% improvement",
		  NULL, NULL, "309fe96bfc" },
		{ "[kdave-x:dev/guilherme/temp-fsid-v4] [btrfs] 6c9131ed0d: a.b 2% regression",
		  "kdave-x", "dev/guilherme/temp-fsid-v4", "6c9131ed0d" },
		{ "d28296d248:  a.b -82.7% regression", NULL, NULL, "d28296d248" },
		{ "[linux-next:master] [mm]  :  a.b -29.4% regression", "linux-next",
		  "master", NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		seen s = see_robot(
			cases[i].subject,
			"kernel test robot noticed a 1.0% regression of a.b on:\n");

		assert_non_null(s.report);
		assert_int_equal(s.report->tree != NULL, cases[i].tree != NULL);
		if (cases[i].tree) {
			assert_string_equal(s.report->tree, cases[i].tree);
			assert_string_equal(s.report->branch, cases[i].branch);
		}
		assert_int_equal(s.report->commit != NULL, cases[i].commit != NULL);
		if (cases[i].commit)
			assert_string_equal(s.report->commit, cases[i].commit);
		seen_clear(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_of_today_is_read_in_full),
		cmocka_unit_test(the_impact_table_gives_further_findings),
		cmocka_unit_test(the_sign_comes_from_row_or_sense_or_print),
		cmocka_unit_test(patches_have_base_and_link_and_no_tree),
		cmocka_unit_test(generations_are_told_apart),
		cmocka_unit_test(a_report_of_2014_is_read_from_subject_and_path),
		cmocka_unit_test(a_failure_is_a_report_with_its_name),
		cmocka_unit_test(a_build_failure_is_no_report),
		cmocka_unit_test(a_preface_does_not_hide_a_report),
		cmocka_unit_test(a_quoted_report_is_not_the_mail_itself),
		cmocka_unit_test(
			a_report_pasted_below_an_answer_is_not_the_mail_itself),
		cmocka_unit_test(an_account_of_a_report_is_none),
		cmocka_unit_test(a_table_alone_is_no_report),
		cmocka_unit_test(wrapped_quotes_lose_nothing),
		cmocka_unit_test(
			a_quote_without_its_sentence_takes_it_from_the_subject),
		cmocka_unit_test(trees_that_still_show_it_are_read_without_brackets),
		cmocka_unit_test(a_person_who_posts_a_table_makes_no_report),
		cmocka_unit_test(collapsed_reports_give_their_facts),
		cmocka_unit_test(a_group_header_of_another_test_is_kept_with_a_warning),
		cmocka_unit_test(a_commit_without_its_subject_has_none),
		cmocka_unit_test(subjects_of_every_shape_fill_what_the_body_lacks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
