/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the automata of a rule file over sentences. */
#include "parser/phrase_book.h"

#include <string.h>

#define WORD_BITS     64u
#define NEGATION_SPAN 4u /* words before a match in which a negation counts */

struct phrase_matcher {
	const phrase_book *book;
	const prose *p;
	guint width;      /* of a set of atoms, in 64-bit words */
	guint64 **sets;   /* by word id: the atoms that the word belongs to; or NULL */
	bool *known;      /* by word id: sets[] is filled in */
	guint64 *present; /* the atoms of the current sentence */
	bool *voided;     /* by rule: a veto matched in the current sentence */
	GArray *raised;   /* phrase_hit: the scopes of the current sentence */
	GArray *scoped;   /* unsigned, by its words: contexts that scopes put them in */
	GArray *heads;    /* bool, by its words: a scope that ends begins there */
};

phrase_matcher *phrase_matcher_new(const phrase_book *book, const prose *p)
{
	phrase_matcher *m = g_new0(phrase_matcher, 1);

	m->book = book;
	m->p = p;
	m->width = (book->n_atoms + WORD_BITS) / WORD_BITS;
	m->sets = g_new0(guint64 *, p->distinct + 1);
	m->known = g_new0(bool, p->distinct + 1);
	m->present = g_new0(guint64, m->width);
	m->voided = g_new0(bool, book->rules->len + 1);
	m->raised = g_array_new(false, false, sizeof(phrase_hit));
	m->scoped = g_array_new(false, true, sizeof(unsigned));
	m->heads = g_array_new(false, true, sizeof(bool));
	return m;
}

void phrase_matcher_free(phrase_matcher *m)
{
	if (!m)
		return;
	for (guint i = 0; i < m->p->distinct; i++)
		g_free(m->sets[i]);
	g_free(m->sets);
	g_free(m->known);
	g_free(m->present);
	g_free(m->voided);
	g_array_unref(m->raised);
	g_array_unref(m->scoped);
	g_array_unref(m->heads);
	g_free(m);
}

static void add_atoms(phrase_matcher *m, guint64 **set, const GArray *atoms)
{
	if (!*set)
		*set = g_new0(guint64, m->width);
	for (guint i = 0; i < atoms->len; i++) {
		guint atom = g_array_index(atoms, guint, i);
		(*set)[atom / WORD_BITS] |= (guint64)1 << (atom % WORD_BITS);
	}
}

static void add_ends(phrase_matcher *m, guint64 **set, const char *text, size_t length)
{
	char part[PROSE_WORD_MAX + 1];

	memcpy(part, text, length);
	for (size_t n = length; n >= 2; n--) {
		part[n] = '\0';
		const GArray *atoms = g_hash_table_lookup(m->book->stems, part);
		if (atoms)
			add_atoms(m, set, atoms);
	}
	/* of "name=value" the name's end counts */
	memcpy(part, text, length);
	size_t name = MIN(strcspn(text, "="), length);
	part[name] = '\0';
	for (size_t n = name; n >= 2; n--) {
		const GArray *atoms =
			g_hash_table_lookup(m->book->tails, part + name - n);
		if (atoms)
			add_atoms(m, set, atoms);
	}
}

/*
 * The parts of a name: the runs of letters and digits in it, and what begins and ends
 * with whole runs: "sched_domain" in "rq->sched_domain_topology".
 */
static void add_parts(phrase_matcher *m, guint64 **set, const char *text, size_t length)
{
	size_t starts[8], ends[8], n = 0, at = 0;

	while (at < length && n < G_N_ELEMENTS(starts)) {
		while (at < length && !g_ascii_isalnum(text[at]))
			at++;
		starts[n] = at;
		while (at < length && g_ascii_isalnum(text[at]))
			at++;
		ends[n] = at;
		n += ends[n] > starts[n];
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i; j < n; j++) {
			g_autofree char *part =
				g_strndup(text + starts[i], ends[j] - starts[i]);
			const GArray *atoms = g_hash_table_lookup(m->book->parts, part);
			if (atoms)
				add_atoms(m, set, atoms);
		}
	}
}

/* The atoms that a word belongs to, by its letters; NULL for none. */
static const guint64 *set_of(phrase_matcher *m, const prose_word *w)
{
	if (m->known[w->id])
		return m->sets[w->id];

	guint64 *set = NULL;
	size_t length = MIN(strlen(w->text), PROSE_WORD_MAX);
	const GArray *atoms = g_hash_table_lookup(m->book->words, w->text);
	if (atoms)
		add_atoms(m, &set, atoms);
	add_ends(m, &set, w->text, length);
	if (w->kind == PROSE_NAME && g_hash_table_size(m->book->parts) > 0)
		add_parts(m, &set, w->text, length);
	m->known[w->id] = true;
	m->sets[w->id] = set;
	return set;
}

static bool in_atom(phrase_matcher *m, const prose_word *w, guint atom)
{
	const guint64 *set = set_of(m, w);

	if (set && (set[atom / WORD_BITS] >> (atom % WORD_BITS)) & 1)
		return true;
	return (g_array_index(m->book->kinds, unsigned, atom) >> w->kind) & 1;
}

/* In a gap no scope may begin: "this is far from expected" is no "this .. expected". */
static bool accepts(phrase_matcher *m, const phrase_item *item, const prose_word *w,
		    bool head)
{
	if (item->tight && w->breaks)
		return false;
	switch (item->kind) {
	case PHRASE_ATOM:
		return in_atom(m, w, item->atom) != item->inverted;
	case PHRASE_GAP:
		return !head && !w->breaks && !in_atom(m, w, m->book->stop);
	case PHRASE_WIDE:
		return !head;
	}
	return false;
}

static void look_at_sentence(phrase_matcher *m, const prose_sentence *s)
{
	memset(m->present, 0, m->width * sizeof(*m->present));
	for (guint i = 0; i < s->count; i++) {
		const prose_word *w = prose_word_at(m->p, s->first + i);
		const guint64 *set = set_of(m, w);
		for (guint j = 0; set && j < m->width; j++)
			m->present[j] |= set[j];
	}
}

/* Most phrases lack a word in most sentences: those need not be run. */
static bool may_match(const phrase_matcher *m, const phrase *p)
{
	for (guint i = 0; i < p->n_items; i++) {
		const phrase_item *item = &p->items[i];
		if (item->kind != PHRASE_ATOM || item->optional || item->inverted ||
		    g_array_index(m->book->kinds, unsigned, item->atom))
			continue;
		if (!((m->present[item->atom / WORD_BITS] >> (item->atom % WORD_BITS)) &
		      1))
			return false;
	}
	return true;
}

/* ---- one phrase, one sentence -------------------------------------------------------
 */

#define NOWHERE G_MAXUINT

/* starts[i]: where a match began that has passed i items; the nearest one is kept. */
typedef struct states {
	guint starts[PHRASE_ITEMS_MAX + 1];
} states;

static void skip_optional(const phrase *p, states *st)
{
	for (guint i = 0; i < p->n_items; i++) {
		if (st->starts[i] == NOWHERE || !p->items[i].optional)
			continue;
		if (st->starts[i + 1] == NOWHERE || st->starts[i + 1] < st->starts[i])
			st->starts[i + 1] = st->starts[i];
	}
}

static void step(phrase_matcher *m, const phrase *p, states *st, const prose_word *w,
		 bool head)
{
	for (guint i = p->n_items; i > 0; i--) {
		bool goes_on = st->starts[i - 1] != NOWHERE &&
			       accepts(m, &p->items[i - 1], w, head);
		st->starts[i] = goes_on ? st->starts[i - 1] : NOWHERE;
	}
	st->starts[0] = NOWHERE;
}

/* What the sentence and the words before say of a match that begins there. */
static unsigned context_of(phrase_matcher *m, const prose_sentence *s, guint first)
{
	unsigned context = g_array_index(m->scoped, unsigned, first - s->first);
	bool near = !prose_word_at(m->p, first)->breaks;

	for (guint i = first; i > s->first && near; i--) {
		const prose_word *w = prose_word_at(m->p, i - 1);
		if (first - (i - 1) > NEGATION_SPAN)
			break;
		if (in_atom(m, w, m->book->negator))
			context |= PHRASE_NEGATED;
		near = !w->breaks;
	}
	return context;
}

/* Appends the matches of a phrase, without contexts; or notes its veto. */
static void run_phrase(phrase_matcher *m, const phrase *p, const prose_sentence *s,
		       GArray *hits)
{
	states st;

	memset(&st, 0xff, sizeof(st));
	for (guint i = 0; i < s->count; i++) {
		guint word = s->first + i;
		if (i == 0 || !p->at_start)
			st.starts[0] = word;
		skip_optional(p, &st);
		step(m, p, &st, prose_word_at(m->p, word),
		     g_array_index(m->heads, bool, i));
		/* What only optional items could still follow is complete now. */
		states done = st;
		skip_optional(p, &done);
		guint first = done.starts[p->n_items];
		if (first == NOWHERE || (p->at_end && i + 1 < s->count))
			continue;
		if (p->veto) {
			m->voided[p->rule] = true;
			return;
		}
		phrase_hit hit = { p->rule, first, word, 0 };
		g_array_append_val(hits, hit);
	}
}

static void run_phrases(phrase_matcher *m, const GPtrArray *phrases,
			const prose_sentence *s, GArray *hits)
{
	for (guint i = 0; i < phrases->len; i++) {
		const phrase *p = g_ptr_array_index(phrases, i);
		if (may_match(m, p))
			run_phrase(m, p, s, hits);
	}
}

/* ---- scopes -------------------------------------------------------------------------
 */

/* The first word, counted in the sentence, that a scope does not reach. */
static guint reach_of(phrase_matcher *m, const prose_sentence *s, const phrase_hit *hit)
{
	phrase_reach reach = phrase_book_rule(m->book, hit->rule)->reach;
	guint i = hit->last + 1 - s->first;

	if (reach == PHRASE_REACH_SENTENCE)
		return s->count;
	for (; i < s->count; i++) {
		const prose_word *w = prose_word_at(m->p, s->first + i);
		if (in_atom(m, w, m->book->turn) ||
		    (w->breaks && reach == PHRASE_REACH_CLAUSE))
			break;
	}
	return i;
}

static void apply_scope(phrase_matcher *m, const prose_sentence *s,
			const phrase_hit *hit)
{
	const phrase_rule *rule = phrase_book_rule(m->book, hit->rule);
	bool whole = rule->reach == PHRASE_REACH_SENTENCE;
	guint first = hit->first - s->first;
	guint end = reach_of(m, s, hit);

	for (guint i = whole ? 0 : first + 1; i < end; i++)
		g_array_index(m->scoped, unsigned, i) |= rule->scope;
	if (!whole)
		g_array_index(m->heads, bool, first) = true;
}

/* Tells which words of the sentence stand in which context. */
static void raise_scopes(phrase_matcher *m, const prose_sentence *s)
{
	unsigned all = s->question ? PHRASE_QUESTION : 0;

	for (guint i = 0; i < s->count; i++)
		if (in_atom(m, prose_word_at(m->p, s->first + i), m->book->conditional))
			all |= PHRASE_CONDITIONAL;
	g_array_set_size(m->scoped, 0);
	g_array_set_size(m->heads, 0);
	g_array_set_size(m->raised, 0);
	g_array_set_size(m->scoped, s->count);
	g_array_set_size(m->heads, s->count);
	for (guint i = 0; i < s->count; i++)
		g_array_index(m->scoped, unsigned, i) =
			all |
			(prose_word_at(m->p, s->first + i)->quoted ? PHRASE_SAID : 0);
	run_phrases(m, m->book->scopes, s, m->raised);
	for (guint i = 0; i < m->raised->len; i++) {
		const phrase_hit *hit = &g_array_index(m->raised, phrase_hit, i);
		if (!m->voided[hit->rule])
			apply_scope(m, s, hit);
	}
}

void phrase_match(phrase_matcher *m, const prose_sentence *s, GArray *hits)
{
	guint before = hits->len;

	look_at_sentence(m, s);
	memset(m->voided, 0, (m->book->rules->len + 1) * sizeof(*m->voided));
	raise_scopes(m, s);
	run_phrases(m, m->book->phrases, s, hits);
	guint kept = before;
	for (guint i = before; i < hits->len; i++) {
		phrase_hit hit = g_array_index(hits, phrase_hit, i);
		const phrase_rule *rule = phrase_book_rule(m->book, hit.rule);
		if (m->voided[hit.rule] || (!s->question && rule->only_ask))
			continue;
		hit.context = context_of(m, s, hit.first) & ~rule->ignores;
		g_array_index(hits, phrase_hit, kept++) = hit;
	}
	g_array_set_size(hits, kept);
}
