/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/lines.h"

#include <string.h>

#include "mailer/mailer.h"

#define ROOM  65536u
#define CHUNK (1u << 20) /* a size that was only claimed is not memory yet */

struct lines {
	wire *wire;
	char *buffer;
	size_t start, end, room; /* what is read and not taken; size of buffer */
};

lines *lines_new(wire *w)
{
	lines *l = g_new0(lines, 1);

	l->wire = w;
	l->room = ROOM;
	l->buffer = g_malloc(l->room);
	return l;
}

void lines_free(lines *l)
{
	if (!l)
		return;
	wire_free(l->wire);
	g_free(l->buffer);
	g_free(l);
}

wire *lines_wire(const lines *l)
{
	return l->wire;
}

void lines_allow(lines *l, unsigned seconds)
{
	wire_allow(l->wire, seconds, SIZE_MAX);
}

static bool fail(const lines *l, GError **error)
{
	const GError *fault = wire_fault(l->wire);

	if (fault)
		g_propagate_error(error, g_error_copy(fault));
	else
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "the connection is lost");
	return false;
}

static bool fill(lines *l, GError **error)
{
	if (l->start) {
		memmove(l->buffer, l->buffer + l->start, l->end - l->start);
		l->end -= l->start;
		l->start = 0;
	}
	if (l->end == l->room) {
		l->room *= 2;
		l->buffer = g_realloc(l->buffer, l->room);
	}

	ssize_t n = wire_read(l->wire, l->buffer + l->end, l->room - l->end);

	if (n <= 0)
		return fail(l, error);
	l->end += (size_t)n;
	return true;
}

/* A line of megabytes leaves no buffer of megabytes behind. */
static void shrink(lines *l)
{
	if (l->room == ROOM || l->end - l->start >= ROOM)
		return;
	memmove(l->buffer, l->buffer + l->start, l->end - l->start);
	l->end -= l->start;
	l->start = 0;
	l->room = ROOM;
	l->buffer = g_realloc(l->buffer, l->room);
}

char *lines_next(lines *l, size_t max, size_t *length, GError **error)
{
	size_t looked = 0;
	char *newline;

	shrink(l);
	while (!(newline = memchr(l->buffer + l->start + looked, '\n',
				  l->end - l->start - looked))) {
		looked = l->end - l->start;
		if (looked > max) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
				    "a line of more than %zu bytes", max);
			return NULL;
		}
		if (!fill(l, error))
			return NULL;
	}

	char *line = l->buffer + l->start;
	char *end = newline > line && newline[-1] == '\r' ? newline - 1 : newline;

	l->start = (size_t)(newline + 1 - l->buffer);
	*end = '\0';
	if (length)
		*length = (size_t)(end - line);
	return line;
}

bool lines_take(lines *l, size_t n, GByteArray *into, GError **error)
{
	while (n) {
		if (l->start == l->end && !fill(l, error))
			return false;

		size_t part = MIN(MIN(n, l->end - l->start), CHUNK);

		if (into)
			g_byte_array_append(into, (const guint8 *)l->buffer + l->start,
					    (guint)part);
		l->start += part;
		n -= part;
	}
	return true;
}

bool lines_send(lines *l, const char *bytes, size_t length, GError **error)
{
	return wire_write(l->wire, bytes, length) || fail(l, error);
}

bool lines_pending(const lines *l)
{
	return l->end > l->start || wire_pending(l->wire);
}
