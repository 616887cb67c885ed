/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patches inside a mail: diffs by their hunks' own counts, with what belongs to them.
 */
#include <string.h>

#include "parser/diff.h"
#include "parser/lines.h"

#define STAT_LINES_MAX 200 /* between "---" and the diff */

static bool hunk_counts(const lines *l, guint i, unsigned *old, unsigned *new)
{
	return diff_hunk_counts(line_body(l, i), line_length(l, i), old, new);
}

/* A line of a diff that is none of a hunk's own. */
static bool is_diff_head(const lines *l, guint i)
{
	return line_begins(l, i, "@@ ") || line_begins(l, i, "\\ No newline") ||
	       line_begins(l, i, "GIT binary") ||
	       diff_is_head(line_body(l, i), line_length(l, i));
}

/* A diff begins at line i. */
static bool is_diff_start(const lines *l, guint i)
{
	unsigned old, new;

	if (line_begins(l, i, "diff --git ") || line_begins(l, i, "diff -"))
		return true;
	if (line_begins(l, i, "Index: "))
		return i + 1 < l->n && line_begins(l, i + 1, "=====");
	if (line_begins(l, i, "@@ "))
		return hunk_counts(l, i, &old, &new);
	return line_begins(l, i, "--- ") && i + 1 < l->n &&
	       line_begins(l, i + 1, "+++ ");
}

/* The line after the hunk whose "@@" line is i. */
static guint hunk_end(const lines *l, guint i)
{
	unsigned old, new;

	if (!hunk_counts(l, i, &old, &new))
		return i + 1;
	for (i++; i < l->n && (old || new); i++) {
		char c = l->list[i].start < l->list[i].end ? l->text[l->list[i].start] :
							     ' ';

		if (l->list[i].depth || (l->list[i].settled && c != ' '))
			return i;
		if (c == '+')
			new -= new ? 1 : 0;
		else if (c == '-')
			old -= old ? 1 : 0;
		else if (c == ' ' || c == '\t') {
			old -= old ? 1 : 0;
			new -= new ? 1 : 0;
		} else if (is_diff_head(l, i)) {
			return i;
		} /* anything else: the tail of a line that a client wrapped */
	}
	return i;
}

static guint diff_end(const lines *l, guint i)
{
	while (i < l->n && line_is_free(l, i)) {
		if (line_begins(l, i, "@@ ")) {
			i = hunk_end(l, i);
		} else if (is_diff_head(l, i)) {
			i++;
		} else if (line_is_blank(l, i) && i + 1 < l->n &&
			   is_diff_start(l, i + 1)) {
			i++;
		} else {
			break;
		}
	}
	return i;
}

/* ---- what belongs to a diff
 * ---------------------------------------------------------- */

/* " kernel/x.c | 12 ++--", " 2 files changed, ...", " create mode ...". */
static bool is_diffstat(const lines *l, guint i)
{
	return line_begins(l, i, " ") &&
	       (line_holds(l, i, " | ") || line_holds(l, i, " changed, ") ||
		line_holds(l, i, " mode ") || line_holds(l, i, "=> "));
}

/* The "---" above the diffstat above the diff at `diff`, else `diff` itself. */
static guint stat_start(const lines *l, guint diff)
{
	guint i = diff;

	for (guint n = 0; i > 0 && n < STAT_LINES_MAX && line_is_free(l, i - 1); n++) {
		if (line_begins(l, i - 1, "---") && line_length(l, i - 1) <= 4)
			return i - 1;
		if (!is_diffstat(l, i - 1) && !line_is_blank(l, i - 1) &&
		    !line_begins(l, i - 1, "Changes") && n > 60)
			break;
		i--;
	}
	return diff;
}

/* "commit <hex>" above "Author: ": what `git show` prints. */
static bool is_shown_commit(const lines *l, guint i)
{
	return line_begins(l, i, "commit ") && line_length(l, i) >= 7 + 7 &&
	       i + 1 < l->n &&
	       (line_begins(l, i + 1, "Author: ") || line_begins(l, i + 1, "Merge: "));
}

/* The line after the header and the indented message of a shown commit. */
static guint shown_end(const lines *l, guint i)
{
	guint last = i;

	for (guint j = i; j < l->n && line_is_free(l, j) && !line_is_blank(l, j); j++)
		last = j;
	for (guint j = last + 1; j < l->n && line_is_free(l, j); j++) {
		if (line_begins(l, j, "    "))
			last = j;
		else if (!line_is_blank(l, j))
			break;
	}
	return last + 1;
}

/* "From: ", "Subject: [PATCH" or "From <hex> Mon Sep 17": a patch mail inside the mail.
 */
static bool is_patch_header(const lines *l, guint i)
{
	if (line_begins(l, i, "Subject: [") && line_holds(l, i, "PATCH"))
		return true;
	if (line_begins(l, i, "From: ") && line_holds(l, i, "@") && i > 0 &&
	    i + 1 < l->n)
		return line_is_blank(l, i + 1) && line_is_blank(l, i - 1);
	return diff_is_mbox_line(line_body(l, i), line_length(l, i));
}

static bool is_field(const lines *l, guint i)
{
	static const char *const names[] = {
		"From: ", "Date: ", "Subject: ", "Message-Id: ", "Message-ID: ", "From "
	};

	for (size_t k = 0; k < G_N_ELEMENTS(names); k++)
		if (line_begins(l, i, names[k]))
			return true;
	return false;
}

/* The first of the header lines around a patch header at i. */
static guint header_start(const lines *l, guint i)
{
	bool named = line_begins(l, i, "From: ");

	while (i > 0 && line_is_free(l, i - 1) && is_field(l, i - 1))
		i--;
	/* A patch that is pasted without its header has its title above its author. */
	if (named && i > 2 && line_is_blank(l, i - 1) && line_is_free(l, i - 2) &&
	    line_holds(l, i - 2, ": ") && line_is_blank(l, i - 3))
		i -= 2;
	return i;
}

static bool is_scissors(const lines *l, guint i)
{
	return diff_is_scissors(line_body(l, i), line_length(l, i));
}

/* ---- the mail
 * ---------------------------------------------------------------------------- */

/* Marks from `start`, where a header or scissors stands, through the diff at `diff`. */
static guint mark_patch(lines *l, guint start, guint diff)
{
	guint end = diff_end(l, diff);

	lines_settle(l, start, end, PARSER_SPAN_PATCH);
	return end;
}

/* Lines between two scissors are not the author's answer, whatever they are. */
static void mark_scissors(lines *l)
{
	guint open = G_MAXUINT;

	for (guint i = 0; i < l->n; i++) {
		if (!line_is_free(l, i) || !is_scissors(l, i))
			continue;
		if (open == G_MAXUINT) {
			open = i;
		} else {
			lines_settle(l, open, i + 1, PARSER_SPAN_PATCH);
			open = G_MAXUINT;
		}
	}
	for (guint i = open == G_MAXUINT ? l->n : open; i < l->n; i++)
		if (line_is_free(l, i) &&
		    (is_diff_start(l, i) || is_patch_header(l, i))) {
			/* Unclosed: to the end, or to the next quote. */
			for (guint j = open; j < l->n && l->list[j].depth == 0; j++)
				lines_settle(l, j, j + 1, PARSER_SPAN_PATCH);
			return;
		}
}

void patches_mark(lines *l)
{
	guint header = G_MAXUINT, i = 0;

	mark_scissors(l);
	while (i < l->n) {
		if (!line_is_free(l, i)) {
			header = l->list[i].depth ? G_MAXUINT : header;
			i++;
		} else if (is_shown_commit(l, i)) {
			guint end = shown_end(l, i);

			lines_settle(l, i, end, PARSER_SPAN_PATCH);
			i = end;
		} else if (is_diff_start(l, i)) {
			guint start = header != G_MAXUINT ? header : stat_start(l, i);

			i = MAX(i + 1, mark_patch(l, start, i));
			header = G_MAXUINT;
		} else {
			if (header == G_MAXUINT && is_patch_header(l, i))
				header = header_start(l, i);
			i++;
		}
	}
}
