/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/test.h"

#include <string.h>

#include "parser/parser.h"
#include "parser/phrases.h"

/* Names of the rules that match the text under the rule file, with contexts. */
static char *matches(const char *rules, const char *body)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(phrase_book) book =
		phrase_book_parse("test", rules, strlen(rules), &error);
	assert_null(error);
	g_autofree char *text =
		g_strconcat("From: a@example.org\nMessage-ID: <1@example.org>\n\n",
			    body, "\n", NULL);
	g_autoptr(parser_mail) mail =
		parser_mail_parse(text, strlen(text), PARSER_FORM_MAIL, 0, NULL);
	g_autoptr(prose) p = prose_read(mail, "0123456789abcdef", mail->text_length);
	g_autoptr(phrase_matcher) m = phrase_matcher_new(book, p);
	g_autoptr(GArray) hits = g_array_new(false, false, sizeof(phrase_hit));
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < p->sentences->len; i++)
		phrase_match(m, prose_sentence_at(p, i), hits);
	for (guint i = 0; i < hits->len; i++) {
		const phrase_hit *hit = &g_array_index(hits, phrase_hit, i);
		g_string_append_printf(names, "%s%s%s%s%s", i > 0 ? " " : "",
				       phrase_book_rule(book, hit->rule)->name,
				       hit->context & PHRASE_NEGATED ? "~not" : "",
				       hit->context & PHRASE_CONDITIONAL ? "~if" : "",
				       hit->context & PHRASE_QUESTION ? "~ask" : "");
		g_string_append_printf(names, "%s%s%s",
				       hit->context & PHRASE_DENIED ? "~denied" : "",
				       hit->context & PHRASE_SAID ? "~said" : "",
				       hit->context & PHRASE_ELSE ? "~else" : "");
	}
	return g_string_free(names, false);
}

static void expect(const char *rules, const char *body, const char *want)
{
	g_autofree char *got = matches(rules, body);
	assert_string_equal(got, want);
}

static const char *fault_of(const char *rules)
{
	static char message[200];
	g_autoptr(GError) error = NULL;
	assert_null(phrase_book_parse("my.rules", rules, strlen(rules), &error));
	assert_true(g_error_matches(error, PARSER_ERROR, PARSER_ERROR_SYNTAX));
	g_strlcpy(message, error->message, sizeof(message));
	return message;
}

static void words_match_whole_and_stems_match_beginnings(void **state)
{
	(void)state;
	expect("rule a a\n\tslow\n", "It is slow. It is slower.", "a");
	expect("rule a a\n\tslow*\n", "It is slower.", "a");
	expect("rule a a\n\tfast|slow path\n", "The Slow path.", "a");
	expect("rule a a\n\tvery? slow path\n", "slow path", "a");
}

static void gaps_are_bounded_and_stay_in_the_clause(void **state)
{
	(void)state;
	const char *rules = "let stop = not but\nrule a a\n\tsee .. change\n";
	expect(rules, "I see a small change.", "a");
	expect(rules, "I see it, a change.", "");
	expect(rules, "I see no more than one single change.", "");
	expect(rules, "I see not a change.", "");
	expect("rule a a\n\tsee ... change\n", "I see it, and that is a change.", "a");
}

static void anchors_bind_to_the_sentence(void **state)
{
	(void)state;
	expect("rule a a\n\t^ looking\n", "Looking. We are looking.", "a");
	expect("rule a a\n\tfine $\n", "It is fine. Fine with me.", "a");
}

static void classes_can_hold_classes(void **state)
{
	(void)state;
	expect("let x = red green\nlet y = @x\n\tblue\nrule a a\n\t@y car\n",
	       "Green car, blue car, black car.", "a a");
	expect("rule a a\n\t<percent>\nrule b b\n\t<hash>\nrule c c\n\t<culprit>\n",
	       "It fell by 3.4% since fedcba987654, not 0123456789.", "a b c");
}

static void contexts_are_told_apart(void **state)
{
	(void)state;
	const char *rules =
		"let negator = not never\nlet conditional = if\n"
		"rule a a\n\texpected\nrule b b even-not even-ask\n\tfine\n";
	expect(rules, "This is expected.", "a");
	expect(rules, "This is not expected.", "a~not");
	expect(rules, "No idea. This isn't really expected.", "a~not");
	expect(rules, "Not that one, this is expected.", "a");
	expect(rules, "If it is so, then it is expected.", "a~if");
	expect(rules, "Is this expected?", "a~ask");
	expect(rules, "Is it not fine?", "b");
}

static void scopes_reach_as_far_as_they_say(void **state)
{
	(void)state;
	const char *rules = "let turn = but\n"
			    "scope not clause\n\tfar from\n\tdoubt\n"
			    "scope said rest\n\tclaims\n\tunless i claims\n"
			    "scope if sentence\n\tonce !again lands\n"
			    "scope else clause\n\tlogs\n"
			    "rule a a even-not\n\tthis .. expected\n\t^ expected\n"
			    "\texpected $\n";
	expect(rules, "This is expected.", "a a");
	expect(rules, "This is far from expected.", "a~denied");
	expect(rules, "I doubt this is expected.", "a~denied a~denied");
	expect(rules, "I doubt it, this is expected.", "a a");
	expect(rules, "I doubt it but this is expected.", "a a");
	expect(rules, "Eve claims that, here, this is expected.", "a~said a~said");
	expect(rules, "Eve claims much, but this is expected.", "a a");
	expect(rules, "I claims this is expected.", "a a");
	expect(rules, "Expected once it lands.", "a~if");
	expect(rules, "Expected once again lands.", "a");
	expect(rules, "In the logs this is expected.", "a~else a~else");
}

static void words_in_quote_marks_are_said(void **state)
{
	(void)state;
	const char *rules = "rule a a\n\texpected\n";
	expect(rules, "You wrote \"it is expected\" before.", "a~said");
	expect(rules, "You wrote \xe2\x80\x9cit is expected.\xe2\x80\x9d", "a~said");
	expect(rules, "The \"expected\" value is expected.", "a a");
	expect(rules, "A 3\" disk is expected.", "a");
	expect(rules, "You wrote \"it is expected.", "a");
}

static void titles_of_commits_are_nobodys_words(void **state)
{
	(void)state;
	const char *rules = "rule a a\n\tdrop\n";
	expect(rules, "See 0a1b2c3d4e5f (\"mm: drop it\"), we drop that.", "a");
	expect(rules, "See 0a1b2c3d4e5f (mm: drop foo() at once) and drop that.", "a");
	expect(rules, "See 0123456789 (mm/gup: drop (most of) it), drop that.", "a");
	/* a remark is no title */
	expect(rules, "See 0a1b2c3d4e5f (which we drop now).", "a");
	expect(rules, "See the patch (note: we drop it).", "a");
}

static void invisible_characters_hide_no_word(void **state)
{
	(void)state;
	const char *rules = "let negator = not\nrule a a\n\texpected\n";
	expect(rules, "It is ex\xe2\x80\x8bpected.", "a");
	expect(rules,
	       "It is n\xe2\x80\x8bot exp\xc2\xad"
	       "ected.",
	       "a~not");
}

static void a_veto_voids_the_rule_in_that_sentence_only(void **state)
{
	(void)state;
	const char *rules = "rule a a\n\tignore\n\tunless my mail\n";
	expect(rules, "Please ignore my mail. Please ignore the report.", "a");
}

static void a_rule_can_be_for_questions_only(void **state)
{
	(void)state;
	expect("rule a a only-ask\n\twhich\n", "The one which runs. Which one runs?",
	       "a");
}

static void faults_name_file_and_line(void **state)
{
	(void)state;
	assert_string_equal(fault_of("\n\tword\n"),
			    "my.rules:2: a phrase before the first rule");
	assert_non_null(
		strstr(fault_of("rule a a\n\t@nope x\n"), "my.rules:2: no class"));
	assert_non_null(
		strstr(fault_of("rule a a\n\t<nope>\n"), "unknown kind of word"));
	assert_non_null(strstr(fault_of("rule a a\n\tx ..99 y\n"), "a gap is"));
	assert_non_null(strstr(fault_of("rule a a weight=lots\n"), "a weight is"));
	assert_non_null(strstr(fault_of("ruel a\n"), "a line begins with"));
	assert_non_null(strstr(fault_of("rule a a\n\tx?\n"), "not optional"));
	assert_non_null(strstr(fault_of("scope maybe rest\n"), "a scope is"));
	assert_non_null(strstr(fault_of("scope not far\n"), "a scope is"));
	assert_non_null(strstr(fault_of("scope not\n"), "a scope is"));
	assert_non_null(strstr(fault_of("rule a a\n\t!x\n"), "not optional"));
	assert_non_null(strstr(fault_of("let a = @a\n\nrule b b\n\t@a\n"), "no class"));
}

static void long_sentences_and_words_take_no_time(void **state)
{
	(void)state;
	g_autoptr(GString) body = g_string_new(NULL);
	for (int i = 0; i < 200000; i++)
		g_string_append(body, "see see ");
	g_autofree char *got = matches("rule a a\n\tsee .. see ... see ...20 never\n"
				       "rule b b\n\tsee* ... seen\n",
				       body->str);
	assert_string_equal(got, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_match_whole_and_stems_match_beginnings),
		cmocka_unit_test(gaps_are_bounded_and_stay_in_the_clause),
		cmocka_unit_test(anchors_bind_to_the_sentence),
		cmocka_unit_test(classes_can_hold_classes),
		cmocka_unit_test(contexts_are_told_apart),
		cmocka_unit_test(scopes_reach_as_far_as_they_say),
		cmocka_unit_test(words_in_quote_marks_are_said),
		cmocka_unit_test(titles_of_commits_are_nobodys_words),
		cmocka_unit_test(invisible_characters_hide_no_word),
		cmocka_unit_test(a_veto_voids_the_rule_in_that_sentence_only),
		cmocka_unit_test(a_rule_can_be_for_questions_only),
		cmocka_unit_test(faults_name_file_and_line),
		cmocka_unit_test(long_sentences_and_words_take_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
