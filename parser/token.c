/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run of characters between blanks is: a word, a number, a name ... */
#include "parser/token.h"

#include <string.h>

#include "parser/reading.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* A letter, or part of one beyond ASCII. */
static bool is_letter(char c)
{
	return g_ascii_isalpha(c) || (unsigned char)c >= 0x80;
}

static size_t skip_to(const char *text, size_t at, size_t end, bool blank)
{
	while (at < end && is_blank(text[at]) != blank)
		at++;
	return at;
}

/* ---- lines ----------------------------------------------------------------------- */

static bool is_plain_word(const char *p, size_t n)
{
	size_t letters = 0;

	for (size_t i = 0; i < n; i++) {
		if (is_letter(p[i]))
			letters++;
		else if (!strchr("'-.,;:!?()\"`/", p[i]))
			return false;
	}
	return letters > 0 && letters * 2 >= n;
}

/* "Tested-by: somebody <address>" and its kin are read as trailers, not as prose. */
static bool is_trailer(const char *p, size_t n)
{
	const char *colon = memchr(p, ':', MIN(n, 30));
	if (!colon || colon == p || colon + 1 >= p + n || !is_blank(colon[1]))
		return false;
	const char *dash = memchr(p, '-', (size_t)(colon - p));
	if (!g_ascii_isupper(*p) || !dash)
		return false;
	for (const char *c = p; c < colon; c++)
		if (!g_ascii_isalpha(*c) && *c != '-')
			return false;
	return g_ascii_strncasecmp(dash, "-by", 3) == 0 ||
	       g_ascii_strncasecmp(dash, "-off-by", 7) == 0;
}

static bool is_data(const char *p, size_t n, bool indented)
{
	size_t words = 0, plain = 0, at = 0;

	while (at < n) {
		at = skip_to(p, at, n, false);
		size_t end = skip_to(p, at, n, true);
		if (end == at)
			break;
		words++;
		plain += is_plain_word(p + at, end - at);
		at = end;
	}
	if (words >= 4 || indented)
		return plain * 2 < words;
	return plain == 0 && words > 0 && !is_letter(*p);
}

/* "1234567890ab (title of a commit)", "$ command", "command --option value" */
static bool is_listing(const char *p, size_t n)
{
	size_t digits = 0;

	if (n > 2 && (*p == '$' || *p == '#') && p[1] == ' ')
		return true;
	while (n && strchr("*|/\\ ", *p)) { /* the branches of git log --graph */
		p++;
		n--;
	}
	while (digits < n && g_ascii_isxdigit(p[digits]))
		digits++;
	if (digits >= 7 && digits <= 40 && digits + 1 < n && is_blank(p[digits]) &&
	    memchr(p, ':', n))
		return true;
	for (size_t i = 0; i + 3 < n; i++)
		if (is_blank(p[i]) && p[i + 1] == '-' && p[i + 2] == '-' &&
		    g_ascii_isalpha(p[i + 3]))
			return true;
	return false;
}

static bool is_item(const char *p, size_t n)
{
	size_t digits = 0;

	if (n >= 2 && (*p == '-' || *p == '*' || *p == '+') && is_blank(p[1]))
		return true;
	while (digits < n && digits < 3 && g_ascii_isdigit(p[digits]))
		digits++;
	return digits > 0 && digits + 1 < n && (p[digits] == ')' || p[digits] == '.') &&
	       is_blank(p[digits + 1]);
}

static bool is_short(const char *p, size_t n)
{
	size_t words = 0;

	for (size_t i = 1; i < n; i++)
		words += is_blank(p[i]) && !is_blank(p[i - 1]);
	return words <= 4 && n <= 40;
}

/* A tracker's command: a verb that decides is the author's word, all others are not. */
static bool is_command(const char *p, size_t n, token_line_kind *kind)
{
	static const char *const prefixes[] = { "#regtrail", "#regzbot" };

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		size_t at = strlen(prefixes[i]);
		if (n <= at || g_ascii_strncasecmp(p, prefixes[i], at) != 0)
			continue;
		at += strspn(p + at, ": \t-");
		size_t end = at;
		while (end < n && (g_ascii_isalpha(p[end]) || p[end] == '-'))
			end++;
		g_autofree char *verb =
			end > at ? g_ascii_strdown(p + at, (gssize)(end - at)) :
				   g_strdup("");
		const parser_verb *v = parser_verb_find(prefixes[i], verb);
		*kind = v && v->status ? TOKEN_LINE_ITEM : TOKEN_LINE_DATA;
		return true;
	}
	return false;
}

token_line_kind token_line_init(token_line *line, const char *text, size_t start,
				size_t end)
{
	size_t at = skip_to(text, start, end, false);

	while (end > at && is_blank(text[end - 1]))
		end--;
	*line = (token_line){ .text = text, .at = at, .end = end };
	if (at == end)
		return TOKEN_LINE_BLANK;
	token_line_kind command;
	if (is_command(text + at, end - at, &command))
		return command;
	if (is_trailer(text + at, end - at) || is_listing(text + at, end - at) ||
	    is_data(text + at, end - at, at > start))
		return TOKEN_LINE_DATA;
	line->closes = text[end - 1] == ',' && is_short(text + at, end - at);
	if (text[end - 1] == ':')
		line->closes = true;
	return is_item(text + at, end - at) ? TOKEN_LINE_ITEM : TOKEN_LINE_PROSE;
}

/* ---- kinds of tokens --------------------------------------------------------------
 */

static bool is_number(const char *p, size_t n)
{
	size_t digits = 0;

	for (size_t i = 0; i < n; i++) {
		if (g_ascii_isdigit(p[i]))
			digits++;
		else if (!strchr(".,+-~xXeE", p[i]))
			return false;
	}
	return digits > 0;
}

static bool is_hash(const char *p, size_t n)
{
	bool digit = false;

	if (n < 7 || n > 40)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!g_ascii_isxdigit(p[i]))
			return false;
		digit |= g_ascii_isdigit(p[i]);
	}
	return digit;
}

/* Names of programs: an underscore, an arrow, brackets, a dot or a digit within. */
static bool is_name(const char *p, size_t n)
{
	bool letter = false, mark = false;

	for (size_t i = 0; i < n; i++) {
		letter |= is_letter(p[i]);
		mark |= p[i] == '_' || p[i] == '=' || g_ascii_isdigit(p[i]);
		if (i + 1 < n)
			mark |= (p[i] == '-' && p[i + 1] == '>') ||
				(p[i] == ':' && p[i + 1] == ':') ||
				(p[i] == '(' && p[i + 1] == ')') ||
				(p[i] == '.' && i > 1 && is_letter(p[i + 1])) ||
				(p[i] == '/' && i == 0);
	}
	return letter && mark;
}

static bool is_smiley(const char *p, size_t n)
{
	return n >= 2 && n <= 4 && strchr(":;=", p[0]) && strchr("-)(DPp/^", p[1]) &&
	       (n == 2 || strchr(")(DPp/", p[n - 1]));
}

static prose_kind kind_of(const char *p, size_t n)
{
	if (n > 8 && (g_ascii_strncasecmp(p, "http://", 7) == 0 ||
		      g_ascii_strncasecmp(p, "https://", 8) == 0))
		return PROSE_URL;
	if (p[n - 1] == '%' && n > 1 && is_number(p, n - 1))
		return PROSE_PERCENT;
	if (is_hash(p, n))
		return PROSE_HASH;
	if (is_number(p, n))
		return PROSE_NUMBER;
	return is_name(p, n) ? PROSE_NAME : PROSE_WORD;
}

/* ---- words ------------------------------------------------------------------------
 */

static const struct contraction {
	const char *tail, *word;
} contractions[] = {
	/* clang-format off */
	{ "n't", "not" }, { "'re", "are" }, { "'ve", "have" }, { "'ll", "will" },
	{ "'m", "am" }, { "'d", "would" },
	/* clang-format on */
};

static const struct spelling {
	const char *from, *to;
} spellings[] = {
	/* clang-format off */
	{ "can't", "can not" }, { "cannot", "can not" }, { "won't", "will not" },
	{ "let's", "let us" }, { "it's", "it is" }, { "that's", "that is" },
	{ "there's", "there is" }, { "what's", "what is" }, { "here's", "here is" },
	{ "dont", "do not" }, { "doesnt", "does not" }, { "cant", "can not" },
	{ "didnt", "did not" }, { "isnt", "is not" }, { "pls", "please" },
	{ "plz", "please" }, { "thx", "thanks" },
	/* clang-format on */
};

/* Bytes of the character at p if it shows nothing: the eye reads on behind it. */
static size_t invisible_length(const char *p, size_t n)
{
	if ((unsigned char)*p < 0x80)
		return 0;
	gunichar c = g_utf8_get_char_validated(p, (gssize)n);
	return c < 0x110000 && parser_is_invisible(c) ?
		       (size_t)g_unichar_to_utf8(c, NULL) :
		       0;
}

/* Writes a plain word in the one form that rules know. */
static void set_word(token *t, const char *p, size_t n)
{
	char word[PROSE_WORD_MAX + 1];
	size_t length = 0;

	for (size_t i = 0; i < n && length < PROSE_WORD_MAX; i++) {
		size_t hidden = invisible_length(p + i, n - i);
		if (n - i >= 3 && memcmp(p + i, "\xe2\x80\x99", 3) == 0) {
			word[length++] = '\'';
			i += 2;
		} else if (hidden > 0) {
			i += hidden - 1;
		} else {
			word[length++] = g_ascii_tolower(p[i]);
		}
	}
	word[length] = '\0';
	g_strlcpy(t->text, word, sizeof(t->text));
	if (t->kind != PROSE_WORD)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++) {
		if (strcmp(word, spellings[i].from) == 0) {
			g_strlcpy(t->text, spellings[i].to, sizeof(t->text));
			return;
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(contractions); i++) {
		size_t tail = strlen(contractions[i].tail);
		if (length > tail && g_str_has_suffix(word, contractions[i].tail)) {
			word[length - tail] = '\0';
			g_snprintf(t->text, sizeof(t->text), "%s %s", word,
				   contractions[i].word);
			return;
		}
	}
}

static bool is_abbreviation(const char *p, size_t n)
{
	static const char *const known[] = { "e.g", "i.e", "etc",  "vs", "cf", "approx",
					     "eg",  "ie",  "resp", "mr", "dr" };

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (strlen(known[i]) == n && g_ascii_strncasecmp(p, known[i], n) == 0)
			return true;
	return false;
}

/* One of the quote marks of typographers, which are three bytes long. */
static bool is_quote_mark(const char *p)
{
	return memcmp(p, "\xe2\x80", 2) == 0 && strchr("\x98\x99\x9c\x9d\x9e", p[2]);
}

/* Takes punctuation off the front; notes the end of a clause. */
static size_t strip_front(token *t, const char *text, size_t start, size_t end)
{
	while (start < end) {
		if (end - start > 3 && is_quote_mark(text + start)) {
			start += 3;
			continue;
		}
		if (!strchr("([{\"'`*<|~#-", text[start]) ||
		    (text[start] == '-' && start + 1 < end &&
		     g_ascii_isdigit(text[start + 1])))
			break;
		t->breaks_before |= strchr("([{-", text[start]) != NULL;
		start++;
	}
	return start;
}

/* Takes punctuation off the end; notes the end of a clause or sentence. */
static size_t strip_back(token *t, const char *text, size_t start, size_t end)
{
	size_t whole = end;

	while (end > start) {
		if (end - start > 3 && is_quote_mark(text + end - 3)) {
			end -= 3;
			continue;
		}
		if (!strchr(".,;:!?)]}>\"'`*|", text[end - 1]))
			break;
		if (text[end - 1] == ')' && memchr(text + start, '(', end - start))
			break; /* of foo(), of sched_feat(NAME) */
		if (strchr(".!?", text[end - 1]))
			t->ends = true;
		t->question |= text[end - 1] == '?';
		t->breaks_after |= strchr(",;:)", text[end - 1]) != NULL;
		end--;
	}
	if (whole - end == 1 && text[end] == '.' &&
	    is_abbreviation(text + start, end - start))
		t->ends = false;
	return end;
}

/* "sync/async" is two words, "I/O" one; the second is left for the next call. */
static size_t cut_at_slash(const char *text, size_t start, size_t end)
{
	const char *slash = memchr(text + start, '/', end - start);
	if (!slash)
		return end;
	size_t cut = (size_t)(slash - text);
	if (cut - start < 3 || end - cut < 4)
		return end;
	for (size_t i = start; i < end; i++)
		if (!is_letter(text[i]) && !strchr("/-,.;:?!)", text[i]))
			return end;
	return cut + 1;
}

static bool set_smiley(token *t, const char *p, size_t n)
{
	if (!is_smiley(p, n))
		return false;
	t->kind = PROSE_SMILEY;
	t->start = t->whole_start;
	t->end = t->whole_end;
	g_strlcpy(t->text, ":-)", sizeof(t->text));
	return true;
}

bool token_next(token_line *line, token *t)
{
	const char *text = line->text;
	size_t start, end;

	do {
		start = skip_to(text, line->at, line->end, false);
		if (start >= line->end)
			return false;
		end = cut_at_slash(text, start, skip_to(text, start, line->end, true));
		line->at = end;
		memset(t, 0, sizeof(*t));
		t->breaks_before = line->breaks;
		t->whole_start = start;
		t->whole_end = end;
		line->breaks = false;
		if (set_smiley(t, text + start, end - start))
			return true;
		t->start = strip_front(t, text, start, end);
		t->end = strip_back(t, text, t->start, end);
		if (t->end > t->start && text[t->end - 1] == '/')
			t->end--;
		/* A lone dash or bracket ends the clause; it is no word. */
		line->breaks = t->start == t->end;
	} while (line->breaks && !t->ends);
	if (t->start == t->end)
		return true;
	t->kind = kind_of(text + t->start, t->end - t->start);
	set_word(t, text + t->start, t->end - t->start);
	return true;
}
