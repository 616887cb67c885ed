/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A linear model as data: what each feature of a mail says for or against each verdict.
 * One line a feature: "NAME VERDICT=WEIGHT ...".  Private to parser.
 */
#ifndef PARSER_WEIGHTS_H
#define PARSER_WEIGHTS_H

#include <glib.h>
#include <stdbool.h>

#include "parser/reading.h"

typedef struct weights weights;

weights *weights_parse(const char *name, const char *text, size_t length,
		       GError **error);
void weights_free(weights *w);

/* PARSER_VERDICT_KINDS weights of a feature, or NULL if it says nothing. */
const double *weights_of(const weights *w, const char *feature);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(weights, weights_free)

#endif
