/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GMime's address reader recurses on nested groups; this one is a loop. */
#include "parser/address.h"

#include <string.h>

#include "parser/charset.h"

#define ADDRESS_MAX    320 /* of RFC 3696; no list has a longer one */
#define CANDIDATES_MAX 8   /* addresses that may be whom a list stood in for */
#define LISTS_BYTES_MAX                                                                \
	8192 /* of the fields that name lists; what follows is not read */

void address_clear(parser_address *a)
{
	g_clear_pointer(&a->name, g_free);
	g_clear_pointer(&a->address, g_free);
}

parser_address *parser_address_new(const char *name, const char *address)
{
	parser_address *a = g_new0(parser_address, 1);

	a->name = g_strdup(name);
	a->address = g_strdup(address);
	return a;
}

void parser_address_free(parser_address *a)
{
	if (!a)
		return;
	address_clear(a);
	g_free(a);
}

/* ---- one list ------------------------------------------------------------------ */

typedef struct entry {
	GString *phrase;  /* what stands outside of <> and comments */
	GString *comment; /* "(Joe)" */
	char *address;    /* of <>; NULL if there is none */
	GString *held;    /* "Doe" of an unquoted "Doe, John <john@x>" */
	bool at;          /* an '@' stands in phrase */
	GPtrArray *list;
} entry;

static char *decoded(const char *text)
{
	char *copy = g_strstrip(g_strdup(text));

	if (strstr(copy, "=?"))
		copy = g_strstrip(charset_decode_words(copy));
	return copy;
}

static void add(GPtrArray *list, const char *name, char *address)
{
	parser_address *a = g_new0(parser_address, 1);

	a->name = decoded(name);
	a->address = address;
	if (!*a->name)
		g_clear_pointer(&a->name, g_free);
	if (a->address && !*a->address)
		g_clear_pointer(&a->address, g_free);
	if (!a->name && !a->address)
		parser_address_free(a);
	else
		g_ptr_array_add(list, a);
}

static char *strip_mailto(char *address)
{
	g_strstrip(address);
	if (g_ascii_strncasecmp(address, "mailto:", 7) == 0)
		memmove(address, address + 7, strlen(address + 7) + 1);
	return address;
}

/* "Joe joe@x" and "joe@x": the last word with an '@' is the address. */
static char *take_bare_address(GString *phrase)
{
	char *at = strrchr(phrase->str, '@');

	if (!at)
		return NULL;
	char *start = at, *end = at;

	while (start > phrase->str && start[-1] != ' ')
		start--;
	while (*end && *end != ' ')
		end++;
	char *address = strip_mailto(g_strndup(start, (gsize)(end - start)));

	g_string_erase(phrase, start - phrase->str, end - start);
	return address;
}

static void release_held(entry *e)
{
	if (e->held->len)
		add(e->list, e->held->str, NULL);
	g_string_truncate(e->held, 0);
}

static void finish(entry *e)
{
	if (!e->address)
		e->address = take_bare_address(e->phrase);
	g_string_erase(e->phrase, 0, (gssize)strspn(e->phrase->str, " "));
	if (!e->address) {
		/* Perhaps the first half of an unquoted "Doe, John <...>". */
		if (e->held->len)
			g_string_append(e->held, ", ");
		g_string_append(e->held, g_strstrip(e->phrase->str));
	} else {
		if (e->held->len && e->phrase->len) {
			g_string_append(e->held, ", ");
			g_string_prepend(e->phrase, e->held->str);
			g_string_truncate(e->held, 0);
		}
		release_held(e);
		add(e->list, *e->phrase->str ? e->phrase->str : e->comment->str,
		    g_steal_pointer(&e->address));
	}
	g_string_truncate(e->phrase, 0);
	g_string_truncate(e->comment, 0);
}

/* Copies up to the closing quote; returns it, or NULL if there is none. */
static const char *quoted(const char *s, GString *out)
{
	size_t length = out->len;

	for (s++; *s && *s != '"'; s++) {
		if (*s == '\\' && s[1])
			s++;
		g_string_append_c(out, *s);
	}
	if (*s)
		return s;
	g_string_truncate(out, length);
	return NULL;
}

static const char *comment(const char *s, GString *out)
{
	unsigned depth = 1;

	for (s++; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '(')
			depth++;
		else if (*s == ')' && --depth == 0)
			return s;
		g_string_append_c(out, *s);
	}
	return s - 1;
}

/*
 * The last byte of the encoded word (RFC 2047) that begins at s, or NULL: a colon,
 * comma or bracket in it is part of a name.
 */
static const char *encoded_word(const char *s)
{
	if (s[0] != '=' || s[1] != '?')
		return NULL;
	const char *encoding = s + 2 + strcspn(s + 2, "? \t");

	if (encoding[0] != '?' || !encoding[1] || !strchr("qQbB", encoding[1]) ||
	    encoding[2] != '?')
		return NULL;
	const char *end = encoding + 3 + strcspn(encoding + 3, "? \t");

	return end[0] == '?' && end[1] == '=' ? end + 1 : NULL;
}

static const char *angle(const char *s, entry *e)
{
	const char *end = s + 1 + strcspn(s + 1, "<>,");

	if (*end == ',') /* a source route or a lost bracket: only '>' ends it then */
		end = s + 1 + strcspn(s + 1, "<>");
	g_free(e->address);
	e->address = strip_mailto(g_strndup(s + 1, (gsize)(end - s - 1)));
	return *end == '>' ? end : end - 1;
}

void address_parse(const char *text, GPtrArray *list)
{
	entry e = { .phrase = g_string_new(NULL),
		    .comment = g_string_new(NULL),
		    .held = g_string_new(NULL),
		    .list = list };
	bool quotes = true;

	for (const char *s = text; *s; s++) {
		const char *close = *s == '"' && quotes ? quoted(s, e.phrase) : NULL;

		const char *word = encoded_word(s);

		quotes = quotes && (*s != '"' || close);
		if (close) {
			s = close;
		} else if (word) {
			g_string_append_len(e.phrase, s, word - s + 1);
			s = word;
		} else if (*s == '(')
			s = comment(s, e.comment);
		else if (*s == '<')
			s = angle(s, &e);
		else if (*s == ',' || *s == ';')
			finish(&e);
		else if (*s == ':' && !e.address && !e.at)
			g_string_truncate(e.phrase, 0); /* the name of a group */
		else
			g_string_append_c(e.phrase, *s);
		e.at = e.phrase->len && (e.at || *s == '@');
	}
	finish(&e);
	release_held(&e);
	g_free(e.address);
	g_string_free(e.phrase, TRUE);
	g_string_free(e.comment, TRUE);
	g_string_free(e.held, TRUE);
}

/* ---- fields -----------------------------------------------------------------------
 */

GPtrArray *address_list(const head *h, field_kind kind, bool *cut)
{
	GPtrArray *list =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);

	for (const field *f = head_first(h, kind); f; f = head_next(h, f)) {
		g_autofree char *text =
			field_raw_text_cut(f, PARSER_ADDRESS_HEADER_MAX, cut);

		address_parse(text, list);
	}
	return list;
}

/* The first entry that has an address, else the first at all. */
static void take_first(GPtrArray *list, parser_address *out)
{
	parser_address *best = list->len ? list->pdata[0] : NULL;

	for (guint i = list->len; i-- > 0;) {
		parser_address *a = list->pdata[i];

		if (a->address && strchr(a->address, '@'))
			best = a;
	}
	if (best) {
		*out = *best;
		memset(best, 0, sizeof(*best));
	}
}

/*
 * `Joe Doe <joe@x>` and `"Doe, Joe" <joe@x>`, which nearly all are: what
 * address_parse() makes of them, without its ways.  False for all others.
 */
static bool read_usual(const char *text, parser_address *out)
{
	bool is_quoted = *text == '"';
	const char *name = text + is_quoted;
	size_t n = strcspn(name, is_quoted ? "\"\\=" : "\"\\=(),:;<>@");
	const char *open = name + n;

	if (is_quoted && *open == '"')
		open++;
	else if (is_quoted)
		return false;
	open += strspn(open, " ");
	size_t length = *open == '<' ? strcspn(open + 1, "<>,: ") : 0;

	if (!length || open[length + 1] != '>' || open[length + 2])
		return false;
	if (!memchr(open + 1, '@', length))
		return false;
	out->name = g_strstrip(g_strndup(name, n));
	if (!*out->name)
		g_clear_pointer(&out->name, g_free);
	out->address = g_strndup(open + 1, length);
	return true;
}

void address_from(const head *h, parser_address *from)
{
	bool cut = false;

	memset(from, 0, sizeof(*from));
	for (const field *f = head_first(h, FIELD_FROM);
	     f && !from->address && !from->name; f = head_next(h, f)) {
		g_autofree char *text =
			field_raw_text_cut(f, PARSER_ADDRESS_HEADER_MAX, &cut);

		if (read_usual(text, from))
			continue;
		g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(
			(GDestroyNotify)parser_address_free);

		address_parse(text, list);
		take_first(list, from);
	}
}

/* ---- whom a list stood in for
 * --------------------------------------------------------- */

static char *ascii_lower(const char *s)
{
	return g_ascii_strdown(s ? s : "", -1);
}

/* The name before " via " or "(via", without quotes; NULL if it is not of that kind. */
static char *name_before_via(const char *name)
{
	g_autofree char *lower = ascii_lower(name);
	const char *via = strstr(lower, " via ");
	const char *paren = strstr(lower, "(via ");

	if (paren && (!via || paren < via))
		via = paren;
	if (!via || via == lower)
		return NULL;
	char *base = g_strstrip(g_strndup(name, (gsize)(via - lower)));
	size_t n = strlen(base);

	if (n >= 2 && base[0] == '\'' && base[n - 1] == '\'') {
		memmove(base, base + 1, n - 2);
		base[n - 2] = '\0';
	}
	return base;
}

/* True if the address stands in a value, in any case; a List-Id has '.' for '@'. */
static bool value_names(const char *value, size_t length, const char *address, char at)
{
	size_t n = strlen(address);

	for (size_t i = 0; i + n <= length; i++) {
		size_t k = 0;

		if ((value[i] ^ *address) & ~0x20) /* another letter */
			continue;
		while (k < n &&
		       g_ascii_tolower(value[i + k]) ==
			       (address[k] == '@' ? at : g_ascii_tolower(address[k])))
			k++;
		if (k == n)
			return true;
	}
	return false;
}

static bool kind_names(const head *h, field_kind kind, const char *address, char at)
{
	size_t left = LISTS_BYTES_MAX;

	for (const field *f = head_first(h, kind); f && left; f = head_next(h, f)) {
		size_t length = MIN(f->length, left);

		if (value_names(f->value, length, address, at))
			return true;
		left -= length;
	}
	return false;
}

/* True if the address is that of the mailing list that sent the mail. */
static bool is_list_address(const head *h, const char *address)
{
	return *address && strlen(address) <= ADDRESS_MAX &&
	       (kind_names(h, FIELD_MAILING_LIST, address, '@') ||
		kind_names(h, FIELD_LIST_ID, address, '.'));
}

static bool is_relay(const head *h, const char *address)
{
	return g_str_has_prefix(address, "devnull+") || is_list_address(h, address);
}

static bool same_name(const char *a, const char *b)
{
	if (!a || !b)
		return false;
	g_autofree char *x = g_utf8_casefold(a, -1);
	g_autofree char *y = g_utf8_casefold(b, -1);

	return strcmp(x, y) == 0;
}

/* Takes from a list the entry of that name, or, if `sole`, the only one there is. */
static bool take_person(const head *h, field_kind kind, const char *name, bool sole,
			parser_address *person)
{
	bool cut = false;
	g_autoptr(GPtrArray) list = address_list(h, kind, &cut);
	parser_address *found = NULL;
	guint others = 0, looked = 0;

	for (guint i = 0; i < list->len && looked < CANDIDATES_MAX; i++) {
		parser_address *a = list->pdata[i];
		bool same = same_name(a->name, name);

		if (!a->address || !strchr(a->address, '@') || (!same && !sole))
			continue;
		looked++;
		if (is_relay(h, a->address))
			continue;
		others++;
		found = same || !found ? a : found;
		if (same)
			break;
	}
	if (!found || (!same_name(found->name, name) && others > 1))
		return false;
	person->address = g_steal_pointer(&found->address);
	person->name = name ? g_strdup(name) : g_steal_pointer(&found->name);
	return true;
}

void address_person(const head *h, const parser_address *written,
		    parser_address *person)
{
	g_autofree char *base = written->name ? name_before_via(written->name) : NULL;
	bool relay =
		written->address && (g_str_has_prefix(written->address, "devnull+") ||
				     is_list_address(h, written->address));

	memset(person, 0, sizeof(*person));
	if (!written->address || (!relay && !base)) {
		person->name = g_strdup(written->name);
		person->address = g_strdup(written->address);
		return;
	}
	const char *name = base ? base : written->name;

	if (take_person(h, FIELD_ORIGINAL_FROM, name, true, person) ||
	    take_person(h, FIELD_REPLY_TO, name, true, person) ||
	    take_person(h, FIELD_CC, name, false, person))
		return;
	person->name = g_strdup(name);
	if (!relay && !base)
		person->address = g_strdup(written->address);
}
