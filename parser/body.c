/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/body.h"

#include <string.h>

#include "parser/charset.h"
#include "parser/gmime.h"
#include "parser/html.h"
#include "parser/parts.h"

/* A part of the message that waits to be looked at. */
typedef struct waiting {
	GMimeObject *object; /* lent by the message */
	unsigned depth;
	bool forwarded;
	bool attached; /* inside something that is no text of this mail */
} waiting;

typedef struct reader {
	parser_mail *mail;
	GString *text;
	GArray *sections;
	GArray *stack; /* waiting; the last is the next */
	unsigned parts;
	bool has_text;
	GMimePart *html; /* the first HTML part, in case nothing else is readable */
	GMimePart *attachment; /* the first attached text, likewise */
} reader;

/* ---- what GMime gets to see -------------------------------------------------------
 */

static void copy_field(GByteArray *out, const head *h, field_kind kind)
{
	const field *f = head_first(h, kind);

	if (!f || f->length > PARSER_GMIME_HEADER_MAX)
		return;
	if (kind == FIELD_CONTENT_TYPE && !memchr(f->value, '/', f->length))
		return; /* "text": GMime would take it for binary data */
	g_byte_array_append(out, (const guint8 *)f->name, (guint)f->name_length);
	g_byte_array_append(out, (const guint8 *)":", 1);
	g_byte_array_append(out, (const guint8 *)f->value, (guint)f->length);
	g_byte_array_append(out, (const guint8 *)"\n", 1);
}

static bool is_address_field(const char *p, size_t length)
{
	static const char *const names[] = { "from", "to",     "cc",
					     "bcc",  "sender", "reply-to" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strlen(names[i]) == length &&
		    g_ascii_strncasecmp(names[i], p, length) == 0)
			return true;
	return false;
}

/*
 * A message inside the message has a header, too, and GMime's address reader overflows
 * the stack on one that is long enough.  Copies the body, address lines cut.
 */
static bool copy_body(GByteArray *out, const char *p, size_t length)
{
	const char *end = p + length, *copied = p;
	bool cut = false;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)),
			   *stop = nl ? nl : end;
		size_t name = field_name_length(p, MIN(stop, p + 16));

		if (name && is_address_field(p, name)) {
			while (stop + 1 < end && (stop[1] == ' ' || stop[1] == '\t')) {
				nl = memchr(stop + 1, '\n', (size_t)(end - stop - 1));
				stop = nl ? nl : end;
			}
			if ((size_t)(stop - p) > PARSER_ADDRESS_HEADER_MAX) {
				p += PARSER_ADDRESS_HEADER_MAX;
				g_byte_array_append(out, (const guint8 *)copied,
						    (guint)(p - copied));
				copied = stop;
				cut = true;
			}
		}
		p = stop < end ? stop + 1 : end;
	}
	g_byte_array_append(out, (const guint8 *)copied, (guint)(end - copied));
	return cut;
}

/* Only multiparts and messages hold headers of their own. */
static bool may_hold_message(const head *h)
{
	const field *f = head_first(h, FIELD_CONTENT_TYPE);

	return f && !field_begins(f, "text/");
}

static GMimeObject *parse(GByteArray *bytes)
{
	gmime_start();
	g_autoptr(GMimeStream) stream = g_mime_stream_mem_new_with_byte_array(bytes);

	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	g_autoptr(GMimeParser) parser = g_mime_parser_new_with_stream(stream);

	return g_mime_parser_construct_part(parser, NULL);
}

/* ---- leaves ------------------------------------------------------------------------
 */

static GByteArray *content_of(GMimePart *part)
{
	GMimeDataWrapper *content = g_mime_part_get_content(part);
	GByteArray *bytes = g_byte_array_new();

	if (content) {
		g_autoptr(GMimeStream) stream =
			g_mime_stream_mem_new_with_byte_array(bytes);

		g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
		g_mime_data_wrapper_write_to_stream(content, stream);
	}
	return bytes;
}

/*
 * Line ends become LF.  A lone CR is one only in a text without any LF; else it is a
 * blank, for a line that begins behind it would be out of the quote that it stands in.
 */
static void append_lines(GString *out, const char *s)
{
	char lone = strchr(s, '\n') ? ' ' : '\n';

	while (*s) {
		size_t n = strcspn(s, "\r");

		g_string_append_len(out, s, (gssize)n);
		s += n;
		if (!*s)
			break;
		s += strspn(s, "\r");
		if (*s != '\n')
			g_string_append_c(out, lone);
	}
}

static char *decode(reader *r, GMimePart *part, charset_result *result)
{
	GByteArray *bytes = content_of(part);
	const char *charset =
		g_mime_object_get_content_type_parameter(GMIME_OBJECT(part), "charset");
	char *text =
		charset_to_utf8((const char *)bytes->data, bytes->len, charset, result);

	g_byte_array_free(bytes, TRUE);
	if (result->had_nul)
		mail_warn(r->mail, "the text holds NUL bytes; they were dropped");
	if (result->repaired) {
		g_autofree char *valid = g_utf8_make_valid(charset ? charset : "", -1);
		g_autofree char *warning =
			*valid ? g_strdup_printf("the text is not the declared %.40s; "
						 "windows-1252 was assumed",
						 valid) :
				 g_strdup("8-bit text without a charset; windows-1252 "
					  "was assumed");
		mail_warn(r->mail, warning);
	}
	return text;
}

static bool has_parameter(GMimePart *part, const char *name, const char *value)
{
	const char *is =
		g_mime_object_get_content_type_parameter(GMIME_OBJECT(part), name);

	return is && g_ascii_strcasecmp(is, value) == 0;
}

static void append_text(reader *r, const char *text, parser_span_kind kind)
{
	section s = { r->text->len, 0, kind };

	if (r->text->len && r->text->str[r->text->len - 1] != '\n') {
		g_string_append_c(r->text, '\n');
		s.start++;
	}
	append_lines(r->text, text);
	s.end = r->text->len;
	g_array_append_val(r->sections, s);
}

static void take_text(reader *r, GMimePart *part, bool forwarded, bool patch)
{
	charset_result result;
	g_autofree char *text = decode(r, part, &result);

	if (!r->mail->charset) {
		r->mail->charset = g_strdup(result.name);
		r->mail->flowed = has_parameter(part, "format", "flowed");
		r->mail->delsp = r->mail->flowed && has_parameter(part, "delsp", "yes");
	}
	append_text(r, text,
		    patch     ? PARSER_SPAN_PATCH :
		    forwarded ? PARSER_SPAN_FORWARDED :
				PARSER_SPAN_OWN);
	r->has_text = r->has_text || (!forwarded && text[strspn(text, " \t\r\n")]);
}

static char *part_name(GMimePart *part)
{
	const char *name = g_mime_part_get_filename(part);

	return name ? g_utf8_make_valid(name, -1) : NULL;
}

static void attach(reader *r, GMimePart *part)
{
	parser_attachment *a = g_new0(parser_attachment, 1);
	GMimeContentType *type = g_mime_object_get_content_type(GMIME_OBJECT(part));
	g_autofree char *mime = type ? g_mime_content_type_get_mime_type(type) : NULL;

	a->name = part_name(part);
	a->type =
		mime ? g_ascii_strdown(mime, -1) : g_strdup("application/octet-stream");
	a->bytes = g_byte_array_free_to_bytes(content_of(part));
	g_ptr_array_add(r->mail->attachments, a);
}

static bool is_type(GMimePart *part, const char *type, const char *subtype)
{
	GMimeContentType *t = g_mime_object_get_content_type(GMIME_OBJECT(part));

	return t && g_mime_content_type_is_type(t, type, subtype);
}

/* "text/plain", and what broken mailers write for it ("text", "plain/text"). */
static bool is_plain(GMimePart *part)
{
	return is_type(part, "text", "plain") || is_type(part, "plain", "*") ||
	       is_type(part, "text", "") || is_type(part, "text", "text");
}

static bool is_patch(GMimePart *part, const char *name)
{
	return is_type(part, "text", "x-patch") || is_type(part, "text", "x-diff") ||
	       (is_type(part, "text", "*") && name &&
		(g_str_has_suffix(name, ".patch") || g_str_has_suffix(name, ".diff")));
}

static void read_leaf(reader *r, GMimePart *part, const waiting *w)
{
	const char *disposition = g_mime_object_get_disposition(GMIME_OBJECT(part));
	bool attached =
		w->attached ||
		(disposition && g_ascii_strcasecmp(disposition, "attachment") == 0);
	g_autofree char *name = part_name(part);

	if (!attached && !name && is_plain(part)) {
		take_text(r, part, w->forwarded, false);
		return;
	}
	if (!attached && !name && is_type(part, "text", "html") && !w->forwarded) {
		r->html = r->html ? r->html : part;
		return;
	}
	if (!attached && is_patch(part, name))
		take_text(r, part, w->forwarded, true);
	if (is_type(part, "text", "plain") && !r->attachment)
		r->attachment = part;
	attach(r, part);
}

/* ---- the tree -----------------------------------------------------------------------
 */

static void push(reader *r, GMimeObject *object, const waiting *parent, bool attached)
{
	waiting w = { object, parent->depth + 1, parent->forwarded, attached };

	if (w.depth > PARSER_MIME_DEPTH_MAX)
		mail_warn(r->mail, "parts nested deeper than the limit were left out");
	else if (r->parts >= PARSER_PARTS_MAX)
		mail_warn(r->mail, "parts beyond the limit were left out");
	else {
		r->parts++;
		g_array_append_val(r->stack, w);
	}
}

static bool is_subtype(GMimeObject *object, const char *subtype)
{
	GMimeContentType *t = g_mime_object_get_content_type(object);

	return t && g_mime_content_type_is_type(t, "multipart", subtype);
}

static bool has_words(GMimePart *part)
{
	g_autoptr(GByteArray) bytes = content_of(part);

	for (guint i = 0; i < bytes->len; i++)
		if (bytes->data[i] > ' ')
			return true;
	return false;
}

/* Of several forms of one text the plain one, if it has any words, else the richest. */
static void push_alternative(reader *r, GMimeMultipart *multipart, const waiting *w)
{
	int n = g_mime_multipart_get_count(multipart), chosen = -1;

	for (int i = 0; i < n && chosen < 0; i++) {
		GMimeObject *child = g_mime_multipart_get_part(multipart, i);

		if (GMIME_IS_PART(child) && is_plain(GMIME_PART(child)) &&
		    has_words(GMIME_PART(child)))
			chosen = i;
	}
	if (chosen >= 0) {
		push(r, g_mime_multipart_get_part(multipart, chosen), w, w->attached);
		return;
	}
	for (int i = n - 1; i >= 0; i--)
		push(r, g_mime_multipart_get_part(multipart, i), w, w->attached);
}

static void push_children(reader *r, GMimeMultipart *multipart, const waiting *w)
{
	GMimeObject *object = GMIME_OBJECT(multipart);
	int n = g_mime_multipart_get_count(multipart);
	bool one_text = is_subtype(object, "report");

	if (n == 0)
		mail_warn(r->mail, "a multipart without parts");
	if (is_subtype(object, "alternative")) {
		push_alternative(r, multipart, w);
		return;
	}
	if (is_subtype(object, "signed"))
		n = MIN(n, 1); /* the second is the signature */
	for (int i = n - 1; i >= 0; i--)
		push(r, g_mime_multipart_get_part(multipart, i), w,
		     w->attached || (one_text && i > 0));
}

static void forwarded_line(GString *out, const char *name, const char *value)
{
	g_autofree char *valid = value ? g_utf8_make_valid(value, -1) : NULL;

	if (valid)
		g_string_append_printf(out, "%s: %s\n", name,
				       g_strdelimit(valid, "\r\n", ' '));
}

static void read_message(reader *r, GMimeMessagePart *part, const waiting *w)
{
	GMimeMessage *message = g_mime_message_part_get_message(part);
	waiting inner = *w;

	if (!message || w->attached)
		return;
	g_autoptr(GString) header = g_string_new(NULL);

	inner.forwarded = true;
	forwarded_line(header, "From",
		       g_mime_object_get_header(GMIME_OBJECT(message), "From"));
	forwarded_line(header, "Date",
		       g_mime_object_get_header(GMIME_OBJECT(message), "Date"));
	forwarded_line(header, "Subject", g_mime_message_get_subject(message));
	forwarded_line(header, "Message-ID", g_mime_message_get_message_id(message));
	g_string_append_c(header, '\n');
	append_text(r, header->str, PARSER_SPAN_FORWARDED);
	if (g_mime_message_get_mime_part(message))
		push(r, g_mime_message_get_mime_part(message), &inner, w->attached);
}

static void read_tree(reader *r, GMimeObject *root)
{
	waiting w = { root, 0, false, false };

	g_array_append_val(r->stack, w);
	while (r->stack->len) {
		w = g_array_index(r->stack, waiting, r->stack->len - 1);
		g_array_set_size(r->stack, r->stack->len - 1);
		if (GMIME_IS_MULTIPART(w.object))
			push_children(r, GMIME_MULTIPART(w.object), &w);
		else if (GMIME_IS_MESSAGE_PART(w.object))
			read_message(r, GMIME_MESSAGE_PART(w.object), &w);
		else if (GMIME_IS_PART(w.object))
			read_leaf(r, GMIME_PART(w.object), &w);
	}
}

/* No plain text: HTML made readable, or the first attached text, or the bare bytes. */
static void fall_back(reader *r, GMimeObject *root, const head *h)
{
	charset_result result = { 0 };
	g_autofree char *text = NULL;

	if (r->html) {
		g_autofree char *html = decode(r, r->html, &result);

		bool left_out;

		text = html_to_text(html, strlen(html), &left_out);
		r->mail->html_only = true;
		mail_warn(r->mail, "HTML only: the text was made from it");
		if (left_out)
			mail_warn(r->mail, "hidden text of the HTML was left out");
	} else if (r->attachment) {
		text = decode(r, r->attachment, &result);
		mail_warn(r->mail, "no text but in an attachment");
	} else if (GMIME_IS_MULTIPART(root) && h->body_length &&
		   g_mime_multipart_get_count(GMIME_MULTIPART(root)) == 0) {
		text = charset_to_utf8(h->body, h->body_length, NULL, &result);
	} else {
		return;
	}
	g_free(r->mail->charset);
	r->mail->charset = g_strdup(result.name);
	append_text(r, text, PARSER_SPAN_OWN);
}

static void copy_parts(parser_mail *mail, GByteArray *out, const head *h)
{
	size_t length =
		parts_end(head_first(h, FIELD_CONTENT_TYPE), h->body, h->body_length);

	if (length < h->body_length)
		mail_warn(mail, "parts beyond the limit were left out");
	if (copy_body(out, h->body, length))
		mail_warn(mail, "an address line over the limit was cut");
}

void body_read(parser_mail *mail, const head *h, GArray *sections)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	reader r = { .mail = mail, .text = g_string_new(NULL), .sections = sections };

	copy_field(bytes, h, FIELD_CONTENT_TYPE);
	copy_field(bytes, h, FIELD_CONTENT_ENCODING);
	copy_field(bytes, h, FIELD_CONTENT_DISPOSITION);
	g_byte_array_append(bytes, (const guint8 *)"\n", 1);
	if (!may_hold_message(h))
		g_byte_array_append(bytes, (const guint8 *)h->body,
				    (guint)h->body_length);
	else
		copy_parts(mail, bytes, h);
	g_autoptr(GMimeObject) root = parse(bytes);

	r.stack = g_array_new(FALSE, FALSE, sizeof(waiting));
	if (root) {
		read_tree(&r, root);
		if (!r.has_text)
			fall_back(&r, root, h);
	}
	g_array_free(r.stack, TRUE);
	mail->text_length = r.text->len;
	mail->text = g_string_free(r.text, FALSE);
	if (!mail->charset)
		mail->charset = g_strdup("utf-8");
}
