/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What bulk ingest asks of every message: the header's facts, by the same functions as
 * the full parse, and whether the body is worth one.
 */
#include <string.h>

#include "parser/address.h"
#include "parser/class.h"
#include "parser/date.h"
#include "parser/error.h"
#include "parser/fields.h"
#include "parser/head.h"
#include "parser/mail.h"
#include "parser/msgid.h"

#define BODY_LOOK_MAX (1u << 20) /* bytes of a body that are looked at */
#define ROBOT_ID_MAX  100        /* bytes of a robot's id before its '@' */

static bool has_text(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && memcmp(s, word, n) == 0;
}

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

/* "YYYYMMDDHHMM.8hex-any@": the shape of a robot's id, ending before the '@' at `at`.
 */
static bool robot_id_before(const char *start, const char *at)
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
 * "+18.3%" in a table.  It is rare, so memchr() runs over nearly everything.
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

static bool body_tells(const char *body, size_t length)
{
	const char *end = body + MIN(length, BODY_LOOK_MAX);

	for (const char *p = body; (p = memchr(p, '%', (size_t)(end - p))); p++)
		if (percent_tells(body, p, end))
			return true;
	for (const char *p = body; (p = memchr(p, '@', (size_t)(end - p))); p++)
		if (robot_id_before(body, p))
			return true;
	for (const char *p = body; (p = memchr(p, '#', (size_t)(end - p))); p++)
		if (has_text(p, end, "#regtrail") || has_text(p, end, "#regzbot"))
			return true;
	for (const char *p = body; (p = memchr(p, 'R', (size_t)(end - p))); p++)
		if (has_text(p, end, "Regression-ID:"))
			return true;
	return false;
}

/* A base64 body tells nothing as it stands. */
static bool encoded_body_tells(const head *h)
{
	const field *f = head_first(h, FIELD_CONTENT_ENCODING);

	if (!f || !field_begins(f, "base64"))
		return body_tells(h->body, h->body_length);
	size_t length = MIN(h->body_length, BODY_LOOK_MAX);
	g_autofree guchar *plain = g_malloc(length / 4 * 3 + 3);
	gint state = 0;
	guint save = 0;
	gsize n = g_base64_decode_step(h->body, length, plain, &state, &save);

	return body_tells((const char *)plain, n);
}

static bool contains(const char *text, const char *word)
{
	return text && strcasestr(text, word);
}

static bool id_tells(const char *id)
{
	const char *at = id ? strchr(id, '@') : NULL;

	return at && robot_id_before(id, at);
}

static bool ids_tell(const GPtrArray *ids)
{
	for (guint i = 0; i < ids->len; i++)
		if (id_tells(ids->pdata[i]))
			return true;
	return false;
}

static bool subject_tells(const char *subject)
{
	return strstr(subject, "regression") || strstr(subject, "% improvement") ||
	       strstr(subject, "[lkp") || strstr(subject, "[LKP") ||
	       strstr(subject, "#regtrail");
}

static bool head_tells(const head *h, const parser_scan *scan)
{
	if (head_first(h, FIELD_REGRESSION) || id_tells(scan->message_id) ||
	    ids_tell(scan->in_reply_to) || ids_tell(scan->references) ||
	    subject_tells(scan->subject))
		return true;
	for (guint i = 0; i < scan->lists->len; i++)
		if (strstr(scan->lists->pdata[i], "lkp"))
			return true;
	return contains(scan->from.name, "robot") || contains(scan->from.name, "lkp");
}

bool parser_scan_message(const char *bytes, size_t length, parser_scan *scan,
			 GError **error)
{
	g_auto(head) h = { 0 };
	parser_address written;
	int64_t received;

	if (length > PARSER_MAIL_MAX) {
		g_set_error(error, PARSER_ERROR, PARSER_ERROR_TOO_BIG,
			    "message of %zu bytes exceeds the limit of %u", length,
			    PARSER_MAIL_MAX);
		return false;
	}
	if (!head_read(&h, bytes, length, error))
		return false;
	scan->message_id = msgid_own(&h);
	scan->in_reply_to = msgid_list(&h, FIELD_IN_REPLY_TO, scan->message_id);
	scan->references = msgid_list(&h, FIELD_REFERENCES, scan->message_id);
	scan->subject = head_subject(&h);
	address_from(&h, &written);
	address_person(&h, &written, &scan->from);
	address_clear(&written);
	date_of_message(&h, &scan->date, &received);
	scan->lists = head_lists(&h);
	scan->bounce = class_is_delivery_report(&h);
	scan->candidate = head_tells(&h, scan) || encoded_body_tells(&h);
	return true;
}

void parser_scan_clear(parser_scan *scan)
{
	g_free(scan->message_id);
	g_clear_pointer(&scan->in_reply_to, g_ptr_array_unref);
	g_clear_pointer(&scan->references, g_ptr_array_unref);
	g_free(scan->subject);
	address_clear(&scan->from);
	g_clear_pointer(&scan->lists, g_ptr_array_unref);
	memset(scan, 0, sizeof(*scan));
}
