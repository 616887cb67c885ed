/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading the records that questions are answered with. */
#ifndef TRACKER_RECORDS_H
#define TRACKER_RECORDS_H

#include "tracker/store.h"

/* Columns of a summary, in the order that records_summaries() reads them. */
#define SUMMARY_COLUMNS                                                                \
	"g.id, g.regression, g.status, g.kind, g.metric, g.testcase, g.\"commit\", "   \
	"g.subject, g.machine, g.tree, g.branch, g.change, g.reported_at, "            \
	"g.last_human_at, g.last_human, g.replies, g.owes, g.author, g.disputed, "     \
	"g.culprit, g.digits"

/* The summaries that the rows of a query hold (tracker_summary *), with short IDs,
 * suggestions and attributes. */
GPtrArray *records_summaries(tracker *t, db_rows *rows, GError **error);

/* The summary of one row of regression. */
tracker_summary *records_summary_of(tracker *t, int64_t regression, GError **error);

/* Columns of a message, joined with its link to a regression. */
#define MESSAGE_COLUMNS                                                                 \
	"m.id, m.message_id, p.message_id, m.name, m.address, m.date, m.subject, "      \
	"m.class, g.regression, l.key, l.confidence, m.first_words, l.key = 'report', " \
	"m.origin = 'ghost', NOT l.acts, l.regression"
#define MESSAGE_FROM                                                                   \
	" FROM link l JOIN message m ON m.id = l.message "                             \
	"JOIN regression g ON g.id = l.regression "                                    \
	"LEFT JOIN message p ON p.id = m.parent "

/* What a mail says (parser_verdict *), the primary verdict first. */
GPtrArray *records_verdicts(tracker *t, int64_t message, GError **error);

/* The message that a row holds, with verdicts and mechanisms; r may be of another
 * regression only if the caller does not need the role. */
tracker_message *records_message(tracker *t, const db_rows *rows, const roles *r,
				 GError **error);
void records_message_free(tracker_message *message);

/* Commits that a scan saw, and patches and fixes that mails named (tracker_fix *). */
GPtrArray *records_fixes(tracker *t, int64_t regression, GError **error);

GPtrArray *records_findings(tracker *t, int64_t regression, GError **error);

#endif
