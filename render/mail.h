/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From facts to a report mail, and from a mail to RFC 5322 bytes. */
#ifndef RENDER_MAIL_H
#define RENDER_MAIL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parser/parser.h"
#include "render/compare.h"

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

const char *render_mail_kind_name(render_mail_kind kind);

typedef struct render_attachment {
	char *name; /* file name, no path */
	char *type; /* "text/plain", "application/x-yaml" ... */
	GBytes *bytes;
} render_attachment;

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

render_mail *render_mail_new(void);
void render_mail_free(render_mail *mail);

typedef enum render_transfer {
	RENDER_TRANSFER_8BIT,
	RENDER_TRANSFER_QUOTED_PRINTABLE
} render_transfer;

/*
 * The mail as it goes on the wire: CRLF line ends, every header checked and folded at
 * white space, no Bcc.  8BIT fails with RENDER_ERROR_INPUT when a line of the body
 * passes 998 bytes; quoted-printable always fits.  The bytes are deterministic.
 */
GBytes *render_compose(const render_mail *mail, render_transfer transfer,
		       GError **error);

/* What a report is made from.  All pointers are lent. */
typedef struct render_facts {
	const render_comparison *comparison; /* the headline's */
	const GPtrArray
		*also; /* render_comparison *, for the impact table; may be NULL */
	const GPtrArray
		*machines; /* render_comparison *, further machines; may be NULL */
	parser_kind kind;  /* UNKNOWN = by the headline's sense */
	render_mail_kind mail_kind;
	const char *style;         /* "robot", "robot-2017", "brief" */
	parser_address from;       /* the robot */
	int64_t created;           /* Unix seconds: Date, and part of the Message-ID */
	unsigned revision;         /* 0 for the first */
	const char *archive_url;   /* "https://lore.example.org/r/%s"; NULL = no link */
	const char *materials_url; /* where job and config are; NULL = attached or
				      nowhere */
	const char *first_report;  /* Message-ID that a follow-up answers; else NULL */
	const GPtrArray
		*references; /* char *: thread above first_report or the patch */
	const char
		*regression; /* 40 digits when known already (follow-ups); else NULL */
	const char *note;    /* operator's own words: preface, reason of a retraction */
	bool regzbot;        /* add the #regzbot block */
	bool own_subject;    /* the robot's subject although a patch is answered */
	const GPtrArray *attachments; /* render_attachment *; may be NULL */
	const GPtrArray *to, *cc; /* parser_address *, chosen by render_recipients() */
	const GPtrArray *still_failing; /* parser_pair *: "linus/master" -> commit */
} render_facts;

/* Named template texts: built in, or an operator's. */
typedef const char *(*render_text_fn)(const char *name, void *context);

/* RENDER_ERROR_INPUT when facts are missing; RENDER_ERROR_TEMPLATE. */
render_mail *render_report(const render_facts *facts, render_text_fn text,
			   void *context, GError **error);

/* A check that stops a bad mail. */
typedef struct render_check {
	const char *name; /* "direction", "runs", "interval", "evidence", "subject-row"
			     ... */
	bool passed;
	char *reason; /* one line with the numbers */
} render_check;

void render_check_free(render_check *check);

/* All checks of a report over its facts and its rendered mail (render_check *). */
GPtrArray *render_checks(const render_facts *facts, const render_mail *mail);

/* Who gets a report. */
typedef struct render_recipient_rules {
	const GPtrArray
		*lists; /* parser_address *: configured for the tree and paths */
	const GPtrArray *cc_cmd;         /* parser_address *: what cc-cmd printed */
	const GPtrArray *own;            /* char *: our own addresses, removed */
	const GPtrArray *stop;           /* char *: never to these */
	const GPtrArray *list_addresses; /* char * globs: public lists */
	const GPtrArray *robots; /* char *: robot addresses, never from trailers */
	bool private_tree;       /* no public list */
	size_t max;              /* error above; 0 = 50 */
} render_recipient_rules;

/*
 * Author of the culprit to `to`, signers and reviewers and the rest to `cc`; each
 * address once, case-insensitively.  RENDER_ERROR_INPUT names an address that does not
 * parse, or those that are too many.
 */
bool render_recipients(const parser_commit *culprit,
		       const render_recipient_rules *rules, GPtrArray *to,
		       GPtrArray *cc, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(render_mail, render_mail_free)

#endif
