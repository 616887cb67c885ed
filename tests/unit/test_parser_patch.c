/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "parser/parser.h"
#include "render/render.h"
#include "tests/unit/test.h"

#define HEAD                                                                           \
	"From: Ann <ann@example.org>\nDate: Tue, 14 Nov 2023 22:13:20 +0000\n"         \
	"Message-ID: <1@example.org>\n"
#define DIFF                                                                           \
	"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n "  \
	"three\n"

static parser_mail *mail_of(const char *text)
{
	g_autoptr(GError) error = NULL;
	parser_mail *mail =
		parser_mail_parse(text, strlen(text), PARSER_FORM_MAIL, 0, &error);

	assert_non_null(mail);
	return mail;
}

static GPtrArray *patches_of(const char *text)
{
	g_autoptr(parser_mail) mail = mail_of(text);

	return parser_patches_read(mail);
}

static void assert_one(const char *text, parser_patch_form form, const char *title,
		       const char *message)
{
	g_autoptr(GPtrArray) all = patches_of(text);
	const parser_patch *p;

	assert_int_equal(all->len, 1);
	p = all->pdata[0];
	if (p->problem)
		fail_msg("%s", p->problem);
	assert_int_equal(p->form, form);
	if (title)
		assert_string_equal(p->title, title);
	else
		assert_null(p->title);
	assert_string_equal(p->message, message);
	assert_string_equal(p->diff, DIFF);
}

static void a_patch_mail_is_one(void **state)
{
	(void)state;
	assert_one(HEAD
		   "Subject: [PATCH v2 1/2] f: Count in German\n\nIt is shorter.\n\n"
		   "Signed-off-by: Ann <ann@example.org>\n---\n f | 2 +-\n"
		   " 1 file changed, 1 insertion(+), 1 deletion(-)\n\n" DIFF
		   "-- \n2.39.2\n\n",
		   PARSER_PATCH_MAIL, "f: Count in German",
		   "It is shorter.\n\nSigned-off-by: Ann <ann@example.org>");
}

static void a_diff_between_words_is_one(void **state)
{
	(void)state;
	assert_one(HEAD
		   "Subject: Re: it is slow\n\n> it is slow\n\nDoes this help?\n\n" DIFF
		   "\nThanks,\nAnn\n",
		   PARSER_PATCH_INLINE, NULL, "");
}

static void what_stands_behind_scissors_is_one(void **state)
{
	(void)state;
	assert_one(HEAD
		   "Subject: Re: it is slow\n\nDoes this help?\n\n"
		   "---8<---\nSubject: [PATCH] f: Count in German\n\nIt is shorter.\n"
		   "---\n" DIFF,
		   PARSER_PATCH_SCISSORS, "f: Count in German", "It is shorter.");
}

static void an_attached_one_is_taken_once(void **state)
{
	static const char *const dispositions[] = { "attachment", "inline" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(dispositions); i++) {
		g_autofree char *text = g_strdup_printf(
			HEAD
			"Subject: Re: it is slow\nMIME-Version: 1.0\n"
			"Content-Type: multipart/mixed; boundary=b\n\n--b\n"
			"Content-Type: text/plain\n\nSee the patch.\n--b\n"
			"Content-Type: text/x-patch\n"
			"Content-Disposition: %s; filename=\"x.patch\"\n\n"
			"From "
			"0123456789abcdef0123456789abcdef01234567 Mon Sep 17 "
			"00:00:00 2001\nFrom: Bob <bob@example.org>\n"
			"Date: Mon, 13 Nov 2023 22:13:20 +0000\n"
			"Subject: [PATCH] f: Count\n in German\n\nIt is shorter.\n---\n"
			" f | 2 +-\n\n" DIFF "-- \n2.39\n--b--\n",
			dispositions[i]);
		g_autoptr(GPtrArray) all = patches_of(text);
		const parser_patch *p;

		assert_int_equal(all->len, 1);
		p = all->pdata[0];
		assert_int_equal(p->form, PARSER_PATCH_ATTACHED);
		assert_string_equal(p->title, "f: Count in German");
		assert_string_equal(p->author, "Bob <bob@example.org>");
		assert_int_equal(p->date, 1699913600);
		assert_string_equal(p->message, "It is shorter.");
		assert_string_equal(p->diff, DIFF);
	}
}

static void quoted_patches_and_those_of_bots_are_none(void **state)
{
	g_autoptr(GPtrArray) quoted = patches_of(
		HEAD "Subject: Re: x\n\n> diff --git a/f b/f\n> --- a/f\n"
		     "> +++ b/f\n> @@ -1 +1 @@\n> -a\n> +b\n\nLooks good.\n");
	g_autoptr(GPtrArray) bot = patches_of(
		"From: tip-bot2 <tip-bot2@example.org>\nSubject: [tip: x] y\n\n" DIFF);

	(void)state;
	assert_int_equal(quoted->len, 0);
	assert_int_equal(bot->len, 0);
}

static void a_branch_to_test_is_found(void **state)
{
	static const struct {
		const char *line, *url, *branch;
	} cases[] = {
		{ "Could you test git://git.example.org/linux.git fixes-6.8?",
		  "git://git.example.org/linux.git", "fixes-6.8" },
		{ "Please try https://git.example.org/ann/linux.git/log/?h=numa-2",
		  "https://git.example.org/ann/linux.git", "numa-2" },
		{ "I pushed it to https://forge.example.org/ann/linux/tree/topic/numa",
		  "https://forge.example.org/ann/linux", "topic/numa" },
		{ "The fix is in git@git.example.org:linux.git branch slow, thanks.",
		  "git@git.example.org:linux.git", "slow" },
		{ "Please test git://git.example.org/linux.git branch --upload-pack=x",
		  "git://git.example.org/linux.git", NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = g_strdup_printf(
			HEAD "Subject: Re: x\n\nHi,\n\n%s\n\nAnn\n", cases[i].line);
		g_autoptr(GPtrArray) all = patches_of(text);
		const parser_patch *p;

		assert_int_equal(all->len, 1);
		p = all->pdata[0];
		assert_int_equal(p->form, PARSER_PATCH_BRANCH);
		assert_string_equal(p->url, cases[i].url);
		if (cases[i].branch)
			assert_string_equal(p->branch, cases[i].branch);
		else
			assert_null(p->branch);
		assert_null(p->diff);
	}
}

static void a_link_to_a_commit_is_no_branch(void **state)
{
	g_autoptr(GPtrArray) all = patches_of(
		HEAD "Subject: Re: x\n\nPlease test again with\n"
		     "https://git.example.org/linux.git/commit/?id=0123456789ab\n");

	(void)state;
	assert_int_equal(all->len, 0);
}

static void what_a_mail_program_broke_says_where(void **state)
{
	static const struct {
		const char *diff, *words;
	} cases[] = {
		{ "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one line that is\n"
		  "wrapped here\n-two\n+zwei\n",
		  "line 7: a line of the diff was wrapped" },
		{ "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n one\n",
		  "cut short" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = g_strdup_printf(
			HEAD "Subject: Re: x\n\nTry:\n%s", cases[i].diff);
		g_autoptr(GPtrArray) all = patches_of(text);
		const parser_patch *p;

		assert_int_equal(all->len, 1);
		p = all->pdata[0];
		assert_non_null(p->problem);
		if (!strstr(p->problem, cases[i].words))
			fail_msg("%s", p->problem);
	}
}

static void format_flowed_is_undone_where_that_is_certain(void **state)
{
	(void)state;
	assert_one(
		HEAD
		"Subject: Re: x\nContent-Type: text/plain; format=flowed\n\nTry:\n\n"
		"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n  one\n-two\n"
		"+zwei\n  three\n",
		PARSER_PATCH_INLINE, NULL, "");
	/* Its label says flowed, but nothing was stuffed. */
	assert_one(
		HEAD
		"Subject: Re: x\nContent-Type: text/plain; format=flowed\n\nTry:\n\n" DIFF,
		PARSER_PATCH_INLINE, NULL, "");
}

static void two_diffs_of_one_reply_are_one_patch(void **state)
{
	g_autoptr(GPtrArray) all = patches_of(
		HEAD "Subject: Re: x\n\nFirst\n\n" DIFF "\nand then\n\n"
		     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n");
	const parser_patch *p;

	(void)state;
	assert_int_equal(all->len, 1);
	p = all->pdata[0];
	assert_string_equal(
		p->diff,
		DIFF "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n");
}

static void no_line_of_an_mbox_begins_another_mail(void **state)
{
	g_autoptr(parser_mail) mail = mail_of(
		HEAD "Subject: [PATCH] f: x\n\nFrom here on it is fast.\n"
		     "From: a mail of 10:00:00 in 2024\n"
		     "From ann@example.org Mon Sep 17 00:00:00 2001\n---\n" DIFF);
	g_autoptr(GPtrArray) all = parser_patches_read(mail);
	g_autofree char *mbox = NULL;

	(void)state;
	assert_int_equal(all->len, 1);
	mbox = render_patch_mbox(all->pdata[0], mail);
	assert_non_null(strstr(mbox, "\nFrom here on"));
	assert_non_null(strstr(mbox, "\nFrom: a mail"));
	assert_non_null(strstr(mbox, "\n>From ann@example.org Mon Sep 17"));
	assert_non_null(strstr(mbox, "\nFrom: Ann <ann@example.org>\n"));
	assert_non_null(strstr(mbox, "\nSubject: [PATCH] f: x\n"));
	assert_non_null(strstr(mbox, "\nDate: Tue, 14 Nov 2023 22:13:20 +0000\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_patch_mail_is_one),
		cmocka_unit_test(a_diff_between_words_is_one),
		cmocka_unit_test(what_stands_behind_scissors_is_one),
		cmocka_unit_test(an_attached_one_is_taken_once),
		cmocka_unit_test(quoted_patches_and_those_of_bots_are_none),
		cmocka_unit_test(a_branch_to_test_is_found),
		cmocka_unit_test(a_link_to_a_commit_is_no_branch),
		cmocka_unit_test(what_a_mail_program_broke_says_where),
		cmocka_unit_test(format_flowed_is_undone_where_that_is_certain),
		cmocka_unit_test(two_diffs_of_one_reply_are_one_patch),
		cmocka_unit_test(no_line_of_an_mbox_begins_another_mail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
