/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weekly mail: what is unresolved, and what is new since the last one that left. */
#ifndef TRACKER_DIGEST_H
#define TRACKER_DIGEST_H

#include "tracker/tracker.h"

/* What became of a regression since the last digest of its scope that was sent. */
typedef enum tracker_news {
	TRACKER_NEWS_NONE,
	TRACKER_NEWS_NEW,     /* that digest did not have it */
	TRACKER_NEWS_CHANGED, /* another status, or somebody answered */
	TRACKER_NEWS_QUIET,   /* it was talked about, and is not any more */
	TRACKER_NEWS_CLOSED
} tracker_news;

const char *tracker_news_name(tracker_news news); /* "none", "new" ... */

typedef struct tracker_digest_entry {
	tracker_summary *summary;
	char *report_id;   /* Message-ID of the first report; NULL if it is not known */
	char *reporter;    /* its author; NULL */
	int64_t active_at; /* of the newest word, test or act after the report; 0 = none
			    */
	char *active_by;   /* by whom; NULL */
	bool quiet;        /* nothing of that kind for too long */
	tracker_news news;
	tracker_status before;   /* in the last digest; NONE = it was not there */
	unsigned replies_before; /* likewise */
	GPtrArray *fixes;        /* tracker_fix *, oldest first */
	/* Of a closed one: since when, by whom, on which words; NULL if unknown. */
	int64_t closed_at;
	char *closed_by, *closed_why;
} tracker_digest_entry;

typedef struct tracker_digest {
	char *scope;
	int64_t at;      /* the clock that it was made by */
	char *last_id;   /* Message-ID of the last one that was sent; NULL: the first */
	int64_t last_at; /* and the clock of that; 0 */
	GPtrArray *references; /* char *: the thread up to that one, root first */
	GPtrArray *open;       /* tracker_digest_entry *, what needs attention first */
	GPtrArray *closed;     /* tracker_digest_entry *: since the last one */
	unsigned improvements, improvements_new; /* undisputed ones */
	unsigned backburner;
} tracker_digest;

void tracker_digest_free(tracker_digest *digest);

typedef struct tracker_digest_request {
	const char *scope;            /* whose last digest counts */
	const tracker_filter *filter; /* which regressions; its clock is the digest's */
	int64_t quiet_for;            /* seconds; 0 = never quiet */
} tracker_digest_request;

/* TRACKER_ERROR_STATE when the clock is before the last digest of the scope. */
tracker_digest *tracker_digest_get(tracker *t, const tracker_digest_request *request,
				   GError **error);

/* The newest mail of that scope whose clock is within a day from that time on, so that
 * a rendering can be repeated or the next revision chosen.  Not found is success. */
bool tracker_digest_find(tracker *t, const char *scope, int64_t day,
			 tracker_draft *draft, GError **error);

/*
 * Mail (without regression and comparison), outbox row and what it says in one
 * transaction.  Earlier drafts of the scope that never left are cancelled, for the next
 * one says what they said; *cancelled (may be NULL) is the number of the last of them.
 * TRACKER_ERROR_STATE when one is approved, on the wire, or nobody knows.
 */
bool tracker_digest_add(tracker *t, const tracker_digest *digest,
			const tracker_report *mail, tracker_stored *stored,
			int64_t *cancelled, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(tracker_digest, tracker_digest_free)

#endif
