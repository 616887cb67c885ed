/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/charset.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "parser/gmime.h"

/* windows-1252 0x80 to 0x9f; the five holes stay C1 controls, as browsers have it. */
static const gunichar windows_1252[32] = {
	0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
	0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
	0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
	0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178,
};

static void append_1252(GString *out, unsigned char c)
{
	if (c >= 0x80 && c < 0xa0)
		g_string_append_unichar(out, windows_1252[c - 0x80]);
	else
		g_string_append_unichar(out, c);
}

/* Charsets whose bytes are all ASCII: valid UTF-8 proves nothing about them. */
static bool has_escapes(const char *name)
{
	static const char *const prefixes[] = {
		"iso-2022-", "hz",    "utf-7", "utf7",  "utf-16",           "utf-32",
		"utf16",     "utf32", "ucs-2", "ucs-4", "unicode-1-1-utf-7"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(name, prefixes[i]))
			return true;
	return false;
}

static bool is_single_byte(const char *name)
{
	return g_str_has_prefix(name, "iso-8859-") ||
	       g_str_has_prefix(name, "windows-125") ||
	       g_str_has_prefix(name, "koi8-") || g_str_has_prefix(name, "cp125") ||
	       g_str_has_prefix(name, "cp85") || g_str_has_prefix(name, "ibm85") ||
	       g_str_has_prefix(name, "mac");
}

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(name, *names) != 0)
		names++;
	return *names;
}

/* The labels that mean windows-1252 in practice ... */
static bool is_latin(const char *name)
{
	static const char *const names[] = { "iso-8859-1", "iso8859-1",    "iso_8859-1",
					     "latin1",     "windows-1252", "cp1252",
					     NULL };

	return is_among(name, names);
}

/* ... and those that say nothing about a byte above 0x7f. */
static bool is_western(const char *name)
{
	static const char *const names[] = {
		"",          "us-ascii",     "ascii", "ansi_x3.4-1968", "utf-8", "utf8",
		"x-unknown", "unknown-8bit", NULL
	};

	return is_latin(name) || is_among(name, names);
}

/* gb2312 and its kin are labels for whatever their superset holds. */
static const char *superset(const char *name)
{
	if (strcmp(name, "gb2312") == 0 || strcmp(name, "gbk") == 0)
		return "gb18030";
	if (strcmp(name, "ks_c_5601-1987") == 0 || strcmp(name, "euc-kr") == 0)
		return "cp949";
	return name;
}

/*
 * "1.5 \xb1 7%": the table of a robot that was sent in a Latin-1 locale.  Whatever
 * single-byte charset a client wrote above it, the byte is a plus-minus sign.
 */
static bool has_latin_plus_minus(const char *bytes, size_t length)
{
	const char *p = bytes, *end = bytes + length;

	while ((p = memchr(p, 0xb1, (size_t)(end - p)))) {
		const char *q = p + 1;

		while (q < end && q < p + 4 && *q == ' ')
			q++;
		if (p - bytes >= 2 && p[-1] == ' ' && g_ascii_isdigit(p[-2]) &&
		    q < end && g_ascii_isdigit(*q)) {
			while (q < end && q < p + 8 && g_ascii_isdigit(*q))
				q++;
			if (q < end && *q == '%')
				return true;
		}
		p++;
	}
	return false;
}

static char *try_declared(const char *bytes, size_t length, const char *name)
{
	gsize read = 0, written = 0;
	char *text = g_convert(bytes, (gssize)length, "UTF-8", superset(name), &read,
			       &written, NULL);

	if (text && (read != length || memchr(text, 0, written) ||
		     !g_utf8_validate(text, (gssize)written, NULL)))
		g_clear_pointer(&text, g_free);
	return text;
}

/* Keeps what is UTF-8 and takes every other byte as windows-1252. */
static char *piecewise(const char *bytes, size_t length)
{
	const char *end = bytes + length;
	GString *out = g_string_sized_new(length + length / 8 + 1);

	while (bytes < end) {
		const char *bad;

		g_utf8_validate(bytes, end - bytes, &bad);
		g_string_append_len(out, bytes, bad - bytes);
		if (bad < end)
			append_1252(out, (unsigned char)*bad++);
		bytes = bad;
	}
	return g_string_free(out, FALSE);
}

static void say(charset_result *r, const char *name, bool repaired)
{
	g_strlcpy(r->name, name, sizeof(r->name));
	r->repaired = repaired;
}

static char *without_nul(const char *bytes, size_t *length)
{
	GString *kept = g_string_sized_new(*length);

	for (size_t i = 0; i < *length; i++)
		if (bytes[i])
			g_string_append_c(kept, bytes[i]);
	*length = kept->len;
	return g_string_free(kept, FALSE);
}

/* No NUL among the bytes, and not valid UTF-8. */
static char *decode_eight_bit(const char *bytes, size_t length, const char *name,
			      charset_result *r)
{
	bool western = is_western(name), latin = false;

	if (!western) {
		latin = is_single_byte(name) && has_latin_plus_minus(bytes, length);
		char *text = latin ? NULL : try_declared(bytes, length, name);

		if (text) {
			say(r, name, false);
			return text;
		}
	}
	say(r, "windows-1252", !western || !is_latin(name));
	return piecewise(bytes, length);
}

/* g_utf8_validate(), called for nothing but runs of bytes that are not ASCII. */
static bool is_utf8(const char *p, size_t length)
{
	const char *end = p + length;
	uint64_t eight;

	while (p < end) {
		while (end - p >= (ptrdiff_t)sizeof(eight) &&
		       (memcpy(&eight, p, sizeof(eight)),
			!(eight & UINT64_C(0x8080808080808080))))
			p += sizeof(eight);
		while (p < end && !(*p & 0x80))
			p++;
		const char *run = p;

		while (p < end && *p & 0x80)
			p++;
		if (p > run && !g_utf8_validate(run, p - run, NULL))
			return false;
	}
	return true;
}

char *charset_to_utf8(const char *bytes, size_t length, const char *declared,
		      charset_result *result)
{
	charset_result unused, *r = result ? result : &unused;
	g_autofree char *name = g_ascii_strdown(declared ? declared : "", -1);
	g_autofree char *clean = NULL;
	char *text;

	memset(r, 0, sizeof(*r));
	g_strstrip(name);
	if (!length)
		bytes = "";
	if (has_escapes(name) && (text = try_declared(bytes, length, name))) {
		say(r, name, false);
		return text;
	}
	if (length && memchr(bytes, 0, length)) {
		r->had_nul = true;
		bytes = clean = without_nul(bytes, &length);
	}
	if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
		bytes += 3;
		length -= 3;
	}
	if (is_utf8(bytes, length)) {
		say(r, "utf-8", false);
		return g_strndup(bytes, length);
	}
	return decode_eight_bit(bytes, length, name, r);
}

char *charset_decode_words(char *text)
{
	g_autofree char *words = text;

	gmime_start();
	g_autofree char *decoded = g_mime_utils_header_decode_text(NULL, words);
	char *valid = g_utf8_make_valid(decoded ? decoded : words, -1);

	/* A word may hold what a header never could: line ends and other controls. */
	for (char *p = valid; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = ' ';
	return valid;
}
