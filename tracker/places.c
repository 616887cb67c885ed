/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where mails were found before.  A folder of many thousand files is asked about name
 * by name, in their order: the names that are known are read in pieces, not each looked
 * up.
 */
#include <string.h>

#include "tracker/store.h"

#define PIECE 64 /* names; a question out of order costs no more than that */

struct known_places {
	char *source;
	GPtrArray *names; /* char *, ascending: the known ones from some name on */
	guint next;       /* those before it are smaller than `last` */
	char *last;       /* the name that was asked last */
	bool to_end;      /* there are no others behind */
};

void places_free(known_places *k)
{
	if (!k)
		return;
	g_free(k->source);
	g_free(k->last);
	g_ptr_array_unref(k->names);
	g_free(k);
}

void places_added(tracker *t, const char *source, const char *name)
{
	known_places *k = t->places;

	/* Smaller ones are looked up anyway. */
	if (k && strcmp(k->source, source) == 0 && strcmp(name, k->last) > 0)
		g_clear_pointer(&t->places, places_free);
}

static bool look_up(tracker *t, const char *source, const char *name, bool *known,
		    GError **error)
{
	int64_t hit = 0;

	if (!db_get_int(t, "SELECT 1 FROM place WHERE source = ?1 AND name = ?2",
			DB_ARGS(DB_TEXT(source), DB_TEXT(name)), &hit, error))
		return false;
	*known = hit;
	return true;
}

/* The piece that begins with the name, or where it would stand. */
static bool read_piece(tracker *t, const char *source, const char *name, GError **error)
{
	g_auto(db_rows) rows = { 0 };
	known_places *k = g_new0(known_places, 1);

	k->source = g_strdup(source);
	k->last = g_strdup(name);
	k->names = g_ptr_array_new_with_free_func(g_free);
	places_free(t->places);
	t->places = k;
	if (!db_query(t, &rows,
		      "SELECT name FROM place WHERE source = ?1 AND name >= ?2 "
		      "ORDER BY name LIMIT ?3",
		      DB_ARGS(DB_TEXT(source), DB_TEXT(name), DB_INT(PIECE)), error))
		return false;
	while (db_next(&rows, error))
		g_ptr_array_add(k->names, db_dup(&rows, 0));
	k->to_end = k->names->len < PIECE;
	return !rows.failed;
}

/* False if the name lies behind the piece, which does not know of it then. */
static bool seek(known_places *k, const char *name, bool *known)
{
	int order = -1;

	while (k->next < k->names->len &&
	       (order = strcmp(g_ptr_array_index(k->names, k->next), name)) < 0)
		k->next++;
	*known = order == 0;
	return k->next < k->names->len || k->to_end;
}

bool tracker_place_known(tracker *t, const char *source, const char *name, bool *known,
			 GError **error)
{
	known_places *k = t->places;
	bool ours = k && strcmp(k->source, source) == 0;

	if (ours && strcmp(name, k->last) <= 0)
		return look_up(t, source, name, known, error);
	if (!ours || !seek(k, name, known)) {
		if (!read_piece(t, source, name, error)) {
			g_clear_pointer(&t->places, places_free);
			return false;
		}
		k = t->places;
		seek(k, name, known);
	}
	g_free(k->last);
	k->last = g_strdup(name);
	return true;
}
