/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "tracker/records.h"

/*
 * Filters that are not given are NULL or 0.  A word filter may be a glob; of machine
 * and author a part is enough; a subsystem is the prefix of the culprit's subject.
 */
#define FILTERS                                                                           \
	" AND (?1 IS NULL OR g.status = ?1) AND (?2 IS NULL OR g.tree GLOB ?2 "           \
	"OR g.tree || ':' || g.branch GLOB ?2)"                                           \
	" AND (?3 IS NULL OR g.testcase GLOB ?3) AND (?4 IS NULL OR g.metric GLOB ?4)"    \
	" AND (?5 IS NULL OR instr(g.machine, ?5) "                                       \
	"OR EXISTS (SELECT 1 FROM report r JOIN finding f "                               \
	"  ON f.report = r.id WHERE r.regression = g.id AND instr(f.machine, ?5)))"       \
	" AND (?6 IS NULL OR EXISTS (SELECT 1 FROM report r JOIN person p "               \
	"  ON p.report = r.id WHERE r.regression = g.id AND p.role = 'author' "           \
	"  AND (instr(lower(p.name), lower(?6)) OR instr(lower(p.address), lower(?6)))))" \
	" AND (?7 IS NULL OR substr(g.\"commit\", 1, length(?7)) = lower(?7))"            \
	" AND (?8 IS NULL OR lower(substr(g.subject, 1, length(?8))) = lower(?8))"        \
	" AND (?9 = 0 OR g.reported_at <= ?10 - ?9)"                                      \
	" AND (?11 = 0 OR max(g.last_human_at, g.reported_at) <= ?10 - ?11)"              \
	" AND (?12 = 0 OR abs(g.change) >= ?12) AND (?13 IS NULL OR g.owes = ?13)"        \
	" AND (?14 OR g.kind IS NOT 'improvement' OR g.disputed)"                         \
	" AND (?15 OR NOT EXISTS (SELECT 1 FROM attribute a "                             \
	"  WHERE a.regression = g.id AND a.name = 'backburner'))"                         \
	" AND (?16 = 0 OR (g.open = 0 AND ?16 <= (SELECT max(e.recorded) FROM event e "   \
	"  WHERE e.regression = g.id)))"

/* Somebody waits for us; then what hurts most; then what is newest. */
#define ORDER                                                                          \
	" ORDER BY (g.open OR g.owes IS 'operator') DESC, "                            \
	"(SELECT a.value FROM attribute a "                                            \
	" WHERE a.regression = g.id AND a.name = 'priority') IS 'high' DESC, "         \
	"g.owes IS 'operator' DESC, g.owes IS 'robot' DESC, "                          \
	"g.kind IS 'failure' DESC, abs(g.change) DESC, g.reported_at DESC, g.regression"

#define WHERE "SELECT " SUMMARY_COLUMNS " FROM regression g WHERE "

/* Those of a commit are found by its first digits. */
#define OF_COMMIT                                                                      \
	"g.culprit >= lower(substr(?7, 1, 10)) "                                       \
	"AND g.culprit < lower(substr(?7, 1, 10)) || 'g' AND "

#define OPEN "g.open = 1 AND g.merged_into IS NULL"
#define SEEN "g.seen = 1 AND g.merged_into IS NULL"
#define ALL  "g.merged_into IS NULL"

/* Few, and found by an index of their own. */
#define AGAIN                                                                          \
	"g.id IN (SELECT regression FROM suggestion WHERE status = 'reported') "       \
	"AND g.open = 0 AND g.merged_into IS NULL"

/* Each by its index; then all of them are put into one order. */
#define ROWS "SELECT " SUMMARY_COLUMNS ", g.open FROM regression g WHERE "
#define WAITING(of)                                                                    \
	"SELECT " SUMMARY_COLUMNS " FROM (" ROWS of OPEN FILTERS                       \
	" UNION ALL " ROWS of AGAIN FILTERS ") g"

enum {
	LIST_OPEN,
	LIST_WAITING,
	LIST_SEEN,
	LIST_ALL
};

static const char *query_of(const tracker_filter *filter, bool closed)
{
	int which = filter->all   ? LIST_ALL :
		    closed        ? LIST_SEEN :
		    filter->again ? LIST_WAITING :
				    LIST_OPEN;
	static const char *const queries[][2] = {
		{ WHERE OPEN FILTERS ORDER, WHERE OF_COMMIT OPEN FILTERS ORDER },
		{ WAITING("") ORDER, WAITING(OF_COMMIT) ORDER },
		{ WHERE SEEN FILTERS ORDER, WHERE OF_COMMIT SEEN FILTERS ORDER },
		{ WHERE ALL FILTERS ORDER, WHERE OF_COMMIT ALL FILTERS ORDER },
	};

	return queries[which][filter->commit != NULL];
}

/* ---- what SQL does not see ------------------------------------------------------- */

#define DIGITS 10 /* by which commits are looked up */

/* Full hashes by their first digits. */
static GHashTable *by_digits(const GPtrArray *commits)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < commits->len; i++)
		g_hash_table_insert(set, g_strndup(commits->pdata[i], DIGITS),
				    commits->pdata[i]);
	return set;
}

/* Fewer digits than ten belong to no range for sure. */
static bool is_among(GHashTable *commits, const char *commit)
{
	g_autofree char *digits = g_strndup(commit ? commit : "", DIGITS);
	const char *full = g_hash_table_lookup(commits, digits);

	return full && (g_str_has_prefix(full, commit) || !strcmp(digits, commit));
}

static bool has_prefix(const char *subject, const char *prefix)
{
	return subject && g_ascii_strncasecmp(subject, prefix, strlen(prefix)) == 0;
}

static bool touches(tracker *t, const tracker_filter *filter, const char *commit,
		    bool *hit, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, "SELECT path FROM commit_file WHERE \"commit\" = ?1",
		      DB_ARGS(DB_TEXT(commit)), error))
		return false;
	while (!*hit && db_next(&rows, error))
		*hit = filter->touches(db_text(&rows, 0), filter->touches_context);
	return !rows.failed;
}

static bool sift(tracker *t, const tracker_filter *filter, GPtrArray *all,
		 GError **error)
{
	g_autoptr(GHashTable) commits =
		filter->commits ? by_digits(filter->commits) : NULL;

	for (guint i = all->len; i-- > 0;) {
		const tracker_summary *s = all->pdata[i];
		bool keep = !commits || is_among(commits, s->commit);

		if (keep && filter->touches) {
			keep = filter->subsystem &&
			       has_prefix(s->commit_subject, filter->subsystem);
			if (!keep && !touches(t, filter, s->commit, &keep, error))
				return false;
		}
		if (!keep)
			g_ptr_array_remove_index(all, i);
	}
	return true;
}

static GPtrArray *ask(tracker *t, const tracker_filter *filter, const char *query,
		      GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, query,
		      DB_ARGS(DB_TEXT(filter->status), DB_TEXT(filter->tree),
			      DB_TEXT(filter->testcase), DB_TEXT(filter->metric),
			      DB_TEXT(filter->machine), DB_TEXT(filter->author),
			      DB_TEXT(filter->commit),
			      DB_TEXT(filter->touches ? NULL : filter->subsystem),
			      DB_INT(filter->older_than), DB_INT(filter->now),
			      DB_INT(filter->silent_for), DB_REAL(filter->change_over),
			      DB_TEXT(filter->owes),
			      DB_INT(filter->improvements || filter->all),
			      DB_INT(filter->backburner || filter->all),
			      DB_INT(filter->closed_since)),
		      error))
		return NULL;

	g_autoptr(GPtrArray) all = records_summaries(t, &rows, error);

	return all && sift(t, filter, all, error) ? g_steal_pointer(&all) : NULL;
}

GPtrArray *tracker_list(tracker *t, const tracker_filter *filter, GError **error)
{
	tracker_status status = TRACKER_STATUS_NONE;
	bool known = tracker_status_from_name(filter->status, &status);
	bool closed = filter->closed || filter->closed_since ||
		      (known && !tracker_status_is_open(status));

	return ask(t, filter, query_of(filter, closed), error);
}
