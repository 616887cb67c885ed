/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/features.h"

#include <string.h>

#include "parser/ascii.h"
#include "parser/identity.h"

typedef struct collector {
	features *f;
	const parser_rules *rules;
	GHashTable *seen; /* names of the current sentence */
} collector;

static void add(collector *c, const char *name, int sentence, int rule)
{
	if (g_hash_table_contains(c->seen, name))
		return;
	feature one = { g_string_chunk_insert_const(c->f->strings, name), sentence,
			rule };
	g_array_append_val(c->f->list, one);
	g_hash_table_add(c->seen, (gpointer)one.name);
}

/* ---- rules ------------------------------------------------------------------------
 */

static void add_hit(collector *c, const phrase_hit *hit, int sentence)
{
	const phrase_rule *rule = phrase_book_rule(c->rules->verdicts, hit->rule);
	if (phrase_rule_has(rule, c->f->team ? "not-team" : "team-only"))
		return;
	const unsigned denied = PHRASE_NEGATED | PHRASE_DENIED;
	const char *suffix = hit->context & denied             ? "~not" :
			     hit->context & PHRASE_SAID        ? "~said" :
			     hit->context & PHRASE_ELSE        ? "~else" :
			     hit->context & PHRASE_QUESTION    ? "~ask" :
			     hit->context & PHRASE_CONDITIONAL ? "~if" :
								 "";
	g_autofree char *name =
		g_strdup_printf("rule:%s/%s%s", rule->label, rule->name, suffix);

	add(c, name, sentence, (int)hit->rule);
}

static void add_rules(collector *c, phrase_matcher *m, guint sentence)
{
	g_autoptr(GArray) hits = g_array_new(false, false, sizeof(phrase_hit));

	phrase_match(m, prose_sentence_at(c->f->text, sentence), hits);
	for (guint i = 0; i < hits->len; i++)
		add_hit(c, &g_array_index(hits, phrase_hit, i), (int)sentence);
}

/* ---- the mail as a whole ------------------------------------------------------------
 */

static bool has_span(const parser_mail *mail, parser_span_kind kind)
{
	for (guint i = 0; i < mail->spans->len; i++)
		if (g_array_index(mail->spans, parser_span, i).kind == kind)
			return true;
	return false;
}

static bool has_patch_attached(const parser_mail *mail)
{
	for (guint i = 0; i < mail->attachments->len; i++) {
		const parser_attachment *a = g_ptr_array_index(mail->attachments, i);
		if ((a->name && (g_str_has_suffix(a->name, ".patch") ||
				 g_str_has_suffix(a->name, ".diff"))) ||
		    (a->type && (strcmp(a->type, "text/x-patch") == 0 ||
				 strcmp(a->type, "text/x-diff") == 0)))
			return true;
	}
	return false;
}

static bool has_own_table(const parser_reading *reading)
{
	for (guint i = 0; i < reading->tables->len; i++) {
		const parser_table *t = g_ptr_array_index(reading->tables, i);
		if (!t->quoted)
			return true;
	}
	return has_span(reading->mail, PARSER_SPAN_TABLE);
}

static guint count_kind(const prose *p, prose_kind kind)
{
	guint n = 0;

	for (guint i = 0; i < p->words->len; i++)
		n += prose_word_at(p, i)->kind == kind;
	return n;
}

static void add_counts(collector *c)
{
	const prose *p = c->f->text;
	guint questions = 0, n = p->sentences->len;

	for (guint i = 0; i < n; i++)
		questions += prose_sentence_at(p, i)->question;
	if (questions > 0)
		add(c, questions > 1 ? "mail:questions" : "mail:question", -1, -1);
	if (n > 0 && prose_sentence_at(p, n - 1)->question)
		add(c, "mail:ends-asking", (int)n - 1, -1);
	add(c,
	    p->words->len < 25  ? "mail:short" :
	    p->words->len < 100 ? "mail:medium" :
	    p->words->len < 300 ? "mail:long" :
				  "mail:very-long",
	    -1, -1);
	if (count_kind(p, PROSE_PERCENT) > 0)
		add(c, "mail:percent", -1, -1);
	if (count_kind(p, PROSE_HASH) > 0)
		add(c, "mail:hash", -1, -1);
	if (count_kind(p, PROSE_URL) > 0)
		add(c, "mail:url", -1, -1);
	if (count_kind(p, PROSE_NAME) > 2)
		add(c, "mail:names", -1, -1);
	if (p->data_lines > 3)
		add(c, "mail:data", -1, -1);
}

/* A tag in a maintainer's patch that names the robot is no result of a test. */
bool features_tested_by_author(const parser_reading *reading)
{
	const parser_address *from = &reading->mail->from;

	for (guint i = 0; i < reading->trailers->len; i++) {
		const parser_pair *t = g_ptr_array_index(reading->trailers, i);
		if (strcmp(t->name, "Tested-by") != 0)
			continue;
		if ((from->address && ascii_holds(t->value, from->address)) ||
		    (from->name && ascii_holds(t->value, from->name)))
			return true;
	}
	return false;
}

static void add_mail(collector *c, const parser_reading *reading)
{
	const parser_mail *mail = reading->mail;

	add(c, "bias", -1, -1);
	add_counts(c);
	if (has_span(mail, PARSER_SPAN_PATCH))
		add(c, c->f->team ? "mail:patch-of-team" : "mail:patch", -1, -1);
	if (has_patch_attached(mail))
		add(c, "mail:patch-attached", -1, -1);
	if (has_own_table(reading))
		add(c, "mail:table", -1, -1);
	if (features_tested_by_author(reading))
		add(c, "mail:tested-by", -1, -1);
	if (c->f->team)
		add(c, "mail:team", -1, -1);
	const parser_report *r = reading->quoted_report;
	if ((r && r->kind == PARSER_KIND_IMPROVEMENT) ||
	    (mail->subject && strstr(mail->subject, "improvement")))
		add(c, "mail:improvement", -1, -1);
}

/* ---- whose mail --------------------------------------------------------------------
 */

static bool same_address(const char *a, const char *b)
{
	return a && b && g_ascii_strcasecmp(a, b) == 0;
}

/*
 * A robot's Message-IDs end in the address that it writes from, and people address it
 * by its name: both tell its team without any list of names.
 */
bool features_is_team(const parser_mail *mail, const phrase_book *book)
{
	const char *from = mail->from.address;

	if (mail->class == PARSER_CLASS_ROBOT)
		return true;
	if (!from)
		return false;
	g_autofree char *lower = g_ascii_strdown(from, -1);
	if (phrase_book_in_class(book, "team", lower))
		return true;
	g_autofree char *tail = g_strconcat("-", lower, NULL);
	for (guint i = 0; i < mail->references->len; i++) {
		const char *id = g_ptr_array_index(mail->references, i);
		if (parser_message_id_is_robot(id) && g_str_has_suffix(id, tail))
			return true;
	}
	const GPtrArray *people[] = { mail->to, mail->cc };
	for (size_t k = 0; k < G_N_ELEMENTS(people); k++) {
		for (guint i = 0; i < people[k]->len; i++) {
			const parser_address *a = g_ptr_array_index(people[k], i);
			if (same_address(a->address, from) && a->name &&
			    strstr(a->name, "robot"))
				return true;
		}
	}
	return false;
}

/* The blamed commit: of the report, or the hash in the Subject. */
static char *culprit_of(const parser_reading *reading)
{
	if (reading->report && reading->report->commit)
		return g_strdup(reading->report->commit);
	if (reading->quoted_report && reading->quoted_report->commit)
		return g_strdup(reading->quoted_report->commit);
	const char *p = reading->mail->subject ? reading->mail->subject : "";
	for (; *p; p++) {
		size_t n = strspn(p, "0123456789abcdef");
		if (n >= 10 && n <= 40 && p[n] == ':')
			return g_strndup(p, n);
		p += n > 0 ? n - 1 : 0;
	}
	return NULL;
}

/* Where a report's own sentence begins: what stands above it is its author's. */
static size_t preface_end(const parser_reading *reading)
{
	const parser_mail *mail = reading->mail;
	const char *headline = reading->report ? strstr(mail->text, "noticed a") : NULL;

	return headline ? (size_t)(headline - mail->text) : mail->text_length;
}

prose *features_prose(const parser_reading *reading)
{
	g_autofree char *culprit = culprit_of(reading);

	return prose_read(reading->mail, culprit, preface_end(reading));
}

features *features_read(const parser_reading *reading, const parser_rules *rules)
{
	features *f = g_new0(features, 1);
	collector c = { .f = f, .rules = rules };

	f->text = features_prose(reading);
	f->list = g_array_new(false, false, sizeof(feature));
	f->strings = g_string_chunk_new(4096);
	f->team = features_is_team(reading->mail, rules->verdicts);
	c.seen = g_hash_table_new(g_str_hash, g_str_equal);
	add_mail(&c, reading);
	g_autoptr(phrase_matcher) m = phrase_matcher_new(rules->verdicts, f->text);
	for (guint i = 0; i < f->text->sentences->len; i++) {
		g_hash_table_remove_all(c.seen);
		add_rules(&c, m, i);
	}
	g_hash_table_unref(c.seen);
	return f;
}

void features_free(features *f)
{
	if (!f)
		return;
	prose_free(f->text);
	g_array_unref(f->list);
	g_string_chunk_free(f->strings);
	g_free(f);
}
