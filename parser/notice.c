/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What bots tell about commits: "has been merged into the sched/urgent branch of tip",
 * "was applied to netdev/net.git (main)", "has been merged into torvalds/linux.git".
 */
#include "parser/notice.h"

#include <string.h>

#include "parser/log.h"
#include "parser/offers.h"

#define NOTICES_MAX  100
#define EVIDENCE_MAX 300

void parser_notice_free(parser_notice *notice)
{
	if (!notice)
		return;
	g_free(notice->tree);
	g_free(notice->branch);
	g_free(notice->commit);
	g_free(notice->subject);
	g_free(notice->line);
	g_free(notice);
}

typedef struct teller {
	const parser_mail *mail;
	GPtrArray *notices;
	char *tree, *branch, *line; /* where everything below it went */
	char *title;                /* of a summary, whose link stands below */
} teller;

static const char *find(const char *line, size_t n, const char *words)
{
	const char *at = memmem(line, n, words, strlen(words));

	return at ? at + strlen(words) : NULL;
}

/* A name of a tree or branch; its end is where the next is looked for. */
static char *name_at(const char **p, const char *end)
{
	const char *s = *p;

	while (*p < end && (g_ascii_isalnum(**p) || strchr("/_.+-", **p)))
		++*p;

	size_t n = (size_t)(*p - s);

	while (n && s[n - 1] == '.')
		n--;
	return n ? g_strndup(s, n) : NULL;
}

static void put(char **place, char *value)
{
	g_free(*place);
	*place = value;
}

/* No more of a line than is shown, and no part of a character. */
static char *start_of(const char *line, size_t n)
{
	const char *end;

	g_utf8_validate(line, (gssize)MIN(n, EVIDENCE_MAX), &end);
	return g_strndup(line, (gsize)(end - line));
}

/* "... the BRANCH branch of TREE", "... TREE (BRANCH)", "... TREE". */
static bool read_place(teller *t, const char *line, size_t n)
{
	static const char *const words[] = { "been merged into ", "was merged into ",
					     "was applied to ", "been applied to " };
	const char *end = line + n, *p = NULL;
	char *first;

	for (size_t i = 0; i < G_N_ELEMENTS(words) && !p; i++)
		p = find(line, n, words[i]);
	if (!p)
		return false;
	if (end - p > 4 && memcmp(p, "the ", 4) == 0)
		p += 4;
	first = name_at(&p, end);
	if (!first)
		return false;

	const char *of = find(p, (size_t)(end - p), " branch of ");

	if (of == p + strlen(" branch of ")) {
		put(&t->branch, first);
		put(&t->tree, name_at(&of, end));
	} else {
		put(&t->tree, first);
		put(&t->branch, NULL);
		if (end - p > 2 && memcmp(p, " (", 2) == 0) {
			p += 2;
			put(&t->branch, name_at(&p, end));
		}
	}
	put(&t->line, start_of(line, n));
	return t->tree;
}

static bool is_mainline(const char *tree)
{
	return g_str_has_prefix(tree, "torvalds/");
}

static void add(teller *t, const char *hash, size_t digits, const char *subject)
{
	parser_notice *notice;

	if (!t->tree || t->notices->len >= NOTICES_MAX)
		return;
	notice = g_new0(parser_notice, 1);
	notice->tree = g_strdup(t->tree);
	notice->branch = g_strdup(t->branch);
	notice->mainline = is_mainline(t->tree);
	notice->commit = digits ? g_ascii_strdown(hash, (gssize)digits) : NULL;
	notice->subject = g_strdup(subject);
	notice->line = g_strdup(t->line);
	g_ptr_array_add(t->notices, notice);
}

static size_t hash_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && g_ascii_isxdigit(s[n]))
		n++;
	return n >= 8 && n <= 64 ? n : 0;
}

/* "  - [net,v2] title", and below it "https://.../c/0123456789ab". */
static bool read_summary(teller *t, const char *line, size_t n)
{
	const char *p = line, *end = line + n;

	while (p < end && *p == ' ')
		p++;
	if (end - p < 4 || memcmp(p, "- ", 2) != 0)
		return false;
	put(&t->title, parser_title(p + 2, (size_t)(end - p - 2)));
	return true;
}

/* A line of its own: a link in a sentence, or in a trailer, is about something else. */
static bool read_link(teller *t, const char *line, size_t n)
{
	const char *end = line + n, *p = line;
	const char *c = find(line, n, "/c/");
	size_t digits;

	while (p < end && *p == ' ')
		p++;
	digits = c && end - p > 4 && !memcmp(p, "http", 4) ? hash_length(c, end) : 0;

	if (!digits)
		return false;
	add(t, c, digits, t->title);
	put(&t->title, NULL);
	return true;
}

/* "Commit-ID:     0123...", whose title is in the Subject. */
static bool read_commit_id(teller *t, const char *line, size_t n)
{
	static const char name[] = "Commit-ID:";
	const char *p = line + sizeof(name) - 1, *end = line + n;
	g_autofree char *title = NULL;
	size_t digits;

	if (n < sizeof(name) || memcmp(line, name, sizeof(name) - 1) != 0 ||
	    t->notices->len >= NOTICES_MAX)
		return false;
	while (p < end && *p == ' ')
		p++;
	digits = hash_length(p, end);
	title = parser_title(t->mail->subject, strlen(t->mail->subject));
	if (digits)
		add(t, p, digits, title);
	return digits;
}

static void read_lines(teller *t, const char *p, const char *end)
{
	const char *line;
	size_t n;

	while (offer_line(&p, end, &line, &n)) {
		if (n && (*line == '>' || *line == '|'))
			continue;
		if (!read_place(t, line, n) && !read_commit_id(t, line, n) &&
		    !read_link(t, line, n))
			read_summary(t, line, n);
	}
}

GPtrArray *parser_notices_read(const parser_mail *mail)
{
	teller t = { .mail = mail,
		     .notices = g_ptr_array_new_with_free_func(
			     (GDestroyNotify)parser_notice_free) };

	if (mail->class == PARSER_CLASS_BOT)
		read_lines(&t, mail->text, mail->text + mail->text_length);
	/* A place without a commit tells of what the mail answers. */
	if (t.tree && !t.notices->len) {
		g_autofree char *title =
			parser_title(mail->subject, strlen(mail->subject));

		add(&t, NULL, 0, title);
	}
	g_free(t.tree);
	g_free(t.branch);
	g_free(t.line);
	g_free(t.title);
	return t.notices;
}
