/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sources of mail: what the command line names, or the configuration. */
#ifndef CLI_SOURCES_H
#define CLI_SOURCES_H

#include "cli/cli.h"
#include "mailer/mailer.h"

/* With --watch: when something is done again, later each time when it fails. */
typedef struct watch_turn {
	int64_t due;       /* g_get_monotonic_time(); 0 = now */
	unsigned failures; /* in a row */
} watch_turn;

typedef struct source {
	char *label; /* as people call it: its name in the configuration, or its URL */
	char *url;   /* "-" for standard input */
	char *group; /* "source NAME"; NULL: not configured */
	bool delivered; /* by a server of ours, as far as is known */
	char *key;      /* what its cursor is kept under; NULL until it is opened */
	mailer_fetch *fetch; /* NULL until it is opened */
	bool failed;         /* the last time it was read */
	bool rests;          /* is not read this time */
	watch_turn turn;     /* when it is to be read again */
} source;

/*
 * The sources (source *) that the arguments name: names of [source NAME], URLs, paths,
 * "-".  Without arguments every [source NAME]; `none` allows that there is none.
 */
GPtrArray *sources_list(const config *conf, char **args, bool none, GError **error);

/* Whether [source NAME] has a URL that source_open() takes; connects to nothing. */
bool source_check(const config *conf, const char *name, GError **error);

/* Takes the mail of all of them for copies of an archive. */
void sources_mark_archives(const GPtrArray *sources);

/* Opens it, unless it is open. */
bool source_open(source *s, const config *conf, GError **error);

/* Another mailer_fetch of the same source, to read single mails again. */
mailer_fetch *source_open_again(const source *s, const config *conf, GError **error);

/* True for a file by its path: many of them may be read in one transaction. */
bool source_is_file(const source *s);

/* The archive that missing mails are asked for: [regtrail] fill-from, else the first
 * source that can be one; *archive NULL if there is none. */
bool sources_archive(const config *conf, mailer_archive **archive, GError **error);

#endif
