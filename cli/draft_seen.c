/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "Seen before": the earlier regression that a report may cite. */
#include <string.h>

#include "cli/draft.h"

/* Rows of these say in which functions time is spent. */
#define PROFILE "perf-profile."

/* The function in "perf-profile.self.cycles-pp.native_queued_spin_lock_slowpath". */
static const char *function_of(const char *metric)
{
	const char *dot =
		g_str_has_prefix(metric, PROFILE) ? strrchr(metric, '.') : NULL;

	return dot && dot[1] ? dot + 1 : NULL;
}

/* Every function whose share changed; the callers of a calltrace are no evidence. */
static GPtrArray *functions_of(const render_comparison *c)
{
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < c->rows->len; i++) {
		const char *metric = g_array_index(c->rows, render_row, i).metric;
		const char *name = function_of(metric);

		if (name && !strstr(metric, "calltrace"))
			g_ptr_array_add(all, (gpointer)name);
	}
	return all;
}

/* What is private stays so: it may be cited in mails about the same tree only. */
static bool may_cite(const draft *d, const tracker_summary *s)
{
	if (!s->tree || g_strcmp0(s->tree, d->culprit->tree) == 0)
		return true;

	g_autofree char *group = g_strconcat("tree ", s->tree, NULL);

	return !config_bool(d->cli->config, group, "private");
}

static void cite(draft *d, const tracker_likeness *found)
{
	const tracker_summary *s = found->summary;

	d->seen = (render_seen){ .commit = s->commit,
				 .subject = s->commit_subject,
				 .metric = s->metric,
				 .kind = s->kind,
				 .has_change = s->has_change,
				 .change_percent = s->change_percent,
				 .object = found->object,
				 .status = tracker_status_name(s->status),
				 .words = found->word,
				 .by = found->by,
				 .message_id = found->report_id };
	d->facts.seen = &d->seen;
}

bool draft_see(draft *d, GError **error)
{
	const tracker_status invalid = TRACKER_STATUS_INVALID;

	d->facts.seen = NULL;
	g_clear_pointer(&d->similar, g_ptr_array_unref);
	if (!d->tracker || draft_kind(d) != RENDER_MAIL_REPORT ||
	    !config_bool(d->cli->config, "report", "seen-before"))
		return true;

	g_autoptr(GPtrArray) functions = functions_of(draft_headline(d));
	const tracker_clues clues = { .objects = functions,
				      .regression = d->regression,
				      .before = d->facts.created };

	d->similar = tracker_similar_to(d->tracker, &clues, error);
	for (guint i = 0; d->similar && i < d->similar->len; i++) {
		const tracker_likeness *one = g_ptr_array_index(d->similar, i);

		/* A false alarm explains nothing. */
		if (one->word && one->summary->status != invalid &&
		    may_cite(d, one->summary)) {
			cite(d, one);
			break;
		}
	}
	return d->similar != NULL;
}
