/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands in mails.  Who is entitled, and whose mail a trusted host vouches for, is
 * obeyed at once; from anybody else a command is a suggestion.  What other trackers are
 * told (#regzbot) is a suggestion at most.
 */
#include <string.h>

#include "tracker/dkim.h"
#include "tracker/fold.h"
#include "tracker/link.h"

#define OWN_PREFIX "#regtrail"
#define UNKNOWN    "no such regression" /* yet: its report may arrive later */

typedef struct order {
	char *prefix, *verb, *arguments, *problem;
	char *words;              /* all of it, as the history shows it */
	const parser_verb *known; /* NULL: no such verb */
	int64_t position;
} order;

static void order_free(order *o)
{
	g_free(o->prefix);
	g_free(o->verb);
	g_free(o->arguments);
	g_free(o->problem);
	g_free(o->words);
	g_free(o);
}

static GPtrArray *load_orders(fold *f, int64_t message, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)order_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(f->t, &rows,
		      "SELECT prefix, verb, arguments, position, problem FROM command "
		      "WHERE message = ?1 ORDER BY position",
		      DB_ARGS(DB_INT(message)), error))
		return NULL;
	while (db_next(&rows, error)) {
		order *o = g_new0(order, 1);

		o->prefix = db_dup(&rows, 0);
		o->verb = db_dup(&rows, 1);
		o->arguments = db_dup(&rows, 2);
		o->position = db_int(&rows, 3);
		o->problem = db_dup(&rows, 4);
		o->words = g_strdup_printf("%s %s%s%s", o->prefix, o->verb,
					   *o->arguments ? " " : "", o->arguments);
		o->known = parser_verb_find(o->prefix, o->verb);
		g_ptr_array_add(all, o);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

bool fold_is_vouched(fold *f, const evidence *e, bool *vouched, GError **error)
{
	g_autofree char *passes = NULL;

	*vouched = !f->t->require_dkim;
	if (*vouched)
		return true;
	if (!db_get_text(f->t, "SELECT signed_by FROM message WHERE id = ?1",
			 DB_ARGS(DB_INT(e->row)), &passes, error))
		return false;
	*vouched = dkim_vouched(f->t, passes, e->address);
	return true;
}

/* NULL if the author may command; else why not. */
static bool why_not(fold *f, const evidence *e, const order *o, const char **why,
		    GError **error)
{
	bool vouched;

	*why = NULL;
	if (g_ascii_strcasecmp(o->prefix, OWN_PREFIX)) {
		*why = "meant for another tracker";
		return true;
	}
	if (!roles_entitled(&f->roles, e->address)) {
		*why = "its author may not command";
		return true;
	}
	if (!fold_is_vouched(f, e, &vouched, error))
		return false;
	if (!vouched)
		*why = "no trusted host vouches for its sender";
	return true;
}

/* The regression that a duplicate names: by ID, or by the Message-ID of a report; 0 and
 * why if there is none. */
static bool find_other(fold *f, const char *arguments, int64_t *other,
		       const char **result, GError **error)
{
	g_auto(GStrv) words = g_strsplit_set(arguments, " \t,", 2);
	g_autofree char *id =
		words[0] ? parser_url_message_id(words[0], strlen(words[0])) : NULL;

	g_autoptr(GError) refused = NULL;

	*other = 0;
	if (!words[0])
		return true;
	if (id)
		return db_get_int(
			f->t,
			"SELECT r.regression FROM report r JOIN message m "
			"ON m.id = r.message WHERE m.message_id = ?1 "
			"AND (r.origin <> 'quote' OR r.counts) ORDER BY r.origin = 'quote' LIMIT 1",
			DB_ARGS(DB_TEXT(id)), other, error);
	if (regression_by_prefix(f->t, words[0], other, &refused))
		return true;
	*other = 0;
	*result = UNKNOWN;
	if (g_error_matches(refused, TRACKER_ERROR, TRACKER_ERROR_AMBIGUOUS))
		*result = "several regressions begin like that";
	else if (!g_error_matches(refused, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND)) {
		g_propagate_error(error, g_steal_pointer(&refused));
		return false;
	}
	return true;
}

/* Whether `other` stands, by way of duplicates, for this regression itself. */
static bool leads_back(fold *f, int64_t other, bool *back, GError **error)
{
	*back = false;
	for (int i = 0; other && i < 1000; i++) {
		int64_t next = 0;

		if (other == f->regression) {
			*back = true;
			return true;
		}
		if (!db_get_int(f->t,
				"SELECT duplicate_of FROM regression WHERE id = ?1",
				DB_ARGS(DB_INT(other)), &next, error))
			return false;
		other = next;
	}
	return true;
}

static bool obey_dup(fold *f, const order *o, const char **result, GError **error)
{
	int64_t other;
	bool back;

	*result = UNKNOWN;
	if (!find_other(f, o->arguments, &other, result, error) ||
	    !leads_back(f, other, &back, error))
		return false;
	if (!other)
		return true;
	*result = back ? "it would duplicate itself" : "done";
	if (!back)
		fold_duplicate(f, other);
	return true;
}

static const struct {
	parser_act act;
	const char *name;
	const char *value; /* NULL: the arguments; "": none, the attribute goes away */
} attributes[] = {
	/* clang-format off */
	{ PARSER_ACT_TITLE,         "title",      NULL },
	{ PARSER_ACT_UNTITLE,       "title",      "" },
	{ PARSER_ACT_OWNER,         "owner",      NULL },
	{ PARSER_ACT_UNOWNER,       "owner",      "" },
	{ PARSER_ACT_PRIORITY,      "priority",   NULL },
	{ PARSER_ACT_BACKBURNER,    "backburner", "yes" },
	{ PARSER_ACT_UNBACKBURNER,  "backburner", "" },
	{ PARSER_ACT_REMINDERS_OFF, "reminders",  "off" },
	{ PARSER_ACT_REMINDERS_ON,  "reminders",  "" },
	/* clang-format on */
};

static bool obey_attribute(fold *f, const order *o)
{
	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		const char *value = attributes[i].value;

		if (attributes[i].act != o->known->act)
			continue;
		if (value && !*value)
			g_hash_table_remove(f->attributes, attributes[i].name);
		else
			g_hash_table_insert(f->attributes, (gpointer)attributes[i].name,
					    g_strdup(value ? value : o->arguments));
		return true;
	}
	return false;
}

static void obey_status(fold *f, const parser_verb *v)
{
	tracker_status status = TRACKER_STATUS_NONE;

	/* A tree has it already: to name it does not bring it back to the queue. */
	if (v->act == PARSER_ACT_FIX && f->status == TRACKER_STATUS_FIXED)
		return;
	f->duplicate_of = 0;
	if (v->act == PARSER_ACT_UNFIX)
		f->fix_confirmed = false;
	if (v->act == PARSER_ACT_FIX)
		fold_move(f, TRACKER_MOVE_FIX);
	else if (v->act == PARSER_ACT_UNFIX)
		fold_move(f, TRACKER_MOVE_UNFIX);
	else if (v->act == PARSER_ACT_REOPEN)
		fold_move(f, TRACKER_MOVE_REOPEN);
	else if (tracker_status_from_name(v->status, &status))
		fold_set_status(f, status);
}

static bool obey(fold *f, const evidence *e, const order *o, const char **result,
		 GError **error)
{
	const parser_verb *v = o->known;

	*result = "done";
	switch (v->act) {
	case PARSER_ACT_DUPLICATE:
		fold_push(f);
		return obey_dup(f, o, result, error);
	case PARSER_ACT_UNDUPLICATE:
		fold_push(f);
		if (f->duplicate_of)
			fold_no_duplicate(f);
		else
			*result = "it is no duplicate";
		return true;
	case PARSER_ACT_UNDO:
		if (!fold_pop(f, e->foreign))
			*result = "nothing that could be taken back";
		return true;
	case PARSER_ACT_STATUS:
	case PARSER_ACT_FIX:
	case PARSER_ACT_UNFIX:
	case PARSER_ACT_REOPEN:
	case PARSER_ACT_RETEST:
		fold_push(f);
		obey_status(f, v);
		return true;
	default:
		/* Links, notes and the like stand in the history, which is all they do.
		 */
		obey_attribute(f, o);
		return true;
	}
}

/* Who may not command may still suggest to close what is open. */
static const char *suggest(fold *f, const evidence *e, tracker_role role,
			   const order *o, tracker_status *suggested)
{
	const parser_verb *v = o->known;
	tracker_status status = TRACKER_STATUS_NONE;

	if (v->act == PARSER_ACT_REMINDERS_OFF)
		return "heeded for its author alone";
	if (v->act == PARSER_ACT_FIX)
		status = TRACKER_STATUS_FIXED;
	else if (v->status)
		tracker_status_from_name(v->status, &status);
	if (!tracker_status_is_open(f->status) || !status ||
	    tracker_status_is_open(status))
		return "recorded";
	fold_withdraw(f, e);
	*suggested = fold_suggest(f, e,
				  &(fold_suggestion){ .status = status,
						      .role = role,
						      .kind = PARSER_VERDICT_NONE,
						      .quote = o->words });
	return "suggested";
}

static void add_step(fold *f, const evidence *e, tracker_role role, const order *o,
		     tracker_status suggested)
{
	fold_add_step(f, &(fold_step){
				 .at = e->at,
				 .status = f->status,
				 .kind = suggested ? "suggestion" : "command",
				 .actor = fold_who(e->name, e->address),
				 .role = role,
				 .rule = o->verb,
				 .message = e->row,
				 .evidence = o->words,
				 .suggested = suggested,
				 .moves = true,
			 });
}

/* Duplicates act as a set, but whose duplicate one is concerns that one alone. */
static bool is_of_one(const parser_verb *v)
{
	return v->act == PARSER_ACT_DUPLICATE || v->act == PARSER_ACT_UNDUPLICATE;
}

static bool fold_order(fold *f, const evidence *e, tracker_role role, const order *o,
		       GError **error)
{
	const parser_verb *v = o->known;
	const char *why = NULL, *result = o->problem ? o->problem : "no such verb";
	tracker_status suggested = TRACKER_STATUS_NONE;

	if (v && !o->problem) {
		/* For himself everybody may speak. */
		if (v->act != PARSER_ACT_STOP && !why_not(f, e, o, &why, error))
			return false;
		if (e->foreign && is_of_one(v)) {
			if (!why)
				fold_push_elsewhere(f);
			return true;
		}
		if (why)
			result = suggest(f, e, role, o, &suggested);
		else if (!obey(f, e, o, &result, error))
			return false;
		if (!strcmp(result, "done") || suggested)
			add_step(f, e, role, o, suggested);
	}
	/* What came of it is told where it was said. */
	if (e->foreign)
		return true;

	g_autofree char *text =
		why ? g_strdup_printf("%s: %s", result, why) : g_strdup(result);

	return db_run(
		f->t,
		"UPDATE command SET result = ?3 WHERE message = ?1 AND position = ?2 "
		"AND result <> ?3",
		DB_ARGS(DB_INT(e->row), DB_INT(o->position), DB_TEXT(text)), error);
}

bool fold_commands(fold *f, const evidence *e, tracker_role role, GError **error)
{
	g_autoptr(GPtrArray) all = load_orders(f, e->row, error);

	if (!all)
		return false;
	/* Robots, vacation answers and bounces command nothing. */
	for (guint i = 0; i < all->len && f->seen && !strcmp(e->class, "human"); i++)
		if (!fold_order(f, e, role, all->pdata[i], error))
			return false;
	return true;
}

bool fold_await(refresh *r, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(r->t, &rows,
		      "SELECT l.regression FROM command c JOIN link l "
		      "ON l.message = c.message WHERE c.result = '" UNKNOWN
		      "' AND l.acts",
		      DB_NO_ARGS, error))
		return false;
	while (db_next(&rows, error))
		refresh_regression(r, db_int(&rows, 0));
	return !rows.failed;
}

bool fold_is_poke(fold *f, int64_t message, bool *poke, GError **error)
{
	g_autoptr(GPtrArray) all = load_orders(f, message, error);

	*poke = false;
	for (guint i = 0; all && i < all->len; i++) {
		const parser_verb *v = ((const order *)all->pdata[i])->known;

		*poke |= v && v->act == PARSER_ACT_POKE;
	}
	return all;
}
