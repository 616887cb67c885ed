/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/mail.h"

#include <string.h>

#include "parser/address.h"
#include "parser/archive.h"
#include "parser/body.h"
#include "parser/class.h"
#include "parser/date.h"
#include "parser/error.h"
#include "parser/fields.h"
#include "parser/head.h"
#include "parser/msgid.h"
#include "parser/spans.h"

static void attachment_free(parser_attachment *a)
{
	g_free(a->name);
	g_free(a->type);
	g_bytes_unref(a->bytes);
	g_free(a);
}

static parser_mail *mail_new(void)
{
	parser_mail *mail = g_new0(parser_mail, 1);

	mail->in_reply_to = g_ptr_array_new_with_free_func(g_free);
	mail->references = g_ptr_array_new_with_free_func(g_free);
	mail->to = g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	mail->cc = g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	mail->lists = g_ptr_array_new_with_free_func(g_free);
	mail->authentication = g_ptr_array_new_with_free_func(g_free);
	mail->attachments =
		g_ptr_array_new_with_free_func((GDestroyNotify)attachment_free);
	mail->warnings = g_ptr_array_new_with_free_func(g_free);
	mail->spans = g_array_new(FALSE, FALSE, sizeof(parser_span));
	mail->archive_parent = -1;
	return mail;
}

void parser_mail_free(parser_mail *mail)
{
	if (!mail)
		return;
	g_free(mail->message_id);
	g_ptr_array_unref(mail->in_reply_to);
	g_ptr_array_unref(mail->references);
	address_clear(&mail->from);
	address_clear(&mail->sender_as_written);
	g_ptr_array_unref(mail->to);
	g_ptr_array_unref(mail->cc);
	g_free(mail->subject);
	g_ptr_array_unref(mail->lists);
	g_ptr_array_unref(mail->authentication);
	g_free(mail->regression);
	g_free(mail->charset);
	g_free(mail->text);
	g_array_unref(mail->spans);
	g_ptr_array_unref(mail->attachments);
	g_ptr_array_unref(mail->warnings);
	g_free(mail);
}

void mail_warn(parser_mail *mail, const char *warning)
{
	for (guint i = 0; i < mail->warnings->len; i++)
		if (strcmp(mail->warnings->pdata[i], warning) == 0)
			return;
	g_ptr_array_add(mail->warnings, g_strdup(warning));
}

/* ---- the head -------------------------------------------------------------------- */

static void replace_array(GPtrArray **array, GPtrArray *with)
{
	g_ptr_array_unref(*array);
	*array = with;
}

static void warn_about_head(parser_mail *mail, const head *h, bool cut)
{
	const field *f = head_first(h, FIELD_MESSAGE_ID);

	if (cut)
		mail_warn(mail, "an address line over the limit was cut");
	if (!mail->message_id)
		mail_warn(mail, "no Message-ID");
	else if (f && head_next(h, f))
		mail_warn(mail, "several Message-ID lines; the first counts");
	if (h->broken_lines)
		mail_warn(mail, "a line in the header is no field");
	if (!mail->date)
		mail_warn(mail, "no usable date");
	if (!mail->sender_as_written.address)
		mail_warn(mail, "no address in From");
}

/* Who wrote it must be plain before somebody can vouch for it. */
static void read_authentication(parser_mail *mail, const head *h)
{
	const field *from = head_first(h, FIELD_FROM);

	if (!from || head_next(h, from))
		return;
	for (guint i = 0; i < h->fields->len; i++) {
		const field *f = &g_array_index(h->fields, field, i);

		if (f->kind == FIELD_AUTHENTICATION)
			g_ptr_array_add(mail->authentication, field_raw_text(f));
		else if (f->kind == FIELD_RECEIVED && mail->authentication->len)
			g_ptr_array_add(mail->authentication, g_strdup(""));
	}
}

static void read_head(parser_mail *mail, const head *h)
{
	bool cut = false;

	mail->message_id = msgid_own(h);
	replace_array(&mail->in_reply_to,
		      msgid_list(h, FIELD_IN_REPLY_TO, mail->message_id));
	replace_array(&mail->references,
		      msgid_list(h, FIELD_REFERENCES, mail->message_id));
	replace_array(&mail->to, address_list(h, FIELD_TO, &cut));
	replace_array(&mail->cc, address_list(h, FIELD_CC, &cut));
	address_from(h, &mail->sender_as_written);
	address_person(h, &mail->sender_as_written, &mail->from);
	date_of_message(h, &mail->date, &mail->received);
	mail->subject = head_subject(h);
	replace_array(&mail->lists, head_lists(h));
	read_authentication(mail, h);
	warn_about_head(mail, h, cut);
}

/* ---- our own ID, in the head or in a (quoted) line
 * ----------------------------------- */

static char *regression_id(const char *s, size_t length)
{
	while (length && (*s == ' ' || *s == '\t')) {
		s++;
		length--;
	}
	for (size_t i = 0; i < 40; i++)
		if (i >= length || !g_ascii_isxdigit(s[i]))
			return NULL;
	if (length > 40 && g_ascii_isalnum(s[40]))
		return NULL;
	return g_ascii_strdown(s, 40);
}

static void read_regression(parser_mail *mail, const head *h)
{
	static const char mark[] = "Regression-ID:";
	const field *f = h ? head_first(h, FIELD_REGRESSION) : NULL;

	if (f)
		mail->regression = regression_id(f->value, f->length);
	for (const char *p = mail->text; !mail->regression && (p = strstr(p, mark));) {
		const char *start = p;

		while (start > mail->text && strchr(" >|\t", start[-1]))
			start--;
		p += sizeof(mark) - 1;
		if (start == mail->text || start[-1] == '\n')
			mail->regression = regression_id(p, strcspn(p, "\n"));
	}
}

/* ---- the whole
 * ------------------------------------------------------------------------ */

/* Undoes ">From " of a mailbox: one '>' less on lines of '>'s before "From ". */
static char *unquote_from(const char *bytes, size_t *length)
{
	GString *out = g_string_sized_new(*length);
	const char *p = bytes, *end = bytes + *length;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *next = nl ? nl + 1 : end, *mark = p;

		while (mark < next && *mark == '>')
			mark++;
		if (mark > p && next - mark >= 5 && memcmp(mark, "From ", 5) == 0)
			p++;
		g_string_append_len(out, p, next - p);
		p = next;
	}
	*length = out->len;
	return g_string_free(out, FALSE);
}

static parser_mail *parse_message(const char *bytes, size_t length, GError **error)
{
	g_auto(head) h = { 0 };

	if (!head_read(&h, bytes, length, error))
		return NULL;
	parser_mail *mail = mail_new();
	g_autoptr(GArray) sections = g_array_new(FALSE, FALSE, sizeof(section));

	read_head(mail, &h);
	body_read(mail, &h, sections);
	class_read(mail, &h);
	spans_read(mail, sections);
	read_regression(mail, &h);
	return mail;
}

static parser_mail *parse_page(const char *bytes, size_t length, unsigned index,
			       GError **error)
{
	size_t probe = MIN(length, 4096);

	if (!length || memchr(bytes, 0, probe)) {
		g_set_error_literal(error, PARSER_ERROR, PARSER_ERROR_NOT_MAIL,
				    length ? "binary data" : "empty text");
		return NULL;
	}
	parser_mail *mail = mail_new();

	archive_read(mail, bytes, length, index);
	read_regression(mail, NULL);
	return mail;
}

parser_mail *parser_mail_parse(const char *bytes, size_t length, parser_form form,
			       unsigned index, GError **error)
{
	g_autofree char *unquoted = NULL;

	if (length > PARSER_MAIL_MAX) {
		g_set_error(error, PARSER_ERROR, PARSER_ERROR_TOO_BIG,
			    "message of %zu bytes exceeds the limit of %u", length,
			    PARSER_MAIL_MAX);
		return NULL;
	}
	if (form == PARSER_FORM_ARCHIVE)
		return parse_page(bytes, length, index, error);
	if (form == PARSER_FORM_MBOX && length && memmem(bytes, length, "\n>", 2))
		bytes = unquoted = unquote_from(bytes, &length);
	return parse_message(bytes, length, error);
}

/* ---- spans, for readers
 * ------------------------------------------------------------------ */

parser_span_kind parser_mail_kind_at(const parser_mail *mail, size_t offset)
{
	guint low = 0, high = mail->spans->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const parser_span *s = &g_array_index(mail->spans, parser_span, middle);

		if (offset < s->start)
			high = middle;
		else if (offset >= s->end)
			low = middle + 1;
		else
			return s->kind;
	}
	return PARSER_SPAN_OWN;
}
