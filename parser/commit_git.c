/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of a commit from its git object. */
#include <string.h>

#include "parser/error.h"
#include "parser/log.h"
#include "parser/results.h"

#define COMMIT_MAX (16u << 20) /* bytes of a commit object that are looked at */

/* "Name <address> 1690000000 +0800" */
static void read_signature(const char *text, parser_commit *commit)
{
	const char *open = strchr(text, '<');
	const char *close = open ? strchr(open, '>') : NULL;

	if (!close)
		return;
	commit->author_name = g_strstrip(g_strndup(text, (gsize)(open - text)));
	commit->author_address = g_strndup(open + 1, (gsize)(close - open - 1));
	commit->date = g_ascii_strtoll(close + 1, NULL, 10);
}

/* The commit's text as UTF-8, whatever it was written in. */
static char *to_utf8(const char *bytes, size_t length, const char *encoding)
{
	char *text = NULL;

	if (encoding && !g_utf8_validate(bytes, (gssize)length, NULL))
		text = g_convert(bytes, (gssize)length, "UTF-8", encoding, NULL, NULL,
				 NULL);
	return text ? text : g_utf8_make_valid(bytes, (gssize)length);
}

/* The value of a header line of a commit object; g_free. */
static char *header(const char *text, const char *end, const char *name)
{
	size_t n = strlen(name);

	for (const char *line = text; line < end;) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop ? stop : end;
		if ((size_t)(stop - line) > n && memcmp(line, name, n) == 0 &&
		    line[n] == ' ')
			return g_strndup(line + n + 1, (gsize)(stop - line) - n - 1);
		line = stop + 1;
	}
	return NULL;
}

parser_commit *parser_commit_from_git(const char *bytes, size_t length, GError **error)
{
	g_autoptr(parser_commit) commit = parser_commit_new();
	g_autofree char *text = NULL, *author = NULL, *tree = NULL, *encoding = NULL;
	const char *raw_blank =
		length > COMMIT_MAX ? NULL : memmem(bytes, length, "\n\n", 2);
	const char *blank;
	parser_logged message = { 0 };

	encoding = header(bytes, raw_blank ? raw_blank : bytes, "encoding");
	text = to_utf8(bytes, MIN(length, COMMIT_MAX), encoding);
	blank = strstr(text, "\n\n");
	tree = header(text, blank ? blank : text, "tree");
	author = header(text, blank ? blank : text, "author");
	if (!tree || !author) {
		g_set_error(error, PARSER_ERROR, PARSER_ERROR_INVALID,
			    "no commit object: it has no %s line",
			    tree ? "author" : "tree");
		return NULL;
	}
	read_signature(author, commit);
	message.message = blank + 2;
	message.length = strlen(blank + 2);
	commit->subject = parser_logged_subject(&message);
	g_ptr_array_unref(commit->trailers);
	commit->trailers = parser_trailers_of_commit(blank + 2);
	return g_steal_pointer(&commit);
}
