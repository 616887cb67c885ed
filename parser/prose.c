/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts the author's own text into sentences and words. */
#include "parser/prose.h"

#include <string.h>

#include "parser/token.h"

#define FIGURES_MIN 8u /* words */
#define QUOTED_MIN  3u /* words within quote marks that cite somebody */

#define NOT_CITED G_MAXUINT

typedef struct reader {
	prose *p;
	const char *text; /* of the whole mail */
	const char *culprit;
	prose_sentence sentence;
	bool open;        /* a sentence has begun */
	bool breaks;      /* a clause has ended since the last word */
	bool title;       /* within ("..."): a commit's title is nobody's claim */
	bool plain_title; /* it has no quote marks */
	int brackets;     /* open ones in it */
	guint cited;      /* the first word behind an open quote mark, or NOT_CITED */
} reader;

const prose_word *prose_word_at(const prose *p, guint index)
{
	return &g_array_index(p->words, prose_word, index);
}

const prose_sentence *prose_sentence_at(const prose *p, guint index)
{
	return &g_array_index(p->sentences, prose_sentence, index);
}

/* A table that an archive collapsed to one line reads like a sentence of figures. */
static bool is_figures(const reader *r)
{
	guint plain = 0;

	for (guint i = 0; i < r->sentence.count; i++)
		plain += prose_word_at(r->p, r->sentence.first + i)->kind == PROSE_WORD;
	return r->sentence.count >= FIGURES_MIN && plain * 2 < r->sentence.count;
}

static void close_sentence(reader *r, bool question)
{
	if (r->open && r->sentence.count > 0) {
		r->sentence.question = question;
		if (is_figures(r))
			r->p->data_lines++;
		else
			g_array_append_val(r->p->sentences, r->sentence);
	}
	r->open = false;
	r->breaks = false;
	r->title = false;
	r->cited = NOT_CITED;
}

static void open_sentence(reader *r, size_t start)
{
	if (r->open)
		return;
	r->sentence.first = r->p->words->len;
	r->sentence.count = 0;
	r->sentence.start = start;
	r->sentence.end = start;
	r->open = true;
}

static guint intern(prose *p, const char *text, const char **kept)
{
	gpointer key, value;

	if (g_hash_table_lookup_extended(p->ids, text, &key, &value)) {
		*kept = key;
		return GPOINTER_TO_UINT(value);
	}
	char *copy = g_string_chunk_insert(p->strings, text);
	g_hash_table_insert(p->ids, copy, GUINT_TO_POINTER(p->distinct));
	*kept = copy;
	return p->distinct++;
}

/* Hashes are cut at any length: one that begins the other is the same commit. */
static bool is_culprit(const reader *r, const char *hash)
{
	if (!r->culprit)
		return false;
	size_t n = MIN(strlen(hash), strlen(r->culprit));
	return n >= 7 && strncmp(hash, r->culprit, n) == 0;
}

static void add_word(reader *r, const token *t, const char *text)
{
	prose_word w = { .kind = t->kind, .start = t->start, .end = t->end };

	w.id = intern(r->p, text, &w.text);
	if (w.kind == PROSE_HASH && is_culprit(r, text))
		w.kind = PROSE_CULPRIT;
	w.breaks = r->breaks;
	w.capital = g_ascii_isupper(r->text[t->start]);
	r->breaks = false;
	g_array_append_val(r->p->words, w);
	r->sentence.count++;
}

static bool opens_quote(const char *p, size_t n)
{
	while (n > 1 && strchr("([", *p)) {
		p++;
		n--;
	}
	return *p == '"' || (n > 3 && memcmp(p, "\xe2\x80\x9c", 3) == 0);
}

static bool closes_quote(const char *p, size_t n)
{
	while (n > 1 && strchr(".,;:!?)]", p[n - 1]))
		n--;
	return (n > 1 && p[n - 1] == '"') ||
	       (n > 3 && memcmp(p + n - 3, "\xe2\x80\x9d", 3) == 0);
}

/* Marks what stands within quote marks, once they are closed in the sentence. */
static void close_citation(reader *r)
{
	guint end = r->p->words->len;

	for (guint i = r->cited; end - r->cited >= QUOTED_MIN && i < end; i++)
		g_array_index(r->p->words, prose_word, i).quoted = true;
	r->cited = NOT_CITED;
}

/* `("mm: batch it")`, and without quote marks behind a hash: `1234567 (mm: batch it)`.
 */
static bool begins_title(reader *r, const char *p, size_t length)
{
	const GArray *words = r->p->words;
	bool behind_hash =
		r->sentence.count > 0 &&
		(g_array_index(words, prose_word, words->len - 1).kind == PROSE_HASH ||
		 g_array_index(words, prose_word, words->len - 1).kind ==
			 PROSE_CULPRIT);

	r->brackets = 0;
	r->plain_title = behind_hash && length > 2 && *p == '(' && p[1] != '"' &&
			 p[length - 1] == ':';
	return r->plain_title || (length > 2 && memcmp(p, "(\"", 2) == 0);
}

static bool ends_title(reader *r, const char *p, size_t length)
{
	if (!r->plain_title)
		return g_strstr_len(p, (gssize)length, "\")");
	for (size_t i = 0; i < length; i++)
		r->brackets += p[i] == '(' ? 1 : p[i] == ')' ? -1 : 0;
	return r->brackets <= 0;
}

/*
 * "don't" becomes "do not", so that rules need only one spelling.  What a token is, as
 * up to three words separated by blanks, is decided in token.c.
 */
static void add_token(reader *r, const token *t)
{
	const char *whole = r->text + t->whole_start;
	size_t length = t->whole_end - t->whole_start;

	open_sentence(r, t->whole_start);
	if (!r->title)
		r->title = begins_title(r, whole, length);
	if (r->title) {
		r->title = !ends_title(r, whole, length);
		r->sentence.end = t->whole_end;
		r->breaks = true;
		if (!r->title && t->ends)
			close_sentence(r, t->question);
		return;
	}
	r->breaks |= t->breaks_before;
	if (opens_quote(whole, length))
		r->cited = r->p->words->len;
	const char *word = t->text;
	while (*word) {
		size_t n = strcspn(word, " ");
		char one[PROSE_WORD_MAX + 1];
		n = MIN(n, PROSE_WORD_MAX);
		memcpy(one, word, n);
		one[n] = '\0';
		add_word(r, t, one);
		word += strcspn(word, " ");
		word += *word == ' ';
	}
	if (r->cited != NOT_CITED && closes_quote(whole, length))
		close_citation(r);
	r->breaks |= t->breaks_after;
	r->sentence.end = t->whole_end;
	if (t->ends || r->sentence.count >= PROSE_SENTENCE_MAX)
		close_sentence(r, t->question);
}

static void read_line(reader *r, size_t start, size_t end)
{
	token_line line;

	/* A bar begins a row of a table, or quotes in the way of some clients. */
	if (start < end && r->text[start] == '|') {
		close_sentence(r, false);
		r->p->data_lines++;
		return;
	}
	switch (token_line_init(&line, r->text, start, end)) {
	case TOKEN_LINE_BLANK:
		close_sentence(r, false);
		r->sentence.paragraph++;
		return;
	case TOKEN_LINE_DATA:
		close_sentence(r, false);
		r->p->data_lines++;
		return;
	case TOKEN_LINE_ITEM:
		close_sentence(r, false);
		break;
	case TOKEN_LINE_PROSE:
		break;
	}
	token t;
	while (r->p->words->len < PROSE_WORDS_MAX && token_next(&line, &t))
		add_token(r, &t);
	if (line.closes)
		close_sentence(r, false);
}

static void read_span(reader *r, const parser_span *span, size_t limit)
{
	size_t at = span->start;

	while (at < span->end) {
		const char *nl = memchr(r->text + at, '\n', span->end - at);
		size_t end = nl ? (size_t)(nl - r->text) : span->end;
		if (end > limit)
			break;
		read_line(r, at, end);
		at = end + 1;
	}
	close_sentence(r, false);
	r->sentence.paragraph++;
}

prose *prose_read(const parser_mail *mail, const char *culprit, size_t limit)
{
	prose *p = g_new0(prose, 1);

	p->words = g_array_new(false, false, sizeof(prose_word));
	p->sentences = g_array_new(false, false, sizeof(prose_sentence));
	p->ids = g_hash_table_new(g_str_hash, g_str_equal);
	p->strings = g_string_chunk_new(4096);

	reader r = {
		.p = p, .text = mail->text, .culprit = culprit, .cited = NOT_CITED
	};
	for (guint i = 0; i < mail->spans->len; i++) {
		const parser_span *span = &g_array_index(mail->spans, parser_span, i);
		if (span->kind == PARSER_SPAN_OWN)
			read_span(&r, span, limit);
	}
	return p;
}

void prose_free(prose *p)
{
	if (!p)
		return;
	g_array_unref(p->words);
	g_array_unref(p->sentences);
	g_hash_table_unref(p->ids);
	g_string_chunk_free(p->strings);
	g_free(p);
}
