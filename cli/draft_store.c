/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mail that is made goes into the database with everything that is known about it. */
#include <math.h>

#include "cli/draft.h"

/* A further test as the finding that it is. */
static parser_impact *to_impact(const render_comparison *one)
{
	const render_headline *h = &one->headline;
	const parser_comparison *source = one->source;
	parser_impact *impact = g_new0(parser_impact, 1);

	impact->testcase = g_strdup(source->testcase);
	impact->metric = g_strdup(h->metric);
	impact->has_change = true;
	impact->change_percent = h->change_percent;
	impact->kind = h->kind;
	impact->machine =
		g_strdup(source->machine_description ? source->machine_description :
						       source->machine);
	impact->parameters =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	for (guint i = 0; i < source->parameters->len; i++) {
		const parser_pair *pair = g_ptr_array_index(source->parameters, i);

		g_ptr_array_add(impact->parameters,
				parser_pair_new(pair->name, pair->value));
	}
	return impact;
}

static GPtrArray *impacts_of(const draft *d)
{
	GPtrArray *impacts =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_impact_free);

	for (guint i = 0; i < d->also->len; i++) {
		const render_comparison *one = g_ptr_array_index(d->also, i);

		if (one->headline.metric)
			g_ptr_array_add(impacts, to_impact(one));
	}
	return impacts;
}

/* What a re-test says of the proposed fix, as the mail does. */
static parser_outcome outcome_of(const draft *d)
{
	render_retest result = { 0 };

	if (d->facts.mail_kind == RENDER_MAIL_RETEST)
		render_retest_judge(draft_headline(d), &result, NULL);
	return result.outcome;
}

bool draft_store(const draft *d, tracker_stored *stored, GError **error)
{
	const render_headline *h = &draft_headline(d)->headline;
	g_autofree char *sender = outgoing_sender(d->cli, d->from);
	g_autoptr(GPtrArray) impacts = impacts_of(d);
	tracker_report report =
		outgoing_report(d->mail, &d->bytes, d->facts.revision, sender);

	report.comparison = draft_headline(d)->source;
	report.culprit_column = h->column;
	report.metric = h->metric;
	report.kind = d->facts.kind != PARSER_KIND_UNKNOWN ? d->facts.kind : h->kind;
	report.has_change = isfinite(h->change_percent);
	report.change_percent = h->change_percent;
	report.ci_low = h->ci_low;
	report.ci_high = h->ci_high;
	report.p = h->p;
	report.outcome = outcome_of(d);
	report.impacts = impacts;
	report.forced = d->forced;
	return tracker_report_add(d->tracker, &report, stored, error);
}
