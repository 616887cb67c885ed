/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bots tell of commits, in the shapes that their mails have. */
#include <string.h>

#include "parser/parser.h"
#include "tests/unit/test.h"

#define TIP       "From: \"tip-bot2 for Nia Okafor\" <tip-bot2@example.org>\n"
#define PATCHWORK "From: patchwork-bot+netdev@example.org\n"
#define TRACKER   "From: pr-tracker-bot@example.org\n"
#define HASH      "0123456789abcdef0123456789abcdef01234567"

static GPtrArray *notices_of(const char *text)
{
	g_autoptr(parser_mail) mail =
		parser_mail_parse(text, strlen(text), PARSER_FORM_MAIL, 0, NULL);

	assert_non_null(mail);
	return parser_notices_read(mail);
}

static const parser_notice *only(const GPtrArray *all)
{
	assert_int_equal(all->len, 1);
	return all->pdata[0];
}

static void a_commit_of_a_tip_branch_has_hash_and_title(void **state)
{
	g_autoptr(GPtrArray) all = notices_of(
		TIP
		"Subject: [tip: sched/urgent] sched/fair: Keep small machines together\n"
		"\nThe following commit has been merged into the sched/urgent branch of tip:\n"
		"\nCommit-ID:     " HASH "\n"
		"Gitweb:        https://git.example.org/tip/" HASH "\n"
		"Author:        Nia Okafor <nia@example.org>\n"
		"\nsched/fair: Keep small machines together\n\nSee what was done before:\n"
		"\nLink: https://git.example.org/torvalds/c/fedcba9876543210\n---\n"
		"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-  - a\n+  - b\n");
	const parser_notice *n = only(all);

	(void)state;
	assert_string_equal(n->tree, "tip");
	assert_string_equal(n->branch, "sched/urgent");
	assert_string_equal(n->commit, HASH);
	assert_string_equal(n->subject, "sched/fair: Keep small machines together");
	assert_false(n->mainline);
	assert_string_equal(n->line, "The following commit has been merged into the "
				     "sched/urgent branch of tip:");
}

static void a_series_that_was_applied_gives_a_notice_a_patch(void **state)
{
	g_autoptr(GPtrArray) all = notices_of(
		PATCHWORK
		"Subject: Re: [PATCH net v2 0/3] Three steps\n"
		"\nHello:\n\nThis series was applied to netdev/net.git (main)\n"
		"by Tomas Kolar <tomas@example.org>:\n"
		"\nOn Mon, 1 Jan 2024 you wrote:\n> has been merged into x/y.git:\n"
		"> https://git.example.org/x/y/c/aaaaaaaaaaaa\n"
		"\nHere is the summary with links:\n"
		"  - [net,v2,1/3] net: One step\n"
		"    https://git.example.org/netdev/net/c/0123456789ab\n"
		"  - [net,v2,2/3] net: Two steps\n    (no matching commit)\n"
		"  - [net,v2,3/3] net: Three steps\n"
		"    https://git.example.org/netdev/net/c/ABCDEF012345\n"
		"\nYou are awesome, thank you!\n");
	const parser_notice *n;

	(void)state;
	assert_int_equal(all->len, 2);
	n = all->pdata[0];
	assert_string_equal(n->tree, "netdev/net.git");
	assert_string_equal(n->branch, "main");
	assert_string_equal(n->commit, "0123456789ab");
	assert_string_equal(n->subject, "net: One step");
	n = all->pdata[1];
	assert_string_equal(n->commit, "abcdef012345");
	assert_string_equal(n->subject, "net: Three steps");
}

static void what_was_applied_without_a_link_is_what_the_mail_answers(void **state)
{
	g_autoptr(GPtrArray) all =
		notices_of(PATCHWORK "Subject: Re: [PATCH net] net: Step aside\n\n"
				     "This patch was applied to netdev/net.git (main)\n"
				     "by Tomas Kolar <tomas@example.org>:\n");
	const parser_notice *n = only(all);

	(void)state;
	assert_null(n->commit);
	assert_string_equal(n->subject, "net: Step aside");
}

static void a_pull_into_mainline_is_told_as_such(void **state)
{
	g_autoptr(GPtrArray) all = notices_of(
		TRACKER
		"Subject: Re: [GIT PULL] scheduler fixes\n\n"
		"The pull request you sent on Sun, 28 Jan 2024 10:00:00 +0100:\n\n"
		"> git://git.example.org/tip.git tags/sched_urgent\n\n"
		"has been merged into torvalds/linux.git:\n"
		"https://git.example.org/torvalds/c/" HASH "\n\nThank you!\n\n"
		"-- \nDeet-doot-dot, I am a bot.\n");
	const parser_notice *n = only(all);

	(void)state;
	assert_true(n->mainline);
	assert_string_equal(n->tree, "torvalds/linux.git");
	assert_null(n->branch);
	assert_string_equal(n->commit, HASH);
}

static void people_and_quotes_and_other_words_tell_nothing(void **state)
{
	static const char *const mails[] = {
		"From: Ann <ann@example.org>\nSubject: Re: a\n\n"
		"It has been merged into torvalds/linux.git:\n"
		"https://git.example.org/torvalds/c/" HASH "\n",
		TRACKER "Subject: Re: a\n\n> has been merged into torvalds/linux.git:\n"
			"> https://git.example.org/torvalds/c/" HASH "\n",
		TRACKER "Subject: Re: a\n\nhas been merged into \n"
			"https://git.example.org/torvalds/c/" HASH "\n",
		TRACKER "Subject: Re: a\n\nhttps://git.example.org/torvalds/c/" HASH
			"\nCommit-ID: " HASH "\n",
		PATCHWORK "\n\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(mails); i++) {
		g_autoptr(GPtrArray) all = notices_of(mails[i]);

		assert_int_equal(all->len, 0);
	}
}

static void a_flood_of_links_is_cut(void **state)
{
	g_autoptr(GString) text = g_string_new(
		TRACKER "Subject: a\n\nhas been merged into torvalds/linux.git:\n");
	g_autoptr(GPtrArray) all = NULL;

	(void)state;
	for (int i = 0; i < 5000; i++)
		g_string_append_printf(text, "https://git.example.org/c/%08d\n", i);
	all = notices_of(text->str);
	assert_int_equal(all->len, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_commit_of_a_tip_branch_has_hash_and_title),
		cmocka_unit_test(a_series_that_was_applied_gives_a_notice_a_patch),
		cmocka_unit_test(
			what_was_applied_without_a_link_is_what_the_mail_answers),
		cmocka_unit_test(a_pull_into_mainline_is_told_as_such),
		cmocka_unit_test(people_and_quotes_and_other_words_tell_nothing),
		cmocka_unit_test(a_flood_of_links_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
