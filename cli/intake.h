/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mail from sources into the store, in batches: each is a transaction that holds its
 * mails and how far their source was read.
 */
#ifndef CLI_INTAKE_H
#define CLI_INTAKE_H

#include "cli/data.h"
#include "cli/sources.h"
#include "tracker/tracker.h"

typedef struct intake {
	cli *c;
	tracker *t;
	data_files *data;
	parser_rules *rules;
	parser_lists *lists;
	tracker_ingest *batch; /* NULL: no transaction is open */
	size_t in_batch;       /* messages */
	size_t batch_max;      /* of them */
	int64_t batch_seconds;
	int64_t begun;         /* when the batch began, monotonic microseconds */
	bool paused;           /* the last commit was none that settles all */
	tracker_counts counts; /* of all batches that are stored */
	size_t messages;       /* of the present source */
	GPtrArray *sources;    /* source * */
	source *now;           /* the one that is read */
	GHashTable *again;     /* name of a source -> mailer_fetch, to read anew */
	bool from_start;       /* cursors are not believed */
	bool only_news;        /* of a source that brought nothing, nothing is said */
	guint refusals_said;   /* how many mails that were refused it named */
	bool progress;         /* stderr is a terminal */
	int64_t shown;         /* when progress was last printed */
	const volatile int *stop; /* not 0: end as soon as all is stored; may be NULL */
} intake;

/* Reads rules and lists; the sources stay the caller's. */
bool intake_init(intake *in, cli *c, tracker *t, GPtrArray *sources, GError **error);
void intake_clear(intake *in);

/*
 * Reads what is new in one source, or in all.  What goes wrong with a source is said on
 * stderr and is in the exit code; the others are read all the same.  After CLI_FAIL
 * with *error set the store itself failed.
 */
int intake_source(intake *in, source *s, GError **error);
int intake_all(intake *in, GError **error);

/* Stores a text of one mail or many that cannot be read again from where it came. */
bool intake_text(intake *in, const char *source_name, const char *place, GBytes *bytes,
		 GError **error);

/* Keeps a cursor, in the transaction of what was stored before. */
bool intake_cursor(intake *in, const char *name, const char *cursor, GError **error);

/* Ends the open transaction. */
bool intake_commit(intake *in, GError **error);

/* "5 messages: 1 new report ..." */
void intake_report(const tracker_counts *counts);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(intake, intake_clear)

#endif
