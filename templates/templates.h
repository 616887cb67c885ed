/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data files that the program carries inside: wording of mails (mail/), lists of
 * metrics (metrics/), rules for reading replies (rules/).  Bytes only; whoever uses
 * them hands them to parser or render.
 */
#ifndef TEMPLATES_TEMPLATES_H
#define TEMPLATES_TEMPLATES_H

#include <stddef.h>

typedef struct templates_file {
	const char *name; /* "metrics/sense.list" */
	const char *text; /* NUL-terminated */
	size_t length;    /* without the NUL */
} templates_file;

/* All of them; the last entry has a NULL name. */
extern const templates_file templates_files[];

/* The file of that name, or NULL. */
const templates_file *templates_find(const char *name);

#endif
