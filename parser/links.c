/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Archives are many, and gateways wrap their URLs; the Message-ID is what counts. */
#include "parser/links.h"

#include <string.h>

#include "parser/charset.h"
#include "parser/mail.h"
#include "parser/msgid.h"
#include "parser/report.h"

#define URL_MAX   4096 /* bytes of one URL that are looked at */
#define WRAPS_MAX 3    /* gateways around gateways */

/* ---- percent and its relatives --------------------------------------------------- */

/* Decodes "%3a" (or, with mark '-', "-3A" of urldefense v2) once. */
static char *unescape(const char *s, size_t length, char mark)
{
	GString *out = g_string_sized_new(length);

	for (size_t i = 0; i < length; i++) {
		int high = i + 2 < length && s[i] == mark ?
				   g_ascii_xdigit_value(s[i + 1]) :
				   -1;
		int low = high >= 0 ? g_ascii_xdigit_value(s[i + 2]) : -1;

		if (low >= 0 && (high || low)) {
			g_string_append_c(out, (char)(high * 16 + low));
			i += 2;
		} else {
			g_string_append_c(out, s[i]);
		}
	}
	return g_string_free(out, FALSE);
}

/* The value of a parameter of a query ("url=", "u="), still escaped; NULL if absent. */
static char *parameter(const char *url, const char *name)
{
	const char *query = strchr(url, '?');
	size_t n = strlen(name);

	while (query) {
		query++;
		if (strncmp(query, "amp;", 4) == 0)
			query += 4;
		if (strncmp(query, name, n) == 0 && query[n] == '=')
			return g_strndup(query + n + 1, strcspn(query + n + 1, "&"));
		query = strchr(query, '&');
	}
	return NULL;
}

/* urldefense v3: https://urldefense.com/v3/__URL__;codes!!key$ ; '*' stand for codes.
 */
static char *unwrap_v3(const char *url)
{
	const char *start = strstr(url, "/v3/__");
	const char *stop = start ? strstr(start + 6, "__;") : NULL;

	if (!stop)
		return NULL;
	g_autofree char *codes = g_strndup(stop + 3, strcspn(stop + 3, "!"));
	gsize n = 0;
	g_strdelimit(codes, "-", '+');
	g_strdelimit(codes, "_", '/');
	g_autofree guchar *plain = *codes ? g_base64_decode(codes, &n) : NULL;
	GString *out = g_string_new(NULL);
	gsize next = 0;

	for (const char *p = start + 6; p < stop; p++)
		if (*p == '*' && next < n && plain[next])
			g_string_append_c(out, (char)plain[next++]);
		else
			g_string_append_c(out, *p);
	return g_string_free(out, FALSE);
}

/* What a gateway's URL wraps, or NULL if it is none. */
static char *unwrap(const char *url)
{
	if (strstr(url, "urldefense") && strstr(url, "/v3/"))
		return unwrap_v3(url);
	if (strstr(url, "urldefense") || strstr(url, "proofpoint.com/v2/")) {
		g_autofree char *u = parameter(url, "u");

		if (!u)
			return NULL;
		g_strdelimit(u, "_", '/');
		return unescape(u, strlen(u), '-');
	}
	if (strstr(url, "safelinks.protection")) {
		g_autofree char *u = parameter(url, "url");

		return u ? unescape(u, strlen(u), '%') : NULL;
	}
	return NULL;
}

/* ---- one URL
 * --------------------------------------------------------------------------- */

static bool is_host(const char *s, size_t length)
{
	bool dot = false;

	for (size_t i = 0; i < length; i++) {
		if (!g_ascii_isalnum(s[i]) && !strchr("-.:_", s[i]))
			return false;
		dot = dot || (s[i] == '.' && i && i + 1 < length);
	}
	return dot;
}

/* Skips "https://host/"; NULL if the text is no URL of a host with a path. */
static const char *path_of(const char *url)
{
	const char *host = strstr(url, "://");

	host = host && host - url < 10 ? host + 3 : url;
	const char *slash = strchr(host, '/');

	return slash && is_host(host, (size_t)(slash - host)) ? slash + 1 : NULL;
}

static bool is_id(const char *s)
{
	const char *at = strchr(s, '@');

	return at && at > s && at[1] && !strpbrk(s, " \t\r\n<>\"");
}

/* The first path segment that is an id when decoded: <list>/<id>/, r/<id>, <id>. */
static char *id_in_path(const char *path)
{
	g_autofree char *clean = g_strndup(path, strcspn(path, "?#"));
	g_auto(GStrv) segments = g_strsplit(clean, "/", 8);

	for (char **s = segments; *s; s++) {
		g_autofree char *plain = unescape(*s, strlen(*s), '%');

		g_autofree char *valid =
			charset_to_utf8(plain, strlen(plain), NULL, NULL);
		g_strdelimit(valid, "\r\n", ' ');
		g_strstrip(valid);
		size_t n = strlen(valid);

		while (n && strchr(".,;:)]}>'\"*", valid[n - 1]))
			valid[--n] = '\0';
		if (is_id(valid))
			return g_steal_pointer(&valid);
	}
	return NULL;
}

char *parser_url_message_id(const char *url, size_t length)
{
	g_autofree char *text = g_strndup(url, MIN(length, URL_MAX));

	g_strstrip(text);
	if (*text == '<' || !strchr(text, '/')) {
		g_autofree char *id = msgid_bare(text, strlen(text));

		if (id && is_id(id) && !strstr(id, "://"))
			return g_steal_pointer(&id);
		if (*text != '<')
			return NULL;
		memmove(text, text + 1, strlen(text));
		text[strcspn(text, ">")] = '\0';
	}
	for (int i = 0; i < WRAPS_MAX; i++) {
		char *inner = unwrap(text);

		if (!inner)
			break;
		g_free(text);
		text = inner;
	}
	const char *path = path_of(text);

	if (path)
		return id_in_path(path);
	/* "git@host:path" is no id. */
	return is_id(text) && !strpbrk(strchr(text, '@'), ":/") ?
		       g_steal_pointer(&text) :
		       NULL;
}

/* ---- all of a mail
 * ------------------------------------------------------------------------ */

static void add_once(GPtrArray *ids, GHashTable *seen, char *id)
{
	if (id && !g_hash_table_contains(seen, id)) {
		g_hash_table_add(seen, id);
		g_ptr_array_add(ids, id);
	} else {
		g_free(id);
	}
}

static bool ends_url(char c)
{
	return !c || strchr(" \t\r\n<>\"|`", c);
}

/* The URL at p, joined with the next line if it breaks off behind '/', '=' or '-'. */
static char *url_at(const char *p, const char *end, const char **stop)
{
	const char *s = p;

	while (s < end && !ends_url(*s) && s - p < URL_MAX)
		s++;
	*stop = s;
	GString *url = g_string_new_len(p, s - p);

	if (s < end && *s == '\n' && s > p && strchr("/=-", s[-1])) {
		for (s++; s < end && strchr("> \t", *s);)
			s++;
		const char *start = s;

		while (s < end && !ends_url(*s) && s - p < URL_MAX)
			s++;
		if (memchr(start, '@', (size_t)(s - start)) ||
		    memmem(start, (size_t)(s - start), "%40", 3)) {
			g_string_append_len(url, start, s - start);
			*stop = s;
		}
	}
	return g_string_free(url, FALSE);
}

static const char *url_start(const char *text, const char *mark)
{
	const char *p = mark;

	while (p > text && mark - p < 8 && g_ascii_isalpha(p[-1]))
		p--;
	return p;
}

/* Schemes are dropped by some who type: "lore.kernel.org/r/<id>". */
static void collect_urls(const char *text, size_t length, GPtrArray *ids,
			 GHashTable *seen)
{
	static const char *const marks[] = { "://", "lore.kernel.org/", "msgid.link/" };
	const char *end = text + length;

	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		const char *p = text, *stop;

		while ((p = strstr(p, marks[i]))) {
			const char *start = i ? p : url_start(text, p);

			if (i && start > text && strchr("/.", start[-1])) {
				p += strlen(marks[i]);
				continue; /* has a scheme, or is another host's name */
			}
			g_autofree char *url = url_at(start, end, &stop);

			add_once(ids, seen, parser_url_message_id(url, strlen(url)));
			p = MAX(stop, p + 1);
		}
	}
}

/* <id> in prose; an address in <> looks the same, so it must be long or have digits. */
static void collect_bracketed(const char *text, GPtrArray *ids, GHashTable *seen)
{
	for (const char *p = text; (p = strchr(p, '<')); p++) {
		size_t n = strcspn(p + 1, "<> \t\r\n");
		unsigned digits = 0;

		for (size_t i = 1; i <= n && p[i] != '@'; i++)
			digits += g_ascii_isdigit(p[i]);
		if (p[n + 1] == '>' && digits >= 6 && memchr(p + 1, '@', n) &&
		    !memchr(p + 1, '/', n))
			add_once(ids, seen, msgid_bare(p, n + 2));
	}
}

void links_of_text(const char *text, size_t length, GPtrArray *ids)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *copy = g_malloc(length + 1);
	size_t n = 0;

	/* As in the text of a mail, there is no NUL and no CR. */
	char lone = memchr(text, '\n', length) ? ' ' : '\n';
	for (size_t i = 0; i < length; i++)
		if (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n'))
			copy[n++] = lone;
		else if (text[i] && text[i] != '\r')
			copy[n++] = text[i];
	copy[n] = '\0';
	collect_urls(copy, n, ids, seen);
	collect_bracketed(copy, ids, seen);
}

GPtrArray *parser_links_read(const parser_mail *mail)
{
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	collect_urls(mail->text, mail->text_length, ids, seen);
	collect_bracketed(mail->text, ids, seen);
	return ids;
}
