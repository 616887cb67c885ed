/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patches in a mail: the pieces that spans.c marked, and what is attached. */
#include <string.h>

#include "parser/date.h"
#include "parser/diff.h"
#include "parser/log.h"
#include "parser/offers.h"

#define TITLE_MAX 1000 /* bytes; a title that is so long takes no more lines */

const char *parser_patch_form_name(parser_patch_form form)
{
	static const char *const names[] = { "mail", "inline", "scissors", "attached",
					     "branch" };

	return names[form];
}

void parser_patch_free(parser_patch *patch)
{
	if (!patch)
		return;
	g_free(patch->title);
	g_free(patch->author);
	g_free(patch->message);
	g_free(patch->diff);
	g_free(patch->url);
	g_free(patch->branch);
	g_free(patch->problem);
	g_free(patch);
}

/* ---- lines
 * ----------------------------------------------------------------------------- */

/* The line at *p, which moves behind it; false at the end. */
bool offer_line(const char **p, const char *end, const char **line, size_t *length)
{
	const char *nl;

	if (*p >= end)
		return false;
	nl = memchr(*p, '\n', (size_t)(end - *p));
	*line = *p;
	*length = (size_t)((nl ? nl : end) - *p);
	*p = nl ? nl + 1 : end;
	return true;
}

static bool begins(const char *line, size_t length, const char *prefix)
{
	size_t n = strlen(prefix);

	return length >= n && memcmp(line, prefix, n) == 0;
}

static bool is_diff_start(const char *line, size_t n, const char *next, const char *end)
{
	if (begins(line, n, "diff --git ") || begins(line, n, "diff -"))
		return true;
	if (begins(line, n, "Index: "))
		return begins(next, (size_t)(end - next), "=====");
	return begins(line, n, "--- ") && begins(next, (size_t)(end - next), "+++ ");
}

/* ---- what stands above a diff
 * ---------------------------------------------------------- */

static char *text_of(const char *s, size_t n)
{
	char *text = g_strndup(s, n);

	return g_strstrip(text);
}

static void set(char **place, char *value)
{
	g_free(*place);
	*place = *value ? value : NULL;
	if (!*value)
		g_free(value);
}

/* A header line of a patch that stands inside the mail; false if it is none. */
static bool take_field(parser_patch *patch, const char *line, size_t n)
{
	if (begins(line, n, "From: ")) {
		set(&patch->author, text_of(line + 6, n - 6));
	} else if (begins(line, n, "Author: ")) { /* as git show prints it */
		set(&patch->author, text_of(line + 8, n - 8));
	} else if (begins(line, n, "Subject: ")) {
		set(&patch->title, parser_title(line + 9, n - 9));
	} else if (begins(line, n, "Date: ")) {
		date_parse(line + 6, n - 6, &patch->date);
	} else {
		return diff_is_mbox_line(line, n) || begins(line, n, "Message-I") ||
		       begins(line, n, "commit ") || begins(line, n, "CommitDate: ") ||
		       begins(line, n, "AuthorDate: ") || begins(line, n, "Commit: ") ||
		       begins(line, n, "Merge: ") ||
		       begins(line, n, "MIME-Version: ") ||
		       begins(line, n, "Content-T") || begins(line, n, "X-") ||
		       begins(line, n, "In-Reply-To: ") ||
		       begins(line, n, "References: ") || begins(line, n, "To: ") ||
		       begins(line, n, "Cc: ");
	}
	return true;
}

/* A subject that is folded goes on in lines that begin with a blank. */
static void take_folded(parser_patch *patch, const char *line, size_t n)
{
	g_autofree char *joined = NULL;

	if (!patch->title || strlen(patch->title) >= TITLE_MAX)
		return;
	joined = g_strdup_printf("%s %.*s", patch->title, (int)n, line);
	set(&patch->title, parser_title(joined, strlen(joined)));
}

/* The header in front, if there is one; *p moves behind it and its blank line. */
static bool take_header(parser_patch *patch, const char **p, const char *end)
{
	const char *at = *p, *line;
	bool subject = false, any = false;
	size_t n;

	while (offer_line(&at, end, &line, &n)) {
		bool folded = any && subject && n && (*line == ' ' || *line == '\t');

		if (!n && !any) { /* blank lines above it */
			*p = at;
			continue;
		}
		if (folded)
			take_folded(patch, line, n);
		else if (!n || !take_field(patch, line, n))
			break;
		else
			subject = begins(line, n, "Subject: ");
		any = true;
		*p = at;
	}
	return any;
}

/* Lines up to "---" or the diff, without the indent that git show gives them. */
static void take_message(parser_patch *patch, const char **p, const char *end)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *at = *p, *line;
	size_t n;

	while (offer_line(&at, end, &line, &n)) {
		if ((n >= 3 && n <= 4 && begins(line, n, "---")) ||
		    is_diff_start(line, n, at, end))
			break;
		if (begins(line, n, "    ") && patch->author) {
			line += 4;
			n -= 4;
		}
		g_string_append_len(text, line, (gssize)n);
		g_string_append_c(text, '\n');
		*p = at;
	}
	g_free(patch->message);
	patch->message = g_strstrip(g_strdup(text->str));
}

/* A message without a Subject: of its own has the title as its first paragraph. */
static void title_from_message(parser_patch *patch)
{
	const char *blank;

	if (patch->title || !*patch->message)
		return;
	blank = strstr(patch->message, "\n\n");

	size_t n = blank ? (size_t)(blank - patch->message) : strlen(patch->message);

	if (n > 200 || memchr(patch->message, '\n', n))
		return;
	set(&patch->title, parser_title(patch->message, n));

	char *rest = g_strstrip(g_strdup(blank ? blank : ""));

	g_free(patch->message);
	patch->message = rest;
}

/* ---- a piece with one or more patches
 * --------------------------------------------------- */

/* Of a place that is behind all that were asked for before. */
static unsigned line_number(offer_reader *r, const char *at)
{
	if (!r->counted || r->counted > at) {
		r->counted = r->text;
		r->line = 1;
	}
	for (; r->counted < at; r->counted++)
		r->line += *r->counted == '\n';
	return r->line;
}

/* Where the diff begins; NULL if there is none. */
static const char *diff_start(const char *p, const char *end)
{
	const char *line;
	size_t n;

	while (offer_line(&p, end, &line, &n))
		if (is_diff_start(line, n, p, end))
			return line;
	return NULL;
}

static parser_patch *last_of(const GPtrArray *patches)
{
	return patches->len ? g_ptr_array_index(patches, patches->len - 1) : NULL;
}

void offer_flush(offer_reader *r)
{
	parser_patch *last = last_of(r->patches);

	if (r->diff && last)
		last->diff = g_string_free(r->diff, FALSE);
	r->diff = NULL;
}

static void add_diff(offer_reader *r, parser_patch *patch, const char *start,
		     const char *end)
{
	g_autofree char *problem = NULL;
	g_autofree char *diff = offer_mend(start, end, r->flowed, r->delsp,
					   line_number(r, start), &problem);

	if (!r->diff)
		r->diff = g_string_new(NULL);
	g_string_append(r->diff, diff);
	if (!patch->problem)
		patch->problem = g_steal_pointer(&problem);
}

/* One patch, or more of the last one when it has no header of its own. */
static void read_one(offer_reader *r, const char *p, const char *end)
{
	parser_patch *last = last_of(r->patches);
	const char *diff = diff_start(p, end), *line, *behind = p;
	parser_patch *patch;
	bool headed;
	size_t n;

	if (!diff || r->patches->len >= PARSER_PATCHES_MAX)
		return;
	patch = g_new0(parser_patch, 1);
	patch->form = r->form;
	patch->message = g_strdup("");
	patch->date = r->mail->date;
	while (offer_line(&behind, diff, &line, &n) &&
	       (!n || diff_is_scissors(line, n))) {
		if (n)
			patch->form = PARSER_PATCH_SCISSORS;
		p = behind;
	}
	headed = take_header(patch, &p, diff) || patch->form != r->form ||
		 r->form == PARSER_PATCH_MAIL;
	if (headed)
		take_message(patch, &p, diff);
	if (headed && !patch->title && patch->form == PARSER_PATCH_MAIL)
		set(&patch->title,
		    parser_title(r->mail->subject, strlen(r->mail->subject)));
	else if (headed)
		title_from_message(patch);
	if (last && r->diff && last->form == patch->form &&
	    (!headed || patch->form == PARSER_PATCH_MAIL)) {
		add_diff(r, last, diff, end);
		parser_patch_free(patch);
		return;
	}
	offer_flush(r);
	g_ptr_array_add(r->patches, patch);
	add_diff(r, patch, diff, end);
}

void offer_read_piece(offer_reader *r, const char *start, const char *end)
{
	const char *p = start, *line, *from = start;
	size_t n;

	while (offer_line(&p, end, &line, &n))
		if (line > from &&
		    (diff_is_mbox_line(line, n) || diff_is_scissors(line, n))) {
			read_one(r, from, line);
			from = line;
		}
	read_one(r, from, end);
}
