/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts, mechanisms, commands and threads in linear time: see counted.h. */
#include "tests/unit/counted.h"
#include "tests/unit/test.h"

#include "tests/unit/reading_mail.h"

#define SMALL 500 /* repetitions of a pattern */

#define HEX "0123456789012345678901234567890123456789"

#define DIFF "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n"

static const hostile cases[] = {
	/* clang-format off */
	/* words, sentences, paragraphs */
	{ "", "x ", "" }, { "", "x", "" }, { "", "x\n", "" }, { "", "x.\n", "" }, { "", "x? ", "" },
	{ "", "not ", "" }, { "", "if ", "" }, { "", "don't ", "" }, { "", "n't", "" }, { "", "...", "" },
	{ "", "a/", "" }, { "", "a-", "" }, { "", "a_", "" }, { "", "a.b ", "" }, { "", "a->b ", "" },
	{ "", "a::", "" }, { "", "\"", "" }, { "", "(", "" }, { "", "(\"", "" }, { "", "(\"x\n", "" },
	{ "", "`", "" }, { "", "'", "" }, { "", "*", "" }, { "", "&", "" }, { "", "|\n", "" }, { "", "- x\n", "" },
	{ "", "1. x\n", "" }, { "", "\xc2\xa0", "" }, { "", "\xe2\x80\x99t ", "" }, { "", ";-) ", "" },
	{ "", "\n", "x\n" }, { "", "\n\n\nx\n", "" }, { "", "    x\n", "" }, { "", "\tx = y;\n", "" },
	/* what rules look for: openings without ends, all of it again and again */
	{ "", "please ignore this report\n", "" }, { "", "please ignore ", "" }, { "", "please ", "" },
	{ "", "can not reproduce this\n", "" }, { "", "I can not ", "" }, { "", "this is expected. ", "" },
	{ "", "it is not that this is not expected because ", "" }, { "", "fixed by ", "" },
	{ "", "fixed by " HEX ". ", "" }, { "", "does this patch help? ", "" }, { "", "the patch below ", "" },
	{ "", "contention on foo_lock ", "" }, { "", "contention ", "" }, { "", "foo_lock ", "" },
	{ "", "cache line bouncing in struct foo ", "" }, { "", "more calls to foo() ", "" },
	{ "", "struct ", "" }, { "", "CONFIG_X ", "" }, { "", "x() ", "" }, { "", "a.b_c->d ", "" },
	{ "", "-7.4% regression ", "" }, { "", "1.5% ", "" }, { "", HEX " ", "" }, { "", "v6.1-rc1 ", "" },
	{ "", "tested, it is gone. still slow. ", "" }, { "", "8888 -7% 8234 a.b\n", "" },
	{ "", "8888 -7% 8234 a.b\nfixed\n", "" }, { "", "Tested-by: x <y@example.org>\n", "" },
	{ "", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n", "" },
	{ "", "diff --git a/x b/x\n@@ -1 +1 @@\n-x\n+y\nplease test\n\n", "" },
	/* whose words */
	{ "", "> please ignore this report\n", "" }, { "", "> x\nplease ignore it\n", "" },
	{ "", ">", " x\n" }, { "", "> \n\n", "" }, { "On Fri, Joe <a@b> wrote:\n", "> x\n\ny\n", "" },
	/* commands */
	{ "", "#regtrail dup\n", "" }, { "", "#regtrail ", "" }, { "", "#regtrail\n", "" }, { "", "#", "" },
	{ "", "#regzbot fix: x\n", "" }, { "", "#regzbot title: x\n x\n", "" }, { "#regtrail note x", "\n  y", "\n" },
	{ "#regtrail note ", "x-\n", "\n" }, { "#regtrail title ", "x ", "\n" }, { "#regtrail ", "fix ", "\n" },
	{ "#regtrail fix ", HEX, "\n" }, { "", "#regtrail fix: " HEX " (\"\n", "" }, { "", "#regzbot ^", "\n" },
	/* patches */
	{ "x\n\nFrom: a <a@b.c>\nSubject: [PATCH] x\n", " y\n", "\n" DIFF },
	{ "", "git://a ", "\n" }, { "", "https://a/b.git\n", "" }, { "please test\n", "git://a/b c/d\n", "" },
	{ "", " #regtrail dup\n", "" }, { "", "#regtrail link https://example.org/\n", "" },
	{ "", "\xef\xbb\xbf#regtrail x\n", "" }, { "#regtrail x\n", "\xc2\xa0", "\n" },
	/* clang-format on */
};

static void read_reply(const char *bytes, size_t length)
{
	(void)length;
	parser_reading_free(reading_of(JANE, bytes));
}

static void twice_the_reply_is_twice_the_work(void **state)
{
	(void)state;
	read_reply("x", 1); /* compiles the rules */
	counted_check(cases, G_N_ELEMENTS(cases), SMALL, read_reply);
}

static GPtrArray *thread; /* parser_reading *, all of the cases' mails */

static void fold_thread(const char *bytes, size_t length)
{
	(void)bytes;
	g_ptr_array_set_size(thread, 0);
	for (size_t i = 0; i < length; i++)
		g_ptr_array_add(thread, reading_of(i % 2 ? JANE : JOE,
						   i % 3 ? "Please ignore this.\n" :
							   "This is a real bug.\n"));
	g_array_unref(parser_stances(thread));
}

static void twice_the_thread_is_twice_the_work(void **state)
{
	static const hostile mails = { "", "x", "" };

	(void)state;
	thread = g_ptr_array_new_with_free_func((GDestroyNotify)parser_reading_free);
	uint64_t one = counted_work(&mails, 50, fold_thread),
		 two = counted_work(&mails, 100, fold_thread),
		 four = counted_work(&mails, 200, fold_thread);

	g_ptr_array_unref(thread);
	assert_true(four - two < 3 * (two - one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twice_the_reply_is_twice_the_work),
		cmocka_unit_test(twice_the_thread_is_twice_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
