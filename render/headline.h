/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: which metric a report is about, and how sure one can be. */
#ifndef RENDER_HEADLINE_H
#define RENDER_HEADLINE_H

#include "render/compare.h"

/* Fills comparison->headline.  An asked metric or culprit that is not there is an
 * error. */
bool headline_find(render_comparison *comparison, const parser_lists *lists,
		   GError **error);

#endif
