/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What bulk ingest asks of every message: the header's facts, by the same functions as
 * the full parse, and whether the body is worth one.
 */
#include <string.h>

#include "parser/address.h"
#include "parser/ascii.h"
#include "parser/class.h"
#include "parser/date.h"
#include "parser/error.h"
#include "parser/fields.h"
#include "parser/head.h"
#include "parser/mail.h"
#include "parser/msgid.h"
#include "parser/scan_body.h"

static bool contains(const char *text, const char *word)
{
	return text && ascii_holds(text, word);
}

static bool id_tells(const char *id)
{
	const char *at = id ? strchr(id, '@') : NULL;

	return at && scan_is_robot_id(id, at);
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
	date_of_message(&h, &scan->date, &scan->received);
	scan->lists = head_lists(&h);
	scan->bounce = class_is_delivery_report(&h);
	scan->candidate = head_tells(&h, scan) || scan_body_tells(&h, &scan->links);
	return true;
}

static bool same_field(const head *a, const head *b, field_kind kind)
{
	const field *x = head_first(a, kind), *y = head_first(b, kind);

	return (!x && !y) || (x && y && x->length == y->length &&
			      memcmp(x->value, y->value, x->length) == 0);
}

bool parser_same_text(const char *a, size_t a_length, const char *b, size_t b_length)
{
	g_auto(head) x = { 0 }, y = { 0 };

	return head_read(&x, a, a_length, NULL) && head_read(&y, b, b_length, NULL) &&
	       x.body_length == y.body_length &&
	       same_field(&x, &y, FIELD_CONTENT_TYPE) &&
	       same_field(&x, &y, FIELD_CONTENT_ENCODING) &&
	       same_field(&x, &y, FIELD_CONTENT_DISPOSITION) &&
	       memcmp(x.body, y.body, x.body_length) == 0;
}

void parser_scan_clear(parser_scan *scan)
{
	g_free(scan->message_id);
	g_clear_pointer(&scan->in_reply_to, g_ptr_array_unref);
	g_clear_pointer(&scan->references, g_ptr_array_unref);
	g_free(scan->subject);
	address_clear(&scan->from);
	g_clear_pointer(&scan->lists, g_ptr_array_unref);
	g_clear_pointer(&scan->links, g_ptr_array_unref);
	memset(scan, 0, sizeof(*scan));
}
