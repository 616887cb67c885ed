/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports that name their culprit by few digits.  They stand with those that name it by
 * ten or more, as long as only one known commit goes on like that; which one that is
 * may change whenever another report arrives.
 */
#include <string.h>

#include "tracker/store.h"

#define SHORTEST 7 /* digits; fewer tell nothing */
#define FULL     10

/* What reports of so few digits are to be grouped under: the only longer culprit that
 * begins like that, else the digits themselves. */
static bool resolve(tracker *t, const char *digits, char **culprit, GError **error)
{
	g_autofree char *end = g_strconcat(digits, "g", NULL);
	g_auto(db_rows) rows = { 0 };
	bool one;

	if (!db_query(t, &rows,
		      "SELECT DISTINCT culprit FROM report WHERE culprit >= ?1 "
		      "AND culprit < ?2 AND length(\"commit\") >= 10 LIMIT 2",
		      DB_ARGS(DB_TEXT(digits), DB_TEXT(end)), error))
		return false;
	one = db_next(&rows, error);
	*culprit = one ? db_dup(&rows, 0) : g_strdup(digits);
	if (one && db_next(&rows, error)) {
		g_free(*culprit);
		*culprit = g_strdup(digits);
	}
	return !rows.failed;
}

/* Moves the reports of so few digits to where they belong now. */
static bool unify(refresh *r, const char *digits, GError **error)
{
	g_autofree char *culprit = NULL;
	g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func(g_free);
	g_auto(db_rows) rows = { 0 };

	if (!resolve(r->t, digits, &culprit, error) ||
	    !db_query(r->t, &rows,
		      "SELECT DISTINCT culprit FROM report WHERE \"commit\" = ?1 "
		      "AND length(\"commit\") < 10 AND culprit <> ?2",
		      DB_ARGS(DB_TEXT(digits), DB_TEXT(culprit)), error))
		return false;
	while (db_next(&rows, error))
		g_ptr_array_add(left, db_dup(&rows, 0));
	if (rows.failed || !left->len)
		return !rows.failed;
	db_rows_clear(&rows);
	for (guint i = 0; i < left->len; i++)
		refresh_culprit(r, left->pdata[i]);
	refresh_culprit(r, culprit);
	return db_run(r->t,
		      "UPDATE report SET culprit = ?2 WHERE \"commit\" = ?1 "
		      "AND length(\"commit\") < 10",
		      DB_ARGS(DB_TEXT(digits), DB_TEXT(culprit)), error);
}

bool culprits_unify(refresh *r, GError **error)
{
	g_autoptr(GPtrArray) changed = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, r->culprits);
	while (g_hash_table_iter_next(&iter, &key, NULL))
		g_ptr_array_add(changed, g_strdup(key));
	for (guint i = 0; i < changed->len; i++) {
		const char *culprit = changed->pdata[i];
		size_t length = strlen(culprit);

		for (size_t n = SHORTEST; n < FULL && n <= length; n++) {
			g_autofree char *digits = g_strndup(culprit, n);

			if (!unify(r, digits, error))
				return false;
		}
	}
	return true;
}
