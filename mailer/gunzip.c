/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/gunzip.h"

#include <zlib.h>

#include "mailer/unpack.h"

#define CHUNK       (256u << 10)
#define GZIP_WINDOW (15 + 16) /* zlib: gzip header required */

struct gunzip {
	z_stream z;
	gunzip_fn fn;
	void *context;
	uint64_t max, packed, unpacked;
	bool begun;   /* within a member */
	bool full;    /* there may be more output without more input */
	bool any;     /* a member has ended */
	bool padding; /* behind the last one there are zeros alone */
	Bytef out[CHUNK];
};

gunzip *gunzip_new(uint64_t max, gunzip_fn fn, void *context)
{
	gunzip *g = g_new0(gunzip, 1);

	g->max = max;
	g->fn = fn;
	g->context = context;
	if (inflateInit2(&g->z, GZIP_WINDOW) == Z_OK)
		return g;
	g_error("zlib: cannot be set up"); /* as GLib does without memory */
}

void gunzip_free(gunzip *g)
{
	if (!g)
		return;
	inflateEnd(&g->z);
	g_free(g);
}

/* Inflates a part; *ended at the end of a member. */
static const char *step(gunzip *g, bool *ended)
{
	uInt before = g->z.avail_in;
	int code;
	size_t n;

	g->z.next_out = g->out;
	g->z.avail_out = CHUNK;
	code = inflate(&g->z, Z_NO_FLUSH);
	n = CHUNK - g->z.avail_out;
	g->packed += before - g->z.avail_in;
	g->unpacked += n;
	g->full = g->z.avail_out == 0;
	*ended = code == Z_STREAM_END;
	if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
		return "is damaged";
	if (g->unpacked > g->max)
		return "unpacks to more than the limit";
	if (unpack_is_bomb(g->packed, g->unpacked))
		return "unpacks to a size that no mail or result has";
	return !n || g->fn((const char *)g->out, n, g->context) ? NULL : "is refused";
}

/* gzip files may be padded with zeros; tapes did, and tools still accept it. */
static void skip_padding(gunzip *g)
{
	while (g->any && !g->begun && g->z.avail_in && *g->z.next_in == 0) {
		g->z.next_in++;
		g->z.avail_in--;
		g->padding = true;
	}
}

/* All of the input there is, and what a full buffer held back. */
static const char *consume(gunzip *g)
{
	for (;;) {
		bool ended = false;
		const char *wrong;

		skip_padding(g);
		if (!g->z.avail_in && !g->full)
			return NULL;
		if (g->padding)
			return "is damaged";
		g->begun = true;
		wrong = step(g, &ended);
		if (wrong)
			return wrong;
		if (!ended)
			continue;
		g->begun = g->full = false;
		g->any = true;
		if (inflateReset(&g->z) != Z_OK)
			return "is damaged";
	}
}

const char *gunzip_feed(gunzip *g, const void *bytes, size_t length)
{
	const Bytef *p = bytes;

	while (length) {
		uInt part = (uInt)MIN(length, 1u << 30);

		g->z.next_in = (Bytef *)(guintptr)p;
		g->z.avail_in = part;
		p += part;
		length -= part;

		const char *wrong = consume(g);

		if (wrong)
			return wrong;
	}
	return NULL;
}

const char *gunzip_end(const gunzip *g)
{
	return g->begun || !g->any ? "is truncated" : NULL;
}
