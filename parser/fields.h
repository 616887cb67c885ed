/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header block as it stands: where each field that we read begins and ends. */
#ifndef PARSER_FIELDS_H
#define PARSER_FIELDS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum field_kind {
	FIELD_MESSAGE_ID,
	FIELD_IN_REPLY_TO,
	FIELD_REFERENCES,
	FIELD_SUBJECT,
	FIELD_FROM,
	FIELD_SENDER,
	FIELD_REPLY_TO,
	FIELD_ORIGINAL_FROM,
	FIELD_TO,
	FIELD_CC,
	FIELD_DATE,
	FIELD_RECEIVED,
	FIELD_LIST_ID,
	FIELD_MAILING_LIST,
	FIELD_RETURN_PATH,
	FIELD_AUTHENTICATION,
	FIELD_REGRESSION,
	FIELD_CONTENT_TYPE,
	FIELD_CONTENT_ENCODING,
	FIELD_CONTENT_DISPOSITION,
	FIELD_EVIDENCE, /* says what kind of sender this is: see class.c */
	FIELD_KINDS
} field_kind;

/* One occurrence; pointers into the message. */
typedef struct field {
	field_kind kind;
	const char *name;
	size_t name_length;
	const char
		*value; /* after the colon, folds and all, without the last line end */
	size_t length;
} field;

typedef struct head {
	GArray *fields; /* field, in order; fields that nobody reads are left out */
	guint first[FIELD_KINDS]; /* index + 1 of the first of a kind; 0 if none */
	const char *body;         /* after the blank line; the end if there is none */
	size_t body_length;
	bool vouched;          /* an Authentication-Results since the last Received */
	unsigned broken_lines; /* in the block: neither field nor continuation */
} head;

/*
 * Finds the fields of a message.  PARSER_ERROR_TOO_BIG when the block passes
 * PARSER_HEADER_MAX, PARSER_ERROR_NOT_MAIL when it has no field at all.
 */
bool head_read(head *h, const char *bytes, size_t length, GError **error);
void head_clear(head *h);

/* The first field of a kind, or NULL; the next of the same kind, or NULL. */
const field *head_first(const head *h, field_kind kind);
const field *head_next(const head *h, const field *after);

/* Length of the field name that [p, end) begins with (a colon follows), else 0. */
size_t field_name_length(const char *p, const char *end);

/* True if all bytes are visible ASCII: no blank, no control, nothing of eight bits. */
bool field_is_graphic(const char *p, size_t length);

/* True if the value begins so, in any case, behind blanks and folds. */
bool field_begins(const field *f, const char *prefix);

/* True if an encoded word may stand in the value. */
bool field_has_words(const field *f);

/* The field's value unfolded, decoded to UTF-8 (encoded words too) and trimmed. */
char *field_decoded(const field *f);

/* Unfolded, made UTF-8, trimmed: as field_decoded() but for encoded words. */
char *field_raw_text(const field *f);

/* The same of at most `max` bytes, cut behind a comma if there is one. */
char *field_raw_text_cut(const field *f, size_t max, bool *cut);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(head, head_clear)

#endif
