/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which unclaimed mails name something that is claimed.  Going through all of them once
 * answers it for most archives.  But a thread that lies here with its end first, and
 * whose mails name only the one before, is claimed mail by mail: for that the names are
 * put in order once, eight bytes each.
 */
#include <string.h>

#include "tracker/ingest.h"

struct claim_index {
	GArray *names;     /* uint64_t, sorted: 32 bits of the hash, then the row */
	GHashTable *later; /* int64_t *, hash -> GArray of int64_t, rows: what came
			      after that, and rows of more than 32 bits */
};

void claim_index_free(claim_index *index)
{
	if (!index)
		return;
	g_array_unref(index->names);
	g_hash_table_destroy(index->later);
	g_free(index);
}

static uint64_t entry_of(int64_t hash, int64_t row)
{
	return ((uint64_t)hash & ~(uint64_t)UINT32_MAX) | (uint64_t)row;
}

static void add_later(claim_index *index, int64_t hash, int64_t row)
{
	GArray *rows = g_hash_table_lookup(index->later, &hash);

	if (!rows) {
		rows = g_array_new(FALSE, FALSE, sizeof(int64_t));
		g_hash_table_insert(index->later, g_memdup2(&hash, sizeof(hash)), rows);
	}
	g_array_append_val(rows, row);
}

void claim_index_add(claim_index *index, int64_t row, const GArray *hashes)
{
	for (guint i = 0; index && i < hashes->len; i++)
		add_later(index, g_array_index(hashes, int64_t, i), row);
}

/* The hashes in a column of a row, one by one; false at the end. */
static bool next_hash(const db_rows *rows, int column, int *at, int64_t *hash)
{
	const char *blob = sqlite3_column_blob(rows->statement, column);

	if (*at + (int)sizeof(*hash) > sqlite3_column_bytes(rows->statement, column))
		return false;
	memcpy(hash, blob + *at, sizeof(*hash));
	*at += (int)sizeof(*hash);
	return true;
}

static int by_value(gconstpointer a, gconstpointer b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

claim_index *claim_index_new(tracker *t, GError **error)
{
	claim_index *index = g_new0(claim_index, 1);
	g_auto(db_rows) rows = { 0 };

	index->names = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	index->later = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					     (GDestroyNotify)g_array_unref);
	if (!db_query(t, &rows, "SELECT id, refs FROM unclaimed", DB_NO_ARGS, error)) {
		claim_index_free(index);
		return NULL;
	}
	while (db_next(&rows, error)) {
		int64_t row = db_int(&rows, 0), hash;

		for (int at = 0; next_hash(&rows, 1, &at, &hash);) {
			uint64_t entry = entry_of(hash, row);

			if (row >> 32)
				add_later(index, hash, row);
			else
				g_array_append_val(index->names, entry);
		}
	}
	if (rows.failed) {
		claim_index_free(index);
		return NULL;
	}
	g_array_sort(index->names, by_value);
	return index;
}

/* The first entry that is not before this one. */
static guint lower_bound(const GArray *names, uint64_t entry)
{
	guint low = 0, high = names->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(names, uint64_t, middle) < entry)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Rows that may name it: half of the hash is the same. */
static void add_candidates(const claim_index *index, int64_t hash, GArray *rows)
{
	const GArray *later = g_hash_table_lookup(index->later, &hash);
	uint64_t first = entry_of(hash, 0);

	if (later)
		g_array_append_vals(rows, later->data, later->len);
	for (guint i = lower_bound(index->names, first); i < index->names->len; i++) {
		uint64_t entry = g_array_index(index->names, uint64_t, i);
		int64_t row = (int64_t)(entry & UINT32_MAX);

		if (entry - first > UINT32_MAX)
			return;
		g_array_append_val(rows, row);
	}
}

static bool is_claimed(const db_rows *rows, int column, GHashTable *claims)
{
	int64_t hash;

	for (int at = 0; next_hash(rows, column, &at, &hash);)
		if (g_hash_table_contains(claims, &hash))
			return true;
	return false;
}

/* Adds the row if it is still there and names something that is claimed. */
static bool add_claimed(tracker *t, int64_t row, GHashTable *claims, GArray *found,
			GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, "SELECT refs FROM unclaimed WHERE id = ?1",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	if (db_next(&rows, error) && is_claimed(&rows, 0, claims))
		g_array_append_val(found, row);
	return !rows.failed;
}

GArray *claim_index_find(const claim_index *index, tracker *t, GHashTable *claims,
			 GError **error)
{
	g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(int64_t));
	GHashTableIter iter;
	gpointer hash;
	int64_t last = 0;

	g_hash_table_iter_init(&iter, claims);
	while (g_hash_table_iter_next(&iter, &hash, NULL))
		add_candidates(index, *(const int64_t *)hash, candidates);
	g_array_sort(candidates, by_value);
	for (guint i = 0; i < candidates->len; i++) {
		int64_t row = g_array_index(candidates, int64_t, i);

		if (row != last && !add_claimed(t, row, claims, found, error))
			return NULL;
		last = row;
	}
	return g_steal_pointer(&found);
}

GArray *claim_scan(tracker *t, GHashTable *claims, GError **error)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows, "SELECT id, refs FROM unclaimed", DB_NO_ARGS, error))
		return NULL;
	while (db_next(&rows, error))
		if (is_claimed(&rows, 1, claims)) {
			int64_t id = db_int(&rows, 0);

			g_array_append_val(found, id);
		}
	return rows.failed ? NULL : g_steal_pointer(&found);
}
