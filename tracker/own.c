/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of ours: from facts and bytes to rows, in one transaction. */
#include <string.h>

#include "tracker/store.h"
#include "tracker/trust.h"

void tracker_stored_clear(tracker_stored *stored)
{
	g_clear_pointer(&stored->message_id, g_free);
	g_clear_pointer(&stored->regression, g_free);
}

static const parser_commit *culprit(const tracker_report *report)
{
	const parser_comparison *c = report->comparison;

	if (!c || report->culprit_column >= c->columns->len)
		return NULL;
	return ((parser_column *)c->columns->pdata[report->culprit_column])->commit;
}

/*
 * Whom the mail blames, first digits: a follow-up is about the culprit of the report
 * that it answers, whatever commits it compares.
 */
static bool blamed(tracker *t, const tracker_report *report, char **digits,
		   GError **error)
{
	const parser_commit *commit = culprit(report);
	g_auto(db_rows) rows = { 0 };
	int64_t row;

	*digits = NULL;
	if (strcmp(report->kind_of_mail, "report") && report->regression) {
		if (!regression_find(t, report->regression, &row, error) ||
		    !db_query(t, &rows,
			      "SELECT culprit FROM report WHERE regression = ?1 "
			      "AND mail = 'report' ORDER BY live DESC, at, id LIMIT 1",
			      DB_ARGS(DB_INT(row)), error))
			return false;
		if (db_next(&rows, error))
			*digits = db_dup(&rows, 0);
	}
	if (!*digits)
		*digits = culprit_of(commit ? commit->id : NULL);
	return !rows.failed;
}

/* The Message-ID holds the time of creation; all else makes two renderings the same. */
static char *content_of(const tracker_report *report)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_auto(GStrv) pieces = g_strsplit(report->body, report->message_id, -1);

	g_checksum_update(sum, (const guchar *)report->subject, -1);
	for (char **piece = pieces; *piece; piece++) {
		g_checksum_update(sum, (const guchar *)"", 1);
		g_checksum_update(sum, (const guchar *)*piece, -1);
	}
	return g_strdup(g_checksum_get_string(sum));
}

bool own_draft(db_rows *rows, tracker_draft *draft, GError **error)
{
	*draft = (tracker_draft){ 0 };
	if (db_next(rows, error)) {
		draft->found = true;
		draft->outbox = db_int(rows, 0);
		draft->created = db_int(rows, 1);
		draft->revision = (unsigned)db_int(rows, 2);
		for (int i = 0; i <= TRACKER_OUTBOX_CANCELLED; i++)
			if (!strcmp(tracker_outbox_state_name(i), db_text(rows, 3)))
				draft->state = i;
	}
	return !rows->failed;
}

bool tracker_draft_find(tracker *t, const char *regression, const char *kind_of_mail,
			tracker_draft *draft, GError **error)
{
	g_auto(db_rows) rows = { 0 };
	int64_t row;

	*draft = (tracker_draft){ 0 };
	if (!regression_find(t, regression, &row, error) ||
	    !db_query(
		    t, &rows,
		    "SELECT id, created, revision, state FROM outbox "
		    "WHERE regression = ?1 AND mail = ?2 ORDER BY revision DESC, id DESC",
		    DB_ARGS(DB_INT(row), DB_TEXT(kind_of_mail)), error))
		return false;
	return own_draft(&rows, draft, error);
}

/* Looks for the same rendering; another one under the same Message-ID is an error. */
bool own_find_same(tracker *t, const tracker_report *report, tracker_stored *stored,
		   GError **error)
{
	g_autofree char *content = content_of(report);
	g_auto(db_rows) rows = { 0 };
	int64_t row = 0;

	if (report->regression && !regression_find(t, report->regression, &row, error))
		return false;
	if (!db_query(t, &rows,
		      "SELECT o.id, m.message_id, o.content FROM outbox o "
		      "JOIN message m ON m.id = o.message "
		      "WHERE o.state <> 'cancelled' AND (m.message_id = ?4 OR "
		      "(o.regression IS ?1 AND o.mail = ?2 AND o.revision = ?3 "
		      "AND o.regression IS NOT NULL))",
		      DB_ARGS(DB_ROW(row), DB_TEXT(report->kind_of_mail),
			      DB_INT(report->revision), DB_TEXT(report->message_id)),
		      error))
		return false;
	if (!db_next(&rows, error))
		return !rows.failed;
	if (strcmp(db_text(&rows, 2), content)) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_EXISTS,
			    "mail %" G_GINT64_FORMAT
			    " of the outbox is another rendering of "
			    "the same %s: cancel it first, or raise the revision",
			    db_int(&rows, 0), report->kind_of_mail);
		return false;
	}
	stored->existed = true;
	stored->outbox = db_int(&rows, 0);
	stored->message_id = db_dup(&rows, 1);
	stored->regression = g_strdup(report->regression);
	return true;
}

/*
 * A regression is reported once; cancelled and rejected drafts do not count, nor does
 * what anybody could have sent to keep ours from leaving.
 */
static bool check_reported(tracker *t, const tracker_report *report, GError **error)
{
	const parser_commit *commit = culprit(report);
	g_autofree char *digits = culprit_of(commit ? commit->id : NULL);
	g_auto(db_rows) rows = { 0 };

	if (strcmp(report->kind_of_mail, "report") || !commit)
		return true;
	if (!db_query(
		    t, &rows,
		    "SELECT m.message_id, g.regression, r.origin = 'own', m.address, "
		    "m.signed_by FROM report r "
		    "JOIN message m ON m.id = r.message "
		    "JOIN regression g ON g.id = r.regression "
		    "LEFT JOIN outbox o ON o.message = r.message "
		    "WHERE r.culprit = ?1 AND r.mail = 'report' AND r.origin <> 'quote' "
		    "AND coalesce(o.state, 'sent') NOT IN ('cancelled', 'rejected') "
		    "AND (r.own_id = ?2 OR g.regression = ?2 OR EXISTS "
		    " (SELECT 1 FROM report x JOIN finding f ON f.report = x.id "
		    "  WHERE x.regression = r.regression AND f.testcase = ?3 "
		    "  AND f.metric = ?4))",
		    DB_ARGS(DB_TEXT(digits), DB_TEXT(report->regression),
			    DB_TEXT(report->comparison->testcase),
			    DB_TEXT(report->metric)),
		    error))
		return false;
	while (db_next(&rows, error)) {
		if (!db_int(&rows, 2) &&
		    trust_of(t, db_text(&rows, 3), db_text(&rows, 4)) == TRUST_ANYBODY)
			continue;
		g_set_error(
			error, TRACKER_ERROR, TRACKER_ERROR_EXISTS,
			"regression %.8s is reported already by <%s>: a follow-up is "
			"meant (--followup %.8s)",
			db_text(&rows, 1), db_text(&rows, 0), db_text(&rows, 1));
		return false;
	}
	return !rows.failed;
}

static bool add_message(tracker *t, const tracker_report *report, int64_t *row,
			GError **error)
{
	g_autoptr(GBytes) packed =
		db_pack(g_bytes_get_data(report->quoted_printable, NULL),
			g_bytes_get_size(report->quoted_printable));
	int64_t parent = 0, known;
	bool ghost;

	if (report->in_reply_to &&
	    !message_or_ghost(t, report->in_reply_to, &parent, error))
		return false;
	if (!message_find(t, report->message_id, &known, &ghost, error))
		return false;
	if (known && !ghost) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_EXISTS,
			    "Message-ID <%s> is used already: raise the revision",
			    report->message_id);
		return false;
	}
	if (!known && !message_or_ghost(t, report->message_id, &known, error))
		return false;
	*row = known;
	return db_run(t,
		      "UPDATE message SET origin = 'own', content = '', parent = ?2, "
		      "name = ?3, address = ?4, date = ?5, arrived = ?5, subject = ?6, "
		      "class = 'robot', regression = ?7, bytes = ?8 WHERE id = ?1",
		      DB_ARGS(DB_INT(known), DB_ROW(parent), DB_TEXT(report->from.name),
			      DB_TEXT(report->from.address), DB_INT(report->created),
			      DB_TEXT(report->subject), DB_TEXT(report->regression),
			      DB_BLOB(g_bytes_get_data(packed, NULL),
				      g_bytes_get_size(packed))),
		      error) &&
	       (!parent || reference_insert(t, known, "in-reply-to", 0,
					    report->in_reply_to, error));
}

static bool add_commit(tracker *t, const parser_commit *c, GError **error)
{
	if (!c || !c->id)
		return true;
	if (!db_run(t,
		    "INSERT INTO \"commit\" (id, subject, author_name, author_address, date, "
		    "tree, branch, url) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
		    "ON CONFLICT (id) DO UPDATE SET subject = coalesce(subject, ?2), "
		    "author_name = coalesce(author_name, ?3), "
		    "author_address = coalesce(author_address, ?4)",
		    DB_ARGS(DB_TEXT(c->id), DB_TEXT(c->subject),
			    DB_TEXT(c->author_name), DB_TEXT(c->author_address),
			    DB_INT(c->date), DB_TEXT(c->tree), DB_TEXT(c->branch),
			    DB_TEXT(c->url)),
		    error))
		return false;
	for (guint i = 0; c->trailers && i < c->trailers->len; i++) {
		const parser_pair *pair = c->trailers->pdata[i];

		if (!db_run(t,
			    "INSERT OR IGNORE INTO commit_trailer (\"commit\", position, name, "
			    "value) VALUES (?1, ?2, ?3, ?4)",
			    DB_ARGS(DB_TEXT(c->id), DB_INT(i), DB_TEXT(pair->name),
				    DB_TEXT(pair->value)),
			    error))
			return false;
	}
	for (guint i = 0; c->files && i < c->files->len; i++)
		if (!db_run(t,
			    "INSERT OR IGNORE INTO commit_file (\"commit\", path) "
			    "VALUES (?1, ?2)",
			    DB_ARGS(DB_TEXT(c->id), DB_TEXT(c->files->pdata[i])),
			    error))
			return false;
	return true;
}

/* "Name <address>" of a trailer; the last <...> is the address. */
static bool add_signer(tracker *t, int64_t report, const char *value, bool may_command,
		       GError **error)
{
	const char *open = strrchr(value, '<');
	const char *close = open ? strchr(open, '>') : NULL;

	if (!close || close == open + 1)
		return true;

	g_autofree char *name = g_strstrip(g_strndup(value, (gsize)(open - value)));
	g_autofree char *address = g_strndup(open + 1, (gsize)(close - open - 1));

	return person_insert(t,
			     &(person_row){
				     .report = report,
				     .role = TRACKER_ROLE_MAINTAINER,
				     .name = *name ? name : NULL,
				     .address = address,
				     .signer = may_command,
			     },
			     error);
}

static bool add_people(tracker *t, int64_t report, const parser_commit *c,
		       GError **error)
{
	static const char *const signing[] = { "Signed-off-by", "Reviewed-by",
					       "Acked-by" };

	if (!c)
		return true;
	if (!person_insert(t,
			   &(person_row){
				   .report = report,
				   .role = TRACKER_ROLE_AUTHOR,
				   .name = c->author_name,
				   .address = c->author_address,
				   .signer = true,
			   },
			   error))
		return false;
	for (guint i = 0; c->trailers && i < c->trailers->len; i++) {
		const parser_pair *pair = c->trailers->pdata[i];

		for (size_t k = 0; k < G_N_ELEMENTS(signing); k++)
			if (!g_ascii_strcasecmp(pair->name, signing[k]) &&
			    !add_signer(t, report, pair->value, k == 0, error))
				return false;
	}
	return true;
}

static bool add_metric(tracker *t, int64_t report, guint position,
		       const parser_metric *m, GError **error)
{
	return db_run(
		t,
		"INSERT OR REPLACE INTO run_data (report, position, metric, samples, "
		"kinds, mean, stddev, runs) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
		DB_ARGS(DB_INT(report), DB_INT(position), DB_TEXT(m->name),
			DB_BLOB(m->n ? (const void *)m->values : "",
				m->n * sizeof(*m->values)),
			DB_BLOB(m->n ? (const void *)m->kinds : "", m->n),
			DB_MAYBE(m->summary, m->mean), DB_MAYBE(m->summary, m->stddev),
			DB_INT(m->summary ? m->runs : m->n)),
		error);
}

static bool add_runs(tracker *t, int64_t report, const tracker_report *from,
		     GError **error)
{
	const parser_comparison *c = from->comparison;

	for (guint i = 0; c && i < c->columns->len; i++) {
		const parser_column *column = c->columns->pdata[i];

		if (!db_run(t,
			    "INSERT INTO run_column (report, position, \"commit\", label, "
			    "runs, culprit) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			    DB_ARGS(DB_INT(report), DB_INT(i),
				    DB_TEXT(column->commit->id), DB_TEXT(column->label),
				    DB_INT(column->runs),
				    DB_INT(i == from->culprit_column)),
			    error))
			return false;
		for (guint k = 0; k < column->metrics->len; k++)
			if (!add_metric(
				    t, report, i,
				    &g_array_index(column->metrics, parser_metric, k),
				    error))
				return false;
	}
	return true;
}

static bool add_findings(tracker *t, int64_t report, const tracker_report *from,
			 GError **error)
{
	const parser_comparison *c = from->comparison;
	finding_row headline = {
		.report = report,
		.testcase = c->testcase,
		.metric = from->metric,
		.machine = c->machine_description ? c->machine_description : c->machine,
		.kind = from->kind,
		.has_change = from->has_change,
		.has_interval = from->has_change,
		.change = from->change_percent,
		.ci_low = from->ci_low,
		.ci_high = from->ci_high,
		.p = from->p,
		.parameters = c->parameters,
	};

	if (!finding_insert(t, &headline, error) ||
	    !impacts_insert(t, report, from->impacts, error))
		return false;
	for (guint i = 0; from->forced && i < from->forced->len; i++) {
		const parser_pair *pair = from->forced->pdata[i];

		if (!db_run(t,
			    "INSERT OR REPLACE INTO report_forced (report, name, reason) "
			    "VALUES (?1, ?2, ?3)",
			    DB_ARGS(DB_INT(report), DB_TEXT(pair->name),
				    DB_TEXT(pair->value)),
			    error))
			return false;
	}
	return true;
}

static bool add_report(tracker *t, const tracker_report *from, const char *digits,
		       int64_t message, GError **error)
{
	const parser_commit *c = culprit(from);
	g_autofree char *own_digits = culprit_of(c ? c->id : NULL);
	report_row row = {
		.origin = "own",
		.mail = from->kind_of_mail,
		.message = message,
		.at = from->created,
		.own_id = from->regression,
		.culprit = digits,
		.commit = c ? c->id : NULL,
		.subject = c ? c->subject : NULL,
		.tree = c ? c->tree : NULL,
		.branch = c ? c->branch : NULL,
		.url = c ? c->url : NULL,
		.base = c ? c->base : NULL,
		.outcome = from->outcome,
	};
	int64_t report;

	return report_insert(t, &row, &report, error) && add_commit(t, c, error) &&
	       /* The people of another commit are not those of the culprit. */
	       (strcmp(own_digits, digits) || add_people(t, report, c, error)) &&
	       add_findings(t, report, from, error) && add_runs(t, report, from, error);
}

static bool add_recipients(tracker *t, int64_t outbox, const GPtrArray *addresses,
			   GError **error)
{
	for (guint i = 0; addresses && i < addresses->len; i++) {
		const parser_address *a = addresses->pdata[i];

		if (a->address &&
		    !db_run(t,
			    "INSERT OR IGNORE INTO outbox_recipient (outbox, address) "
			    "VALUES (?1, ?2)",
			    DB_ARGS(DB_INT(outbox), DB_TEXT(a->address)), error))
			return false;
	}
	return true;
}

static bool add_outbox(tracker *t, const tracker_report *from, int64_t message,
		       tracker_stored *stored, GError **error)
{
	g_autofree char *content = content_of(from);
	g_autoptr(GBytes) eight =
		from->eight_bit ? db_pack(g_bytes_get_data(from->eight_bit, NULL),
					  g_bytes_get_size(from->eight_bit)) :
				  NULL;
	g_autoptr(GBytes) quoted =
		db_pack(g_bytes_get_data(from->quoted_printable, NULL),
			g_bytes_get_size(from->quoted_printable));
	int64_t regression = 0;

	if (from->regression &&
	    !regression_find(t, from->regression, &regression, error))
		return false;
	if (!db_run(t,
		    "INSERT INTO outbox (message, regression, mail, revision, state, sender, "
		    "content, eight_bit, quoted_printable, created, changed, next_at) "
		    "VALUES (?1, ?2, ?3, ?4, 'draft', ?5, ?6, ?7, ?8, ?9, ?9, ?9)",
		    DB_ARGS(DB_INT(message), DB_ROW(regression),
			    DB_TEXT(from->kind_of_mail), DB_INT(from->revision),
			    DB_TEXT(from->sender), DB_TEXT(content),
			    DB_BLOB(eight ? g_bytes_get_data(eight, NULL) : NULL,
				    eight ? g_bytes_get_size(eight) : 0),
			    DB_BLOB(g_bytes_get_data(quoted, NULL),
				    g_bytes_get_size(quoted)),
			    DB_INT(from->created)),
		    error))
		return false;
	stored->outbox = db_id(t);
	stored->message_id = g_strdup(from->message_id);
	stored->regression = g_strdup(from->regression);
	return add_recipients(t, stored->outbox, from->to, error) &&
	       add_recipients(t, stored->outbox, from->cc, error);
}

bool own_add(refresh *r, const tracker_report *report, tracker_stored *stored,
	     int64_t *message, GError **error)
{
	bool facts = report->regression && report->comparison;
	g_autofree char *digits = NULL;

	if (!blamed(r->t, report, &digits, error) ||
	    !check_reported(r->t, report, error) ||
	    !add_message(r->t, report, message, error) ||
	    (facts && !add_report(r->t, report, digits, *message, error)))
		return false;
	if (facts)
		refresh_culprit(r, digits);
	return refresh_settle(r, error) &&
	       add_outbox(r->t, report, *message, stored, error);
}

bool tracker_report_add(tracker *t, const tracker_report *report,
			tracker_stored *stored, GError **error)
{
	g_auto(tracker_stored) result = { 0 };
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	int64_t message;

	refresh_init(&r, t, report->created);
	if (!db_begin(t, &tx, error) || !own_find_same(t, report, &result, error))
		return false;
	if (!result.existed &&
	    (!own_add(&r, report, &result, &message, error) || !db_commit(&tx, error)))
		return false;
	*stored = result;
	result = (tracker_stored){ 0 };
	return true;
}
