/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gzip and xz, recognised by content: archives name such files as they like. */
#include "mailer/unpack.h"

#include <lzma.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "mailer/mailer.h"

#define CHUNK       (256u << 10)
#define XZ_MEM_MAX  (256ull << 20)
#define GZIP_WINDOW (15 + 16) /* zlib: gzip header required */
#define FREE_SIZE   (64ull << 20)
#define RATIO_MAX                                                                      \
	250 /* text packs 4 to 12 times, runs of zeros 1,000 times and more            \
	     */

static GBytes *broken(const char *name, const char *kind, const char *what,
		      GError **error)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT, "%s: %s data %s", name,
		    kind, what);
	return NULL;
}

/* So much output from so little input is no honest file. */
static bool is_bomb(uint64_t packed, uint64_t unpacked)
{
	return unpacked > FREE_SIZE && unpacked / RATIO_MAX > packed;
}

/* Returns NULL, or why this is too much; `packed` bytes of input gave all of it. */
static const char *append(GByteArray *out, const guint8 *bytes, size_t n,
			  uint64_t packed)
{
	if (out->len + n >= MAILER_UNPACKED_MAX)
		return "unpacks to more than the limit";
	if (is_bomb(packed, out->len + n))
		return "unpacks to a size that no mail or result has";
	g_byte_array_append(out, bytes, (guint)n);
	return NULL;
}

/* gzip files may be padded with zeros; tapes did, and tools still accept it. */
static bool is_padding(const z_stream *z, gsize left)
{
	for (gsize i = 0; i < left; i++)
		if (z->next_in[i] != 0)
			return false;
	return true;
}

/* Inflates all members.  Returns NULL when done, else what is wrong. */
static const char *inflate_members(z_stream *z, gsize left, GByteArray *out)
{
	g_autofree guint8 *chunk = g_malloc(CHUNK);
	const gsize length = left;

	for (;;) {
		uInt given = (uInt)MIN(left, 1u << 30);

		z->avail_in = given;
		z->next_out = chunk;
		z->avail_out = CHUNK;

		int code = inflate(z, Z_NO_FLUSH);

		left -= given - z->avail_in;
		const char *refused =
			append(out, chunk, CHUNK - z->avail_out, length - left);

		if (refused)
			return refused;
		if (code == Z_STREAM_END) {
			if (is_padding(z, left))
				return NULL;
			if (inflateReset(z) != Z_OK)
				return "is damaged";
		} else if (code == Z_BUF_ERROR ||
			   (code == Z_OK && left == 0 && z->avail_out > 0)) {
			return "is truncated";
		} else if (code != Z_OK) {
			return "is damaged";
		}
	}
}

static GBytes *unpack_gzip(GBytes *bytes, const char *name, GError **error)
{
	gsize length;
	const guint8 *data = g_bytes_get_data(bytes, &length);
	g_autoptr(GByteArray) out = g_byte_array_new();
	z_stream z = { .next_in = (Bytef *)(guintptr)data };

	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return broken(name, "gzip", "cannot be unpacked", error);

	const char *what = inflate_members(&z, length, out);

	inflateEnd(&z);
	if (what)
		return broken(name, "gzip", what, error);
	return g_byte_array_free_to_bytes(g_steal_pointer(&out));
}

static const char *xz_problem(lzma_ret code)
{
	switch (code) {
	case LZMA_BUF_ERROR:
		return "is truncated";
	case LZMA_MEMLIMIT_ERROR:
		return "needs more memory than the limit to unpack";
	default:
		return "is damaged";
	}
}

static const char *decode_xz(lzma_stream *xz, GByteArray *out)
{
	g_autofree guint8 *chunk = g_malloc(CHUNK);
	lzma_ret code = LZMA_OK;

	while (code == LZMA_OK) {
		xz->next_out = chunk;
		xz->avail_out = CHUNK;
		code = lzma_code(xz, LZMA_FINISH);

		const char *refused =
			append(out, chunk, CHUNK - xz->avail_out, xz->total_in);

		if (refused)
			return refused;
	}
	return code == LZMA_STREAM_END ? NULL : xz_problem(code);
}

static GBytes *unpack_xz(GBytes *bytes, const char *name, GError **error)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	lzma_stream xz = LZMA_STREAM_INIT;

	if (lzma_stream_decoder(&xz, XZ_MEM_MAX, LZMA_CONCATENATED) != LZMA_OK)
		return broken(name, "xz", "cannot be unpacked", error);
	xz.next_in = g_bytes_get_data(bytes, &xz.avail_in);

	const char *what = decode_xz(&xz, out);

	lzma_end(&xz);
	if (what)
		return broken(name, "xz", what, error);
	return g_byte_array_free_to_bytes(g_steal_pointer(&out));
}

GBytes *unpack_bytes(GBytes *bytes, const char *name, GError **error)
{
	gsize length;
	const char *data = g_bytes_get_data(bytes, &length);

	if (length >= 2 && memcmp(data, "\x1f\x8b", 2) == 0)
		return unpack_gzip(bytes, name, error);
	if (length >= 6 && memcmp(data,
				  "\xfd"
				  "7zXZ\0",
				  6) == 0)
		return unpack_xz(bytes, name, error);
	return g_bytes_ref(bytes);
}
