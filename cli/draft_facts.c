/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mail is made from besides the numbers: who, to whom, how, with what attached.
 */
#include <string.h>

#include "cli/address.h"
#include "cli/draft.h"
#include "cli/outgoing.h"
#include "cli/recipients.h"
#include "mailer/mailer.h"

bool draft_refuse(GError **error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);

	g_autofree char *what = g_strdup_vprintf(format, arguments);

	va_end(arguments);
	g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, what);
	return false;
}

void draft_free_attachment(gpointer data)
{
	render_attachment *a = data;

	g_free(a->name);
	g_free(a->type);
	g_bytes_unref(a->bytes);
	g_free(a);
}

static render_mail_kind mail_kind(const draft *d)
{
	if (d->options->followup)
		return RENDER_MAIL_FOLLOWUP;
	if (d->options->retest)
		return RENDER_MAIL_RETEST;
	return d->options->retract ? RENDER_MAIL_RETRACT : RENDER_MAIL_REPORT;
}

static bool find_from(draft *d, GError **error)
{
	d->from = outgoing_from(d->cli, error);
	return d->from;
}

static bool find_kind(draft *d, GError **error)
{
	const char *word = d->options->kind;

	d->facts.kind = word ? parser_kind_from_name(word) : PARSER_KIND_UNKNOWN;
	if (word && d->facts.kind == PARSER_KIND_UNKNOWN)
		return draft_refuse(
			error, "--kind is regression, improvement or failure, not %s",
			word);
	return true;
}

static bool find_forced(draft *d, GError **error)
{
	for (char **value = d->options->force; value && *value; value++) {
		g_auto(GStrv) parts = g_strsplit(*value, "=", 2);

		if (!parts[0] || !parts[1] || !parts[0][0] || !parts[1][0])
			return draft_refuse(error, "--force needs NAME=REASON, not %s",
					    *value);
		g_ptr_array_add(d->forced, parser_pair_new(parts[0], parts[1]));
	}
	return true;
}

static void attach(draft *d, const char *name, GBytes *bytes)
{
	render_attachment *a = g_new0(render_attachment, 1);

	a->name = g_path_get_basename(name);
	/* Readable in every mail reader and archive, unlike types that these do not
	 * know. */
	a->type = g_strdup("text/plain");
	a->bytes = g_bytes_ref(bytes);
	g_ptr_array_add(d->attachments, a);
}

/* The job of the culprit's result root, unless materials are found elsewhere. */
static bool attach_job(draft *d, GError **error)
{
	size_t column = draft_headline(d)->headline.column;
	/* One file may hold more columns than there are arguments. */
	const char *root = column < g_strv_length(d->args) ? d->args[column] : NULL;

	/* Who takes a report back has nothing to reproduce. */
	if (!root || d->materials_url || d->options->retract ||
	    !g_file_test(root, G_FILE_TEST_IS_DIR))
		return true;

	g_autoptr(GPtrArray) blobs = mailer_root_read(root, error);

	if (!blobs)
		return false;
	for (guint i = 0; i < blobs->len; i++) {
		const mailer_blob *blob = g_ptr_array_index(blobs, i);

		if (!g_str_has_suffix(blob->name, "job.yaml"))
			continue;
		attach(d, blob->name, blob->bytes);
		break;
	}
	return true;
}

static bool find_attachments(draft *d, GError **error)
{
	if (!attach_job(d, error))
		return false;
	for (char **path = d->options->attach; path && *path; path++) {
		g_autoptr(GBytes) bytes = mailer_file_read(*path, error);

		if (!bytes)
			return false;
		attach(d, *path, bytes);
	}
	return true;
}

static bool find_recipients(draft *d, GError **error)
{
	recipients_request request = { .culprit = d->culprit,
				       .kind = d->facts.kind,
				       .git = d->options->results.git,
				       .to = d->options->to,
				       .cc = d->options->cc };

	if (request.kind == PARSER_KIND_UNKNOWN)
		request.kind = draft_headline(d)->headline.kind;
	return recipients_choose(d->cli, &request, d->to, d->cc, error);
}

static char *expand(char *text, const char *what)
{
	g_autofree char *pattern = text;
	g_auto(GStrv) parts = g_strsplit(pattern ? pattern : "", "%s", -1);

	return pattern ? g_strjoinv(what, parts) : NULL;
}

bool draft_collect_facts(draft *d, GError **error)
{
	const config *conf = d->cli->config;

	d->archive_url = config_text(conf, "regtrail", "archive-url");
	d->materials_url =
		expand(config_text(conf, "report", "materials-url"), d->regression);
	d->style = d->options->style ? g_strdup(d->options->style) :
				       config_text(conf, "report", "style");
	if (!find_kind(d, error) || !find_from(d, error) || !find_forced(d, error) ||
	    !find_attachments(d, error) || !find_recipients(d, error))
		return false;
	d->facts.comparison = draft_headline(d);
	d->facts.also = d->also;
	d->facts.mail_kind = mail_kind(d);
	d->facts.style = d->style;
	d->facts.from = *d->from;
	d->facts.archive_url = d->archive_url;
	d->facts.materials_url = d->materials_url;
	d->facts.note = d->options->note;
	d->facts.regzbot = config_bool(conf, "report", "regzbot");
	d->facts.own_subject = config_bool(conf, "report", "own-subject");
	d->facts.attachments = d->attachments;
	d->facts.to = d->to;
	d->facts.cc = d->cc;
	if (d->answered) {
		d->facts.first_report = d->answered->report_id;
		d->facts.regression = d->regression;
	}
	return true;
}
