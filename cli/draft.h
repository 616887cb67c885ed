/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From results to a checked mail, and from there into the outbox. */
#ifndef CLI_DRAFT_H
#define CLI_DRAFT_H

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/results.h"
#include "render/render.h"
#include "tracker/tracker.h"

typedef struct draft_options {
	results_options results; /* first: RESULTS_OPTIONS counts from here */
	gboolean dry_run;
	char *output, *kind, *metric, *culprit, *style, *compat, *date, *note;
	char *followup, *retest, *retract;
	char **also, **force, **attach, **to, **cc;
} draft_options;

/* A mail with all that it was made from; everything is owned. */
typedef struct draft {
	cli *cli; /* lent, like the options */
	const draft_options *options;
	char **args;
	data_files *files;
	parser_lists *lists;
	GPtrArray *sources;       /* parser_comparison * */
	GPtrArray *rendered;      /* render_comparison *: headline first, machines */
	GPtrArray *also;          /* render_comparison * */
	parser_commit *culprit;   /* lent by sources */
	char *regression;         /* 40 digits */
	tracker *tracker;         /* NULL for a dry run without database */
	tracker_detail *answered; /* of --followup and its kin; else NULL */
	parser_address *from;
	GPtrArray *to, *cc;     /* parser_address * */
	GPtrArray *attachments; /* render_attachment * */
	GPtrArray *forced;      /* parser_pair *: check -> reason */
	char *archive_url, *materials_url, *style;
	render_facts facts;
	render_mail *mail;
	GBytes *eight_bit,
		*quoted_printable; /* eight_bit NULL when a line is too long */
} draft;

/* Reads, compares, renders, checks.  RENDER_ERROR_REFUSED starts with the check's name.
 */
draft *draft_make(cli *c, const draft_options *options, char **args, GError **error);
void draft_free(draft *d);

/* Puts it into the database; not for dry runs. */
bool draft_store(const draft *d, tracker_stored *stored, GError **error);

/* ---- the steps, each in a file of its own ---- */

/* Fills facts and what they lend from, but for time and revision. */
bool draft_collect_facts(draft *d, GError **error);

const render_comparison *draft_headline(const draft *d);
void draft_free_attachment(gpointer attachment);

/* Sets a CLI_ERROR_USAGE; returns false. */
bool draft_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(draft, draft_free)

#endif
