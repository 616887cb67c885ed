/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commits out of `git log`, by the million, and what among them is looked for. */
#ifndef PARSER_LOG_H
#define PARSER_LOG_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What `git log -z --format=` must be told, so that what follows can read it. */
#define PARSER_LOG_FORMAT "%H%n%ct%n%at%n%an <%ae>%n%B"

#define PARSER_LOG_RECORD_MAX (16u << 20) /* of one commit; its middle is cut out */

/* A commit of the log; everything is lent and not terminated, and may be any bytes. */
typedef struct parser_logged {
	const char *id; /* 40 lower-case hex digits, or 64 */
	size_t id_length;
	int64_t committed, authored; /* Unix seconds; 0 if git has none */
	const char *author;          /* "Name <address>" */
	size_t author_length;
	const char *message; /* subject and body */
	size_t length;
	bool cut; /* the message is over the limit */
} parser_logged;

/* Reads one record; false if it is none. */
bool parser_logged_read(const char *record, size_t length, parser_logged *commit);

/*
 * The subject as git shows it: the lines of the first paragraph, joined; UTF-8.  Only
 * message and length of the commit are looked at.  g_free.
 */
char *parser_logged_subject(const parser_logged *commit);

/* Pieces of a log as they come, put together to records. */
typedef struct parser_log {
	GString *rest; /* of a record that is not complete */
	bool cut;
	size_t records, broken; /* so far; broken: what was none */
} parser_log;

/* Called for each commit; false stops. */
typedef bool (*parser_log_fn)(const parser_logged *commit, void *context);

void parser_log_init(parser_log *log);
void parser_log_clear(parser_log *log);

/* The next piece, of any length, and the end.  False when the function stopped. */
bool parser_log_feed(parser_log *log, const char *bytes, size_t length,
		     parser_log_fn fn, void *context);
bool parser_log_end(parser_log *log, parser_log_fn fn, void *context);

/* ---- what is looked for -------------------------------------------------------- */

typedef enum parser_mention {
	PARSER_MENTION_SELF,    /* the commit's own hash */
	PARSER_MENTION_TITLE,   /* its subject */
	PARSER_MENTION_DATE,    /* the very second at which it was written */
	PARSER_MENTION_CLOSES,  /* "Closes:" a Message-ID */
	PARSER_MENTION_LINK,    /* "Link:" or "Message-ID:" one */
	PARSER_MENTION_FIXES,   /* "Fixes:" a commit */
	PARSER_MENTION_REVERTS, /* a commit, by hash or by title */
	PARSER_MENTION_PICKED,  /* it is a copy of that commit: "commit X upstream" */
	PARSER_MENTION_REPORTED_BY, /* a robot; only beside FIXES */
	PARSER_MENTION_UNKNOWN      /* "Closes:" a robot's report that nobody wants */
} parser_mention;

/* "self", "title" ... "unknown". */
const char *parser_mention_name(parser_mention mention);

typedef struct parser_mentioned {
	parser_mention kind;
	char *what; /* the wanted thing, as it was added; of UNKNOWN the Message-ID */
	char *line; /* the line that says so: UTF-8, one line, never empty */
	char *hash; /* of REVERTS by title: of what it says that it reverts; or NULL */
} parser_mentioned;

void parser_mentioned_free(parser_mentioned *mentioned);

typedef struct parser_wanted parser_wanted;

parser_wanted *parser_wanted_new(void);
void parser_wanted_free(parser_wanted *wanted);

/* Seven hex digits at least; false for what is no hash. */
bool parser_wanted_add_commit(parser_wanted *wanted, const char *hash);
void parser_wanted_add_title(parser_wanted *wanted, const char *title);
void parser_wanted_add_message(parser_wanted *wanted, const char *message_id);
void parser_wanted_add_robot(parser_wanted *wanted, const char *address);
void parser_wanted_add_date(parser_wanted *wanted, int64_t authored);

/*
 * Appends what the commit mentions of it (parser_mentioned *).  Most commits mention
 * nothing, which costs one look at each line; linear in the message.
 */
void parser_wanted_find(const parser_wanted *wanted, const parser_logged *commit,
			GPtrArray *mentions);

/*
 * A title so that two of the same patch are equal: tags in front ("[PATCH v2]", "Re:",
 * "UPSTREAM:") taken off, white space made one blank.  g_free.
 */
char *parser_title(const char *text, size_t length);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(parser_log, parser_log_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_wanted, parser_wanted_free)

#endif
