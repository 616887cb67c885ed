/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regressions as KCIDB sees them: issues, and the tests that show them. */
#ifndef CLI_KCIDB_H
#define CLI_KCIDB_H

#include "cli/cli.h"
#include "tracker/tracker.h"

/* A report in the KCIDB I/O schema 5.3 that is being made. */
typedef struct kcidb kcidb;

/* The name of the origin is that of the configuration; an error if it is none. */
kcidb *kcidb_new(cli *c, GError **error);
void kcidb_free(kcidb *k);

/* Adds a regression; one that no report was seen of is left out. */
bool kcidb_add(kcidb *k, tracker *t, const tracker_detail *detail, GError **error);

/* One JSON object on stdout. */
void kcidb_print(const kcidb *k);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(kcidb, kcidb_free)

#endif
