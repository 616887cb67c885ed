/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the test of a fix went. */
#include <math.h>
#include <string.h>

#include "parser/verdict.h"

/* Of the change that the fix should undo, so much may be left for each outcome. */
#define LEFT_WHEN_FIXED   0.25
#define LEFT_WHEN_PARTIAL 0.85
#define LEFT_WHEN_WORSE   1.15

static parser_outcome outcome_from_option(const phrase_rule *rule)
{
	static const struct option {
		const char *name;
		parser_outcome outcome;
	} options[] = {
		/* clang-format off */
		{ "outcome=fixed", PARSER_OUTCOME_FIXED },
		{ "outcome=partial", PARSER_OUTCOME_PARTIAL },
		{ "outcome=not-fixed", PARSER_OUTCOME_NOT_FIXED },
		{ "outcome=worse", PARSER_OUTCOME_WORSE },
		/* clang-format on */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
		if (phrase_rule_has(rule, options[i].name))
			return options[i].outcome;
	return PARSER_OUTCOME_NONE;
}

/* Which outcomes the mail's sentences speak of, as bits. */
static unsigned outcomes_in_words(const parser_rules *rules, const features *f)
{
	unsigned seen = 0;

	for (guint i = 0; i < f->list->len; i++) {
		const feature *one = &g_array_index(f->list, feature, i);
		if (one->rule == FEATURE_NO_RULE || strchr(one->name, '~'))
			continue;
		const phrase_rule *rule =
			phrase_book_rule(rules->verdicts, (guint)one->rule);
		seen |= 1u << outcome_from_option(rule);
	}
	return seen;
}

/* A mixed message is partial; "even worse" outweighs all. */
static parser_outcome outcome_of_words(unsigned seen)
{
	bool fixed = seen & (1u << PARSER_OUTCOME_FIXED);
	bool not_fixed = seen & (1u << PARSER_OUTCOME_NOT_FIXED);

	if (seen & (1u << PARSER_OUTCOME_PARTIAL))
		return PARSER_OUTCOME_PARTIAL;
	if (seen & (1u << PARSER_OUTCOME_WORSE))
		return PARSER_OUTCOME_WORSE;
	if (fixed && not_fixed)
		return PARSER_OUTCOME_PARTIAL;
	if (fixed)
		return PARSER_OUTCOME_FIXED;
	return not_fixed ? PARSER_OUTCOME_NOT_FIXED : PARSER_OUTCOME_NONE;
}

static parser_outcome outcome_of_row(const parser_row *row)
{
	if (row->n_cells < 3 || !row->cells[1].has_change)
		return PARSER_OUTCOME_NONE;

	const parser_cell *last = &row->cells[row->n_cells - 1];
	double before = row->cells[1].change;
	double after = last->has_change ? last->change : 0; /* blank means no change */
	if (fabs(before) < 0.5)
		return PARSER_OUTCOME_NONE;
	double left = after / before;
	if (left < LEFT_WHEN_FIXED)
		return PARSER_OUTCOME_FIXED;
	if (left < LEFT_WHEN_PARTIAL)
		return PARSER_OUTCOME_PARTIAL;
	return left < LEFT_WHEN_WORSE ? PARSER_OUTCOME_NOT_FIXED : PARSER_OUTCOME_WORSE;
}

/* Base, culprit and fix in three columns: what does the fix leave of the change? */
static parser_outcome outcome_of_tables(const parser_reading *reading)
{
	const parser_report *report = reading->quoted_report;

	for (guint i = 0; i < reading->tables->len; i++) {
		const parser_table *t = g_ptr_array_index(reading->tables, i);
		for (guint k = 0; !t->quoted && k < t->rows->len; k++) {
			const parser_row *row = g_ptr_array_index(t->rows, k);
			if (report && report->metric &&
			    strcmp(report->metric, row->metric) != 0)
				continue;
			parser_outcome outcome = outcome_of_row(row);
			if (outcome != PARSER_OUTCOME_NONE)
				return outcome;
		}
	}
	return PARSER_OUTCOME_NONE;
}

parser_outcome verdict_outcome(const parser_reading *reading, const parser_rules *rules,
			       const features *f)
{
	parser_outcome outcome = outcome_of_words(outcomes_in_words(rules, f));

	if (outcome == PARSER_OUTCOME_NONE)
		outcome = outcome_of_tables(reading);
	if (outcome == PARSER_OUTCOME_NONE && features_tested_by_author(reading))
		outcome = PARSER_OUTCOME_FIXED;
	return outcome;
}
