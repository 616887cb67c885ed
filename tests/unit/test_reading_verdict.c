/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/test.h"

#include "tests/unit/reading_mail.h"

static const parser_verdict *verdict_at(const parser_reading *r, guint index)
{
	assert_true(index < r->verdicts->len);
	return g_ptr_array_index(r->verdicts, index);
}

static bool has(const parser_reading *r, parser_verdict_kind kind)
{
	for (guint i = 0; i < r->verdicts->len; i++)
		if (verdict_at(r, i)->kind == kind)
			return true;
	return false;
}

static bool closes(const parser_reading *r)
{
	static const parser_verdict_kind closing[] = {
		PARSER_VERDICT_FIXED,           PARSER_VERDICT_DROPPED,
		PARSER_VERDICT_INVALID,         PARSER_VERDICT_DUPLICATE,
		PARSER_VERDICT_EXPECTED,        PARSER_VERDICT_IGNORED,
		PARSER_VERDICT_NOT_REPRODUCIBLE
	};
	for (size_t i = 0; i < G_N_ELEMENTS(closing); i++)
		if (has(r, closing[i]))
			return true;
	return false;
}

static void expect_first(const char *body, const char *verdict)
{
	g_autoptr(parser_reading) r = reading_of(JANE, body);
	const char *first = parser_verdict_name(verdict_at(r, 0)->kind);
	if (strcmp(first, verdict) != 0)
		fail_msg("%s, not %s: %s", first, verdict, body);
}

static void expect_open(const char *body)
{
	g_autoptr(parser_reading) r = reading_of(JANE, body);
	if (closes(r))
		fail_msg("closed as %s: %s",
			 parser_verdict_name(verdict_at(r, 0)->kind), body);
}

/* ---- the mails of tests/data/reading/verdicts ---------------------------------------
 */

/*
 * A file holds mails of one verdict.  `first` of them must have it as their first
 * verdict, `any` anywhere; what is missing is printed.
 */
static void expect_file(const char *verdict, guint first, guint any)
{
	g_autofree char *path =
		g_strdup_printf("%s/reading/verdicts/%s.txt", TEST_DATA, verdict);
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_auto(GStrv) mails = g_strsplit(text, "=====\n", -1);
	guint n_first = 0, n_any = 0;
	g_autoptr(GString) missed = g_string_new(NULL);

	for (char **mail = mails; *mail; mail++) {
		bool robot = g_str_has_prefix(*mail, "From: robot\n");
		const char *body = robot ? strchr(*mail, '\n') + 1 : *mail;
		g_autoptr(parser_reading) r = reading_of(robot ? ROBOT : JANE, body);
		const char *got = parser_verdict_name(verdict_at(r, 0)->kind);
		n_first += strcmp(got, verdict) == 0;
		bool there = has(r, parser_verdict_from_name(verdict));
		n_any += there;
		if (!there)
			g_string_append_printf(missed, "[%s] %s", got, body);
	}
	assert_true(g_strv_length(mails) >= 10);
	if (n_first < first || n_any < any)
		fail_msg("%s: first %u, anywhere %u\n%s", verdict, n_first, n_any,
			 missed->str);
}

static void every_verdict_is_read_from_other_words(void **state)
{
	(void)state;
	expect_file("ack", 11, 11);
	expect_file("analysis", 10, 10);
	expect_file("question", 11, 11);
	expect_file("expected", 27, 27);
	expect_file("ignored", 25, 25);
	expect_file("invalid", 26, 27);
	expect_file("not-reproducible", 23, 23);
	expect_file("patch", 10, 10);
	expect_file("fixed", 26, 26);
	expect_file("dropped", 25, 25);
	expect_file("duplicate", 20, 20);
	expect_file("disputed", 8, 9);
	expect_file("test-result", 10, 10);
	expect_file("info", 10, 10);
	expect_file("thanks", 9, 9);
	expect_file("none", 6, 7);
}

static void words_that_contradict_themselves_close_one_way(void **state)
{
	static const char *const bodies[] = {
		"Please ignore this regression.\n",
		"Please ignore this report, it is expected noise.\n",
		"This is fixed now, so ignore it.\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
		g_autoptr(parser_reading) r = reading_of(JANE, bodies[i]);
		bool stays = has(r, PARSER_VERDICT_IGNORED) ||
			     has(r, PARSER_VERDICT_EXPECTED);
		bool none = has(r, PARSER_VERDICT_INVALID) ||
			    has(r, PARSER_VERDICT_NOT_REPRODUCIBLE);
		bool gone =
			has(r, PARSER_VERDICT_FIXED) || has(r, PARSER_VERDICT_DROPPED);

		if (stays + none + gone != 1)
			fail_msg("%d ways: %s", stays + none + gone, bodies[i]);
	}
}

static void evidence_is_the_authors_own_text(void **state)
{
	(void)state;
	g_autoptr(parser_reading) r = reading_of(
		JANE, "On Monday, Joe wrote:\n> Is this a bug?\n\n"
		      "No. This is expected, we do more work\nper call now.\n");
	const parser_verdict *v = verdict_at(r, 0);
	assert_int_equal(v->kind, PARSER_VERDICT_EXPECTED);
	assert_string_equal(v->evidence,
			    "This is expected, we do more work\nper call now.");
	assert_memory_equal(r->mail->text + v->offset, v->evidence,
			    strlen(v->evidence));
	assert_true(g_str_has_prefix(v->rule, "expected/"));
	assert_true(v->confidence > 0.5 && v->confidence <= 1);
}

/* ---- traps
 * ---------------------------------------------------------------------------- */

static void negations_do_not_close(void **state)
{
	(void)state;
	expect_open("I don't think that this can be ignored.\n");
	expect_open("That was not expected.\n");
	expect_open(
		"The series does not fix any performance problem, it prepares for it.\n");
	expect_open("We will not revert it.\n");
	expect_open("This is not a duplicate.\n");
	expect_open("This is not noise, it happens in every run.\n");
}

static void double_negations_mean_expected(void **state)
{
	(void)state;
	expect_first("This is not unexpected.\n", "expected");
	expect_first("There is nothing unexpected in these numbers.\n", "expected");
	expect_first("That isn't surprising.\n", "expected");
}

static void conditions_decide_nothing(void **state)
{
	(void)state;
	expect_open("If the counter is non-zero, then this is expected.\n");
	expect_open("If it is a one-off it can be ignored.\n");
	expect_open("Unless you see it again, it's just noise.\n");
	expect_open("I don't know whether this has been fixed in mainline.\n");
}

static void questions_decide_nothing(void **state)
{
	(void)state;
	expect_open("Is this expected?\n");
	expect_open("Has this been fixed already?\n");
	expect_open("Should we just ignore it?\n");
	expect_open("Could it be a duplicate of the other report?\n");
}

static void quoted_verdicts_are_not_the_authors(void **state)
{
	(void)state;
	expect_open("On Monday, Joe wrote:\n> This is expected, let's ignore it.\n"
		    "> The patch has been dropped.\n\nWhich machine was it?\n");
	expect_open("> This is a false positive.\n\nThanks.\n");
}

static void the_robots_team_takes_its_report_back(void **state)
{
	(void)state;
	g_autoptr(parser_reading) r = reading_of(
		ROBOT, "Sorry, this was a false positive. We tested both kernels\n"
		       "again, and there is no regression.\n");
	assert_int_equal(verdict_at(r, 0)->kind, PARSER_VERDICT_INVALID);
}

static void ignoring_another_mail_is_no_verdict(void **state)
{
	(void)state;
	expect_open("Please ignore my previous mail, I had the wrong tree.\n");
	expect_open("You can ignore the warning.\n");
}

static void the_culprit_as_a_fix_is_no_fix(void **state)
{
	(void)state;
	expect_open(
		"Commit 1122334455 fixed a crash in the same function, so it has to "
		"call it.\n");
	expect_open("The race was fixed by 1122334455aa.\n");
}

static void a_tag_of_the_robot_in_a_patch_is_no_test(void **state)
{
	(void)state;
	g_autoptr(parser_reading) r = reading_of(
		JANE,
		"Please try this one.\n\nReported-by: kernel test robot "
		"<robot@example.org>\nTested-by: kernel test robot "
		"<robot@example.org>\nSigned-off-by: Jane Doe <jane@example.org>\n"
		"---\n a.c | 2 +-\n 1 file changed\n\ndiff --git a/a.c b/a.c\n"
		"--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,1 @@\n-int a;\n+int b;\n");
	assert_int_equal(verdict_at(r, 0)->kind, PARSER_VERDICT_PATCH);
	assert_false(has(r, PARSER_VERDICT_TEST_RESULT));
	g_autoptr(parser_reading) t =
		reading_of(ROBOT, "Tested-by: kernel test robot <robot@example.org>\n");
	assert_int_equal(verdict_at(t, 0)->kind, PARSER_VERDICT_TEST_RESULT);
	assert_int_equal(verdict_at(t, 0)->outcome, PARSER_OUTCOME_FIXED);
	assert_true(g_str_has_prefix(verdict_at(t, 0)->evidence, "Tested-by:"));
}

static void tests_have_outcomes(void **state)
{
	(void)state;
	static const struct {
		const char *body;
		parser_outcome outcome;
	} cases[] = {
		{ "we tested your patch and the regression is gone.\n",
		  PARSER_OUTCOME_FIXED },
		{ "we tested your patch, but it does not help.\n",
		  PARSER_OUTCOME_NOT_FIXED },
		{ "we tested the patch. the regression is partially recovered.\n",
		  PARSER_OUTCOME_PARTIAL },
		{ "we tested the patch. the performance becomes even worse.\n",
		  PARSER_OUTCOME_WORSE },
		{ "we applied both patches. with the first one the regression is gone, the\n"
		  "second does not help.\n",
		  PARSER_OUTCOME_PARTIAL },
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(parser_reading) r = reading_of(ROBOT, cases[i].body);
		assert_int_equal(verdict_at(r, 0)->kind, PARSER_VERDICT_TEST_RESULT);
		assert_int_equal(verdict_at(r, 0)->outcome, cases[i].outcome);
	}
}

static void a_table_tells_the_outcome_when_words_do_not(void **state)
{
	(void)state;
	g_autoptr(parser_reading) r = reading_of(
		ROBOT,
		"Hi Jane, we tested your branch, below is the comparison.\n\n"
		"commit: \n"
		"  aaaaaaaaaa (\"mm: a\")\n"
		"  1122334455 (\"mm: b\")\n"
		"  cccccccccc (\"mm: c\")\n\n"
		"aaaaaaaaaaaaaaaa 1122334455112233445511223344 cccccccccccccccccccccccccccc \n"
		"---------------- --------------------------- --------------------------- \n"
		"         %stddev     %change         %stddev     %change         %stddev\n"
		"             \\          |                \\          |                \\  \n"
		"      1000           -20.0%        800            -0.5%        995        "
		"foo.ops_per_sec\n");
	assert_true(has(r, PARSER_VERDICT_TEST_RESULT));
	for (guint i = 0; i < r->verdicts->len; i++)
		if (verdict_at(r, i)->kind == PARSER_VERDICT_TEST_RESULT)
			assert_int_equal(verdict_at(r, i)->outcome,
					 PARSER_OUTCOME_FIXED);
}

/* ---- whose word it is, of what, and whether it holds: tests/data/reading/open
 * ---------
 */

/* The lines of a file, each a mail of its own; all that are not as wanted are told. */
static void expect_lines(const char *file, bool (*wrong)(const char *line))
{
	g_autofree char *path =
		g_strdup_printf("%s/reading/open/%s.txt", TEST_DATA, file);
	g_autofree char *text = NULL;
	g_autoptr(GString) faults = g_string_new(NULL);

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	assert_true(g_strv_length(lines) > 20);
	for (char **line = lines; *line; line++)
		if (**line && wrong(*line))
			g_string_append_printf(faults, "%s\n", *line);
	if (faults->len > 0)
		fail_msg("%s:\n%s", file, faults->str);
}

static bool is_closed(const char *line)
{
	g_autoptr(parser_reading) r = reading_of(JANE, line);
	return closes(r);
}

/* "expected: words of a mail" */
static bool is_other_verdict(const char *line)
{
	const char *colon = strchr(line, ':');
	g_autofree char *verdict = g_strndup(line, (gsize)(colon - line));
	g_autoptr(parser_reading) r = reading_of(JANE, colon + 2);

	return strcmp(parser_verdict_name(verdict_at(r, 0)->kind), verdict) != 0;
}

static void what_others_say_decides_nothing(void **state)
{
	(void)state;
	expect_lines("said", is_closed);
}

static void what_is_denied_decides_nothing(void **state)
{
	(void)state;
	expect_lines("not", is_closed);
}

static void what_does_not_hold_yet_decides_nothing(void **state)
{
	(void)state;
	expect_lines("if", is_closed);
}

static void what_is_asked_decides_nothing(void **state)
{
	(void)state;
	expect_lines("ask", is_closed);
}

static void what_is_said_of_something_else_decides_nothing(void **state)
{
	(void)state;
	expect_lines("else", is_closed);
}

static void plain_words_beside_those_still_decide(void **state)
{
	(void)state;
	expect_lines("plain", is_other_verdict);
}

/* ---- bad input
 * ------------------------------------------------------------------------ */

static void a_verdict_without_words_of_its_own_does_not_act(void **state)
{
	(void)state;
	static const char *const bodies[] = {
		"This is the expected price, and I would leave it as it is.\n",
		"The slowdown is expected. It is the cost of the fix.\n",
		"It is a false positive, sorry. The machine was broken.\n",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
		g_autoptr(parser_reading) r = reading_of(JANE, bodies[i]);
		assert_true(closes(r));
		for (guint k = 0; k < r->verdicts->len; k++) {
			const parser_verdict *v = verdict_at(r, k);
			assert_true(v->confidence < 0.5 ||
				    v->kind == PARSER_VERDICT_ANALYSIS ||
				    v->kind == PARSER_VERDICT_EXPECTED ||
				    v->kind == PARSER_VERDICT_IGNORED ||
				    v->kind == PARSER_VERDICT_INVALID);
			assert_int_not_equal(v->kind, PARSER_VERDICT_PATCH);
		}
	}
}

static void a_megabyte_takes_no_time(void **state)
{
	(void)state;
	g_autoptr(GString) body = g_string_new(NULL);
	while (body->len < (1u << 20))
		g_string_append(body,
				"the patch the commit is not expected to see no if ");
	g_autoptr(parser_reading) r = reading_of(JANE, body->str);
	assert_true(r->verdicts->len <= PARSER_VERDICTS_MAX);
}

static void odd_replies_never_close(void **state)
{
	(void)state;
	expect_open("Hm.\n");
	expect_open("\n");
	expect_open("> expected\n> fixed\n");
	expect_open(
		"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n"
		"-/* this is expected */\n+/* this is expected, please ignore it */\n");
	expect_open("Das ist so gewollt, bitte nicht beachten.\n");
	expect_open("\xff\xfe\x01 \x02\n");
}

static void a_mail_with_every_verdict_gives_three(void **state)
{
	(void)state;
	g_autoptr(parser_reading) r = reading_of(
		JANE,
		"This is expected. Let's ignore it. It is a false positive. I could\n"
		"not reproduce it. It is already fixed in mainline. I have dropped\n"
		"the patch. It is a duplicate of another report. I will look into\n"
		"it. Can you try this patch? What is the config? Thanks!\n");
	assert_int_equal(r->verdicts->len, PARSER_VERDICTS_MAX);
	assert_true(closes(r));
	for (guint i = 0; i < r->verdicts->len; i++)
		assert_true(strlen(verdict_at(r, i)->evidence) > 0);
}

static void automatic_answers_decide_nothing(void **state)
{
	(void)state;
	g_autoptr(parser_rules) rules = reading_rules();
	g_autoptr(parser_lists) lists = reading_lists();
	const char *text =
		"From: a@example.org\nSubject: Automatic reply: x\n"
		"Message-ID: <1@example.org>\nAuto-Submitted: auto-replied\n\n"
		"This is expected, please ignore it.\n";
	g_autoptr(parser_reading) r = parser_read(text, strlen(text), PARSER_FORM_MAIL,
						  0, rules, lists, NULL);
	assert_int_equal(r->verdicts->len, 0);
}

/*
 * Every verdict from one half on moves a status, so what only echoes the words of a
 * surer one, or offers no patch that anybody could test, stays below.
 */
static void an_echo_of_a_surer_verdict_does_not_act(void **state)
{
	(void)state;
	g_autoptr(parser_reading) r = reading_of(
		JANE,
		"Tasks now start on both nodes, so they meet on the list from two\n"
		"sockets. The test does nothing but fork and exit; real workloads\n"
		"gain from the wider spread. This is the expected price of the\n"
		"change, and I would not do anything about it.\n");

	assert_int_equal(verdict_at(r, 0)->kind, PARSER_VERDICT_EXPECTED);
	for (guint i = 1; i < r->verdicts->len; i++)
		if (verdict_at(r, i)->kind == PARSER_VERDICT_PATCH)
			assert_true(verdict_at(r, i)->confidence < 0.5);
}

static void words_behind_a_bar_are_not_the_author_s(void **state)
{
	(void)state;
	expect_open("On Mon, Joe wrote:\n| Please ignore this regression.\n\nHmm.\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_verdict_is_read_from_other_words),
		cmocka_unit_test(words_behind_a_bar_are_not_the_author_s),
		cmocka_unit_test(an_echo_of_a_surer_verdict_does_not_act),
		cmocka_unit_test(words_that_contradict_themselves_close_one_way),
		cmocka_unit_test(evidence_is_the_authors_own_text),
		cmocka_unit_test(negations_do_not_close),
		cmocka_unit_test(double_negations_mean_expected),
		cmocka_unit_test(conditions_decide_nothing),
		cmocka_unit_test(questions_decide_nothing),
		cmocka_unit_test(quoted_verdicts_are_not_the_authors),
		cmocka_unit_test(what_others_say_decides_nothing),
		cmocka_unit_test(what_is_denied_decides_nothing),
		cmocka_unit_test(what_does_not_hold_yet_decides_nothing),
		cmocka_unit_test(what_is_asked_decides_nothing),
		cmocka_unit_test(what_is_said_of_something_else_decides_nothing),
		cmocka_unit_test(plain_words_beside_those_still_decide),
		cmocka_unit_test(the_robots_team_takes_its_report_back),
		cmocka_unit_test(ignoring_another_mail_is_no_verdict),
		cmocka_unit_test(the_culprit_as_a_fix_is_no_fix),
		cmocka_unit_test(a_tag_of_the_robot_in_a_patch_is_no_test),
		cmocka_unit_test(tests_have_outcomes),
		cmocka_unit_test(a_table_tells_the_outcome_when_words_do_not),
		cmocka_unit_test(a_verdict_without_words_of_its_own_does_not_act),
		cmocka_unit_test(a_megabyte_takes_no_time),
		cmocka_unit_test(odd_replies_never_close),
		cmocka_unit_test(a_mail_with_every_verdict_gives_three),
		cmocka_unit_test(automatic_answers_decide_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
