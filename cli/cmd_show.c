/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/store.h"
#include "cli/thread.h"
#include "render/render.h"

typedef struct show_options {
	print_format format; /* first */
} show_options;

static const cli_option options[] = {
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
};

static void heading(const cli *c, const char *text)
{
	if (c->color)
		printf("\n\033[1m%s\033[0m\n", text);
	else
		printf("\n%s\n", text);
}

/* The same for a text that was made for it. */
static void line(const cli *c, const char *indent, char *text)
{
	g_autofree char *mine = text;

	print_fitting(c, indent, mine);
}

static char *or_dash(const char *text)
{
	return g_strdup(text && text[0] ? text : "-");
}

/* A text behind a label of ours, whose blanks keep what is below each other in line. */
static void labelled(const cli *c, char *label, char *text)
{
	g_autofree char *mine = label;

	line(c, mine, text);
}

static void field(const cli *c, const char *label, char *value)
{
	labelled(c, g_strdup_printf("  %-10s", label), value);
}

static void show_summary(const cli *c, const tracker_summary *s)
{
	g_autofree char *change = print_change(s->has_change, s->change_percent);
	g_autofree char *reported = print_time(s->reported_at);
	g_autofree char *word = print_time(s->last_human_at);
	const char *kind = parser_kind_name(s->kind);

	labelled(c, g_strdup_printf("%s  ", s->short_id),
		 g_strdup_printf("%s %s of %s", change, kind ? kind : "change",
				 s->metric ? s->metric : "?"));
	field(c, "status", g_strdup(tracker_status_name(s->status)));
	field(c, "culprit",
	      g_strdup_printf("%s (\"%s\")", s->commit ? s->commit : "?",
			      s->commit_subject ? s->commit_subject : "?"));
	field(c, "author", or_dash(s->author));
	field(c, "tree",
	      g_strdup_printf("%s %s", s->tree ? s->tree : "-",
			      s->branch ? s->branch : ""));
	field(c, "testcase", or_dash(s->testcase));
	field(c, "machine", or_dash(s->machine));
	field(c, "reported", g_strdup(reported));
	field(c, "last word",
	      s->last_human_at ? g_strdup_printf("%s, %s", word,
						 s->last_human ? s->last_human : "?") :
				 g_strdup("nobody answered"));
	field(c, "owes", or_dash(s->owes));
	field(c, "ID", g_strdup(s->id));
}

#define SUGGESTIONS 20u /* for people; --json has all */

static void show_suggestions(const cli *c, const tracker_summary *s)
{
	if (s->suggestions->len == 0)
		return;
	heading(c, "Suggestions (regtrail confirm ID, regtrail reject ID)");
	for (guint i = 0; i < MIN(s->suggestions->len, SUGGESTIONS); i++) {
		const tracker_suggestion *one = g_ptr_array_index(s->suggestions, i);

		line(c, "  ",
		     g_strdup_printf("%s, by %s (%s)", one->status,
				     one->author ? one->author : "?",
				     one->role ? one->role : "?"));
		if (one->quote)
			print_quote(c, "      ", one->quote);
	}
	if (s->suggestions->len > SUGGESTIONS)
		line(c, "  ",
		     g_strdup_printf("... and %u more (show --json)",
				     s->suggestions->len - SUGGESTIONS));
}

static char *parameters_of(const tracker_finding *f)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < f->parameters->len; i++) {
		const parser_pair *pair = g_ptr_array_index(f->parameters, i);

		g_string_append_printf(out, "%s%s=%s", i ? " " : "", pair->name,
				       pair->value);
	}
	return g_string_free(g_steal_pointer(&out), FALSE);
}

static void show_finding(const cli *c, const tracker_finding *f)
{
	g_autofree char *change = print_change(f->has_change, f->change_percent);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *parameters = parameters_of(f);

	g_string_append(text, f->metric ? f->metric : "?");
	if (f->has_interval)
		g_string_append_printf(text, " (95 %%: %+.1f%% to %+.1f%%, p %.2g)",
				       f->ci_low, f->ci_high, f->p);
	labelled(c, g_strdup_printf("  %-10s", change), g_strdup(text->str));
	if (f->machine)
		line(c, "            ", g_strdup(f->machine));
	if (parameters[0])
		print_quote(c, "            ", parameters);
	if (!f->counts)
		line(c, "            ",
		     g_strdup_printf("by <%s>, of no robot that is known for it",
				     f->message_id ? f->message_id : "?"));
}

static void show_history(const cli *c, const GPtrArray *events)
{
	heading(c, "History");
	for (guint i = 0; i < events->len; i++) {
		const tracker_event *e = g_ptr_array_index(events, i);
		g_autofree char *at = print_time(e->at);

		labelled(
			c,
			g_strdup_printf("  %s  %-14s ", at,
					tracker_status_name(e->status)),
			g_strdup_printf(
				"%s%s%s%s%s", e->kind ? e->kind : "",
				e->actor ? " by " : "", e->actor ? e->actor : "",
				e->suggested ? ": " : "",
				e->suggested ? tracker_status_name(e->suggested) : ""));
		if (e->evidence)
			print_quote(c, "      ", e->evidence);
	}
}

static void show_fixes(const cli *c, const GPtrArray *fixes)
{
	if (fixes->len)
		heading(c, "Fixes");
	for (guint i = 0; i < fixes->len; i++) {
		const tracker_fix *f = g_ptr_array_index(fixes, i);

		labelled(c, g_strdup_printf("  %-10s ", f->state),
			 g_strdup_printf("%s %s%s%s",
					 f->commit     ? f->commit :
					 f->message_id ? f->message_id :
							 "",
					 f->subject ? f->subject : "",
					 f->tree ? " in " : "",
					 f->tree ? f->tree : ""));
	}
}

static void show_overrides(const cli *c, const GPtrArray *overrides)
{
	if (overrides->len)
		heading(c, "Sent although a check said no");
	for (guint i = 0; i < overrides->len; i++) {
		const tracker_override *o = g_ptr_array_index(overrides, i);

		labelled(c, g_strdup_printf("  %-14s ", o->check), g_strdup(o->reason));
	}
}

/* Where a mail is in the configured archive; NULL if none is configured.  g_free. */
static char *archive_link(const cli *c, const char *message_id)
{
	g_autofree char *url = config_text(c->config, "regtrail", "archive-url");

	return url ? render_link(url, message_id) : NULL;
}

static void show_trailers(const cli *c, const tracker_detail *d)
{
	if (d->trailers->len)
		heading(c, "For the commit that fixes it");
	for (guint i = 0; i < d->trailers->len; i++) {
		const parser_pair *pair = g_ptr_array_index(d->trailers, i);
		g_autofree char *link = g_strcmp0(pair->value, d->report_id) == 0 ?
						archive_link(c, pair->value) :
						NULL;
		g_autofree char *text = g_strdup_printf("%s: %s", pair->name,
							link ? link : pair->value);

		print_safe("  ", text);
	}
}

/* A report that is neither sent nor seen, but here, is a draft. */
static bool is_ours(const tracker_detail *d)
{
	for (guint i = 0; i < d->messages->len; i++) {
		const tracker_message *m = g_ptr_array_index(d->messages, i);

		if (g_strcmp0(m->message_id, d->report_id) == 0)
			return !m->is_ghost;
	}
	return false;
}

/* Where the report is, and how to answer it. */
static void show_report(const cli *c, const tracker_detail *d)
{
	if (!d->report_id)
		return;

	g_autofree char *link = archive_link(c, d->report_id);

	heading(c, d->seen    ? "Report" :
		   is_ours(d) ? "Report (ours, not sent yet)" :
				"Report (not seen, only quoted)");
	if (link)
		print_safe("  ", link);
	g_autofree char *answer =
		g_strdup_printf("git send-email --in-reply-to='<%s>'", d->report_id);

	/* A quote in a Message-ID would end the shell's. */
	if (!strchr(d->report_id, '\''))
		print_safe("  ", answer);
	else
		print_safe("  ", d->report_id);
}

static void show_related(const cli *c, const tracker_detail *d)
{
	if (d->related->len || d->duplicate_of || d->duplicates->len)
		heading(c, "Related");
	if (d->duplicate_of)
		line(c, "  ", g_strdup_printf("duplicate of %.12s", d->duplicate_of));
	for (guint i = 0; i < d->duplicates->len; i++)
		line(c, "  ",
		     g_strdup_printf("%.12s duplicates it",
				     (char *)g_ptr_array_index(d->duplicates, i)));
	for (guint i = 0; i < d->related->len; i++) {
		const tracker_summary *s = g_ptr_array_index(d->related, i);
		g_autofree char *change =
			print_change(s->has_change, s->change_percent);
		bool same = !g_strcmp0(s->commit, d->summary->commit);

		labelled(c, g_strdup_printf("  %s  ", s->short_id),
			 g_strdup_printf("%s %s, %s %.10s, %s", change,
					 s->metric ? s->metric : "?",
					 same ? "also of" : "same subject as",
					 s->commit ? s->commit : "?",
					 tracker_status_name(s->status)));
	}
}

static void show(const cli *c, const tracker_detail *d, const support *s)
{
	show_summary(c, d->summary);
	show_suggestions(c, d->summary);
	heading(c, "Findings");
	for (guint i = 0; i < d->findings->len; i++)
		show_finding(c, g_ptr_array_index(d->findings, i));
	heading(c, "Thread");
	thread_print(c, d->messages, s);
	show_history(c, d->events);
	show_related(c, d);
	show_fixes(c, d->fixes);
	show_overrides(c, d->overrides);
	show_report(c, d);
	show_trailers(c, d);
}

/* Puts beside each mechanism what bears it out. */
static void add_support(json_t *detail, const tracker_detail *d, const support *s)
{
	json_t *messages = json_object_get(detail, "messages");

	for (guint i = 0; i < d->messages->len; i++) {
		const tracker_message *m = g_ptr_array_index(d->messages, i);
		json_t *all =
			json_object_get(json_array_get(messages, i), "mechanisms");

		for (guint k = 0; k < m->mechanisms->len; k++)
			json_object_set_new(
				json_array_get(all, k), "support",
				support_json(s, g_ptr_array_index(m->mechanisms, k)));
	}
}

static int run(cli *c, const void *values, char **args)
{
	const show_options *o = values;
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker) t = store_open(c, true, &error);
	g_autoptr(tracker_detail) d = t ? tracker_show(t, args[0], &error) : NULL;
	g_autoptr(support) s = d ? support_new(c, t, d, &error) : NULL;

	if (!s)
		return cli_fail(c, error);
	if (!o->format.json && !o->format.csv) {
		show(c, d, s);
		return CLI_OK;
	}

	g_autoptr(GPtrArray) records =
		g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	json_t *record = json_of_detail(d);

	add_support(record, d, s);
	g_ptr_array_add(records, record);
	print_records(records, json_summary_fields, &o->format);
	return CLI_OK;
}

const command cmd_show = {
	.name = "show",
	.args = "ID",
	.summary = "show one regression: numbers, thread, verdicts, history",
	.more = "ID is any unique beginning of a regression's ID.  Below what somebody says\n"
		"about the cause stand the rows of the report that bear it out.  --csv gives\n"
		"the line of `regtrail list`.",
	.options = options,
	.size = sizeof(show_options),
	.min = 1,
	.max = 1,
	.run = run,
};
