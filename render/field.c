/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/field.h"

#include <string.h>

#include "render/render.h"

#define LINE_WANTED 78  /* RFC 5322 2.1.1: should */
#define UNIT_MAX    900 /* what cannot be folded; lines must stay within 998 */
#define ENCODED_MAX 64  /* so that "Subject: " and a word stay within RFC 2047's 76 */

/*
 * Length of what is kept on one line: words with runs of blanks between them too, for
 * some readers turn a fold and the blanks behind it into one blank.
 */
static size_t unit_length(const char *text)
{
	size_t n = strcspn(text, " ");

	while (text[n] == ' ' && text[n + 1] == ' ') {
		n += strspn(text + n, " ");
		n += strcspn(text + n, " ");
	}
	return n;
}

void field_append(GString *out, const char *name, const char *encoded)
{
	size_t column = strlen(name) + 1;
	bool first = true;

	g_string_append_printf(out, "%s:", name);
	while (*encoded) {
		size_t unit = unit_length(encoded);

		if (!first && column + 1 + unit > LINE_WANTED) {
			g_string_append_c(out, '\n');
			column = 0;
		}
		g_string_append_c(out, ' ');
		g_string_append_len(out, encoded, (gssize)unit);
		column += 1 + unit;
		encoded += unit;
		if (*encoded == ' ')
			encoded++;
		first = false;
	}
	g_string_append_c(out, '\n');
}

bool field_check(const char *name, const char *value, GError **error)
{
	if (!g_utf8_validate(value, -1, NULL)) {
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
			    "%s: the value is not valid UTF-8", name);
		return false;
	}
	for (const unsigned char *p = (const unsigned char *)value; *p; p++)
		if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0)) {
			g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
				    "%s: the value holds the control character 0x%02x",
				    name, *p == 0xc2 ? p[1] : *p);
			return false;
		}
	return true;
}

/* ---- RFC 2047 -------------------------------------------------------------------- */

static void append_quoted(GString *out, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		/* What RFC 2047 5 (3) allows in a phrase is right everywhere. */
		if (g_ascii_isalnum(c) || strchr("!*+-/", c))
			g_string_append_c(out, (char)c);
		else if (c == ' ')
			g_string_append_c(out, '_');
		else
			g_string_append_printf(out, "=%02X", c);
	}
}

/* The whole text as encoded words; readers drop the blanks between them. */
static char *encode_words(const char *text)
{
	g_autoptr(GString) word = g_string_new(NULL);
	GString *out = g_string_new(NULL);

	while (*text) {
		const char *next = g_utf8_next_char(text);
		size_t before = word->len;

		if (before == 0)
			g_string_append(word, "=?utf-8?Q?");
		append_quoted(word, text, (size_t)(next - text));
		if (word->len + 2 > ENCODED_MAX) {
			g_string_append_len(out, word->str, (gssize)before);
			g_string_append(out, "?= ");
			g_string_truncate(word, 0);
			continue; /* the character begins the next word */
		}
		text = next;
	}
	g_string_append_printf(out, "%s?=", word->str);
	return g_string_free(out, FALSE);
}

static bool has_long_unit(const char *text)
{
	while (*text) {
		size_t unit = unit_length(text);

		if (unit > UNIT_MAX)
			return true;
		text += unit + (text[unit] == ' ' ? 1 : 0);
	}
	return false;
}

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 0x80)
			return false;
	return true;
}

char *field_text(const char *name, const char *text, GError **error)
{
	size_t length = strlen(text);

	if (!field_check(name, text, error))
		return NULL;
	if (length == 0) {
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT, "%s: no value",
			    name);
		return NULL;
	}
	if (!is_ascii(text) || strstr(text, "=?") || has_long_unit(text) ||
	    text[0] == ' ' || text[length - 1] == ' ')
		return encode_words(text);
	return g_strdup(text);
}

/* ---- addresses ------------------------------------------------------------------- */

static bool is_atext(unsigned char c)
{
	return c >= 0x80 || g_ascii_isalnum(c) ||
	       (c && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

static bool is_dot_atom(const char *text, size_t length)
{
	if (length == 0 || text[0] == '.' || text[length - 1] == '.')
		return false;
	for (size_t i = 0; i < length; i++)
		if (!is_atext((unsigned char)text[i]) &&
		    (text[i] != '.' || text[i + 1] == '.'))
			return false;
	return true;
}

static bool is_domain(const char *text)
{
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c < 0x80 && !g_ascii_isalnum(c) && c != '-' && c != '.')
			return false;
	}
	return is_dot_atom(text, strlen(text)) && *text != '-';
}

/* No quoted local parts or literals: nobody in a kernel tree's trailers has one. */
bool render_address_is_valid(const char *address)
{
	const char *at = address ? strrchr(address, '@') : NULL;

	/* A program that gets it as an argument must not take it for an option. */
	return at && *address != '-' && strlen(address) <= 254 && at - address <= 64 &&
	       g_utf8_validate(address, -1, NULL) &&
	       is_dot_atom(address, (size_t)(at - address)) && is_domain(at + 1) &&
	       field_check("", address, NULL);
}

static char *encode_address(const char *name, const char *address, GError **error)
{
	const char *at;
	g_autofree char *host = NULL;

	if (!render_address_is_valid(address)) {
		g_autofree char *shown = address ? g_strescape(address, NULL) : NULL;

		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
			    "%s: '%s' is not an address", name, shown ? shown : "");
		return NULL;
	}
	at = strrchr(address, '@');
	host = g_hostname_to_ascii(at + 1);
	if (!host) {
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
			    "%s: '%s' is not a host name", name, at + 1);
		return NULL;
	}
	if (is_ascii(at + 1))
		return g_strdup(address);
	return g_strdup_printf("%.*s@%s", (int)(at - address), address, host);
}

/* A display name: as it stands when it is atoms, else quoted, else in encoded words. */
static char *encode_phrase(const char *phrase)
{
	bool atoms = true;
	GString *out;

	if (!is_ascii(phrase) || strstr(phrase, "=?") || has_long_unit(phrase))
		return encode_words(phrase);
	for (const char *p = phrase; *p; p++)
		if (*p != ' ' && !is_atext((unsigned char)*p))
			atoms = false;
	if (atoms && !strstr(phrase, "  "))
		return g_strdup(phrase);
	out = g_string_new("\"");
	for (const char *p = phrase; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
	g_string_append_c(out, '"');
	return g_string_free(out, FALSE);
}

char *field_address(const char *name, const parser_address *address, GError **error)
{
	g_autofree char *bare = encode_address(name, address->address, error);
	g_autofree char *shown = NULL;
	g_autofree char *phrase = NULL;

	if (!bare)
		return NULL;
	if (!address->name)
		return g_steal_pointer(&bare);
	if (!field_check(name, address->name, error))
		return NULL;
	shown = g_strstrip(g_strdup(address->name));
	if (!*shown)
		return g_steal_pointer(&bare);
	phrase = encode_phrase(shown);
	return g_strdup_printf("%s <%s>", phrase, bare);
}

char *field_addresses(const char *name, const GPtrArray *addresses, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < addresses->len; i++) {
		g_autofree char *one =
			field_address(name, g_ptr_array_index(addresses, i), error);

		if (!one)
			return NULL;
		g_string_append_printf(out, "%s%s", i > 0 ? ", " : "", one);
	}
	return g_strdup(out->str);
}

char *field_message_id(const char *name, const char *id, GError **error)
{
	const char *at = id ? strchr(id, '@') : NULL;
	bool good = at && at > id && at[1] && strlen(id) <= UNIT_MAX;

	for (const char *p = id; good && *p; p++)
		good = (unsigned char)*p > 0x20 && (unsigned char)*p < 0x7f &&
		       *p != '<' && *p != '>';
	if (!good) {
		g_autofree char *shown = id ? g_strescape(id, NULL) : NULL;

		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
			    "%s: '%.200s' is not a Message-ID", name,
			    shown ? shown : "");
		return NULL;
	}
	return g_strdup_printf("<%s>", id);
}
