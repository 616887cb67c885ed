/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of a commit that name what is wanted, and how. */
#include <string.h>

#include "parser/report.h"
#include "parser/wanted_set.h"

#define EVIDENCE_MAX 300 /* bytes of a line that is kept as evidence */
#define AFTER_REVERT 8   /* strlen("Revert \"") */

static const char *const mention_names[] = { "self",    "title",  "date",
					     "closes",  "link",   "fixes",
					     "reverts", "picked", "reported-by",
					     "unknown" };

const char *parser_mention_name(parser_mention mention)
{
	return mention_names[mention];
}

void parser_mentioned_free(parser_mentioned *m)
{
	if (!m)
		return;
	g_free(m->what);
	g_free(m->line);
	g_free(m->hash);
	g_free(m);
}

typedef struct finder {
	const parser_wanted *w;
	const parser_logged *c;
	GPtrArray *mentions;
	bool trailers; /* something may stand in one: they are to be read */
} finder;

static parser_mentioned *mention(finder *f, parser_mention kind, const char *what,
				 const char *line, size_t length)
{
	parser_mentioned *m = g_new0(parser_mentioned, 1);
	const char *end;

	while (length && g_ascii_isspace(line[length - 1]))
		length--;

	g_autofree char *valid =
		g_utf8_make_valid(line, (gssize)MIN(length, EVIDENCE_MAX));

	g_utf8_validate(valid, MIN((gssize)strlen(valid), EVIDENCE_MAX), &end);
	m->kind = kind;
	m->what = g_strdup(what);
	m->line = g_strndup(valid, (gsize)(end - valid));
	g_strdelimit(m->line, "\n", ' '); /* a hash may stand in the next line */
	if (!*m->line) {
		g_free(m->line);
		m->line = g_strdup(what);
	}
	g_ptr_array_add(f->mentions, m);
	return m;
}

/* The wanted commits that these digits may be. */
static void mention_hash(finder *f, parser_mention kind, const char *hash, size_t n,
			 const char *line, size_t length)
{
	char key[WANTED_DIGITS + 1] = "", low[WANTED_HASH_MAX + 1] = "";

	if (n < WANTED_DIGITS || n > WANTED_HASH_MAX)
		return;
	for (size_t i = 0; i < n; i++)
		low[i] = g_ascii_tolower(hash[i]);
	memcpy(key, low, WANTED_DIGITS);

	const GPtrArray *same = g_hash_table_lookup(f->w->commits, key);

	for (guint i = 0; same && i < same->len; i++) {
		const char *wanted = same->pdata[i];
		size_t known = strlen(wanted);

		if (strncmp(wanted, low, MIN(known, n)) == 0)
			mention(f, kind, wanted, line, length);
	}
}

static size_t hex_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && n <= WANTED_HASH_MAX && g_ascii_isxdigit(s[n]))
		n++;
	return n;
}

static bool skip(const char **p, const char *end, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(end - *p) < n || g_ascii_strncasecmp(*p, word, n) != 0)
		return false;
	*p += n;
	while (*p < end && (**p == ' ' || **p == '\t'))
		++*p;
	return true;
}

/* "Fixes: 0123456789ab": read as a trailer only if it may be a wanted one. */
static void look_fixes(finder *f, const char *p, const char *end)
{
	if (!skip(&p, end, "fixes:"))
		return;
	skip(&p, end, "commit ");

	size_t n = hex_length(p, end);

	/* An empty value goes on in the next line. */
	if (p == end || wanted_may_have_hash(f->w, p, n))
		f->trailers = true;
}

/* "This reverts commit 0123...", the hash in the next line perhaps: how many digits
 * stand at *p then. */
static size_t reverted_hash(const char **p, const char *end, const char *all)
{
	skip(p, end, "this ");
	if (!skip(p, end, "reverts "))
		return 0;
	skip(p, end, "commit");
	if (*p == end && end < all)
		*p = end + 1;
	return hex_length(*p, all);
}

static void look_reverts(finder *f, const char *p, const char *end, const char *all)
{
	const char *line = p;
	size_t n = reverted_hash(&p, end, all);

	if (n && wanted_may_have_hash(f->w, p, n))
		mention_hash(f, PARSER_MENTION_REVERTS, p, n, line,
			     (size_t)(MAX(end, p + n) - line));
}

/* "commit 0123... upstream.", "[ Upstream commit 0123... ]", "(cherry picked from
 * ...)".
 */
static void look_picked(finder *f, const char *p, const char *end)
{
	const char *line = p;

	while (p < end && strchr("[( ", *p) && *p)
		p++;
	bool before = skip(&p, end, "upstream commit ") ||
		      skip(&p, end, "cherry picked from commit ") ||
		      skip(&p, end, "cherry-picked from commit ");

	if (!before && !skip(&p, end, "commit "))
		return;

	size_t n = hex_length(p, end);
	const char *behind = p + n;

	if (!wanted_may_have_hash(f->w, p, n) ||
	    (!before && !(skip(&behind, end, " upstream"))))
		return;
	mention_hash(f, PARSER_MENTION_PICKED, p, n, line, (size_t)(end - line));
}

/* "Closes:" or "Link:" whose URL stands in the next line, or behind a gateway. */
static void look_url(finder *f, const char *p, const char *end)
{
	if ((skip(&p, end, "closes:") || skip(&p, end, "link:")) &&
	    (p == end || memmem(p, (size_t)(end - p), "urldefense", 10)))
		f->trailers = true;
}

/* "Message-ID: <id>", which some tools add to what they apply. */
static void look_message_id(finder *f, const char *p, const char *end)
{
	const char *line = p;

	if (!skip(&p, end, "message-id:"))
		return;

	g_autofree char *id = parser_url_message_id(p, (size_t)(end - p));

	if (id && g_hash_table_contains(f->w->messages, id))
		mention(f, PARSER_MENTION_LINK, id, line, (size_t)(end - line));
}

static void look_line(finder *f, const char *p, const char *end, const char *all)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p == end)
		return;
	switch (*p | 0x20) {
	case 'f':
		look_fixes(f, p, end);
		break;
	case 't':
	case 'r':
		look_reverts(f, p, end, all);
		break;
	case 'm':
		look_message_id(f, p, end);
		break;
	case 'l':
		look_url(f, p, end);
		break;
	case 'c':
		look_url(f, p, end);
		look_picked(f, p, end);
		break;
	case 'u':
	case '[' | 0x20:
	case '(' | 0x20:
		look_picked(f, p, end);
		break;
	default:
		break;
	}
}

static void look_lines(finder *f)
{
	const char *p = f->c->message, *all = p + f->c->length;

	while (p < all) {
		const char *nl = memchr(p, '\n', (size_t)(all - p));
		const char *end = nl ? nl : all;

		look_line(f, p, end, all);
		p = end + 1;
	}
}

/* "%40": an id as some write it in URLs. */
static bool has_escapes(const char *text, const char *end)
{
	for (const char *p = text; (p = memchr(p, '%', (size_t)(end - p))) != NULL; p++)
		if (end - p > 2 && g_ascii_isxdigit(p[1]) && g_ascii_isxdigit(p[2]))
			return true;
	return false;
}

/* An @ of a wanted id, or something that may hide one. */
static bool may_name_message(const finder *f)
{
	const char *text = f->c->message, *end = text + f->c->length;

	if (!g_hash_table_size(f->w->messages) && !g_hash_table_size(f->w->robots))
		return false;
	for (const char *at = text; (at = memchr(at, '@', (size_t)(end - at))) != NULL;
	     at++)
		if (wanted_may_have_at(f->w, text, at, end))
			return true;
	return has_escapes(text, end);
}

static bool ends_in_robot(const parser_wanted *w, const char *id)
{
	GHashTableIter iter;
	gpointer address;

	g_hash_table_iter_init(&iter, w->robots);
	while (g_hash_table_iter_next(&iter, &address, NULL))
		if (g_str_has_suffix(id, address))
			return true;
	return false;
}

static void read_url(finder *f, const parser_pair *pair, const char *line)
{
	bool closes = strcmp(pair->name, "Closes") == 0;
	g_autofree char *id = parser_url_message_id(pair->value, strlen(pair->value));

	if (!id)
		return;
	if (g_hash_table_contains(f->w->messages, id))
		mention(f, closes ? PARSER_MENTION_CLOSES : PARSER_MENTION_LINK, id,
			line, strlen(line));
	else if (closes && ends_in_robot(f->w, id))
		mention(f, PARSER_MENTION_UNKNOWN, id, line, strlen(line));
}

static void read_person(finder *f, const parser_pair *pair, const char *line)
{
	g_autofree char *low = g_ascii_strdown(pair->value, -1);
	GHashTableIter iter;
	gpointer address;

	g_hash_table_iter_init(&iter, f->w->robots);
	while (g_hash_table_iter_next(&iter, &address, NULL))
		if (strstr(low, address)) {
			mention(f, PARSER_MENTION_REPORTED_BY, address, line,
				strlen(line));
			return;
		}
}

/* "Reported-by", and what people make of it: "Reported-and-tested-by". */
static bool is_reported_by(const char *name)
{
	return g_str_has_prefix(name, "Reported-") && g_str_has_suffix(name, "-by");
}

static void read_trailers(finder *f)
{
	g_autofree char *text = g_utf8_make_valid(f->c->message, (gssize)f->c->length);
	g_autoptr(GPtrArray) trailers = parser_trailers_of_commit(text);

	for (guint i = 0; i < trailers->len; i++) {
		const parser_pair *pair = trailers->pdata[i];
		g_autofree char *line =
			g_strdup_printf("%s: %s", pair->name, pair->value);
		const char *hash = pair->value, *end = hash + strlen(hash);

		if (strcmp(pair->name, "Closes") == 0 ||
		    strcmp(pair->name, "Link") == 0) {
			read_url(f, pair, line);
		} else if (strcmp(pair->name, "Fixes") == 0) {
			skip(&hash, end, "commit ");
			mention_hash(f, PARSER_MENTION_FIXES, hash,
				     hex_length(hash, end), line, strlen(line));
		} else if (is_reported_by(pair->name)) {
			read_person(f, pair, line);
		}
	}
}

/* A robot that reported says nothing alone; it reports much else. */
static void drop_lone_reporters(finder *f, guint from)
{
	bool fixes = false;

	for (guint i = from; i < f->mentions->len; i++) {
		const parser_mentioned *m = f->mentions->pdata[i];

		fixes = fixes || m->kind == PARSER_MENTION_FIXES;
	}
	for (guint i = f->mentions->len; !fixes && i-- > from;) {
		const parser_mentioned *m = f->mentions->pdata[i];

		if (m->kind == PARSER_MENTION_REPORTED_BY)
			g_ptr_array_remove_index(f->mentions, i);
	}
}

/* What a revert names by hash, whether it is wanted or not; NULL if nothing.  g_free.
 */
static char *hash_of_revert(const parser_logged *c)
{
	const char *p = c->message, *all = p + c->length;

	while (p < all) {
		const char *nl = memchr(p, '\n', (size_t)(all - p));
		const char *end = nl ? nl : all, *hash = p;
		size_t n = reverted_hash(&hash, end, all);

		if (n >= WANTED_DIGITS && n <= WANTED_HASH_MAX)
			return g_ascii_strdown(hash, (gssize)n);
		p = end + 1;
	}
	return NULL;
}

static void look_title(finder *f)
{
	const char *text = f->c->message;
	const char *nl = memchr(text, '\n', f->c->length);
	bool one_line = !nl || nl + 1 == text + f->c->length || nl[1] == '\n';
	g_autofree char *joined = one_line ? NULL : parser_logged_subject(f->c);
	const char *subject = joined ? joined : text;
	size_t n = joined ? strlen(joined) : nl ? (size_t)(nl - text) : f->c->length;
	g_autofree char *title = parser_title(subject, n);
	const char *added = g_hash_table_lookup(f->w->titles, title);
	size_t length = strlen(title);

	if (added)
		mention(f, PARSER_MENTION_TITLE, added, subject, n);
	if (!g_str_has_prefix(title, "Revert \"") || title[length - 1] != '"' ||
	    length < AFTER_REVERT + 2)
		return;
	title[length - 1] = '\0';

	g_autofree char *inner =
		parser_title(title + AFTER_REVERT, strlen(title + AFTER_REVERT));

	added = g_hash_table_lookup(f->w->titles, inner);
	if (added)
		mention(f, PARSER_MENTION_REVERTS, added, subject, n)->hash =
			hash_of_revert(f->c);
}

void parser_wanted_find(const parser_wanted *w, const parser_logged *commit,
			GPtrArray *mentions)
{
	finder f = { .w = w, .c = commit, .mentions = mentions };
	guint from = mentions->len;

	if (g_hash_table_size(w->commits)) {
		if (wanted_may_have_hash(w, commit->id, commit->id_length))
			mention_hash(&f, PARSER_MENTION_SELF, commit->id,
				     commit->id_length, commit->id, commit->id_length);
	}
	if (g_hash_table_size(w->titles))
		look_title(&f);
	if (g_hash_table_size(w->dates) &&
	    g_hash_table_contains(w->dates, &commit->authored)) {
		char date[32];

		g_snprintf(date, sizeof(date), "%" G_GINT64_FORMAT, commit->authored);
		mention(&f, PARSER_MENTION_DATE, date, date, strlen(date));
	}
	look_lines(&f);
	if (f.trailers || may_name_message(&f)) {
		read_trailers(&f);
		drop_lone_reporters(&f, from);
	}
}
