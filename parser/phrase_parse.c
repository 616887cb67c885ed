/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a rule file to automata. */
#include "parser/phrase_book.h"

#include <string.h>

#include "parser/error.h"

#define ATOMS_MAX   20000u
#define CLASS_DEPTH 8 /* classes within classes */
#define GAP_WORDS   3u
#define WIDE_WORDS  8u

typedef struct compiler {
	phrase_book *book;
	const char *name;
	unsigned line;
	phrase_rule *rule; /* the current one */
	char *class;       /* the `let` that indented lines continue, or NULL */
	GError **error;
} compiler;

static bool fail(compiler *c, const char *what, const char *which)
{
	g_set_error(c->error, PARSER_ERROR, PARSER_ERROR_SYNTAX, "%s:%u: %s%s%s",
		    c->name, c->line, what, which ? " " : "", which ? which : "");
	return false;
}

static void rule_free(phrase_rule *rule)
{
	g_free(rule->label);
	g_free(rule->name);
	g_ptr_array_unref(rule->options);
	g_free(rule);
}

void phrase_book_free(phrase_book *book)
{
	if (!book)
		return;
	g_ptr_array_unref(book->rules);
	g_ptr_array_unref(book->phrases);
	g_ptr_array_unref(book->scopes);
	g_hash_table_unref(book->classes);
	g_hash_table_unref(book->atoms);
	g_hash_table_unref(book->words);
	g_hash_table_unref(book->stems);
	g_hash_table_unref(book->tails);
	g_hash_table_unref(book->parts);
	g_array_unref(book->kinds);
	g_free(book);
}

static GHashTable *table_of_atoms(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				     (GDestroyNotify)g_array_unref);
}

static phrase_book *book_new(void)
{
	phrase_book *book = g_new0(phrase_book, 1);

	book->rules = g_ptr_array_new_with_free_func((GDestroyNotify)rule_free);
	book->phrases = g_ptr_array_new_with_free_func(g_free);
	book->scopes = g_ptr_array_new_with_free_func(g_free);
	book->classes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	book->atoms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	book->words = table_of_atoms();
	book->stems = table_of_atoms();
	book->tails = table_of_atoms();
	book->parts = table_of_atoms();
	book->kinds = g_array_new(false, true, sizeof(unsigned));
	return book;
}

/* ---- atoms ------------------------------------------------------------------------
 */

static void point_to(GHashTable *table, const char *word, size_t length, guint atom)
{
	g_autofree char *key = g_strndup(word, length);
	GArray *atoms = g_hash_table_lookup(table, key);

	if (!atoms) {
		atoms = g_array_new(false, false, sizeof(guint));
		g_hash_table_insert(table, g_steal_pointer(&key), atoms);
	}
	g_array_append_val(atoms, atom);
}

static const struct kind_word {
	const char *word;
	prose_kind kind;
} kind_words[] = {
	/* clang-format off */
	{ "<number>", PROSE_NUMBER }, { "<percent>", PROSE_PERCENT },
	{ "<hash>", PROSE_HASH }, { "<url>", PROSE_URL }, { "<name>", PROSE_NAME },
	{ "<smiley>", PROSE_SMILEY }, { "<culprit>", PROSE_CULPRIT },
	/* clang-format on */
};

static bool add_kind(compiler *c, const char *word, guint atom)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kind_words); i++) {
		if (strcmp(kind_words[i].word, word) == 0) {
			g_array_index(c->book->kinds, unsigned, atom) |=
				1u << kind_words[i].kind;
			return true;
		}
	}
	return fail(c, "unknown kind of word", word);
}

/* "stem*", "*tail", "*part*" */
static bool add_glob(compiler *c, const char *word, size_t length, guint atom)
{
	bool front = word[0] == '*', back = word[length - 1] == '*';
	size_t stars = (size_t)front + back;

	if (length < 2 + stars || memchr(word + front, '*', length - stars))
		return fail(c, "a glob is 'stem*', '*tail' or '*part*':", word);
	point_to(front && back ? c->book->parts :
		 front         ? c->book->tails :
				 c->book->stems,
		 word + front, length - stars, atom);
	return true;
}

static bool add_alternatives(compiler *c, const char *list, guint atom, int depth)
{
	g_auto(GStrv) words = g_strsplit_set(list, "| \t", -1);

	for (char **w = words; *w; w++) {
		size_t n = strlen(*w);
		if (n == 0)
			continue;
		if (**w == '@') {
			const char *inner =
				g_hash_table_lookup(c->book->classes, *w + 1);
			if (!inner || depth >= CLASS_DEPTH)
				return fail(c, "no class before this line is called",
					    *w);
			if (!add_alternatives(c, inner, atom, depth + 1))
				return false;
		} else if (strcmp(*w, "$") == 0) {
			return fail(c, "'$' is the last alternative of the last word",
				    NULL);
		} else if (**w == '<') {
			if (!add_kind(c, *w, atom))
				return false;
		} else if (strchr(*w, '*')) {
			if (!add_glob(c, *w, n, atom))
				return false;
		} else {
			point_to(c->book->words, *w, n, atom);
		}
	}
	return true;
}

/* The atom of a list of alternatives, made if it is new. */
static bool find_atom(compiler *c, const char *list, guint *atom)
{
	gpointer known = g_hash_table_lookup(c->book->atoms, list);

	if (known) {
		*atom = GPOINTER_TO_UINT(known) - 1;
		return true;
	}
	if (c->book->n_atoms >= ATOMS_MAX)
		return fail(c, "too many different words", NULL);
	*atom = c->book->n_atoms++;
	g_array_set_size(c->book->kinds, c->book->n_atoms);
	g_hash_table_insert(c->book->atoms, g_strdup(list),
			    GUINT_TO_POINTER(*atom + 1));
	return add_alternatives(c, list, *atom, 0);
}

/* ---- phrases ----------------------------------------------------------------------
 */

static bool add_item(compiler *c, phrase *p, phrase_item item)
{
	if (p->n_items >= PHRASE_ITEMS_MAX)
		return fail(c, "the phrase is too long", NULL);
	p->items[p->n_items++] = item;
	return true;
}

/* ".." is a narrow gap, "..." a wide one; a number after it says how many words. */
static bool add_gap(compiler *c, phrase *p, const char *word, bool *tight)
{
	bool wide = g_str_has_prefix(word, "...");
	const char *digits = word + (wide ? 3 : 2);
	guint64 words = wide ? WIDE_WORDS : GAP_WORDS;

	if (*digits && !g_ascii_string_to_unsigned(digits, 10, 1, 20, &words, NULL))
		return fail(c,
			    "a gap is '..', '...', or one of them with 1 to 20:", word);
	for (guint64 i = 0; i < words; i++) {
		phrase_item item = { .kind = wide ? PHRASE_WIDE : PHRASE_GAP,
				     .optional = true };
		if (!add_item(c, p, item))
			return false;
	}
	*tight = !wide;
	return true;
}

static bool add_word(compiler *c, phrase *p, const char *word, bool tight)
{
	phrase_item item = { .kind = PHRASE_ATOM, .tight = tight };
	item.inverted = *word == '!' && word[1];
	g_autofree char *list = g_strdup(word + item.inverted);
	size_t n = strlen(list);

	if (n > 1 && list[n - 1] == '?') {
		item.optional = true;
		list[n - 1] = '\0';
	}
	return find_atom(c, list, &item.atom) && add_item(c, p, item);
}

/* One word of a phrase as written: a gap, an anchor or a set of words. */
static bool add_piece(compiler *c, phrase *p, const char *word, bool *tight)
{
	if (strcmp(word, "^") == 0 && p->n_items == 0) {
		p->at_start = true;
		return true;
	}
	if (strcmp(word, "$") == 0) {
		p->at_end = true;
		return true;
	}
	if (g_str_has_prefix(word, ".."))
		return add_gap(c, p, word, tight);
	bool was_tight = *tight;
	*tight = false;
	return add_word(c, p, word, was_tight);
}

static bool add_words(compiler *c, char **words, bool veto)
{
	g_autofree phrase *p = g_new0(phrase, 1);
	bool tight = false, solid = false;

	p->rule = c->book->rules->len - 1;
	p->veto = veto;
	for (char **w = words; *w; w++) {
		if (p->at_end)
			return fail(c, "'$' is the last of a phrase", NULL);
		if (**w && !add_piece(c, p, *w, &tight))
			return false;
	}
	for (guint i = 0; i < p->n_items; i++)
		solid |= !p->items[i].optional && !p->items[i].inverted;
	if (!solid)
		return fail(c, "a phrase needs a word that is not optional", NULL);
	g_ptr_array_add(c->rule->scope ? c->book->scopes : c->book->phrases,
			g_steal_pointer(&p));
	return true;
}

/* "a b|$" is "a b" and "a $". */
static bool add_phrase(compiler *c, const char *text)
{
	bool veto = g_str_has_prefix(text, "unless ");
	g_auto(GStrv) words = g_strsplit_set(veto ? text + 7 : text, " \t", -1);
	guint n = g_strv_length(words);
	if (!c->rule)
		return fail(c, "a phrase before the first rule", NULL);

	if (n > 0 && g_str_has_suffix(words[n - 1], "|$")) {
		words[n - 1][strlen(words[n - 1]) - 2] = '\0';
		if (!add_words(c, words, veto))
			return false;
		memcpy(words[n - 1], "$", 2);
	}
	return add_words(c, words, veto);
}

/* ---- lines ------------------------------------------------------------------------
 */

static bool add_option(compiler *c, phrase_rule *rule, const char *word)
{
	if (strcmp(word, "even-not") == 0)
		rule->ignores |= PHRASE_NEGATED;
	else if (strcmp(word, "even-if") == 0)
		rule->ignores |= PHRASE_CONDITIONAL;
	else if (strcmp(word, "even-ask") == 0)
		rule->ignores |= PHRASE_QUESTION;
	else if (strcmp(word, "only-ask") == 0) {
		rule->ignores |= PHRASE_QUESTION;
		rule->only_ask = true;
	} else if (g_str_has_prefix(word, "weight=")) {
		char *end;
		rule->weight = g_ascii_strtod(word + 7, &end);
		if (*end || end == word + 7 ||
		    !(rule->weight >= 0 && rule->weight <= 20))
			return fail(c, "a weight is a number from 0 to 20:", word);
	} else {
		g_ptr_array_add(rule->options, g_strdup(word));
	}
	return true;
}

/* "rule LABEL [NAME [OPTION...]]" */
static bool add_rule(compiler *c, const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t", -1);
	phrase_rule *rule = g_new0(phrase_rule, 1);
	bool fine = true;

	rule->options = g_ptr_array_new_with_free_func(g_free);
	rule->weight = 1;
	for (char **w = words; *w; w++) {
		if (**w == '\0')
			continue;
		if (!rule->label)
			rule->label = g_strdup(*w);
		else if (!rule->name)
			rule->name = g_strdup(*w);
		else
			fine = fine && add_option(c, rule, *w);
	}
	if (rule->label && !rule->name)
		rule->name = g_strdup(rule->label);
	g_ptr_array_add(c->book->rules, rule);
	c->rule = rule;
	if (fine && !rule->label)
		return fail(c, "a rule needs a label", NULL);
	return fine;
}

/* "scope CONTEXT REACH" */
static bool add_scope(compiler *c, const char *text)
{
	if (!add_rule(c, text))
		return false;
	if (!phrase_scope_read(c->rule))
		return fail(c,
			    "a scope is 'scope not|if|ask|said|else "
			    "clause|rest|sentence', not",
			    text);
	return true;
}

/* "let NAME = WORD..." */
static bool add_class(compiler *c, const char *text)
{
	const char *equals = strchr(text, '=');
	if (!equals)
		return fail(c, "a class is 'let NAME = WORDS'", NULL);

	g_autofree char *name = g_strstrip(g_strndup(text, (gsize)(equals - text)));
	if (*name == '\0' || strchr(name, ' ') ||
	    g_hash_table_contains(c->book->classes, name))
		return fail(c, "a class needs a new name of one word", NULL);
	g_free(c->class);
	c->class = g_strdup(name);
	g_hash_table_insert(c->book->classes, g_steal_pointer(&name),
			    g_strdup(equals + 1));
	return true;
}

static bool extend_class(compiler *c, const char *text)
{
	const char *old = g_hash_table_lookup(c->book->classes, c->class);

	g_hash_table_insert(c->book->classes, g_strdup(c->class),
			    g_strconcat(old, " ", text, NULL));
	return true;
}

static bool read_line(compiler *c, char *line)
{
	bool indented = *line == ' ' || *line == '\t';
	char *hash = *line == '#' ? line : strstr(line, " #");

	if (hash)
		*hash = '\0';
	g_strstrip(line);
	if (*line == '\0')
		return true;
	if (indented)
		return c->class ? extend_class(c, line) : add_phrase(c, line);
	if (g_str_has_prefix(line, "let "))
		return add_class(c, line + 4);
	g_clear_pointer(&c->class, g_free);
	if (g_str_has_prefix(line, "rule "))
		return add_rule(c, line + 5);
	if (g_str_has_prefix(line, "scope "))
		return add_scope(c, line + 6);
	return fail(c, "a line begins with 'let', 'rule', 'scope' or a blank", NULL);
}

/* An atom of a class that matching itself needs; of nothing if the file has none. */
static bool class_atom(compiler *c, const char *name, guint *atom)
{
	g_autofree char *list = g_strconcat("@", name, NULL);

	if (!g_hash_table_contains(c->book->classes, name))
		g_hash_table_insert(c->book->classes, g_strdup(name), g_strdup(""));
	return find_atom(c, list, atom);
}

phrase_book *phrase_book_parse(const char *name, const char *text, size_t length,
			       GError **error)
{
	g_autoptr(phrase_book) book = book_new();
	g_autofree char *copy = g_strndup(text, length);
	g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
	compiler c = { .book = book, .name = name, .error = error };
	bool fine = true;

	for (char **line = lines; *line && fine; line++) {
		c.line++;
		fine = read_line(&c, *line);
	}
	g_free(c.class);
	c.class = NULL;
	if (!fine || !class_atom(&c, "stop", &book->stop) ||
	    !class_atom(&c, "negator", &book->negator) ||
	    !class_atom(&c, "conditional", &book->conditional) ||
	    !class_atom(&c, "turn", &book->turn))
		return NULL;
	return g_steal_pointer(&book);
}

const phrase_rule *phrase_book_rule(const phrase_book *book, guint index)
{
	return g_ptr_array_index(book->rules, index);
}

bool phrase_rule_has(const phrase_rule *rule, const char *option)
{
	return g_ptr_array_find_with_equal_func(rule->options, option, g_str_equal,
						NULL);
}

static bool class_holds(const phrase_book *book, const char *list, const char *word,
			int depth)
{
	g_auto(GStrv) words = g_strsplit_set(list, "| \t", -1);

	for (char **w = words; *w; w++) {
		size_t n = strlen(*w);
		if (n > 1 && **w == '@' && depth < CLASS_DEPTH) {
			const char *inner = g_hash_table_lookup(book->classes, *w + 1);
			if (inner && class_holds(book, inner, word, depth + 1))
				return true;
		} else if (n > 1 && (*w)[n - 1] == '*') {
			if (strncmp(*w, word, n - 1) == 0)
				return true;
		} else if (n > 0 && strcmp(*w, word) == 0) {
			return true;
		}
	}
	return false;
}

bool phrase_book_in_class(const phrase_book *book, const char *name, const char *word)
{
	const char *list = g_hash_table_lookup(book->classes, name);

	return list && class_holds(book, list, word, 0);
}
