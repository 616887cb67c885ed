/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of other robots: seen themselves, or known from what a reply quotes. */
#include <string.h>

#include "tracker/ingest.h"

static bool write_report(tracker_ingest *run, const parser_report *from,
			 report_row *row, int64_t *id, GError **error)
{
	g_autofree char *own_id =
		parser_regression_id(from->commit, from->testcase, from->metric);
	g_autofree char *culprit = culprit_of(from->commit);
	finding_row headline = {
		.testcase = from->testcase,
		.metric = from->metric,
		.machine = from->machine,
		.kind = from->kind,
		.has_change = from->has_change,
		.change = from->change_percent,
		.parameters = from->parameters,
	};

	row->mail = "report";
	/*
	 * The facts decide which regression it is.  What a mail says of itself counts
	 * only where they are incomplete: anybody can write our ID into a report.
	 */
	if (!row->own_id || (from->commit && from->testcase && from->metric))
		row->own_id = own_id;
	row->commit = from->commit;
	row->subject = from->commit_subject;
	row->tree = from->tree;
	row->branch = from->branch;
	row->url = from->url;
	row->base = from->base;
	row->config = from->config;
	row->compiler = from->compiler;
	row->generation = from->generation;
	if (!report_insert(run->t, row, id, error))
		return false;
	headline.report = *id;
	refresh_culprit(&run->r, culprit);
	return finding_insert(run->t, &headline, error) &&
	       impacts_insert(run->t, *id, from->impacts, error);
}

/* Lists never write, so taking one for a person does no harm but to what is shown. */
static bool is_list(const parser_address *a)
{
	const char *at = a->address ? strchr(a->address, '@') : NULL;

	if (!at)
		return true;
	return g_str_has_prefix(at, "@lists.") || strstr(at, ".lists.") ||
	       g_str_has_prefix(at, "@vger.") || g_str_has_prefix(at, "@list.") ||
	       g_str_has_prefix(at, "@groups.") ||
	       g_str_has_prefix(at, "@googlegroups.") ||
	       g_str_has_prefix(a->address, "linux-") ||
	       g_strstr_len(a->address, at - a->address, "-devel") ||
	       g_strstr_len(a->address, at - a->address, "-list");
}

/* The persons that a report addresses: authors in To:, maintainers in Cc:. */
static bool write_persons(tracker_ingest *run, int64_t report, const parser_mail *mail,
			  tracker_role role, GError **error)
{
	const char *sender = mail->from.address;
	const GPtrArray *addresses = role == TRACKER_ROLE_AUTHOR ? mail->to : mail->cc;

	for (guint i = 0; i < addresses->len; i++) {
		const parser_address *a = addresses->pdata[i];

		if (is_list(a) || same_person(NULL, sender, NULL, a->address) ||
		    addresses_have(run->t->own, a->address) ||
		    addresses_have(run->t->robot_team, a->address))
			continue;
		if (!person_insert(run->t,
				   &(person_row){
					   .report = report,
					   .role = role,
					   .name = a->name,
					   .address = a->address,
					   .signer = role == TRACKER_ROLE_AUTHOR,
				   },
				   error))
			return false;
	}
	return true;
}

/* An address that sends reports may be the robot team's; so may be what it wrote
 * before. */
static bool note_robot(tracker_ingest *run, const char *address, GError **error)
{
	g_autofree char *low = address ? g_ascii_strdown(address, -1) : NULL;
	g_auto(db_rows) rows = { 0 };

	if (!low)
		return true;
	if (!db_run(run->t, "INSERT OR IGNORE INTO robot (address) VALUES (?1)",
		    DB_ARGS(DB_TEXT(low)), error))
		return false;
	if (!db_changes(run->t))
		return true;
	if (!db_query(
		    run->t, &rows,
		    "SELECT DISTINCT l.regression FROM message m "
		    "JOIN link l ON l.message = m.id WHERE m.address = ?1 COLLATE NOCASE",
		    DB_ARGS(DB_TEXT(low)), error))
		return false;
	while (db_next(&rows, error))
		refresh_regression(&run->r, db_int(&rows, 0));
	return !rows.failed;
}

#define LATE 86400 /* that long a mail may be on its way */

/* Who wants to be the first dates his mail back: then it is as old as it is known to
 * be. */
static int64_t sent_at(int64_t date, int64_t received)
{
	return received - date > LATE ? received : date;
}

bool report_changed(refresh *r, int64_t message, GError **error)
{
	g_autofree char *culprit = NULL;

	if (!db_get_text(r->t,
			 "SELECT culprit FROM report WHERE message = ?1 "
			 "AND origin = 'seen'",
			 DB_ARGS(DB_INT(message)), &culprit, error))
		return false;
	if (culprit)
		refresh_culprit(r, culprit);
	return true;
}

bool report_came_again(refresh *r, int64_t message, int64_t date, int64_t received,
		       GError **error)
{
	if (!db_run(r->t,
		    "UPDATE report SET at = ?2 WHERE message = ?1 AND origin = 'seen' "
		    "AND at > ?2",
		    DB_ARGS(DB_INT(message), DB_INT(sent_at(date, received))), error))
		return false;
	return !db_changes(r->t) || report_changed(r, message, error);
}

static bool write_seen(tracker_ingest *run, const arrival *a, int64_t message,
		       GError **error)
{
	const parser_mail *mail = a->reading->mail;
	report_row row = {
		.origin = "seen",
		.message = message,
		.live = true,
		.at = sent_at(mail->date, mail->received),
		.own_id = mail->regression,
	};
	int64_t report;

	return note_robot(run, mail->from.address, error) &&
	       write_report(run, a->reading->report, &row, &report, error) &&
	       write_persons(run, report, mail, TRACKER_ROLE_AUTHOR, error) &&
	       write_persons(run, report, mail, TRACKER_ROLE_MAINTAINER, error);
}

/* How deep in quotes the report stands: its mail is that many steps above this one. */
static unsigned quote_depth(const parser_mail *mail, const parser_report *report)
{
	g_autofree char *culprit = culprit_of(report->commit);

	for (guint i = 0; *culprit && i < mail->spans->len; i++) {
		const parser_span *span = &g_array_index(mail->spans, parser_span, i);

		if (span->kind == PARSER_SPAN_QUOTE &&
		    g_strstr_len(mail->text + span->start,
				 (gssize)(span->end - span->start), culprit))
			return MAX(span->depth, 1);
	}
	return 1;
}

/* Ids from the mail's parent upwards. */
static GPtrArray *ancestors(const arrival *a)
{
	const parser_mail *mail = a->reading->mail;
	GPtrArray *ids = g_ptr_array_new();

	for (guint i = 0; i < mail->in_reply_to->len; i++)
		g_ptr_array_add(ids, mail->in_reply_to->pdata[i]);
	if (a->parent)
		g_ptr_array_add(ids, a->parent);
	for (guint i = mail->references->len; i-- > 0;) {
		char *id = mail->references->pdata[i];

		if (!g_ptr_array_find_with_equal_func(ids, id, g_str_equal, NULL))
			g_ptr_array_add(ids, id);
	}
	return ids;
}

/*
 * Which of the mails above is the report that is quoted: the one whose id the report
 * itself tells, else the nearest with a robot's id, else by the depth of the quote.
 */
static const char *quoted_mail(const arrival *a, const GPtrArray *ids)
{
	const GPtrArray *links = a->reading->links;
	unsigned depth = quote_depth(a->reading->mail, a->reading->quoted_report);

	for (guint i = 0; i < ids->len; i++)
		if (g_ptr_array_find_with_equal_func((GPtrArray *)links, ids->pdata[i],
						     g_str_equal, NULL))
			return ids->pdata[i];
	for (guint i = 0; i < ids->len; i++)
		if (parser_message_id_is_robot(ids->pdata[i]))
			return ids->pdata[i];
	return ids->len ? ids->pdata[MIN(depth, ids->len) - 1] : NULL;
}

static bool write_quoted(tracker_ingest *run, const arrival *a, int64_t message,
			 GError **error)
{
	g_autoptr(GPtrArray) ids = ancestors(a);
	const char *id = quoted_mail(a, ids);
	report_row row = {
		.origin = "quote",
		.quoted_by = message,
		.at = a->reading->mail->date,
	};
	int64_t report;

	if (id && !message_or_ghost(run->t, id, &row.message, error))
		return false;
	return write_report(run, a->reading->quoted_report, &row, &report, error);
}

static bool usable(const parser_report *report)
{
	return report && (report->commit || report->metric);
}

bool arrival_reports(tracker_ingest *run, const arrival *a, int64_t message,
		     GError **error)
{
	if (usable(a->reading->report))
		return write_seen(run, a, message, error);
	if (usable(a->reading->quoted_report))
		return write_quoted(run, a, message, error);
	return true;
}
