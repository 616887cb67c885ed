/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gzip and xz, recognised by content: archives name such files as they like. */
#include "mailer/unpack.h"

#include <lzma.h>
#include <stdbool.h>
#include <string.h>

#include "mailer/gunzip.h"
#include "mailer/mailer.h"

#define CHUNK      (256u << 10)
#define XZ_MEM_MAX (256ull << 20)
#define FREE_SIZE  (64ull << 20)
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
bool unpack_is_bomb(uint64_t packed, uint64_t unpacked)
{
	return unpacked > FREE_SIZE && unpacked / RATIO_MAX > packed;
}

/* Returns NULL, or why this is too much; `packed` bytes of input gave all of it. */
static const char *append(GByteArray *out, const guint8 *bytes, size_t n,
			  uint64_t packed)
{
	if (out->len + n >= MAILER_UNPACKED_MAX)
		return "unpacks to more than the limit";
	if (unpack_is_bomb(packed, out->len + n))
		return "unpacks to a size that no mail or result has";
	g_byte_array_append(out, bytes, (guint)n);
	return NULL;
}

static bool take(const char *bytes, size_t length, void *context)
{
	g_byte_array_append(context, (const guint8 *)bytes, (guint)length);
	return true;
}

static GBytes *unpack_gzip(GBytes *bytes, const char *name, GError **error)
{
	gsize length;
	const void *data = g_bytes_get_data(bytes, &length);
	g_autoptr(GByteArray) out = g_byte_array_new();
	/* A GByteArray holds less than the limit, by one. */
	g_autoptr(gunzip) g = gunzip_new(MAILER_UNPACKED_MAX - 1, take, out);
	const char *what = gunzip_feed(g, data, length);

	if (!what)
		what = gunzip_end(g);
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
