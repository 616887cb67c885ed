/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a robot report: its opening sentence, its sections, its impact table. */
#ifndef PARSER_READER_H
#define PARSER_READER_H

#include <glib.h>
#include <stdbool.h>

#include "parser/report.h"
#include "parser/robot_lines.h"

/* How a report opens; that tells its generation together with its sections. */
typedef enum report_style {
	REPORT_STYLE_NONE,
	REPORT_STYLE_PROSE,   /* 2013-15: no set sentence */
	REPORT_STYLE_NOTICED, /* "FYI, we noticed a ... due to commit:" */
	REPORT_STYLE_ROBOT    /* "kernel test robot noticed a ... on:" */
} report_style;

/* An opening sentence. */
typedef struct report_headline {
	report_style style;
	parser_kind kind;
	char *metric; /* NULL if it names none */
	bool has_change;
	double change;     /* as printed */
	bool is_signed;    /* a plus or minus sign is printed */
	bool complete;     /* ends as the robot's do: "on:", "due to commit:" */
	size_t line, next; /* its first line; the one behind its last */
} report_headline;

void report_headline_clear(report_headline *headline);

/* Reads a sentence that begins in line i (it may run on in the lines below). */
bool report_headline_read(const GArray *lines, size_t i, report_headline *headline);

/* What a report's subject line says.  Strings are NULL when it does not. */
typedef struct report_subject {
	char *tree, *branch, *commit, *metric;
	bool has_change;
	double change;
	bool is_signed;
	parser_kind kind;
	bool is_reply;  /* "Re:" or its kin stands before it */
	bool developer; /* came through the list of 2016 for developers' runs */
} report_subject;

void report_subject_clear(report_subject *subject);
void report_subject_read(const char *text, report_subject *subject);

/* "-7.4%" and "regression": a change in percent, and the kind that the word says. */
bool report_change_read(const char *s, size_t len, double *change, bool *is_signed);
parser_kind report_kind_read(const char *s, size_t len);

/* What tells generations apart. */
typedef struct report_traits {
	bool config;     /* has config: or compiler: lines */
	bool bar_tags;   /* "| Reported-by:" */
	bool bar_link;   /* "| Link:" */
	bool old_commit; /* "commit <hex>" without a colon */
	bool test_case;  /* "test case: box/testcase/params" */
} report_traits;

/*
 * Reads the labelled lines below the sentence into the report: only those that stand at
 * the same depth of quoting, up to the first table.
 */
void report_sections_read(const GArray *lines, size_t start, const text_line *like,
			  parser_report *report, report_traits *traits);

/* Line i as part of an impact table; true if it is one. */
bool report_impact_line(const text_line *line, GPtrArray *impacts);

/* Gives the changes of headline and impacts the sign that the metric moved by. */
void report_sign(parser_report *report, const GPtrArray *tables,
		 const parser_lists *lists, bool is_signed);

/* "tree" and "branch" out of "https://.../linux-next.git master". */
void report_tree_of_url(const char *url, parser_report *report);

#endif
