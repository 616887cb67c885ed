/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scans of git trees: which commits repair, name or carry what is tracked.
 *
 * The caller walks the trees; here is decided what a walk has to look for, how far
 * back, and what follows from what it found.  Everything that a tree showed is written
 * in one transaction with its cursor.
 */
#ifndef TRACKER_SCAN_H
#define TRACKER_SCAN_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracker/tracker.h"

/* How near a tree is to its users; a fix in mainline or in the report's own tree is
 * one.
 */
typedef enum tracker_order {
	TRACKER_ORDER_POSTED,
	TRACKER_ORDER_NEXT,
	TRACKER_ORDER_MAINLINE,
	TRACKER_ORDER_STABLE
} tracker_order;

/* By its word, "posted" ... "stable"; false if it is none. */
bool tracker_order_from_name(const char *name, tracker_order *order);

/* A branch that is walked; lent. */
typedef struct tracker_tree {
	const char *name, *branch;
	tracker_order order;
} tracker_tree;

/*
 * What a fix in that tree is for a report on tree and branch (NULL: unknown): "merged",
 * "queued", "posted", or "hint" for a tree behind mainline.
 */
const char *tracker_fix_state(const tracker_tree *tree, const char *report_tree,
			      const char *report_branch);

/* What only the repository knows; answers are g_free'd.  NULL: it cannot tell. */
typedef struct tracker_repository {
	char *(*patch_id)(const char *commit, void *context);
	char *(*patch_id_of)(GBytes *patch, void *context);
	/* The commit whose hash begins so; NULL for none, and for several. */
	char *(*full_hash)(const char *digits, bool *several, void *context);
	void *context;
} tracker_repository;

/* What a tree must be asked. */
typedef struct tracker_walk {
	char *cursor; /* up to where it is walked; NULL: never */
	GPtrArray
		*late; /* char *: culprits (as many digits as are known) of regressions
			  that it was not asked about when it was walked */
	bool blind;    /* there are such without a known culprit */
	bool any;      /* there is something to look for at all */
} tracker_walk;

void tracker_walk_clear(tracker_walk *walk);

/* What a scan found and did not know before. */
typedef struct tracker_scan_finding {
	char *id, *short_id; /* of the regression */
	char *state;         /* "posted", "queued", "merged", "hint", "gone", "back" */
	char *commit, *subject, *tree, *branch; /* NULL if there is none */
	char *evidence;
	tracker_status before, status; /* of the regression: then, and now */
} tracker_scan_finding;

typedef struct tracker_scan tracker_scan;

/* A run over any number of trees. */
tracker_scan *tracker_scan_begin(tracker *t, int64_t now, GError **error);
void tracker_scan_free(tracker_scan *scan);

/* Says how to walk a tree.  tree and repository must live until it is left. */
bool tracker_scan_enter(tracker_scan *scan, const tracker_tree *tree,
			const tracker_repository *repository, tracker_walk *walk,
			GError **error);

/* A commit of the walk; and one that the branch has lost since it was walked. */
void tracker_scan_commit(tracker_scan *scan, const parser_logged *commit);
void tracker_scan_lost(tracker_scan *scan, const parser_logged *commit);

/* How a walk ended. */
typedef struct tracker_walked {
	const char *cursor; /* the tip; NULL: it broke off, and the cursor stays */
	bool whole;         /* all that the branch has went by: what did not is gone */
} tracker_walked;

/*
 * Writes what the tree showed.  *again: a culprit was found under another hash, so that
 * what names that one is to be looked for: enter the tree again.
 */
bool tracker_scan_leave(tracker_scan *scan, const tracker_walked *walked, bool *again,
			GError **error);

/* Leaves the tree without a word: it could not be walked. */
void tracker_scan_abandon(tracker_scan *scan);

/* When all trees are walked: which culprits are in none of them any more. */
bool tracker_scan_end(tracker_scan *scan, GError **error);

/* What was found so far (tracker_scan_finding *), in order; lent. */
const GPtrArray *tracker_scan_findings(const tracker_scan *scan);

/* Commits that close reports of robots which are not known here: how many, and the
 * first of them (parser_pair *: commit -> line); lent. */
const GPtrArray *tracker_scan_unknown(const tracker_scan *scan, size_t *count);

/* ---- patches that mails offer --------------------------------------------------- */

typedef struct tracker_offer {
	char *message_id;
	unsigned position;           /* which patch of that mail */
	char *regression, *short_id; /* that it is to repair */
	tracker_status status;       /* of the regression */
	char *metric, *author;
	char *form;         /* "mail", "inline", "scissors", "attached", "branch" */
	char *title;        /* of the patch, or else of the mail */
	char *url, *branch; /* of a branch; NULL */
	char *problem;      /* why it cannot be applied; NULL if it may */
	int64_t date;
	char *tested_by,
		*outcome; /* Message-ID of our re-test, and what it showed; NULL */
} tracker_offer;

void tracker_offer_free(tracker_offer *offer);

/* Patches for open regressions that no re-test has answered, the oldest first; with
 * `all` every patch (tracker_offer *). */
GPtrArray *tracker_offers(tracker *t, bool all, GError **error);

/* A stored mail, parsed again; TRACKER_ERROR_NOT_FOUND when it is not kept. */
parser_mail *tracker_mail_read(tracker *t, const char *message_id, GError **error);

/* ---- alone ---------------------------------------------------------------------- */

/* What a scan saw of a fix, or of a culprit; everything is lent. */
typedef struct tracker_sighting {
	const char *id;    /* of the regression */
	const char *state; /* "posted"; "queued" in another tree, "merged" in the
			      report's own or mainline; "hint": it may be one; "gone":
			      the culprit left all trees, "back": it is there again */
	const char *commit, *subject, *tree; /* NULL if unknown */
	const char *evidence;                /* the line that says so; never empty */
	int64_t at;                          /* of the commit; 0 = now */
	int64_t now;
} tracker_sighting;

/* Records it and works out the status anew; the same again changes nothing. */
bool tracker_sighting_add(tracker *t, const tracker_sighting *sighting, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(tracker_scan, tracker_scan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(tracker_offer, tracker_offer_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(tracker_walk, tracker_walk_clear)

#endif
