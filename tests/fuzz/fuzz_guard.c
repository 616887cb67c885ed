/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guard says the same of a stream however it is cut into reads, and lets no line
 * pass that is longer than its cap.
 */
#include <stdlib.h>
#include <string.h>

#include "mailer/guard.h"
#include "tests/fuzz/fuzz.h"

#define LINE 40

/* Feeds pieces of so many bytes; returns whether all passed. */
static bool feed(const char *bytes, size_t length, size_t piece)
{
	guard g = { .caps = { .line = LINE, .literal = 64, .depth = 5 } };
	g_autoptr(GError) error = NULL;

	for (size_t at = 0; at < length; at += piece)
		if (!guard_feed(&g, bytes + at, MIN(piece, length - at), &error)) {
			if (!error)
				abort();
			return false;
		}
	return true;
}

static bool has_long_line(const char *bytes, size_t length)
{
	size_t line = 0;

	for (size_t i = 0; i < length; i++) {
		line = bytes[i] == '\n' ? 0 : line + 1;
		if (line > LINE + 1) /* its CR */
			return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	bool whole = feed(bytes, size, size ? size : 1);

	if (feed(bytes, size, 1) != whole || feed(bytes, size, 7) != whole)
		abort();
	if (whole && has_long_line(bytes, size) && !memchr(bytes, '{', size))
		abort();
	return 0;
}
