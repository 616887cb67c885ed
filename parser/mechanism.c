/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why it happens, according to the author: kinds by rules, objects by their looks. */
#include <string.h>

#include "parser/features.h"

#define KINDS_MAX     3u /* of one mail, the best founded ones */
#define OBJECTS_MAX   3u /* of one kind, those named most often */
#define OBJECTS_SEEN  50u
#define METRIC_DOTS   3u   /* a name with so many dots is a metric */
#define NAMED_FROM    1.0  /* what rules must add up to */
#define REPEATED      0.25 /* of a rule's weight, when it fires in a further sentence */
#define QUESTION_PART 0.5  /* of it, when the sentence asks */
#define PAIR_DISTANCE 5u   /* words between the tell-tale ones and "the inode lock" */

/* A thing that is named where a kind is told. */
typedef struct named {
	guint id;   /* of its word */
	guint word; /* where it stands first */
	guint sentence;
	guint times;
} named;

typedef struct candidate {
	const char *kind; /* owned by the book */
	double score;
	double best;     /* of one sentence */
	guint sentence;  /* that one */
	phrase_hit hit;  /* in it */
	bool shy;        /* gives way when another kind is named */
	GArray *objects; /* named */
} candidate;

typedef struct finder {
	const parser_mail *mail;
	const phrase_book *book;
	prose *text;
	GArray *candidates; /* candidate, one per kind */
	GHashTable *seen;   /* rules that fired before */
} finder;

static candidate *candidate_of(finder *f, const char *kind, bool shy)
{
	for (guint i = 0; i < f->candidates->len; i++) {
		candidate *c = &g_array_index(f->candidates, candidate, i);
		if (strcmp(c->kind, kind) == 0)
			return c;
	}
	candidate new = { .kind = kind, .shy = shy };
	new.objects = g_array_new(false, false, sizeof(named));
	g_array_append_val(f->candidates, new);
	return &g_array_index(f->candidates, candidate, f->candidates->len - 1);
}

static bool looks_like_object(const finder *f, const prose_word *w)
{
	guint dots = 0;

	for (const char *p = w->text; *p; p++)
		dots += *p == '.';
	if (w->kind != PROSE_NAME)
		return phrase_book_in_class(f->book, "object", w->text);
	return strlen(w->text) > 2 && !g_ascii_isdigit(*w->text) &&
	       dots < METRIC_DOTS && !strchr(w->text, '@');
}

static void add_object(candidate *c, const prose_word *w, guint word, guint sentence)
{
	for (guint i = 0; i < c->objects->len; i++) {
		named *n = &g_array_index(c->objects, named, i);
		if (n->id == w->id) {
			n->times++;
			return;
		}
	}
	named new = { w->id, word, sentence, 1 };
	if (c->objects->len < OBJECTS_SEEN)
		g_array_append_val(c->objects, new);
}

static void add_hit(finder *f, const phrase_hit *hit, guint sentence)
{
	const phrase_rule *rule = phrase_book_rule(f->book, hit->rule);
	candidate *c = candidate_of(f, rule->label, phrase_rule_has(rule, "shy"));
	double weight = rule->weight;

	if (!g_hash_table_add(f->seen, GUINT_TO_POINTER(hit->rule + 1)))
		weight *= REPEATED;
	if (hit->context & PHRASE_QUESTION)
		weight *= QUESTION_PART;
	c->score += weight;
	if (rule->weight > c->best ||
	    (c->sentence == sentence && rule->weight >= c->best)) {
		c->best = rule->weight;
		c->sentence = sentence;
		c->hit = *hit;
	}
}

static void add_objects(finder *f, const phrase_hit *hit, guint sentence)
{
	const phrase_rule *rule = phrase_book_rule(f->book, hit->rule);
	candidate *c = candidate_of(f, rule->label, phrase_rule_has(rule, "shy"));

	for (guint i = hit->first; i <= hit->last; i++) {
		const prose_word *w = prose_word_at(f->text, i);
		if (looks_like_object(f, w))
			add_object(c, w, i, sentence);
	}
}

/* "/sys/kernel/slab" is where a file stands, whatever its parts are called. */
static bool is_path(const finder *f, const phrase_hit *hit)
{
	const prose_word *w = prose_word_at(f->text, hit->first);

	return hit->first == hit->last && *w->text == '/' && strchr(w->text + 1, '/');
}

static void read_sentence(finder *f, phrase_matcher *m, guint sentence)
{
	g_autoptr(GArray) hits = g_array_new(false, false, sizeof(phrase_hit));
	g_autoptr(GHashTable) here = g_hash_table_new(NULL, NULL);

	phrase_match(m, prose_sentence_at(f->text, sentence), hits);
	for (guint i = 0; i < hits->len; i++) {
		const phrase_hit *hit = &g_array_index(hits, phrase_hit, i);
		if (hit->context & PHRASE_NEGATED || is_path(f, hit))
			continue;
		add_objects(f, hit, sentence);
		if (g_hash_table_add(here, GUINT_TO_POINTER(hit->rule + 1)))
			add_hit(f, hit, sentence);
	}
}

/* ---- the named thing
 * ----------------------------------------------------------------- */

static char *words_as_written(const finder *f, guint first, guint last)
{
	const prose_word *a = prose_word_at(f->text, first);
	const prose_word *b = prose_word_at(f->text, last);
	char *object = g_strndup(f->mail->text + a->start, b->end - a->start);

	return g_strdelimit(object, "\n\t", ' ');
}

/* "the pud lock": a lock by the word before it; "struct foo": a structure. */
static char *object_of_two_words(const finder *f, const prose_sentence *s, guint at)
{
	static const char *const articles[] = {
		"the",  "a",    "an",     "this",  "that", "same", "one",    "of",
		"no",   "on",   "single", "which", "and",  "more", "to",     "by",
		"with", "from", "for",    "in",    "at",   "some", "any",    "heavy",
		"high", "less", "severe", "extra", "its",  "or",   "higher", "increased"
	};
	const prose_word *w = prose_word_at(f->text, at);
	if (at == s->first)
		return NULL;

	const prose_word *before = prose_word_at(f->text, at - 1);
	if (strcmp(before->text, "struct") == 0)
		return words_as_written(f, at - 1, at);
	if (strcmp(w->text, "lock") != 0 && strcmp(w->text, "mutex") != 0)
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(articles); i++)
		if (strcmp(before->text, articles[i]) == 0)
			return NULL;
	return before->kind == PROSE_WORD || before->kind == PROSE_NAME ?
		       words_as_written(f, at - 1, at) :
		       NULL;
}

static guint distance(const phrase_hit *hit, guint word)
{
	if (word < hit->first)
		return hit->first - word;
	return word > hit->last ? word - hit->last : 0;
}

/* The name nearest to the words that told the kind. */
static char *find_object(const finder *f, const candidate *c)
{
	const prose_sentence *s = prose_sentence_at(f->text, c->sentence);
	guint best = 0, best_distance = G_MAXUINT;
	g_autofree char *pair = NULL;

	for (guint i = s->first; i < s->first + s->count; i++) {
		guint d = distance(&c->hit, i);
		if (d <= PAIR_DISTANCE && !pair)
			pair = object_of_two_words(f, s, i);
		if (looks_like_object(f, prose_word_at(f->text, i)) &&
		    d < best_distance) {
			best = i;
			best_distance = d;
		}
	}
	if (pair && best_distance > 0)
		return g_steal_pointer(&pair);
	return best_distance < G_MAXUINT ? words_as_written(f, best, best) : NULL;
}

/* ---- the mail
 * ------------------------------------------------------------------------ */

static int by_score(gconstpointer a, gconstpointer b)
{
	const candidate *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return strcmp(x->kind, y->kind);
}

/* Takes the object. */
static void add_mechanism(const finder *f, const char *kind, guint sentence,
			  char *object, GPtrArray *mechanisms)
{
	const prose_sentence *s = prose_sentence_at(f->text, sentence);
	parser_mechanism *m = g_new0(parser_mechanism, 1);

	m->kind = g_strdup(kind);
	m->object = object;
	m->evidence = g_strndup(f->mail->text + s->start, s->end - s->start);
	m->offset = s->start;
	g_ptr_array_add(mechanisms, m);
}

static int by_times(gconstpointer a, gconstpointer b)
{
	const named *x = a, *y = b;

	if (x->times != y->times)
		return x->times > y->times ? -1 : 1;
	return x->word < y->word ? -1 : x->word > y->word;
}

/* One record for each thing that is named with the kind, or one for the kind alone. */
static void name_kind(const finder *f, const candidate *c, GPtrArray *mechanisms)
{
	g_array_sort(c->objects, by_times);
	for (guint i = 0; i < c->objects->len && i < OBJECTS_MAX; i++) {
		const named *n = &g_array_index(c->objects, named, i);
		add_mechanism(f, c->kind, n->sentence,
			      words_as_written(f, n->word, n->word), mechanisms);
	}
	if (c->objects->len == 0)
		add_mechanism(f, c->kind, c->sentence, find_object(f, c), mechanisms);
}

/* The best founded kinds; shy ones only when they come first. */
static void name_kinds(const finder *f, GPtrArray *mechanisms)
{
	guint kinds = 0;

	for (guint i = 0; i < f->candidates->len && kinds < KINDS_MAX; i++) {
		const candidate *c = &g_array_index(f->candidates, candidate, i);
		if (c->score < NAMED_FROM || (c->shy && kinds > 0))
			continue;
		name_kind(f, c, mechanisms);
		kinds++;
	}
}

static void candidate_clear(void *data)
{
	candidate *c = data;

	g_array_unref(c->objects);
}

void parser_mechanisms_read(parser_reading *reading, const parser_rules *rules)
{
	parser_class class = reading->mail->class;
	if (!rules->mechanisms || class == PARSER_CLASS_AUTO ||
	    class == PARSER_CLASS_BOUNCE)
		return;

	finder f = { .mail = reading->mail, .book = rules->mechanisms };
	g_autoptr(prose) text = features_prose(reading);
	g_autoptr(phrase_matcher) m = phrase_matcher_new(rules->mechanisms, text);
	g_autoptr(GArray) candidates = g_array_new(false, false, sizeof(candidate));
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_array_set_clear_func(candidates, candidate_clear);
	f.text = text;
	f.candidates = candidates;
	f.seen = seen;
	for (guint i = 0; i < text->sentences->len; i++)
		read_sentence(&f, m, i);
	g_array_sort(candidates, by_score);
	name_kinds(&f, reading->mechanisms);
}
