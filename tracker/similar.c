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

/*
 * Each query gives (regression, reason, weight, words): a named lock or function tells
 * more than the kind of mechanism, and a touched file something.
 */
static const char *const likenesses[] = {
	"SELECT l2.regression, 'object ' || m2.object, 4, m2.evidence FROM link l1 "
	"JOIN mechanism m1 ON m1.message = l1.message "
	"JOIN mechanism m2 ON m2.object = m1.object COLLATE NOCASE "
	"JOIN link l2 ON l2.message = m2.message "
	"WHERE l1.regression = ?1 AND l1.acts AND l2.acts AND l2.regression <> ?1",
	"SELECT l2.regression, 'mechanism ' || m2.kind, 2, m2.evidence FROM link l1 "
	"JOIN mechanism m1 ON m1.message = l1.message "
	"JOIN mechanism m2 ON m2.kind = m1.kind JOIN link l2 ON l2.message = m2.message "
	"WHERE l1.regression = ?1 AND l1.acts AND l2.acts AND l2.regression <> ?1 "
	"AND m1.kind NOT IN ('noise', 'other')",
	"SELECT r2.regression, 'file ' || f2.path, 1, NULL FROM report r1 "
	"JOIN commit_file f1 ON f1.\"commit\" = r1.\"commit\" "
	"JOIN commit_file f2 ON f2.path = f1.path "
	"JOIN report r2 ON r2.\"commit\" = f2.\"commit\" "
	"WHERE r1.regression = ?1 AND r2.regression <> ?1",
};

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

static void note(GHashTable *matches, const db_rows *rows)
{
	int64_t row = db_int(rows, 0);
	const char *reason = db_text(rows, 1);
	match *m = g_hash_table_lookup(matches, &row);

	if (!m) {
		m = g_new0(match, 1);
		m->regression = row;
		m->reasons = g_ptr_array_new_with_free_func(g_free);
		g_hash_table_insert(matches, &m->regression, m);
	}
	if (g_ptr_array_find_with_equal_func(m->reasons, reason, g_str_equal, NULL))
		return;
	g_ptr_array_add(m->reasons, g_strdup(reason));
	m->weight += (int)db_int(rows, 2);
	if (!m->word)
		m->word = db_dup(rows, 3);
}

static int by_weight(gconstpointer a, gconstpointer b)
{
	const match *x = *(match *const *)a, *y = *(match *const *)b;

	if (x->weight != y->weight)
		return y->weight - x->weight;
	return x->regression < y->regression ? 1 : -1; /* the newer first */
}

static bool is_earlier(tracker *t, int64_t other, int64_t regression, bool *earlier,
		       GError **error)
{
	int64_t hit = 0;

	if (!db_get_int(t,
			"SELECT 1 FROM regression a, regression b WHERE a.id = ?1 "
			"AND b.id = ?2 AND a.seen AND a.merged_into IS NULL "
			"AND (a.reported_at <= b.reported_at OR NOT b.seen)",
			DB_ARGS(DB_INT(other), DB_INT(regression)), &hit, error))
		return false;
	*earlier = hit;
	return true;
}

static bool find_matches(tracker *t, int64_t row, GHashTable *matches, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(likenesses); i++) {
		g_auto(db_rows) rows = { 0 };

		if (!db_query(t, &rows, likenesses[i], DB_ARGS(DB_INT(row)), error))
			return false;
		while (db_next(&rows, error))
			note(matches, &rows);
		if (rows.failed)
			return false;
	}
	return true;
}

GPtrArray *tracker_similar(tracker *t, const char *id, unsigned limit, GError **error)
{
	g_autoptr(GHashTable) matches = g_hash_table_new_full(
		g_int64_hash, g_int64_equal, NULL, (GDestroyNotify)match_free);
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)likeness_free);
	GHashTableIter iter;
	gpointer value;
	int64_t row;

	if (!regression_by_prefix(t, id, &row, error) ||
	    !find_matches(t, row, matches, error))
		return NULL;
	g_hash_table_iter_init(&iter, matches);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		g_ptr_array_add(sorted, value);
	g_ptr_array_sort(sorted, by_weight);
	for (guint i = 0; i < sorted->len && (!limit || all->len < limit); i++) {
		match *m = sorted->pdata[i];
		tracker_likeness *likeness;
		bool earlier;

		if (!is_earlier(t, m->regression, row, &earlier, error))
			return NULL;
		if (!earlier)
			continue;
		likeness = g_new0(tracker_likeness, 1);
		likeness->reasons = g_ptr_array_ref(m->reasons);
		likeness->word = g_strdup(m->word);
		likeness->summary = records_summary_of(t, m->regression, error);
		g_ptr_array_add(all, likeness);
		if (!likeness->summary)
			return NULL;
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
	"AND (?3 = 0 OR m.at <= ?3) "
	"ORDER BY m.at DESC, l.regression DESC, m.position";

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
