/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/robot_lines.h"

#include <string.h>

#define BLANKS_MAX 3 /* of a run of lines without words; the rest is left out */

/* A tab, blank or the two bytes of U+00A0, which mail programs put for a blank. */
static size_t blank_length(const char *s, const char *end)
{
	if (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
		return 1;
	if (end - s >= 2 && s[0] == '\xc2' && s[1] == '\xa0')
		return 2;
	return 0;
}

const char *parser_word_next(const char **p, const char *end, size_t *len)
{
	const char *s = *p;
	size_t n;

	do {
		while (s < end && *s == ' ')
			s++;
	} while (s < end && (n = blank_length(s, end)) > 0 && (s += n));
	if (s >= end) {
		*p = end;
		return NULL;
	}

	const char *start = s;
	while (s < end && (*s > ' ' || blank_length(s, end) == 0))
		s++;
	*p = s;
	*len = (size_t)(s - start);
	return start;
}

bool parser_word_is(const char *s, size_t len, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == len && g_ascii_strncasecmp(s, *words, len) == 0)
			return true;
	return false;
}

bool parser_line_starts(const text_line *line, const char *prefix)
{
	size_t n = strlen(prefix);

	return line->len >= n && g_ascii_strncasecmp(line->s, prefix, n) == 0;
}

/* Takes "> > " off the front; a mark may have up to one blank before it. */
static const char *skip_quote_marks(const char *s, const char *end, unsigned *depth)
{
	for (;;) {
		const char *t = s;

		if (t < end && *t == ' ')
			t++;
		if (t < end && *t == '>')
			s = t + 1;
		else if (s < end && *s == ':' && (s + 1 == end || s[1] == ' '))
			s++; /* some quote with colons */
		else
			return s;
		(*depth)++;
	}
}

/*
 * A report without quote marks was pasted below an answer, or is the mail itself: that
 * answers nothing and shows nobody else's words.
 */
static bool has_others_words(const parser_mail *mail)
{
	for (size_t i = 0; mail->spans && i < mail->spans->len; i++)
		switch (g_array_index(mail->spans, parser_span, i).kind) {
		case PARSER_SPAN_QUOTE:
		case PARSER_SPAN_ATTRIBUTION:
		case PARSER_SPAN_FORWARDED:
			return true;
		default:
			break;
		}
	return mail->in_reply_to && mail->in_reply_to->len > 0;
}

static text_line make_line(const char *text, const char *s, const char *end,
			   const parser_span *span, bool pasted)
{
	text_line line = { .kind = span ? span->kind : PARSER_SPAN_OWN };
	const char *body = skip_quote_marks(s, end, &line.depth);
	size_t n;

	while ((n = blank_length(body, end)) > 0) {
		line.indent += *body == '\t' ? 8 : 1;
		body += n;
	}
	while (end > body && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	line.s = body;
	line.len = (size_t)(end - body);
	line.offset = (size_t)(body - text);
	line.quoted = line.depth > 0 || line.kind == PARSER_SPAN_QUOTE ||
		      line.kind == PARSER_SPAN_FORWARDED ||
		      (line.kind == PARSER_SPAN_REPORT && pasted);
	if (line.quoted && line.depth == 0)
		line.depth = span && span->depth > 0 ? span->depth : 1;
	return line;
}

/* The span that byte `offset` stands in, searched from number *i on; or NULL. */
static const parser_span *span_at(const parser_mail *mail, size_t offset, size_t *i)
{
	const GArray *spans = mail->spans;

	while (spans && *i < spans->len &&
	       g_array_index(spans, parser_span, *i).end <= offset)
		(*i)++;
	return spans && *i < spans->len ? &g_array_index(spans, parser_span, *i) : NULL;
}

GArray *parser_lines(const parser_mail *mail)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(text_line));
	const char *text = mail->text;
	const char *end = text + mail->text_length;
	size_t span = 0, blanks = 0;
	bool pasted = has_others_words(mail);

	for (const char *s = text; s < end && lines->len < PARSER_LINES_MAX;) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		const char *stop = nl ? nl : end;
		const parser_span *in = span_at(mail, (size_t)(s - text), &span);

		/* whose words change within a line only where an archive joined lines
		 */
		if (in && text + in->end < stop)
			stop = text + in->end;

		text_line line = make_line(text, s, stop, in, pasted);
		blanks = line.len ? 0 : blanks + 1;
		if (parser_line_is_collapsed(&line))
			parser_lines_uncollapse(&line, lines);
		else if (blanks <= BLANKS_MAX)
			g_array_append_val(lines, line);
		s = stop < end && *stop == '\n' ? stop + 1 : stop;
	}
	return lines;
}
