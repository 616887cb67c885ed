/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operator's acts in the fold. */
#include <string.h>

#include "tracker/fold.h"

typedef struct act_row {
	char *kind, *who, *reason;
	tracker_status status;
	int64_t other, message;
} act_row;

static void act_row_clear(act_row *act)
{
	g_free(act->kind);
	g_free(act->who);
	g_free(act->reason);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(act_row, act_row_clear)

static bool load(fold *f, int64_t row, act_row *act, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    f->t, &rows,
		    "SELECT act.kind, who, reason, act.status, coalesce(o.merged_into, o.id), "
		    "message FROM act LEFT JOIN regression o ON o.id = act.other "
		    "WHERE act.id = ?1",
		    DB_ARGS(DB_INT(row)), error))
		return false;
	if (!db_next(&rows, error))
		return false;
	act->kind = db_dup(&rows, 0);
	act->who = db_dup(&rows, 1);
	act->reason = db_dup(&rows, 2);
	tracker_status_from_name(db_text(&rows, 3), &act->status);
	act->other = db_int(&rows, 4);
	act->message = db_int(&rows, 5);
	return true;
}

static void drop_suggestion(fold *f, int64_t message, tracker_status status)
{
	for (guint i = f->suggestions->len; i-- > 0;) {
		const fold_suggestion *s = f->suggestions->pdata[i];

		if (s->message == message && s->status == status)
			g_ptr_array_remove_index(f->suggestions, i);
	}
}

void fold_push(fold *f)
{
	fold_before before = { f->status, f->duplicate_of, false };

	g_array_append_val(f->by_hand, before);
}

void fold_push_elsewhere(fold *f)
{
	fold_before before = { .elsewhere = true };

	g_array_append_val(f->by_hand, before);
}

bool fold_pop(fold *f, bool foreign)
{
	guint n = f->by_hand->len;

	while (n && !foreign && g_array_index(f->by_hand, fold_before, n - 1).elsewhere)
		n--;
	if (!n)
		return false;

	fold_before before = g_array_index(f->by_hand, fold_before, n - 1);

	g_array_remove_index(f->by_hand, n - 1);
	if (before.elsewhere)
		return true;
	f->duplicate_of = before.duplicate_of;
	fold_set_status(f, before.status);
	return true;
}

void fold_move(fold *f, tracker_move move)
{
	tracker_effect effect = tracker_effect_of_move(f->status, move);

	if (effect.status)
		fold_set_status(f, effect.status);
}

void fold_duplicate(fold *f, int64_t other)
{
	if (!f->duplicate_of)
		f->before_duplicate = f->status;
	f->duplicate_of = other;
	fold_move(f, TRACKER_MOVE_DUP);
}

void fold_no_duplicate(fold *f)
{
	f->duplicate_of = 0;
	fold_set_status(f, f->before_duplicate ? f->before_duplicate :
						 TRACKER_STATUS_REPORTED);
}

static void apply(fold *f, const act_row *act)
{
	const char *kind = act->kind;

	if (strcmp(kind, "note") && strcmp(kind, "undo") && strcmp(kind, "reject"))
		fold_push(f);
	if (!strcmp(kind, "reject"))
		drop_suggestion(f, act->message, act->status);
	else if (!strcmp(kind, "dup"))
		fold_duplicate(f, act->other);
	else if (!strcmp(kind, "undup"))
		fold_no_duplicate(f);
	else if (!strcmp(kind, "reopen"))
		fold_move(f, TRACKER_MOVE_REOPEN);
	else if (!strcmp(kind, "set") || !strcmp(kind, "confirm"))
		fold_set_status(f, act->status);
	/* Whatever else the status becomes, it is a duplicate no longer. */
	if (f->status != TRACKER_STATUS_DUPLICATE)
		f->duplicate_of = 0;
}

bool fold_act(fold *f, const evidence *e, GError **error)
{
	g_auto(act_row) act = { 0 };

	if (!load(f, e->row, &act, error))
		return false;
	if (!f->seen)
		return true;

	bool undone = g_hash_table_contains(f->undone_acts, &e->row);

	if (!undone)
		apply(f, &act);
	fold_add_step(f, &(fold_step){
				 .at = e->at,
				 .status = f->status,
				 .kind = act.kind ? g_intern_string(act.kind) : "note",
				 .actor = act.who,
				 .role = TRACKER_ROLE_OPERATOR,
				 .rule = undone ? "undone" : "act",
				 .act = e->row,
				 .evidence = act.reason,
				 .moves = !undone && strcmp(act.kind, "undo") &&
					  strcmp(act.kind, "note"),
			 });
	return true;
}
