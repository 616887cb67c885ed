/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reminders: who may get one about what, and why not. */
#ifndef TRACKER_REMIND_H
#define TRACKER_REMIND_H

#include "tracker/tracker.h"

/* An open regression as a candidate. */
typedef struct tracker_reminder {
	tracker_summary *summary;
	char *report_id, *report_subject; /* of the first report; NULL if unknown */
	bool ours;                        /* that report is ours, and was sent */
	GPtrArray *addressed;   /* char *: who got our reports on it, lists too */
	parser_commit *culprit; /* with trailers and files, as far as they are known */
	unsigned count;         /* reminders made so far, whatever became of them */
	unsigned next_revision; /* of the next one */
	int64_t last_at;        /* of the newest of them; when it left, if it did */
	int64_t last_outbox;    /* its number; 0 = none */
	tracker_outbox_state last_state;
} tracker_reminder;

/* All open regressions, what needs attention first (tracker_reminder *). */
GPtrArray *tracker_reminders(tracker *t, int64_t now, GError **error);

/* A group of the configuration; spans in seconds. */
typedef struct tracker_remind_rules {
	const GPtrArray *subsystems; /* char * globs: what the culprit's subject starts
					with, before a colon */
	const GPtrArray *lists;      /* char *: addresses that got the report */
	int64_t after;               /* no developer's word for so long */
	int64_t every;               /* since the last reminder of this regression */
	unsigned max;                /* reminders of one regression; 0 = any number */
} tracker_remind_rules;

/* True if the group names its subsystem or a list that got its report. */
bool tracker_reminder_covers(const tracker_reminder *r,
			     const tracker_remind_rules *rules);

/*
 * Whether a reminder is due; *why (g_free) says so in words either way.  rules NULL: no
 * group covers it.  Pure.
 */
bool tracker_reminder_due(const tracker_reminder *r, const tracker_remind_rules *rules,
			  int64_t now, char **why);

/* Whether a person has asked by mail not to be reminded: of anything (#regtrail stop),
 * or of this regression (40 digits). */
bool tracker_reminder_stopped(tracker *t, const char *regression, const char *address,
			      bool *stopped, GError **error);

/*
 * Mail (of kind "remind", without comparison) and outbox row in one transaction.
 * TRACKER_ERROR_STATE when one was made at `made` or later: another run was faster.
 */
bool tracker_reminder_add(tracker *t, const tracker_report *mail, int64_t made,
			  tracker_stored *stored, GError **error);

/*
 * Reminders that nobody has got yet and that have no reason any more (it is closed, on
 * the back burner, answered since, not to be reminded of) are cancelled; appends a line
 * (char *) for each.
 */
bool tracker_reminders_withdraw(tracker *t, int64_t now, GPtrArray *lines,
				GError **error);

#endif
