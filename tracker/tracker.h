/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracker - what is known: one SQLite file (tracker/schema.sql is its description).
 *
 * The only module with SQL.  Every function that changes something is one transaction:
 * after an error nothing has changed.  Times are Unix seconds and come from the caller.
 */
#ifndef TRACKER_TRACKER_H
#define TRACKER_TRACKER_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/parser.h"

#define TRACKER_ERROR tracker_error_quark()

typedef enum tracker_error {
	TRACKER_ERROR_BUSY,      /* another process holds the lock: try again later */
	TRACKER_ERROR_NEWER,     /* the database was made by a newer program */
	TRACKER_ERROR_EXISTS,    /* there already */
	TRACKER_ERROR_NOT_FOUND, /* no such regression, mail, draft */
	TRACKER_ERROR_AMBIGUOUS, /* a prefix that fits several; the message names them
				  */
	TRACKER_ERROR_STATE,     /* not allowed in the state it is in */
	TRACKER_ERROR_FAILED     /* SQLite says no: full disk, read-only, corrupt */
} tracker_error;

GQuark tracker_error_quark(void);

typedef struct tracker tracker;

/* Creates the database file with the present schema; TRACKER_ERROR_EXISTS if there is
 * one that holds something.  A blank one, of a create that was cut off, is made whole.
 */
bool tracker_create(const char *path, GError **error);

/* Opens, migrates from earlier versions, checks that the version is not newer. */
tracker *tracker_open(const char *path, bool read_only, GError **error);
void tracker_close(tracker *t);

/* ---- status ------------------------------------------------------------------ */

typedef enum tracker_status {
	TRACKER_STATUS_NONE, /* no report sent or seen yet */
	TRACKER_STATUS_REPORTED,
	TRACKER_STATUS_ACKNOWLEDGED,
	TRACKER_STATUS_NEEDS_INFO,
	TRACKER_STATUS_INVESTIGATING,
	TRACKER_STATUS_FIX_POSTED,
	TRACKER_STATUS_FIX_QUEUED,
	TRACKER_STATUS_FIXED, /* closed from here on */
	TRACKER_STATUS_EXPECTED,
	TRACKER_STATUS_IGNORED,
	TRACKER_STATUS_INVALID,
	TRACKER_STATUS_NOT_REPRODUCIBLE,
	TRACKER_STATUS_DUPLICATE,
	TRACKER_STATUS_DROPPED,
	TRACKER_STATUSES
} tracker_status;

const char *tracker_status_name(tracker_status status);
bool tracker_status_from_name(const char *name, tracker_status *status);
bool tracker_status_is_open(tracker_status status);

typedef enum tracker_role {
	TRACKER_ROLE_AUTHOR,
	TRACKER_ROLE_MAINTAINER,
	TRACKER_ROLE_OPERATOR,
	TRACKER_ROLE_ROBOT_TEAM,
	TRACKER_ROLE_ROBOT,
	TRACKER_ROLE_BOT,
	TRACKER_ROLE_OTHER
} tracker_role;

const char *tracker_role_name(tracker_role role);

/* What a verdict by that role does to a regression of that status: the design's table.
 */
typedef struct tracker_effect {
	tracker_status status;     /* the new status; NONE = unchanged */
	tracker_status suggestion; /* NONE = no suggestion */
	bool fix_confirmed;
	bool fix_refuted; /* suggestions that it is fixed are withdrawn */
	bool overrules;   /* so are those of `other` people, but for fixed */
	bool restore; /* needs-info -> the status before it; what else the verdict does
			 is to be asked again for that status */
} tracker_effect;

tracker_effect tracker_effect_of(tracker_status status, parser_verdict_kind verdict,
				 parser_outcome outcome, tracker_role role);

/* What moves a status and is no verdict of a mail. */
typedef enum tracker_move {
	TRACKER_MOVE_REPORT,  /* one was sent or seen */
	TRACKER_MOVE_RETRACT, /* the robot takes it back */
	TRACKER_MOVE_MAIL,    /* another mail of the robot about it */
	TRACKER_MOVE_POSTED,  /* a fix is in a tree of patches that wait */
	TRACKER_MOVE_QUEUED,  /* in another tree */
	TRACKER_MOVE_MERGED,  /* in the report's own tree, or in mainline */
	TRACKER_MOVE_GONE,    /* the culprit left all trees */
	TRACKER_MOVE_BACK,    /* and is in one again: for what that had closed */
	TRACKER_MOVE_REOPEN,
	TRACKER_MOVE_DUP,
	TRACKER_MOVE_UNDUP,
	TRACKER_MOVE_FIX, /* somebody names it */
	TRACKER_MOVE_UNFIX,
	TRACKER_MOVES
} tracker_move;

/* Of the effect only status, or restore: -> the one before that move. */
tracker_effect tracker_effect_of_move(tracker_status status, tracker_move move);

/* Both tables as text, for `regtrail help status`.  g_free. */
char *tracker_status_table(void);

/* ---- policy ------------------------------------------------------------------ */

/* Configured facts that roles and entitlement depend on.  Any array may be NULL. */
typedef struct tracker_policy {
	const GPtrArray *own;        /* char *: our addresses */
	const GPtrArray *robots;     /* char *: robots whose reports count */
	const GPtrArray *robot_team; /* char *: configured robot-team addresses */
	GHashTable *aliases; /* char * -> char *, lower case: a person's other address,
				the one that he goes by; may be NULL */
	const GPtrArray *operators;     /* char *: may command */
	const GPtrArray *maintainers;   /* char *: maintainers of every culprit */
	const GPtrArray *trusted_hosts; /* char *: whose Authentication-Results count */
	bool require_dkim;
	unsigned apply; /* bit per tracker_status: applied without confirmation */
} tracker_policy;

/* Copies the policy (of aliases it takes a reference); call it once after opening,
 * before anything that changes something. Without it nobody but authors, signers and
 * robots has a role. */
void tracker_configure(tracker *t, const tracker_policy *policy);

/* ---- reports of ours --------------------------------------------------------- */

/* A report to store; everything is lent. */
typedef struct tracker_report {
	const char *regression;   /* 40 digits */
	const char *kind_of_mail; /* "report", "followup", "retest", "retract" */
	unsigned revision;
	const char *message_id;
	const char *in_reply_to; /* may be NULL */
	int64_t created;
	const char *subject;
	const char *body;
	parser_address from;
	const GPtrArray *to, *cc; /* parser_address * */
	GBytes *eight_bit,
		*quoted_printable; /* the mail's bytes; eight_bit may be NULL */
	const char *sender;        /* envelope */
	const parser_comparison *comparison; /* run data: samples per metric and side */
	size_t culprit_column;
	const char *metric; /* headline */
	parser_kind kind;
	bool has_change;
	double change_percent, ci_low, ci_high, p;
	parser_outcome outcome;   /* of a "retest": what the proposed fix does */
	const GPtrArray *impacts; /* parser_impact *: further findings; may be NULL */
	const GPtrArray *forced;  /* parser_pair *: check -> reason; may be NULL */
} tracker_report;

typedef struct tracker_stored {
	int64_t outbox;   /* number of the draft */
	bool existed;     /* the same rendering was a draft already */
	char *message_id; /* of the draft; g_free */
	char *regression; /* 40 digits; g_free */
} tracker_stored;

void tracker_stored_clear(tracker_stored *stored);

/* The newest mail of a kind about a regression, so that a rendering can be repeated
 * with the same time and revision, or the next revision chosen. */
typedef struct tracker_draft {
	bool found;
	int64_t outbox, created;
	unsigned revision;
	int state; /* tracker_outbox_state */
} tracker_draft;

/* regression: 40 digits, an ID or an alias.  Not found is success. */
bool tracker_draft_find(tracker *t, const char *regression, const char *kind_of_mail,
			tracker_draft *draft, GError **error);

/*
 * Regression, finding, run data, message, report and outbox row in one transaction. The
 * same rendering again fills in the earlier draft and changes nothing.  A regression
 * that is reported already: TRACKER_ERROR_EXISTS (a follow-up is meant).
 */
bool tracker_report_add(tracker *t, const tracker_report *report,
			tracker_stored *stored, GError **error);

/* ---- outbox ------------------------------------------------------------------ */

typedef enum tracker_outbox_state {
	TRACKER_OUTBOX_DRAFT,
	TRACKER_OUTBOX_APPROVED,
	TRACKER_OUTBOX_SENDING,
	TRACKER_OUTBOX_SENT,
	TRACKER_OUTBOX_REJECTED,
	TRACKER_OUTBOX_UNKNOWN,
	TRACKER_OUTBOX_CANCELLED
} tracker_outbox_state;

const char *tracker_outbox_state_name(tracker_outbox_state state);

/* A check that the operator overrode when a mail of ours was made. */
typedef struct tracker_override {
	char *message_id, *check, *reason;
} tracker_override;

/* What became of a mail for one recipient. */
typedef struct tracker_fate {
	char *address, *state; /* "waiting", "sent", "rejected", "unknown", "bounced" */
	char *detail;          /* the last words about it; NULL if none */
	int64_t at;
} tracker_fate;

typedef struct tracker_outgoing {
	int64_t id;
	tracker_outbox_state state;
	char *message_id, *regression, *kind_of_mail, *subject, *sender;
	GPtrArray *recipients; /* char *: bare addresses not yet settled */
	GPtrArray *fates;      /* tracker_fate *: of all recipients */
	GPtrArray *overrides;  /* tracker_override * */
	GBytes *eight_bit, *quoted_printable;
	int64_t created, next_at;
	unsigned attempts;
	char *detail; /* the last words of a server; NULL if none */
} tracker_outgoing;

void tracker_outgoing_free(tracker_outgoing *mail);

/* All outbox rows, or those of one state (pass TRACKER_OUTBOX_CANCELLED + 1 for all).
 */
GPtrArray *tracker_outbox_list(tracker *t, int state, GError **error);
tracker_outgoing *tracker_outbox_get(tracker *t, int64_t id, GError **error);

/* draft -> approved; draft or approved -> cancelled; rejected or unknown -> approved;
 * unknown -> sent.  TRACKER_ERROR_STATE names the state it is in. */
bool tracker_outbox_approve(tracker *t, int64_t id, int64_t now, GError **error);
bool tracker_outbox_cancel(tracker *t, int64_t id, int64_t now, GError **error);
bool tracker_outbox_retry(tracker *t, int64_t id, int64_t now, GError **error);
bool tracker_outbox_mark_sent(tracker *t, int64_t id, int64_t now, GError **error);

/* Rows left 'sending' by a dead sender become 'unknown'; call it with the sender's
 * lock. */
bool tracker_outbox_recover(tracker *t, int64_t now, GError **error);

/* Marks the next approved and due row 'sending' and returns it; *mail NULL if none. */
bool tracker_outbox_claim(tracker *t, int64_t now, tracker_outgoing **mail,
			  GError **error);

/* Whether any approved row is due: a reason to call the server. */
bool tracker_outbox_due(tracker *t, int64_t now, bool *due, GError **error);

/* What a delivery did to a claimed row, all of it in one transaction. */
typedef struct tracker_result {
	const tracker_fate *fates; /* state: "sent", "waiting" (a retry) ... */
	size_t n_fates;            /* recipients that are not named go on waiting */
	int64_t next_at; /* when to try those that wait; 0: never, they are rejected */
	bool held;       /* nothing was tried: this was no attempt */
	const char *detail; /* what happened, naming server and step */
	const char *fcc;    /* where a copy is to be filed once it is sent; or NULL */
	int64_t now;
} tracker_result;

/*
 * Settles a claimed row; *state gets what it is now: APPROVED while somebody waits,
 * else UNKNOWN, SENT or REJECTED.  Who has got the mail is not sent to again, and the
 * first who has makes the report evidence: its regression gets the status `reported`.
 */
bool tracker_outbox_result(tracker *t, int64_t id, const tracker_result *result,
			   tracker_outbox_state *state, GError **error);

/* Mails whose copy has yet to be filed (tracker_filing *), and that one is. */
typedef struct tracker_filing {
	int64_t id;
	char *fcc, *message_id;
	GBytes *bytes;
} tracker_filing;

GPtrArray *tracker_outbox_unfiled(tracker *t, GError **error);
bool tracker_outbox_filed(tracker *t, int64_t id, GError **error);

/* Mails that left, or may have left, since a time, to anybody or to one address: for
 * caps. */
bool tracker_sent_count(tracker *t, const char *address, int64_t since, int64_t *count,
			GError **error);

/* ---- mail in ----------------------------------------------------------------- */

/* Where a message came from, so that it can be read again. */
typedef struct tracker_place {
	const char *source; /* "file", "maildir:/path" ... */
	const char *name;   /* absolute path, UID, blob */
	int64_t offset, length;
	parser_form form;
	unsigned index;
	bool keep;      /* cannot be read again (standard input): keep the bytes */
	bool delivered; /* by a server of ours: what it says of signatures may count */
} tracker_place;

typedef struct tracker_counts {
	size_t messages, duplicates, reports, replies, unclaimed, verdicts, refused;
	size_t claimed; /* were unclaimed before, by this run or an earlier one */
} tracker_counts;

typedef struct tracker_ingest tracker_ingest;

/*
 * A run of ingest: begin, any number of messages, commit (or abort by free). Everything
 * between is one transaction.  again: called to read a message's bytes anew from its
 * place when a report that arrived later claims it; NULL bytes = gone.
 */
typedef GBytes *(*tracker_again_fn)(const tracker_place *place, void *context);
tracker_ingest *tracker_ingest_begin(tracker *t, const parser_rules *rules,
				     const parser_lists *lists, tracker_again_fn again,
				     void *context, int64_t now, GError **error);
bool tracker_ingest_message(tracker_ingest *run, const char *bytes, size_t length,
			    const tracker_place *place, GError **error);
/* Writes down that a source has something there that cannot be read, and why. */
bool tracker_ingest_refuse(tracker_ingest *run, const tracker_place *place,
			   const char *why, GError **error);
/* What was refused in this run, where and why (char *): the first TRACKER_REFUSALS_MAX.
 * Lent. */
#define TRACKER_REFUSALS_MAX 20
const GPtrArray *tracker_ingest_refusals(const tracker_ingest *run);
/* How far a source has been read; moves in the transaction of its messages. */
bool tracker_ingest_cursor(tracker_ingest *run, const char *source, const char *cursor,
			   GError **error);
bool tracker_ingest_commit(tracker_ingest *run, tracker_counts *counts, GError **error);
/* The same when another run begins at once: what new reports claim of the mail that
 * came before them is read again by the next commit, of this process or a later one. */
bool tracker_ingest_pause(tracker_ingest *run, tracker_counts *counts, GError **error);
void tracker_ingest_free(tracker_ingest *run);

/* The cursor of a source; *cursor NULL (g_free) if it was never read. */
bool tracker_cursor_get(tracker *t, const char *source, char **cursor, GError **error);

/* Before a Message-ID: the cursor under which it stands that it was asked for. */
#define TRACKER_ASKED "asked:"

/*
 * A mail that a tracked thread lacks and that was not asked for yet: one that a stored
 * reply answers, or a report known by its id alone.  *id NULL (g_free): none.
 */
bool tracker_missing(tracker *t, char **id, GError **error);

/* Whether something was found in a place before; within a run of ingest too. */
bool tracker_place_known(tracker *t, const char *source, const char *name, bool *known,
			 GError **error);

/* ---- questions --------------------------------------------------------------- */

typedef struct tracker_suggestion {
	char *status, *role, *author, *quote, *message_id;
	int64_t at;
} tracker_suggestion;

typedef struct tracker_summary {
	char *id;       /* 40 digits */
	char *short_id; /* 8 digits or more, unique */
	tracker_status status;
	parser_kind kind;
	char *metric, *testcase, *commit, *commit_subject, *machine, *tree, *branch;
	bool has_change;
	double change_percent;
	int64_t reported_at;   /* of the first report */
	int64_t last_human_at; /* 0 = nobody answered */
	char *last_human;      /* who; NULL */
	unsigned replies;      /* by humans outside the robot team */
	char *owes;            /* "robot", "maintainer", "operator" (a suggestion waits)
				  or NULL (closed) */
	char *author;          /* of the culprit: name or address; NULL if unknown */
	bool disputed;         /* an improvement that somebody doubts */
	char *title, *owner, *priority; /* by command; NULL if none was given */
	bool backburner;        /* by command: not listed until there is activity */
	bool reminders_off;     /* by command: never to be reminded of */
	GPtrArray *suggestions; /* tracker_suggestion * */
} tracker_summary;

void tracker_summary_free(tracker_summary *summary);

typedef struct tracker_filter {
	bool closed, improvements; /* also those */
	bool all;                  /* everything, also what no report was seen of */
	bool again; /* also closed ones that somebody reported again, for the operator
		     */
	const char *status;                   /* a closed one implies closed */
	const char *tree, *testcase, *metric; /* words or globs; "tree:branch" too */
	const char *machine, *author;         /* a part is enough */
	const char *commit;                   /* prefix of the culprit */
	const char *subsystem;                /* prefix of the culprit's subject */
	int64_t older_than, silent_for;       /* seconds; 0 = any */
	double change_over;                   /* percent magnitude; 0 = any */
	bool backburner;                      /* also what is on the back burner */
	int64_t closed_since; /* only what something closed since then; 0 = any */
	const char *owes;
	int64_t now;
	const GPtrArray *commits; /* char *: full hashes, of which the culprit is one;
				     NULL = any */
	/* Whether a path belongs to the subsystem: then a culprit that is known to
	 * touch one does, too.  May be NULL. */
	bool (*touches)(const char *path, void *context);
	void *touches_context;
} tracker_filter;

/* tracker_summary *, what needs attention first.  What is on the back burner is left
 * out unless asked for by `all`. */
GPtrArray *tracker_list(tracker *t, const tracker_filter *filter, GError **error);

typedef struct tracker_finding {
	char *testcase, *metric, *machine, *tree;
	GPtrArray *parameters; /* parser_pair * */
	parser_kind kind;
	bool has_change, has_interval; /* interval and p: for our own reports */
	double change_percent, ci_low, ci_high, p;
	char *message_id; /* of the report that says so */
	bool counts;      /* false: its sender is no robot that is known for it */
} tracker_finding;

typedef struct tracker_message {
	char *message_id, *parent_id;
	parser_address from;
	int64_t date;
	char *subject;
	parser_class class;
	tracker_role role;
	char *regression, *link_key; /* which key linked it */
	double link_confidence;
	char *first_words;     /* a line of the author's own words */
	GPtrArray *verdicts;   /* parser_verdict * */
	GPtrArray *mechanisms; /* parser_mechanism * */
	bool is_report, is_ghost;
	bool suggested; /* linked by its subject alone: a guess */
	unsigned depth; /* in its thread */
} tracker_message;

typedef struct tracker_event {
	int64_t at, recorded; /* of the evidence; when we learned it */
	tracker_status status;
	tracker_status suggested; /* NONE: nothing was */
	char *actor, *kind, *evidence, *message_id, *rule;
} tracker_event;

typedef struct tracker_fix {
	char *commit, *subject, *tree, *message_id; /* NULL if unknown */
	char *state; /* "offered" (a patch), "claimed" (words), "confirmed", "refuted"
			(by a test); by a scan: "posted", "queued", "merged", "gone" */
	int64_t at;
} tracker_fix;

typedef struct tracker_detail {
	tracker_summary *summary;
	GPtrArray *findings;   /* tracker_finding * */
	GPtrArray *messages;   /* tracker_message *, thread order */
	GPtrArray *events;     /* tracker_event *, oldest first */
	GPtrArray *aliases;    /* char * */
	char *duplicate_of;    /* 40 digits; NULL if it is none */
	GPtrArray *duplicates; /* char *, 40 digits: those of this one */
	GPtrArray *related;    /* tracker_summary *: others of the same commit, and of
				  commits of the same subject (a rebase, a new version) */
	GPtrArray
		*trailers;    /* parser_pair *: to copy into the commit that fixes it;
				 the   value of Closes is a Message-ID, to be made a URL */
	GPtrArray *fixes;     /* tracker_fix * */
	GPtrArray *overrides; /* tracker_override *: of all our mails about it */
	char *report_id; /* Message-ID of the first report; of a report that nobody has
			    seen but somebody quoted, when seen is false; else NULL */
	bool seen;       /* that report is sent or seen */
} tracker_detail;

void tracker_detail_free(tracker_detail *detail);

/* By any unique prefix of an ID or alias. */
tracker_detail *tracker_show(tracker *t, const char *id, GError **error);

/* All replies on every report of commits with that prefix, or of that subject
 * (tracker_message *). */
GPtrArray *tracker_replies(tracker *t, const char *commit, GError **error);

/* ---- looking back ------------------------------------------------------------ */

typedef struct tracker_hit {
	char *message_id, *regression; /* 40 digits; NULL if it is linked to none */
	char *author, *subject;
	char *snippet; /* words around the hit; the hit itself between [ and ] */
	int64_t date;
} tracker_hit;

#define TRACKER_SEARCH_MAX 1000 /* mails that a search compares */

/*
 * Full text over explanations and replies (tracker_hit *).  All words must be there;
 * "quoted words" stand together; word* is a beginning, of three letters or more:
 * TRACKER_ERROR_STATE.  Of the mails with the words the TRACKER_SEARCH_MAX that were
 * stored last are compared, and the best come first; *all: there are no more of them.
 * limit 0: 50.
 */
GPtrArray *tracker_search(tracker *t, const char *words, unsigned limit, bool *all,
			  GError **error);

typedef struct tracker_likeness {
	tracker_summary *summary;
	GPtrArray
		*reasons; /* char *: "object tasklist_lock", "file kernel/fork.c" ... */
	char *word;       /* the words that explained it, of the best reason; or NULL */
	char *by;         /* whose words: name or address; NULL if unknown */
	char *object;     /* the lock or function in common; NULL if there is none */
	char *report_id;  /* Message-ID of its first report that was seen; or NULL */
} tracker_likeness;

/*
 * Earlier regressions with the same mechanism, object, function or file, the most alike
 * first (tracker_likeness *).  limit 0: 50.  Of what is shared by very many, some
 * hundred are looked at that were stored about when this one was.
 */
GPtrArray *tracker_similar(tracker *t, const char *id, unsigned limit, GError **error);

/* What is known of a regression that nobody has explained yet; everything is lent. */
typedef struct tracker_clues {
	const GPtrArray
		*objects;       /* char *: functions and locks that its numbers show */
	const char *regression; /* 40 digits: not itself; may be NULL */
	int64_t before;         /* explanations later than that do not count; 0: all */
} tracker_clues;

/* Earlier regressions that somebody explained by one of the objects, the newest first
 * (tracker_likeness *, with words). */
GPtrArray *tracker_similar_to(tracker *t, const tracker_clues *clues, GError **error);

/*
 * Which header, rule and words led to what, for one mail: lines of (subject, text), in
 * order (parser_pair *): "found", "class", "link", "verdict", "event", "command" ...
 */
GPtrArray *tracker_explain(tracker *t, const char *message_id, GError **error);

/* A stored mail's bytes as received; *bytes NULL if they are not kept (any more). */
bool tracker_mail_bytes(tracker *t, const char *message_id, GBytes **bytes,
			GError **error);

/* A command of ours that nobody's thread claims; it opens nothing. */
typedef struct tracker_stray {
	char *message_id, *author, *verb, *arguments;
	int64_t date;
} tracker_stray;

GPtrArray *tracker_strays(tracker *t, GError **error);

/*
 * A person asks that a mail be forgotten: its words, its author's name and address and
 * its bytes go for good, wherever they were copied to; what it decided stays.  It is
 * not taken in again.  TRACKER_ERROR_STATE for mails of ours.
 */
bool tracker_forget(tracker *t, const char *message_id, int64_t now, GError **error);

/* What is too old goes: bytes of unclaimed mails that came before the first time, bytes
 * of mails whose regressions are all closed since before the second; 0 = keep. */
bool tracker_expire(tracker *t, int64_t unclaimed_before, int64_t closed_before,
		    size_t *rows, GError **error);

/* ---- numbers ----------------------------------------------------------------- */

/* What one of our reports measured of its headline metric in one column. */
typedef struct tracker_measure {
	char *message_id; /* of the report */
	unsigned column;  /* 0 = base */
	bool culprit;
	char *commit, *label; /* of the column; NULL if unknown */
	char *testcase, *metric, *machine;
	bool has_mean, has_stddev;
	double mean, stddev; /* the latter only where a summary was all there was */
	unsigned runs;
	GArray *samples; /* double, those that are there; may be empty */
} tracker_measure;

/* Of all reports of a regression (40 digits) that left, the oldest first. */
GPtrArray *tracker_measures(tracker *t, const char *id, GError **error);

/* ---- the operator's acts ----------------------------------------------------- */

typedef enum tracker_act_kind {
	TRACKER_ACT_CONFIRM, /* a suggestion becomes the status */
	TRACKER_ACT_REJECT,  /* a suggestion goes away for good */
	TRACKER_ACT_SET,     /* any status but none; a reason is required */
	TRACKER_ACT_REOPEN,  /* closed -> reported */
	TRACKER_ACT_UNDO,    /* takes back the newest act, else what a mail decided */
	TRACKER_ACT_DUP,     /* duplicate of `other`; duplicates act as a set */
	TRACKER_ACT_UNDUP, /* leaves its set, with the status that it has of its own */
	TRACKER_ACT_NOTE   /* words for the history */
} tracker_act_kind;

/* "confirm" ... "note". */
const char *tracker_act_name(tracker_act_kind kind);

/* What an operator does; everything is lent. */
typedef struct tracker_act {
	tracker_act_kind kind;
	const char *id;        /* any unique prefix of an ID or alias */
	tracker_status status; /* SET: the new one; CONFIRM, REJECT: which suggestion is
				  meant when there are several (NONE: the only one) */
	const char *other;     /* DUP: the ID that it duplicates */
	const char *who;       /* name or address of the operator; never empty */
	const char *reason;    /* SET, NOTE: required; else may be NULL */
	char **undone;         /* UNDO: what was taken back, foreign words too; g_free.
				  May be NULL */
	int64_t now;
} tracker_act;

/*
 * Records the act and works out the status anew; *status (may be NULL) is the result.
 * TRACKER_ERROR_STATE when it makes no sense now (nothing to confirm, nothing to undo,
 * a duplicate of itself, a status that is none); TRACKER_ERROR_AMBIGUOUS when several
 * suggestions are open and act->status does not say which: the message names them.
 */
bool tracker_act_do(tracker *t, const tracker_act *act, tracker_status *status,
		    GError **error);

/* Integrity: appends one line (char *) per thing that is wrong. */
bool tracker_check(tracker *t, GPtrArray *problems, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(tracker, tracker_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(tracker_outgoing, tracker_outgoing_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(tracker_ingest, tracker_ingest_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(tracker_detail, tracker_detail_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(tracker_stored, tracker_stored_clear)

/* clang-format off */
#include "tracker/digest.h" /* the weekly mail */
#include "tracker/remind.h" /* mails about what nobody answered */
/* clang-format on */
#include "tracker/scan.h" /* git trees */

#endif
