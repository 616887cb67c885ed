/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of reports and findings, and finding a regression by its ID. */
#include <string.h>

#include "tracker/store.h"

#define ID_SHOWN 8 /* digits, unless that is not enough */

char *culprit_of(const char *commit)
{
	g_autofree char *head = g_strndup(commit ? commit : "", 10);

	return g_ascii_strdown(head, -1);
}

bool report_insert(tracker *t, const report_row *row, int64_t *id, GError **error)
{
	g_autofree char *culprit =
		culprit_of(row->culprit ? row->culprit : row->commit);

	if (!db_run(t,
		    "INSERT INTO report (origin, message, quoted_by, mail, own_id, culprit, "
		    "live, at, \"commit\", subject, tree, branch, url, base, config, "
		    "compiler, generation, outcome) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
		    "?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
		    DB_ARGS(DB_TEXT(row->origin), DB_ROW(row->message),
			    DB_ROW(row->quoted_by), DB_TEXT(row->mail),
			    DB_TEXT(row->own_id), DB_TEXT(culprit), DB_INT(row->live),
			    DB_INT(row->at), DB_TEXT(row->commit),
			    DB_TEXT(row->subject), DB_TEXT(row->tree),
			    DB_TEXT(row->branch), DB_TEXT(row->url), DB_TEXT(row->base),
			    DB_TEXT(row->config), DB_TEXT(row->compiler),
			    DB_INT(row->generation),
			    DB_TEXT(parser_outcome_name(row->outcome))),
		    error))
		return false;
	*id = db_id(t);
	return true;
}

bool finding_insert(tracker *t, const finding_row *row, GError **error)
{
	if (!db_run(t,
		    "INSERT INTO finding (report, position, testcase, metric, machine, kind, "
		    "change, ci_low, ci_high, p) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
		    "?10)",
		    DB_ARGS(DB_INT(row->report), DB_INT(row->position),
			    DB_TEXT(row->testcase), DB_TEXT(row->metric),
			    DB_TEXT(row->machine), DB_TEXT(parser_kind_name(row->kind)),
			    DB_MAYBE(row->has_change, row->change),
			    DB_MAYBE(row->has_interval, row->ci_low),
			    DB_MAYBE(row->has_interval, row->ci_high),
			    DB_MAYBE(row->has_interval, row->p)),
		    error))
		return false;
	for (guint i = 0; row->parameters && i < row->parameters->len; i++) {
		const parser_pair *pair = row->parameters->pdata[i];

		if (!db_run(t,
			    "INSERT INTO finding_parameter (report, position, number, name, "
			    "value) VALUES (?1, ?2, ?3, ?4, ?5)",
			    DB_ARGS(DB_INT(row->report), DB_INT(row->position),
				    DB_INT(i), DB_TEXT(pair->name),
				    DB_TEXT(pair->value)),
			    error))
			return false;
	}
	return true;
}

bool impacts_insert(tracker *t, int64_t report, const GPtrArray *impacts,
		    GError **error)
{
	for (guint i = 0; impacts && i < impacts->len; i++) {
		const parser_impact *impact = impacts->pdata[i];
		finding_row row = {
			.report = report,
			.position = (int)i + 1,
			.testcase = impact->testcase,
			.metric = impact->metric,
			.machine = impact->machine,
			.kind = impact->kind,
			.has_change = impact->has_change,
			.change = impact->change_percent,
			.parameters = impact->parameters,
		};

		if (!finding_insert(t, &row, error))
			return false;
	}
	return true;
}

bool person_insert(tracker *t, const person_row *row, GError **error)
{
	if (!row->name && !row->address)
		return true;
	return db_run(t,
		      "INSERT INTO person (report, role, name, address, signer) "
		      "VALUES (?1, ?2, ?3, ?4, ?5)",
		      DB_ARGS(DB_INT(row->report),
			      DB_TEXT(tracker_role_name(row->role)), DB_TEXT(row->name),
			      DB_TEXT(row->address), DB_INT(row->signer)),
		      error);
}

bool regression_find(tracker *t, const char *id, int64_t *row, GError **error)
{
	*row = 0;
	if (!db_get_int(t,
			"SELECT coalesce(merged_into, id) FROM regression "
			"WHERE regression = ?1",
			DB_ARGS(DB_TEXT(id)), row, error))
		return false;
	return *row || db_get_int(t, "SELECT regression FROM alias WHERE alias = ?1",
				  DB_ARGS(DB_TEXT(id)), row, error);
}

static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	while (a && b && a[n] && a[n] == b[n])
		n++;
	return n;
}

bool id_digits(tracker *t, const char *id, GError **error)
{
	static const char *const neighbours[] = {
		"SELECT max(regression) FROM regression WHERE regression < ?1",
		"SELECT min(regression) FROM regression WHERE regression > ?1",
		"SELECT max(alias) FROM alias WHERE alias < ?1",
		"SELECT min(alias) FROM alias WHERE alias > ?1",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(neighbours); i++) {
		g_autofree char *other = NULL;
		size_t digits;

		if (!db_get_text(t, neighbours[i], DB_ARGS(DB_TEXT(id)), &other, error))
			return false;
		digits = common(id, other) + 1;
		if (digits > ID_SHOWN &&
		    !db_run(t,
			    "UPDATE regression SET digits = max(digits, ?3) "
			    "WHERE regression IN (?1, ?2)",
			    DB_ARGS(DB_TEXT(id), DB_TEXT(other),
				    DB_INT((int64_t)MIN(digits, PARSER_ID_DIGITS))),
			    error))
			return false;
	}
	return true;
}

/* Names the regressions that a prefix fits, at most a few of them. */
static void ambiguous(const char *prefix, GHashTable *found, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);
	g_autoptr(GList) ids =
		g_list_sort(g_hash_table_get_values(found), (GCompareFunc)g_strcmp0);
	int left = 5;

	for (GList *l = ids; l && left; l = l->next, left--)
		g_string_append_printf(names, "%s%.12s", names->len ? ", " : "",
				       (const char *)l->data);
	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_AMBIGUOUS,
		    "%s: fits %u regressions: %s%s", prefix, g_hash_table_size(found),
		    names->str, g_list_length(ids) > 5 ? " ..." : "");
}

static bool is_hex(const char *text)
{
	return *text && text[strspn(text, "0123456789abcdef")] == '\0';
}

bool regression_by_prefix(tracker *t, const char *prefix, int64_t *row, GError **error)
{
	g_autofree char *low = g_ascii_strdown(prefix, -1);
	g_autofree char *high = g_strconcat(low, "g", NULL);
	g_autoptr(GHashTable) found =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_auto(db_rows) rows = { 0 };

	if (is_hex(low) &&
	    !db_query(t, &rows,
		      "SELECT coalesce(merged_into, id), regression FROM regression "
		      "WHERE regression >= ?1 AND regression < ?2 UNION ALL "
		      "SELECT regression, alias FROM alias "
		      "WHERE alias >= ?1 AND alias < ?2 LIMIT 1000",
		      DB_ARGS(DB_TEXT(low), DB_TEXT(high)), error))
		return false;
	while (rows.statement && db_next(&rows, error)) {
		int64_t *key = g_new(int64_t, 1);

		*key = *row = db_int(&rows, 0);
		g_hash_table_insert(found, key, db_dup(&rows, 1));
	}
	if (rows.failed)
		return false;
	if (g_hash_table_size(found) == 1)
		return true;
	if (g_hash_table_size(found))
		ambiguous(prefix, found, error);
	else
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND,
			    "%s: no such regression", prefix);
	return false;
}
