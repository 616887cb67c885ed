/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GMime's mbox reader splits at any body line that begins with "From ", believes a
 * wrong Content-Length and never undoes ">From "; so mailboxes are cut here.
 */
#include <string.h>

#include "parser/archive.h"
#include "parser/fields.h"
#include "parser/mail.h"

enum {
	VARIANT_PLAIN,
	VARIANT_LENGTHS
};

#define FROM_LINE_MAX 512 /* bytes of a separator that are looked at */

static const char *line_end(const char *p, const char *end)
{
	const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;

	return nl ? nl : end;
}

/* "From <40 hex> Mon Sep 17 00:00:00 2001": git's own separator, not a mailbox's. */
static bool is_git_separator(const char *p, const char *stop)
{
	static const char date[] = " Mon Sep 17 00:00:00 2001";

	if (stop - p < (ptrdiff_t)(45 + sizeof(date) - 1))
		return false;
	for (int i = 5; i < 45; i++)
		if (!g_ascii_isxdigit(p[i]))
			return false;
	return memcmp(p + 45, date, sizeof(date) - 1) == 0;
}

/* A clock time and a year of four digits: the tail of every separator ever written. */
static bool has_time_and_year(const char *p, const char *stop)
{
	bool time = false, year = false;

	for (const char *s = p; s < stop; s++) {
		if (!g_ascii_isdigit(*s) || g_ascii_isdigit(s[-1]))
			continue;
		const char *q = s;

		while (q < stop && g_ascii_isdigit(*q))
			q++;
		if (q - s <= 2 && q + 1 < stop && *q == ':' && g_ascii_isdigit(q[1]))
			time = true;
		if (q - s == 4 && (*s == '1' || *s == '2'))
			year = true;
		s = q - 1;
	}
	return time && year;
}

/* True if a message's separator line stands at p (and its header below it). */
static bool is_separator(const char *p, const char *end, bool git)
{
	if (end - p < 6 || memcmp(p, "From ", 5) != 0)
		return false;
	const char *stop = line_end(p, end), *next = stop < end ? stop + 1 : end;
	const char *seen = stop - p > FROM_LINE_MAX ? p + FROM_LINE_MAX : stop;

	if (is_git_separator(p, stop) != git || !has_time_and_year(p + 5, seen))
		return false;
	const char *header = next;

	while (end - header > 6 && memcmp(header, ">From ", 6) == 0) {
		stop = line_end(header, end);
		header = stop < end ? stop + 1 : end;
	}
	return header < end && field_name_length(header, line_end(header, end)) > 0;
}

/* Skips the separator at the current position, if there is one. */
static size_t skip_separator(const parser_splitter *s, size_t at)
{
	const char *p = s->bytes + at, *end = s->bytes + s->length;

	if (end - p < 5 || memcmp(p, "From ", 5) != 0)
		return at;
	const char *stop = line_end(p, end);

	return (size_t)((stop < end ? stop + 1 : end) - s->bytes);
}

/* ---- Content-Length (mboxcl2) --------------------------------------------------- */

/* The value of a Content-Length field whose line ends before stop. */
static bool length_value(const char *p, const char *stop, size_t *value)
{
	guint64 n = 0;

	while (p < stop && *p == ' ')
		p++;
	if (p == stop || !g_ascii_isdigit(*p))
		return false;
	for (; p < stop && g_ascii_isdigit(*p) && n < PARSER_MAIL_MAX; p++)
		n = n * 10 + (guint64)(*p - '0');
	*value = (size_t)n;
	return true;
}

static bool content_length(const char *p, const char *end, size_t *body, size_t *value)
{
	static const char name[] = "Content-Length:";
	const size_t n = strlen(name);
	bool found = false;
	const char *start = p;

	while (p < end && *p != '\n' && (size_t)(p - start) <= PARSER_HEADER_MAX) {
		const char *stop = line_end(p, end);

		if (*p == '\r' && p + 1 == stop)
			break;
		if ((size_t)(stop - p) > n && g_ascii_strncasecmp(p, name, n) == 0)
			found = length_value(p + n, stop, value);
		p = stop < end ? stop + 1 : end;
	}
	p = p < end ? line_end(p, end) : end;
	*body = (size_t)((p < end ? p + 1 : end) - start);
	return found;
}

/* Where the message ends by its own word, if a separator or the end stands there. */
static bool end_by_length(const parser_splitter *s, size_t start, size_t *stop)
{
	size_t body, length;
	const char *p = s->bytes + start, *end = s->bytes + s->length;

	if (!content_length(p, end, &body, &length) ||
	    length > s->length - start - body)
		return false;
	size_t at = start + body + length, after = at;

	while (after < s->length && after < at + 4 &&
	       (s->bytes[after] == '\r' || s->bytes[after] == '\n'))
		after++;
	if (after < s->length && !is_separator(s->bytes + after, end, false))
		return false;
	*stop = at;
	return true;
}

/* ---- plain mailboxes ---------------------------------------------------------------
 */

static size_t next_separator(const parser_splitter *s, size_t from, bool git)
{
	const char *end = s->bytes + s->length, *p = s->bytes + from;

	/* memchr() for a rare letter is several times faster than memmem(). */
	while ((p = memchr(p, 'F', (size_t)(end - p)))) {
		if (p > s->bytes + from && p[-1] == '\n' && is_separator(p, end, git))
			return (size_t)(p - s->bytes);
		p++;
	}
	return s->length;
}

/* The blank line before a separator belongs to neither message. */
static size_t without_blank_line(const parser_splitter *s, size_t start, size_t stop)
{
	const char *b = s->bytes;

	if (stop >= start + 2 && b[stop - 1] == '\n' && b[stop - 2] == '\n')
		return stop - 1;
	if (stop >= start + 4 && memcmp(b + stop - 4, "\r\n\r\n", 4) == 0)
		return stop - 2;
	return stop;
}

static bool next_of_mbox(parser_splitter *s, parser_slice *slice)
{
	bool git = is_git_separator(
		s->bytes + s->position,
		line_end(s->bytes + s->position, s->bytes + s->length));
	size_t start = skip_separator(s, s->position), stop;

	slice->form = PARSER_FORM_MBOX;
	if (s->variant == VARIANT_LENGTHS && end_by_length(s, start, &stop))
		slice->form = PARSER_FORM_MAIL; /* nothing is quoted in an mboxcl2 */
	else
		stop = start;
	s->position = next_separator(s, stop > start ? stop - 1 : start, git);
	if (stop == start)
		stop = s->position;
	slice->offset = start;
	slice->length = without_blank_line(s, start, stop) - start;
	return true;
}

/* ---- any container
 * -------------------------------------------------------------------- */

void parser_splitter_init(parser_splitter *s, const char *bytes, size_t length)
{
	size_t at = 0, stop;

	memset(s, 0, sizeof(*s));
	s->bytes = bytes;
	s->length = length;
	s->form = PARSER_FORM_MAIL;
	if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		at = 3;
	while (at < length && strchr("\r\n", bytes[at]) && bytes[at])
		at++;
	const char *p = bytes + at, *end = bytes + length;

	if (is_separator(p, end, false) || is_separator(p, end, true)) {
		s->form = PARSER_FORM_MBOX;
		s->position = at;
		if (end_by_length(s, skip_separator(s, at), &stop))
			s->variant = VARIANT_LENGTHS;
	} else if (archive_is_page(bytes, length)) {
		s->form = PARSER_FORM_ARCHIVE;
	} else if (field_name_length(p, line_end(p, end))) {
		s->position = at;
	}
}

bool parser_splitter_next(parser_splitter *s, parser_slice *slice)
{
	if (s->position >= s->length)
		return false;
	slice->index = 0;
	if (s->form == PARSER_FORM_MBOX)
		return next_of_mbox(s, slice);
	slice->form = s->form;
	slice->offset = s->position;
	if (s->form == PARSER_FORM_ARCHIVE) {
		slice->index = s->index++;
		s->position = archive_next(s->bytes, s->length, s->position);
	} else {
		s->position = s->length;
	}
	slice->length = s->position - slice->offset;
	return true;
}
