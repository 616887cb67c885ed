/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Caps on what servers send.  libetpan reads a line of any length into memory, takes
 * its buffers from the size that a literal claims, and parses nested lists by
 * recursion; so it must not get to see what passes these caps.
 */
#include "mailer/guard.h"

#include <string.h>

#include "mailer/mailer.h"

static void keep_tail(guard *g, const char *bytes, size_t length)
{
	size_t room = sizeof g->tail;

	if (length >= room) {
		memcpy(g->tail, bytes + length - room, room);
		g->n_tail = room;
		return;
	}
	if (g->n_tail + length > room) {
		size_t drop = g->n_tail + length - room;

		memmove(g->tail, g->tail + drop, g->n_tail - drop);
		g->n_tail -= drop;
	}
	memcpy(g->tail + g->n_tail, bytes, length);
	g->n_tail += length;
}

/* The size that "{N}" or "{N+}" at the end of the line announces; false: no literal. */
static bool literal_size(const guard *g, size_t *size)
{
	size_t i = g->n_tail;
	size_t digits = 0, value = 0, place = 1;

	if (i && g->tail[i - 1] == '\r')
		i--;
	if (!i || g->tail[--i] != '}')
		return false;
	if (i && g->tail[i - 1] == '+')
		i--;
	while (i && g_ascii_isdigit(g->tail[i - 1])) {
		size_t digit = (size_t)(g->tail[--i] - '0');

		if (++digits > 18)
			value = SIZE_MAX;
		else if (value != SIZE_MAX)
			value += digit * place;
		place = digits < 18 ? place * 10 : 1;
	}
	/* A tail that is full of digits began before what was kept: too large as well.
	 */
	if (!digits || (i ? g->tail[i - 1] != '{' : g->n_tail < sizeof g->tail))
		return false;
	*size = i ? value : SIZE_MAX;
	return true;
}

static bool end_line(guard *g, GError **error)
{
	size_t size = 0;

	g->line = 0;
	if (!g->caps.literal || !literal_size(g, &size)) {
		g->depth = 0;
		g->n_tail = 0;
		return true;
	}
	g->n_tail = 0;
	if (size > g->caps.literal) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "a literal of more than %zu bytes is announced",
			    g->caps.literal);
		return false;
	}
	g->literal_left = size;
	return true;
}

static bool count_depth(guard *g, const char *bytes, size_t length, GError **error)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '(' && ++g->depth > g->caps.depth) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
				    "an answer with more than %u open parentheses",
				    g->caps.depth);
			return false;
		}
		if (bytes[i] == ')' && g->depth)
			g->depth--;
	}
	return true;
}

static bool feed_line(guard *g, const char *bytes, size_t length, GError **error)
{
	g->line += length;
	if (g->caps.line && g->line > g->caps.line) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "a line of more than %zu bytes", g->caps.line);
		return false;
	}
	if (g->caps.depth && !count_depth(g, bytes, length, error))
		return false;
	keep_tail(g, bytes, length);
	return true;
}

bool guard_feed(guard *g, const char *bytes, size_t length, GError **error)
{
	while (length) {
		if (g->literal_left) {
			size_t skip = MIN(g->literal_left, length);

			g->literal_left -= skip;
			bytes += skip;
			length -= skip;
			continue;
		}

		const char *newline = memchr(bytes, '\n', length);
		size_t part = newline ? (size_t)(newline - bytes) : length;

		if (!feed_line(g, bytes, part, error) ||
		    (newline && !end_line(g, error)))
			return false;
		bytes += part + (newline != NULL);
		length -= part + (newline != NULL);
	}
	return true;
}
