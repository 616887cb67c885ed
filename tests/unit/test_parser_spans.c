/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail.h"

static void bottom_posted(void **state)
{
	(void)state;
	assert_own("On Mon, 1 May 2023 at 10:00, Joe Doe <joe@example.org> wrote:\n"
		   "> it is slow\n"
		   "> > slower\n"
		   "\n"
		   "I will look.\n",
		   "I will look.");
}

static void top_posted_with_marks(void **state)
{
	(void)state;
	assert_own(
		"I will look.\n\nOn Mon, 1 May 2023 at 10:00, Joe <joe@example.org> wrote:\n"
		"\n> it is slow\n> indeed\n",
		"I will look.");
}

static void top_posted_without_marks(void **state)
{
	(void)state;
	assert_own(
		"I will look.\n\nOn Mon, 1 May 2023 at 10:00, Joe <joe@example.org> wrote:\n"
		"\nit is slow\nplease ignore it\n",
		"I will look.");
}

static void interleaved(void **state)
{
	(void)state;
	assert_own("Joe Doe <joe@example.org> writes:\n"
		   "> is it slow?\nYes.\n> much?\n\nVery.\n>> when?\n> always\nNo.\n",
		   "Yes.|Very.|No.");
}

static const char *const attributions[] = {
	"On 2023-08-10 at 21:24:37 +0800, a robot wrote:\n",
	"On Tue, Aug 1, 2023 at 10:00 AM a test robot\n<robot@example.org> wrote:\n",
	"On Tuesday, the first of August in the year 2023 at 10:00 in the morning\n"
	"Joe Doe, of the performance department of an Example\n<joe@example.org> wrote:\n",
	"Am 01.08.23 um 10:00 schrieb Joe Doe:\n",
	"Le 01/08/2023 \xc3\xa0 10:00, Joe Doe a \xc3\xa9"
	"crit :\n",
	"El mar, 1 ago 2023 a las 10:00, Joe (<joe@example.org>) escribi\xc3\xb3:\n",
	"Il giorno mar 1 ago 2023 alle ore 10:00 Joe <joe@example.org> ha scritto:\n",
	"\xe5\x9c\xa8 2023/8/1 10:00, Joe Doe \xe5\x86\x99\xe9\x81\x93:\n",
	"1 \xd0\xb0\xd0\xb2\xd0\xb3. 2023, 10:00, Joe \xd0\xbf\xd0\xb8\xd1\x88\xd0\xb5\xd1\x82:\n",
	"* Joe Doe <joe@example.org> [230801 10:00]:\n",
	"Joe Doe wrote:\n",
	"On Thu 10-03-22 01:13:50, Joe Doe wrote:\n",
	"On 8/1/23 10:00, Joe wrote:\n\n",
	"2023-08-01 10:00 GMT+02:00 Joe Doe <joe@example.org>:\n",
	"On Tue, 12 Mar 2024 17:08:22 -0400 Joe Doe <joe@example.org>\n",
};

static void attributions_are_nobodys_own_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(attributions); i++) {
		g_autofree char *body =
			g_strconcat("Hi all,\n\n", attributions[i],
				    "> it is slow\n\nNot here.\n", NULL);

		assert_own(body, "Hi all,|Not here.");
	}
}

static void an_attribution_may_stand_alone_above_a_greeting(void **state)
{
	(void)state;
	assert_own("Joe Doe <joe@example.org> writes:\n\nThanks for the report!\n\n"
		   "> it is slow\n\nNot here.\n",
		   "Thanks for the report!|Not here.");
}

static void a_sentence_before_a_quote_is_own(void **state)
{
	(void)state;
	assert_own("The log says:\n> it is slow\n\nAnd that is wrong.\n",
		   "The log says:|And that is wrong.");
}

static void outlook_headers_begin_anothers_words(void **state)
{
	(void)state;
	assert_own(
		"Thanks, fixed.\n\n-----Original Message-----\nFrom: Joe <joe@example.org>\n"
		"Sent: Monday, May 1, 2023 10:00 AM\nTo: Ann <ann@example.org>\n"
		"Subject: slow\n\nIt is slow.\n\nPlease ignore it.\n",
		"Thanks, fixed.");
	assert_own(
		"Fixed.\n\n________________________________\nVon: Joe <joe@example.org>\n"
		"Gesendet: Montag, 1. Mai 2023 10:00\nAn: Ann; Bob\nBetreff: slow\n\n"
		"It is slow.\n",
		"Fixed.");
	assert_own(
		"Fixed.\n\n\xe5\x8f\x91\xe4\xbb\xb6\xe4\xba\xba: Joe <joe@example.org>\n"
		"\xe5\x8f\x91\xe9\x80\x81\xe6\x97\xb6\xe9\x97\xb4: 2023\n"
		"\xe6\x94\xb6\xe4\xbb\xb6\xe4\xba\xba: Ann\n\xe4\xb8\xbb\xe9\xa2\x98: slow\n\n"
		"It is slow.\n",
		"Fixed.");
}

/* Sender, time and subject, whatever they are called. */
static void headers_in_any_language_begin_anothers_words(void **state)
{
	static const char *const blocks[] = {
		"De: Joe <joe@example.org>\nEnviada em: sexta-feira, 20 de novembro de 2026 "
		"10:00\nPara: Ann\nAssunto: RE: slow\n",
		"De\xc2\xa0: Joe <joe@example.org>\nEnvoy\xc3\xa9\xc2\xa0: vendredi 20 "
		"novembre 2026 10:00\n\xc3\x80\xc2\xa0: Ann\nObjet\xc2\xa0: slow\n",
		"Odes\xc3\xadlatel: Joe <joe@example.org>\nOdesl\xc3\xa1no: 20. listopadu 2026 "
		"10:00\nP\xc5\x99"
		"edm\xc4\x9bt: slow\n",
		"\xeb\xb3\xb4\xeb\x82\xb8\xec\x9d\xb4: Joe <joe@example.org>\n"
		"\xeb\xb3\xb4\xeb\x82\xb8 \xeb\x82\xa0\xec\xa7\x9c: 2026 10:00\n"
		"\xec\xa0\x9c\xeb\xaa\xa9: slow\n",
		"\xe2\x80\x8f\xd7\x9e\xd7\x90\xd7\xaa: Joe <joe@example.org>\n"
		"\xd7\xa0\xd7\xa9\xd7\x9c\xd7\x97: 20/11/2026 10:00\n"
		"\xd7\xa0\xd7\x95\xd7\xa9\xd7\x90: slow\n",
		"Kimden: Joe [mailto:joe@example.org]\nG\xc3\xb6nderme Tarihi: 20 Kas\xc4\xb1m "
		"2026 Cuma 10:00\nKonu: slow\n",
		"*Kimden:* Joe <joe@example.org>\n*Tarih:* "
		"\xd9\xa2\xd9\xa0\xd9\xa2\xd9\xa6 \xd9\xa1\xd9\xa0:\xd9\xa0\xd9\xa0\n"
		"*Konu:* slow\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(blocks); i++) {
		g_autofree char *body = g_strconcat(
			"Fixed.\n\n", blocks[i], "\nIt is slow.\n\nIgnore it.\n", NULL);

		assert_own(body, "Fixed.");
	}
	assert_own("Fixed.\n\n-------- Original Message --------\nIt is slow.\n",
		   "Fixed.");
}

/* What git prints, trailers, and lists of one's own have a colon, too. */
static void lines_with_colons_are_own_words(void **state)
{
	static const char *const texts[] = {
		"Author:     Joe <joe@example.org>\nAuthorDate: Mon May 1 10:00:00 2023\n"
		"Commit:     Ann <ann@example.org>\nCommitDate: Mon May 1 10:00:00 2023",
		"Reported-by: Joe <joe@example.org>\nTested-by: Ann <ann@example.org>\n"
		"Link: https://lore.example.org/r/20230501100000.1234@example.org",
		"CPU: 2023\nMemory: 64G\nDisk: none",
		"Contact: Joe <joe@example.org>\nMachine: box\nKernel: 6.12",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *body = g_strconcat("I see it.\n\n", texts[i],
						    "\n\nIgnore it.\n", NULL);
		g_autofree char *flat = g_strdelimit(g_strdup(texts[i]), "\n", '|');
		g_autofree char *own =
			g_strconcat("I see it.|", flat, "|Ignore it.", NULL);

		assert_own(body, own);
	}
	assert_own("So.\n\n---- results ----\nall is well\n",
		   "So.|---- results ----|all is well");
}

static void answers_between_marks_below_outlook_headers_are_own(void **state)
{
	(void)state;
	assert_own("> -----Original Message-----\n> From: Joe\n\n"
		   "From: Joe <joe@example.org>\nSent: Monday, May 1, 2023 10:00 AM\n"
		   "To: Ann\nSubject: slow\n\n> it is slow\n\nNot here.\n",
		   "Not here.");
}

static void a_forwarded_mail_is_not_own(void **state)
{
	(void)state;
	g_autoptr(parser_mail) mail = mail_of(
		"Subject: Fwd: x\n\nFYI\n\n---------- Forwarded message ---------\n"
		"From: Joe <joe@example.org>\nDate: Mon, May 1, 2023\nSubject: slow\n"
		"To: Ann <ann@example.org>\n\nIt is invalid.\n");
	g_autofree char *own = text_of_kind(mail, PARSER_SPAN_OWN);
	g_autofree char *forwarded = text_of_kind(mail, PARSER_SPAN_FORWARDED);

	(void)state;
	assert_null(strstr(own, "invalid"));
	assert_non_null(strstr(forwarded, "It is invalid."));
}

static void a_forwarded_mail_may_have_no_header(void **state)
{
	(void)state;
	assert_own(
		"FYI\n\n----- Forwarded message from joe@example.org -----\n\nIt is invalid.\n"
		"\n----- End forwarded message -----\n\nWhat now?\n",
		"FYI|What now?");
}

static void signature_and_footer_are_set_apart(void **state)
{
	g_autoptr(parser_mail) mail =
		mail_of("Subject: Re: x\n\nYes.\n-- \nJoe Doe\nExample Corp\n"
			"_______________________________________________\n"
			"perf mailing list -- perf@example.org\n"
			"To unsubscribe send an email to perf-leave@example.org\n");
	g_autofree char *own = text_of_kind(mail, PARSER_SPAN_OWN);
	g_autofree char *signature = text_of_kind(mail, PARSER_SPAN_SIGNATURE);
	g_autofree char *footer = text_of_kind(mail, PARSER_SPAN_FOOTER);

	(void)state;
	assert_string_equal(own, "Yes.\n");
	assert_string_equal(signature, "-- \nJoe Doe\nExample Corp\n");
	assert_non_null(strstr(footer, "mailing list"));
}

static void words_below_a_signature_are_the_authors(void **state)
{
	(void)state;
	assert_own("See the patch.\n\n-- \n2.39.2\n\nThis is intended.\n",
		   "See the patch.|This is intended.");
	assert_own(
		"Yes.\n-- \nJoe Doe\n\nI forgot to say that this regression is expected and was measured "
		"by all of us here.\n",
		"Yes.|I forgot to say that this regression is expected and was measured by all of us here.");
	assert_own("Yes.\n-- \nJoe Doe\n\nA short saying.\n", "Yes.");
}

static void the_old_majordomo_footer_is_one(void **state)
{
	(void)state;
	assert_own(
		"Yes.\n--\nTo unsubscribe from this list: send the line \"unsubscribe x\" in\n"
		"the body of a message to majordomo@example.org\n"
		"More majordomo info at  http://example.org/majordomo-info.html\n",
		"Yes.");
}

static void a_diff_is_no_prose(void **state)
{
	(void)state;
	assert_own(
		"Can you try this?\n\ndiff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n"
		"+++ b/x.c\n@@ -1,3 +1,3 @@ int f()\n a\n-this is invalid\n+b\n c\n\n"
		"It should help.\n",
		"Can you try this?|It should help.");
}

static void a_patch_mail_inside_a_mail_is_no_prose(void **state)
{
	(void)state;
	assert_own(
		"How about this?\n\n---8<---\nFrom: Joe <joe@example.org>\n"
		"Subject: [PATCH] x: fix it\n\nThis was invalid.\n\n---\n x.c | 2 +-\n"
		" 1 file changed\n\ndiff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n"
		"@@ -1 +1 @@\n-a\n+b\n",
		"How about this?");
}

static void a_patch_pasted_without_a_header_is_no_prose(void **state)
{
	(void)state;
	assert_own(
		"Try this.\n\nx: avoid it\n\nFrom: Joe Doe <joe@example.org>\n\n"
		"That caused a regression, it is fixed.\n\nSigned-off-by: Joe\n---\n"
		" x.c | 2 +-\n\ndiff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n"
		"-a\n+b\n",
		"Try this.");
}

static void a_shown_commit_is_not_the_authors_words(void **state)
{
	(void)state;
	assert_own(
		"It is this one:\n\ncommit 0123456789012345678901234567890123456789\n"
		"Author: Joe Doe <joe@example.org>\nDate:   Sun Jul 28 19:21:19 2019 -0500\n\n"
		"    x: fix it\n\n    This is invalid.\n\nOr is it?\n",
		"It is this one:|Or is it?");
}

static void what_stands_between_scissors_is_not_own(void **state)
{
	(void)state;
	assert_own("See:\n--- >8 ---\nlog: it is fixed\n--- 8< ---\nThat is all.\n",
		   "See:|That is all.");
}

static void template_lines_are_not_the_authors(void **state)
{
	g_autoptr(parser_mail) mail = mail_of(
		"Subject: x\n\nadd these tags\n| Reported-by: a robot <r@example.org>\n"
		"| Closes: https://example.org/x@y/\n");
	g_autofree char *template = text_of_kind(mail, PARSER_SPAN_TEMPLATE);

	(void)state;
	assert_non_null(strstr(template, "| Closes:"));
}

static void table_rows_are_no_prose(void **state)
{
	(void)state;
	assert_own(
		"I see\n\n       %stddev     %change         %stddev\n"
		"      8888 \xc2\xb1  3%      -7.4%       8234        bench.score\n\n"
		"which is bad.\n",
		"I see|which is bad.");
}

static void a_report_pasted_without_marks_is_anothers(void **state)
{
	(void)state;
	assert_own(
		"Hi,\n\nHello,\n\nkernel test robot noticed a -7.4% regression of "
		"bench.score on:\n\ncommit: 0123456789012345678901234567890123456789 (\"x\")\n"
		"https://example.org/linux.git master\n\ntestcase: bench\n"
		"test machine: 8 threads\nparameters:\n\n\truntime: 300s\n\n"
		"I cannot reproduce this.\n",
		"Hi,|I cannot reproduce this.");
}

static void broken_wrapping_keeps_a_quotes_tail_quoted(void **state)
{
	(void)state;
	assert_own(
		"> this line was so long that a client which should have known better\n"
		"wrapped its tail\n> and went on quoting\nNo.\n",
		"No.");
}

static void what_is_squeezed_between_full_quoted_lines_is_quoted(void **state)
{
	(void)state;
	assert_own(
		"> When I looked at the numbers of the last week I thought that the\n"
		"Regression is expected.\n> So I went on.\nNo.\n",
		"No.");
	assert_own(
		"> A gateway that does not know format=flowed wrapped this line, and the\n"
		"second line of it, too, because the whole of it was one paragraph of\n"
		"Joe's: this is expected.\n>\n> Next.\n\nNo.\n",
		"No.");
	/* between short ones, or with a blank line, it is an answer */
	assert_own("> Is it slow?\nYes.\n> Much?\n\nVery.\n> When?\n", "Yes.|Very.");
	assert_own(
		"> When I looked at the numbers of the last week I thought that the\n"
		"\nThis is expected.\n\n> regression was real.\n",
		"This is expected.");
	assert_own(
		"> When I looked at the numbers of the last week I thought that the\n"
		"This is expected.\n",
		"This is expected.");
}

static void initials_and_colons_are_marks(void **state)
{
	(void)state;
	assert_own("JD> it is slow\nJD> very\n\nNo.\n", "No.");
	assert_own(": it is slow\n: very\n\nNo.\n", "No.");
}

static void stuffed_marks_in_flowed_text_are_marks(void **state)
{
	g_autoptr(parser_mail) mail = mail_of(
		"Content-Type: text/plain; format=flowed\n\n > it is slow\n >literal\n"
		" No.\n");
	g_autofree char *quote = text_of_kind(mail, PARSER_SPAN_QUOTE);

	(void)state;
	assert_string_equal(quote, " > it is slow\n");
}

static void depths_are_counted(void **state)
{
	g_autoptr(parser_mail) mail = mail_of("Subject: x\n\n> a\n> > b\n>>> c\nd\n");

	(void)state;
	assert_int_equal(mail->spans->len, 4);
	for (guint i = 0; i < 4; i++)
		assert_int_equal(g_array_index(mail->spans, parser_span, i).depth,
				 i < 3 ? i + 1 : 0);
	assert_int_equal(parser_mail_kind_at(mail, 0), PARSER_SPAN_QUOTE);
	assert_int_equal(parser_mail_kind_at(mail, mail->text_length - 1),
			 PARSER_SPAN_OWN);
}

static void flowed_text_is_told(void **state)
{
	g_autoptr(parser_mail) mail =
		mail_of("Content-Type: text/plain; format=flowed; delsp=yes\n\n"
			"soft \nhard\n-- \nsignature \n");

	(void)state;
	assert_true(mail->flowed);
	assert_true(mail->delsp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bottom_posted),
		cmocka_unit_test(top_posted_with_marks),
		cmocka_unit_test(top_posted_without_marks),
		cmocka_unit_test(interleaved),
		cmocka_unit_test(attributions_are_nobodys_own_words),
		cmocka_unit_test(an_attribution_may_stand_alone_above_a_greeting),
		cmocka_unit_test(a_sentence_before_a_quote_is_own),
		cmocka_unit_test(outlook_headers_begin_anothers_words),
		cmocka_unit_test(headers_in_any_language_begin_anothers_words),
		cmocka_unit_test(lines_with_colons_are_own_words),
		cmocka_unit_test(answers_between_marks_below_outlook_headers_are_own),
		cmocka_unit_test(a_forwarded_mail_is_not_own),
		cmocka_unit_test(a_forwarded_mail_may_have_no_header),
		cmocka_unit_test(signature_and_footer_are_set_apart),
		cmocka_unit_test(words_below_a_signature_are_the_authors),
		cmocka_unit_test(the_old_majordomo_footer_is_one),
		cmocka_unit_test(a_diff_is_no_prose),
		cmocka_unit_test(a_patch_mail_inside_a_mail_is_no_prose),
		cmocka_unit_test(a_patch_pasted_without_a_header_is_no_prose),
		cmocka_unit_test(a_shown_commit_is_not_the_authors_words),
		cmocka_unit_test(what_stands_between_scissors_is_not_own),
		cmocka_unit_test(template_lines_are_not_the_authors),
		cmocka_unit_test(table_rows_are_no_prose),
		cmocka_unit_test(a_report_pasted_without_marks_is_anothers),
		cmocka_unit_test(broken_wrapping_keeps_a_quotes_tail_quoted),
		cmocka_unit_test(what_is_squeezed_between_full_quoted_lines_is_quoted),
		cmocka_unit_test(initials_and_colons_are_marks),
		cmocka_unit_test(stuffed_marks_in_flowed_text_are_marks),
		cmocka_unit_test(depths_are_counted),
		cmocka_unit_test(flowed_text_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
