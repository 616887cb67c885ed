/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A Message-ID of ours proves by eight digits which regression it is about, even when
 * the mail itself was never seen: the digits that mails about a regression may have are
 * written down, and looked for in what a reply refers to.
 */
#include <string.h>

#include "tracker/link.h"

#define DIGITS_AT 13 /* "YYYYMMDDHHMM." stands before */
#define DIGITS    8
#define REVISIONS 4 /* of each kind of mail that are expected */

char *proof_digits(const tracker *t, const char *message_id)
{
	const char *rest;

	if (!parser_message_id_is_robot(message_id))
		return NULL;
	rest = message_id + DIGITS_AT + DIGITS + 1; /* behind the hyphen */
	if (!addresses_have(t->own, rest))
		return NULL;
	return g_strndup(message_id + DIGITS_AT, DIGITS);
}

GPtrArray *proofs_of(const char *id)
{
	static const char *const kinds[] = { "report", "followup", "retest", "retract",
					     "remind" };
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		for (unsigned revision = 0; revision < REVISIONS; revision++)
			g_ptr_array_add(all, parser_own_message_id_digits(id, kinds[i],
									  revision));
	return all;
}

bool proofs_forget(tracker *t, int64_t regression, GError **error)
{
	return db_run(t, "DELETE FROM proof WHERE regression = ?1",
		      DB_ARGS(DB_INT(regression)), error);
}

bool proofs_add(tracker *t, int64_t regression, const char *id, GError **error)
{
	g_autoptr(GPtrArray) all = proofs_of(id);

	for (guint i = 0; i < all->len; i++)
		if (!db_run(t,
			    "INSERT OR IGNORE INTO proof (digits, regression) "
			    "VALUES (?1, ?2)",
			    DB_ARGS(DB_TEXT(all->pdata[i]), DB_INT(regression)), error))
			return false;
	return true;
}

bool proof_find(tracker *t, const char *message_id, int64_t *regression, GError **error)
{
	g_autofree char *digits = proof_digits(t, message_id);
	g_auto(db_rows) rows = { 0 };

	*regression = 0;
	if (!digits)
		return true;
	if (!db_query(t, &rows,
		      "SELECT regression FROM proof WHERE digits = ?1 LIMIT 2",
		      DB_ARGS(DB_TEXT(digits)), error))
		return false;
	if (db_next(&rows, error))
		*regression = db_int(&rows, 0);
	/* Digits of two regressions prove nothing. */
	if (*regression && db_next(&rows, error))
		*regression = 0;
	return !rows.failed;
}
