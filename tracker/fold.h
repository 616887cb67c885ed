/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The status of a regression as a fold over its evidence in time order.  Evidence that
 * arrives late takes its place in that order, so the order of arrival does not matter.
 */
#ifndef TRACKER_FOLD_H
#define TRACKER_FOLD_H

#include "tracker/store.h"

#define FOLD_SURE 0.5 /* confidence from which a verdict acts */

typedef enum evidence_kind { /* in the order that equal times have */
	EVIDENCE_REPORT,
	EVIDENCE_MAIL,
	EVIDENCE_FIX,
	EVIDENCE_ACT
} evidence_kind;

typedef struct evidence {
	evidence_kind kind;
	int64_t at;
	int64_t said; /* the same, where `at` is only its place in the order; or 0 */
	int64_t row;  /* of message, fix or act */
	char *key;    /* Message-ID: decides between equal times */
	char *class, *name, *address, *subject; /* of a mail */
	char *mail;                             /* REPORT: kind of mail */
	bool own;                               /* REPORT: ours */
	bool counts;                            /* REPORT: its sender's word does */
	char *outcome;                          /* REPORT: of a re-test of ours */
	bool foreign;                           /* of a duplicate of this regression */
	GPtrArray *verdicts; /* MAIL: parser_verdict *, the primary one first */
	GArray *takes_back;  /* MAIL: fold_word; NULL if none */
} evidence;

/* A verdict of an earlier mail, which its author has taken back. */
typedef struct fold_word {
	int64_t message;
	parser_verdict_kind kind;
} fold_word;

typedef struct fold_suggestion {
	int64_t message, at;
	tracker_status status;
	tracker_role role;
	parser_verdict_kind kind; /* NONE: a command */
	char *name, *address, *quote;
} fold_suggestion;

/* One step of history; becomes an event. */
typedef struct fold_step {
	int64_t at;
	tracker_status status;
	const char *kind;  /* of event */
	const char *actor; /* strings are owned once the step is added */
	tracker_role role;
	const char *rule;
	int64_t message, act;
	const char *evidence;
	tracker_status suggested; /* NONE: nothing is */
	bool moves;               /* it changed something that undo can take back */
} fold_step;

typedef struct fold_before {
	tracker_status status;
	int64_t duplicate_of;
	bool elsewhere; /* a duplicate's own affair, which changed nothing here */
} fold_before;

typedef struct fold {
	refresh *r;
	tracker *t;
	int64_t regression, now;
	roles roles;
	GPtrArray *evidence;                       /* evidence * */
	GHashTable *undone_messages, *undone_acts; /* int64_t * */
	/* what is folded */
	tracker_status status, before_question, before_duplicate, before_gone;
	bool gone;              /* dropped because a scan missed the culprit */
	bool seen;              /* a report is sent or seen */
	GPtrArray *suggestions; /* fold_suggestion * */
	GPtrArray *steps;       /* fold_step * */
	int64_t duplicate_of;
	GHashTable *attributes; /* "title" ... -> char * */
	GArray *by_hand;        /* fold_before */
	bool improvement;       /* kind of the headline; for what is owed */
	bool fix_confirmed, test_owed, question_open, disputed;
	unsigned replies;
	int64_t last_human_at;
	char *last_human;
} fold;

/* Loads the evidence and folds it; writes nothing. */
bool fold_run(fold *f, refresh *r, int64_t regression, GError **error);
void fold_clear(fold *f);

bool fold_load(fold *f, GError **error); /* evidence.c */
/* Which words a later mail takes back. */
void fold_stances(fold *f);                                 /* fold_stances.c */
bool fold_mail(fold *f, const evidence *e, GError **error); /* verdicts and commands */
bool fold_act(fold *f, const evidence *e, GError **error);
bool fold_fix(fold *f, const evidence *e, GError **error);
bool fold_notices(fold *f, const evidence *e, GError **error);
/* What "queued", "merged", "gone" ... do to the status; true if it moved. */
bool fold_sighting(fold *f, const char *state);

/* The mail asks not to be counted as an answer. */
bool fold_is_poke(fold *f, int64_t message, bool *poke, GError **error);
/* Whether the sender of a mail is proved, or need not be (require-dkim). */
bool fold_is_vouched(fold *f, const evidence *e, bool *vouched, GError **error);
bool fold_commands(fold *f, const evidence *e, tracker_role role, GError **error);

/* What is changed by hand is remembered before, so that `undo` in a mail finds it. */
void fold_push(fold *f);
/* What a duplicate's mail decides about that duplicate alone: only its mails undo it.
 */
void fold_push_elsewhere(fold *f);
/* Takes the newest back, of those that a mail to this regression or to a duplicate of
 * it
 * (`foreign`) may; false: there is none. */
bool fold_pop(fold *f, bool foreign);
void fold_move(fold *f, tracker_move move); /* one that leads to a status by itself */
void fold_duplicate(fold *f, int64_t other);
void fold_no_duplicate(fold *f);
/* Adds a suggestion: of a mail the last one counts.  The strings are copied.  Returns
 * its status. */
tracker_status fold_suggest(fold *f, const evidence *e,
			    const fold_suggestion *suggestion);
/* Drops the open suggestions of the person who wrote the mail. */
void fold_withdraw(fold *f, const evidence *e);
/* Changes the status and what hangs on it; true if it was another before. */
bool fold_set_status(fold *f, tracker_status status);
/* Appends a step; strings are copied. */
fold_step *fold_add_step(fold *f, const fold_step *step);
/* "Name" or the address. */
const char *fold_who(const char *name, const char *address);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(fold, fold_clear)

#endif
