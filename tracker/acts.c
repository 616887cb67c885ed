/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operator's acts: checked against the fold as it stands, recorded, folded in. */
#include <string.h>

#include "tracker/fold.h"

typedef struct act_target {
	int64_t other;   /* DUP */
	int64_t message; /* whose suggestion; whose verdicts are taken back */
	int64_t undoes;
	tracker_status status;
	char *reason; /* what goes into history */
	char *undone; /* what is taken back */
} act_target;

static bool refuse(GError **error, const tracker_act *act, const char *why)
{
	g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_STATE, "%s %s: %s",
		    tracker_act_name(act->kind), act->id, why);
	return false;
}

#define NAMED 8u /* suggestions, where it is not said which is meant */

/* The one suggestion that is meant. */
static bool choose_suggestion(const fold *f, const tracker_act *act, act_target *target,
			      GError **error)
{
	const fold_suggestion *chosen = NULL;
	g_autoptr(GString) names = g_string_new(NULL);
	bool several = false;
	guint n = 0;

	for (guint i = 0; i < f->suggestions->len; i++) {
		const fold_suggestion *s = f->suggestions->pdata[i];

		if (act->status && act->status != s->status)
			continue;
		if (n++ < NAMED)
			g_string_append_printf(names, "%s%s (%s)",
					       names->len ? ", " : "",
					       tracker_status_name(s->status),
					       fold_who(s->name, s->address));
		several |= chosen && chosen->status != s->status;
		chosen = s;
	}
	if (n > NAMED)
		g_string_append_printf(names, " and %u more", n - NAMED);
	if (several) {
		g_set_error(error, TRACKER_ERROR, TRACKER_ERROR_AMBIGUOUS,
			    "%s %s: several suggestions are open, say which: %s",
			    tracker_act_name(act->kind), act->id, names->str);
		return false;
	}
	if (!chosen)
		return refuse(error, act,
			      act->status ? "no such suggestion is open" :
					    "no suggestion is open");
	target->message = chosen->message;
	target->status = chosen->status;
	target->reason =
		act->reason && *act->reason ?
			g_strdup(act->reason) :
			g_strdup_printf("%s: %s",
					fold_who(chosen->name, chosen->address),
					chosen->quote);
	return true;
}

/* The newest step that moves and is not taken back yet: of an act, or of a mail. */
static const fold_step *newest_step(const fold *f, bool of_act)
{
	for (guint i = f->steps->len; i-- > 0;) {
		const fold_step *s = f->steps->pdata[i];

		if (s->moves && (of_act ? s->act : !s->act && s->message))
			return s;
	}
	return NULL;
}

/* What operators did goes first: what a mail decided is not theirs. */
static bool choose_step(const fold *f, const tracker_act *act, act_target *target,
			GError **error)
{
	const fold_step *s = newest_step(f, true);

	if (!s)
		s = newest_step(f, false);
	if (!s)
		return refuse(error, act, "nothing that could be taken back");
	target->undoes = s->act;
	target->message = s->act ? 0 : s->message;
	target->undone =
		s->act ?
			g_strdup_printf("takes back: %s by %s", s->kind, s->actor) :
			g_strdup_printf(
				"takes back what the mail of %s %s: \"%s\"", s->actor,
				strcmp(s->kind, "suggestion") ? "decided" : "suggested",
				s->evidence);
	target->reason = act->reason && *act->reason ?
				 g_strdup(act->reason) :
				 g_strdup_printf("takes back %s by %s: %s", s->kind,
						 s->actor, s->evidence);
	return true;
}

/* Walks to the topmost of a set; a duplicate of itself is refused. */
static bool choose_other(fold *f, const tracker_act *act, act_target *target,
			 GError **error)
{
	int64_t at = 0;

	if (!act->other)
		return refuse(error, act, "which one it duplicates is not said");
	if (!regression_by_prefix(f->t, act->other, &target->other, error))
		return false;
	at = target->other;
	for (int i = 0; at && i < 1000; i++) {
		int64_t next = 0;

		if (at == f->regression)
			return refuse(error, act, "it would duplicate itself");
		if (!db_get_int(f->t,
				"SELECT duplicate_of FROM regression WHERE id = ?1",
				DB_ARGS(DB_INT(at)), &next, error))
			return false;
		at = next;
	}
	target->status = TRACKER_STATUS_DUPLICATE;
	target->reason = act->reason && *act->reason ?
				 g_strdup(act->reason) :
				 g_strdup_printf("duplicate of %s", act->other);
	return true;
}

static bool need_reason(const tracker_act *act, act_target *target, GError **error)
{
	if (!act->reason || !*act->reason)
		return refuse(error, act,
			      act->kind == TRACKER_ACT_NOTE ? "words are needed" :
							      "a reason is needed");
	target->status = act->status;
	target->reason = g_strdup(act->reason);
	return true;
}

static bool prepare(fold *f, const tracker_act *act, act_target *target, GError **error)
{
	switch (act->kind) {
	case TRACKER_ACT_CONFIRM:
	case TRACKER_ACT_REJECT:
		return choose_suggestion(f, act, target, error);
	case TRACKER_ACT_SET:
		if (act->status == TRACKER_STATUS_NONE ||
		    act->status == TRACKER_STATUS_DUPLICATE)
			return refuse(error, act,
				      act->status ? "use dup, which says of what" :
						    "no such status");
		return need_reason(act, target, error);
	case TRACKER_ACT_NOTE:
		return need_reason(act, target, error);
	case TRACKER_ACT_DUP:
		return choose_other(f, act, target, error);
	case TRACKER_ACT_UNDO:
		return choose_step(f, act, target, error);
	case TRACKER_ACT_UNDUP:
		if (!f->duplicate_of)
			return refuse(error, act, "it is no duplicate");
		target->reason = g_strdup(act->reason ? act->reason : "no duplicate");
		return true;
	case TRACKER_ACT_REOPEN:
		if (tracker_status_is_open(f->status))
			return refuse(error, act, "it is open");
		target->reason = g_strdup(act->reason ? act->reason : "reopened");
		return true;
	}
	return refuse(error, act, "no such act");
}

/*
 * Now; but not before the last act, when the clock has jumped back, nor before the mail
 * that it decides about, when that comes from the future: else it would have no effect.
 */
static int64_t time_of(const fold *f, const act_target *target, int64_t now)
{
	int64_t at = now;

	for (guint i = 0; i < f->evidence->len; i++) {
		const evidence *e = f->evidence->pdata[i];

		if (e->kind == EVIDENCE_ACT ||
		    (e->kind == EVIDENCE_MAIL && e->row == target->message))
			at = MAX(at, e->at);
	}
	return at;
}

static bool write_act(fold *f, const tracker_act *act, const act_target *target,
		      GError **error)
{
	const char *status =
		target->status ? tracker_status_name(target->status) : NULL;

	return db_run(
		f->t,
		"INSERT INTO act (regression, at, kind, status, who, reason, other, "
		"message, undoes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
		DB_ARGS(DB_INT(f->regression), DB_INT(time_of(f, target, act->now)),
			DB_TEXT(tracker_act_name(act->kind)), DB_TEXT(status),
			DB_TEXT(act->who), DB_TEXT(target->reason),
			DB_ROW(target->other), DB_ROW(target->message),
			DB_ROW(target->undoes)),
		error);
}

/* What is decided about a duplicate is decided about the one that it duplicates. */
static bool topmost(tracker *t, const tracker_act *act, int64_t *row, GError **error)
{
	bool own = act->kind == TRACKER_ACT_UNDUP || act->kind == TRACKER_ACT_UNDO ||
		   act->kind == TRACKER_ACT_NOTE || act->kind == TRACKER_ACT_DUP;

	for (int i = 0; !own && i < 1000; i++) {
		int64_t next = 0;

		if (!db_get_int(t, "SELECT duplicate_of FROM regression WHERE id = ?1",
				DB_ARGS(DB_INT(*row)), &next, error))
			return false;
		if (!next)
			break;
		*row = next;
	}
	return true;
}

static bool status_now(tracker *t, int64_t row, tracker_status *status, GError **error)
{
	g_autofree char *name = NULL;

	if (!db_get_text(t, "SELECT status FROM regression WHERE id = ?1",
			 DB_ARGS(DB_INT(row)), &name, error))
		return false;
	*status = TRACKER_STATUS_NONE;
	tracker_status_from_name(name, status);
	return true;
}

static void act_target_clear(act_target *target)
{
	g_clear_pointer(&target->reason, g_free);
	g_clear_pointer(&target->undone, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(act_target, act_target_clear)

bool tracker_act_do(tracker *t, const tracker_act *act, tracker_status *status,
		    GError **error)
{
	g_auto(refresh) r = { 0 };
	g_auto(fold) f = { 0 };
	g_auto(db_tx) tx = { 0 };
	g_auto(act_target) target = { 0 };
	int64_t row;

	refresh_init(&r, t, act->now);
	if (!act->who || !*act->who)
		return refuse(error, act, "nobody is named who does it");
	if (!db_begin(t, &tx, error) ||
	    !regression_by_prefix(t, act->id, &row, error) ||
	    !topmost(t, act, &row, error) || !fold_run(&f, &r, row, error))
		return false;
	if (!f.seen && act->kind != TRACKER_ACT_NOTE)
		return refuse(error, act, "no report of it was sent or seen yet");
	if (!prepare(&f, act, &target, error) || !write_act(&f, act, &target, error))
		return false;
	refresh_regression(&r, row);

	tracker_status result;

	if (!refresh_settle(&r, error) || !status_now(t, row, &result, error) ||
	    !db_commit(&tx, error))
		return false;
	if (status)
		*status = result;
	if (act->undone)
		*act->undone = g_steal_pointer(&target.undone);
	return true;
}
