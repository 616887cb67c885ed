/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: which metric a report is about, and how sure one can be. */
#ifndef RENDER_HEADLINE_H
#define RENDER_HEADLINE_H

#include "render/compare.h"

/* Fills comparison->headline.  An asked metric or culprit that is not there is an
 * error. */
bool headline_find(render_comparison *comparison, const parser_lists *lists,
		   GError **error);

/* Which way a mean went: -1, 0 or 1. */
int direction_of(double base, double head);

/*
 * A printed change with the sign that this mode prints.  Whoever printed it may have
 * divided by a negative base or by its size; the means tell which way it went.
 */
double printed_change(double printed, double base, double head, bool compat);

#endif
