/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has it been seen before, and how did that end? */
#include <string.h>

#include "tracker/records.h"

#define NAME_LETTERS                                                                   \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/-"

static void likeness_free(tracker_likeness *likeness)
{
	tracker_summary_free(likeness->summary);
	g_ptr_array_unref(likeness->reasons);
	g_free(likeness->word);
	g_free(likeness->by);
	g_free(likeness->object);
	g_free(likeness->report_id);
	g_free(likeness);
}

/* What is common is shared by tens of thousands: so many of each are looked at, those
 * that were stored before the regression first. */
#define SHOWN       50
#define NAMES       10 /* that its thread speaks of most, of objects, kinds and files */
#define ROWS_BEFORE 400 /* of each name */
#define ROWS_AFTER  100

/* How much a thing in common tells: a named lock or function more than the kind of
 * mechanism, and a touched file something. */
#define WEIGHT_OBJECT 4
#define WEIGHT_KIND   2
#define WEIGHT_FILE   1

/* The regression that others are compared with. */
typedef struct asked {
	tracker *t;
	int64_t row, reported_at, report; /* row of message */
	bool seen;
	GHashTable *kinds;  /* char *: of mechanisms that say something */
	GPtrArray *matches; /* match * */
	GHashTable *by_row; /* int64_t * -> match *, lent */
} asked;

typedef struct match {
	int64_t regression;
	int weight;
	GPtrArray *reasons; /* char * */
	char *word;
} match;

static void match_free(match *m)
{
	g_ptr_array_unref(m->reasons);
	g_free(m->word);
	g_free(m);
}

static void note(asked *a, int64_t row, char *reason, int weight, const char *word)
{
	g_autofree char *mine = reason;
	match *m = g_hash_table_lookup(a->by_row, &row);

	if (!m) {
		m = g_new0(match, 1);
		m->regression = row;
		m->reasons = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(a->matches, m);
		g_hash_table_insert(a->by_row, &m->regression, m);
	}
	if (g_ptr_array_find_with_equal_func(m->reasons, mine, g_str_equal, NULL))
		return;
	g_ptr_array_add(m->reasons, g_steal_pointer(&mine));
	m->weight += weight;
	if (!m->word)
		m->word = g_strdup(word);
}

static int by_weight(gconstpointer a, gconstpointer b)
{
	const match *x = *(match *const *)a, *y = *(match *const *)b;

	if (x->weight != y->weight)
		return y->weight - x->weight;
	return x->regression < y->regression ? 1 : -1; /* the newer first */
}

/* An earlier regression that a query names. */
#define EARLIER                                                                        \
	"g.id <> ?2 AND g.seen AND g.merged_into IS NULL "                             \
	"AND (g.reported_at <= ?3 OR ?3 IS NULL)"

#define DB_EARLIER(a)                                                                  \
	DB_INT((a)->row),                                                              \
	{                                                                              \
		.type = (a)->seen ? DB_INT_ : DB_NULL_, .integer = (a)->reported_at    \
	}

/* Words about ?1, stored next to the regression's report ?4; ?5 of them are before. */
#define AROUND(which)                                                                  \
	"FROM (SELECT * FROM (SELECT message, position FROM mechanism WHERE " which    \
	" = ?1 AND message < ?4 ORDER BY message DESC LIMIT ?5) UNION ALL "            \
	"SELECT * FROM (SELECT message, position FROM mechanism WHERE " which          \
	" = ?1 AND message > ?4 ORDER BY message LIMIT ?6)) near "                     \
	"CROSS JOIN mechanism m ON m.message = near.message "                          \
	"AND m.position = near.position "                                              \
	"CROSS JOIN link l ON l.message = m.message AND l.acts "                       \
	"CROSS JOIN regression g ON g.id = l.regression WHERE " EARLIER

static const char same_object[] =
	"SELECT g.id, m.object, m.evidence, m.kind " AROUND("object COLLATE NOCASE");
static const char same_kind[] = "SELECT g.id, NULL, m.evidence, m.kind " AROUND("kind");
static const char same_file[] =
	"SELECT g.id FROM (SELECT \"commit\" FROM commit_file WHERE path = ?1 LIMIT ?4) f "
	"CROSS JOIN report r ON r.culprit = substr(f.\"commit\", 1, 10) "
	"AND r.\"commit\" = f.\"commit\" "
	"CROSS JOIN regression g ON g.id = r.regression WHERE " EARLIER;

static bool by_mechanism(asked *a, const char *sql, const char *name, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(a->t, &rows, sql,
		      DB_ARGS(DB_TEXT(name), DB_EARLIER(a), DB_INT(a->report),
			      DB_INT(ROWS_BEFORE), DB_INT(ROWS_AFTER)),
		      error))
		return false;
	while (db_next(&rows, error)) {
		int64_t row = db_int(&rows, 0);
		const char *word = db_text(&rows, 2), *kind = db_text(&rows, 3);

		if (!db_is_null(&rows, 1))
			note(a, row, g_strconcat("object ", db_text(&rows, 1), NULL),
			     WEIGHT_OBJECT, word);
		if (g_hash_table_contains(a->kinds, kind))
			note(a, row, g_strconcat("mechanism ", kind, NULL), WEIGHT_KIND,
			     word);
	}
	return !rows.failed;
}

static bool by_file(asked *a, const char *path, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(a->t, &rows, same_file,
		      DB_ARGS(DB_TEXT(path), DB_EARLIER(a), DB_INT(ROWS_BEFORE)),
		      error))
		return false;
	while (db_next(&rows, error))
		note(a, db_int(&rows, 0), g_strconcat("file ", path, NULL), WEIGHT_FILE,
		     NULL);
	return !rows.failed;
}

/* What its thread speaks of, the most often named first (char *). */
static GPtrArray *names(asked *a, const char *sql, GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(a->t, &rows, sql, DB_ARGS(DB_INT(a->row), DB_INT(NAMES)), error))
		return NULL;
	while (db_next(&rows, error))
		g_ptr_array_add(all, db_dup(&rows, 0));
	return rows.failed ? NULL : g_steal_pointer(&all);
}

static const char own_objects[] =
	"SELECT m.object FROM link l JOIN mechanism m ON m.message = l.message "
	"WHERE l.regression = ?1 AND l.acts AND m.object IS NOT NULL "
	"GROUP BY m.object COLLATE NOCASE ORDER BY count(*) DESC, 1 LIMIT ?2";
static const char own_kinds[] =
	"SELECT m.kind FROM link l JOIN mechanism m ON m.message = l.message "
	"WHERE l.regression = ?1 AND l.acts AND m.kind NOT IN ('noise', 'other') "
	"GROUP BY m.kind ORDER BY count(*) DESC, 1 LIMIT ?2";
static const char own_files[] =
	"SELECT DISTINCT f.path FROM report r JOIN commit_file f "
	"ON f.\"commit\" = r.\"commit\" WHERE r.regression = ?1 ORDER BY 1 LIMIT ?2";

static bool find_matches(asked *a, GError **error)
{
	g_autoptr(GPtrArray) objects = names(a, own_objects, error);
	g_autoptr(GPtrArray) kinds = objects ? names(a, own_kinds, error) : NULL;
	g_autoptr(GPtrArray) files = kinds ? names(a, own_files, error) : NULL;

	if (!files)
		return false;
	for (guint i = 0; i < kinds->len; i++)
		g_hash_table_add(a->kinds, g_strdup(kinds->pdata[i]));
	for (guint i = 0; i < objects->len; i++)
		if (!by_mechanism(a, same_object, objects->pdata[i], error))
			return false;
	for (guint i = 0; i < kinds->len; i++)
		if (!by_mechanism(a, same_kind, kinds->pdata[i], error))
			return false;
	for (guint i = 0; i < files->len; i++)
		if (!by_file(a, files->pdata[i], error))
			return false;
	return true;
}

static bool load_asked(asked *a, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(a->t, &rows,
		      "SELECT seen, reported_at, report FROM regression WHERE id = ?1",
		      DB_ARGS(DB_INT(a->row)), error))
		return false;
	if (db_next(&rows, error)) {
		a->seen = db_int(&rows, 0);
		a->reported_at = db_int(&rows, 1);
		a->report = db_int(&rows, 2);
	}
	return !rows.failed;
}

static tracker_likeness *to_likeness(tracker *t, const match *m, GError **error)
{
	tracker_summary *summary = records_summary_of(t, m->regression, error);

	if (!summary)
		return NULL;

	tracker_likeness *likeness = g_new0(tracker_likeness, 1);

	likeness->summary = summary;
	likeness->reasons = g_ptr_array_ref(m->reasons);
	likeness->word = g_strdup(m->word);
	return likeness;
}

GPtrArray *tracker_similar(tracker *t, const char *id, unsigned limit, GError **error)
{
	g_autoptr(GPtrArray) matches =
		g_ptr_array_new_with_free_func((GDestroyNotify)match_free);
	g_autoptr(GHashTable) by_row = g_hash_table_new(g_int64_hash, g_int64_equal);
	g_autoptr(GHashTable) kinds =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)likeness_free);
	asked a = { .t = t, .kinds = kinds, .matches = matches, .by_row = by_row };

	if (!regression_by_prefix(t, id, &a.row, error) || !load_asked(&a, error) ||
	    !find_matches(&a, error))
		return NULL;
	g_ptr_array_sort(matches, by_weight);
	for (guint i = 0; i < matches->len && i < (limit ? limit : SHOWN); i++) {
		tracker_likeness *likeness = to_likeness(t, matches->pdata[i], error);

		if (!likeness)
			return NULL;
		g_ptr_array_add(all, likeness);
	}
	return g_steal_pointer(&all);
}

/* ---- by what its numbers show ---------------------------------------------------- */

/* The objects as a JSON array, for json_each(). */
static char *as_json(const GPtrArray *objects)
{
	GString *out = g_string_new("[");

	for (guint i = 0; objects && i < objects->len; i++) {
		const char *name = objects->pdata[i];

		/* Names of functions need no escapes; what does is none. */
		if (!*name || strspn(name, NAME_LETTERS) != strlen(name))
			continue;
		g_string_append_printf(out, "%s\"%s\"", out->len > 1 ? "," : "", name);
	}
	g_string_append_c(out, ']');
	return g_string_free(out, FALSE);
}

/* Of several explanations of one regression the newest counts. */
static const char explained[] =
	"SELECT l.regression, m.object, m.evidence, coalesce(msg.name, msg.address), "
	"(SELECT r.message_id FROM report x JOIN message r ON r.id = x.message "
	" WHERE x.regression = l.regression AND x.mail = 'report' AND x.live "
	" ORDER BY x.at, r.message_id LIMIT 1) "
	"FROM mechanism m JOIN link l ON l.message = m.message AND l.acts "
	"JOIN message msg ON msg.id = m.message "
	"JOIN regression g ON g.id = l.regression "
	"WHERE m.object COLLATE NOCASE IN (SELECT value FROM json_each(?1)) "
	"AND g.seen AND g.merged_into IS NULL AND g.regression IS NOT ?2 "
	"AND (?3 = 0 OR msg.date <= ?3) "
	"ORDER BY msg.date DESC, l.regression DESC, m.position";

GPtrArray *tracker_similar_to(tracker *t, const tracker_clues *clues, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)likeness_free);
	g_autofree char *objects = as_json(clues->objects);
	g_autoptr(GHashTable) done =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, explained,
		      DB_ARGS(DB_TEXT(objects), DB_TEXT(clues->regression),
			      DB_INT(clues->before)),
		      error))
		return NULL;
	while (db_next(&rows, error)) {
		int64_t row = db_int(&rows, 0);
		tracker_likeness *likeness;

		if (!g_hash_table_add(done, g_memdup2(&row, sizeof(row))))
			continue;
		likeness = g_new0(tracker_likeness, 1);
		likeness->reasons = g_ptr_array_new_with_free_func(g_free);
		likeness->object = db_dup(&rows, 1);
		g_ptr_array_add(likeness->reasons,
				g_strconcat("object ", likeness->object, NULL));
		likeness->word = db_dup(&rows, 2);
		likeness->by = db_dup(&rows, 3);
		likeness->report_id = db_dup(&rows, 4);
		likeness->summary = records_summary_of(t, row, error);
		g_ptr_array_add(all, likeness);
		if (!likeness->summary)
			return NULL;
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}
