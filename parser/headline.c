/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "parser/cells.h"
#include "parser/reader.h"

#define SENTENCE_LINES 4    /* a reply's quotes may break it */
#define SENTENCE_MAX   1700 /* bytes of it: a metric and some words */

void report_headline_clear(report_headline *headline)
{
	g_free(headline->metric);
	*headline = (report_headline){ 0 };
}

bool report_change_read(const char *s, size_t len, double *change, bool *is_signed)
{
	cell_token token = cell_token_of(s, len);

	if (token.kind != CELL_PERCENT)
		return false;
	*change = token.value;
	*is_signed = token.is_signed;
	return true;
}

parser_kind report_kind_read(const char *s, size_t len)
{
	while (len > 0 && !g_ascii_isalpha(s[len - 1]))
		len--;
	if (len == 10 && g_ascii_strncasecmp(s, "regression", 10) == 0)
		return PARSER_KIND_REGRESSION;
	if (len == 11 && g_ascii_strncasecmp(s, "improvement", 11) == 0)
		return PARSER_KIND_IMPROVEMENT;
	return PARSER_KIND_UNKNOWN;
}

/* A sentence with its line breaks undone. */
typedef struct sentence {
	GString *text;
	size_t ends[SENTENCE_LINES]; /* of each line in text */
	size_t lines;
} sentence;

static void sentence_read(const GArray *lines, size_t i, sentence *out)
{
	const text_line *first = parser_line_at(lines, i);

	out->text = g_string_new(NULL);
	out->lines = 0;
	for (; i < lines->len && out->lines < SENTENCE_LINES; i++) {
		const text_line *line = parser_line_at(lines, i);

		if (line->len == 0 || line->quoted != first->quoted ||
		    out->text->len > SENTENCE_MAX)
			return;
		if (out->text->len)
			g_string_append_c(out->text, ' ');
		g_string_append_len(out->text, line->s,
				    (gssize)MIN(line->len, SENTENCE_MAX));
		out->ends[out->lines++] = out->text->len;
	}
}

/* How many lines of the sentence it takes to reach byte `at`. */
static size_t lines_until(const sentence *s, size_t at)
{
	for (size_t n = 0; n < s->lines; n++)
		if (at <= s->ends[n])
			return n + 1;
	return s->lines;
}

/* Consumes the given words (blanks in `text` part them) if they come next. */
static bool take_words(const char **p, const char *end, const char *text)
{
	const char *q = *p, *t = text, *tend = text + strlen(text), *part;
	size_t n, m;

	while ((part = parser_word_next(&t, tend, &n))) {
		const char *word = parser_word_next(&q, end, &m);

		if (!word || m != n || g_ascii_strncasecmp(word, part, n) != 0)
			return false;
	}
	*p = q;
	return true;
}

/* "-7.4% regression of unixbench.score", behind "noticed a". */
static bool read_change(const char **p, const char *end, report_headline *h)
{
	size_t n, m, k;
	const char *change = parser_word_next(p, end, &n);
	const char *word = change ? parser_word_next(p, end, &m) : NULL;

	if (!word || !report_change_read(change, n, &h->change, &h->is_signed))
		return false;
	h->has_change = true;
	h->kind = report_kind_read(word, m);
	if (h->kind == PARSER_KIND_UNKNOWN || !take_words(p, end, "of"))
		return false;

	const char *metric = parser_word_next(p, end, &k);
	if (!metric || k < 3)
		return false;
	while (k > 1 && strchr(":,;", metric[k - 1]))
		k--;
	h->metric = g_strndup(metric, k);
	h->complete = take_words(p, end, "on:") || take_words(p, end, "due to commit:");
	return true;
}

/* `"BUG:kernel_hang" on:`: a failure's name in quotes. */
static bool read_failure(const char **p, const char *end, report_headline *h)
{
	const char *s = *p, *close;

	while (s < end && *s == ' ')
		s++;
	if (s >= end || *s != '"')
		return false;
	close = memchr(s + 1, '"', (size_t)(end - s - 1));
	if (!close || close == s + 1)
		return false;
	*p = close + 1;
	if (!take_words(p, end, "on:"))
		return false;
	h->complete = true;
	h->kind = PARSER_KIND_FAILURE;
	h->metric = g_strndup(s + 1, (size_t)(close - s - 1));
	return true;
}

/* "the following commit (built with gcc-9):": a failure that only the subject names. */
static bool read_built(const char **p, const char *end, report_headline *h)
{
	if (!take_words(p, end, "the following commit (built with"))
		return false;
	h->complete = true;
	h->kind = PARSER_KIND_FAILURE;
	return true;
}

/* Who noticed: "we" or a robot, in the words right before. */
static report_style style_before(const char *text, const char *noticed)
{
	const char *end = noticed, *s;

	while (end > text && end[-1] == ' ')
		end--;
	s = end;
	while (s > text && s[-1] != ' ')
		s--;
	if (end - s == 2 && g_ascii_strncasecmp(s, "we", 2) == 0)
		return REPORT_STYLE_NOTICED;
	if (end - s == 5 && g_ascii_strncasecmp(s, "robot", 5) == 0)
		return REPORT_STYLE_ROBOT;
	return REPORT_STYLE_NONE;
}

static bool read_sentence(const sentence *s, report_headline *h, size_t *at)
{
	const char *text = s->text->str, *end = text + s->text->len;
	const char *p = strstr(text, "noticed");
	const char *q;

	if (!p || (size_t)(p - text) > s->ends[0] + 1)
		return false;
	h->style = style_before(text, p);
	if (h->style == REPORT_STYLE_NONE)
		return false;
	q = p + strlen("noticed");
	p = q;
	if (read_failure(&p, end, h) || (p = q, read_built(&p, end, h)) ||
	    (p = q, take_words(&p, end, "a") && read_change(&p, end, h)) ||
	    (p = q, take_words(&p, end, "an") && read_change(&p, end, h))) {
		*at = (size_t)(p - text);
		return true;
	}
	return false;
}

bool report_headline_read(const GArray *lines, size_t i, report_headline *headline)
{
	const text_line *line = parser_line_at(lines, i);
	report_headline h = { .line = i };
	sentence s;
	size_t at;
	bool found;

	if (line->len == 0 || !memmem(line->s, line->len, "notice", 6))
		if (line->len == 0 || !parser_line_starts(line, "FYI"))
			return false;
	sentence_read(lines, i, &s);
	found = read_sentence(&s, &h, &at);
	if (found) {
		h.next = i + lines_until(&s, at);
		*headline = h;
	} else {
		report_headline_clear(&h);
	}
	g_string_free(s.text, TRUE);
	return found;
}
