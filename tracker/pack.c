/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the store does to bytes: compression of mails, keyed hashes of ids. */
#include <string.h>
#include <zlib.h>

#include "tracker/db.h"

#define PACK_HEAD 8 /* bytes of length in front, little-endian */
#define PACK_MAX  (1u << 30)

GBytes *db_pack(const void *bytes, size_t length)
{
	if (!bytes)
		return NULL;

	uLongf size = compressBound(length);
	uint64_t head = GUINT64_TO_LE((uint64_t)length);
	g_autofree uint8_t *out = g_malloc(PACK_HEAD + size);

	memcpy(out, &head, PACK_HEAD);
	if (compress2(out + PACK_HEAD, &size, bytes, length, Z_BEST_SPEED) != Z_OK)
		return NULL;
	return g_bytes_new(out, PACK_HEAD + size);
}

GBytes *db_unpack(const void *bytes, size_t length)
{
	uint64_t head;

	if (!bytes || length < PACK_HEAD)
		return NULL;
	memcpy(&head, bytes, PACK_HEAD);
	head = GUINT64_FROM_LE(head);
	if (head > PACK_MAX)
		return NULL;

	uLongf size = head;
	g_autofree uint8_t *out = g_malloc(size + 1);

	if (uncompress(out, &size, (const uint8_t *)bytes + PACK_HEAD,
		       length - PACK_HEAD) != Z_OK ||
	    size != head)
		return NULL;
	return g_bytes_new_take(g_steal_pointer(&out), size);
}

static inline uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[0] = rotate(v[0], 32);
	v[2] += v[3];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[2] = rotate(v[2], 32);
}

/*
 * SipHash-2-4.  Keyed, because ids come from strangers, who could otherwise make one
 * that is taken for another; much faster than a cryptographic hash, because a bulk
 * ingest computes millions.
 */
int64_t db_hash(const tracker *t, const char *text)
{
	uint64_t v[4] = { t->hash_key[0] ^ 0x736f6d6570736575,
			  t->hash_key[1] ^ 0x646f72616e646f6d,
			  t->hash_key[0] ^ 0x6c7967656e657261,
			  t->hash_key[1] ^ 0x7465646279746573 };
	size_t length = strlen(text);
	uint64_t word;

	for (size_t i = 0; i + 8 <= length; i += 8) {
		memcpy(&word, text + i, 8);
		word = GUINT64_FROM_LE(word);
		v[3] ^= word;
		sip_round(v);
		sip_round(v);
		v[0] ^= word;
	}
	word = 0;
	memcpy(&word, text + (length & ~(size_t)7), length & 7);
	word = GUINT64_FROM_LE(word) | (uint64_t)(length & 0xff) << 56;
	v[3] ^= word;
	sip_round(v);
	sip_round(v);
	v[0] ^= word;
	v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		sip_round(v);
	return (int64_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}
