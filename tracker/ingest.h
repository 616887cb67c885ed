/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACKER_INGEST_H
#define TRACKER_INGEST_H

#include "tracker/store.h"

typedef struct claim_index claim_index;

struct tracker_ingest {
	tracker *t;
	const parser_rules *rules;
	const parser_lists *lists;
	tracker_again_fn again;
	void *context;
	int64_t now;
	db_tx tx;
	refresh r;
	tracker_counts counts;
	bool any_forgotten; /* a mail may be one that is to stay away */
	GArray *names; /* int64_t: what could claim the mail at hand; see names_of() */
	bool names_ours;     /* an id looks like one of ours, which may prove itself */
	GArray *fresh;       /* int64_t: mails stored since the last settling */
	GHashTable *archive; /* index -> char *: ids of one archive text's messages */
	claim_index *claimable; /* NULL unless threads are claimed mail by mail */
	char *place_source, *place_name; /* the place that place_row belongs to */
	int64_t place_row;
	GPtrArray *
		refusals; /* char *: the first of them; see tracker_ingest_refusals() */
};

/* A mail on its way into the store. */
typedef struct arrival {
	const char *bytes;
	size_t length;
	const tracker_place *place;
	int64_t place_row;
	parser_reading *reading;
	parser_bounce *bounce; /* NULL if it is none */
	char *message_id;      /* never NULL; made up when the mail has none */
	bool made_up;
	int64_t variant; /* > 0: another mail under a used Message-ID */
	char *content;   /* hash of author, date and own words */
	char *own_words;
	char *parent; /* id of the message above in the same archive text; or NULL */
} arrival;

void arrival_clear(arrival *a);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(arrival, arrival_clear)

/* Reads a mail to the end.  *refused: over a limit or no mail, and written down as
 * that. */
bool arrival_read(tracker_ingest *run, arrival *a, bool *refused, GError **error);

/* Writes down that what lies there is no mail, or over a limit. */
bool arrival_refuse(tracker_ingest *run, const arrival *a, const char *why,
		    GError **error);

/* True if the mail belongs to a tracked thread, opens one, or can be guessed to. */
bool arrival_is_tracked(tracker_ingest *run, const arrival *a, bool *tracked,
			GError **error);

/* Stores a tracked mail with all that was read from it. */
/* A person who asks never to be reminded is heard wherever he says so. */
bool arrival_stop(tracker_ingest *run, const parser_reading *reading, GError **error);

bool arrival_store(tracker_ingest *run, arrival *a, GError **error);

/* The report that the mail is, or that it quotes. */
bool arrival_reports(tracker_ingest *run, const arrival *a, int64_t message,
		     GError **error);

/* What is known of the sender of a mail changed; if that is a report, its place may. */
bool report_changed(refresh *r, int64_t message, GError **error);

/* A copy of a stored mail came; if that is a report it may be known to be older. */
bool report_came_again(refresh *r, int64_t message, int64_t date, int64_t received,
		       GError **error);

/* Fills run->names with hashes of everything by which a report may ask for a mail:
 * what the fast look found, or NULL and the reading of `a`. */
void names_of(tracker_ingest *run, const parser_scan *scan, const arrival *a);

/* Stores one small row for a mail that is not tracked (yet), with run->names. */
bool unclaimed_store(tracker_ingest *run, const char *message_id, const arrival *a,
		     GError **error);

/* Settles links and status; reads again what newly tracked threads claim, or, if more
 * mail follows at once, notes what they claim for later. */
bool claim_settle(tracker_ingest *run, bool more, GError **error);

/* Rows of unclaimed mails that name a hash which is claimed (int64_t *, a set), in
 * their order (int64_t): by going through all of them, or by an index that was made
 * once. */
GArray *claim_scan(tracker *t, GHashTable *claims, GError **error);
claim_index *claim_index_new(tracker *t, GError **error);
GArray *claim_index_find(const claim_index *index, tracker *t, GHashTable *claims,
			 GError **error);
/* A row that was added since, with what it names; index may be NULL. */
void claim_index_add(claim_index *index, int64_t row, const GArray *hashes);
void claim_index_free(claim_index *index);

/* Names under which an unclaimed mail may be looked for, beside Message-IDs. */
char *claim_by_subject(const char *culprit); /* g_free */
char *claim_by_id(const char *regression);   /* g_free */

/* True if a mail of that hash was removed for good. */
bool is_forgotten(tracker_ingest *run, int64_t hash, bool *gone, GError **error);

/* The row of a place. */
bool place_find(tracker_ingest *run, const tracker_place *place, int64_t *row,
		GError **error);

/* A mail that is stored already came again: by another list, or as another mail under
 * the same id. */
bool copy_store(tracker_ingest *run, int64_t known, arrival *a, GError **error);

/* The same without reading it, if it is seen that text, sender and date are those of
 * the stored mail; *seen says so. */
bool copy_seen(tracker_ingest *run, const arrival *a, const parser_scan *scan,
	       bool *seen, GError **error);

/* Reads and stores, tracked or not; *stored says which. */
bool ingest_full(tracker_ingest *run, arrival *a, bool *stored, GError **error);

#endif
