/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of a scan share: questions, commits that may answer them, answers. */
#ifndef TRACKER_SCANNING_H
#define TRACKER_SCANNING_H

#include "tracker/store.h"

typedef enum question_kind {
	ASK_CULPRIT,     /* a hash of the culprit, or of the same patch elsewhere */
	ASK_TITLE,       /* the culprit's subject */
	ASK_REPORT,      /* Message-ID of a report */
	ASK_FIX,         /* hash of an expected fix */
	ASK_FIX_TITLE,   /* its title */
	ASK_PATCH,       /* Message-ID of a mail that offers a patch */
	ASK_PATCH_TITLE, /* title of a patch */
	ASK_PATCH_DATE,  /* when it was written, in seconds */
	ASK_FOUND        /* hash of a fix that is in a tree already */
} question_kind;

/* Something that a commit may name, and what it would be about. */
typedef struct question {
	question_kind kind;
	int64_t regression;
	char *key;        /* as parser_mentioned.what gives it back */
	bool sure;        /* whoever expects that fix may command */
	int64_t message;  /* that offers the patch, or names the fix; 0 = none */
	int64_t position; /* of the patch in it */
} question;

/* An open regression, as far as trees are concerned. */
typedef struct subject_ {
	int64_t row;
	char *id; /* 40 digits */
	tracker_status status;
	char *commit, *title, *tree,
		*branch; /* of the culprit and report; NULL unknown */
	int64_t digest;  /* of all its questions */
	bool late;       /* this tree was not asked these questions yet */
} subject_;

/* A commit that mentions something. */
typedef struct candidate {
	char *id, *subject;
	char *author; /* "Name <address>" */
	int64_t committed;
	GPtrArray *mentions; /* parser_mentioned * */
} candidate;

struct tracker_scan {
	tracker *t;
	int64_t now;
	GPtrArray *findings; /* tracker_scan_finding * */
	GPtrArray *unknown;  /* parser_pair * */
	size_t n_unknown;
	/* of the tree that is entered */
	const tracker_tree *tree;
	const tracker_repository *repository;
	int64_t since; /* commits of this walk came later than that; 0 = who knows */
	parser_wanted *wanted;
	GHashTable *subjects;  /* int64_t * -> subject_ * */
	GHashTable *questions; /* key -> GPtrArray of question * */
	GPtrArray *asked;      /* question *: owns them */
	GPtrArray *candidates; /* candidate * */
	GPtrArray *mentions;   /* for one commit at a time */
	GHashTable *lost;      /* set of char *: hashes that left the branch */
	GHashTable *met;       /* set of char *: culprits that went by */
	bool copied;           /* a culprit was found under a new hash */
};

/* Loads what is open, and the questions about it (scan_ask.c). */
bool scan_ask(tracker_scan *scan, GError **error);
void scan_forget(tracker_scan *scan);

/* Decides what each candidate is, and writes it (scan_find.c). */
bool scan_find(tracker_scan *scan, refresh *r, GError **error);

/* Rules that are looked up again. */
#define SCAN_RULE_OTHER "same-title" /* the culprit's title, and other content */
#define SCAN_RULE_LOST  "fix-gone"   /* a fix that is not in its tree any more */

/* ---- content (scan_patch.c) ----------------------------------------------------- */

/* NULL for a merge, and if the repository cannot tell.  g_free. */
char *scan_patch_id(tracker_scan *scan, const char *commit);

/* Whether the commit is the patch that the question's mail offers. */
bool scan_offers_this(tracker_scan *scan, const question *q, const candidate *c,
		      bool *same, GError **error);

/* Of the culprit: as a tree showed it, or out of this repository; NULL.  g_free. */
bool scan_culprit_patch_id(tracker_scan *scan, const subject_ *s, char **id,
			   GError **error);

/* ---- answers -------------------------------------------------------------------- */

/* What is written of one finding; at = 0: now. */
typedef struct scan_row {
	int64_t regression;
	const char *state, *rule, *commit, *subject, *tree, *branch, *evidence;
	int64_t at;
} scan_row;

/* Writes a row of fix and remembers it as a finding if it is new (scan_write.c). */
bool scan_add(tracker_scan *scan, refresh *r, const scan_row *row, GError **error);

/* Writes that a culprit is in the tree. */
bool scan_see(tracker_scan *scan, const subject_ *s, const candidate *c, bool copy,
	      const char *patch, GError **error);

/* Tells of fixes that the tree had and has no more; whole: all of it went by. */
bool scan_lose_fixes(tracker_scan *scan, refresh *r, bool whole, GError **error);

/* Looks up what the findings from number `from` on made of their regressions. */
bool scan_settle_findings(tracker_scan *scan, guint from, GError **error);

/* "name branch". g_free. */
char *scan_tree_name(const tracker_tree *tree);

/* The text of a stored mail's patch, for git patch-id; NULL if it cannot be told. */
GBytes *scan_patch_text(tracker_scan *scan, int64_t message, int64_t position,
			GError **error);

/* Writes one row of the fix table; *added says whether it is new (fixes.c). */
typedef struct fix_row {
	int64_t regression, at;
	const char *state, *rule, *commit, *subject, *tree, *evidence;
} fix_row;

bool fix_write(tracker *t, const fix_row *row, bool *added, GError **error);

#endif
