/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From facts to a report mail, and from a mail to RFC 5322 bytes. */
#ifndef RENDER_MAIL_H
#define RENDER_MAIL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parser/parser.h"
#include "render/compare.h"

#define RENDER_REFERENCES_MAX 10      /* ids kept in References */
#define RENDER_RECIPIENTS_MAX 50      /* unless the rules say otherwise */
#define RENDER_MAIL_SIZE_MAX  500000u /* bytes as sent, unless the facts do */

/* The kinds of mail that we send; each has its own Message-ID for the same regression.
 */
typedef enum render_mail_kind {
	RENDER_MAIL_REPORT,
	RENDER_MAIL_FOLLOWUP,
	RENDER_MAIL_RETEST,
	RENDER_MAIL_RETRACT,
	RENDER_MAIL_REMIND,
	RENDER_MAIL_DIGEST
} render_mail_kind;

/* "report", "followup", "retest", "retract", "remind", "digest". */
const char *render_mail_kind_name(render_mail_kind kind);

typedef struct render_attachment {
	char *name; /* file name, no path */
	char *type; /* "text/plain", "application/x-yaml" ... */
	GBytes *bytes;
} render_attachment;

/* Takes a reference to bytes, which may be NULL: render_report() names such a one. */
render_attachment *render_attachment_new(const char *name, const char *type,
					 GBytes *bytes);
void render_attachment_free(render_attachment *attachment);

/* A mail before it is bytes. */
typedef struct render_mail {
	render_mail_kind kind;
	char *regression;      /* 40 digits; NULL for a digest */
	char *message_id;      /* without <> */
	char *in_reply_to;     /* NULL = a new thread */
	GPtrArray *references; /* char *, root first, at most ten */
	parser_address from;
	GPtrArray *to, *cc; /* parser_address * */
	int64_t date;       /* Unix seconds */
	int utc_offset;     /* seconds east of UTC, for the Date header */
	char *subject;
	char *body;             /* UTF-8, LF */
	GPtrArray *attachments; /* render_attachment * */
} render_mail;

/* An empty mail: arrays are there and own their members, strings are NULL. */
render_mail *render_mail_new(void);
void render_mail_free(render_mail *mail);

/*
 * Makes mail->references from a thread's ids (char *, root first; may be NULL) and the
 * id that is answered, and sets in_reply_to.  The root and the last ids are kept.
 */
void render_mail_thread(render_mail *mail, const GPtrArray *references,
			const char *answers);

typedef enum render_transfer {
	RENDER_TRANSFER_8BIT,
	RENDER_TRANSFER_QUOTED_PRINTABLE
} render_transfer;

/*
 * The mail as it goes on the wire: CRLF line ends, every header checked and folded at
 * white space, no Bcc.  8BIT fails with RENDER_ERROR_INPUT when a line of the body
 * passes 998 bytes; quoted-printable always fits.  The bytes are deterministic.
 *
 * RENDER_ERROR_INPUT too for a header value with a control character, an address or
 * Message-ID that is none, a body that is not UTF-8 or holds NUL or CR, and an
 * attachment without bytes or with a name that is a path; the message names the field.
 */
GBytes *render_compose(const render_mail *mail, render_transfer transfer,
		       GError **error);

/* An earlier regression with the same mechanism.  Lent; unknown strings are NULL. */
typedef struct render_seen {
	const char *commit, *subject; /* of its culprit */
	const char *metric;
	parser_kind kind;
	bool has_change;
	double change_percent;
	const char *object;     /* what both have in common: a lock, a function */
	const char *status;     /* "fixed", "investigating" ... */
	const char *words, *by; /* what explained it, and whose words they are */
	const char *message_id; /* of its report */
} render_seen;

/*
 * What a report is made from.  All pointers are lent; what is NULL, 0 or false is not
 * there.  The culprit is comparison->headline.column, its commit that of the column.
 */
typedef struct render_facts {
	const render_comparison *comparison; /* the headline's */
	/* render_comparison *: further tests, in the impact table and a table each. */
	const GPtrArray *also;
	/* render_comparison *: the same test on further machines, a table each. */
	const GPtrArray *machines;
	parser_kind kind; /* UNKNOWN = by the headline's sense */
	render_mail_kind mail_kind;
	const char *style;   /* "robot" (NULL too), "robot-2017", "brief" */
	parser_address from; /* the robot; its name is what "noticed" */
	int64_t created;     /* Unix seconds: Date, and part of the Message-ID */
	int utc_offset;      /* seconds east of UTC, for the Date header */
	unsigned revision;   /* 0 for the first */
	/* "https://lore.example.org/r/%s", %s = our Message-ID; NULL = no link. */
	const char *archive_url;
	/* Where job and config are, %s likewise; NULL = attached or nowhere. */
	const char *materials_url;
	const char *first_report;  /* Message-ID that a follow-up answers; else NULL */
	const char *first_subject; /* its subject; NULL = as a report of these facts */
	const GPtrArray
		*references;    /* char *: thread above first_report or the patch */
	const char *regression; /* 40 digits when known already (follow-ups) */
	const char *note;       /* operator's words: preface, reason to retract */
	const char *signature;  /* lines below "-- "; NULL = the robot's name */
	const char *test_description, *test_url;
	const render_seen *seen; /* an earlier regression like it; NULL = none known */
	/* How to reproduce, in the operator's words, with what is attached or linked.
	 */
	const char *reproduce;
	bool regzbot;     /* add the #regzbot block */
	bool own_subject; /* the robot's subject although a patch is answered */
	bool plots;       /* text plots of the bisect samples */
	size_t max_size;  /* bytes as sent; 0 = RENDER_MAIL_SIZE_MAX */
	const GPtrArray *attachments;   /* render_attachment *; may be NULL */
	const GPtrArray *to, *cc;       /* parser_address *, by render_recipients() */
	const GPtrArray *still_failing; /* parser_pair *: "linus/master" -> commit */
} render_facts;

/* Named template texts: built in, or an operator's.  Lent; NULL if there is none. */
typedef const char *(*render_text_fn)(const char *name, void *context);

/*
 * The mail: Message-ID fixed first, then subject and body from the templates
 * "mail/<style>.mustache" (reports) or "mail/<kind>.mustache" (follow-ups), then cut to
 * max_size: rows are left out from the end of the largest table, never the headline's,
 * with a line that says so, and attachments that do not fit are named.
 *
 * A RETEST shows the proposed fix in the last column of comparison.  For a FOLLOWUP,
 * RETEST or RETRACT first_report is required; a RETRACT also requires note.
 *
 * RENDER_ERROR_INPUT when facts are missing or cannot stand in a mail;
 * RENDER_ERROR_EMPTY without a headline; RENDER_ERROR_TEMPLATE.
 */
render_mail *render_report(const render_facts *facts, render_text_fn text,
			   void *context, GError **error);

/*
 * True if every template of mails compiles and uses only names that exist: what a
 * program should ask at start when an operator has overridden some.
 */
bool render_report_templates_check(render_text_fn text, void *context, GError **error);

/* What a re-test shows about a proposed fix. */
typedef struct render_retest {
	parser_outcome outcome; /* FIXED, PARTIAL, NOT_FIXED or WORSE */
	bool helps;             /* FIXED or PARTIAL: a Tested-by: is due */
	double against_base;    /* percent, of failures points: fix against base ... */
	double against_culprit; /* ... and against the culprit */
} render_retest;

/*
 * Judges the last column of comparison against culprit and base for the headline
 * metric: by 95 % intervals as for the headline, for failures by Fisher's exact test.
 * RENDER_ERROR_INPUT without a third column or without the numbers.
 */
bool render_retest_judge(const render_comparison *comparison, render_retest *result,
			 GError **error);

/*
 * True if that column shows the change of the headline too: the same way against the
 * base, by the 95 % interval; for failures, if it fails more often than the base.
 */
bool render_still_changed(const render_comparison *comparison, size_t column);

/* A check that stops a bad mail. */
typedef struct render_check {
	const char *name; /* "direction", "runs", "interval", "evidence", "subject-row"
			     ... */
	bool passed;
	bool blocks;  /* false: shown to the operator, stops nothing ("severity") */
	char *reason; /* one line with the numbers */
} render_check;

void render_check_free(render_check *check);

/* All checks of a report over its facts and its rendered mail (render_check *). */
GPtrArray *render_checks(const render_facts *facts, const render_mail *mail);

/* Who gets a report. */
typedef struct render_recipient_rules {
	/* parser_address *: named by the operator.  What a rule forbids is an error
	 * here, not left out. */
	const GPtrArray *to, *cc;
	/* parser_address *: who got the mail that is answered, or took part since. */
	const GPtrArray *thread_to, *thread_cc;
	const GPtrArray
		*lists; /* parser_address *: configured for the tree and paths */
	const GPtrArray *cc_cmd;         /* parser_address *: what cc-cmd printed */
	const GPtrArray *own;            /* char *: our own addresses, removed */
	const GPtrArray *stop;           /* char *: never to these */
	const GPtrArray *list_addresses; /* char * globs: public lists */
	const GPtrArray *robots; /* char *: robot addresses, never from trailers */
	bool private_tree;       /* no public list */
	bool lists_kept_out;     /* none but those in to and cc: improvements */
	bool skip_unparsable;    /* leave out what is no address in the commit */
	size_t max;              /* error above; 0 = 50 */
	const char *advice;      /* what helps when nobody is left; NULL: a commit's */
} render_recipient_rules;

/*
 * Author of the culprit to `to`, signers and reviewers and the rest to `cc`; each
 * address once, case-insensitively.  RENDER_ERROR_INPUT names an address that does not
 * parse, or those that are too many.  Lists and robots come from the rules only, never
 * from trailers.  With nobody for `to`, the first of `cc` moves there.  culprit may be
 * NULL.  The arrays get new ones.
 */
bool render_recipients(const parser_commit *culprit,
		       const render_recipient_rules *rules, GPtrArray *to,
		       GPtrArray *cc, GError **error);

/*
 * Reads what git send-email's cc-cmd prints: an address a line, "(comment)" behind it
 * dropped.  Appends parser_address *; RENDER_ERROR_INPUT names a line that is none, or
 * holds more.
 */
bool render_addresses_read(const char *text, GPtrArray *addresses, GError **error);

/*
 * The display name that stands in the first `length` bytes of text, without blanks
 * around it and without the quoting of RFC 5322: "Doe, \"J\"" without its outer quotes.
 * Never NULL; g_free.
 */
char *render_display_name(const char *text, size_t length);

/* True if text is an address that can stand in a header and an envelope. */
bool render_address_is_valid(const char *address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(render_mail, render_mail_free)

#endif
