/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report needs to know before a word of it is written. */
#include <string.h>

#include "render/field.h"
#include "render/report.h"

bool report_refuse(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, RENDER_ERROR, RENDER_ERROR_INPUT, what);
	return false;
}

/* ---- facts ---------------------------------------------------------------------- */

static bool is_commit_id(const char *id)
{
	size_t length = id ? strlen(id) : 0;

	return length >= 7 && length <= 64 && strspn(id, "0123456789abcdef") == length;
}

/* White space or control characters in a name would break every row that holds it. */
static bool is_metric(const char *name)
{
	for (const char *p = name; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char_validated(p, -1);

		if (c >= 0x110000 || g_unichar_isspace(c) || g_unichar_iscntrl(c))
			return false;
	}
	return *name;
}

static bool check_rows(const GArray *rows, GError **error)
{
	for (guint i = 0; i < rows->len; i++) {
		const char *metric = g_array_index(rows, render_row, i).metric;

		if (!is_metric(metric)) {
			g_autofree char *shown = g_strescape(metric, NULL);

			return report_refuse(
				error,
				"metric '%.100s': a name has no white space or control characters",
				shown);
		}
	}
	return true;
}

static bool check_pattern(const char *name, const char *pattern, GError **error)
{
	const char *at = pattern ? strchr(pattern, '%') : NULL;

	if (!pattern || (at && at[1] == 's' && !strchr(at + 1, '%')))
		return field_check(name, pattern ? pattern : "", error);
	if (!at && strcmp(name, "archive-url") != 0)
		return field_check(name, pattern, error);
	return report_refuse(error, "%s: '%s' does not hold %%s just once", name,
			     pattern);
}

static bool check_headline(const render_comparison *c, GError **error)
{
	if (!c->headline.metric) {
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_EMPTY,
			    "there is no headline metric: %s",
			    c->headline.why ? c->headline.why : "nothing changed");
		return false;
	}
	return check_rows(c->rows, error) && check_rows(c->fail_rows, error);
}

static bool check_further(const GPtrArray *all, bool need_headline, GError **error)
{
	for (guint i = 0; all && i < all->len; i++) {
		const render_comparison *c = g_ptr_array_index(all, i);

		if ((need_headline && !check_headline(c, error)) ||
		    !check_rows(c->rows, error) || !check_rows(c->fail_rows, error)) {
			g_prefix_error(error, "further test %s: ",
				       c->source->testcase ? c->source->testcase : "");
			return false;
		}
	}
	return true;
}

static bool check_attachments(const GPtrArray *all, GError **error)
{
	for (guint i = 0; all && i < all->len; i++) {
		const render_attachment *a = g_ptr_array_index(all, i);

		if (!a->bytes)
			return report_refuse(error, "attachment %s: there are no bytes",
					     a->name ? a->name : "");
	}
	return true;
}

static bool check_kind(const render_facts *f, GError **error)
{
	switch (f->mail_kind) {
	case RENDER_MAIL_REPORT:
		return true;
	case RENDER_MAIL_RETRACT:
		if (!f->note || !*f->note)
			return report_refuse(error, "a retraction needs its reason");
		break;
	case RENDER_MAIL_FOLLOWUP:
	case RENDER_MAIL_RETEST:
		break;
	default:
		return report_refuse(error, "a %s is not made from a comparison",
				     render_mail_kind_name(f->mail_kind));
	}
	if (!f->first_report)
		return report_refuse(error, "a %s needs the report that it answers",
				     render_mail_kind_name(f->mail_kind));
	return true;
}

static bool check_facts(const render_facts *f, GError **error)
{
	if (!render_address_is_valid(f->from.address))
		return report_refuse(error, "from: '%s' is not an address",
				     f->from.address ? f->from.address : "");
	if (f->created <= 0)
		return report_refuse(error, "the time of the mail is not known");
	return check_kind(f, error) &&
	       check_pattern("archive-url", f->archive_url, error) &&
	       check_pattern("materials-url", f->materials_url, error) &&
	       check_headline(f->comparison, error) &&
	       check_further(f->machines, false, error) &&
	       check_further(f->also, true, error) &&
	       check_attachments(f->attachments, error);
}

/* ---- identity ------------------------------------------------------------------- */

static bool find_culprit(report *d, GError **error)
{
	const render_comparison *c = d->facts->comparison;
	const parser_column *column =
		g_ptr_array_index(c->source->columns, c->headline.column);

	d->culprit = column->commit;
	d->label = column->commit->id ? column->commit->id : column->label;
	if (!d->label)
		return report_refuse(
			error, "the culprit is not known: column %zu has no commit",
			c->headline.column + 1);
	if (d->facts->mail_kind == RENDER_MAIL_REPORT && !is_commit_id(d->label))
		return report_refuse(
			error, "the culprit '%.80s' is not a commit's hash", d->label);
	if (!c->source->testcase || !*c->source->testcase)
		return report_refuse(error, "the testcase is not known");
	if (d->kind == PARSER_KIND_UNKNOWN)
		return report_refuse(
			error,
			"%s: whether more or less of it is better is not known: say the kind of the report",
			d->metric);
	return true;
}

static void make_identity(report *d)
{
	const render_facts *f = d->facts;
	const char *at = strrchr(f->from.address, '@');
	g_autofree char *local =
		g_strndup(f->from.address, (gsize)(at - f->from.address));

	d->regression = f->regression ?
				g_strdup(f->regression) :
				parser_regression_id(d->culprit->id,
						     f->comparison->source->testcase,
						     d->metric);
	d->message_id = parser_own_message_id(d->regression,
					      render_mail_kind_name(f->mail_kind),
					      f->revision, f->created, local, at + 1);
}

bool report_init(report *d, const render_facts *facts, GError **error)
{
	*d = (report){ .facts = facts };
	if (!check_facts(facts, error))
		return false;
	d->metric = facts->comparison->headline.metric;
	d->kind = report_kind(facts->comparison, facts->kind);
	d->row = report_row(facts->comparison, d->metric);
	/* What is taken back was shown before. */
	if (!d->row && facts->mail_kind != RENDER_MAIL_RETRACT)
		return report_refuse(error, "metric %s is not in the table", d->metric);
	if (!find_culprit(d, error))
		return false;
	make_identity(d);
	d->left_out = g_ptr_array_new_with_free_func(g_free);
	report_sections_make(d);
	return true;
}

void report_clear(report *d)
{
	g_free(d->regression);
	g_free(d->message_id);
	g_clear_pointer(&d->sections, g_ptr_array_unref);
	g_clear_pointer(&d->left_out, g_ptr_array_unref);
}
