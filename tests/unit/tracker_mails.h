/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bringing mails into a store, in any order, and comparing what comes out. */
#ifndef TESTS_UNIT_TRACKER_MAILS_H
#define TESTS_UNIT_TRACKER_MAILS_H

#include <glib.h>
#include <sqlite3.h>
#include <string.h>

#include "templates/templates.h"
#include "tracker/tracker.h"

typedef struct reader {
	parser_rules *rules;
	parser_lists *lists;
} reader;

static inline reader reader_new(void)
{
	reader r = { parser_rules_new(), parser_lists_new() };

	for (const templates_file *f = templates_files; f->name; f++) {
		const char *slash = strrchr(f->name, '/');
		const char *base = slash ? slash + 1 : f->name;
		g_autofree char *name = g_strndup(base, strcspn(base, "."));
		g_autoptr(GError) error = NULL;
		bool done = true;

		if (g_str_has_prefix(f->name, "rules/"))
			done = parser_rules_add(r.rules, name, f->text, f->length,
						&error);
		if (g_str_has_prefix(f->name, "metrics/"))
			done = parser_lists_add(r.lists, name, f->text, f->length,
						&error);
		if (!done)
			g_error("%s", error->message);
	}
	return r;
}

static inline void reader_clear(reader *r)
{
	parser_rules_free(r->rules);
	parser_lists_free(r->lists);
}

/* A mail and where it lies; `again` finds it there. */
typedef struct mail_text {
	const char *bytes;
	size_t length;
	parser_form form;
	unsigned index;
} mail_text;

static inline GBytes *mail_again(const tracker_place *place, void *context)
{
	const mail_text *mails = context;
	const mail_text *m = &mails[place->offset];

	return g_bytes_new(m->bytes, m->length);
}

/* A run of mails[order[0]], mails[order[1]], ..., that is not committed yet. */
static inline tracker_ingest *begin_mails(tracker *t, const reader *r, mail_text *mails,
					  const unsigned *order, size_t n,
					  GError **error)
{
	g_autoptr(tracker_ingest) run = tracker_ingest_begin(
		t, r->rules, r->lists, mail_again, mails, 1800000000, error);

	for (size_t i = 0; run && i < n; i++) {
		const mail_text *m = &mails[order[i]];
		tracker_place place = { .source = "file",
					.name = "mails",
					.offset = order[i],
					.length = (int64_t)m->length,
					.form = m->form,
					.index = m->index,
					.delivered = true };

		if (!tracker_ingest_message(run, m->bytes, m->length, &place, error))
			return NULL;
	}
	return g_steal_pointer(&run);
}

static inline bool ingest_mails(tracker *t, const reader *r, mail_text *mails,
				const unsigned *order, size_t n, GError **error)
{
	g_autoptr(tracker_ingest) run = begin_mails(t, r, mails, order, n, error);

	return run && tracker_ingest_commit(run, NULL, error);
}

/* The same, as a batch that another follows. */
static inline bool pause_mails(tracker *t, const reader *r, mail_text *mails,
			       const unsigned *order, size_t n, GError **error)
{
	g_autoptr(tracker_ingest) run = begin_mails(t, r, mails, order, n, error);

	return run && tracker_ingest_pause(run, NULL, error);
}

/* Everything that must not depend on the order of arrival, as sorted lines. */
static const char *const state_queries[] = {
	"SELECT 'regression', regression, status, kind, metric, testcase, \"commit\", change, "
	"replies, last_human, last_human_at, owes, disputed FROM regression "
	"WHERE merged_into IS NULL ORDER BY 2",
	"SELECT 'alias', a.alias, g.regression FROM alias a JOIN regression g "
	"ON g.id = a.regression ORDER BY 2",
	"SELECT 'suggestion', g.regression, s.status, s.role, s.author, s.quote, "
	"m.message_id FROM suggestion s JOIN regression g ON g.id = s.regression "
	"JOIN message m ON m.id = s.message ORDER BY 2, 3, 7",
	"SELECT 'link', m.message_id, m.variant, g.regression, l.key, l.confidence, l.acts, "
	"r.message_id FROM link l JOIN message m ON m.id = l.message "
	"JOIN regression g ON g.id = l.regression LEFT JOIN message r ON r.id = l.report "
	"ORDER BY 2, 3, 4",
	"SELECT 'message', m.message_id, m.variant, m.origin, p.message_id, m.subject "
	"FROM message m LEFT JOIN message p ON p.id = m.parent WHERE m.origin <> 'ghost' "
	"ORDER BY 2, 3",
	"SELECT 'finding', m.message_id, q.message_id, f.position, f.testcase, f.metric, "
	"f.machine, f.change, g.regression FROM finding f JOIN report r ON r.id = f.report "
	"LEFT JOIN message m ON m.id = r.message LEFT JOIN message q ON q.id = r.quoted_by "
	"JOIN regression g ON g.id = r.regression ORDER BY 2, 3, 4",
	"SELECT 'verdict', m.message_id, v.position, v.verdict, v.evidence FROM verdict v "
	"JOIN message m ON m.id = v.message ORDER BY 2, 3",
};

static inline char *state_dump(const char *path)
{
	GString *out = g_string_new(NULL);
	sqlite3 *db;

	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	for (size_t i = 0; i < G_N_ELEMENTS(state_queries); i++) {
		sqlite3_stmt *rows;

		g_assert_cmpint(
			sqlite3_prepare_v2(db, state_queries[i], -1, &rows, NULL), ==,
			SQLITE_OK);
		while (sqlite3_step(rows) == SQLITE_ROW) {
			for (int c = 0; c < sqlite3_column_count(rows); c++) {
				const char *text =
					(const char *)sqlite3_column_text(rows, c);

				g_string_append_printf(out, "%s|", text ? text : "");
			}
			g_string_append_c(out, '\n');
		}
		sqlite3_finalize(rows);
	}
	sqlite3_close(db);
	return g_string_free(out, FALSE);
}

#endif
