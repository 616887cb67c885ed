/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracker/fold.h"

#include <string.h>

#define SUGGESTIONS_MAX 1000 /* that are open at a time; then the oldest goes */

static void suggestion_free(fold_suggestion *s)
{
	g_free(s->name);
	g_free(s->address);
	g_free(s->quote);
	g_free(s);
}

static void step_free(fold_step *s)
{
	g_free((char *)s->actor);
	g_free((char *)s->rule);
	g_free((char *)s->evidence);
	g_free(s);
}

void fold_clear(fold *f)
{
	g_clear_pointer(&f->evidence, g_ptr_array_unref);
	g_clear_pointer(&f->suggestions, g_ptr_array_unref);
	g_clear_pointer(&f->steps, g_ptr_array_unref);
	g_clear_pointer(&f->undone_messages, g_hash_table_destroy);
	g_clear_pointer(&f->undone_acts, g_hash_table_destroy);
	g_clear_pointer(&f->last_human, g_free);
	g_clear_pointer(&f->attributes, g_hash_table_destroy);
	g_clear_pointer(&f->by_hand, g_array_unref);
	roles_clear(&f->roles);
}

const char *fold_who(const char *name, const char *address)
{
	if (name && *name)
		return name;
	return address && *address ? address : "(unknown)";
}

fold_step *fold_add_step(fold *f, const fold_step *step)
{
	fold_step *copy = g_memdup2(step, sizeof(*step));

	copy->actor = g_strdup(step->actor);
	copy->rule = g_strdup(step->rule);
	copy->evidence = g_strdup(step->evidence && *step->evidence ? step->evidence :
								      "(no words)");
	g_ptr_array_add(f->steps, copy);
	return copy;
}

static bool of_person(const fold *f, const fold_suggestion *s, const evidence *e)
{
	return same_person(s->name, person_address(f->t, s->address), e->name,
			   person_address(f->t, e->address));
}

static bool is_fixed(const fold *f, const fold_suggestion *s, const evidence *e)
{
	(void)f;
	(void)e;
	return s->status == TRACKER_STATUS_FIXED;
}

/* What somebody who is not in charge wants done with it. */
static bool is_outsiders(const fold *f, const fold_suggestion *s, const evidence *e)
{
	(void)f;
	(void)e;
	return s->role == TRACKER_ROLE_OTHER && s->status != TRACKER_STATUS_FIXED;
}

static bool is_again(const fold *f, const fold_suggestion *s, const evidence *e)
{
	(void)f;
	(void)e;
	return s->status == TRACKER_STATUS_REPORTED;
}

static void withdraw(fold *f, const evidence *e,
		     bool (*test)(const fold *, const fold_suggestion *,
				  const evidence *))
{
	for (guint i = f->suggestions->len; i-- > 0;)
		if (test(f, f->suggestions->pdata[i], e))
			g_ptr_array_remove_index(f->suggestions, i);
}

bool fold_set_status(fold *f, tracker_status status)
{
	if (f->status == status)
		return false;
	if (status == TRACKER_STATUS_NEEDS_INFO)
		f->before_question = f->status;
	f->status = status;
	f->gone = false;
	if (!tracker_status_is_open(status))
		g_ptr_array_set_size(f->suggestions, 0);
	else
		withdraw(f, NULL, is_again);
	return true;
}

/* ---- mails
 * ----------------------------------------------------------------------------- */

void fold_withdraw(fold *f, const evidence *e)
{
	withdraw(f, e, of_person);
}

static const fold_suggestion *last_of(const fold *f)
{
	return f->suggestions->pdata[f->suggestions->len - 1];
}

/* The oldest of those that weigh least: a flood of them drowns nobody else's. */
static void drop_one(fold *f)
{
	guint which = 0;

	for (guint i = 0; i < f->suggestions->len; i++) {
		const fold_suggestion *s = f->suggestions->pdata[i];

		if (s->role == TRACKER_ROLE_OTHER) {
			which = i;
			break;
		}
	}
	g_ptr_array_remove_index(f->suggestions, which);
}

tracker_status fold_suggest(fold *f, const evidence *e,
			    const fold_suggestion *suggestion)
{
	fold_suggestion *s = g_memdup2(suggestion, sizeof(*suggestion));

	/* Those of this mail came last. */
	while (f->suggestions->len && last_of(f)->message == e->row)
		g_ptr_array_set_size(f->suggestions, (gint)f->suggestions->len - 1);
	if (f->suggestions->len >= SUGGESTIONS_MAX)
		drop_one(f);
	s->message = e->row;
	s->at = e->at;
	s->name = g_strdup(e->name);
	s->address = g_strdup(e->address);
	s->quote = g_strdup(suggestion->quote);
	g_ptr_array_add(f->suggestions, s);
	return s->status;
}

/* What the same person said in earlier mails and does not stand by any more. */
static void take_back(fold *f, const evidence *e)
{
	for (guint k = 0; e->takes_back && k < e->takes_back->len; k++) {
		const fold_word *w = &g_array_index(e->takes_back, fold_word, k);

		for (guint i = f->suggestions->len; i-- > 0;) {
			const fold_suggestion *s = f->suggestions->pdata[i];

			if (s->message == w->message && s->kind == w->kind)
				g_ptr_array_remove_index(f->suggestions, i);
		}
	}
}

static void note_debts(fold *f, const parser_verdict *v, tracker_role role)
{
	bool robot = role == TRACKER_ROLE_ROBOT || role == TRACKER_ROLE_ROBOT_TEAM;

	if (v->kind == PARSER_VERDICT_QUESTION && !robot)
		f->question_open = true;
	if (robot &&
	    (v->kind == PARSER_VERDICT_INFO || v->kind == PARSER_VERDICT_TEST_RESULT))
		f->question_open = false;
	if (v->kind == PARSER_VERDICT_PATCH && !robot)
		f->test_owed = true;
	if (v->kind == PARSER_VERDICT_TEST_RESULT)
		f->test_owed = false;
	if (v->kind == PARSER_VERDICT_DISPUTED && role != TRACKER_ROLE_BOT)
		f->disputed = true;
}

/* Who offers a change in the same breath does not want it left as it is. */
static bool is_left(const evidence *e, tracker_status status)
{
	if (status != TRACKER_STATUS_EXPECTED && status != TRACKER_STATUS_IGNORED)
		return true;
	for (guint i = 0; i < e->verdicts->len; i++) {
		const parser_verdict *v = e->verdicts->pdata[i];

		if (v->kind == PARSER_VERDICT_PATCH && v->confidence >= FOLD_SURE)
			return false;
	}
	return true;
}

static void fold_said(fold *f, const evidence *e, const parser_verdict *v,
		      tracker_role role)
{
	tracker_status old = f->status;
	tracker_effect effect = tracker_effect_of(f->status, v->kind, v->outcome, role);
	tracker_status suggested = TRACKER_STATUS_NONE;
	bool moved = false;

	if (effect.restore) {
		moved = fold_set_status(f, f->before_question);
		effect = tracker_effect_of(f->status, v->kind, v->outcome, role);
	}
	if (tracker_status_is_open(old))
		note_debts(f, v, role);
	if (effect.overrules)
		withdraw(f, e, is_outsiders);
	f->fix_confirmed |= effect.fix_confirmed;
	if (effect.fix_refuted) {
		f->fix_confirmed = false;
		withdraw(f, e, is_fixed);
	}
	if (effect.status)
		moved |= fold_set_status(f, effect.status);
	if (!is_left(e, effect.suggestion))
		effect.suggestion = TRACKER_STATUS_NONE;
	if (effect.suggestion && f->t->apply & 1u << effect.suggestion)
		moved |= fold_set_status(f, effect.suggestion);
	else if (effect.suggestion)
		suggested =
			fold_suggest(f, e,
				     &(fold_suggestion){ .status = effect.suggestion,
							 .role = role,
							 .kind = v->kind,
							 .quote = v->evidence });
	if (moved || effect.suggestion || effect.fix_refuted)
		fold_add_step(f, &(fold_step){
					 .at = e->at,
					 .status = f->status,
					 .kind = moved ? "verdict" : "suggestion",
					 .actor = fold_who(e->name, e->address),
					 .role = role,
					 .rule = v->rule,
					 .message = e->row,
					 .evidence = v->evidence,
					 .suggested = suggested,
					 .moves = true,
				 });
}

static void count_human(fold *f, const evidence *e, tracker_role role)
{
	if (strcmp(e->class, "human") || role == TRACKER_ROLE_ROBOT_TEAM ||
	    role == TRACKER_ROLE_OPERATOR)
		return;
	f->replies++;
	g_hash_table_remove(f->attributes, "backburner"); /* that was until now */
	if (e->at >= f->last_human_at) {
		f->last_human_at = e->at;
		g_free(f->last_human);
		f->last_human = g_strdup(fold_who(e->name, e->address));
	}
}

bool fold_mail(fold *f, const evidence *e, GError **error)
{
	tracker_role role;
	bool poke;

	if (!roles_of(&f->roles, e->class, e->address, &role, error))
		return false;
	if (!fold_is_poke(f, e->row, &poke, error))
		return false;
	if (!poke)
		count_human(f, e, role);
	if (g_hash_table_contains(f->undone_messages, &e->row))
		return true;

	take_back(f, e);
	/* The primary verdict comes last. */
	for (guint i = e->verdicts->len; i-- > 0;) {
		const parser_verdict *v = e->verdicts->pdata[i];

		/* That is about the duplicate that it was said of. */
		if (e->foreign && v->kind == PARSER_VERDICT_DUPLICATE)
			continue;
		if (v->confidence >= FOLD_SURE)
			fold_said(f, e, v, role);
	}
	return fold_notices(f, e, error) && fold_commands(f, e, role, error);
}

/* A re-test of ours answers what was asked, and says what the proposed fix is worth. */
static void fold_retest(fold *f, const evidence *e)
{
	g_autofree char *words =
		g_strdup_printf("re-test, %s: %s", e->outcome, e->subject);
	parser_verdict v = { .kind = PARSER_VERDICT_TEST_RESULT,
			     .confidence = 1,
			     .evidence = words,
			     .rule = (char *)"retest" };

	for (int i = PARSER_OUTCOME_FIXED; i <= PARSER_OUTCOME_WORSE; i++)
		if (!strcmp(parser_outcome_name(i), e->outcome))
			v.outcome = i;
	fold_said(f, e, &v, TRACKER_ROLE_ROBOT);
}

/* ---- reports and commits
 * ------------------------------------------------------------------ */

static tracker_move move_of_mail(const char *mail)
{
	if (!strcmp(mail, "report"))
		return TRACKER_MOVE_REPORT;
	return strcmp(mail, "retract") ? TRACKER_MOVE_MAIL : TRACKER_MOVE_RETRACT;
}

/* Somebody whose word does not count says that what is closed is there again, or takes
 * back what is open: the operator decides. */
static bool is_hearsay(const fold *f, const evidence *e, tracker_status to)
{
	return !e->counts && to && f->status != TRACKER_STATUS_NONE &&
	       !(f->t->apply & 1u << to);
}

static void fold_report(fold *f, const evidence *e)
{
	tracker_move move = move_of_mail(e->mail);
	tracker_status suggested = TRACKER_STATUS_NONE;

	if (e->outcome && f->status != TRACKER_STATUS_NONE)
		fold_retest(f, e);

	tracker_effect effect = tracker_effect_of_move(f->status, move);

	if (is_hearsay(f, e, effect.status)) {
		suggested = fold_suggest(f, e,
					 &(fold_suggestion){ .status = effect.status,
							     .role = TRACKER_ROLE_OTHER,
							     .quote = e->subject });
		effect.status = TRACKER_STATUS_NONE;
	}
	/* A report that answers a closed regression says that it is there again. */
	if (move == TRACKER_MOVE_REPORT && effect.status)
		f->fix_confirmed = f->test_owed = f->question_open = false;
	if (effect.status)
		fold_set_status(f, effect.status);
	fold_add_step(f, &(fold_step){
				 .at = e->at,
				 .status = f->status,
				 .kind = suggested ? "suggestion" : "report",
				 .actor = fold_who(e->name, e->address),
				 .role = e->own    ? TRACKER_ROLE_OPERATOR :
					 e->counts ? TRACKER_ROLE_ROBOT :
						     TRACKER_ROLE_OTHER,
				 .rule = e->mail,
				 .message = e->row,
				 .evidence = e->subject,
				 .suggested = suggested,
			 });
}

/* What a scan saw; false: nothing that moves a status. */
static bool move_of_sighting(const char *state, tracker_move *move)
{
	static const struct {
		const char *state;
		tracker_move move;
	} ways[] = {
		{ "posted", TRACKER_MOVE_POSTED }, { "queued", TRACKER_MOVE_QUEUED },
		{ "merged", TRACKER_MOVE_MERGED }, { "gone", TRACKER_MOVE_GONE },
		{ "back", TRACKER_MOVE_BACK },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++)
		if (!strcmp(ways[i].state, state)) {
			*move = ways[i].move;
			return true;
		}
	return false;
}

bool fold_sighting(fold *f, const char *state)
{
	tracker_status before = f->status;
	tracker_move move;

	if (!move_of_sighting(state, &move))
		return false;

	tracker_effect effect = tracker_effect_of_move(f->status, move);

	if (effect.restore)
		return f->gone && fold_set_status(f, f->before_gone);
	if (!effect.status || !fold_set_status(f, effect.status))
		return false;
	f->gone = move == TRACKER_MOVE_GONE;
	if (f->gone)
		f->before_gone = before;
	return true;
}

bool fold_fix(fold *f, const evidence *e, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    f->t, &rows,
		    "SELECT state, coalesce(tree, ''), evidence FROM fix WHERE id = ?1",
		    DB_ARGS(DB_INT(e->row)), error))
		return false;
	if (!db_next(&rows, error))
		return !rows.failed;

	const char *state = db_text(&rows, 0);
	bool moved = fold_sighting(f, state);

	/* A hint is for those who read the history. */
	if (!moved && strcmp(state, "hint"))
		return true;
	fold_add_step(f, &(fold_step){
				 .at = e->at,
				 .status = f->status,
				 .kind = "scan",
				 .actor = db_text(&rows, 1),
				 .role = TRACKER_ROLE_OPERATOR,
				 .rule = state,
				 .evidence = db_text(&rows, 2),
				 .moves = moved,
			 });
	return true;
}

/* ---- the fold
 * ------------------------------------------------------------------------------- */

static bool fold_one(fold *f, const evidence *e, GError **error)
{
	switch (e->kind) {
	case EVIDENCE_REPORT:
		fold_report(f, e);
		return true;
	case EVIDENCE_MAIL:
		return fold_mail(f, e, error);
	case EVIDENCE_FIX:
		return fold_fix(f, e, error);
	default:
		return fold_act(f, e, error);
	}
}

bool fold_run(fold *f, refresh *r, int64_t regression, GError **error)
{
	*f = (fold){
		.r = r,
		.t = r->t,
		.regression = regression,
		.now = r->now,
		.undone_messages = g_hash_table_new_full(g_int64_hash, g_int64_equal,
							 g_free, NULL),
		.undone_acts = g_hash_table_new_full(g_int64_hash, g_int64_equal,
						     g_free, NULL),
		.suggestions =
			g_ptr_array_new_with_free_func((GDestroyNotify)suggestion_free),
		.attributes =
			g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
		.by_hand = g_array_new(FALSE, FALSE, sizeof(fold_before)),
		.steps = g_ptr_array_new_with_free_func((GDestroyNotify)step_free),
	};
	if (!fold_load(f, error))
		return false;
	fold_stances(f);
	for (guint i = 0; i < f->evidence->len; i++)
		if (!fold_one(f, f->evidence->pdata[i], error))
			return false;
	return true;
}
