/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which regressions nobody answers, and who does not want to hear of them. */
#include "tracker/remind.h"

#include <string.h>

#include "tracker/records.h"

static void reminder_free(void *data)
{
	tracker_reminder *r = data;

	tracker_summary_free(r->summary);
	g_free(r->report_id);
	g_free(r->report_subject);
	g_clear_pointer(&r->addressed, g_ptr_array_unref);
	parser_commit_free(r->culprit);
	g_free(r);
}

/* ---- loading -------------------------------------------------------------------- */

static bool load_report(tracker *t, int64_t row, tracker_reminder *r, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT m.message_id, m.subject, o.state = 'sent' "
		      "FROM regression g JOIN message m ON m.id = g.report "
		      "LEFT JOIN outbox o ON o.message = m.id WHERE g.id = ?1",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	if (db_next(&rows, error)) {
		r->report_id = db_dup(&rows, 0);
		r->report_subject = db_dup(&rows, 1);
		r->ours = db_int(&rows, 2);
	}
	return !rows.failed;
}

static bool load_addressed(tracker *t, int64_t row, tracker_reminder *r, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT DISTINCT a.address FROM outbox o "
		      "JOIN outbox_recipient a ON a.outbox = o.id "
		      "WHERE o.regression = ?1 AND o.mail <> 'remind' "
		      "AND a.state = 'sent' ORDER BY 1",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	while (db_next(&rows, error))
		g_ptr_array_add(r->addressed, db_dup(&rows, 0));
	return !rows.failed;
}

static bool load_count(tracker *t, int64_t row, tracker_reminder *r, GError **error)
{
	g_auto(db_rows) rows = { 0 };
	tracker_draft last = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT id, max(created, changed), revision, state, "
		    "count(*) OVER (), max(revision) OVER () FROM outbox "
		    "WHERE regression = ?1 AND mail = 'remind' ORDER BY 2 DESC, 1 DESC",
		    DB_ARGS(DB_INT(row)), error) ||
	    !own_draft(&rows, &last, error))
		return false;
	if (!last.found)
		return true;
	r->last_outbox = last.outbox;
	r->last_at = last.created;
	r->last_state = (tracker_outbox_state)last.state;
	r->count = (unsigned)db_int(&rows, 4);
	r->next_revision = (unsigned)db_int(&rows, 5) + 1;
	return true;
}

static bool load_trailers(tracker *t, parser_commit *c, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT name, value FROM commit_trailer WHERE \"commit\" = ?1 "
		      "ORDER BY position",
		      DB_ARGS(DB_TEXT(c->id)), error))
		return false;
	while (db_next(&rows, error))
		g_ptr_array_add(c->trailers,
				parser_pair_new(db_text(&rows, 0), db_text(&rows, 1)));
	return !rows.failed;
}

static bool load_files(tracker *t, parser_commit *c, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT path FROM commit_file WHERE \"commit\" = ?1 ORDER BY 1",
		      DB_ARGS(DB_TEXT(c->id)), error))
		return false;
	while (db_next(&rows, error))
		g_ptr_array_add(c->files, db_dup(&rows, 0));
	return !rows.failed;
}

static bool load_culprit(tracker *t, tracker_reminder *r, GError **error)
{
	const tracker_summary *s = r->summary;
	parser_commit *c = parser_commit_new();
	g_auto(db_rows) rows = { 0 };

	r->culprit = c;
	c->id = g_strdup(s->commit);
	c->subject = g_strdup(s->commit_subject);
	c->tree = g_strdup(s->tree);
	c->branch = g_strdup(s->branch);
	if (!c->id)
		return true;
	if (!db_query(
		    t, &rows,
		    "SELECT author_name, author_address FROM \"commit\" WHERE id = ?1",
		    DB_ARGS(DB_TEXT(c->id)), error))
		return false;
	if (db_next(&rows, error)) {
		c->author_name = db_dup(&rows, 0);
		c->author_address = db_dup(&rows, 1);
	}
	return !rows.failed && load_trailers(t, c, error) && load_files(t, c, error);
}

static tracker_reminder *reminder_new(tracker *t, tracker_summary *summary,
				      GError **error)
{
	tracker_reminder *r = g_new0(tracker_reminder, 1);
	int64_t row;

	r->summary = summary;
	r->addressed = g_ptr_array_new_with_free_func(g_free);
	if (!regression_find(t, summary->id, &row, error) ||
	    !load_report(t, row, r, error) || !load_addressed(t, row, r, error) ||
	    !load_count(t, row, r, error) || !load_culprit(t, r, error)) {
		reminder_free(r);
		return NULL;
	}
	return r;
}

GPtrArray *tracker_reminders(tracker *t, int64_t now, GError **error)
{
	const tracker_filter filter = { .backburner = true, .now = now };
	g_autoptr(GPtrArray) open = tracker_list(t, &filter, error);
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(reminder_free);

	for (guint i = 0; open && i < open->len; i++) {
		tracker_summary *summary = g_steal_pointer(&open->pdata[i]);
		tracker_reminder *r = reminder_new(t, summary, error);

		if (!r)
			return NULL;
		g_ptr_array_add(all, r);
	}
	return open ? g_steal_pointer(&all) : NULL;
}

/* ---- deciding ------------------------------------------------------------------- */

static bool in_subsystem(const char *subject, const GPtrArray *patterns)
{
	g_autofree char *words = g_strndup(subject, strcspn(subject, ":"));

	if (!subject[strcspn(subject, ":")])
		return false; /* no subsystem stands before a colon */
	g_strstrip(words);
	for (guint i = 0; patterns && i < patterns->len; i++) {
		const char *pattern = patterns->pdata[i];
		size_t n = strlen(pattern);

		if (g_pattern_match_simple(pattern, words) ||
		    (!strncmp(words, pattern, n) && words[n] == '/'))
			return true;
	}
	return false;
}

bool tracker_reminder_covers(const tracker_reminder *r,
			     const tracker_remind_rules *rules)
{
	const char *subject = r->summary->commit_subject;

	for (guint i = 0; rules->lists && i < rules->lists->len; i++)
		if (addresses_have(r->addressed, rules->lists->pdata[i]))
			return true;
	return subject && in_subsystem(subject, rules->subsystems);
}

static int days(int64_t seconds)
{
	return (int)(seconds / 86400);
}

/* What speaks against it whatever the clock says; NULL = nothing. */
static const char *never(const tracker_reminder *r, const tracker_remind_rules *rules)
{
	const tracker_summary *s = r->summary;

	if (!tracker_status_is_open(s->status))
		return "it is closed";
	if (s->kind == PARSER_KIND_IMPROVEMENT)
		return "it is an improvement";
	if (!r->ours || !r->report_id)
		return "its report is not ours";
	if (!rules)
		return "no group [remind NAME] covers it";
	if (s->reminders_off)
		return "someone entitled asked for no reminders of it";
	if (s->backburner)
		return "it is on the back burner";
	if (s->status == TRACKER_STATUS_FIX_POSTED ||
	    s->status == TRACKER_STATUS_FIX_QUEUED)
		return "a fix is on its way";
	if (!g_strcmp0(s->owes, "operator"))
		return "a suggestion waits for the operator";
	if (!g_strcmp0(s->owes, "robot"))
		return "the robot owes an answer";
	return NULL;
}

/* Times and counts. */
static char *not_yet(const tracker_reminder *r, const tracker_remind_rules *rules,
		     int64_t now)
{
	const tracker_summary *s = r->summary;
	int64_t word = MAX(s->reported_at, s->last_human_at);

	if (now - word < rules->after)
		return s->last_human_at ?
			       g_strdup_printf("%s answered %d days ago",
					       s->last_human ? s->last_human :
							       "someone",
					       days(MAX(now - word, 0))) :
			       g_strdup_printf("it was reported %d days ago",
					       days(MAX(now - word, 0)));
	if (r->last_outbox && (r->last_state == TRACKER_OUTBOX_DRAFT ||
			       r->last_state == TRACKER_OUTBOX_APPROVED ||
			       r->last_state == TRACKER_OUTBOX_SENDING ||
			       r->last_state == TRACKER_OUTBOX_UNKNOWN))
		return g_strdup_printf(
			"reminder %" G_GINT64_FORMAT " of the outbox is %s",
			r->last_outbox, tracker_outbox_state_name(r->last_state));
	if (r->last_outbox && now - r->last_at < rules->every)
		return g_strdup_printf("the last reminder was %d days ago (%s)",
				       days(MAX(now - r->last_at, 0)),
				       tracker_outbox_state_name(r->last_state));
	if (rules->max && r->count >= rules->max)
		return g_strdup_printf("it was reminded of %u times, which is enough",
				       r->count);
	return NULL;
}

bool tracker_reminder_due(const tracker_reminder *r, const tracker_remind_rules *rules,
			  int64_t now, char **why)
{
	const tracker_summary *s = r->summary;
	const char *no = never(r, rules);
	char *wait = no ? NULL : not_yet(r, rules, now);

	if (no || wait) {
		*why = wait ? wait : g_strdup(no);
		return false;
	}
	*why = s->last_human_at ?
		       g_strdup_printf("%s answered last, %d days ago",
				       s->last_human ? s->last_human : "someone",
				       days(now - s->last_human_at)) :
		       g_strdup_printf("nobody has answered for %d days",
				       days(now - s->reported_at));
	return true;
}

/* ---- who asked for silence ------------------------------------------------------ */

static int64_t stop_hash(const tracker *t, const char *address)
{
	g_autofree char *low = g_ascii_strdown(address, -1);

	return db_hash(t, low);
}

bool reminder_stop(tracker *t, const char *address, int64_t now, GError **error)
{
	return db_run(t,
		      "INSERT OR IGNORE INTO reminder_stop (hash, at) VALUES (?1, ?2)",
		      DB_ARGS(DB_INT(stop_hash(t, address)), DB_INT(now)), error);
}

/* Whoever may not command for all still speaks for himself; the last word counts. */
static bool stopped_here(tracker *t, const char *regression, const char *address,
			 bool *stopped, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT c.prefix, c.verb FROM regression g "
		      "JOIN link l ON l.regression = g.id "
		      "JOIN message m ON m.id = l.message "
		      "JOIN command c ON c.message = m.id "
		      "WHERE g.regression = ?1 AND l.acts AND m.class = 'human' "
		      "AND lower(m.address) = lower(?2) AND c.problem IS NULL "
		      "ORDER BY m.date, m.message_id, c.position",
		      DB_ARGS(DB_TEXT(regression), DB_TEXT(address)), error))
		return false;
	while (db_next(&rows, error)) {
		const parser_verb *v =
			parser_verb_find(db_text(&rows, 0), db_text(&rows, 1));

		if (v && v->act == PARSER_ACT_REMINDERS_OFF)
			*stopped = true;
		else if (v && v->act == PARSER_ACT_REMINDERS_ON)
			*stopped = false;
	}
	return !rows.failed;
}

bool tracker_reminder_stopped(tracker *t, const char *regression, const char *address,
			      bool *stopped, GError **error)
{
	int64_t hit = 0;

	*stopped = false;
	if (!db_get_int(t, "SELECT 1 FROM reminder_stop WHERE hash = ?1",
			DB_ARGS(DB_INT(stop_hash(t, address))), &hit, error))
		return false;
	*stopped = hit;
	return hit || stopped_here(t, regression, address, stopped, error);
}

/* ---- mails ---------------------------------------------------------------------- */

static bool check_first(tracker *t, const tracker_report *mail, int64_t made,
			GError **error)
{
	int64_t row, other = 0;

	if (!regression_find(t, mail->regression, &row, error) ||
	    !db_get_int(t,
			"SELECT id FROM outbox WHERE regression = ?1 "
			"AND mail = 'remind' AND (created >= ?2 OR state IN "
			"('draft', 'approved', 'sending', 'unknown')) LIMIT 1",
			DB_ARGS(DB_INT(row), DB_INT(made)), &other, error))
		return false;
	if (!other)
		return true;
	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE,
		    "regression %.8s: mail %" G_GINT64_FORMAT
		    " of the outbox reminds of it already",
		    mail->regression, other);
	return false;
}

bool tracker_reminder_add(tracker *t, const tracker_report *mail, int64_t made,
			  tracker_stored *stored, GError **error)
{
	g_auto(tracker_stored) result = { 0 };
	g_auto(refresh) r = { 0 };
	g_auto(db_tx) tx = { 0 };
	int64_t message;

	refresh_init(&r, t, mail->created);
	if (!db_begin(t, &tx, error) || !check_first(t, mail, made, error) ||
	    !own_add(&r, mail, &result, &message, error) || !db_commit(&tx, error))
		return false;
	*stored = result;
	result = (tracker_stored){ 0 };
	return true;
}

/*
 * A human word that the draft did not know of: a later one, or one that came in later,
 * whenever it was written.
 */
#define ANSWERED                                                                        \
	"(g.last_human_at > o.created OR EXISTS (SELECT 1 FROM link l "                 \
	" JOIN message m ON m.id = l.message JOIN regression y ON y.id = l.regression " \
	" WHERE coalesce(y.merged_into, y.id) = g.id AND m.class = 'human' "            \
	" AND max(m.date, g.reported_at) = g.last_human_at "                            \
	" AND (m.id > o.message OR m.arrived > o.created)))"

#define POINTLESS                                                                      \
	"FROM outbox o JOIN regression x ON x.id = o.regression "                      \
	"JOIN regression g ON g.id = coalesce(x.merged_into, x.id) "                   \
	"WHERE o.mail = 'remind' AND o.state IN ('draft', 'approved') "                \
	"AND NOT EXISTS (SELECT 1 FROM outbox_recipient a WHERE a.outbox = o.id "      \
	" AND a.state <> 'waiting') AND (g.open = 0 OR " ANSWERED                      \
	" OR g.owes IS NOT 'maintainer' OR g.status IN ('fix-posted', 'fix-queued') "  \
	" OR EXISTS (SELECT 1 FROM attribute a WHERE a.regression = g.id "             \
	"  AND a.name IN ('backburner', 'reminders')))"

/* The next one, and a line about it; 0 = there is none. */
static bool next_pointless(tracker *t, int64_t *id, char **line, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	*id = 0;
	if (!db_query(t, &rows,
		      "SELECT o.id, g.regression, CASE WHEN g.open = 0 THEN g.status "
		      "WHEN " ANSWERED " THEN 'answered' "
		      "ELSE 'not to be reminded of now' END " POINTLESS
		      " ORDER BY o.id LIMIT 1",
		      DB_NO_ARGS, error))
		return false;
	if (db_next(&rows, error)) {
		*id = db_int(&rows, 0);
		*line = g_strdup_printf("reminder %" G_GINT64_FORMAT
					" is cancelled: regression %.8s is %s",
					*id, db_text(&rows, 1), db_text(&rows, 2));
	}
	return !rows.failed;
}

bool tracker_reminders_withdraw(tracker *t, int64_t now, GPtrArray *lines,
				GError **error)
{
	g_auto(db_tx) tx = { 0 };
	guint before = lines->len;

	for (;;) {
		char *line = NULL;
		int64_t id;

		if (!next_pointless(t, &id, &line, error))
			return false;
		if (!id)
			break;
		g_ptr_array_add(lines, line);
		/* Usually there is none, and then nothing is written. */
		if ((!tx.t && !db_begin(t, &tx, error)) ||
		    !outbox_set_state(t, id, TRACKER_OUTBOX_CANCELLED, now, error))
			return false;
	}
	return lines->len == before || db_commit(&tx, error);
}
