/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What parser_rules holds; private to parser. */
#ifndef PARSER_RULES_H
#define PARSER_RULES_H

#include "parser/phrases.h"
#include "parser/reading.h"
#include "parser/weights.h"

struct parser_rules {
	phrase_book *verdicts; /* NULL until added, like all of these */
	phrase_book *mechanisms;
	weights *weights;
};

#endif
