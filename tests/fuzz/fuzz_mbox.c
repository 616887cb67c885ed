/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a web server hands out: the first byte says in parts of which size it comes;
 * packed or not, it gives the same mails as in one part.
 */
#include <stdlib.h>

#include "mailer/gunzip.h"
#include "mailer/mailer.h"
#include "mailer/mboxrd.h"
#include "tests/fuzz/fuzz.h"

static bool add_mail(GByteArray *mail, void *context, GError **error)
{
	(void)error;
	if (mail)
		g_checksum_update(context, mail->data, mail->len);
	g_checksum_update(context, (const guchar *)"|", 1);
	return true;
}

static bool feed(const char *bytes, size_t length, void *context)
{
	return mboxrd_feed(context, bytes, length, NULL);
}

/* A hash of the mails, and of whether all went well. */
static char *digest(const uint8_t *data, size_t size, size_t part, bool packed)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(mboxrd) mbox = mboxrd_new(add_mail, sum);
	g_autoptr(gunzip) gzip = gunzip_new(1u << 20, feed, mbox);
	bool good = true;

	while (size && good) {
		size_t n = MIN(part, size);

		good = packed ? gunzip_feed(gzip, data, n) == NULL :
				mboxrd_feed(mbox, (const char *)data, n, NULL);
		data += n;
		size -= n;
	}
	good = good && (!packed || !gunzip_end(gzip)) && mboxrd_end(mbox, NULL);
	return g_strdup(good ? g_checksum_get_string(sum) : "not all of it");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	for (int packed = 0; packed < 2; packed++) {
		g_autofree char *whole = digest(data + 1, size - 1, SIZE_MAX, packed);
		g_autofree char *parts =
			digest(data + 1, size - 1, data[0] + 1u, packed);

		if (!g_str_equal(whole, parts))
			abort();
	}
	return 0;
}
