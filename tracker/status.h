/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of status.c, for status_table.c to print. */
#ifndef TRACKER_STATUS_H
#define TRACKER_STATUS_H

#include "tracker/tracker.h"

typedef enum status_effect {
	STATUS_ADVANCE,  /* to `status`, unless that is behind where we are */
	STATUS_MOVE,     /* to `status`, from wherever */
	STATUS_RESTORE,  /* needs-info -> the status before it */
	STATUS_FAIL,     /* a fix that was offered or queued did not help */
	STATUS_OVERRULE, /* what `other` people want done with it counts no more */
	STATUS_SUGGEST   /* `status`; or, when that is NONE, the one that the verdict
			    names */
} status_effect;

/* What a verdict does to an open regression.  Of several rules all apply. */
typedef struct status_rule {
	unsigned verdicts, outcomes, roles; /* a bit each; outcomes 0: any */
	status_effect kind;
	tracker_status status;
	bool confirms;
	const char *effect; /* for people */
} status_rule;

#define STATUS_BIT(status) (1u << TRACKER_STATUS_##status)
#define STATUS_OPEN                                                                    \
	(STATUS_BIT(REPORTED) | STATUS_BIT(ACKNOWLEDGED) | STATUS_BIT(NEEDS_INFO) |    \
	 STATUS_BIT(INVESTIGATING) | STATUS_BIT(FIX_POSTED) | STATUS_BIT(FIX_QUEUED))
#define STATUS_ALL    ((1u << TRACKER_STATUSES) - 1)
#define STATUS_CLOSED (STATUS_ALL & ~STATUS_OPEN & ~STATUS_BIT(NONE))

/* What else moves a status.  Of several rules for a move the first that fits counts. */
typedef struct status_move {
	tracker_move move;
	const char *what, *who; /* for people; NULL: as in the row before */
	unsigned from;          /* a bit each */
	tracker_status to;      /* NONE: the one before */
} status_move;

extern const status_rule status_rules[];
extern const size_t status_rules_count;
extern const status_move status_moves[];
extern const size_t status_moves_count;

/* Sets of roles that have a name of their own. */
#define STATUS_BY(role)   (1u << TRACKER_ROLE_##role)
#define STATUS_PEOPLE     (STATUS_BY(AUTHOR) | STATUS_BY(MAINTAINER) | STATUS_BY(OTHER))
#define STATUS_NOT_ROBOTS (STATUS_PEOPLE | STATUS_BY(OPERATOR) | STATUS_BY(ROBOT_TEAM))
#define STATUS_NOT_BOTS   (STATUS_NOT_ROBOTS | STATUS_BY(ROBOT))

#endif
