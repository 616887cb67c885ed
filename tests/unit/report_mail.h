/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mails for the tests of reports: a few header lines, and everything that reads them.
 */
#ifndef TESTS_UNIT_REPORT_MAIL_H
#define TESTS_UNIT_REPORT_MAIL_H

#include <glib.h>

#include "parser/parser.h"

/* What the report room says of one mail. */
typedef struct seen {
	parser_mail *mail;
	GPtrArray *tables;
	unsigned plots;
	parser_report *report, *quoted;
	GPtrArray *trailers;
} seen;

/* Reads a mail; headers end in a newline each, "" for none of interest. */
seen see(const char *headers, const char *body);

/* Reads a mail that was parsed, which must not be NULL; takes it. */
seen seen_of(parser_mail *mail);

/* Reads the mail with the robot's name as sender. */
seen see_robot(const char *subject, const char *body);

/* Reads a file of tests/data/report as the body of a mail from the robot. */
seen see_file(const char *name);

void seen_clear(seen *s);

/* Row i of table t. */
const parser_row *seen_row(const seen *s, guint t, guint i);

/* True numbers are equal but for rounding of their last bits. */
void assert_near(double value, double want, double slack);

#endif
