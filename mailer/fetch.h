/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mail from where it lives, a bit more at each visit: what is new behind a cursor, in
 * batches, in memory that does not grow with the archive.
 *
 * A source is opened by its URL (the table in fetch.c), run with the cursor that was
 * kept last time, and hands over mails and, now and then, the next cursor.  A cursor is
 * text that only the source understands; one that it does not understand any more (a
 * mailbox made anew, a history rewritten) makes it start over, which does no harm.
 */
#ifndef MAILER_FETCH_H
#define MAILER_FETCH_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "mailer/options.h"

#define MAILER_MAIL_MAX (64u << 20) /* bytes of one mail from a server */

/* All lent and copied; all zero is a sound default. */
typedef struct mailer_fetch_options {
	mailer_options server; /* login, TLS, seconds a step may take (0 = 60) */
	const char *contact;   /* whom a server may write to; NULL = nobody is named */
	bool mirror;   /* a git mirror is brought up to date before it is read */
	int64_t since; /* where a search without a cursor begins, Unix seconds; 0 = all
			*/
} mailer_fetch_options;

/* What is handed over; lent for the time of the call. */
typedef struct mailer_fetched {
	const char *place; /* names it for good inside the source: UID, blob, path */
	GBytes *bytes;     /* lines end as they came in files, else with LF; or NULL */
	const char *trouble; /* why there are no bytes: too large, damaged; or NULL */
	bool is_file;        /* a whole file, of one mail or many; else: one mail */
	uint64_t offset;     /* of a file: what lies before it is known already */
	int64_t left;        /* mails still to come, roughly; -1: nobody knows */
	/*
	 * Of a file of many mails: may be called between two of them, where `at` is the
	 * end of what was taken, and makes a checkpoint there.  NULL: not offered.
	 */
	bool (*reached)(uint64_t at, void *file, GError **error);
	void *file;
} mailer_fetched;

/* Who takes it.  Each returns false with *error set to stop at once. */
typedef struct mailer_fetch_sink {
	bool (*mail)(const mailer_fetched *mail, void *context, GError **error);
	/*
	 * All that was handed over so far is behind this cursor: to be stored in the
	 * transaction of those mails.  Called after each batch and at the end, if it
	 * has changed.
	 */
	bool (*checkpoint)(const char *cursor, void *context, GError **error);
	/*
	 * Whether a place was handed over before; asked by sources whose names are
	 * never used twice and that need no cursor then.  May be NULL: nothing is
	 * known.
	 */
	bool (*known)(const char *place, bool *known, void *context, GError **error);
	void *context;
} mailer_fetch_sink;

typedef struct mailer_fetch mailer_fetch;

/*
 * Opens a source by its URL without connecting yet; options may be NULL.
 * MAILER_ERROR_USAGE when there is no such kind of source.
 */
mailer_fetch *mailer_fetch_open(const char *url, const mailer_fetch_options *options,
				GError **error);
void mailer_fetch_close(mailer_fetch *source);

/* The lasting name, to be stored beside the place of a mail.  Lent. */
const char *mailer_fetch_name(const mailer_fetch *source);

/*
 * Hands over what is new behind the cursor (NULL: all there is). MAILER_ERROR_TEMPORARY
 * or MAILER_ERROR_IO: come back later, with the cursor of the last checkpoint; other
 * errors will not pass by themselves.  The message names source and step.
 */
bool mailer_fetch_run(mailer_fetch *source, const char *cursor,
		      const mailer_fetch_sink *sink, GError **error);

/*
 * What was handed over with that place, read anew; a file as a whole.
 * MAILER_ERROR_NOT_FOUND when it is gone.
 */
GBytes *mailer_fetch_again(mailer_fetch *source, const char *place, GError **error);

/*
 * Waits at most so many seconds until the source may have something new, or until
 * `stop_fd` (-1: none) can be read; *fresh tells whether to run.  Where nobody says
 * when mail arrives it just waits, and says that there may be.
 */
bool mailer_fetch_wait(mailer_fetch *source, unsigned seconds, int stop_fd, bool *fresh,
		       GError **error);

/* ---- an archive, asked for single mails -------------------------------------------
 */

/*
 * A public-inbox over HTTP: "https://HOST/INBOX/", with or without "lore+" before it;
 * or a news server, "nntp[s]://HOST/GROUP".
 */
typedef struct mailer_archive mailer_archive;

mailer_archive *mailer_archive_open(const char *url,
				    const mailer_fetch_options *options,
				    GError **error);
void mailer_archive_close(mailer_archive *archive);

/* One mail as it was sent; MAILER_ERROR_NOT_FOUND when the archive has none. */
GBytes *mailer_archive_message(mailer_archive *archive, const char *message_id,
			       GError **error);

/* The whole thread of a mail as an mbox, or where there are no threads the mail alone;
 * MAILER_ERROR_NOT_FOUND as above. */
GBytes *mailer_archive_thread(mailer_archive *archive, const char *message_id,
			      GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(mailer_fetch, mailer_fetch_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mailer_archive, mailer_archive_close)

#endif
