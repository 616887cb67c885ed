/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reply says: verdicts, mechanisms, commands - with the words that prove it. */
#ifndef PARSER_READING_H
#define PARSER_READING_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "parser/lists.h"
#include "parser/mail.h"
#include "parser/report.h"

#define PARSER_VERDICTS_MAX 3 /* per mail, primary first */

typedef enum parser_verdict_kind {
	PARSER_VERDICT_NONE,
	PARSER_VERDICT_ACK,
	PARSER_VERDICT_ANALYSIS,
	PARSER_VERDICT_QUESTION,
	PARSER_VERDICT_EXPECTED,
	PARSER_VERDICT_IGNORED,
	PARSER_VERDICT_INVALID,
	PARSER_VERDICT_NOT_REPRODUCIBLE,
	PARSER_VERDICT_PATCH,
	PARSER_VERDICT_FIXED,
	PARSER_VERDICT_DROPPED,
	PARSER_VERDICT_DUPLICATE,
	PARSER_VERDICT_DISPUTED,
	PARSER_VERDICT_TEST_RESULT,
	PARSER_VERDICT_INFO,
	PARSER_VERDICT_THANKS,
	PARSER_VERDICT_KINDS
} parser_verdict_kind;

/* "ack" ... "not-reproducible" ... "none"; the inverse gives KINDS for an unknown word.
 */
const char *parser_verdict_name(parser_verdict_kind kind);
parser_verdict_kind parser_verdict_from_name(const char *name);

/* Of a test result. */
typedef enum parser_outcome {
	PARSER_OUTCOME_NONE,
	PARSER_OUTCOME_FIXED,
	PARSER_OUTCOME_PARTIAL,
	PARSER_OUTCOME_NOT_FIXED,
	PARSER_OUTCOME_WORSE
} parser_outcome;

/* "fixed", "partial", "not-fixed", "worse"; NULL for none. */
const char *parser_outcome_name(parser_outcome outcome);

typedef struct parser_verdict {
	parser_verdict_kind kind;
	double confidence;      /* 0 to 1 */
	parser_outcome outcome; /* NONE unless a test result */
	char *evidence;         /* exact words of the author's own text; never empty */
	size_t offset;          /* of the evidence in mail->text */
	char *rule;             /* which rule fired */
} parser_verdict;

typedef struct parser_mechanism {
	char *kind;     /* "lock-contention" ... */
	char *object;   /* "tasklist_lock"; NULL if none is named */
	char *evidence; /* exact words */
	size_t offset;
} parser_mechanism;

typedef struct parser_command {
	char *prefix;    /* "#regtrail", "#regzbot" */
	char *verb;      /* lower case, as written: "dup-of" */
	char *arguments; /* wrapped lines joined by one blank; "" if none */
	unsigned line;   /* 1-based, in the text; 0 when it stood in the Subject */
} parser_command;

void parser_verdict_free(parser_verdict *verdict);
void parser_mechanism_free(parser_mechanism *mechanism);
void parser_command_free(parser_command *command);

/* Compiled rule files (templates/rules/): verdicts, mechanisms, bots. */
typedef struct parser_rules parser_rules;

parser_rules *parser_rules_new(void);
void parser_rules_free(parser_rules *rules);

/* Adds the rule file `name` from its text.  PARSER_ERROR_SYNTAX names file and line. */
bool parser_rules_add(parser_rules *rules, const char *name, const char *text,
		      size_t len, GError **error);

/* Everything that the parser knows of one mail. */
typedef struct parser_reading {
	parser_mail *mail;            /* never NULL */
	parser_report *report;        /* this mail is a robot report; or NULL */
	parser_report *quoted_report; /* one stands in its quotes; or NULL */
	GPtrArray *tables;            /* parser_table * */
	unsigned plots;
	GPtrArray *verdicts;   /* parser_verdict *, primary first, at most three */
	GPtrArray *mechanisms; /* parser_mechanism * */
	GPtrArray *commands;   /* parser_command * */
	GPtrArray *trailers;   /* parser_pair * */
	GPtrArray *links;      /* char *, Message-IDs */
	GPtrArray *warnings;   /* char *, those of mail and more */
} parser_reading;

/*
 * Reads one message to the end: parser_mail_parse() and all that follows.  rules and
 * lists must be complete.  Errors are those of parser_mail_parse().
 */
parser_reading *parser_read(const char *bytes, size_t length, parser_form form,
			    unsigned index, const parser_rules *rules,
			    const parser_lists *lists, GError **error);
void parser_reading_free(parser_reading *reading);

/*
 * The steps behind parser_read(), for use alone: verdicts and mechanisms of a reading
 * whose mail, reports, tables and trailers are filled in; commands of a mail.
 */
void parser_verdicts_read(parser_reading *reading, const parser_rules *rules);
void parser_mechanisms_read(parser_reading *reading, const parser_rules *rules);
GPtrArray *parser_commands_read(const parser_mail *mail);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_rules, parser_rules_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_reading, parser_reading_free)

#endif
