/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/collapsed.h"

#include <string.h>

#define ATTRIBUTION_MAX 300 /* bytes of a line in which "writes:" must stand */
#define GAP_MAX         300 /* bytes of one quoted line; a longer gap ends the quote */
#define VALUE_MAX       160 /* bytes of "name: value" on the last quoted line */

/* ---- replies
 * --------------------------------------------------------------------------- */

/* Offset behind "writes:" if a quote mark follows it, else 0. */
static size_t attribution_end(const char *line, size_t length)
{
	static const char *const verbs[] = { "writes:", "wrote:",
					     "\xe5\x86\x99\xe9\x81\x93:" };
	size_t look = MIN(length, ATTRIBUTION_MAX);

	for (size_t k = 0; k < G_N_ELEMENTS(verbs); k++) {
		size_t n = strlen(verbs[k]);
		const char *verb = memmem(line, look, verbs[k], n);
		const char *p = verb ? verb + n : NULL, *end = line + length;

		if (!verb || p >= end || *p != ' ')
			continue;
		while (p < end && *p == ' ')
			p++;
		if (p < end &&
		    (*p == '>' || (end - p >= 4 && memcmp(p, "&gt;", 4) == 0)))
			return (size_t)(verb + n - line);
	}
	return 0;
}

bool collapsed_reply_start(const char *line, size_t length)
{
	return length && *line != '>' && attribution_end(line, length) > 0;
}

bool collapsed_answers_robot(const char *line, size_t length)
{
	return memmem(line, attribution_end(line, length), "robot", 5) != NULL;
}

/* True if a quote mark stands at p: a '>' between blanks. */
static bool is_mark(const char *start, const char *p, const char *end)
{
	return *p == '>' && (p == start || p[-1] == ' ' || p[-1] == '>') &&
	       (p + 1 == end || p[1] == ' ' || p[1] == '>');
}

/* The last mark of the quote that begins at p: marks stand a line's length apart. */
static const char *last_mark(const char *start, const char *p, const char *end)
{
	const char *last = p;

	for (; p < end && p - last <= GAP_MAX; p++)
		if (is_mark(start, p, end))
			last = p;
	return last;
}

/*
 * Behind the last mark stands the last quoted line, empty mostly, and then the answer.
 * A line "name: value", as reports have, is the only one whose end can be told.
 */
static const char *skip_quoted_line(const char *p, const char *end)
{
	const char *s = p;

	while (s < end && *s == ' ')
		s++;
	const char *name = s;

	while (s < end && s - name < 30 && (g_ascii_islower(*s) || strchr("-_ ", *s)))
		s++;
	if (s == name || s + 1 >= end || *s != ':' || s[1] != ' ')
		return p;
	const char *value = s + 2, *stop = value;

	while (stop < end && *stop != ' ')
		stop++;
	if (memmem(value, (size_t)(stop - value), "://", 3) || g_ascii_isdigit(*value))
		return stop;
	for (s = value; s + 1 < end && s - value < VALUE_MAX; s++)
		if (*s == '.' && s[1] == ' ')
			return s + 1;
	return stop;
}

static void add(GArray *sections, size_t start, size_t end, parser_span_kind kind)
{
	section s = { start, end, kind };

	if (end > start)
		g_array_append_val(sections, s);
}

void collapsed_sections(const char *text, size_t length, GArray *sections)
{
	size_t at = 0;

	while (at < length) {
		const char *nl = memchr(text + at, '\n', length - at);
		size_t end = nl ? (size_t)(nl - text) : length, n = end - at;
		size_t attribution = collapsed_reply_start(text + at, n) ?
					     attribution_end(text + at, n) :
					     0;

		if (attribution) {
			const char *line = text + at, *stop = text + end;
			const char *quote = last_mark(line, line + attribution, stop);

			while (quote < stop && (*quote == '>' || *quote == ' '))
				quote++;
			quote = skip_quoted_line(quote, stop);
			add(sections, at, at + attribution, PARSER_SPAN_ATTRIBUTION);
			add(sections, at + attribution, (size_t)(quote - text),
			    PARSER_SPAN_QUOTE);
			add(sections, (size_t)(quote - text), end, PARSER_SPAN_OWN);
		}
		at = end + 1;
	}
}

/* ---- whole mails
 * ------------------------------------------------------------------------ */

static const char *const names[] = {
	/* clang-format off */
	"Return-Path", "Received", "Date", "From", "To", "Cc", "CC", "Subject", "Message-ID",
	"Message-Id", "In-Reply-To", "References", "MIME-Version", "Mime-Version", "Content-Type",
	"Content-Disposition", "Content-Transfer-Encoding", "User-Agent", "X-Mailer", "Sender",
	"List-ID", "List-Id", "X-Mailing-List", "Content-Length", "Lines", "Precedence", "Reply-To",
	"Delivered-To", "DKIM-Signature", "Content-Language", "Organization", "Status",
	/* clang-format on */
};

/* The header name that stands at p (with its colon), or NULL. */
static const char *name_at(const char *p, const char *end)
{
	if (!g_ascii_isupper(*p))
		return NULL;
	for (size_t k = 0; k < G_N_ELEMENTS(names); k++) {
		size_t n = strlen(names[k]);

		if ((size_t)(end - p) > n && p[n] == ':' && memcmp(p, names[k], n) == 0)
			return names[k];
	}
	return NULL;
}

bool collapsed_is_header(const char *text, size_t length)
{
	const char *nl = memchr(text, '\n', MIN(length, 1u << 16));
	const char *end = nl ? nl : text + MIN(length, 1u << 16);
	bool date = false, from = false, subject = false;

	if (!length || !name_at(text, end))
		return false;
	for (const char *p = text + 1; p < end; p++) {
		const char *name = p[-1] == ' ' ? name_at(p, end) : NULL;

		date = date || (name && strcmp(name, "Date") == 0);
		from = from || (name && strcmp(name, "From") == 0);
		subject = subject || (name && strcmp(name, "Subject") == 0);
	}
	return date + from + subject >= 2;
}

/* Where the last name of the run of header fields stands. */
static const char *last_name(const char *text, size_t length)
{
	const char *end = text + MIN(length, 1u << 16), *last = text;

	for (const char *p = text + 1; p < end && *p != '\n' && p - last < 2000; p++)
		if (p[-1] == ' ' && name_at(p, end))
			last = p;
	return last;
}

char *collapsed_header(const char *text, size_t length)
{
	const char *stop = text + collapsed_body(text, length), *end = text + length;
	GString *out = g_string_new(NULL);

	for (const char *p = text; p < stop; p++) {
		bool starts = p > text && p[-1] == ' ' && name_at(p, end);

		if (starts)
			g_string_append_c(out, '\n');
		g_string_append_c(out, *p == '\n' ? ' ' : *p);
	}
	g_string_append(out, "\n\n");
	return g_string_free(out, FALSE);
}

size_t collapsed_body(const char *text, size_t length)
{
	const char *p = last_name(text, length), *end = text + length;

	while (p < end && *p != ' ')
		p++;
	while (p < end && *p == ' ')
		p++;
	while (p < end && *p != ' ' && *p != '\n') /* the first word of its value */
		p++;
	while (p < end && *p == ' ')
		p++;
	return (size_t)(p - text);
}
