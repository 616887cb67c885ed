/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the reading of verdicts; private to parser. */
#ifndef PARSER_VERDICT_H
#define PARSER_VERDICT_H

#include "parser/features.h"

/* How a test went, from its words, else from its table. */
parser_outcome verdict_outcome(const parser_reading *reading, const parser_rules *rules,
			       const features *f);

#endif
