/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mail is made from besides the numbers: who, to whom, how, with what attached.
 */
#include <string.h>

#include "cli/draft.h"
#include "cli/outgoing.h"
#include "cli/recipients.h"

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

/* ---- where else it is seen ---- */

/* "linux-next/master" or what is known of it. */
static char *where_of(const parser_commit *c)
{
	return c->tree && c->branch ? g_strconcat(c->tree, "/", c->branch, NULL) :
	       c->tree              ? g_strdup(c->tree) :
				      NULL;
}

static bool is_of(const parser_pair *pair, const char *where)
{
	return strcmp(pair->name, where) == 0;
}

static void add_still(draft *d, const char *where, const char *commit)
{
	for (guint i = 0; i < d->still->len; i++)
		if (is_of(g_ptr_array_index(d->still, i), where))
			return;
	g_ptr_array_add(d->still, parser_pair_new(where, commit));
}

/* Heads of trees behind the culprit that show the same change. */
static void add_heads(draft *d)
{
	const render_comparison *c = draft_headline(d);
	size_t n = c->source->columns->len;

	/* The last column of a re-test is the fix. */
	for (size_t i = 1; i < n - (d->options->retest ? 1 : 0); i++) {
		const parser_column *column = g_ptr_array_index(c->source->columns, i);
		g_autofree char *where = where_of(column->commit);

		if (i != c->headline.column && where && column->commit->id &&
		    render_still_changed(c, i))
			add_still(d, where, column->commit->id);
	}
}

/* What was asked for, then what the results say. */
static bool find_still(draft *d, GError **error)
{
	for (char **value = d->options->still; value && *value; value++) {
		g_auto(GStrv) parts = g_strsplit(*value, "=", 2);
		const char *digits = parts[0] && parts[0][0] ? parts[1] : NULL;
		size_t n = digits ? strlen(digits) : 0;

		if (n < 7 || n > 64 || strspn(digits, "0123456789abcdef") != n)
			return draft_refuse(error,
					    "--still needs TREE/BRANCH=COMMIT, not %s",
					    *value);
		add_still(d, parts[0], digits);
	}
	if (d->args[0])
		add_heads(d);
	return true;
}

/* ---- who gets it ---- */

/* A follow-up on another commit is not the business of that commit's people. */
static bool is_blamed(const draft *d)
{
	const char *blamed = d->answer ? d->answer->detail->summary->commit : NULL;
	const char *id = d->culprit->id;

	return !blamed ||
	       (id && (g_str_has_prefix(id, blamed) || g_str_has_prefix(blamed, id)));
}

static bool find_recipients(draft *d, GError **error)
{
	recipients_request request = {
		.culprit = d->culprit,
		.people = is_blamed(d),
		.kind = d->facts.kind,
		.git = d->options->results.git,
		.to = d->options->to,
		.cc = d->options->cc,
		.thread_to = d->answer ? d->answer->to : NULL,
		.thread_cc = d->answer ? d->answer->cc : NULL,
		.skip_unparsable = draft_is_forced(d, "address"),
	};

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

/* ---- all together ---- */

/* Wording and links that the configuration decides about. */
static void read_config(draft *d)
{
	const config *conf = d->cli->config;
	const char *testcase = draft_headline(d)->source->testcase;
	g_autofree char *group = g_strconcat("test ", testcase, NULL);
	uint64_t size = config_number(conf, "send", "size-max");

	d->facts.archive_url =
		draft_keep(d, config_text(conf, "regtrail", "archive-url"));
	d->facts.materials_url = draft_keep(
		d, expand(config_text(conf, "report", "materials-url"), d->regression));
	d->facts.style = d->options->style ?
				 d->options->style :
				 draft_keep(d, config_text(conf, "report", "style"));
	d->facts.signature = draft_keep(d, config_text(conf, "report", "signature"));
	d->facts.reproduce = draft_keep(d, config_text(conf, "report", "reproduce"));
	d->facts.regzbot = config_bool(conf, "report", "regzbot");
	d->facts.own_subject = config_bool(conf, "report", "own-subject");
	d->facts.plots = config_bool(conf, "report", "plots");
	d->facts.max_size = size ? size : SIZE_MAX;
	if (testcase) {
		d->facts.test_description =
			draft_keep(d, config_text(conf, group, "description"));
		d->facts.test_url = draft_keep(d, config_text(conf, group, "url"));
	}
}

/* Above the first report, or above the patch that a report answers. */
static bool find_thread(draft *d, GError **error)
{
	if (d->answer) {
		d->facts.first_report = d->answer->detail->report_id;
		d->facts.first_subject = d->answer->subject;
		d->facts.regression = d->regression;
		d->facts.references = d->answer->references;
		return true;
	}
	if (!d->culprit->patch_message_id)
		return true;
	d->references = draft_references_of(d, d->culprit->patch_message_id, error);
	d->facts.references = d->references;
	return d->references;
}

bool draft_collect_facts(draft *d, GError **error)
{
	if (!find_kind(d, error) || !find_from(d, error) || !find_forced(d, error))
		return false;
	d->facts.comparison = draft_headline(d);
	d->facts.machines = d->machines;
	d->facts.also = d->also;
	d->facts.mail_kind = draft_kind(d);
	d->facts.from = *d->from;
	d->facts.note = d->options->note;
	read_config(d);
	if (!find_thread(d, error) || !draft_attach(d, error) ||
	    !find_still(d, error) || !find_recipients(d, error))
		return false;
	d->facts.still_failing = d->still;
	d->facts.attachments = d->attachments;
	d->facts.to = d->to;
	d->facts.cc = d->cc;
	return true;
}
