/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From results to a checked mail, and from there into the outbox. */
#ifndef CLI_DRAFT_H
#define CLI_DRAFT_H

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/outgoing.h"
#include "cli/results.h"
#include "render/render.h"
#include "tracker/tracker.h"

typedef struct draft_options {
	results_options results; /* first: RESULTS_OPTIONS counts from here */
	gboolean dry_run;
	char *output, *kind, *metric, *culprit, *style, *compat, *date, *note;
	char *followup, *retest, *retract;
	char **also, **force, **attach, **to, **cc, **still;
} draft_options;

/* The report that a follow-up answers, and what is known of its thread. */
typedef struct draft_answer {
	tracker_detail *detail;
	char *subject;         /* of the first report; NULL if unknown */
	GPtrArray *references; /* char *: ids above it, root first */
	GPtrArray *to, *cc;    /* parser_address *: its recipients, and who answered */
} draft_answer;

/* A mail with all that it was made from; everything is owned. */
typedef struct draft {
	cli *cli; /* lent, like the options */
	const draft_options *options;
	char **args;
	data_files *files;
	parser_lists *lists;
	GPtrArray *sources;     /* parser_comparison * */
	GPtrArray *rendered;    /* render_comparison *: headline first, machines */
	GPtrArray *machines;    /* the same without the first; lends them */
	GPtrArray *also;        /* render_comparison * */
	parser_commit *culprit; /* lent by sources */
	char *regression;       /* 40 digits */
	tracker *tracker;       /* NULL for a dry run without database */
	draft_answer *answer;   /* of --followup and its kin; else NULL */
	parser_address *from;
	GPtrArray *to, *cc;     /* parser_address * */
	GPtrArray *attachments; /* render_attachment * */
	GPtrArray *forced;      /* parser_pair *: check -> reason */
	GPtrArray *still;       /* parser_pair *: where -> commit */
	GPtrArray *references;  /* char *: of the patch that is answered */
	GPtrArray *similar;     /* tracker_likeness *; NULL when none was asked for */
	GPtrArray *owned;       /* char *: strings that facts lend */
	render_facts facts;
	render_seen seen;
	render_mail *mail;
	GPtrArray *checks; /* render_check * */
	outgoing_bytes bytes;
} draft;

/* Reads, compares, renders, checks.  RENDER_ERROR_REFUSED starts with the check's name.
 */
draft *draft_make(cli *c, const draft_options *options, char **args, GError **error);
void draft_free(draft *d);

/* Puts it into the database; not for dry runs. */
bool draft_store(const draft *d, tracker_stored *stored, GError **error);

/* ---- the steps, each in a file of its own ---- */

/* Reads results and finds the culprit, or what the answered report says of it. */
bool draft_compare(draft *d, GError **error);

/* Opens the database, and looks up the report that is answered. */
bool draft_open(draft *d, GError **error);
void draft_answer_free(draft_answer *answer);

/* What the answered report states, for a mail that comes without results. */
bool draft_claim(draft *d, GError **error);

/* The ids above a stored mail, root first (char *); empty when it is not kept. */
GPtrArray *draft_references_of(const draft *d, const char *message_id, GError **error);

/* Fills facts and what they lend from, but for time and revision. */
bool draft_collect_facts(draft *d, GError **error);

/* Job, reproduce script, kernel configuration, and what was asked for. */
bool draft_attach(draft *d, GError **error);
void draft_free_attachment(gpointer attachment);

/* Looks for an earlier regression to cite, as it was known at facts.created. */
bool draft_see(draft *d, GError **error);

const render_comparison *draft_headline(const draft *d);
render_mail_kind draft_kind(const draft *d);
bool draft_is_forced(const draft *d, const char *check);

/* Keeps a string for as long as the draft lives, and returns it. */
const char *draft_keep(draft *d, char *text);

/* Sets a CLI_ERROR_USAGE; returns false. */
bool draft_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(draft, draft_free)

#endif
