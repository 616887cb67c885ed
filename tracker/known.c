/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nearly no id that an archive names is one of ours, and asking the database for each
 * is half the work of a bulk ingest.  A bit of a table in memory tells most of them
 * apart: where it is not set no such mail is stored, where it is the database is asked.
 */
#include "tracker/store.h"

#define ASKED_SHARE 16 /* one look-up for so many stored mails, and the table pays */
#define BITS_EACH   32 /* of the table, for one stored mail */
#define BITS_MIN    (1u << 17)

struct known_ids {
	uint64_t *words;
	uint64_t mask;   /* number of bits, minus one */
	uint64_t asked;  /* look-ups before there was a table */
	int64_t version; /* of the file, when the table was made */
};

void known_free(known_ids *k)
{
	if (!k)
		return;
	g_free(k->words);
	g_free(k);
}

/* Two bits for each id: the halves of its hash. */
static void set(known_ids *k, int64_t hash)
{
	uint64_t low = (uint64_t)hash & k->mask, high = (uint64_t)hash >> 32 & k->mask;

	k->words[low / 64] |= UINT64_C(1) << low % 64;
	k->words[high / 64] |= UINT64_C(1) << high % 64;
}

static bool is_set(const known_ids *k, int64_t hash)
{
	uint64_t low = (uint64_t)hash & k->mask, high = (uint64_t)hash >> 32 & k->mask;

	return k->words[low / 64] >> low % 64 & k->words[high / 64] >> high % 64 & 1;
}

static bool fill(tracker *t, known_ids *k, int64_t rows_at_most, GError **error)
{
	g_auto(db_rows) rows = { 0 };
	uint64_t bits = BITS_MIN;

	while (bits < (uint64_t)rows_at_most * BITS_EACH)
		bits *= 2;
	g_free(k->words);
	k->words = g_new0(uint64_t, bits / 64);
	k->mask = bits - 1;
	if (!db_query(t, &rows, "SELECT message_id FROM message", DB_NO_ARGS, error))
		return false;
	while (db_next(&rows, error))
		set(k, db_hash(t, db_text(&rows, 0)));
	if (rows.failed)
		g_clear_pointer(&k->words, g_free);
	return !rows.failed;
}

bool known_begin(tracker *t, GError **error)
{
	int64_t version = 0;

	if (!db_get_int(t, "PRAGMA data_version", DB_NO_ARGS, &version, error))
		return false;
	if (!t->known)
		t->known = g_new0(known_ids, 1);
	if (t->known->version != version) /* somebody else has written */
		g_clear_pointer(&t->known->words, g_free);
	t->known->version = version;
	return true;
}

bool known_may_be(tracker *t, int64_t hash, bool *may, GError **error)
{
	known_ids *k = t->known;
	int64_t rows = 0;

	*may = true;
	if (!k->words) {
		if (!db_get_int(t, "SELECT max(id) FROM message", DB_NO_ARGS, &rows,
				error))
			return false;
		if (++k->asked * ASKED_SHARE < (uint64_t)rows)
			return true;
		k->asked = 0;
		if (!fill(t, k, rows, error))
			return false;
	}
	*may = is_set(k, hash);
	return true;
}

void known_add(tracker *t, const char *message_id)
{
	if (t->known && t->known->words)
		set(t->known, db_hash(t, message_id));
}
