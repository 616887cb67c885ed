/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: a report that is being made, and the steps of render_report(). */
#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#include "render/render.h"

/* What is worked out from the facts before anything is written. */
typedef struct report {
	const render_facts *facts;
	const parser_commit *culprit; /* of the headline's column; never NULL */
	const char *label;            /* its id, or what heads its column */
	const char *metric;
	parser_kind kind;
	const render_row *row; /* of the metric; NULL if the table lacks it */
	char *regression;      /* 40 digits */
	char *message_id;
	GPtrArray *sections; /* report_section *, the headline's first */
	GPtrArray *left_out; /* char *, names of attachments that do not fit */
} report;

/* One table of the mail. */
typedef struct report_section {
	const render_comparison *comparison;
	char *heading; /* "box: description"; "" for the first */
	GString *table;
	size_t left_out; /* rows that were cut */
} report_section;

/* Checks the facts and fills the report; false with RENDER_ERROR_INPUT or _EMPTY. */
bool report_init(report *d, const render_facts *facts, GError **error);
void report_clear(report *d);

/* Sets RENDER_ERROR_INPUT and returns false. */
bool report_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Everything that templates may name, as JSON.  report_names lists the names. */
json_t *report_context(const report *d, GError **error);
extern const char *const report_names[];

/* What is said of an earlier regression; null without one. */
json_t *report_seen(const report *d);

/* A text as a list of objects with a `line` each; an empty list without. */
json_t *report_lines(const char *text);

/* The impact table over facts->also, "" without. */
char *report_impact(const GPtrArray *also);

/* The text plots of a comparison's bisect samples. */
char *report_plots(const render_comparison *comparison);

/* "btrfs" of "btrfs: fix x", or NULL when the subject names no part of the kernel. */
char *report_subsystem(const char *commit_subject);

/* A headline's or row's change as the table prints it: "-7.1%", "+1.3e+05%". */
char *report_percent(double change);

/* A value on one line: control characters, LF and TAB and broken UTF-8 as U+FFFD. */
char *report_line(const char *value);

/* The word for kind: "regression" ...; "change" when unknown. */
const char *report_kind_word(parser_kind kind);

/* The kind of a comparison's headline, or `given` when that is known. */
parser_kind report_kind(const render_comparison *comparison, parser_kind given);

/* The row of that metric among both sorts of rows, or NULL. */
const render_row *report_row(const render_comparison *comparison, const char *metric);

/* Makes r->sections: headline, further machines, further tests. */
void report_sections_make(report *d);

/* Cuts at least `bytes` from the end of the largest table; false when nothing is left.
 */
bool report_sections_cut(report *d, size_t bytes);

#endif
