/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_MAILMAP_H
#define CLI_MAILMAP_H

#include <glib.h>

/*
 * git's mailmap: other addresses of people, each with the one that they go by (char *
 * -> char *, lower case).  What is no such line is passed over, as git does.
 */
GHashTable *mailmap_read(const char *text);

#endif
