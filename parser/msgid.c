/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Message-IDs as they really stand in header fields.  GMime's own reader stops at a
 * comma and yields nothing for "Your message of ... <id>", so this one takes every
 * <...>.
 */
#include "parser/msgid.h"

#include <limits.h>
#include <string.h>

#include "parser/charset.h"
#include "parser/mail.h"

#define NOT_AN_ADDRESS_MIN 16 /* an id without '@' must be at least as long as this */
#define PROMPT_IDS_MAX     20 /* ids of a field that may be an answer to a prompt */

/* Where the comment or quoted string that opens at s[i] closes, or 0. */
static size_t skip_quoted(const char *s, size_t length, size_t i)
{
	unsigned depth = 0;
	bool quote = s[i] == '"';

	for (size_t j = i; j < length; j++) {
		if (s[j] == '\\') {
			j++;
		} else if (quote) {
			if (j > i && s[j] == '"')
				return j;
		} else if (s[j] == '(') {
			depth++;
		} else if (s[j] == ')' && --depth == 0) {
			return j;
		}
	}
	return 0;
}

/* A fold inside an id was not part of it; a blank was. */
static char *clean(const char *s, size_t length)
{
	if (length <= MSGID_MAX && field_is_graphic(s, length))
		return g_strndup(s, length);
	GString *id = g_string_sized_new(length);
	bool fold = false;

	for (size_t i = 0; i < length; i++) {
		bool eol = s[i] == '\r' || s[i] == '\n' || s[i] == '\t';

		if (!eol && !(fold && s[i] == ' ') && s[i])
			g_string_append_c(id, s[i]);
		fold = eol || (fold && s[i] == ' ');
	}
	g_autofree char *text = g_string_free(id, FALSE);

	g_strstrip(text);
	if (strlen(text) > MSGID_MAX)
		text[MSGID_MAX] = '\0';
	return charset_to_utf8(text, strlen(text), NULL, NULL);
}

typedef bool (*take_function)(void *data, const char *id, size_t length);

/*
 * Calls take for each <...>, until it returns false.  Comments and quoted strings are
 * skipped, unless they never close: then the rest is read as if there were none.
 */
static bool each_bracketed(const char *s, size_t length, take_function take, void *data)
{
	bool comments = memchr(s, '(', length), strings = memchr(s, '"', length);
	bool any = false;

	for (size_t i = 0; i < length; i++) {
		if (!comments && !strings) {
			const char *open = memchr(s + i, '<', length - i);

			if (!open)
				break;
			i = (size_t)(open - s);
		}
		bool *skips = s[i] == '(' ? &comments : s[i] == '"' ? &strings : NULL;

		if (skips && *skips) {
			size_t close = skip_quoted(s, length, i);

			*skips = close;
			i = close ? close : i;
		} else if (s[i] == '<') {
			const char *start = s + i + 1, *end = s + length;
			const char *close = memchr(start, '>', (size_t)(end - start));
			size_t n = (size_t)((close ? close : end) - start);
			const char *later = memrchr(start, '<', n);

			if (later) /* "<broken <id@x>": the later one */
				start = later + 1;
			any = true;
			if (!close)
				return true;
			if (!take(data, start, (size_t)(close - start)))
				return true;
			i = (size_t)(close - s);
		}
	}
	return any;
}

/* ---- lists of ids ------------------------------------------------------------ */

typedef struct collector {
	GPtrArray *ids;
	GHashTable *seen; /* of the strings in ids; NULL while ids is short */
	const char *own;
} collector;

static bool is_known(collector *c, const char *id)
{
	if (c->own && strcmp(c->own, id) == 0)
		return true;
	if (c->ids->len >= 16 && !c->seen) {
		c->seen = g_hash_table_new(g_str_hash, g_str_equal);
		for (guint i = 0; i < c->ids->len; i++)
			g_hash_table_add(c->seen, c->ids->pdata[i]);
	}
	if (c->seen)
		return g_hash_table_contains(c->seen, id);
	for (guint i = 0; i < c->ids->len; i++)
		if (strcmp(c->ids->pdata[i], id) == 0)
			return true;
	return false;
}

static bool collect(void *data, const char *s, size_t length)
{
	collector *c = data;
	g_autofree char *id = clean(s, length);

	/* "<y>" is what people answered to a prompt of old git-send-email. */
	if (!strchr(id, '@') && (strlen(id) < NOT_AN_ADDRESS_MIN || strchr(id, ' ')))
		return true;
	if (is_known(c, id))
		return true;
	if (c->seen)
		g_hash_table_add(c->seen, id);
	g_ptr_array_add(c->ids, g_steal_pointer(&id));
	return true;
}

/* Ids without brackets: only if every word of the field could be one. */
static void collect_bare(collector *c, const char *s)
{
	g_auto(GStrv) words = g_strsplit_set(s, " ,;\t\r\n", -1);

	for (char **w = words; *w; w++)
		if (**w && (!strchr(*w, '@') || strpbrk(*w, "\"():")))
			return;
	for (char **w = words; *w; w++)
		if (**w)
			collect(c, *w, strlen(*w));
}

static void collect_field(collector *c, const field *f)
{
	g_autofree char *decoded = NULL;
	const char *s = f->value;
	size_t length = f->length;

	if (field_has_words(f)) { /* a gateway encoded it */
		s = decoded = field_decoded(f);
		length = strlen(s);
	}
	if (!each_bracketed(s, length, collect, c) && !memchr(s, '<', length)) {
		g_autofree char *flat = field_raw_text(f);

		collect_bare(c, flat);
	}
}

void msgid_collect(GPtrArray *ids, const char *text, size_t length)
{
	collector c = { ids, NULL, NULL };

	each_bracketed(text, length, collect, &c);
	g_clear_pointer(&c.seen, g_hash_table_unref);
}

/* The ids of a field that may be an answer to a prompt. */
typedef struct suspects {
	struct suspect {
		const char *id;      /* NULL: it was an address */
		size_t left, length; /* bytes before its '@'; of all */
	} list[PROMPT_IDS_MAX];
	guint n;
	bool behind[UCHAR_MAX + 1]; /* which bytes follow their '@' */
} suspects;

static void suspects_init(suspects *s, const GPtrArray *ids)
{
	*s = (suspects){ .n = MIN(ids->len, PROMPT_IDS_MAX) };
	for (guint i = 0; i < s->n; i++) {
		const char *id = ids->pdata[i];
		size_t left = strcspn(id, "@");

		s->list[i] = (struct suspect){ id, left, strlen(id) };
		s->behind[(unsigned char)(id[left] ? id[left + 1] : 0)] = true;
	}
}

/* True if the id stands alone round the '@' at `at`. */
static bool stands_at(const struct suspect *s, const char *start, const char *at,
		      const char *end)
{
	if ((size_t)(at - start) < s->left ||
	    (size_t)(end - at) < s->length - s->left ||
	    memcmp(at - s->left, s->id, s->length) != 0)
		return false;
	const char *from = at - s->left, *to = from + s->length;

	return (from == start || strchr(" \t\n<,:;", from[-1])) &&
	       (to == end || strchr(" \t\r\n>,;", *to));
}

/* Drops those ids that stand as an address in the field. */
static void drop_addresses_of(const field *f, GPtrArray *ids, suspects *s)
{
	const char *end = f->value + MIN(f->length, PARSER_ADDRESS_HEADER_MAX);

	for (const char *p = f->value; (p = memchr(p, '@', (size_t)(end - p))); p++) {
		bool may = p + 1 < end && s->behind[(unsigned char)p[1]];

		for (guint i = 0; may && i < s->n; i++) {
			struct suspect *one = &s->list[i];

			if (one->id && stands_at(one, f->value, p, end)) {
				g_ptr_array_remove(ids, (gpointer)one->id);
				one->id = NULL;
			}
		}
	}
}

/* Old git-send-email prompts took any answer: people typed an address. */
static void drop_addresses(const head *h, GPtrArray *ids)
{
	static const field_kind kinds[] = { FIELD_FROM, FIELD_TO, FIELD_CC };
	suspects s;

	suspects_init(&s, ids);
	for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
		for (const field *f = head_first(h, kinds[k]); f && ids->len;
		     f = head_next(h, f))
			drop_addresses_of(f, ids, &s);
}

GPtrArray *msgid_list(const head *h, field_kind kind, const char *own)
{
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
	collector c = { ids, NULL, own };

	for (const field *f = head_first(h, kind); f; f = head_next(h, f))
		collect_field(&c, f);
	g_clear_pointer(&c.seen, g_hash_table_unref);
	if (ids->len > PARSER_REFERENCES_MAX) /* keep the root, and the nearest */
		g_ptr_array_remove_range(ids, 1, ids->len - PARSER_REFERENCES_MAX);
	drop_addresses(h, ids);
	return ids;
}

/* ---- one id -------------------------------------------------------------------- */

static bool take_first(void *data, const char *s, size_t length)
{
	char **id = data;

	*id = clean(s, length);
	if (**id)
		return false;
	g_clear_pointer(id, g_free);
	return true;
}

char *msgid_bare(const char *text, size_t length)
{
	char *id = NULL;

	each_bracketed(text, length, take_first, &id);
	if (id)
		return id;
	while (length && strchr(" \t\r\n<", *text) && *text) {
		text++;
		length--;
	}
	for (size_t i = 0; i < length; i++)
		if (strchr(" \t\r\n>,;\"()", text[i]) || !text[i])
			length = i;
	id = clean(text, length);
	if (!*id)
		g_clear_pointer(&id, g_free);
	return id;
}

char *msgid_own(const head *h)
{
	for (const field *f = head_first(h, FIELD_MESSAGE_ID); f; f = head_next(h, f)) {
		g_autofree char *decoded = field_has_words(f) ? field_decoded(f) : NULL;
		const char *s = decoded ? decoded : f->value;
		char *id = msgid_bare(s, decoded ? strlen(decoded) : f->length);

		if (id)
			return id;
	}
	return NULL;
}
