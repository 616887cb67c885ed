/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/draft.h"

#include <string.h>

bool draft_refuse(GError **error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);

	g_autofree char *what = g_strdup_vprintf(format, arguments);

	va_end(arguments);
	g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, what);
	return false;
}

const render_comparison *draft_headline(const draft *d)
{
	return g_ptr_array_index(d->rendered, 0);
}

render_mail_kind draft_kind(const draft *d)
{
	if (d->options->followup)
		return RENDER_MAIL_FOLLOWUP;
	if (d->options->retest)
		return RENDER_MAIL_RETEST;
	return d->options->retract ? RENDER_MAIL_RETRACT : RENDER_MAIL_REPORT;
}

const char *draft_keep(draft *d, char *text)
{
	if (text)
		g_ptr_array_add(d->owned, text);
	return text;
}

/* ---- the mail ---- */

static bool compose(draft *d, GError **error)
{
	g_clear_pointer(&d->mail, render_mail_free);
	if (!draft_see(d, error))
		return false;
	d->mail = render_report(&d->facts, data_text, d->files, error);
	return d->mail && outgoing_compose(d->cli, d->mail, &d->bytes, error);
}

/* True if the mail is the one that is stored under that number. */
static bool is_stored(draft *d, int64_t outbox, bool *same, GError **error)
{
	g_autoptr(tracker_outgoing) stored =
		tracker_outbox_get(d->tracker, outbox, error);

	if (!stored)
		return false;
	*same = g_bytes_equal(stored->quoted_printable, d->bytes.quoted_printable);
	return true;
}

/* The mail's time, in the zone of who sends it. */
static void set_time(draft *d, int64_t created)
{
	g_autoptr(GDateTime) local = g_date_time_new_from_unix_local(created);

	d->facts.created = created;
	d->facts.utc_offset =
		local ? (int)(g_date_time_get_utc_offset(local) / G_TIME_SPAN_SECOND) :
			0;
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
	set_time(d, earlier.created);
	d->facts.revision = earlier.revision;
	if (!compose(d, error) || !is_stored(d, earlier.outbox, &same, error))
		return false;
	if (same)
		return true;
	set_time(d, now);
	d->facts.revision = earlier.revision + 1;
	return compose(d, error);
}

/* ---- checks ---- */

bool draft_is_forced(const draft *d, const char *check)
{
	return parser_pairs_get(d->forced, check) != NULL;
}

/* Checks that are made while the facts are gathered. */
static const char *const early_checks[] = { "address" };

static bool is_check(const draft *d, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(early_checks); i++)
		if (strcmp(early_checks[i], name) == 0)
			return true;
	for (guint i = 0; i < d->checks->len; i++) {
		const render_check *one = g_ptr_array_index(d->checks, i);

		if (one->blocks && strcmp(one->name, name) == 0)
			return true;
	}
	return false;
}

static bool check(draft *d, GError **error)
{
	g_autoptr(GString) failed = g_string_new(NULL);

	d->checks = render_checks(&d->facts, d->mail);
	for (guint i = 0; i < d->forced->len; i++) {
		const parser_pair *pair = g_ptr_array_index(d->forced, i);

		if (!is_check(d, pair->name))
			return draft_refuse(error, "--force: no check named %s",
					    pair->name);
	}
	for (guint i = 0; i < d->checks->len; i++) {
		const render_check *one = g_ptr_array_index(d->checks, i);

		if (!one->passed && one->blocks && !draft_is_forced(d, one->name))
			g_string_append_printf(failed, "%s%s: %s",
					       failed->len ? "; " : "", one->name,
					       one->reason);
	}
	if (failed->len == 0)
		return true;
	g_set_error_literal(error, RENDER_ERROR, RENDER_ERROR_REFUSED, failed->str);
	return false;
}

/* ---- all together ---- */

static bool build(draft *d, GError **error)
{
	int64_t now = cli_now();

	if (d->options->date && !cli_parse_date(d->options->date, &now, error))
		return false;
	set_time(d, now);
	d->files = data_open(d->cli, error);
	return d->files && data_check_templates(d->files, error) &&
	       draft_open(d, error) && draft_compare(d, error) &&
	       draft_collect_facts(d, error) && compose_again(d, error) &&
	       check(d, error);
}

draft *draft_make(cli *c, const draft_options *options, char **args, GError **error)
{
	GDestroyNotify free_comparison = (GDestroyNotify)render_comparison_free;
	GDestroyNotify free_address = (GDestroyNotify)parser_address_free;
	GDestroyNotify free_pair = (GDestroyNotify)parser_pair_free;
	g_autoptr(draft) d = g_new0(draft, 1);

	d->cli = c;
	d->options = options;
	d->args = args;
	d->sources =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_comparison_free);
	d->rendered = g_ptr_array_new_with_free_func(free_comparison);
	d->machines = g_ptr_array_new();
	d->also = g_ptr_array_new_with_free_func(free_comparison);
	d->to = g_ptr_array_new_with_free_func(free_address);
	d->cc = g_ptr_array_new_with_free_func(free_address);
	d->attachments = g_ptr_array_new_with_free_func(draft_free_attachment);
	d->forced = g_ptr_array_new_with_free_func(free_pair);
	d->still = g_ptr_array_new_with_free_func(free_pair);
	d->owned = g_ptr_array_new_with_free_func(g_free);
	return build(d, error) ? g_steal_pointer(&d) : NULL;
}

void draft_free(draft *d)
{
	GPtrArray **const arrays[] = { &d->machines,    &d->rendered, &d->also,
				       &d->sources,     &d->to,       &d->cc,
				       &d->attachments, &d->forced,   &d->still,
				       &d->references,  &d->similar,  &d->checks,
				       &d->owned };

	g_clear_pointer(&d->mail, render_mail_free);
	outgoing_bytes_clear(&d->bytes);
	for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
		g_clear_pointer(arrays[i], g_ptr_array_unref);
	parser_address_free(d->from);
	draft_answer_free(d->answer);
	tracker_close(d->tracker);
	parser_lists_free(d->lists);
	data_close(d->files);
	g_free(d->regression);
	g_free(d);
}
