/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mailer - moves bytes out and in: files, mailboxes, result roots, git, servers.
 *
 * It never looks inside what it moves.  Paths and host names come from the operator;
 * bytes that arrive are bounded in size here and in nothing else.
 */
#ifndef MAILER_MAILER_H
#define MAILER_MAILER_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mailer/fetch.h"
#include "mailer/options.h"

#define MAILER_ERROR mailer_error_quark()

typedef enum mailer_error {
	MAILER_ERROR_NOT_FOUND, /* no such file, directory, mailbox, commit */
	MAILER_ERROR_IO,        /* reading or writing failed; try again may help */
	MAILER_ERROR_FORMAT, /* truncated gzip, not a result root, over the size limit
			      */
	MAILER_ERROR_USAGE,  /* a URL or argument that cannot be meant */
	MAILER_ERROR_TEMPORARY, /* a server says: later */
	MAILER_ERROR_REFUSED    /* a server says: never */
} mailer_error;

GQuark mailer_error_quark(void);

#define MAILER_UNPACKED_MAX (4ull << 30) /* what gzip and xz may unpack to */

/* ---- files in ------------------------------------------------------------------- */

/*
 * A whole file, mapped where possible, gzip and xz undone (by content, not by name).
 * "-" reads standard input.  The message starts with the path.
 */
GBytes *mailer_file_read(const char *path, GError **error);

/* A file of a result root. */
typedef struct mailer_blob {
	char *name; /* relative to the root: "matrix.json", "0/stats.json"; ".gz" cut
		       off */
	GBytes *bytes;
} mailer_blob;

/*
 * The files of an lkp-tests result root that a comparison needs: matrix.json, job.yaml,
 * and stats.json and job.yaml of the runs (numbered directories) - X.json.gz before
 * X.json before X.yaml.  A path to a run directory's parent's parent (several commits)
 * is an error that names them.  Returns mailer_blob *.
 */
GPtrArray *mailer_root_read(const char *path, GError **error);

/*
 * What a result root keeps for those who want to reproduce it: job.yaml, job.sh,
 * reproduce or reproduce.sh, and the kernel's config, of the root itself or else of its
 * first run that has a job.  Returns mailer_blob *, names without a directory; may be
 * empty.
 */
GPtrArray *mailer_root_materials(const char *path, GError **error);

/* ---- mail in ----------------------------------------------------------------------
 */

/*
 * What a user calls a source, as a URL for mailer_fetch_open(): a path becomes
 * "file:", "maildir:" or "pubinbox:" with its absolute path, by what lies there; "-"
 * (standard input) stays.  g_free.  MAILER_ERROR_USAGE for a directory that is none.
 */
char *mailer_source_url(const char *source, GError **error);

/*
 * Called for each file of a source with its bytes.  `place` names it (absolute path;
 * for a Maildir the name without flags).  Return false to stop with *error set.
 */
typedef bool (*mailer_file_fn)(const char *place, GBytes *bytes, void *context,
			       GError **error);

/* Walks a source as users write it, or standard input, from its beginning. */
bool mailer_source_walk(const char *source, mailer_file_fn fn, void *context,
			GError **error);

/* ---- mail out ---------------------------------------------------------------------
 */

/* What became of a delivery, as far as can be known. */
typedef enum mailer_outcome {
	MAILER_SENT,     /* accepted by the other side */
	MAILER_RETRY,    /* certainly not accepted, may be later */
	MAILER_REJECTED, /* certainly not accepted, never will be */
	MAILER_UNKNOWN   /* the line died when it could have been accepted */
} mailer_outcome;

const char *mailer_outcome_name(mailer_outcome outcome);

typedef struct mailer_recipient {
	const char *address; /* bare, lent */
	mailer_outcome outcome;
	char *detail; /* the other side's words; g_free */
} mailer_recipient;

typedef struct mailer_envelope {
	const char *message_id; /* for names of files and log lines */
	const char *sender;     /* bare address */
	mailer_recipient *recipients;
	size_t n_recipients;
	GBytes *eight_bit;        /* NULL if a line is too long for it */
	GBytes *quoted_printable; /* never NULL */
} mailer_envelope;

typedef struct mailer_transport mailer_transport;

/*
 * Opens "dir:PATH", "smtp://[USER@]HOST[:PORT]", "smtps://...", or "sendmail:PROGRAM
 * [ARGUMENT...]", split like a shell does but run without one.  Does not connect yet.
 */
mailer_transport *mailer_transport_open(const char *url, GError **error);
mailer_transport *mailer_transport_open_with(const char *url,
					     const mailer_options *options,
					     GError **error);
void mailer_transport_close(mailer_transport *transport);

/*
 * Connects and logs in, or makes sure that the connection still lives, so that a server
 * that is away is noticed before a mail is claimed.  MAILER_ERROR_TEMPORARY or
 * MAILER_ERROR_REFUSED, naming server and step.
 */
bool mailer_transport_ready(mailer_transport *transport, GError **error);

/*
 * Delivers one mail.  Fills outcome and detail of every recipient and returns the
 * outcome of the whole: SENT if any recipient was accepted.  For "dir:" the file is
 * PATH/<hash>-<time>.eml, written to a temporary name, synced and renamed; the same
 * mail again finds its file and is SENT without a second one.  *detail (g_free) says
 * what happened, naming server and step.
 */
mailer_outcome mailer_deliver(mailer_transport *transport, mailer_envelope *envelope,
			      char **detail);

/*
 * Files a copy of a mail that was sent: in "maildir:PATH" (made if it is not there) or
 * "imap[s]://[USER@]HOST[:PORT]/FOLDER".  One that is there already, by its Message-ID,
 * is enough.
 */
bool mailer_fcc(const char *where, const mailer_options *options,
		const char *message_id, GBytes *mail, GError **error);

/* Whether mailer_fcc() knows such a place; touches neither disk nor network. */
bool mailer_fcc_check(const char *where, GError **error);

/*
 * Seconds to wait before another try after so many (1 = the first has failed): doubling
 * from five minutes to four hours, up to a fifth more or less by `random`, so that
 * mails that failed together do not come back together.  0: give up (RFC 5321 asks for
 * four to five days).
 */
int64_t mailer_backoff(unsigned attempts, uint32_t random);

/* ---- git ----------------------------------------------------------------------------
 */

/*
 * The raw commit object (`git cat-file commit`) of a revision in the repository `dir`;
 * *id gets its full hash and *paths the files it touches (char *, GPtrArray).
 */
GBytes *mailer_git_commit(const char *dir, const char *revision, char **id,
			  GPtrArray **paths, GError **error);

/* A commit as `git format-patch` writes it. */
GBytes *mailer_git_patch(const char *dir, const char *commit, GError **error);

/* The full hashes (char *) of the commits of a range ("A..B") or that a revision has
 * behind it, the newest first. */
GPtrArray *mailer_git_range(const char *dir, const char *range, GError **error);

/* The full hash of a branch's newest commit; MAILER_ERROR_NOT_FOUND names which of
 * repository and branch is not there. */
char *mailer_git_tip(const char *dir, const char *branch, GError **error);

/* A piece of what git prints; false stops it, with *error set. */
typedef bool (*mailer_piece_fn)(const char *bytes, size_t length, void *context,
				GError **error);

/* Commits that `tip` reaches and none of `without` does. */
typedef struct mailer_git_span {
	const char *tip;          /* a hash */
	const GPtrArray *without; /* char *: revisions; may be NULL */
	const char *format;       /* as --format= takes it */
} mailer_git_span;

/*
 * One `git log -z`, the newest first, in UTF-8 as far as git can; its output in pieces
 * of any size.  What git complains of comes behind what it printed.
 */
bool mailer_git_log(const char *dir, const mailer_git_span *range, mailer_piece_fn fn,
		    void *context, GError **error);

typedef enum mailer_git_move {
	MAILER_GIT_FORWARD, /* the tip has the old commit behind it, or is it */
	MAILER_GIT_REWOUND, /* it has not: somebody pushed by force */
	MAILER_GIT_VANISHED /* the old commit is not in the repository any more */
} mailer_git_move;

/* How a branch moved from `old` to `tip`.  REWOUND: *base is where the two part
 * (g_free); NULL if they have nothing in common. */
bool mailer_git_moved(const char *dir, const char *old, const char *tip,
		      mailer_git_move *move, char **base, GError **error);

/* The newest commit that all of these (char *) have behind them; *base NULL if none. */
bool mailer_git_base(const char *dir, const GPtrArray *commits, char **base,
		     GError **error);

/* False if history is cut short: a shallow clone, grafts. */
bool mailer_git_complete(const char *dir, bool *complete, GError **error);

typedef struct mailer_git_name {
	char *id;       /* full hash; NULL if there is no such commit */
	bool ambiguous; /* there are several */
} mailer_git_name;

/* What these beginnings of hashes (char *) are: mailer_git_name *, in their order. */
GPtrArray *mailer_git_names(const char *dir, const GPtrArray *hashes, GError **error);

/* git's patch-id of a commit, and of a patch in a mail; "" if it has no diff.  g_free.
 */
char *mailer_git_patch_id(const char *dir, const char *commit, GError **error);
char *mailer_git_patch_id_of(GBytes *patch, GError **error);

/* Whether a patch applies to what is checked out in dir; the error says where not. */
bool mailer_git_applies(const char *dir, GBytes *patch, GError **error);

/* Runs argv without a shell, stdin closed, at most `seconds`; returns its stdout. */
GBytes *mailer_run(const char *const *argv, unsigned seconds, GError **error);

/* The same in a directory; a relative program is looked for there. */
GBytes *mailer_run_in(const char *dir, const char *const *argv, unsigned seconds,
		      GError **error);

/* Writes bytes to path by way of a temporary file in the same directory, synced. */
bool mailer_file_write(const char *path, const void *bytes, size_t length,
		       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(mailer_transport, mailer_transport_close)

#endif
