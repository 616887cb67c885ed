/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands and the answers that end them; mailboxes; IDLE. */
#include "mailer/imap.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "mailer/imap_text.h"
#include "mailer/mailer.h"
#include "mailer/text.h"
#include "mailer/waits.h"

#define IDLE_MAX (25u * 60) /* servers end a session after 30 minutes of silence */

static void allow(imap *s)
{
	lines_allow(s->lines, s->timeout);
}

unsigned imap_say(imap *s, const char *command, GError **error)
{
	unsigned tag = ++s->tag;
	g_autofree char *line = g_strdup_printf("a%u %s\r\n", tag, command);

	allow(s);
	return lines_send(s->lines, line, strlen(line), error) ? tag : 0;
}

/* Answers in words, which may end as they like. */
static bool is_words(const char *line)
{
	return imap_starts(line, "OK ") || imap_starts(line, "NO ") ||
	       imap_starts(line, "BAD ") || imap_starts(line, "BYE ");
}

bool imap_skip(imap *s, const char *line, GError **error)
{
	uint64_t size;

	if (is_words(line))
		return true;
	while (imap_literal_at_end(line, &size)) {
		if (size > IMAP_LINE_MAX) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
				    "a literal of %" G_GUINT64_FORMAT
				    " bytes where none belongs",
				    size);
			return false;
		}
		if (!lines_take(s->lines, size, NULL, error))
			return false;
		line = lines_next(s->lines, IMAP_LINE_MAX, NULL, error);
		if (!line)
			return false;
	}
	return true;
}

static bool take_data(imap *s, char *line, imap_line_fn fn, void *context,
		      GError **error)
{
	uint64_t number;
	const char *rest = text_number(line, &number);

	if (imap_starts(line, "BYE")) {
		g_autofree char *words = text_words(line);

		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "the server says goodbye: %s", words);
		return false;
	}
	if (rest && imap_starts(rest, " EXISTS"))
		s->exists = true;
	return fn ? fn(s, line, context, error) : imap_skip(s, line, error);
}

/* Codes of RFC 5530 that say: later. */
static bool is_passing(const char *line)
{
	static const char *const codes[] = { "[UNAVAILABLE]", "[INUSE]", "[LIMIT]",
					     "[SERVERBUG]" };

	for (size_t i = 0; i < G_N_ELEMENTS(codes); i++)
		if (imap_starts(line, codes[i]))
			return true;
	return false;
}

static imap_end judge(const char *line, GError **error)
{
	if (imap_starts(line, "OK"))
		return IMAP_OK;

	bool passing = imap_starts(line, "NO ") && is_passing(line + 3);
	g_autofree char *words = text_words(line);

	g_set_error(error, MAILER_ERROR,
		    passing ? MAILER_ERROR_TEMPORARY : MAILER_ERROR_REFUSED, "%s",
		    words);
	return imap_starts(line, "NO") || imap_starts(line, "BAD") ? IMAP_NO :
								     IMAP_BROKEN;
}

/* Behind "a17 "; NULL if the line is not that. */
static char *behind_tag(char *line, unsigned tag)
{
	char want[16];
	int n = g_snprintf(want, sizeof want, "a%u ", tag);

	return strncmp(line, want, (size_t)n) == 0 ? line + n : NULL;
}

static imap_end refuse_line(const char *line, GError **error)
{
	g_autofree char *words = text_words(line);

	g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
		    "not an answer of IMAP: %s", words);
	return IMAP_BROKEN;
}

imap_end imap_finish(imap *s, unsigned tag, imap_line_fn fn, void *context,
		     GError **error)
{
	for (;;) {
		char *line, *rest;

		allow(s);
		line = lines_next(s->lines, IMAP_LINE_MAX, NULL, error);
		if (!line)
			return IMAP_BROKEN;
		if (line[0] == '*' && line[1] == ' ') {
			if (!take_data(s, line + 2, fn, context, error))
				return IMAP_BROKEN;
			continue;
		}
		rest = behind_tag(line, tag);
		if (rest)
			return judge(rest, error);

		return refuse_line(line, error);
	}
}

imap_end imap_ask(imap *s, const char *command, imap_line_fn fn, void *context,
		  GError **error)
{
	unsigned tag = imap_say(s, command, error);

	return tag ? imap_finish(s, tag, fn, context, error) : IMAP_BROKEN;
}

static bool see_box(imap *s, char *line, void *context, GError **error)
{
	imap_box *box = context;
	uint64_t number;
	const char *rest = text_number(line, &number);

	if (rest && imap_starts(rest, " EXISTS"))
		box->exists = (uint32_t)MIN(number, G_MAXUINT32);
	if (imap_starts(line, "OK [UIDVALIDITY ") &&
	    text_number(line + strlen("OK [UIDVALIDITY "), &number))
		box->validity = (uint32_t)MIN(number, G_MAXUINT32);
	if (imap_starts(line, "OK [UIDNEXT ") &&
	    text_number(line + strlen("OK [UIDNEXT "), &number))
		box->next = (uint32_t)MIN(number, G_MAXUINT32);
	return imap_skip(s, line, error);
}

imap_end imap_examine(imap *s, const char *mailbox, imap_box *box, GError **error)
{
	g_autofree char *name = imap_quote_mailbox(mailbox);

	if (!name) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "a mailbox cannot have such a name");
		return IMAP_NO;
	}

	g_autofree char *command = g_strconcat("EXAMINE ", name, NULL);

	*box = (imap_box){ 0 };

	imap_end end = imap_ask(s, command, see_box, box, error);

	s->exists = false;
	return end;
}

/* Waits for a line, the time's end or the stop; false with *error set. */
static bool wait_for_line(imap *s, int64_t deadline, int stop_fd, bool *more,
			  GError **error)
{
	*more = lines_pending(s->lines);
	while (!*more) {
		struct pollfd p[] = {
			{ .fd = wire_fd(lines_wire(s->lines)), .events = POLLIN },
			{ .fd = stop_fd, .events = POLLIN },
		};
		int64_t left = deadline - g_get_monotonic_time();
		int n = left > 0 ? poll(p, 2, (int)MIN(left / 1000 + 1, G_MAXINT)) : 0;

		if (n < 0 && errno != EINTR) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
				    "poll: %s", g_strerror(errno));
			return false;
		}
		/* A stop by signal interrupts; who asked for it looks for himself. */
		if (n < 0 || p[1].revents || (n == 0 && left <= 0))
			return true;
		*more = p[0].revents != 0;
	}
	return true;
}

static imap_end leave_idle(imap *s, unsigned tag, GError **error)
{
	allow(s);
	if (!lines_send(s->lines, "DONE\r\n", 6, error))
		return IMAP_BROKEN;
	return imap_finish(s, tag, NULL, NULL, error);
}

imap_end imap_continue(imap *s, unsigned tag, GError **error)
{
	for (;;) {
		char *line, *rest;

		allow(s);
		line = lines_next(s->lines, IMAP_LINE_MAX, NULL, error);
		if (!line)
			return IMAP_BROKEN;
		if (line[0] == '+')
			return IMAP_OK;
		if (line[0] == '*' && line[1] == ' ') {
			if (!take_data(s, line + 2, NULL, NULL, error))
				return IMAP_BROKEN;
			continue;
		}
		rest = behind_tag(line, tag);
		if (rest && !imap_starts(rest, "OK"))
			return judge(rest, error);
		return refuse_line(line, error);
	}
}

imap_end imap_idle(imap *s, unsigned seconds, int stop_fd, bool *fresh, GError **error)
{
	int64_t deadline = deadline_in(MIN(seconds, IDLE_MAX));
	unsigned tag = imap_say(s, "IDLE", error);
	imap_end end = tag ? imap_continue(s, tag, error) : IMAP_BROKEN;
	bool more = true;

	if (end != IMAP_OK)
		return end;
	while (!s->exists) {
		if (!wait_for_line(s, deadline, stop_fd, &more, error))
			return IMAP_BROKEN;
		if (!more)
			break;
		allow(s);

		char *line = lines_next(s->lines, IMAP_LINE_MAX, NULL, error);

		if (!line)
			return IMAP_BROKEN;
		if (line[0] == '*' && line[1] == ' ' &&
		    !take_data(s, line + 2, NULL, NULL, error))
			return IMAP_BROKEN;
	}
	*fresh = s->exists;
	return leave_idle(s, tag, error);
}
