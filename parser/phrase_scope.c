/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes of a rule file: "scope not clause" and its kin. */
#include <string.h>

#include "parser/phrase_book.h"

static const struct scope_word {
	const char *word;
	unsigned context;
} scope_words[] = {
	/* clang-format off */
	{ "not", PHRASE_DENIED }, { "if", PHRASE_CONDITIONAL }, { "ask", PHRASE_QUESTION },
	{ "said", PHRASE_SAID }, { "else", PHRASE_ELSE },
	/* clang-format on */
};

static const struct reach_word {
	const char *word;
	phrase_reach reach;
} reach_words[] = {
	/* clang-format off */
	{ "clause", PHRASE_REACH_CLAUSE }, { "rest", PHRASE_REACH_REST },
	{ "sentence", PHRASE_REACH_SENTENCE },
	/* clang-format on */
};

bool phrase_scope_read(phrase_rule *rule)
{
	bool reaches = false;

	for (size_t i = 0; i < G_N_ELEMENTS(scope_words); i++)
		if (strcmp(scope_words[i].word, rule->label) == 0)
			rule->scope = scope_words[i].context;
	for (size_t i = 0; i < G_N_ELEMENTS(reach_words); i++) {
		if (strcmp(reach_words[i].word, rule->name) != 0)
			continue;
		rule->reach = reach_words[i].reach;
		reaches = true;
	}
	return rule->scope && reaches;
}
