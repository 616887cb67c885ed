/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people say about the cause, beside the rows of the reports that bear it out. */
#ifndef CLI_SUPPORT_H
#define CLI_SUPPORT_H

#include <jansson.h>

#include "cli/cli.h"
#include "tracker/tracker.h"

typedef struct support support;

/* Reads the tables of the regression's reports, if anybody explained anything. */
support *support_new(cli *c, tracker *t, const tracker_detail *d, GError **error);
void support_free(support *s);

/* The rows that bear out a mechanism and how far they moved; s may be NULL. */
void support_print(const support *s, const cli *c, const char *indent,
		   const parser_mechanism *m);
/* All of them: a list of metric, change, unit and reason. */
json_t *support_json(const support *s, const parser_mechanism *m);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(support, support_free)

#endif
