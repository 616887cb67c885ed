/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the tracker share: rows on their way in, and working things out
 * anew. */
#ifndef TRACKER_STORE_H
#define TRACKER_STORE_H

#include "tracker/db.h"

/* ---- which Message-IDs may be stored (known.c) -------------------------------- */

/* Begins to believe what is known of the file, in a transaction that may write. */
bool known_begin(tracker *t, GError **error);

/* False only if no mail and no ghost of that db_hash() is stored. */
bool known_may_be(tracker *t, int64_t hash, bool *may, GError **error);

/* For each new row of message. */
void known_add(tracker *t, const char *message_id);

/* ---- where mails were found (places.c) ----------------------------------------- */

/* For each new row of place. */
void places_added(tracker *t, const char *source, const char *name);

/* ---- what has to be worked out anew (refresh.c) ------------------------------ */

/*
 * Collected while evidence is written, settled before the commit.  Reports are grouped
 * into regressions by culprit, mails are linked, status is folded - in this order, for
 * each may mark more of what comes after it.
 */
typedef struct refresh {
	tracker *t;
	int64_t now;
	GHashTable *culprits;    /* char *: first ten digits */
	GHashTable *messages;    /* int64_t *: rows whose link may have changed */
	GHashTable *regressions; /* int64_t *: rows whose status may have changed */
	GHashTable *walks;       /* link_walk.c: int64_t *, a mail -> what lies above */
} refresh;

void refresh_init(refresh *r, tracker *t, int64_t now);
void refresh_clear(refresh *r);
void refresh_culprit(refresh *r, const char *culprit);
void refresh_message(refresh *r, int64_t message);
void refresh_regression(refresh *r, int64_t regression);
/* What lies above mails is to be found anew: a mail came that others name, or went. */
void refresh_walks(refresh *r);
/* All of it; or what mails belong to, while more of them may come. */
bool refresh_settle(refresh *r, GError **error);
bool refresh_links(refresh *r, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(refresh, refresh_clear)

/* The steps behind refresh_settle(). */
bool culprits_unify(refresh *r, GError **error); /* culprit.c */
/* Aliases of all that is grouped anew go first: they may come to belong to another. */
bool group_forget(refresh *r, const char *culprit, GError **error);
bool group_culprit(refresh *r, const char *culprit, GError **error);
bool link_message(refresh *r, int64_t message, GError **error);
bool fold_regression(refresh *r, int64_t regression, GError **error);
/* Those that a mail calls duplicates of what is not known yet are folded again. */
bool fold_await(refresh *r, GError **error);

/* ---- rows of reports (regressions.c) ----------------------------------------- */

/* A report on its way into the store; everything is lent. */
typedef struct report_row {
	const char *origin;         /* "own", "seen", "quote" */
	const char *mail;           /* "report" ... */
	int64_t message, quoted_by; /* 0 = none */
	bool live;
	int64_t at;
	const char *own_id;
	const char *culprit; /* first digits; NULL = those of the commit */
	const char *commit, *subject, *tree, *branch, *url, *base, *config, *compiler;
	int generation;
	parser_outcome outcome; /* of a re-test of ours */
} report_row;

bool report_insert(tracker *t, const report_row *row, int64_t *id, GError **error);

typedef struct finding_row {
	int64_t report;
	int position;
	const char *testcase, *metric, *machine;
	parser_kind kind;
	bool has_change, has_interval;
	double change, ci_low, ci_high, p;
	const GPtrArray *parameters; /* parser_pair *; may be NULL */
} finding_row;

bool finding_insert(tracker *t, const finding_row *row, GError **error);

/* Findings 1 ... of an impact table (parser_impact *; NULL = none). */
bool impacts_insert(tracker *t, int64_t report, const GPtrArray *impacts,
		    GError **error);

/* Somebody whom a report addresses.  Without name and address nothing is written. */
typedef struct person_row {
	int64_t report;
	tracker_role role; /* AUTHOR or MAINTAINER */
	const char *name, *address;
	bool signer; /* may command */
} person_row;

bool person_insert(tracker *t, const person_row *row, GError **error);

/* The first ten digits of a commit, lower case; "" for NULL.  g_free. */
char *culprit_of(const char *commit);

/* The row of a regression by ID or alias of 40 digits, merged ones followed; 0 = none.
 */
bool regression_find(tracker *t, const char *id, int64_t *row, GError **error);

/* A new ID or alias: it, and those that it looks like, are shown by more digits. */
bool id_digits(tracker *t, const char *id, GError **error);

/* By any unique prefix; sets TRACKER_ERROR_NOT_FOUND or _AMBIGUOUS. */
bool regression_by_prefix(tracker *t, const char *prefix, int64_t *row, GError **error);

/* ---- people (roles.c) -------------------------------------------------------- */

/* The persons that the reports of a regression name, ready to be asked.  Only reports
 * that count name anybody. */
typedef struct roles {
	tracker *t;
	GPtrArray *persons; /* struct role_person * */
	GPtrArray *robots;  /* char *: senders of its reports, ours left out */
} roles;

/* Adds the persons of one regression; r starts as { 0 }. */
bool roles_load(tracker *t, int64_t regression, roles *r, GError **error);
void roles_clear(roles *r);

/* Role of a mail's author, by the address alone.  class: as stored. */
bool roles_of(const roles *r, const char *class, const char *address,
	      tracker_role *role, GError **error);

/* True if the address may command: configured operators and own addresses, author and
 * signers of the culprit.  By address alone. */
bool roles_entitled(const roles *r, const char *address);

/* The address that a person goes by, if he is known to have several; else that one.
 * Lent; NULL for NULL. */
const char *person_address(const tracker *t, const char *address);

/* Same address; same name where neither has one. */
bool same_person(const char *name_a, const char *address_a, const char *name_b,
		 const char *address_b);

/* True if a list of addresses (char *) has this one, case-insensitively. */
bool addresses_have(const GPtrArray *addresses, const char *address);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(roles, roles_clear)

/* ---- messages (message.c) ---------------------------------------------------- */

/* The row of a Message-ID (variant 0), ghosts included; 0 = none. */
bool message_find(tracker *t, const char *message_id, int64_t *row, bool *ghost,
		  GError **error);

/* The same; makes a ghost when there is none. */
bool message_or_ghost(tracker *t, const char *message_id, int64_t *row, GError **error);

bool reference_insert(tracker *t, int64_t message, const char *kind, int position,
		      const char *target, GError **error);

/* ---- mails of ours (own.c) --------------------------------------------------- */

/* The steps of tracker_report_add(), for what is stored in the same transaction: the
 * same rendering that is there already; else mail, report (if it has facts) and outbox
 * row. */
bool own_find_same(tracker *t, const tracker_report *report, tracker_stored *stored,
		   GError **error);
bool own_add(refresh *r, const tracker_report *report, tracker_stored *stored,
	     int64_t *message, GError **error);

/* The first row of a query for id, created, revision and state of the outbox. */
bool own_draft(db_rows *rows, tracker_draft *draft, GError **error);

/* ---- what mails offer and bots tell (patches.c, notices.c) ------------------------
 */

bool patches_insert(tracker *t, int64_t message, const GPtrArray *patches,
		    GError **error);
/* A notice, and in which mail; NULL where it does not say. */
typedef struct notice_row {
	int64_t message;
	const char *commit, *subject;
} notice_row;

/* Whether it tells of a fix of the regression. */
bool notice_counts(tracker *t, int64_t regression, const notice_row *n, bool *counts,
		   GError **error);

bool notices_insert(tracker *t, int64_t message, const GPtrArray *notices,
		    GError **error);

/* ---- outbox (outbox.c) ------------------------------------------------------- */

/* A mail of ours is out: accepted by a server, come back from a list, or by word of the
 * operator.  Its report becomes evidence. */
bool outbox_sent(refresh *r, int64_t id, GError **error);

/* The same for the report alone. */
bool outbox_make_live(refresh *r, int64_t id, GError **error);

bool outbox_state(tracker *t, int64_t id, tracker_outbox_state *state, GError **error);
bool outbox_set_state(tracker *t, int64_t id, tracker_outbox_state state, int64_t now,
		      GError **error);
GBytes *outbox_unpack(const db_rows *rows, int column);

/* ---- reminders (remind.c) ---------------------------------------------------- */

/* Who has that address asked never to be reminded of anything. */
bool reminder_stop(tracker *t, const char *address, int64_t now, GError **error);

/* ---- what comes back (delivery.c) -------------------------------------------- */

/* A mail of ours was seen on its way back from a list. */
bool outbox_returned(refresh *r, int64_t message, GError **error);

/* A delivery report about a mail of ours, if it is one. */
bool outbox_bounced(refresh *r, const parser_bounce *bounce, GError **error);

/* Checks that were overridden (tracker_override *): for mails about a regression (row;
 * 0: none), or for one mail (NULL: none). */
GPtrArray *overrides_load(tracker *t, int64_t regression, const char *message_id,
			  GError **error);

#endif
