/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Robot reports and replies of made-up people, as text. */
#ifndef TESTS_UNIT_TRACKER_THREAD_H
#define TESTS_UNIT_TRACKER_THREAD_H

#include <glib.h>

#define ROBOT "kernel test robot <oli@tests.example.org>"

/* What a report says; fields that are NULL get the usual words. */
typedef struct report_text {
	const char *id, *commit, *subject, *metric, *testcase, *word, *date, *to, *cc,
		*reply, *from, *headers, *impact;
	double change;
} report_text;

static inline char *report_mail(report_text r)
{
	const char *commit =
		r.commit ? r.commit : "89abcdef0123456789abcdef0123456789abcdef";
	const char *metric = r.metric ? r.metric : "unixbench.score";
	const char *word = r.word ? r.word : "regression";
	const char *subject =
		r.subject ? r.subject : "sched/core: Pick the wrong queue";
	g_autofree char *parent =
		r.reply ? g_strdup_printf("In-Reply-To: <%s>\nReferences: <%s>\n",
					  r.reply, r.reply) :
			  g_strdup("");

	return g_strdup_printf(
		"%sFrom: %s\nTo: %s\nCc: %s\n"
		"Subject: [linux-next:master] [sched/core] %.10s: %s %.1f%% %s\n"
		"Date: %s\nMessage-ID: <%s>\n%sMIME-Version: 1.0\n"
		"Content-Type: text/plain; charset=\"utf-8\"\n\n\n\nHello,\n\n"
		"kernel test robot noticed a %.1f%% %s of %s on:\n\n\n"
		"commit: %s (\"%s\")\n"
		"https://git.example.org/cgit/linux/kernel/git/next/linux-next.git master\n\n"
		"testcase: %s\nconfig: x86_64-rhel-9.4\ncompiler: gcc-12\n"
		"test machine: 96 threads 2 sockets Example CPU @ 2.10GHz with 512G memory\n"
		"parameters:\n\n\truntime: 300s\n\tnr_task: 100%%\n\ttest: spawn\n"
		"\tcpufreq_governor: performance\n\n\n%s"
		"If you fix the issue in a separate patch/commit (i.e. not just a new version "
		"of\nthe same patch/commit), kindly add following tags\n"
		"| Reported-by: " ROBOT "\n"
		"| Closes: https://lore.example.org/oe-lkp/%s\n\n\n"
		"Details are as below:\n\n"
		"commit:\n  1111111111 (\"the parent\")\n  %.10s (\"%s\")\n\n"
		"1111111111111111 %.26s\n"
		"---------------- ---------------------------\n"
		"         %%stddev     %%change         %%stddev\n"
		"             \\          |                \\\n"
		"     10000            %+.1f%%       9000        %s\n\n\n\n"
		"Disclaimer:\nResults have been estimated based on internal analysis.\n\n\n"
		"--\n0-DAY CI Kernel Test Service\n",
		r.headers ? r.headers : "", r.from ? r.from : ROBOT,
		r.to ? r.to : "Ada Author <ada@example.org>",
		r.cc ? r.cc : "<lists@lists.example.org>, Max Tainer <max@example.org>",
		commit, metric, r.change, word,
		r.date ? r.date : "Mon, 01 May 2023 10:00:00 +0000", r.id, parent,
		r.change, word, metric, commit, subject,
		r.testcase ? r.testcase : "unixbench", r.impact ? r.impact : "", r.id,
		commit, subject, commit, r.change, metric);
}

/* A reply; references are ids with <>, the last its parent (unless `parent` says else).
 */
typedef struct reply_text {
	const char *id, *from, *parent, *references, *subject, *date, *body, *headers;
} reply_text;

static inline char *reply_mail(reply_text r)
{
	g_autofree char *parent =
		r.parent ? g_strdup_printf("In-Reply-To: <%s>\n", r.parent) :
			   g_strdup("");
	g_autofree char *references =
		r.references ? g_strdup_printf("References: %s\n", r.references) :
			       g_strdup("");

	return g_strdup_printf("From: %s\nTo: list@lists.example.org\nSubject: %s\n"
			       "Date: %s\nMessage-ID: <%s>\n%s%s%s\n%s",
			       r.from ? r.from : "Ada Author <ada@example.org>",
			       r.subject ? r.subject : "Re: a report",
			       r.date ? r.date : "Tue, 02 May 2023 10:00:00 +0000",
			       r.id, parent, references, r.headers ? r.headers : "",
			       r.body);
}

#endif
