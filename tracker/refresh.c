/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracker/store.h"

void refresh_init(refresh *r, tracker *t, int64_t now)
{
	*r = (refresh){
		.t = t,
		.now = now,
		.culprits =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.messages = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
						  NULL),
		.regressions = g_hash_table_new_full(g_int64_hash, g_int64_equal,
						     g_free, NULL),
		.walks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					       g_free),
	};
}

void refresh_clear(refresh *r)
{
	g_clear_pointer(&r->culprits, g_hash_table_destroy);
	g_clear_pointer(&r->messages, g_hash_table_destroy);
	g_clear_pointer(&r->regressions, g_hash_table_destroy);
	g_clear_pointer(&r->walks, g_hash_table_destroy);
}

void refresh_culprit(refresh *r, const char *culprit)
{
	g_hash_table_add(r->culprits, g_strdup(culprit));
}

static void add_row(GHashTable *set, int64_t row)
{
	int64_t *key = g_new(int64_t, 1);

	*key = row;
	g_hash_table_add(set, key);
}

void refresh_message(refresh *r, int64_t message)
{
	add_row(r->messages, message);
}

void refresh_regression(refresh *r, int64_t regression)
{
	if (regression)
		add_row(r->regressions, regression);
}

void refresh_walks(refresh *r)
{
	g_hash_table_remove_all(r->walks);
}

static gint by_row(gconstpointer a, gconstpointer b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Settles a set and what is added to it meanwhile, in an order that never depends on
 * luck. */
static bool settle_rows(refresh *r, GHashTable *set,
			bool (*settle)(refresh *, int64_t, GError **), GError **error)
{
	while (g_hash_table_size(set)) {
		g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(int64_t));
		GHashTableIter iter;
		gpointer key;

		g_hash_table_iter_init(&iter, set);
		while (g_hash_table_iter_next(&iter, &key, NULL))
			g_array_append_vals(rows, key, 1);
		g_hash_table_remove_all(set);
		g_array_sort(rows, by_row);
		for (guint i = 0; i < rows->len; i++)
			if (!settle(r, g_array_index(rows, int64_t, i), error))
				return false;
	}
	return true;
}

static bool settle_culprits(refresh *r, GError **error)
{
	if (!culprits_unify(r, error))
		return false;

	g_autoptr(GList) culprits = g_list_sort(g_hash_table_get_keys(r->culprits),
						(GCompareFunc)g_strcmp0);

	for (GList *l = culprits; l; l = l->next)
		if (!group_forget(r, l->data, error))
			return false;
	for (GList *l = culprits; l; l = l->next)
		if (!group_culprit(r, l->data, error))
			return false;
	g_hash_table_remove_all(r->culprits);
	return true;
}

bool refresh_links(refresh *r, GError **error)
{
	/* Reports may come to belong elsewhere. */
	bool regrouped = g_hash_table_size(r->culprits) > 0;

	if (regrouped)
		refresh_walks(r);
	return settle_culprits(r, error) && (!regrouped || fold_await(r, error)) &&
	       settle_rows(r, r->messages, link_message, error);
}

bool refresh_settle(refresh *r, GError **error)
{
	return refresh_links(r, error) &&
	       settle_rows(r, r->regressions, fold_regression, error);
}
