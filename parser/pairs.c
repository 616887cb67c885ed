/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names with values, and the words for the small enums of reports. */
#include <string.h>

#include "parser/report.h"

parser_pair *parser_pair_new(const char *name, const char *value)
{
	parser_pair *pair = g_new0(parser_pair, 1);

	pair->name = g_strdup(name ? name : "");
	pair->value = g_strdup(value ? value : "");
	return pair;
}

void parser_pair_free(parser_pair *pair)
{
	if (!pair)
		return;
	g_free(pair->name);
	g_free(pair->value);
	g_free(pair);
}

const char *parser_pairs_get(const GPtrArray *pairs, const char *name)
{
	for (guint i = 0; pairs && i < pairs->len; i++) {
		const parser_pair *pair = pairs->pdata[i];

		if (strcmp(pair->name, name) == 0)
			return pair->value;
	}
	return NULL;
}

static const char *const kind_names[] = {
	[PARSER_KIND_UNKNOWN] = NULL,
	[PARSER_KIND_REGRESSION] = "regression",
	[PARSER_KIND_IMPROVEMENT] = "improvement",
	[PARSER_KIND_FAILURE] = "failure",
};

const char *parser_kind_name(parser_kind kind)
{
	return (size_t)kind < G_N_ELEMENTS(kind_names) ? kind_names[kind] : NULL;
}

parser_kind parser_kind_from_name(const char *name)
{
	for (size_t i = 0; name && i < G_N_ELEMENTS(kind_names); i++)
		if (kind_names[i] && strcmp(kind_names[i], name) == 0)
			return (parser_kind)i;
	return PARSER_KIND_UNKNOWN;
}

const char *parser_sign_name(parser_sign sign)
{
	static const char *const names[] = {
		[PARSER_SIGN_UNKNOWN] = "unknown",
		[PARSER_SIGN_ROW] = "row",
		[PARSER_SIGN_SENSE] = "sense",
		[PARSER_SIGN_PRINTED] = "printed",
	};

	return (size_t)sign < G_N_ELEMENTS(names) ? names[sign] : "unknown";
}

const char *parser_unit_name(parser_unit unit)
{
	static const char *const names[] = {
		[PARSER_UNIT_PERCENT] = "percent",
		[PARSER_UNIT_POINTS] = "points",
		[PARSER_UNIT_ABSOLUTE] = "absolute",
	};

	return (size_t)unit < G_N_ELEMENTS(names) ? names[unit] : "percent";
}
