/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which header, rule and words of a mail led to what. */
#include <string.h>

#include "tracker/records.h"

/* Each gives (subject, text) lines about the mail in ?1. */
static const char *const parts[] = {
	/* clang-format off */
	"SELECT 'mail', '<' || message_id || '> ' || CASE origin WHEN 'ghost' THEN "
	"'is referred to, but was not seen' WHEN 'own' THEN 'is ours' ELSE 'by ' || "
	"coalesce(name || ' <' || address || '>', address, name, '(forgotten)') END || "
	"CASE WHEN variant THEN ' (another mail under the same id)' ELSE '' END || "
	"CASE WHEN made_up THEN ' (it has no Message-ID; this one is made from its content)' ELSE '' END "
	"FROM message WHERE id = ?1",
	"SELECT 'found', p.source || ' ' || p.name || ' at ' || m.at FROM message m "
	"JOIN place p ON p.id = m.place WHERE m.id = ?1",
	"SELECT 'list', list FROM message_list WHERE message = ?1",
	"SELECT 'class', class FROM message WHERE id = ?1 AND origin <> 'ghost'",
	"SELECT 'signed', replace(trim(signed_by, char(10)), char(10), ', ') || "
	"' (host that says so, domain that signed)' FROM message WHERE id = ?1 AND signed_by IS NOT NULL",
	"SELECT 'answers', '<' || p.message_id || '>' || CASE p.origin WHEN 'ghost' THEN ', which was not seen' ELSE '' END "
	"FROM message m JOIN message p ON p.id = m.parent WHERE m.id = ?1",
	"SELECT 'names', x.kind || ' <' || x.target || '>' FROM reference x WHERE x.message = ?1 "
	"ORDER BY x.kind, x.position",
	"SELECT 'report', r.origin || ': ' || coalesce(f.metric, '?') || coalesce(format(' %+.1f %%', f.change), '') || "
	"' of ' || coalesce(r.\"commit\", '?') || ', ID by its own facts ' || r.own_id "
	"FROM report r LEFT JOIN finding f ON f.report = r.id AND f.position = 0 "
	"WHERE (r.message = ?1 AND r.origin <> 'quote') OR (r.quoted_by = ?1 AND r.origin = 'quote')",
	"SELECT 'link', substr(g.regression, 1, 12) || ' by ' || l.key || format(', sure to %.2f', l.confidence) || "
	"coalesce(', report <' || r.message_id || '>', '') || CASE WHEN l.acts THEN '' ELSE ' - a guess that changes nothing' END "
	"FROM link l JOIN regression g ON g.id = l.regression LEFT JOIN message r ON r.id = l.report WHERE l.message = ?1",
	"SELECT 'verdict', verdict || coalesce(' ' || outcome, '') || format(' %.2f', confidence) || ' by rule ' || rule || ' at byte ' || at || "
	"CASE WHEN confidence < 0.5 THEN ' (too unsure to act)' ELSE '' END || ': ' || evidence "
	"FROM verdict WHERE message = ?1 ORDER BY position",
	"SELECT 'mechanism', kind || coalesce(' on ' || object, '') || ' at byte ' || at || ': ' || evidence "
	"FROM mechanism WHERE message = ?1 ORDER BY position",
	"SELECT 'command', prefix || ' ' || verb || rtrim(' ' || arguments) || ' in line ' || line || ': ' || "
	"CASE result WHEN '' THEN 'not acted on' ELSE result END FROM command WHERE message = ?1 ORDER BY position",
	"SELECT 'patch', form || coalesce(': ' || title, '') || "
	"coalesce(', to pull from ' || url, '') || coalesce(' ' || branch, '') || coalesce('; ' || problem, '') "
	"FROM patch WHERE message = ?1 ORDER BY position",
	"SELECT 'notice', coalesce(\"commit\", 'what it answers') || ' in ' || tree || coalesce(' ' || branch, '') || "
	"CASE WHEN mainline THEN ', mainline' ELSE '' END || coalesce(' (' || subject || ')', '') || ': ' || evidence "
	"FROM notice WHERE message = ?1 ORDER BY position",
	"SELECT 'trailer', name || ': ' || value FROM trailer WHERE message = ?1 ORDER BY position",
	"SELECT 'event', substr(g.regression, 1, 12) || ': ' || e.kind || ' as ' || e.role || ' -> ' || e.status "
	"FROM event e JOIN regression g ON g.id = e.regression WHERE e.message = ?1 ORDER BY e.id",
	"SELECT 'suggests', substr(g.regression, 1, 12) || ': ' || s.status || ' as ' || s.role || ', not decided yet' "
	"FROM suggestion s JOIN regression g ON g.id = s.regression WHERE s.message = ?1",
	/* clang-format on */
};

static bool add_parts(tracker *t, int64_t row, GPtrArray *lines, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_auto(db_rows) rows = { 0 };

		if (!db_query(t, &rows, parts[i], DB_ARGS(DB_INT(row)), error))
			return false;
		while (db_next(&rows, error))
			if (!db_is_null(&rows, 1))
				g_ptr_array_add(lines,
						parser_pair_new(db_text(&rows, 0),
								db_text(&rows, 1)));
		if (rows.failed)
			return false;
	}
	return true;
}

/* A mail that costs one small row: where it lies, and that nobody claims it. */
static bool add_unclaimed(tracker *t, const char *message_id, GPtrArray *lines,
			  GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT p.source || ' ' || p.name || ' at ' || u.at, "
		    "length(u.refs) / 8 FROM unclaimed u JOIN place p ON p.id = u.place "
		    "WHERE u.hash = ?1",
		    DB_ARGS(DB_INT(db_hash(t, message_id))), error))
		return false;
	while (db_next(&rows, error)) {
		g_autofree char *names = g_strdup_printf(
			"it belongs to no tracked thread; of %d ids and names that could "
			"claim it, none is tracked",
			(int)db_int(&rows, 1));

		g_ptr_array_add(lines, parser_pair_new("found", db_text(&rows, 0)));
		g_ptr_array_add(lines, parser_pair_new("unclaimed", names));
	}
	return !rows.failed;
}

GPtrArray *tracker_explain(tracker *t, const char *message_id, GError **error)
{
	g_autoptr(GPtrArray) lines =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	g_autofree char *id = parser_url_message_id(message_id, strlen(message_id));
	const char *bare = id ? id : message_id;
	int64_t forgotten = 0;
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT id FROM message WHERE message_id = ?1 ORDER BY variant",
		      DB_ARGS(DB_TEXT(bare)), error))
		return NULL;
	while (db_next(&rows, error))
		if (!add_parts(t, db_int(&rows, 0), lines, error))
			return NULL;
	if (rows.failed || !add_unclaimed(t, bare, lines, error) ||
	    !db_get_int(t, "SELECT 1 FROM forgotten WHERE hash = ?1",
			DB_ARGS(DB_INT(db_hash(t, bare))), &forgotten, error))
		return NULL;
	if (forgotten)
		g_ptr_array_add(
			lines, parser_pair_new("forgotten", "at the wish of a person"));
	if (lines->len)
		return g_steal_pointer(&lines);
	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND, "%s: no such mail",
		    bare);
	return NULL;
}

bool tracker_mail_bytes(tracker *t, const char *message_id, GBytes **bytes,
			GError **error)
{
	g_autofree char *id = parser_url_message_id(message_id, strlen(message_id));
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT bytes FROM message WHERE message_id = ?1 AND variant = 0 "
		      "AND origin <> 'ghost'",
		      DB_ARGS(DB_TEXT(id ? id : message_id)), error))
		return false;
	if (!db_next(&rows, error)) {
		if (!rows.failed)
			g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND,
				    "%s: no such mail", id ? id : message_id);
		return false;
	}

	g_autoptr(GBytes) packed = db_bytes(&rows, 0);

	*bytes = packed ? db_unpack(g_bytes_get_data(packed, NULL),
				    g_bytes_get_size(packed)) :
			  NULL;
	return true;
}
