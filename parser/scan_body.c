/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most mail of an archive concerns nobody whom we track, and its body must not cost
 * more than a look: memchr() over it for bytes that are rare in prose and code, and a
 * closer look where one stands.
 */
#include "parser/scan_body.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "parser/links.h"

#define ROBOT_ID_MAX 100 /* bytes of a robot's id before its '@' */

typedef struct look {
	const char *start, *end; /* of what is looked at */
	GPtrArray **links;
	const char *read; /* links are read up to here */
} look;

static bool has_text(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && memcmp(s, word, n) == 0;
}

/* ---- words of robots, and for us ------------------------------------------------- */

static bool all_digits(const char *p, size_t n)
{
	while (n && g_ascii_isdigit(*p)) {
		p++;
		n--;
	}
	return n == 0;
}

static bool all_hex(const char *p, size_t n)
{
	while (n && g_ascii_isxdigit(*p)) {
		p++;
		n--;
	}
	return n == 0;
}

/* Letters, digits and what an id has besides them, up to the '@'. */
static bool all_id(const char *p, const char *at)
{
	while (p < at && (g_ascii_isalnum(*p) || strchr("._+-", *p)) && *p)
		p++;
	return p == at;
}

/* "YYYYMMDDHHMM.8hex-any@" */
bool scan_is_robot_id(const char *start, const char *at)
{
	const char *p = at - start > ROBOT_ID_MAX ? at - ROBOT_ID_MAX : start;

	for (p += 12; at - p > 10 && (p = memchr(p, '.', (size_t)(at - p - 10))); p++)
		if (p[9] == '-' && all_digits(p - 12, 12) && all_hex(p + 1, 8) &&
		    all_id(p + 9, at))
			return true;
	return false;
}

/*
 * A percent sign tells a comparison from other mail: "%stddev", "-4.2% regression of",
 * "+18.3%" in a table.
 */
static bool percent_tells(const char *start, const char *p, const char *end)
{
	if (has_text(p, end, "%stddev") || has_text(p, end, "%change") ||
	    has_text(p, end, "%reproduction") || has_text(p, end, "% regression") ||
	    has_text(p, end, "% improvement"))
		return true;
	const char *q = p;

	while (q > start && p - q < 12 && (g_ascii_isdigit(q[-1]) || q[-1] == '.'))
		q--;
	return q < p && q > start && (q[-1] == '+' || q[-1] == '-') &&
	       (q - 1 == start || q[-2] == ' ');
}

/* ---- links ----------------------------------------------------------------------- */

static const char *line_before(const char *start, const char *p)
{
	const char *nl = p > start ? memrchr(start, '\n', (size_t)(p - start)) : NULL;

	return nl ? nl + 1 : start;
}

static const char *line_after(const char *p, const char *end)
{
	const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;

	return nl ? nl + 1 : end;
}

/* Reads links out of the line of p, and out of those that a URL may come from and go on
 * in; each line once. */
static void read_links(look *l, const char *p)
{
	if (p < l->read)
		return;
	const char *from = line_before(l->start, p);
	const char *to = line_after(line_after(p, l->end), l->end);

	if (from > l->start)
		from = line_before(l->start, from - 1);
	l->read = to;
	if (!*l->links)
		*l->links = g_ptr_array_new_with_free_func(g_free);
	links_of_text(from, (size_t)(to - from), *l->links);
}

/* A line that breaks off so may be the first half of a URL. */
static bool goes_on_from_above(const look *l, const char *s)
{
	while (s > l->start && (s[-1] == ' ' || s[-1] == '\t' || s[-1] == '>'))
		s--;
	if (s == l->start || *--s != '\n')
		return false;
	if (s > l->start && s[-1] == '\r')
		s--;
	return s > l->start && (s[-1] == '/' || s[-1] == '=' || s[-1] == '-');
}

static bool is_blank_or_angle(char c)
{
	return c == ' ' || c == '\n' || c == '<' || c == '>' || c == '\t' || c == '\r';
}

/*
 * Whether the '@' at p may stand in a URL, or in <id> with digits as ids have them;
 * most stand in addresses.  *in_url is true if the '@' before it, at back - 1, does.
 */
static bool may_link(const look *l, const char *p, const char *back, bool *in_url)
{
	const char *s = p;
	unsigned digits = 0;

	for (; s > back && !is_blank_or_angle(s[-1]); s--)
		digits += g_ascii_isdigit(s[-1]);
	*in_url = (*in_url && s == back) || memchr(s, '/', (size_t)(p - s)) ||
		  goes_on_from_above(l, s);
	return *in_url || (digits >= 6 && s > l->start && s[-1] == '<');
}

/* ---- one text -------------------------------------------------------------------- */

static bool at_signs_tell(look *l)
{
	bool in_url = false;
	const char *back = l->start;

	for (const char *p = l->start; (p = memchr(p, '@', (size_t)(l->end - p)));
	     back = ++p) {
		if (scan_is_robot_id(l->start, p))
			return true;
		if (may_link(l, p, back, &in_url))
			read_links(l, p);
	}
	return false;
}

/* "%40" is an '@' in a URL, "%2540" one in a URL in a URL. */
static bool percents_tell(look *l)
{
	for (const char *p = l->start; (p = memchr(p, '%', (size_t)(l->end - p)));
	     p++) {
		if (percent_tells(l->start, p, l->end))
			return true;
		if (has_text(p, l->end, "%40") || has_text(p, l->end, "%2540"))
			read_links(l, p);
	}
	return false;
}

static bool has_word(const look *l, char first, const char *word, const char *other)
{
	for (const char *p = l->start; (p = memchr(p, first, (size_t)(l->end - p)));
	     p++)
		if (has_text(p, l->end, word) || (other && has_text(p, l->end, other)))
			return true;
	return false;
}

/* One gateway writes "-40" for '@', behind "/v2/url?". */
static void read_gateway_links(look *l)
{
	for (const char *p = l->start; (p = memchr(p, '?', (size_t)(l->end - p))); p++)
		if (p - l->start > 7 && memcmp(p - 7, "/v2/url", 7) == 0)
			read_links(l, p);
}

static bool text_tells(const char *text, size_t length, GPtrArray **links)
{
	look l = { text, text + length, links, text };

	if (percents_tell(&l) || has_word(&l, '#', "#regtrail", "#regzbot") ||
	    has_word(&l, 'R', "Regression-ID:", NULL))
		return true;
	l.read = text;
	if (at_signs_tell(&l))
		return true;
	l.read = text;
	read_gateway_links(&l);
	return false;
}

/* ---- encodings ------------------------------------------------------------------- */

enum encoding {
	AS_IT_IS,
	BASE64,
	QUOTED_PRINTABLE,
	ANOTHER
};

static enum encoding encoding_of(const field *f)
{
	static const char *const plain[] = { "7bit", "8bit", "binary" };

	if (!f)
		return AS_IT_IS;
	if (field_begins(f, "base64"))
		return BASE64;
	if (field_begins(f, "quoted-printable"))
		return QUOTED_PRINTABLE;
	for (size_t i = 0; i < G_N_ELEMENTS(plain); i++)
		if (field_begins(f, plain[i]))
			return AS_IT_IS;
	return ANOTHER;
}

static size_t decode_quoted_printable(const char *p, size_t length, char *out)
{
	const char *end = p + length, *mark;
	char *to = out;

	while ((mark = memchr(p, '=', (size_t)(end - p)))) {
		int high = mark + 2 < end ? g_ascii_xdigit_value(mark[1]) : -1;
		int low = high >= 0 ? g_ascii_xdigit_value(mark[2]) : -1;

		memcpy(to, p, (size_t)(mark - p));
		to += mark - p;
		p = mark + 1;
		if (low >= 0) {
			*to++ = (char)(high * 16 + low);
			p += 2;
		} else if (p < end && *p == '\n') {
			p++;
		} else if (end - p >= 2 && p[0] == '\r' && p[1] == '\n') {
			p += 2;
		} else {
			*to++ = '=';
		}
	}
	memcpy(to, p, (size_t)(end - p));
	return (size_t)(to - out) + (size_t)(end - p);
}

/* As g_base64_decode_step(), but for '=' in the middle, in a third of the time. */
static size_t decode_base64(const char *p, size_t length, char *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	int8_t value[UCHAR_MAX + 1];
	uint32_t bits = 0;
	unsigned n = 0;
	char *to = out;

	memset(value, -1, sizeof(value));
	for (int i = 0; digits[i]; i++)
		value[(unsigned char)digits[i]] = (int8_t)i;
	for (size_t i = 0; i < length; i++) {
		int v = value[(unsigned char)p[i]];

		if (v < 0)
			continue;
		bits = bits << 6 | (uint32_t)v;
		if (++n % 4 == 0) {
			*to++ = (char)(bits >> 16);
			*to++ = (char)(bits >> 8);
			*to++ = (char)bits;
		}
	}
	if (n % 4 >= 2) { /* one byte or two are left over */
		bits <<= (4 - n % 4) * 6;
		*to++ = (char)(bits >> 16);
		if (n % 4 == 3)
			*to++ = (char)(bits >> 8);
	}
	return (size_t)(to - out);
}

static bool encoded_tells(const char *p, size_t length, enum encoding encoding,
			  GPtrArray **links)
{
	if (encoding == AS_IT_IS || encoding == ANOTHER)
		return encoding == ANOTHER || text_tells(p, length, links);

	g_autofree char *plain = g_malloc(length + 3);
	size_t n = encoding == BASE64 ? decode_base64(p, length, plain) :
					decode_quoted_printable(p, length, plain);

	return text_tells(plain, n, links);
}

/* ---- parts ----------------------------------------------------------------------- */

/* Charsets whose bytes do not show what they say, and lines that are one word. */
static bool hides_text(const field *type)
{
	static const char *const words[] = { "delsp", "utf-16", "utf-7", "utf-32",
					     "utf16", "ucs-",   "utf7",  "utf32" };
	const char *end = type ? type->value + type->length : NULL;

	for (const char *p = type ? type->value : end; p < end; p++) {
		char c = (char)(*p | 0x20);

		for (size_t i = 0; (c == 'd' || c == 'u') && i < G_N_ELEMENTS(words);
		     i++)
			if (c == *words[i] && (size_t)(end - p) >= strlen(words[i]) &&
			    !g_ascii_strncasecmp(p, words[i], strlen(words[i])))
				return true;
	}
	return false;
}

/* The line that ends a part: the next that begins as the one before its header. */
static const char *part_end(const char *p, const char *end, const char *mark,
			    size_t length)
{
	while (length && (p = memchr(p, '\n', (size_t)(end - p)))) {
		p++;
		if ((size_t)(end - p) >= length && memcmp(p, mark, length) == 0)
			return p;
	}
	return end;
}

typedef struct parts {
	bool plain, html; /* has a part of text of that kind */
} parts;

/* The part whose header begins at p; *next is where it ends. */
static bool part_tells(const char *p, const char *end, const char *mark,
		       const char **next, parts *all, GPtrArray **links)
{
	g_auto(head) h = { 0 };
	size_t length = (size_t)(p - mark);

	*next = p;
	while (length && (mark[length - 1] == '\n' || mark[length - 1] == '\r'))
		length--;
	if (!head_read(&h, p, (size_t)(end - p), NULL))
		return false;

	const field *type = head_first(&h, FIELD_CONTENT_TYPE);
	enum encoding encoding = encoding_of(head_first(&h, FIELD_CONTENT_ENCODING));

	*next = h.body;
	all->html |= type && field_begins(type, "text/html");
	all->plain |= !type || field_begins(type, "text/plain");
	if (hides_text(type))
		return true;
	if (encoding == AS_IT_IS) /* seen already, with all of the body */
		return false;
	*next = part_end(h.body, end, mark, length);
	return encoded_tells(h.body, (size_t)(*next - h.body), encoding, links);
}

static bool parts_tell(const head *h, GPtrArray **links)
{
	const char *p = h->body, *end = p + h->body_length;
	parts all = { false, false };

	if (text_tells(p, h->body_length, links))
		return true;
	while (p < end) {
		const char *line = p, *next = p;

		p = line_after(p, end);
		if (end - line < 3 || line[0] != '-' || line[1] != '-' ||
		    !field_name_length(p, line_after(p, end)))
			continue;
		if (part_tells(p, end, line, &next, &all, links))
			return true;
		p = MAX(next, p);
	}
	return all.html && !all.plain;
}

bool scan_body_tells(const head *h, GPtrArray **links)
{
	const field *type = head_first(h, FIELD_CONTENT_TYPE);

	if (type &&
	    (field_begins(type, "multipart/") || field_begins(type, "message/")))
		return parts_tell(h, links);
	if (type && (field_begins(type, "text/html") || hides_text(type)))
		return true;
	return encoded_tells(h->body, h->body_length,
			     encoding_of(head_first(h, FIELD_CONTENT_ENCODING)), links);
}
