/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_ADDRESS_H
#define MAILER_ADDRESS_H

#include <stdbool.h>

#define ADDRESS_MAX 254 /* RFC 5321: a path of 256 with its brackets */

/*
 * Why a bare address may not go into an envelope or an argument vector; NULL if it may.
 * An empty one is refused too: reports are nobody's bounce.
 */
const char *address_fault(const char *address);
bool address_is_ascii(const char *address);

#endif
