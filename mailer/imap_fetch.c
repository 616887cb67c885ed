/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers to FETCH: "12 FETCH (UID 7 FLAGS (\Seen) BODY[] {4}", four bytes, ")".  What
 * was not asked for is stepped over, whatever it is; nothing here recurses.
 */
#include <string.h>

#include "mailer/imap.h"
#include "mailer/imap_text.h"
#include "mailer/mailer.h"
#include "mailer/text.h"

#define SLOWEST 16384 /* bytes a second that a mail is waited for */

/* Where in the answer we are: a line, and more lines behind each literal. */
typedef struct reader {
	imap *s;
	char *p;
} reader;

static bool garbage(GError **error, const char *what)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT, "FETCH: %s", what);
	return false;
}

void imap_mail_clear(imap_mail *mail)
{
	g_clear_pointer(&mail->bytes, g_byte_array_unref);
}

static void skip_spaces(reader *r)
{
	r->p += strspn(r->p, " ");
}

/* The mail, or another literal to be stepped over (`mail` NULL). */
static bool read_literal(reader *r, imap_mail *mail, GError **error)
{
	uint64_t size;

	if (!imap_literal_at_end(r->p, &size) || strrchr(r->p, '{') != r->p)
		return garbage(error, "a brace that begins no literal");
	if (size > MAILER_MAIL_MAX) {
		if (mail)
			mail->too_large = size;
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "a literal of more than %u bytes", MAILER_MAIL_MAX);
		return false;
	}
	lines_allow(r->s->lines, r->s->timeout + (unsigned)(size / SLOWEST));
	if (mail && !mail->bytes)
		mail->bytes = g_byte_array_new();
	if (!lines_take(r->s->lines, size, mail ? mail->bytes : NULL, error))
		return false;
	r->p = lines_next(r->s->lines, IMAP_LINE_MAX, NULL, error);
	return r->p != NULL;
}

static bool read_quoted(reader *r, GByteArray *into, GError **error)
{
	for (r->p++; *r->p && *r->p != '"'; r->p++) {
		if (*r->p == '\\' && r->p[1])
			r->p++;
		if (into)
			g_byte_array_append(into, (const guint8 *)r->p, 1);
	}
	if (!*r->p)
		return garbage(error, "a quote without end");
	r->p++;
	return true;
}

/* An atom: up to what may end it. */
static void skip_atom(reader *r)
{
	r->p += strcspn(r->p, " ()\"{");
}

/* Steps over any value, lists in lists too. */
static bool skip_value(reader *r, GError **error)
{
	unsigned depth = 0;

	do {
		const char *before = r->p;

		if (depth)
			skip_spaces(r);
		if (*r->p == '(' || (*r->p == ')' && depth)) {
			depth += *r->p == '(' ? 1 : -1u;
			r->p++;
		} else if (*r->p == '"') {
			if (!read_quoted(r, NULL, error))
				return false;
		} else if (*r->p == '{') {
			if (!read_literal(r, NULL, error))
				return false;
			before = NULL; /* another line */
		} else {
			skip_atom(r);
		}
		if (r->p == before)
			return garbage(error, "a list without end");
	} while (depth);
	return true;
}

static bool read_body(reader *r, imap_mail *mail, GError **error)
{
	if (*r->p == '{')
		return read_literal(r, mail, error);
	if (*r->p != '"')
		return skip_value(r, error); /* NIL: there is no text */
	if (!mail->bytes)
		mail->bytes = g_byte_array_new();
	return read_quoted(r, mail->bytes, error);
}

/* A name such as "BODY[HEADER.FIELDS (DATE)]<0>": brackets may hold blanks. */
static size_t name_length(const char *p)
{
	size_t n = strcspn(p, " ()[\"{");

	if (p[n] != '[')
		return n;

	const char *close = strchr(p + n, ']');

	return close ? (size_t)(close - p) + 1 + strcspn(close + 1, " ()\"{") : n;
}

static bool read_item(reader *r, imap_mail *mail, GError **error)
{
	size_t n = name_length(r->p);
	const char *name = r->p;
	uint64_t number;

	if (!n)
		return garbage(error, "an item without a name");
	r->p += n;
	skip_spaces(r);
	if (n == 3 && imap_starts(name, "UID") && text_number(r->p, &number)) {
		mail->uid = number <= G_MAXUINT32 ? (uint32_t)number : 0;
		skip_atom(r);
		return true;
	}
	if (n == 6 && imap_starts(name, "BODY[]"))
		return read_body(r, mail, error);
	return skip_value(r, error);
}

bool imap_read_fetch(imap *s, char *line, imap_mail *mail, bool *is_fetch,
		     GError **error)
{
	reader r = { .s = s };
	uint64_t number;
	const char *rest = text_number(line, &number);

	*is_fetch = rest && imap_starts(rest, " FETCH (");
	if (!*is_fetch)
		return imap_skip(s, line, error);
	r.p = line + (rest - line) + strlen(" FETCH (");
	for (;;) {
		skip_spaces(&r);
		if (*r.p == ')')
			return true;
		if (!*r.p)
			return garbage(error, "an answer without end");
		if (!read_item(&r, mail, error))
			return false;
	}
}
