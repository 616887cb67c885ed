/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What trees are asked: for each open regression its culprit, its reports, and the
 * fixes that somebody expects.  A digest of a regression's questions is kept for each
 * tree, so that a tree which was walked before they were asked is looked at again.
 */
#include <string.h>

#include "tracker/scanning.h"

#define FIXED_SECONDS (180 * 86400) /* for so long a fix may be taken back */

static void question_free(question *q)
{
	g_free(q->key);
	g_free(q);
}

static void subject_free(subject_ *s)
{
	g_free(s->id);
	g_free(s->commit);
	g_free(s->title);
	g_free(s->tree);
	g_free(s->branch);
	g_free(s);
}

void scan_forget(tracker_scan *scan)
{
	g_clear_pointer(&scan->wanted, parser_wanted_free);
	g_clear_pointer(&scan->questions, g_hash_table_destroy);
	g_clear_pointer(&scan->asked, g_ptr_array_unref);
	g_clear_pointer(&scan->subjects, g_hash_table_destroy);
}

/* Adds a question; what is no hash, or has no title, is not asked. */
static void ask(tracker_scan *scan, const question *from, const char *text)
{
	question *q = g_memdup2(from, sizeof(*from));
	GPtrArray *same;
	bool good = true;

	switch (q->kind) {
	case ASK_CULPRIT:
	case ASK_FIX:
	case ASK_FOUND:
		q->key = g_ascii_strdown(text, -1);
		good = parser_wanted_add_commit(scan->wanted, q->key);
		break;
	case ASK_TITLE:
	case ASK_FIX_TITLE:
	case ASK_PATCH_TITLE:
		q->key = parser_title(text, strlen(text));
		good = strchr(q->key, ' '); /* one word alone names nothing */
		if (good)
			parser_wanted_add_title(scan->wanted, q->key);
		break;
	case ASK_PATCH_DATE:
		q->key = g_strdup(text);
		parser_wanted_add_date(scan->wanted, g_ascii_strtoll(text, NULL, 10));
		break;
	default:
		q->key = g_strdup(text);
		parser_wanted_add_message(scan->wanted, q->key);
	}
	if (!good) {
		question_free(q);
		return;
	}
	g_ptr_array_add(scan->asked, q);
	same = g_hash_table_lookup(scan->questions, q->key);
	if (!same) {
		same = g_ptr_array_new();
		g_hash_table_insert(scan->questions, q->key, same);
	}
	g_ptr_array_add(same, q);
}

static void ask_of(tracker_scan *scan, const subject_ *s, question_kind kind,
		   const char *text)
{
	question q = { .kind = kind, .regression = s->row, .sure = true };

	if (text && *text)
		ask(scan, &q, text);
}

static bool ask_texts(tracker_scan *scan, const subject_ *s, question_kind kind,
		      const char *sql, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(scan->t, &rows, sql, DB_ARGS(DB_INT(s->row)), error))
		return false;
	while (db_next(&rows, error))
		ask_of(scan, s, kind, db_text(&rows, 0));
	return !rows.failed;
}

/* ---- fixes that commands name
 * ---------------------------------------------------------- */

/* `"title"`, `("title")`: what stands inside. */
static char *peel(const char *text)
{
	g_autofree char *bare = g_strstrip(g_strdup(text));
	const char *s = bare;
	size_t n = strlen(s);

	while (n > 1 &&
	       ((*s == '"' && s[n - 1] == '"') || (*s == '(' && s[n - 1] == ')') ||
		(*s == '\'' && s[n - 1] == '\''))) {
		s++;
		n -= 2;
	}
	return g_strndup(s, n);
}

/* "HASH [title]" or "title". */
static void ask_fix(tracker_scan *scan, question *q, const char *arguments)
{
	size_t n = strspn(arguments, "0123456789abcdefABCDEF");
	bool hash = n >= 8 && n <= 64 && (!arguments[n] || arguments[n] == ' ');
	g_autofree char *first = g_strndup(arguments, hash ? n : 0);
	g_autofree char *title = peel(arguments + (hash ? n : 0));

	q->kind = ASK_FIX;
	if (hash)
		ask(scan, q, first);
	q->kind = ASK_FIX_TITLE;
	if (*title)
		ask(scan, q, title);
}

typedef struct named_fix {
	question question;
	char *arguments;
} named_fix;

static void named_fix_free(named_fix *fix)
{
	g_free(fix->arguments);
	g_free(fix);
}

/* `unfix` takes back what was named before it, by whoever may. */
static bool ask_commands(tracker_scan *scan, const subject_ *s, GError **error)
{
	g_autoptr(GPtrArray) fixes =
		g_ptr_array_new_with_free_func((GDestroyNotify)named_fix_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(scan->t, &rows,
		      "SELECT c.prefix, c.verb, c.arguments, c.result, m.id "
		      "FROM link l JOIN message m ON m.id = l.message "
		      "JOIN command c ON c.message = m.id "
		      "WHERE l.regression = ?1 AND l.acts AND c.problem IS NULL "
		      "AND m.class = 'human' ORDER BY m.date, m.message_id, c.position",
		      DB_ARGS(DB_INT(s->row)), error))
		return false;
	while (db_next(&rows, error)) {
		const parser_verb *v =
			parser_verb_find(db_text(&rows, 0), db_text(&rows, 1));
		bool done = !g_strcmp0(db_text(&rows, 3), "done");

		if (v && v->act == PARSER_ACT_UNFIX && done)
			g_ptr_array_set_size(fixes, 0);
		if (!v || v->act != PARSER_ACT_FIX)
			continue;

		named_fix *fix = g_new0(named_fix, 1);

		fix->question.regression = s->row;
		fix->question.sure = done;
		fix->question.message = db_int(&rows, 4);
		fix->arguments = db_dup(&rows, 2);
		g_ptr_array_add(fixes, fix);
	}
	for (guint i = 0; i < fixes->len; i++) {
		named_fix *fix = fixes->pdata[i];

		ask_fix(scan, &fix->question, fix->arguments);
	}
	return !rows.failed;
}

/* A patch that a mail of the thread offers is expected to land. */
static bool ask_patches(tracker_scan *scan, const subject_ *s, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    scan->t, &rows,
		    "SELECT m.message_id, p.title, p.written, m.id, p.position FROM link l "
		    "JOIN message m ON m.id = l.message JOIN patch p ON p.message = m.id "
		    "WHERE l.regression = ?1 AND l.acts AND p.form <> 'branch'",
		    DB_ARGS(DB_INT(s->row)), error))
		return false;
	while (db_next(&rows, error)) {
		question q = { .kind = ASK_PATCH,
			       .regression = s->row,
			       .sure = true,
			       .message = db_int(&rows, 3),
			       .position = db_int(&rows, 4) };

		ask(scan, &q, db_text(&rows, 0));
		q.kind = ASK_PATCH_TITLE;
		if (!db_is_null(&rows, 1))
			ask(scan, &q, db_text(&rows, 1));
		q.kind = ASK_PATCH_DATE;
		if (db_int(&rows, 2))
			ask(scan, &q, db_text(&rows, 2));
	}
	return !rows.failed;
}

/* ---- all of a regression
 * --------------------------------------------------------------- */

/* Fixes that trees showed already: they may be reverted, or leave again. */
static bool ask_found(tracker_scan *scan, const subject_ *s, GError **error)
{
	return ask_texts(scan, s, ASK_FOUND,
			 "SELECT DISTINCT \"commit\" FROM fix WHERE regression = ?1 "
			 "AND state IN ('posted', 'queued', 'merged')",
			 error);
}

/* Reports of its own and of its duplicates; what is quoted too, while none is there. */
#define REPORTS_SQL                                                                      \
	"WITH RECURSIVE member (id) AS (SELECT ?1 UNION SELECT g.id FROM regression g "  \
	"JOIN member m ON g.duplicate_of = m.id OR g.merged_into = m.id) "               \
	"SELECT DISTINCT m.message_id FROM report r JOIN message m ON m.id = r.message " \
	"WHERE r.regression IN (SELECT id FROM member) AND (r.live OR "                  \
	"(r.origin = 'quote' AND r.counts)) AND NOT m.made_up"

static bool ask_subject(tracker_scan *scan, const subject_ *s, GError **error)
{
	ask_of(scan, s, ASK_CULPRIT, s->commit);
	ask_of(scan, s, ASK_TITLE, s->title);
	return ask_texts(scan, s, ASK_CULPRIT,
			 "SELECT DISTINCT \"commit\" FROM tree_commit "
			 "WHERE regression = ?1 AND copy = 1",
			 error) &&
	       ask_texts(scan, s, ASK_REPORT, REPORTS_SQL, error) &&
	       ask_commands(scan, s, error) && ask_patches(scan, s, error);
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Of the questions from number `from` on. */
static int64_t digest_of(const tracker_scan *scan, guint from)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) all = g_string_new(NULL);

	for (guint i = from; i < scan->asked->len; i++) {
		const question *q = scan->asked->pdata[i];

		g_ptr_array_add(lines,
				g_strdup_printf("%d%d %s\n", q->kind, q->sure, q->key));
	}
	g_ptr_array_sort(lines, by_text);
	for (guint i = 0; i < lines->len; i++)
		g_string_append(all, lines->pdata[i]);
	return db_hash(scan->t, all->str);
}

/* Whether the tree was asked the questions from number `from` on. */
static bool is_late(tracker_scan *scan, subject_ *s, guint from, GError **error)
{
	int64_t hit = 0;

	s->digest = digest_of(scan, from);
	if (!db_get_int(scan->t,
			"SELECT 1 FROM tree_asked WHERE tree = ?1 AND branch = ?2 "
			"AND regression = ?3 AND digest = ?4",
			DB_ARGS(DB_TEXT(scan->tree->name), DB_TEXT(scan->tree->branch),
				DB_INT(s->row), DB_INT(s->digest)),
			&hit, error))
		return false;
	s->late = !hit;
	return true;
}

/* What is open; what was dropped, for it may come back; and what was fixed lately, for
 * the fix may be taken back. */
static bool load_subjects(tracker_scan *scan, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    scan->t, &rows,
		    "SELECT id, regression, status, coalesce(\"commit\", nullif(culprit, "
		    "'')), subject, tree, branch FROM regression "
		    "WHERE merged_into IS NULL AND seen AND (open OR status = 'dropped' "
		    "OR (status = 'fixed' AND EXISTS (SELECT 1 FROM fix WHERE "
		    " fix.regression = regression.id AND state = 'merged' AND at > ?1))) "
		    "ORDER BY id",
		    DB_ARGS(DB_INT(scan->now - FIXED_SECONDS)), error))
		return false;
	while (db_next(&rows, error)) {
		subject_ *s = g_new0(subject_, 1);

		s->row = db_int(&rows, 0);
		s->id = db_dup(&rows, 1);
		tracker_status_from_name(db_text(&rows, 2), &s->status);
		s->commit = db_dup(&rows, 3);
		s->title = db_dup(&rows, 4);
		s->tree = db_dup(&rows, 5);
		s->branch = db_dup(&rows, 6);
		g_hash_table_insert(scan->subjects, &s->row, s);
	}
	return !rows.failed;
}

static bool ask_robots(tracker_scan *scan, GError **error)
{
	const GPtrArray *const lists[] = { scan->t->own, scan->t->robot_team };
	g_auto(db_rows) rows = { 0 };

	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		for (guint k = 0; lists[i] && k < lists[i]->len; k++)
			parser_wanted_add_robot(scan->wanted, lists[i]->pdata[k]);
	if (!db_query(scan->t, &rows, "SELECT address FROM robot", DB_NO_ARGS, error))
		return false;
	while (db_next(&rows, error))
		parser_wanted_add_robot(scan->wanted, db_text(&rows, 0));
	return !rows.failed;
}

bool scan_ask(tracker_scan *scan, GError **error)
{
	GHashTableIter iter;
	gpointer value;

	scan_forget(scan);
	scan->wanted = parser_wanted_new();
	scan->asked = g_ptr_array_new_with_free_func((GDestroyNotify)question_free);
	scan->questions = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
						(GDestroyNotify)g_ptr_array_unref);
	scan->subjects = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
					       (GDestroyNotify)subject_free);
	if (!load_subjects(scan, error) || !ask_robots(scan, error))
		return false;
	g_hash_table_iter_init(&iter, scan->subjects);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		subject_ *s = value;
		guint from = scan->asked->len;

		if (s->status != TRACKER_STATUS_FIXED &&
		    (!ask_subject(scan, s, error) || !is_late(scan, s, from, error)))
			return false;
		if (!ask_found(scan, s, error))
			return false;
	}
	return true;
}
