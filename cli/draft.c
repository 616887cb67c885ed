/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/draft.h"

#include <string.h>

#include "cli/address.h"
#include "cli/recipients.h"
#include "cli/store.h"
#include "mailer/mailer.h"

/* ---- comparisons ---- */

static bool render_one(draft *d, const parser_comparison *source, bool headline,
		       GPtrArray *into, GError **error)
{
	bool compat = d->options->compat ||
		      config_bool(d->cli->config, "report", "compat-lkp");
	render_options r = { .compat_lkp = compat,
			     .metric = headline ? d->options->metric : NULL,
			     .culprit = headline ? d->options->culprit : NULL,
			     .short_commits = true };
	render_comparison *one = render_compare(source, d->lists, &r, error);

	if (one)
		g_ptr_array_add(into, one);
	return one != NULL;
}

/* "BASE,HEAD" or FILE of --also. */
static bool render_also(draft *d, const char *value, GError **error)
{
	g_auto(GStrv) args = g_strsplit(value, ",", 2);
	g_autoptr(GPtrArray) sources =
		results_read(d->cli, &d->options->results, args, d->lists, error);

	if (!sources)
		return false;
	g_ptr_array_set_free_func(sources, NULL);
	for (guint i = 0; i < sources->len; i++)
		g_ptr_array_add(d->sources, g_ptr_array_index(sources, i));
	for (guint i = 0; i < sources->len; i++)
		if (!render_one(d, g_ptr_array_index(sources, i), false, d->also,
				error))
			return false;
	return true;
}

static bool read_comparisons(draft *d, GError **error)
{
	d->files = data_open(d->cli, error);
	d->lists = d->files ? data_lists(d->files, error) : NULL;
	d->sources = d->lists ? results_read(d->cli, &d->options->results, d->args,
					     d->lists, error) :
				NULL;
	if (!d->sources)
		return false;
	for (guint i = 0; i < d->sources->len; i++)
		if (!render_one(d, g_ptr_array_index(d->sources, i), i == 0,
				d->rendered, error))
			return false;
	for (char **value = d->options->also; value && *value; value++)
		if (!render_also(d, *value, error))
			return false;
	return true;
}

const render_comparison *draft_headline(const draft *d)
{
	return g_ptr_array_index(d->rendered, 0);
}

static bool find_culprit(draft *d, GError **error)
{
	const render_comparison *headline = draft_headline(d);
	const parser_comparison *source = headline->source;
	const parser_column *column;

	if (!headline->headline.metric)
		return draft_refuse(error, "no headline metric: %s",
				    headline->headline.why);
	column = g_ptr_array_index(source->columns, headline->headline.column);
	d->culprit = column->commit;
	d->regression = d->answered ?
				g_strdup(d->answered->summary->id) :
				parser_regression_id(d->culprit->id, source->testcase,
						     headline->headline.metric);
	return true;
}

/* ---- what is answered, and since when ---- */

static const char *answered_id(const draft *d)
{
	const draft_options *o = d->options;

	return o->followup ? o->followup : o->retest ? o->retest : o->retract;
}

static bool open_tracker(draft *d, GError **error)
{
	const char *id = answered_id(d);

	if (d->options->dry_run && !id)
		return true;
	d->tracker = store_open(d->cli, d->options->dry_run, error);
	if (!d->tracker || !id)
		return d->tracker != NULL;
	d->answered = tracker_show(d->tracker, id, error);
	if (!d->answered)
		return false;
	if (!d->answered->report_id || !d->answered->seen)
		return draft_refuse(error, "%s: its report has not been sent yet",
				    d->answered->summary->short_id);
	return true;
}

/* ---- the mail ---- */

static bool compose(draft *d, GError **error)
{
	g_clear_pointer(&d->mail, render_mail_free);
	g_clear_pointer(&d->eight_bit, g_bytes_unref);
	g_clear_pointer(&d->quoted_printable, g_bytes_unref);

	g_autoptr(GPtrArray) machines = g_ptr_array_new();

	for (guint i = 1; i < d->rendered->len; i++)
		g_ptr_array_add(machines, g_ptr_array_index(d->rendered, i));
	d->facts.machines = machines;
	d->mail = render_report(&d->facts, data_text, d->files, error);
	d->facts.machines = NULL;
	if (!d->mail)
		return false;
	d->quoted_printable =
		render_compose(d->mail, RENDER_TRANSFER_QUOTED_PRINTABLE, error);
	if (!d->quoted_printable)
		return false;
	/* A long line is no error: the other form carries it. */
	d->eight_bit = render_compose(d->mail, RENDER_TRANSFER_8BIT, NULL);
	return true;
}

/* True if the mail is the one that is stored under that number. */
static bool is_stored(draft *d, int64_t outbox, bool *same, GError **error)
{
	g_autoptr(tracker_outgoing) stored =
		tracker_outbox_get(d->tracker, outbox, error);

	if (!stored)
		return false;
	*same = g_bytes_equal(stored->quoted_printable, d->quoted_printable);
	return true;
}

/*
 * A mail's time and revision are those of its draft, if there is one: the same facts
 * then give the same bytes.  Other facts give a new revision.
 */
static bool compose_again(draft *d, GError **error)
{
	const char *kind = render_mail_kind_name(d->facts.mail_kind);
	tracker_draft earlier = { 0 };
	int64_t now = d->facts.created;
	bool same = false;

	if (d->tracker &&
	    !tracker_draft_find(d->tracker, d->regression, kind, &earlier, error))
		return false;
	if (!earlier.found)
		return compose(d, error);
	d->facts.created = earlier.created;
	d->facts.revision = earlier.revision;
	if (!compose(d, error) || !is_stored(d, earlier.outbox, &same, error))
		return false;
	if (same)
		return true;
	d->facts.created = now;
	d->facts.revision = earlier.revision + 1;
	return compose(d, error);
}

static bool is_forced(const draft *d, const char *check)
{
	return parser_pairs_get(d->forced, check) != NULL;
}

static bool check(const draft *d, GError **error)
{
	g_autoptr(GPtrArray) machines = g_ptr_array_new();
	render_facts facts = d->facts;

	for (guint i = 1; i < d->rendered->len; i++)
		g_ptr_array_add(machines, g_ptr_array_index(d->rendered, i));
	facts.machines = machines;

	g_autoptr(GPtrArray) checks = render_checks(&facts, d->mail);
	g_autoptr(GString) failed = g_string_new(NULL);

	for (guint i = 0; i < d->forced->len; i++) {
		const parser_pair *pair = g_ptr_array_index(d->forced, i);
		bool known = false;

		for (guint k = 0; k < checks->len; k++)
			known |= strcmp(((render_check *)g_ptr_array_index(checks, k))
						->name,
					pair->name) == 0;
		if (!known)
			return draft_refuse(error, "--force: no check named %s",
					    pair->name);
	}
	for (guint i = 0; i < checks->len; i++) {
		const render_check *one = g_ptr_array_index(checks, i);

		if (!one->passed && !is_forced(d, one->name))
			g_string_append_printf(failed, "%s%s: %s",
					       failed->len ? "; " : "", one->name,
					       one->reason);
	}
	if (failed->len == 0)
		return true;
	g_set_error_literal(error, RENDER_ERROR, RENDER_ERROR_REFUSED, failed->str);
	return false;
}

static bool check_size(const draft *d, GError **error)
{
	uint64_t max = config_number(d->cli->config, "send", "size-max");
	gsize size = g_bytes_get_size(d->quoted_printable);

	if (max == 0 || size <= max)
		return true;
	g_set_error(
		error, RENDER_ERROR, RENDER_ERROR_REFUSED,
		"size: the mail has %zu bytes, [send] size-max = %" G_GUINT64_FORMAT,
		size, max);
	return false;
}

static bool build(draft *d, GError **error)
{
	d->facts.created = cli_now();
	if (d->options->date &&
	    !cli_parse_date(d->options->date, &d->facts.created, error))
		return false;
	return cli_config_or_default(d->cli, error) && open_tracker(d, error) &&
	       read_comparisons(d, error) && find_culprit(d, error) &&
	       draft_collect_facts(d, error) && compose_again(d, error) &&
	       check(d, error) && check_size(d, error);
}

draft *draft_make(cli *c, const draft_options *options, char **args, GError **error)
{
	g_autoptr(draft) d = g_new0(draft, 1);

	d->cli = c;
	d->options = options;
	d->args = args;
	d->rendered =
		g_ptr_array_new_with_free_func((GDestroyNotify)render_comparison_free);
	d->also =
		g_ptr_array_new_with_free_func((GDestroyNotify)render_comparison_free);
	d->to = g_ptr_array_new_with_free_func((GDestroyNotify)cli_address_free);
	d->cc = g_ptr_array_new_with_free_func((GDestroyNotify)cli_address_free);
	d->attachments = g_ptr_array_new_with_free_func(draft_free_attachment);
	d->forced = g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	return build(d, error) ? g_steal_pointer(&d) : NULL;
}

void draft_free(draft *d)
{
	if (!d)
		return;
	g_clear_pointer(&d->mail, render_mail_free);
	g_clear_pointer(&d->eight_bit, g_bytes_unref);
	g_clear_pointer(&d->quoted_printable, g_bytes_unref);
	g_ptr_array_unref(d->rendered);
	g_ptr_array_unref(d->also);
	g_clear_pointer(&d->sources, g_ptr_array_unref);
	g_ptr_array_unref(d->to);
	g_ptr_array_unref(d->cc);
	g_ptr_array_unref(d->attachments);
	g_ptr_array_unref(d->forced);
	cli_address_free(d->from);
	tracker_detail_free(d->answered);
	tracker_close(d->tracker);
	parser_lists_free(d->lists);
	data_close(d->files);
	g_free(d->regression);
	g_free(d->archive_url);
	g_free(d->materials_url);
	g_free(d->style);
	g_free(d);
}
