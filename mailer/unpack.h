/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_UNPACK_H
#define MAILER_UNPACK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * What a file holds when it is gzip or xz by its first bytes; else the same bytes with
 * one more reference.  name is for messages.  MAILER_ERROR_FORMAT when it is truncated,
 * damaged, or unpacks to more than MAILER_UNPACKED_MAX or, over 64 MiB, to more than
 * 250 times its size.
 */
GBytes *unpack_bytes(GBytes *bytes, const char *name, GError **error);

/* So much output from so little input is no honest file. */
bool unpack_is_bomb(uint64_t packed, uint64_t unpacked);

#endif
