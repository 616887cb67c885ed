/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_GUNZIP_H
#define MAILER_GUNZIP_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* gzip undone as it comes in, all its members. */
typedef struct gunzip gunzip;

/* What takes the unpacked bytes; false ends it. */
typedef bool (*gunzip_fn)(const char *bytes, size_t length, void *context);

/* At most `max` bytes, and at most 250 times the packed ones once they are over 64 MiB.
 */
gunzip *gunzip_new(uint64_t max, gunzip_fn fn, void *context);
void gunzip_free(gunzip *g);

/* NULL, or what is wrong: "is damaged" and the like. */
const char *gunzip_feed(gunzip *g, const void *bytes, size_t length);
/* Nothing more comes: NULL, or "is truncated". */
const char *gunzip_end(const gunzip *g);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(gunzip, gunzip_free)

#endif
