/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Containers, messages, and whose words are whose. */
#ifndef PARSER_MAIL_H
#define PARSER_MAIL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Limits at the door.  Over them: PARSER_ERROR_TOO_BIG, or cut with a warning. */
#define PARSER_MAIL_MAX         (64u << 20)  /* one message; refused above */
#define PARSER_HEADER_MAX       (1u << 20)   /* its header block; refused above */
#define PARSER_GMIME_HEADER_MAX (256u << 10) /* of which GMime sees this much; cut */
#define PARSER_ADDRESS_HEADER_MAX                                                      \
	(32u << 10) /* one address header; cut (GMime recurses) */
#define PARSER_MIME_DEPTH_MAX 50u
#define PARSER_PARTS_MAX      1000u
#define PARSER_REFERENCES_MAX 1000u

/* ---- containers ------------------------------------------------------------- */

typedef enum parser_form {
	PARSER_FORM_MAIL,   /* an RFC 5322 message */
	PARSER_FORM_MBOX,   /* the same out of an mbox: ">From " is undone on parsing */
	PARSER_FORM_ARCHIVE /* text of an archive's web page, perhaps several messages
			     */
} parser_form;

/* One message inside a larger piece of bytes. */
typedef struct parser_slice {
	size_t offset; /* of the message's first header (after a "From " line) */
	size_t length; /* in bytes */
	parser_form form;
	unsigned index; /* which message of an archive text this is; 0 else */
} parser_slice;

typedef struct parser_splitter {
	const char *bytes; /* lent; must outlive the splitter */
	size_t length;
	size_t position;
	parser_form form;
	unsigned index;
	unsigned variant; /* which mbox dialect was seen */
} parser_splitter;

/*
 * Looks at the bytes and prepares to hand out its messages one by one: an mbox
 * (mboxo, mboxrd, mboxcl2), a single message, or an archive's page text.
 * Never fails: what is none of these is one message of form MAIL.
 */
void parser_splitter_init(parser_splitter *s, const char *bytes, size_t length);

/* Writes the next message's place to *slice, or returns false at the end. */
bool parser_splitter_next(parser_splitter *s, parser_slice *slice);

/* ---- messages ----------------------------------------------------------------- */

typedef struct parser_address {
	char *name;    /* display name, decoded; NULL if none */
	char *address; /* as written; NULL if the field had a name only */
} parser_address;

/* A copy on the heap; either may be NULL. */
parser_address *parser_address_new(const char *name, const char *address);
void parser_address_free(parser_address *address);

typedef enum parser_class {
	PARSER_CLASS_HUMAN,
	PARSER_CLASS_ROBOT, /* a robot's report, re-test or notice about performance */
	PARSER_CLASS_BOT,   /* tip-bot, patchwork-bot, syzbot, regzbot ... */
	PARSER_CLASS_AUTO,  /* vacation, challenge, ticket receipts */
	PARSER_CLASS_BOUNCE /* delivery status */
} parser_class;

/* "human", "robot", "bot", "auto", "bounce". */
const char *parser_class_name(parser_class class);

typedef enum parser_span_kind {
	PARSER_SPAN_OWN,         /* the author's own words */
	PARSER_SPAN_QUOTE,       /* quoted text, depth >= 1 */
	PARSER_SPAN_ATTRIBUTION, /* "On ... wrote:", Outlook header blocks */
	PARSER_SPAN_SIGNATURE,
	PARSER_SPAN_FOOTER,    /* appended by a list or gateway */
	PARSER_SPAN_FORWARDED, /* a forwarded message and its header lines */
	PARSER_SPAN_PATCH,     /* a diff with its headers, what follows scissors */
	PARSER_SPAN_TEMPLATE,  /* lines that a robot offers for copying ("| Closes:") */
	PARSER_SPAN_REPORT, /* somebody else's robot report, pasted without quote marks;
			       a robot's own report is its OWN text */
	PARSER_SPAN_TABLE   /* rows of a comparison table in own text */
} parser_span_kind;

/*
 * A run of lines of parser_mail.text; spans are in order, disjoint, and cover it.  In
 * text of an archive that ran lines together a span begins and ends within a line.
 */
typedef struct parser_span {
	parser_span_kind kind;
	unsigned depth; /* of quoting; 0 for own text */
	size_t start;   /* byte offset of its first byte */
	size_t end;     /* one past its last byte */
} parser_span;

typedef struct parser_attachment {
	char *name; /* as the mail says, decoded; a label, never a path; may be NULL */
	char *type; /* "text/plain", lower case */
	GBytes *bytes; /* transfer encoding undone; charset not */
} parser_attachment;

typedef struct parser_mail {
	char *message_id;       /* without <>; NULL if the mail has none */
	GPtrArray *in_reply_to; /* char *, ids without <>, in order, deduplicated */
	GPtrArray *references;  /* char *, root first, deduplicated */
	parser_address from; /* the person: list rewriting undone; fields may be NULL */
	parser_address sender_as_written; /* From: as it stands */
	GPtrArray *to, *cc;               /* parser_address * */
	int64_t date;     /* Date: in Unix seconds; clamped to Received; 0 if unknown */
	int64_t received; /* of the topmost Received: line; 0 if none */
	char *subject;    /* decoded and unfolded; "" if none */
	parser_class class;
	GPtrArray *lists; /* char *, List-Id values without <> and without phrase */
	/*
	 * char *, Authentication-Results values from the top, as written; "" where a
	 * Received: stands between them.  None when there are several From: lines.
	 */
	GPtrArray *authentication;
	char *regression; /* X-Regtrail-Regression or "Regression-ID:" line; or NULL */
	bool auto_submitted; /* Auto-Submitted: auto-replied or its kin */
	bool html_only;      /* text below was made from HTML */
	bool flowed, delsp;  /* format=flowed (and DelSp=yes) of the text */
	int archive_parent;  /* in an ARCHIVE text: the index of the message there that
				this one answers; -1 if none */
	char *charset; /* what the text was decoded from; "utf-8", "windows-1252" ... */
	char *text;    /* the readable body, LF line ends; "" if none.  As decoded,
			  before unflowing: offsets everywhere count its bytes */
	size_t text_length;     /* strlen(text) */
	GArray *spans;          /* parser_span, cover text */
	GPtrArray *attachments; /* parser_attachment * */
	GPtrArray *warnings;    /* char *, what was odd about this mail, for people */
} parser_mail;

/*
 * Parses one message.  index counts messages of an ARCHIVE text as the splitter did.
 * Errors: PARSER_ERROR_TOO_BIG over the limits above; PARSER_ERROR_NOT_MAIL for bytes
 * without any header (empty input, binary); nothing else fails: odd mail gets warnings.
 */
parser_mail *parser_mail_parse(const char *bytes, size_t length, parser_form form,
			       unsigned index, GError **error);
void parser_mail_free(parser_mail *mail);

/* The kind of the span that holds byte `offset` of mail->text. */
parser_span_kind parser_mail_kind_at(const parser_mail *mail, size_t offset);

/* ---- what came back ----------------------------------------------------------------
 */

/* What a delivery report says of one recipient. */
typedef struct parser_bounced {
	char *final;    /* the address where it ended; never NULL */
	char *original; /* the address that was written to, if the report knows; or NULL
			 */
	bool failed;    /* for good; else it is only late, relayed, delivered */
	char *detail;   /* "5.1.1 550 no such user": status and diagnosis, one line */
} parser_bounced;

typedef struct parser_bounce {
	char *message_id;      /* of the mail that it is about */
	GPtrArray *recipients; /* parser_bounced *, at most PARSER_PARTS_MAX */
} parser_bounce;

/*
 * Reads the message/delivery-status or message/global-delivery-status part of a mail,
 * and in its bytes the Message-ID of what is sent back with it.  NULL if either is
 * missing.
 */
parser_bounce *parser_bounce_read(const parser_mail *mail, const char *bytes,
				  size_t length);
void parser_bounce_free(parser_bounce *bounce);

/* ---- the fast scan -------------------------------------------------------------- */

/* What bulk ingest needs of a message; it owns its strings. */
typedef struct parser_scan {
	char *message_id;       /* as parser_mail's; NULL if none */
	GPtrArray *in_reply_to; /* char * */
	GPtrArray *references;  /* char * */
	char *subject;
	parser_address from;
	int64_t date, received; /* as parser_mail's */
	GPtrArray *lists;
	GPtrArray *links; /* char *: ids that the body names; NULL if there are none */
	bool candidate; /* can concern a robot report: headers and a look at the body */
	bool bounce;    /* a delivery report, by its type */
} parser_scan;

/*
 * The same facts as parser_mail_parse() gives, from a linear look at the bytes of a
 * message of form MAIL or MBOX.  Errors as there.  Of a mail that is a candidate the
 * links are not complete; of all others none that parser_links_read() finds is missing.
 */
bool parser_scan_message(const char *bytes, size_t length, parser_scan *scan,
			 GError **error);
void parser_scan_clear(parser_scan *scan);

/* True if two messages of one form have the same body, byte for byte, and the same
 * fields that tell how to read it: then their texts are the same. */
bool parser_same_text(const char *a, size_t a_length, const char *b, size_t b_length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_mail, parser_mail_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_bounce, parser_bounce_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(parser_scan, parser_scan_clear)

#endif
