/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/test.h"

#include <string.h>

#include "parser/parser.h"

/* A mail of Jane's with that Subject and body, read for commands. */
static GPtrArray *read_mail(const char *subject, const char *headers, const char *body)
{
	g_autofree char *text =
		g_strdup_printf("From: Jane Doe <jane@example.org>\n"
				"To: list@example.org\n"
				"Subject: %s\n"
				"Message-ID: <a1@example.org>\n"
				"Date: Thu, 02 Jan 2020 10:00:00 +0000\n"
				"%s\n%s",
				subject, headers, body);
	g_autoptr(parser_mail) mail =
		parser_mail_parse(text, strlen(text), PARSER_FORM_MAIL, 0, NULL);
	assert_non_null(mail);
	return parser_commands_read(mail);
}

static GPtrArray *commands_of(const char *body)
{
	return read_mail("Re: slow", "", body);
}

static const parser_command *only(GPtrArray *commands)
{
	assert_int_equal(commands->len, 1);
	return g_ptr_array_index(commands, 0);
}

static void expect(const char *body, const char *prefix, const char *verb,
		   const char *arguments)
{
	g_autoptr(GPtrArray) commands = commands_of(body);
	const parser_command *c = only(commands);
	assert_string_equal(c->prefix, prefix);
	assert_string_equal(c->verb, verb);
	assert_string_equal(c->arguments, arguments);
}

static void expect_none(const char *body)
{
	g_autoptr(GPtrArray) commands = commands_of(body);
	assert_int_equal(commands->len, 0);
}

static void a_command_stands_alone_on_its_line(void **state)
{
	(void)state;
	expect("Hello,\n\n#regtrail expected: the lock is needed\n\nJane\n",
	       "#regtrail", "expected", "the lock is needed");
}

static void the_colon_is_optional_and_case_does_not_matter(void **state)
{
	(void)state;
	expect("#regtrail expected the lock is needed\n", "#regtrail", "expected",
	       "the lock is needed");
	expect("#RegTrail Expected: yes\n", "#regtrail", "expected", "yes");
	expect("#regzbot: invalid: wrong machine\n", "#regzbot", "invalid",
	       "wrong machine");
	expect("#regtrail-dup: 12345678\n", "#regtrail", "dup", "12345678");
	expect("#regzbot\tpoke\n", "#regzbot", "poke", "");
}

static void a_wrapped_argument_goes_on_to_the_blank_line(void **state)
{
	(void)state;
	expect("#regtrail title a title that the mail program\nwrapped twice\n"
	       "without asking\n\nmore prose\n",
	       "#regtrail", "title",
	       "a title that the mail program wrapped twice without asking");
	expect("#regzbot monitor:\nhttps://lists.example.org/r/1@example.org/\n",
	       "#regzbot", "monitor", "https://lists.example.org/r/1@example.org/");
	expect("#regtrail\nfix: mm: batch it\n", "#regtrail", "fix", "mm: batch it");
	expect("#regzbot introduced: 0123456789-\nabcdef0123\n", "#regzbot",
	       "introduced", "0123456789-abcdef0123");
}

static void each_line_with_the_prefix_is_a_command_of_its_own(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) commands =
		commands_of("#regzbot introduced: 0123456789ab\n"
			    "#regzbot title: slow\nreads\n#regzbot ignore-activity\n");
	assert_int_equal(commands->len, 3);
	const parser_command *c = g_ptr_array_index(commands, 1);
	assert_string_equal(c->arguments, "slow reads");
	assert_int_equal(c->line, 2);
	c = g_ptr_array_index(commands, 2);
	assert_int_equal(c->known->act, PARSER_ACT_POKE);
	assert_int_equal(c->line, 4);
}

static void a_semicolon_separates_commands_but_not_prose(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) two =
		commands_of("#regtrail dup 12345678; note: see there\n");
	assert_int_equal(two->len, 2);
	const parser_command *c = g_ptr_array_index(two, 1);
	assert_string_equal(c->verb, "note");
	assert_string_equal(c->arguments, "see there");
	expect("#regtrail expected: it is slower; fix it one day\n", "#regtrail",
	       "expected", "it is slower; fix it one day");
}

static void quoted_commands_are_not_read(void **state)
{
	(void)state;
	expect_none(
		"On Monday, Joe wrote:\n> #regtrail invalid\n>\n> #regzbot fix: x\n\n"
		"Why that?\n");
	expect_none(">> #regtrail invalid\n");
	expect_none("##regtrail invalid\n##regzbot invalid\n");
	expect_none("I would write #regtrail invalid here.\n");
	expect_none("  #regtrail invalid\n");
}

/* What some program takes for a line end, but mail does not. */
static void no_control_ends_a_quote(void **state)
{
	static const char *const controls[] = {
		"\r",   "\r\r", "\v",           "\f",           "\xc2\x85",
		"\x1c", "\x1e", "\xe2\x80\xa8", "\xe2\x80\xa9", "\b",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(controls); i++) {
		g_autofree char *quote = g_strdup_printf(
			"On Monday, Joe wrote:\n> see%s#regtrail invalid\n"
			">%s#regtrail invalid\n> that\n\nHm.\n",
			controls[i], controls[i]);
		g_autofree char *own =
			g_strdup_printf("See%s#regtrail invalid\nBye.\n", controls[i]);
		g_autofree char *html = g_strdup_printf(
			"<blockquote>see%s#regtrail invalid</blockquote>\n<p>Hm.</p>\n",
			controls[i]);
		g_autoptr(GPtrArray) hidden =
			read_mail("Re: slow", "Content-Type: text/html\n", html);
		expect_none(quote);
		expect_none(own);
		assert_int_equal(hidden->len, 0);
	}
}

static void expect_doubt(const char *body)
{
	g_autoptr(GPtrArray) commands = commands_of(body);
	const parser_command *c = only(commands);

	assert_string_equal(c->verb, "invalid");
	assert_non_null(c->problem);
	assert_non_null(strstr(c->problem, "quoted line"));
}

#define LONG_QUOTE                                                                     \
	"> I saw the same on another machine, where one would have to write\n"

static void the_rest_of_a_wrapped_quote_commands_nothing_and_says_why(void **state)
{
	(void)state;
	expect_doubt("Joe wrote:\n" LONG_QUOTE
		     "#regtrail invalid\n> and that is all.\n\nHm.\n");
	expect_doubt("Joe wrote:\n" LONG_QUOTE
		     "#regtrail invalid: it is noise\n\nHm.\n");
	expect_doubt("Joe wrote:\n> see\n#regtrail invalid\n> that\n\nHm.\n");
	expect_doubt("Joe wrote:\n>> see\n#regtrail invalid\n> that\n\nHm.\n");
	expect("Joe wrote:\n" LONG_QUOTE "\n#regtrail invalid\n\n> and that is all.\n",
	       "#regtrail", "invalid", "");
	g_autoptr(GPtrArray) below =
		commands_of("Joe wrote:\n> see\n#regtrail invalid\n");
	assert_null(only(below)->problem);
	/* columns count, not bytes */
	g_autoptr(GPtrArray) short_line = commands_of(
		"Joe wrote:\n> \xd0\xbc\xd0\xb5\xd0\xb4\xd0\xbb\xd0\xb5\xd0\xbd\xd0\xbd\xd0\xbe "
		"\xd0\xbc\xd0\xb5\xd0\xb4\xd0\xbb\xd0\xb5\xd0\xbd\xd0\xbd\xd0\xbe "
		"\xd0\xbc\xd0\xb5\xd0\xb4\xd0\xbb\xd0\xb5\xd0\xbd\xd0\xbd\xd0\xbe "
		"\xd0\xbc\xd0\xb5\xd0\xb4\xd0\xbb\xd0\xb5\xd0\xbd\xd0\xbd\xd0\xbe\n"
		"#regtrail invalid\n");
	assert_null(only(short_line)->problem);
	/* quoted without marks: nobody would take it for the author's */
	expect_none(
		"Hm.\n\nOn Mon, 1 May 2023 at 10:00, Joe <joe@example.org> wrote:\n\n"
		"one would write\n#regtrail invalid\nfor that\n");
}

static void commands_in_patches_and_forwarded_mail_are_not_read(void **state)
{
	(void)state;
	expect_none(
		"Try this:\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n"
		"-a\n+#regtrail invalid\n #regtrail invalid\n");
	expect_none("FYI\n\n-------- Forwarded Message --------\n"
		    "Subject: x\nDate: Thu, 02 Jan 2020 10:00:00 +0000\n"
		    "From: Joe <joe@example.org>\nTo: Jane <jane@example.org>\n\n"
		    "#regtrail invalid\n");
}

static void a_command_below_the_signature_line_counts(void **state)
{
	(void)state;
	expect("Hello,\n\nbye.\n\n-- \nJane\n\n#regzbot backburn: later\n", "#regzbot",
	       "backburn", "later");
}

static void invisible_characters_before_the_prefix_do_not_hide_it(void **state)
{
	(void)state;
	expect("\xef\xbb\xbf#regtrail poke\n", "#regtrail", "poke", "");
	expect("\xc2\xa0#regtrail poke\n", "#regtrail", "poke", "");
	expect("#regzbot invalid:\xc2\xa0mine\n", "#regzbot", "invalid", "mine");
	expect_none("\xe2\x80\x8b#regtrail poke\n");
}

/* What looks like one word to the eye is another one, or none. */
static void invisible_characters_within_make_no_command(void **state)
{
	static const char *const hidden[] = {
		"\xe2\x80\x8b", "\xe2\x80\x8d", "\xc2\xad",         "\xef\xbb\xbf",
		"\xe2\x81\xa0", "\xef\xb8\x8f", "\xf3\xa0\x81\x81", "\xcd\x8f",
	};
	static const char *const within[] = {
		"#regtrail dup%slicate 12345678\n",
		"#regtrail%s invalid\n",
		"#regtrail %sinvalid\n",
		"#regtrail: invalid%s\n",
		"#regtrail in%svalid: noise\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(hidden); i++) {
		g_autofree char *prefix =
			g_strdup_printf("#reg%strail invalid\n", hidden[i]);
		expect_none(prefix);
		for (size_t k = 0; k < G_N_ELEMENTS(within); k++) {
			g_auto(GStrv) parts = g_strsplit(within[k], "%s", 2);
			g_autofree char *body =
				g_strconcat(parts[0], hidden[i], parts[1], NULL);
			g_autoptr(GPtrArray) commands = commands_of(body);
			const char *problem = only(commands)->problem;
			assert_non_null(problem);
			assert_non_null(strstr(problem, "invisible"));
		}
	}
}

static void the_subject_is_read_unless_the_body_has_commands(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) a = read_mail("#regtrail reopen", "", "See above.\n");
	assert_string_equal(only(a)->verb, "reopen");
	assert_int_equal(only(a)->line, 0);
	g_autoptr(GPtrArray) b =
		read_mail("#regtrail reopen", "", "#regtrail note: no\n");
	assert_string_equal(only(b)->verb, "note");
	g_autoptr(GPtrArray) c = read_mail("Re: #regtrail reopen", "", "Why?\n");
	assert_int_equal(c->len, 0);
}

static void automatic_answers_command_nothing(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) commands =
		read_mail("Out of office", "Auto-Submitted: auto-replied\n",
			  "I am away.\n\n#regtrail invalid\n");
	assert_int_equal(commands->len, 0);
}

static void what_cannot_be_carried_out_says_why(void **state)
{
	(void)state;
	static const struct {
		const char *body, *problem;
	} cases[] = {
		{ "#regtrail frobnicate now\n", "unknown verb 'frobnicate'" },
		{ "#regtrail\n", "no verb" },
		{ "#regtrail dup\n", "'dup' needs ID" },
		{ "#regtrail dup <ID>\n", "placeholder" },
		{ "#regtrail fix: HASH\n", "placeholder" },
		{ "#regtrail title ...\n", "placeholder" },
		{ "#regtrail priority urgent\n", "low, normal or high" },
		{ "#regzbot introduced: yesterday\n", "a commit or a range" },
		{ "#regzbot expect: no such verb there\n", "unknown verb" },
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GPtrArray) commands = commands_of(cases[i].body);
		assert_non_null(only(commands)->problem);
		assert_non_null(strstr(only(commands)->problem, cases[i].problem));
	}
}

static void sound_commands_have_no_problem(void **state)
{
	(void)state;
	static const char *const bodies[] = {
		"#regtrail fix: 0123456789ab\n",
		"#regtrail fix: mm: batch the counters\n",
		"#regtrail priority high\n",
		"#regtrail owner Jane Doe <jane@example.org>\n",
		"#regzbot introduced: v6.1..v6.2\n",
		"#regzbot ^introduced 0123456789ab\n",
		"#regzbot from: Joe <joe@example.org>\n",
		"#regtrail undo\n",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
		g_autoptr(GPtrArray) commands = commands_of(bodies[i]);
		assert_null(only(commands)->problem);
	}
}

static void every_closed_status_is_a_verb(void **state)
{
	(void)state;
	static const struct {
		const char *word, *status;
	} cases[] = {
		{ "fixed", "fixed" },
		{ "expected", "expected" },
		{ "tradeoff", "expected" },
		{ "ignored", "ignored" },
		{ "resolve", "ignored" },
		{ "invalid", "invalid" },
		{ "noise", "invalid" },
		{ "not-reproducible", "not-reproducible" },
		{ "inconclusive", "not-reproducible" },
		{ "dup", "duplicate" },
		{ "dropped", "dropped" },
		{ "fix", "fix-queued" },
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const parser_verb *v = parser_verb_find("#regtrail", cases[i].word);
		assert_non_null(v);
		assert_string_equal(v->status, cases[i].status);
	}
}

static void every_undo_is_itself_a_verb(void **state)
{
	(void)state;
	for (const parser_verb *v = parser_verbs; v->name; v++) {
		assert_true(v->regtrail || v->regzbot);
		assert_true(*v->effect && !strchr(v->effect, '\n'));
		if (v->undo)
			assert_non_null(parser_verb_find("#regtrail", v->undo));
	}
}

static void no_word_means_two_verbs(void **state)
{
	(void)state;
	for (const parser_verb *v = parser_verbs; v->name; v++) {
		g_auto(GStrv) words = g_strsplit(v->aliases, " ", -1);
		if (v->regtrail)
			assert_ptr_equal(parser_verb_find("#regtrail", v->name), v);
		for (char **w = words; v->regtrail && *w; w++)
			if (**w)
				assert_ptr_equal(parser_verb_find("#regtrail", *w), v);
	}
}

static void a_flood_of_commands_is_cut(void **state)
{
	(void)state;
	g_autoptr(GString) body = g_string_new(NULL);
	for (int i = 0; i < 5000; i++)
		g_string_append(body, "#regtrail note: x; note: y; note: z\n");
	g_autoptr(GPtrArray) commands = commands_of(body->str);
	assert_true(commands->len <= 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_stands_alone_on_its_line),
		cmocka_unit_test(the_colon_is_optional_and_case_does_not_matter),
		cmocka_unit_test(a_wrapped_argument_goes_on_to_the_blank_line),
		cmocka_unit_test(each_line_with_the_prefix_is_a_command_of_its_own),
		cmocka_unit_test(a_semicolon_separates_commands_but_not_prose),
		cmocka_unit_test(quoted_commands_are_not_read),
		cmocka_unit_test(no_control_ends_a_quote),
		cmocka_unit_test(
			the_rest_of_a_wrapped_quote_commands_nothing_and_says_why),
		cmocka_unit_test(commands_in_patches_and_forwarded_mail_are_not_read),
		cmocka_unit_test(a_command_below_the_signature_line_counts),
		cmocka_unit_test(invisible_characters_before_the_prefix_do_not_hide_it),
		cmocka_unit_test(invisible_characters_within_make_no_command),
		cmocka_unit_test(the_subject_is_read_unless_the_body_has_commands),
		cmocka_unit_test(automatic_answers_command_nothing),
		cmocka_unit_test(what_cannot_be_carried_out_says_why),
		cmocka_unit_test(sound_commands_have_no_problem),
		cmocka_unit_test(every_closed_status_is_a_verb),
		cmocka_unit_test(every_undo_is_itself_a_verb),
		cmocka_unit_test(no_word_means_two_verbs),
		cmocka_unit_test(a_flood_of_commands_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
