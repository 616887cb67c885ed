/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a commit of a tree is for a regression: its fix, a hint, its culprit.  Each
 * commit says one thing about each regression, on the strongest word that it has.
 */
#include <string.h>

#include "tracker/scanning.h"

#define HASH_MIN 7  /* digits of a hash, the least that the log's reader takes */
#define HASH_ALL 40 /* of one that is complete */

typedef enum strength { /* the strongest first */
	BY_CLOSES,
	BY_LINK,
	BY_REPORTER, /* "Reported-by:" of the robot with "Fixes:" of the culprit */
	BY_REVERT,
	BY_HASH,
	BY_PATCH_LINK,
	BY_TITLE,
	BY_PATCH_ID,
	HINTS, /* from here on it is no more than a hint */
	BY_UNSURE,
	BY_FIXES,
	BY_AMBIGUOUS,
	BY_NAMESAKE, /* it reverts another commit of the culprit's title */
	BY_UNDOING,  /* it takes a fix back */
	NOTHING
} strength;

static const char *const rules[] = {
	[BY_CLOSES] = "closes",
	[BY_LINK] = "link",
	[BY_REPORTER] = "reported-by",
	[BY_REVERT] = "revert",
	[BY_HASH] = "expected-hash",
	[BY_PATCH_LINK] = "patch-link",
	[BY_TITLE] = "expected-title",
	[BY_PATCH_ID] = "patch-id",
	[HINTS] = "",
	[BY_UNSURE] = "named",
	[BY_FIXES] = "fixes",
	[BY_AMBIGUOUS] = "ambiguous",
	[BY_NAMESAKE] = "namesake",
	[BY_UNDOING] = "fix-reverted",
};

/* What a candidate says of one regression. */
typedef struct saying {
	subject_ *subject;
	strength by;
	const char *line;     /* lent by the mention */
	bool culprit, copy;   /* it is the culprit; under a hash that no report names */
	bool same_title;      /* it has the culprit's subject */
	const char *reporter; /* line; NULL if no robot reported */
} saying;

/* ---- one mention
 * ---------------------------------------------------------------------- */

static bool is_hash_mention(parser_mention kind)
{
	return kind == PARSER_MENTION_SELF || kind == PARSER_MENTION_PICKED;
}

/* The digits in its line that begin like those that are wanted; NULL for a title. */
static char *digits_of(const parser_mentioned *m)
{
	const char *p = m->line;

	if (m->kind == PARSER_MENTION_SELF)
		return g_strdup(m->what); /* the line has all, what is wanted may not */
	while (*p) {
		size_t n = strspn(p, "0123456789abcdefABCDEF");

		if (n >= HASH_MIN && !g_ascii_strncasecmp(p, m->what, HASH_MIN))
			return g_ascii_strdown(p, (gssize)n);
		p += n ? n : 1;
	}
	return NULL;
}

/* As far as both go. */
static bool is_same_hash(const char *a, const char *b)
{
	return strncmp(a, b, MIN(strlen(a), strlen(b))) == 0;
}

/* The line may as well mean another commit that is looked for. */
static bool is_shared(const candidate *c, const parser_mentioned *m)
{
	for (guint i = 0; i < c->mentions->len; i++) {
		const parser_mentioned *other = c->mentions->pdata[i];

		if (other->kind == m->kind && !strcmp(other->line, m->line) &&
		    !is_same_hash(other->what, m->what))
			return true;
	}
	return false;
}

/*
 * Whether the hash in a line says which commit is meant.  The repository knows best;
 * a commit that it does not have may still be one of those that are looked for.
 */
static bool is_ambiguous(tracker_scan *scan, const candidate *c,
			 const parser_mentioned *m)
{
	const tracker_repository *repo = scan->repository;
	g_autofree char *digits = digits_of(m), *full = NULL;
	bool several = false;

	if (!digits || strlen(digits) >= HASH_ALL)
		return false;
	if (repo && repo->full_hash)
		full = repo->full_hash(digits, &several, repo->context);
	return several || (full ? !is_same_hash(full, m->what) : is_shared(c, m));
}

/*
 * A revert by title that names, by hash, neither the culprit nor a copy of it: there
 * are commits with one title.
 */
static bool is_namesake(tracker_scan *scan, const question *q,
			const parser_mentioned *m, bool *namesake, GError **error)
{
	const subject_ *s = g_hash_table_lookup(scan->subjects, &q->regression);
	int64_t known = 0;

	*namesake = false;
	if (!m->hash || (s->commit && is_same_hash(s->commit, m->hash)))
		return true;
	if (!db_get_int(scan->t,
			"SELECT 1 FROM tree_commit WHERE regression = ?1 "
			"AND substr(\"commit\", 1, length(?2)) = ?2 LIMIT 1",
			DB_ARGS(DB_INT(q->regression), DB_TEXT(m->hash)), &known,
			error))
		return false;
	*namesake = !known;
	return true;
}

static bool by_culprit(tracker_scan *scan, const question *q, const candidate *c,
		       const parser_mentioned *m, strength *by, GError **error)
{
	bool namesake;

	if (m->kind != PARSER_MENTION_REVERTS && m->kind != PARSER_MENTION_FIXES)
		return true;
	if (!is_namesake(scan, q, m, &namesake, error))
		return false;
	if (is_ambiguous(scan, c, m))
		*by = BY_AMBIGUOUS;
	else if (namesake)
		*by = BY_NAMESAKE;
	else
		*by = m->kind == PARSER_MENTION_FIXES ? BY_FIXES : BY_REVERT;
	return true;
}

static strength by_expected(tracker_scan *scan, const question *q, const candidate *c,
			    const parser_mentioned *m)
{
	bool title = q->kind == ASK_FIX_TITLE || q->kind == ASK_PATCH_TITLE;

	if (m->kind == PARSER_MENTION_REVERTS)
		return BY_UNDOING;
	if (title ? m->kind != PARSER_MENTION_TITLE : !is_hash_mention(m->kind))
		return NOTHING;
	if (!title && is_ambiguous(scan, c, m))
		return BY_AMBIGUOUS;
	if (!q->sure)
		return BY_UNSURE;
	return title ? BY_TITLE : BY_HASH;
}

static bool by_date(tracker_scan *scan, const question *q, const candidate *c,
		    strength *by, GError **error)
{
	bool same;

	if (!scan_offers_this(scan, q, c, &same, error))
		return false;
	*by = same ? BY_PATCH_ID : NOTHING;
	return true;
}

static bool strength_of(tracker_scan *scan, const question *q, const candidate *c,
			const parser_mentioned *m, strength *by, GError **error)
{
	bool names = m->kind == PARSER_MENTION_CLOSES || m->kind == PARSER_MENTION_LINK;

	*by = NOTHING;
	switch (q->kind) {
	case ASK_CULPRIT:
	case ASK_TITLE:
		return by_culprit(scan, q, c, m, by, error);
	case ASK_REPORT:
		if (names)
			*by = m->kind == PARSER_MENTION_CLOSES ? BY_CLOSES : BY_LINK;
		return true;
	case ASK_PATCH:
		if (names)
			*by = BY_PATCH_LINK;
		return true;
	case ASK_PATCH_DATE:
		return m->kind != PARSER_MENTION_DATE || by_date(scan, q, c, by, error);
	case ASK_FOUND:
		if (m->kind == PARSER_MENTION_REVERTS)
			*by = BY_UNDOING;
		return true;
	default:
		*by = by_expected(scan, q, c, m);
		return true;
	}
}

/* ---- all mentions of a commit
 * ---------------------------------------------------------- */

static saying *saying_of(tracker_scan *scan, GHashTable *sayings, int64_t regression)
{
	saying *s = g_hash_table_lookup(sayings, &regression);

	if (!s) {
		s = g_new0(saying, 1);
		s->subject = g_hash_table_lookup(scan->subjects, &regression);
		s->by = NOTHING;
		g_hash_table_insert(sayings, &s->subject->row, s);
	}
	return s;
}

static bool add_saying(tracker_scan *scan, GHashTable *sayings, const question *q,
		       const candidate *c, const parser_mentioned *m, GError **error)
{
	saying *s = saying_of(scan, sayings, q->regression);
	strength by;

	if (q->kind == ASK_CULPRIT && is_hash_mention(m->kind) &&
	    !is_ambiguous(scan, c, m)) {
		s->culprit = true;
		s->copy = !g_str_has_prefix(
			c->id, s->subject->commit ? s->subject->commit : "-");
	}
	s->same_title |= q->kind == ASK_TITLE && m->kind == PARSER_MENTION_TITLE;
	if (!strength_of(scan, q, c, m, &by, error))
		return false;
	/* The hash says more than the title. */
	if (by < s->by || (by == BY_REVERT && s->by == by && q->kind == ASK_CULPRIT)) {
		s->by = by;
		s->line = m->line;
	}
	return true;
}

static bool add_mention(tracker_scan *scan, GHashTable *sayings, const candidate *c,
			const parser_mentioned *m, GError **error)
{
	const GPtrArray *same = g_hash_table_lookup(scan->questions, m->what);

	for (guint i = 0; same && i < same->len; i++)
		if (!add_saying(scan, sayings, same->pdata[i], c, m, error))
			return false;
	return true;
}

/* Robots report much else of a commit: what closes another report is about that. */
static const char *reporter_of(const candidate *c)
{
	const char *line = NULL;

	for (guint i = 0; i < c->mentions->len; i++) {
		const parser_mentioned *m = c->mentions->pdata[i];

		if (m->kind == PARSER_MENTION_UNKNOWN)
			return NULL;
		if (m->kind == PARSER_MENTION_REPORTED_BY)
			line = m->line;
	}
	return line;
}

/* ---- what follows
 * ---------------------------------------------------------------------- */

typedef enum kinship {
	KIN_NONE,
	KIN_OTHER, /* the culprit's title, and other content */
	KIN_CULPRIT
} kinship;

/*
 * What the commit is to the culprit.  What was offered as a fix under the same title
 * may be the culprit once more, which is no fix; one without a patch is a merge, and
 * many of these have the same title.
 */
static bool kin_of(tracker_scan *scan, const saying *s, const candidate *c,
		   kinship *kin, char **patch, GError **error)
{
	g_autofree char *before = NULL;

	*kin = s->culprit ? KIN_CULPRIT : KIN_NONE;
	if (!s->culprit && (!s->same_title || s->by <= BY_HASH))
		return true;
	*patch = scan_patch_id(scan, c->id);
	if (s->culprit || !*patch)
		return true;
	if (!scan_culprit_patch_id(scan, s->subject, &before, error))
		return false;
	if (before ? !strcmp(before, *patch) : s->by == NOTHING)
		*kin = KIN_CULPRIT;
	else if (before)
		*kin = KIN_OTHER;
	return true;
}

static int64_t time_of(const tracker_scan *scan, const candidate *c)
{
	/* What was not there at the last look came after it; nothing comes from the
	 * future. */
	return MIN(MAX(c->committed, scan->since), scan->now);
}

/* Somebody amended the culprit, perhaps; if it leaves all trees, that says why. */
static bool note_other(tracker_scan *scan, refresh *r, const saying *s,
		       const candidate *c, GError **error)
{
	g_autofree char *tree = scan_tree_name(scan->tree);
	g_autofree char *evidence = g_strdup_printf(
		"%.12s (\"%s\") in %s has the culprit's title and other content", c->id,
		c->subject, tree);

	return scan_add(scan, r,
			&(scan_row){
				.regression = s->subject->row,
				.state = "hint",
				.rule = SCAN_RULE_OTHER,
				.commit = c->id,
				.subject = c->subject,
				.tree = tree,
				.branch = scan->tree->branch,
				.evidence = evidence,
				.at = time_of(scan, c),
			},
			error);
}

/* "Fixes: 0123 ("title")" and who reported, on one line of evidence. */
static char *evidence_of(tracker_scan *scan, const saying *s, const candidate *c)
{
	g_autofree char *tree = scan_tree_name(scan->tree);
	const char *remark =
		s->by == BY_AMBIGUOUS ?
			"; that hash stands for several commits" :
		s->by == BY_NAMESAKE ?
			"; the hash that it names is another commit's" :
		s->by == BY_UNSURE ?
			"; named as the fix by somebody who may not command" :
		s->by == BY_PATCH_ID ? "; the patch-id is that of an offered patch" :
		s->by == BY_UNDOING  ? "; this takes the fix back" :
				       "";

	return g_strdup_printf("%.12s (\"%s\") in %s: %s%s%s%s", c->id, c->subject,
			       tree, s->line, s->by == BY_REPORTER ? "; " : "",
			       s->by == BY_REPORTER ? s->reporter : "", remark);
}

static bool note_fix(tracker_scan *scan, refresh *r, saying *s, const candidate *c,
		     GError **error)
{
	const subject_ *subject = s->subject;

	if (s->by == BY_FIXES && s->reporter)
		s->by = BY_REPORTER;

	g_autofree char *tree = scan_tree_name(scan->tree);
	g_autofree char *evidence = evidence_of(scan, s, c);
	const char *state = s->by > HINTS ? "hint" :
					    tracker_fix_state(scan->tree, subject->tree,
							      subject->branch);

	return scan_add(scan, r,
			&(scan_row){
				.regression = subject->row,
				.state = state,
				.rule = rules[s->by],
				.commit = c->id,
				.subject = c->subject,
				.tree = tree,
				.branch = scan->tree->branch,
				.evidence = evidence,
				.at = time_of(scan, c),
			},
			error);
}

static bool settle_saying(tracker_scan *scan, refresh *r, saying *s, const candidate *c,
			  GError **error)
{
	g_autofree char *patch = NULL;
	kinship kin;

	if (!kin_of(scan, s, c, &kin, &patch, error))
		return false;
	/* The culprit is no fix of itself, whatever it names. */
	if (kin == KIN_CULPRIT)
		return scan_see(scan, s->subject, c, !s->culprit || s->copy, patch,
				error);
	if (s->by != NOTHING)
		return note_fix(scan, r, s, c, error);
	return kin != KIN_OTHER || note_other(scan, r, s, c, error);
}

static int by_row(gconstpointer a, gconstpointer b)
{
	const saying *x = *(saying *const *)a, *y = *(saying *const *)b;

	return x->subject->row < y->subject->row ? -1 :
						   x->subject->row > y->subject->row;
}

static bool find_one(tracker_scan *scan, refresh *r, const candidate *c, GError **error)
{
	g_autoptr(GHashTable) sayings =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	g_autoptr(GPtrArray) all = NULL;
	const char *reporter = reporter_of(c);
	GHashTableIter iter;
	gpointer value;

	for (guint i = 0; i < c->mentions->len; i++)
		if (!add_mention(scan, sayings, c, c->mentions->pdata[i], error))
			return false;
	all = g_ptr_array_new();
	g_hash_table_iter_init(&iter, sayings);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		g_ptr_array_add(all, value);
	g_ptr_array_sort(all, by_row);
	for (guint i = 0; i < all->len; i++) {
		saying *s = all->pdata[i];

		s->reporter = reporter;
		if (!settle_saying(scan, r, s, c, error))
			return false;
	}
	return true;
}

bool scan_find(tracker_scan *scan, refresh *r, GError **error)
{
	/* The log has the newest first; history is written from the oldest on. */
	for (guint i = scan->candidates->len; i-- > 0;)
		if (!find_one(scan, r, scan->candidates->pdata[i], error))
			return false;
	return true;
}
