/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's MAINTAINERS file: which files belong to a section. */
#ifndef CLI_MAINTAINERS_H
#define CLI_MAINTAINERS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* The files of some sections. */
typedef struct maintainers maintainers;

/* Of all sections whose title starts with the word or words `name`, whatever their
 * case; sections without F: lines do not count.  Never NULL. */
maintainers *maintainers_new(const char *text, size_t length, const char *name);
void maintainers_free(maintainers *m);

/* How many sections there were. */
unsigned maintainers_sections(const maintainers *m);

/* True if a path belongs to one of them: by an F: line, and excluded by no X: line of
 * that section. */
bool maintainers_have(const maintainers *m, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(maintainers, maintainers_free)

#endif
