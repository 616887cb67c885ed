/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reply says: verdicts, mechanisms, commands - with the words that prove it. */
#ifndef PARSER_READING_H
#define PARSER_READING_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "parser/lists.h"
#include "parser/mail.h"
#include "parser/notice.h"
#include "parser/patch.h"
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

/* What carrying out a command does to a regression. */
typedef enum parser_act {
	PARSER_ACT_STATUS, /* sets parser_verb.status; the arguments are the reason */
	PARSER_ACT_FIX,    /* names a fix by hash or title: fix-queued */
	PARSER_ACT_UNFIX,
	PARSER_ACT_DUPLICATE, /* of the regression or message that the arguments name */
	PARSER_ACT_UNDUPLICATE,
	PARSER_ACT_REOPEN,
	PARSER_ACT_UNDO, /* takes back the newest command or confirmation */
	PARSER_ACT_TITLE,
	PARSER_ACT_UNTITLE,
	PARSER_ACT_LINK, /* "URL [title]" */
	PARSER_ACT_UNLINK,
	PARSER_ACT_NOTE,
	PARSER_ACT_POKE,       /* this mail does not count as an answer */
	PARSER_ACT_BACKBURNER, /* hidden from `list` until there is activity */
	PARSER_ACT_UNBACKBURNER,
	PARSER_ACT_PRIORITY, /* low, normal, high */
	PARSER_ACT_OWNER,
	PARSER_ACT_UNOWNER,
	PARSER_ACT_REMINDERS_OFF,
	PARSER_ACT_REMINDERS_ON,
	PARSER_ACT_STOP,       /* no reminder to the author of the mail, ever */
	PARSER_ACT_RETEST,     /* the robot is asked for a test: needs-info */
	PARSER_ACT_INTRODUCED, /* names the culprit; opens nothing */
	PARSER_ACT_REPORTER    /* names who found it */
} parser_act;

typedef enum parser_arguments {
	PARSER_ARGUMENTS_NONE, /* what follows anyway is kept as a remark */
	PARSER_ARGUMENTS_OPTIONAL,
	PARSER_ARGUMENTS_REQUIRED
} parser_arguments;

/*
 * A verb of the command language.  The same table makes the reference in docs/, the
 * program's help and what the tracker does, so that they cannot differ.
 */
typedef struct parser_verb {
	const char *name;    /* "expected" */
	const char *aliases; /* "tradeoff trade-off", separated by blanks; "" if none */
	const char *usage;   /* of the arguments: "[REASON]"; "" if none */
	parser_arguments arguments;
	parser_act act;
	const char
		*status; /* that PARSER_ACT_STATUS sets (and FIX, DUPLICATE); or NULL */
	const char *undo;   /* the verb that takes it back; NULL if nothing need be */
	const char *effect; /* one line for people, lower case, no full stop */
	bool regtrail;      /* belongs to #regtrail */
	bool regzbot;       /* belongs to #regzbot, where it only ever suggests */
} parser_verb;

extern const parser_verb parser_verbs[]; /* the last entry has a NULL name */

/* The verb of that name or alias for "#regtrail" or "#regzbot", or NULL. */
const parser_verb *parser_verb_find(const char *prefix, const char *word);

typedef struct parser_command {
	char *prefix;    /* "#regtrail", "#regzbot" */
	char *verb;      /* lower case, as written: "dup-of"; "" if none followed */
	char *arguments; /* wrapped lines joined by one blank; "" if none */
	unsigned line;   /* 1-based, in the text; 0 when it stood in the Subject */
	size_t offset;   /* of the prefix in mail->text; 0 when in the Subject */
	const parser_verb *known; /* the table's row; NULL for an unknown verb */
	char *problem; /* why it cannot be carried out, for the operator; NULL if it can
			*/
} parser_command;

/* Whether the character shows nothing where it stands: such disguise words. */
bool parser_is_invisible(gunichar c);

void parser_verdict_free(parser_verdict *verdict);
void parser_mechanism_free(parser_mechanism *mechanism);
void parser_command_free(parser_command *command);

/*
 * Compiled rule files (templates/rules/).  The kind of a file is its name without
 * directory and suffix: "verdicts" (phrases that decide), "weights" (what each feature
 * says for each verdict), "mechanisms" (kinds and the names that point to them).
 */
typedef struct parser_rules parser_rules;

parser_rules *parser_rules_new(void);
void parser_rules_free(parser_rules *rules);

/*
 * Adds the rule file `name` ("rules/verdicts.rules", "verdicts") from its text; a file
 * of the same kind is replaced.  PARSER_ERROR_SYNTAX names file and line,
 * PARSER_ERROR_INVALID a file of unknown kind.
 */
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
	GPtrArray *commits;    /* parser_pair *: hashes in prose -> subjects */
	GPtrArray *links;      /* char *, Message-IDs */
	GPtrArray *patches;    /* parser_patch *: offered in this mail */
	GPtrArray *notices;    /* parser_notice *: what a bot tells of commits */
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
GPtrArray *parser_commands_read(const parser_mail *mail); /* parser_command * */

/* ---- a mechanism and the figures ------------------------------------------------ */

typedef enum parser_support_reason {
	PARSER_SUPPORT_NONE,
	PARSER_SUPPORT_OBJECT, /* the metric names the mechanism's object */
	PARSER_SUPPORT_KIND    /* the metric is one that shows its kind */
} parser_support_reason;

/* A row that bears out a mechanism, and how far it moved. */
typedef struct parser_support {
	const char *metric; /* lent by the table */
	parser_support_reason reason;
	double change; /* of the second column against the first */
	parser_unit unit;
} parser_support;

/*
 * The rows of tables (parser_table *), looked up once for all mechanisms that they may
 * bear out.  The tables must outlive it; lists may be NULL.
 */
typedef struct parser_figures parser_figures;
parser_figures *parser_figures_new(const GPtrArray *tables, const parser_lists *lists);
void parser_figures_free(parser_figures *figures);

/*
 * The rows that bear out a mechanism (parser_support).  First those whose metric holds
 * the object's name (a function in perf-profile or latency_stats, a lock in lock_stat),
 * then those of which the list "mechanism" says that they show the kind; each by how
 * far it moved.
 */
GArray *parser_mechanism_support(const parser_mechanism *mechanism,
				 const parser_figures *figures);

/* ---- a thread ------------------------------------------------------------------- */

/* A deciding verdict of a thread: which one, and whether its author took it back. */
typedef struct parser_stance {
	guint reading;     /* index of the mail */
	guint verdict;     /* index in its verdicts */
	int superseded_by; /* index of the same person's later mail, or -1: it stands */
} parser_stance;

/*
 * The deciding verdicts (parser_stance) of a thread whose mails come in order of time
 * (parser_reading *).  A later mail of the same person, by address or by name, takes
 * back what it contradicts or says anew; questions and explanations take nothing back.
 */
GArray *parser_stances(const GPtrArray *readings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_rules, parser_rules_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_reading, parser_reading_free)

#endif
