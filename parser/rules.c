/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule files that a program was given. */
#include "parser/rules.h"

#include <string.h>

#include "parser/error.h"

parser_rules *parser_rules_new(void)
{
	return g_new0(parser_rules, 1);
}

void parser_rules_free(parser_rules *rules)
{
	if (!rules)
		return;
	phrase_book_free(rules->verdicts);
	phrase_book_free(rules->mechanisms);
	weights_free(rules->weights);
	g_free(rules);
}

/* "rules/verdicts.rules" -> "verdicts" */
static char *kind_of(const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *base = slash ? slash + 1 : name;

	return g_strndup(base, strcspn(base, "."));
}

static bool set_book(phrase_book **book, phrase_book *read)
{
	if (!read)
		return false;
	phrase_book_free(*book);
	*book = read;
	return true;
}

bool parser_rules_add(parser_rules *rules, const char *name, const char *text,
		      size_t len, GError **error)
{
	g_autofree char *kind = kind_of(name);

	if (strcmp(kind, "verdicts") == 0)
		return set_book(&rules->verdicts,
				phrase_book_parse(name, text, len, error));
	if (strcmp(kind, "mechanisms") == 0)
		return set_book(&rules->mechanisms,
				phrase_book_parse(name, text, len, error));
	if (strcmp(kind, "weights") == 0) {
		weights *read = weights_parse(name, text, len, error);
		if (!read)
			return false;
		weights_free(rules->weights);
		rules->weights = read;
		return true;
	}
	g_set_error(error, PARSER_ERROR, PARSER_ERROR_INVALID,
		    "%s: rule files are 'verdicts', 'weights' and 'mechanisms'", name);
	return false;
}
