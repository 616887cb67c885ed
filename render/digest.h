/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mails that keep a trail alive: digests and reminders. */
#ifndef RENDER_DIGEST_H
#define RENDER_DIGEST_H

#include "render/mail.h"

#define RENDER_DIGEST_WIDTH    80u  /* cells; only a link may be longer */
#define RENDER_DIGEST_OPEN_MAX 200u /* entries; those behind them are only counted */
#define RENDER_DIGEST_DONE_MAX 100u

/* What somebody's words suggest. */
typedef struct render_digest_quote {
	const char *status, *author, *role, *quote;
} render_digest_quote;

/* A fix that is on its way. */
typedef struct render_digest_fix {
	const char *state, *subject, *commit, *tree, *message_id; /* NULL = unknown */
} render_digest_fix;

/* One regression.  Strings are lent and may hold anything; NULL = unknown. */
typedef struct render_digest_entry {
	const char *id;    /* short */
	const char *title; /* NULL: made from metric, change and kind */
	const char *metric, *testcase, *machine, *tree, *commit, *commit_subject;
	const char *author; /* of the culprit */
	parser_kind kind;
	bool has_change;
	double change_percent;
	const char *report_id, *reporter;
	int64_t reported_at, active_at; /* 0 = unknown, never */
	const char *active_by;
	const char *status, *before; /* before: in the last digest, if it was another */
	const char *owes, *owner;
	unsigned replies, replies_new;
	const char *mark; /* "NEW", "CHANGED", "GONE QUIET"; NULL = nothing is new */
	bool quiet;
	const GPtrArray *quotes;      /* render_digest_quote *; may be NULL */
	const render_digest_fix *fix; /* the nearest to its end; or NULL */
	int64_t closed_at;            /* of a closed one */
	const char *closed_by, *closed_why;
} render_digest_entry;

typedef struct render_digest_facts {
	parser_address from;      /* without one there is a text, but no mail */
	const GPtrArray *to, *cc; /* parser_address *; may be NULL */
	int64_t created;          /* the clock */
	int utc_offset;           /* for the Date header */
	unsigned revision;
	const char *scope;       /* part of the Message-ID */
	const char *title;       /* what it is about: "mm"; NULL = everything */
	const char *archive_url; /* %s = Message-ID; NULL = no links */
	const char *last_id;     /* of the last digest that was sent; NULL: the first */
	int64_t last_at;
	const GPtrArray *references; /* char *: thread up to that one, root first */
	const GPtrArray *trees;      /* char *: which come first, in this order */
	const GPtrArray *open;   /* render_digest_entry *, what needs attention first */
	const GPtrArray *closed; /* render_digest_entry *: since the last one */
	unsigned improvements, improvements_new, backburner;
	unsigned quiet_days; /* after which one is quiet */
} render_digest_facts;

/* The text alone, for a terminal: no line is wider than RENDER_DIGEST_WIDTH but for
 * links, and none has a control character.  g_free. */
char *render_digest_text(const render_digest_facts *facts, render_text_fn text,
			 void *context, GError **error);

/* As a mail in the thread of the last one, by mail/digest.mustache. */
render_mail *render_digest(const render_digest_facts *facts, render_text_fn text,
			   void *context, GError **error);

typedef struct render_remind_facts {
	parser_address from;
	const GPtrArray *to, *cc;
	int64_t created;
	int utc_offset;
	unsigned revision;
	const char *regression; /* 40 digits */
	const render_digest_entry *entry;
	const char *report_subject; /* what is answered; entry->report_id is required */
	const char *archive_url;
	unsigned number, max; /* the how many-th it is, of how many; max 0 = no end */
	int64_t every;        /* seconds until another may come */
} render_remind_facts;

/* An answer to the report, by mail/remind.mustache. */
render_mail *render_remind(const render_remind_facts *facts, render_text_fn text,
			   void *context, GError **error);

/* As render_report_templates_check(), for the templates of these mails. */
bool render_digest_templates_check(render_text_fn text, void *context, GError **error);

#endif
