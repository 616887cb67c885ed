/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a mail decides.  Rules find words, the mail as a whole adds facts, and weights
 * say how much each of them speaks for each verdict: a sum, turned into a confidence.
 */
#include "parser/verdict.h"

#include <math.h>
#include <string.h>

#define BIAS_DEFAULT   (-2.5) /* of a verdict that weights.list does not know */
#define LISTED_FROM    0.40   /* a verdict below is not mentioned ... */
#define CLOSING_FROM   0.45
#define DECISIVE_FROM  0.50 /* ... and from here on it leads the list */
#define CONFIDENCE_MAX 0.99
#define UNFOUNDED_MAX  0.49 /* without words or facts of its own nothing acts */

/* The most decisive verdict comes first: the lower, the more decisive. */
static const unsigned char tiers[PARSER_VERDICT_KINDS] = {
	[PARSER_VERDICT_FIXED] = 0,
	[PARSER_VERDICT_DROPPED] = 0,
	[PARSER_VERDICT_INVALID] = 0,
	[PARSER_VERDICT_DUPLICATE] = 0,
	[PARSER_VERDICT_EXPECTED] = 0,
	[PARSER_VERDICT_IGNORED] = 0,
	[PARSER_VERDICT_NOT_REPRODUCIBLE] = 0,
	[PARSER_VERDICT_PATCH] = 1,
	[PARSER_VERDICT_TEST_RESULT] = 1,
	[PARSER_VERDICT_ACK] = 2,
	[PARSER_VERDICT_DISPUTED] = 2,
	[PARSER_VERDICT_QUESTION] = 2,
	[PARSER_VERDICT_ANALYSIS] = 3,
	[PARSER_VERDICT_INFO] = 3,
	[PARSER_VERDICT_THANKS] = 3,
	[PARSER_VERDICT_NONE] = 3,
};

typedef struct judge {
	const parser_reading *reading;
	const parser_rules *rules;
	features *f;
	double score[PARSER_VERDICT_KINDS];
	bool own_rule[PARSER_VERDICT_KINDS]; /* a rule for it fired, in plain words */
	bool founded[PARSER_VERDICT_KINDS];  /* so did one, or a fact speaks for it */
	double confidence[PARSER_VERDICT_KINDS];
	parser_verdict_kind order[PARSER_VERDICT_KINDS];
} judge;

/* ---- the sum ------------------------------------------------------------------------
 */

static const phrase_rule *rule_of(const judge *j, const feature *f)
{
	return f->rule == FEATURE_NO_RULE ?
		       NULL :
		       phrase_book_rule(j->rules->verdicts, (guint)f->rule);
}

/* Words in a question or under an "if" or a "not" have another name than plain ones. */
static bool is_plain(const feature *f)
{
	return !strchr(f->name, '~');
}

/* What facts of a mail say by themselves, before any examples. */
static const struct fact {
	const char *name;
	parser_verdict_kind kind;
	double weight;
} facts[] = {
	/* clang-format off */
	{ "bias", PARSER_VERDICT_KINDS, BIAS_DEFAULT },
	{ "mail:tested-by", PARSER_VERDICT_TEST_RESULT, 4.0 },
	{ "mail:patch", PARSER_VERDICT_PATCH, 1.5 },
	{ "mail:patch-attached", PARSER_VERDICT_PATCH, 1.5 },
	{ "mail:ends-asking", PARSER_VERDICT_QUESTION, 1.0 },
	/* clang-format on */
};

static double weight_of_fact(const char *name, parser_verdict_kind kind)
{
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
		if (strcmp(facts[i].name, name) == 0 &&
		    (facts[i].kind == kind || facts[i].kind == PARSER_VERDICT_KINDS))
			return facts[i].weight;
	return 0;
}

/* What a feature says for a verdict. */
static double weight_of(const judge *j, const feature *f, parser_verdict_kind kind)
{
	const double *row =
		j->rules->weights ? weights_of(j->rules->weights, f->name) : NULL;
	if (row)
		return row[kind];

	const phrase_rule *rule = rule_of(j, f);
	if (rule && is_plain(f) && parser_verdict_from_name(rule->label) == kind)
		return rule->weight;
	return rule ? 0 : weight_of_fact(f->name, kind);
}

/*
 * Weights of other verdicts' words may add up, too: that is a guess, not a decision.
 * In a question the question itself is the fact.
 */
static void note_foundation(judge *j, const feature *f)
{
	const phrase_rule *rule = rule_of(j, f);
	parser_verdict_kind own =
		rule ? parser_verdict_from_name(rule->label) : PARSER_VERDICT_KINDS;

	if (own < PARSER_VERDICT_KINDS && is_plain(f))
		j->own_rule[own] = j->founded[own] = true;
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
		if (facts[i].kind < PARSER_VERDICT_KINDS &&
		    strcmp(facts[i].name, f->name) == 0)
			j->founded[facts[i].kind] = true;
	if (g_str_has_prefix(f->name, "mail:question"))
		j->founded[PARSER_VERDICT_QUESTION] = true;
}

static void add_up(judge *j)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < j->f->list->len; i++) {
		const feature *f = &g_array_index(j->f->list, feature, i);
		if (!g_hash_table_add(seen, (gpointer)f->name))
			continue; /* said twice is not twice as true */
		note_foundation(j, f);
		for (int k = 0; k < PARSER_VERDICT_KINDS; k++)
			j->score[k] += weight_of(j, f, (parser_verdict_kind)k);
	}
	for (int k = 0; k < PARSER_VERDICT_KINDS; k++)
		j->confidence[k] = MIN(1 / (1 + exp(-j->score[k])),
				       j->founded[k] || tiers[k] == 3 ? CONFIDENCE_MAX :
									UNFOUNDED_MAX);
}

/* ---- the words ----------------------------------------------------------------------
 */

/* The sentence that speaks loudest for a verdict, and its loudest feature. */
static int find_sentence(const judge *j, parser_verdict_kind kind,
			 const feature **reason)
{
	guint n = j->f->text->sentences->len;
	g_autofree double *sums = g_new0(double, n + 1);
	g_autofree bool *own = g_new0(bool, n + 1); /* its own words stand there */
	int best = -1;

	for (guint i = 0; i < j->f->list->len; i++) {
		const feature *f = &g_array_index(j->f->list, feature, i);
		if (f->sentence < 0)
			continue;
		const phrase_rule *rule = rule_of(j, f);
		sums[f->sentence] += MAX(weight_of(j, f, kind), 0);
		own[f->sentence] |= rule && is_plain(f) &&
				    parser_verdict_from_name(rule->label) == kind;
	}
	for (guint i = 0; i < n; i++)
		if ((own[i] || (sums[i] > 0 && !j->own_rule[kind])) &&
		    (best < 0 || sums[i] > sums[best]))
			best = (int)i;
	double loudest = 0;
	*reason = NULL;
	for (guint i = 0; i < j->f->list->len; i++) {
		const feature *f = &g_array_index(j->f->list, feature, i);
		double weight = weight_of(j, f, kind);
		bool here = best >= 0 ? f->sentence == best : f->sentence < 0;
		if (here && weight > loudest && strcmp(f->name, "bias") != 0) {
			loudest = weight;
			*reason = f;
		}
	}
	return best;
}

/* The first line of a kind of own text that holds something: a diff's, a trailer's. */
static bool find_line(const parser_mail *mail, parser_span_kind kind, const char *with,
		      size_t *start, size_t *end)
{
	for (guint i = 0; i < mail->spans->len; i++) {
		const parser_span *s = &g_array_index(mail->spans, parser_span, i);
		size_t at = s->start;
		while (s->kind == kind && at < s->end) {
			const char *nl = memchr(mail->text + at, '\n', s->end - at);
			size_t stop = nl ? (size_t)(nl - mail->text) : s->end;
			size_t from = at;
			while (from < stop && g_ascii_isspace(mail->text[from]))
				from++;
			if (from < stop &&
			    (!with || g_ascii_strncasecmp(mail->text + from, with,
							  strlen(with)) == 0)) {
				*start = from;
				*end = stop;
				return true;
			}
			at = stop + 1;
		}
	}
	return false;
}

/* Where the proof of a verdict stands; false if the mail has no words of its own. */
static bool find_evidence(const judge *j, parser_verdict_kind kind, size_t *start,
			  size_t *end, const feature **reason)
{
	const parser_mail *mail = j->reading->mail;
	int sentence = find_sentence(j, kind, reason);

	if (kind == PARSER_VERDICT_TEST_RESULT && sentence < 0 &&
	    find_line(mail, PARSER_SPAN_OWN, "Tested-by:", start, end))
		return true;
	if (kind == PARSER_VERDICT_PATCH && sentence < 0 &&
	    find_line(mail, PARSER_SPAN_PATCH, NULL, start, end))
		return true;
	if (sentence < 0 && j->f->text->sentences->len > 0)
		sentence = 0;
	if (sentence >= 0) {
		const prose_sentence *s =
			prose_sentence_at(j->f->text, (guint)sentence);
		*start = s->start;
		*end = s->end;
		return *end > *start;
	}
	return find_line(mail, PARSER_SPAN_OWN, NULL, start, end) ||
	       find_line(mail, PARSER_SPAN_PATCH, NULL, start, end) ||
	       find_line(mail, PARSER_SPAN_TABLE, NULL, start, end);
}

static const char *rule_name(const feature *reason)
{
	if (!reason)
		return "mail";
	return g_str_has_prefix(reason->name, "rule:") ? reason->name + 5 :
							 reason->name;
}

static bool is_closing(parser_verdict_kind kind)
{
	return tiers[kind] == 0;
}

/* What a closing verdict says of the change: it is gone, it is none, it stays. */
static char side_of(parser_verdict_kind kind)
{
	switch (kind) {
	case PARSER_VERDICT_FIXED:
	case PARSER_VERDICT_DROPPED:
		return 'g';
	case PARSER_VERDICT_INVALID:
	case PARSER_VERDICT_NOT_REPRODUCIBLE:
		return 'n';
	case PARSER_VERDICT_EXPECTED:
	case PARSER_VERDICT_IGNORED:
		return 's';
	default:
		return 0; /* a duplicate may be any of them */
	}
}

/* True if the same words say more surely (those come first) what contradicts it. */
static bool is_contradicted(const judge *j, parser_verdict_kind kind, size_t start)
{
	for (guint i = 0; i < j->reading->verdicts->len; i++) {
		const parser_verdict *v = g_ptr_array_index(j->reading->verdicts, i);

		if (side_of(v->kind) && side_of(kind) && v->offset == start &&
		    side_of(v->kind) != side_of(kind))
			return true;
	}
	return false;
}

static void add_verdict(judge *j, parser_verdict_kind kind)
{
	const feature *reason;
	size_t start, end;

	if (!find_evidence(j, kind, &start, &end, &reason) ||
	    is_contradicted(j, kind, start))
		return;
	parser_verdict *v = g_new0(parser_verdict, 1);
	v->kind = kind;
	v->confidence = j->confidence[kind];
	v->evidence = g_strndup(j->reading->mail->text + start, end - start);
	v->offset = start;
	v->rule = g_strdup(rule_name(reason));
	if (kind == PARSER_VERDICT_TEST_RESULT)
		v->outcome = verdict_outcome(j->reading, j->rules, j->f);
	g_ptr_array_add(j->reading->verdicts, v);
}

/* ---- which, and in which order
 * -------------------------------------------------------- */

/*
 * A verdict that closes something needs plain words for it; and of a mail that is
 * itself a report, only words that take it back count.
 */
static bool is_listed(const judge *j, parser_verdict_kind kind)
{
	if (tiers[kind] == 3)
		return false;
	if (j->reading->report && kind != PARSER_VERDICT_INVALID)
		return false;
	if (kind == PARSER_VERDICT_PATCH && !j->founded[kind])
		return false; /* nothing is offered */
	if (is_closing(kind))
		return j->confidence[kind] >= CLOSING_FROM && j->own_rule[kind];
	return j->confidence[kind] >= LISTED_FROM;
}

static int by_decisiveness(gconstpointer a, gconstpointer b, gpointer data)
{
	const judge *j = data;
	parser_verdict_kind x = *(const parser_verdict_kind *)a;
	parser_verdict_kind y = *(const parser_verdict_kind *)b;
	bool sure_x = j->confidence[x] >= DECISIVE_FROM;
	bool sure_y = j->confidence[y] >= DECISIVE_FROM;

	if (sure_x != sure_y)
		return sure_x ? -1 : 1;
	if (sure_x && tiers[x] != tiers[y])
		return tiers[x] < tiers[y] ? -1 : 1;
	if (j->confidence[x] > j->confidence[y])
		return -1;
	return j->confidence[x] < j->confidence[y] ? 1 : (int)x - (int)y;
}

static parser_verdict_kind best_soft(const judge *j)
{
	static const parser_verdict_kind soft[] = { PARSER_VERDICT_ANALYSIS,
						    PARSER_VERDICT_INFO,
						    PARSER_VERDICT_THANKS,
						    PARSER_VERDICT_NONE };
	parser_verdict_kind best = PARSER_VERDICT_NONE;

	for (size_t i = 0; i < G_N_ELEMENTS(soft); i++)
		if (j->confidence[soft[i]] > j->confidence[best])
			best = soft[i];
	return best;
}

static void choose(judge *j)
{
	guint n = 0;
	parser_verdict_kind soft = best_soft(j);

	for (int k = 0; k < PARSER_VERDICT_KINDS; k++)
		if (is_listed(j, (parser_verdict_kind)k))
			j->order[n++] = (parser_verdict_kind)k;
	g_qsort_with_data(j->order, (gint)n, sizeof(*j->order), by_decisiveness, j);
	bool leads = n > 0 && j->confidence[j->order[0]] >= DECISIVE_FROM;
	if (!leads && !j->reading->report)
		add_verdict(j, soft);
	for (guint i = 0; i < n && j->reading->verdicts->len < PARSER_VERDICTS_MAX; i++)
		add_verdict(j, j->order[i]);
	if (leads && !j->reading->report &&
	    j->reading->verdicts->len < PARSER_VERDICTS_MAX)
		add_verdict(j, soft);
}

void parser_verdicts_read(parser_reading *reading, const parser_rules *rules)
{
	parser_class class = reading->mail->class;
	if (!rules->verdicts || class == PARSER_CLASS_AUTO ||
	    class == PARSER_CLASS_BOUNCE)
		return;

	judge j = { .reading = reading, .rules = rules };
	j.f = features_read(reading, rules);
	add_up(&j);
	choose(&j);
	features_free(j.f);
}
