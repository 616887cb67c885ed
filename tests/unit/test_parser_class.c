/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail.h"

#define REPORT                                                                            \
	"Hello,\n\nkernel test robot noticed a -7.4% regression of bench.score on:\n\n\n" \
	"commit: 0123456789012345678901234567890123456789 (\"x: y\")\n\n"                 \
	"testcase: bench\ntest machine: 8 threads\n\n"                                    \
	"       %stddev     %change         %stddev\n"

static const struct {
	const char *why, *header, *body;
	parser_class class;
} cases[] = {
	{ "a person", "From: Joe <joe@example.org>\n", "I will look.\n",
	  PARSER_CLASS_HUMAN },
	{ "lists set Precedence on everybody's mail",
	  "From: Joe <joe@example.org>\nPrecedence: bulk\n", "I will look.\n",
	  PARSER_CLASS_HUMAN },
	{ "auto-generated alone says nothing",
	  "From: Joe <joe@example.org>\nAuto-Submitted: auto-generated\n",
	  "I will look.\n", PARSER_CLASS_HUMAN },
	{ "a robot's report", "From: kernel test robot <robot@example.org>\n", REPORT,
	  PARSER_CLASS_ROBOT },
	{ "an answer of the robot's team from its address",
	  "From: Ann Doe <robot@example.org>\nSubject: Re: x\n",
	  "We tested it, still slow.\n> Hello,\n> kernel test robot noticed a -7.4% regression "
	  "of bench.score on:\n",
	  PARSER_CLASS_HUMAN },
	{ "the team's own hand in the robot's form",
	  "From: Ann Doe <ann@example.org>\nSubject: [x] bench.score -7.4% regression\n",
	  REPORT, PARSER_CLASS_ROBOT },
	{ "a person who cites a headline", "From: Joe <joe@example.org>\n",
	  "Hi,\n\nkernel test robot noticed a -7.4% regression of bench.score on\n"
	  "some machine; this series fixes it.\n",
	  PARSER_CLASS_HUMAN },
	{ "a robot that builds", "From: kernel test robot <robot@example.org>\n",
	  "All errors (new ones prefixed by >>):\n", PARSER_CLASS_BOT },
	{ "our own report",
	  "X-Regtrail-Regression: 0123456789abcdef0123456789abcdef01234567\n"
	  "From: perf <perf@example.org>\n",
	  "words\n", PARSER_CLASS_ROBOT },
	{ "tip-bot", "From: \"tip-bot2 for Joe\" <tip-bot2@example.org>\n", "commit\n",
	  PARSER_CLASS_BOT },
	{ "patchwork-bot", "From: patchwork-bot+net@example.org\n", "applied\n",
	  PARSER_CLASS_BOT },
	{ "syzbot", "From: syzbot <syzbot+0123@example.org>\n", "KASAN\n",
	  PARSER_CLASS_BOT },
	{ "pr-tracker", "From: pr-tracker-bot@example.org\nX-PR-Tracked-List-Id: <x>\n",
	  "merged\n", PARSER_CLASS_BOT },
	{ "bugzilla", "From: bugzilla-daemon@example.org\n", "[Bug 1]\n",
	  PARSER_CLASS_BOT },
	{ "a vacation",
	  "From: Joe <joe@example.org>\nAuto-Submitted: auto-replied (vacation)\n",
	  "away\n", PARSER_CLASS_AUTO },
	{ "a vacation by its subject",
	  "From: Joe <joe@example.org>\nSubject: Automatic reply: [x] slow\n", "away\n",
	  PARSER_CLASS_AUTO },
	{ "a German one",
	  "From: Joe <joe@example.org>\nSubject: Automatische Antwort: x\n", "weg\n",
	  PARSER_CLASS_AUTO },
	{ "no sender and no list", "Return-Path: <>\nFrom: Joe <joe@example.org>\n",
	  "away\n", PARSER_CLASS_AUTO },
	{ "a bounce", "From: Mail Delivery System <MAILER-DAEMON@example.org>\n",
	  "failed\n", PARSER_CLASS_BOUNCE },
	{ "a bounce that says auto-replied, too",
	  "From: mailer-daemon@example.org\nAuto-Submitted: auto-replied\n", "failed\n",
	  PARSER_CLASS_BOUNCE },
	{ "a delivery report",
	  "From: x@example.org\nContent-Type: multipart/report; report-type=delivery-status;\n"
	  "\tboundary=b\n",
	  "--b\n\nfailed\n--b--\n", PARSER_CLASS_BOUNCE },
	{ "a subject below a list's tag",
	  "From: x@example.org\nSubject: [perf] Undelivered Mail Returned to Sender\n",
	  "x\n", PARSER_CLASS_BOUNCE },
	{ "a patch about undelivered things",
	  "From: Joe <joe@example.org>\nSubject: [PATCH 0/3] signal: undeliverable signals\n",
	  "x\n", PARSER_CLASS_HUMAN },
};

static void the_class_follows_the_evidence(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *bytes =
			g_strconcat(cases[i].header, "\n", cases[i].body, NULL);
		g_autoptr(parser_mail) mail = mail_of(bytes);
		g_autofree char *got = g_strdup_printf("%s: %s", cases[i].why,
						       parser_class_name(mail->class));
		g_autofree char *want = g_strdup_printf(
			"%s: %s", cases[i].why, parser_class_name(cases[i].class));

		assert_string_equal(got, want);
		assert_int_equal(mail->auto_submitted,
				 mail->class == PARSER_CLASS_AUTO ||
					 mail->class == PARSER_CLASS_BOUNCE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_class_follows_the_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
