/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/fields.h"

#include <stdint.h>
#include <string.h>

#include "parser/charset.h"
#include "parser/error.h"
#include "parser/mail.h"

typedef struct known {
	const char *name;
	field_kind kind;
} known;

/* The fields that somebody reads, by the length of their names. */
/* clang-format off */
static const known length_2[] = { { "To", FIELD_TO }, { "Cc", FIELD_CC } };
static const known length_4[] = { { "From", FIELD_FROM }, { "Date", FIELD_DATE } };
static const known length_6[] = { { "Sender", FIELD_SENDER } };
static const known length_7[] = { { "Subject", FIELD_SUBJECT }, { "List-Id", FIELD_LIST_ID } };
static const known length_8[] = {
	{ "Reply-To", FIELD_REPLY_TO },
	{ "Received", FIELD_RECEIVED },
	{ "Robot-ID", FIELD_EVIDENCE },
};
static const known length_9[] = { { "List-Post", FIELD_MAILING_LIST } };
static const known length_10[] = {
	{ "Message-ID", FIELD_MESSAGE_ID },
	{ "References", FIELD_REFERENCES },
	{ "Precedence", FIELD_EVIDENCE },
};
static const known length_11[] = {
	{ "In-Reply-To", FIELD_IN_REPLY_TO },
	{ "Return-Path", FIELD_RETURN_PATH },
	{ "X-Autoreply", FIELD_EVIDENCE },
};
static const known length_12[] = { { "Content-Type", FIELD_CONTENT_TYPE } };
static const known length_13[] = { { "X-Autorespond", FIELD_EVIDENCE } };
static const known length_14[] = {
	{ "X-Mailing-List", FIELD_MAILING_LIST },
	{ "Auto-Submitted", FIELD_EVIDENCE },
};
static const known length_15[] = {
	{ "X-Original-From", FIELD_ORIGINAL_FROM },
	{ "X-Patchwork-Bot", FIELD_EVIDENCE },
	{ "X-Github-Sender", FIELD_EVIDENCE },
};
static const known length_17[] = { { "X-Bugzilla-Reason", FIELD_EVIDENCE } };
static const known length_19[] = {
	{ "Content-Disposition", FIELD_CONTENT_DISPOSITION },
	{ "X-Failed-Recipients", FIELD_EVIDENCE },
	{ "X-PR-Tracked-Remote", FIELD_EVIDENCE },
};
static const known length_20[] = { { "X-PR-Tracked-List-Id", FIELD_EVIDENCE }, { "X-Gerrit-MessageType", FIELD_EVIDENCE } };
static const known length_21[] = { { "X-Regtrail-Regression", FIELD_REGRESSION } };
static const known length_22[] = { { "Authentication-Results", FIELD_AUTHENTICATION }, { "X-PR-Tracked-Commit-Id", FIELD_EVIDENCE } };
static const known length_23[] = { { "X-PR-Tracked-Message-Id", FIELD_EVIDENCE } };
static const known length_25[] = { { "Content-Transfer-Encoding", FIELD_CONTENT_ENCODING } };

#define OF(length)                                                                     \
	[length] = { length_##length, G_N_ELEMENTS(length_##length) }

static const struct {
	const known *list;
	size_t n;
} by_length[] = {
	OF(2), OF(4), OF(6), OF(7), OF(8), OF(9),
	OF(10), OF(11), OF(12), OF(13), OF(14), OF(15),
	OF(17), OF(19), OF(20), OF(21), OF(22), OF(23),
	OF(25),
};
/* clang-format on */

/* Most fields of a mail are none of these; length and first letter tell it mostly. */
static const known *find_known(const char *name, size_t length)
{
	if (length >= G_N_ELEMENTS(by_length))
		return NULL;
	for (size_t i = 0; i < by_length[length].n; i++) {
		const known *k = &by_length[length].list[i];

		if (((k->name[0] ^ name[0]) & ~0x20) == 0 &&
		    (memcmp(k->name, name, length) == 0 ||
		     g_ascii_strncasecmp(k->name, name, length) == 0))
			return k;
	}
	return NULL;
}

#define EVERY_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/* Not 0 if one of eight bytes is outside of '!' to '~'; its lowest mark is true. */
static uint64_t odd_bytes(uint64_t eight)
{
	uint64_t low = (eight - EVERY_BYTE('!')) & ~eight;
	uint64_t high = eight | (eight + EVERY_BYTE(0x80 - 0x7f));

	return (low | high) & EVERY_BYTE(0x80);
}

bool field_is_graphic(const char *p, size_t length)
{
	uint64_t eight;
	size_t i = 0;

	for (; i + sizeof(eight) <= length; i += sizeof(eight)) {
		memcpy(&eight, p + i, sizeof(eight));
		if (odd_bytes(eight))
			return false;
	}
	for (; i < length; i++)
		if ((unsigned char)(p[i] - '!') > '~' - '!')
			return false;
	return true;
}

/* The colon behind a name of the usual kind, eight bytes at a time; NULL for others. */
static const char *colon_of_word(const char *p, const char *end)
{
	uint64_t eight, colons, odd;

	for (; end - p >= (ptrdiff_t)sizeof(eight); p += sizeof(eight)) {
		memcpy(&eight, p, sizeof(eight));
		eight = GUINT64_FROM_LE(eight);
		odd = odd_bytes(eight);
		colons = eight ^ EVERY_BYTE(':');
		colons = (colons - EVERY_BYTE(1)) & ~colons & EVERY_BYTE(0x80);
		/* Borrows go upwards: the lowest mark of each is a true one. */
		if (colons && (!odd || __builtin_ctzll(colons) < __builtin_ctzll(odd)))
			return p + __builtin_ctzll(colons) / 8;
		if (odd)
			return NULL;
	}
	return NULL;
}

size_t field_name_length(const char *p, const char *end)
{
	const char *colon = colon_of_word(p, end);
	const char *stop = colon;

	if (colon)
		return (size_t)(colon - p);
	stop = colon = memchr(p, ':', (size_t)(end - p));

	while (stop && stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
		stop--; /* "Subject : x" was legal once */
	return colon && field_is_graphic(p, (size_t)(stop - p)) ? (size_t)(stop - p) :
								  0;
}

/* The end of the field that begins at p: the line end before a non-continuation. */
static const char *field_end(const char *p, const char *end)
{
	for (;;) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nl)
			return end;
		if (nl + 1 >= end || (nl[1] != ' ' && nl[1] != '\t'))
			return nl;
		p = nl + 1;
	}
}

static void keep(head *h, field_kind kind, const char *name, size_t length,
		 const char *end)
{
	const char *colon = memchr(name + length, ':', (size_t)(end - name) - length);
	field f = { kind, name, length, colon + 1, (size_t)(end - colon - 1) };

	while (f.length &&
	       (f.value[f.length - 1] == '\r' || f.value[f.length - 1] == ' '))
		f.length--;
	/*
	 * Every server adds a Received: of its own; the topmost is all we read, but for
	 * those that part what one server vouches for from what came to it.
	 */
	if (kind == FIELD_RECEIVED && h->first[FIELD_RECEIVED] && !h->vouched)
		return;
	if (kind == FIELD_RECEIVED || kind == FIELD_AUTHENTICATION)
		h->vouched = kind == FIELD_AUTHENTICATION;
	g_array_append_val(h->fields, f);
	if (!h->first[kind])
		h->first[kind] = h->fields->len;
}

/* True for a line that ends the block: empty, but for a CR. */
static bool is_blank(const char *p, const char *end)
{
	return p < end && (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n'));
}

/* What stands where a field should: an old mbox's leavings, or the body already. */
static bool is_mbox_leaving(const char *p, const char *end)
{
	while (p < end && *p == '>')
		p++;
	return end - p >= 5 && memcmp(p, "From ", 5) == 0;
}

bool head_read(head *h, const char *bytes, size_t length, GError **error)
{
	const char *p = bytes, *end = bytes + length;
	bool any = false;

	memset(h, 0, sizeof(*h));
	h->fields = g_array_sized_new(FALSE, FALSE, sizeof(field), 24);
	while (p < end && !is_blank(p, end)) {
		const char *stop = field_end(p, end);
		size_t name = field_name_length(p, stop);
		const known *k = name ? find_known(p, name) : NULL;

		if (!name && any && !is_mbox_leaving(p, end)) {
			h->broken_lines++;
			break; /* the body begins without a blank line */
		}
		h->broken_lines += !name && !is_mbox_leaving(p, end);
		any = any || name;
		if (k)
			keep(h, k->kind, p, name, stop);
		p = stop < end ? stop + 1 : end;
		if ((size_t)(p - bytes) > PARSER_HEADER_MAX ||
		    (!any && h->broken_lines))
			break;
	}
	if ((size_t)(p - bytes) > PARSER_HEADER_MAX) {
		g_set_error(error, PARSER_ERROR, PARSER_ERROR_TOO_BIG,
			    "header block exceeds the limit of %u bytes",
			    PARSER_HEADER_MAX);
		head_clear(h);
		return false;
	}
	if (!any) {
		g_set_error_literal(error, PARSER_ERROR, PARSER_ERROR_NOT_MAIL,
				    length ? "no mail header in line 1" :
					     "empty message");
		head_clear(h);
		return false;
	}
	if (p < end && is_blank(p, end))
		p += *p == '\r' ? 2 : 1;
	h->body = p;
	h->body_length = (size_t)(end - p);
	return true;
}

void head_clear(head *h)
{
	if (h->fields)
		g_array_free(h->fields, TRUE);
	h->fields = NULL;
}

const field *head_first(const head *h, field_kind kind)
{
	guint at = h->first[kind];

	return at ? &g_array_index(h->fields, field, at - 1) : NULL;
}

const field *head_next(const head *h, const field *after)
{
	const field *end = &g_array_index(h->fields, field, h->fields->len);

	for (const field *f = after + 1; f < end; f++)
		if (f->kind == after->kind)
			return f;
	return NULL;
}

static bool is_plain(char c)
{
	return (unsigned char)c >= ' ';
}

/* Joins the lines of a folded value: a line end and the blanks after it are one blank.
 */
static GString *unfold(const char *value, size_t length)
{
	const char *p = value, *end = value + length;
	GString *out = g_string_sized_new(length + 1);

	while (p < end) {
		const char *run = p;

		while (p < end && is_plain(*p))
			p++;
		g_string_append_len(out, run, p - run);
		if (p >= end)
			break;
		bool eol = *p == '\n' || *p == '\r';

		if (eol || *p == '\t')
			g_string_append_c(out, ' ');
		p++;
		while (eol && p < end &&
		       (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
			p++;
	}
	return out;
}

static char *trimmed(char *text)
{
	return g_strstrip(text);
}

/* True if no byte has eight bits. */
static bool is_ascii(const char *p, size_t length)
{
	uint64_t bits = 0, eight;
	size_t i = 0;

	for (; i + sizeof(eight) <= length; i += sizeof(eight)) {
		memcpy(&eight, p + i, sizeof(eight));
		bits |= eight;
	}
	for (; i < length; i++)
		bits |= (unsigned char)p[i];
	return !(bits & EVERY_BYTE(0x80));
}

/* True if all bytes are printable ASCII or a blank. */
static bool is_plain_ascii(const char *p, size_t length)
{
	uint64_t low = 0, eight;
	size_t i = 0;

	for (; i + sizeof(eight) <= length; i += sizeof(eight)) {
		memcpy(&eight, p + i, sizeof(eight));
		low |= (eight - EVERY_BYTE(' ')) | eight;
	}
	for (; i < length; i++)
		low |= (unsigned char)(p[i] - ' ') | (unsigned char)p[i];
	return !(low & EVERY_BYTE(0x80));
}

/* Most values are one line of ASCII; NULL for others. */
static char *one_line(const char *p, size_t length)
{
	while (length && (*p == ' ' || *p == '\t')) {
		p++;
		length--;
	}
	if (!is_plain_ascii(p, length))
		return NULL;
	while (length && p[length - 1] == ' ')
		length--;
	return g_strndup(p, length);
}

char *field_raw_text(const field *f)
{
	char *line = one_line(f->value, f->length);

	if (line)
		return line;
	GString *flat = unfold(f->value, f->length);

	if (is_ascii(flat->str, flat->len))
		return trimmed(g_string_free(flat, FALSE));
	char *text = charset_to_utf8(flat->str, flat->len, NULL, NULL);

	g_string_free(flat, TRUE);
	return trimmed(text);
}

bool field_begins(const field *f, const char *prefix)
{
	const char *p = f->value, *end = p + f->length;
	size_t n = strlen(prefix);

	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
		p++;
	return (size_t)(end - p) >= n && g_ascii_strncasecmp(p, prefix, n) == 0;
}

bool field_has_words(const field *f)
{
	const char *p = f->value, *end = p + f->length;

	while ((p = memchr(p, '=', (size_t)(end - p)))) {
		if (++p < end && *p == '?')
			return true;
	}
	return false;
}

char *field_decoded(const field *f)
{
	char *raw = field_raw_text(f);

	return strstr(raw, "=?") ? trimmed(charset_decode_words(raw)) : raw;
}

char *field_raw_text_cut(const field *f, size_t max, bool *cut)
{
	field part = *f;

	if (part.length > max) {
		part.length = max;
		while (part.length && part.value[part.length - 1] != ',')
			part.length--;
		if (!part.length)
			part.length = max;
		*cut = true;
	}
	return field_raw_text(&part);
}
