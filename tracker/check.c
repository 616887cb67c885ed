/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must be true of a store, asked one by one. */
#include "tracker/db.h"

/* Each gives one row, a text, per thing that is wrong. */
static const char *const questions[] = {
	/* clang-format off */
	"SELECT 'database: ' || integrity_check FROM pragma_integrity_check "
	"WHERE integrity_check <> 'ok'",
	"SELECT 'database: a row of ' || \"table\" || ' refers to no row of ' || parent "
	"FROM pragma_foreign_key_check",
	"SELECT 'regression ' || substr(g.regression, 1, 12) || ': is ' || "
	"coalesce(g.status, 'none') || ', but its newest event says ' || coalesce(e.status, 'nothing') "
	"FROM regression g LEFT JOIN event e ON e.id = "
	"(SELECT max(id) FROM event WHERE regression = g.id) "
	"WHERE g.merged_into IS NULL AND g.status IS NOT e.status",
	"SELECT 'regression ' || substr(regression, 1, 12) || ': no report belongs to it' "
	"FROM regression g WHERE merged_into IS NULL AND NOT EXISTS "
	"(SELECT 1 FROM report WHERE regression = g.id)",
	"SELECT 'regression ' || substr(regression, 1, 12) || ': its columns open and status disagree' "
	"FROM regression WHERE merged_into IS NULL AND open <> (coalesce(status, '') IN "
	"('reported', 'acknowledged', 'needs-info', 'investigating', 'fix-posted', 'fix-queued'))",
	"SELECT 'alias ' || substr(a.alias, 1, 12) || ': is the ID of another regression' "
	"FROM alias a JOIN regression g ON g.regression = a.alias "
	"WHERE g.merged_into IS NOT a.regression",
	"SELECT 'report <' || coalesce(m.message_id, '?') || '>: belongs to no regression' "
	"FROM report r LEFT JOIN message m ON m.id = r.message WHERE r.regression IS NULL",
	"SELECT 'mail <' || message_id || '>: is stored, but belongs to nothing' "
	"FROM message m WHERE origin = 'mail' AND variant = 0 "
	"AND NOT EXISTS (SELECT 1 FROM link WHERE message = m.id)",
	"SELECT 'search: the words of <' || m.message_id || '> are not in the index' FROM words w "
	"JOIN message m ON m.id = w.message WHERE NOT EXISTS "
	"(SELECT 1 FROM words_index_docsize WHERE id = w.message)",
	"SELECT 'search: the index has words of a mail that has none: row ' || id "
	"FROM words_index_docsize d WHERE NOT EXISTS (SELECT 1 FROM words WHERE message = d.id)",
	"SELECT 'outbox ' || id || ': is on the wire; if no sender runs, send settles it' "
	"FROM outbox WHERE state = 'sending'",
	"SELECT 'outbox ' || id || ': nobody knows whether it left: settle it by sent or retry' "
	"FROM outbox WHERE state = 'unknown'",
	"SELECT 'outbox ' || id || ': was rejected: ' || coalesce(detail, 'no reason is known') "
	"FROM outbox WHERE state = 'rejected'",
	"SELECT 'outbox ' || o.id || ': has nobody to go to' FROM outbox o WHERE NOT EXISTS "
	"(SELECT 1 FROM outbox_recipient WHERE outbox = o.id)",
	/* clang-format on */
};

bool tracker_check(tracker *t, GPtrArray *problems, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(questions); i++) {
		g_auto(db_rows) rows = { 0 };

		if (!db_query(t, &rows, questions[i], DB_NO_ARGS, error))
			return false;
		while (db_next(&rows, error))
			g_ptr_array_add(problems, db_dup(&rows, 0));
		if (rows.failed)
			return false;
	}
	/* The index over words checks itself against what it indexes. */
	if (!t->read_only &&
	    !db_run(t,
		    "INSERT INTO words_index (words_index) VALUES ('integrity-check')",
		    DB_NO_ARGS, NULL))
		g_ptr_array_add(problems,
				g_strdup("search: the index does not fit the words"));
	return true;
}
