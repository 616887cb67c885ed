/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of linking share: the ids that mails name, the reports above a mail.
 */
#ifndef TRACKER_LINKING_H
#define TRACKER_LINKING_H

#include "tracker/link.h"

/* The regression that a mail is about, and why we think so. */
typedef struct link_found {
	int64_t report; /* row of message; 0 = by another key */
	int64_t regression;
	const char *key;
	double confidence;
	bool acts;
	bool hearsay; /* that it is a report is known from a quote alone */
} link_found;

/* ---- names (link_names.c) ----------------------------------------------------- */

/* Ids that a mail names (char *), the nearest first: In-Reply-To as it stands,
 * References from the end. */
GPtrArray *link_names(tracker *t, int64_t message, const char *kind, GError **error);

/* The first of these ids that is stored, as a mail and not as a ghost; 0 = none. */
bool link_first_known(tracker *t, const GPtrArray *ids, int64_t *row, GError **error);

/* The regression that the report with this Message-ID belongs to; 0 = it is no report.
 * Sets report, regression and hearsay, as the two below do. */
bool link_report_named(tracker *t, const char *message_id, link_found *f,
		       GError **error);

/* The nearest report that one of these ids names. */
bool link_report_among(tracker *t, const GPtrArray *ids, link_found *f, GError **error);

/* The regression of a mail that is a report: ours, seen, or a ghost that was quoted. */
bool link_is_report(tracker *t, int64_t message, link_found *f, GError **error);

/* ---- the way up (link_walk.c) -------------------------------------------------- */

/*
 * What lies above a mail: the report that the walk reaches; or, when it ends at a gap,
 * the nearest one that the mails on the way name beyond it.
 */
typedef struct link_above {
	int64_t report, regression;
	bool gap, hearsay;
} link_above;

/* Above a mail is what is above its parent, so each mail is looked at once a settling,
 * however deep the thread is. */
bool link_walk(refresh *r, int64_t message, link_above *w, GError **error);

/* ---- keys (link_keys.c) -------------------------------------------------------- */

/* By the first key that tells; f->regression 0: none does. */
bool link_find(refresh *r, int64_t message, link_found *f, GError **error);

#endif
