/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of `git log`, without copying what comes in one piece. */
#include "parser/log.h"

#include <string.h>

/* The line at *p; *p moves behind it.  NULL at the end. */
static const char *next_line(const char **p, const char *end, size_t *length)
{
	const char *line = *p, *nl;

	if (line >= end)
		return NULL;
	nl = memchr(line, '\n', (size_t)(end - line));
	*length = (size_t)((nl ? nl : end) - line);
	*p = nl ? nl + 1 : end;
	return line;
}

static bool is_hash(const char *s, size_t length)
{
	if (length != 40 && length != 64)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isdigit(s[i]) && (s[i] < 'a' || s[i] > 'f'))
			return false;
	return true;
}

/* Digits alone; what is no number is a clock that nobody knows. */
static int64_t to_time(const char *s, size_t length)
{
	int64_t value = 0;

	if (!length || length > 15)
		return 0;
	for (size_t i = 0; i < length; i++) {
		if (!g_ascii_isdigit(s[i]))
			return 0;
		value = value * 10 + (s[i] - '0');
	}
	return value;
}

bool parser_logged_read(const char *record, size_t length, parser_logged *commit)
{
	const char *p = record, *end = record + length, *line;
	size_t n = 0;

	*commit = (parser_logged){ 0 };
	commit->id = next_line(&p, end, &commit->id_length);
	if (!commit->id || !is_hash(commit->id, commit->id_length))
		return false;
	line = next_line(&p, end, &n);
	commit->committed = line ? to_time(line, n) : 0;
	line = next_line(&p, end, &n);
	commit->authored = line ? to_time(line, n) : 0;
	commit->author = next_line(&p, end, &commit->author_length);
	if (!commit->author)
		return false;
	commit->message = p;
	commit->length = (size_t)(end - p);
	return true;
}

char *parser_logged_subject(const parser_logged *commit)
{
	const char *p = commit->message, *end = p + commit->length, *line;
	g_autoptr(GString) subject = g_string_new(NULL);
	size_t n;

	while ((line = next_line(&p, end, &n))) {
		while (n && g_ascii_isspace(line[n - 1]))
			n--;
		if (!n && subject->len)
			break;
		if (subject->len && n)
			g_string_append_c(subject, ' ');
		g_string_append_len(subject, line, (gssize)n);
	}
	return g_utf8_make_valid(subject->str, (gssize)subject->len);
}

/* ---- pieces
 * --------------------------------------------------------------------------- */

void parser_log_init(parser_log *log)
{
	*log = (parser_log){ .rest = g_string_new(NULL) };
}

void parser_log_clear(parser_log *log)
{
	if (log->rest)
		g_string_free(log->rest, TRUE);
	log->rest = NULL;
}

static bool take(parser_log *log, const char *record, size_t length, parser_log_fn fn,
		 void *context)
{
	parser_logged commit;

	/* What ends a log of no commits at all, or follows the last NUL. */
	if (!length || (length == 1 && *record == '\n'))
		return true;
	log->records++;
	if (!parser_logged_read(record, length, &commit)) {
		log->broken++;
		return true;
	}
	commit.cut = log->cut;
	return fn(&commit, context);
}

/* Keeps what does not end here: its beginning and, with the trailers, its end. */
static void keep(parser_log *log, const char *bytes, size_t length)
{
	while (length) {
		size_t n = MIN(length, PARSER_LOG_RECORD_MAX / 4);

		g_string_append_len(log->rest, bytes, (gssize)n);
		bytes += n;
		length -= n;
		if (log->rest->len > PARSER_LOG_RECORD_MAX) {
			log->cut = true;
			g_string_erase(log->rest, PARSER_LOG_RECORD_MAX / 4,
				       PARSER_LOG_RECORD_MAX / 2);
		}
	}
}

bool parser_log_end(parser_log *log, parser_log_fn fn, void *context)
{
	bool go_on = take(log, log->rest->str, log->rest->len, fn, context);

	g_string_truncate(log->rest, 0);
	log->cut = false;
	return go_on;
}

bool parser_log_feed(parser_log *log, const char *bytes, size_t length,
		     parser_log_fn fn, void *context)
{
	const char *end = bytes + length;

	while (bytes < end) {
		const char *zero = memchr(bytes, '\0', (size_t)(end - bytes));
		bool whole = zero && !log->rest->len;

		if (!zero) {
			keep(log, bytes, (size_t)(end - bytes));
			return true;
		}
		if (!whole)
			keep(log, bytes, (size_t)(zero - bytes));
		if (whole ? !take(log, bytes, (size_t)(zero - bytes), fn, context) :
			    !parser_log_end(log, fn, context))
			return false;
		bytes = zero + 1;
	}
	return true;
}
