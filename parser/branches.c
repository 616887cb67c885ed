/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Could you test git://example.org/linux.git fixes-6.8?": a repository and a branch in
 * the author's own words, beside words that ask for it.
 */
#include <string.h>

#include "parser/offers.h"

#define AROUND   3    /* lines above and below in which somebody may ask */
#define NEAR     1000 /* bytes, for lines without end */
#define LOOK_MAX 200  /* repositories of one mail that are looked at */

static bool begins(const char *s, const char *end, const char *prefix)
{
	size_t n = strlen(prefix);

	return (size_t)(end - s) >= n && memcmp(s, prefix, n) == 0;
}

static bool is_url_start(const char *s, const char *end)
{
	return begins(s, end, "git://") || begins(s, end, "https://") ||
	       begins(s, end, "http://") || begins(s, end, "ssh://") ||
	       begins(s, end, "git@");
}

static const char *token_end(const char *s, const char *end)
{
	while (s < end && !g_ascii_isspace(*s) && !strchr("<>\"'`|", *s))
		s++;
	return s;
}

/* A name that git would take for a branch, and no word that goes on a sentence. */
static bool is_ref(const char *s, size_t n)
{
	bool mark = false;

	for (size_t i = 0; i < n; i++) {
		if (!g_ascii_isalnum(s[i]) && !strchr("-_./+", s[i]))
			return false;
		mark = mark || g_ascii_isdigit(s[i]) || strchr("-_/", s[i]);
	}
	return n && (mark || (n == 6 && memcmp(s, "master", 6) == 0) ||
		     (n == 4 && memcmp(s, "main", 4) == 0));
}

static size_t trim(const char *s, size_t n)
{
	while (n && strchr(".,;:)?!", s[n - 1]))
		n--;
	return n;
}

/* The word behind p; *p moves behind it. */
static const char *next_word(const char **p, const char *end, size_t *n)
{
	const char *s = *p;

	while (s < end && g_ascii_isspace(*s))
		s++;
	*p = token_end(s, end);
	*n = (size_t)(*p - s);
	return s;
}

/* "... branch NAME", "... NAME" at the end of the line or before a mark. */
static char *branch_behind(const char *p, const char *end)
{
	size_t n;
	const char *word = next_word(&p, end, &n);
	bool said = n >= 6 && g_ascii_strncasecmp(word, "branch", 6) == 0;

	if (said || (n == 1 && *word == '#'))
		word = next_word(&p, end, &n);
	while (n && strchr("(\"'`", *word)) {
		word++;
		n--;
	}
	n = trim(word, n);
	return n && (said || is_ref(word, n)) ? g_strndup(word, n) : NULL;
}

/* The value of "h=" in a URL of cgit. */
static char *branch_in_query(const char *url, size_t n)
{
	const char *h = memmem(url, n, "?h=", 3);
	size_t length;

	if (!h)
		return NULL;
	length = strcspn(h + 3, "&# \n");
	return g_strndup(h + 3, MIN(length, (size_t)(url + n - h - 3)));
}

/* Splits "https://host/user/linux/tree/topic" and its like. */
static bool split_forge(const char *url, size_t n, char **repository, char **branch)
{
	static const char *const marks[] = { "/-/tree/", "/tree/", "/commits/" };

	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		const char *at = memmem(url, n, marks[i], strlen(marks[i]));
		const char *name = at ? at + strlen(marks[i]) : NULL;

		if (!name || name >= url + n)
			continue;
		*repository = g_strndup(url, (size_t)(at - url));
		*branch = g_strndup(name, (size_t)(url + n - name));
		return true;
	}
	return false;
}

/* A URL of a repository: "*.git", "*.git/log/?h=", a forge's tree. */
static bool read_repository(const char *url, size_t n, char **repository, char **branch)
{
	const char *git = memmem(url, n, ".git", 4);

	while (git && git + 4 < url + n && git[4] != '/')
		git = memmem(git + 4, (size_t)(url + n - git - 4), ".git", 4);
	if (memmem(url, n, "/commit/", 8) || memmem(url, n, "/c/", 3))
		return false;
	if (split_forge(url, n, repository, branch))
		return true;
	if (!git && !begins(url, url + n, "git://"))
		return false;
	*repository = g_strndup(url, git ? (size_t)(git + 4 - url) : n);
	*branch = branch_in_query(url, n);
	return true;
}

/* "test", "tested", "try" ... at p. */
static bool is_asking_word(const char *p, const char *end)
{
	static const char *const words[] = { "test", "try",    "pull",
					     "fix",  "pushed", "patch" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(end - p) >= n && g_ascii_strncasecmp(p, words[i], n) == 0)
			return true;
	}
	return false;
}

/* Somebody asks for a test, or says that it is there to be pulled. */
static bool asks(const parser_mail *mail, const char *at)
{
	const char *text = mail->text, *from = at, *to = at;
	const char *end = text + mail->text_length;

	for (int lines = 0; from > text && at - from < NEAR && lines < AROUND; from--)
		lines += from[-1] == '\n';
	for (int lines = 0; to < end && to - at < NEAR && lines < AROUND; to++)
		lines += *to == '\n';
	for (const char *p = from; p < to; p++)
		if (g_ascii_isalpha(*p) && (p == from || !g_ascii_isalpha(p[-1])) &&
		    is_asking_word(p, to))
			return true;
	return false;
}

static void add(offer_reader *r, char *repository, char *branch)
{
	parser_patch *patch;

	for (guint i = 0; i < r->patches->len; i++) {
		const parser_patch *p = g_ptr_array_index(r->patches, i);

		if (p->url && strcmp(p->url, repository) == 0 &&
		    g_strcmp0(p->branch, branch) == 0) {
			g_free(repository);
			g_free(branch);
			return;
		}
	}
	patch = g_new0(parser_patch, 1);
	patch->form = PARSER_PATCH_BRANCH;
	patch->message = g_strdup("");
	patch->date = r->mail->date;
	patch->url = repository;
	/* No branch is called so, but options of git are. */
	patch->branch = branch && *branch == '-' ? NULL : g_strdup(branch);
	g_free(branch);
	g_ptr_array_add(r->patches, patch);
}

/* *looked counts repositories, wanted ones and others. */
static void read_line(offer_reader *r, const char *line, const char *end,
		      unsigned *looked)
{
	for (const char *p = line; p < end && *looked < LOOK_MAX; p++) {
		char *repository = NULL, *branch = NULL;
		const char *stop;
		size_t n;

		if (!is_url_start(p, end) || (p > line && g_ascii_isalnum(p[-1])))
			continue;
		stop = token_end(p, end);
		n = trim(p, (size_t)(stop - p));
		if (r->patches->len < PARSER_PATCHES_MAX &&
		    read_repository(p, n, &repository, &branch)) {
			++*looked;
			if (!branch)
				branch = branch_behind(stop, end);
			if (asks(r->mail, p)) {
				add(r, repository, branch);
			} else {
				g_free(repository);
				g_free(branch);
			}
		}
		p = stop;
	}
}

void offer_read_branches(offer_reader *r)
{
	const parser_mail *mail = r->mail;
	unsigned looked = 0;

	for (guint i = 0; i < mail->spans->len; i++) {
		const parser_span *span = &g_array_index(mail->spans, parser_span, i);
		const char *p = mail->text + span->start, *line;
		const char *end = mail->text + span->end;
		size_t n;

		while (span->kind == PARSER_SPAN_OWN && offer_line(&p, end, &line, &n))
			read_line(r, line, line + n, &looked);
	}
}
