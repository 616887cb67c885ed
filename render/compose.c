/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mail as RFC 5322 bytes: our header fields, GMime's bodies. */
#include <string.h>

#include "render/field.h"
#include "render/gmime.h"
#include "render/render.h"
#include "render/text.h"

#define LINE_MAX_BYTES 998 /* RFC 5322 2.1.1: must */

static bool fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool fail(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, RENDER_ERROR, RENDER_ERROR_INPUT, what);
	return false;
}

/* ---- checks --------------------------------------------------------------------- */

static size_t longest_line(const char *text, size_t length)
{
	size_t longest = 0;

	while (length > 0) {
		const char *nl = memchr(text, '\n', length);
		size_t line = nl ? (size_t)(nl - text) : length;

		longest = MAX(longest, line);
		line += nl ? 1 : 0;
		text += line;
		length -= line;
	}
	return longest;
}

static bool check_body(const render_mail *mail, render_transfer transfer,
		       GError **error)
{
	if (!mail->body || !*mail->body)
		return fail(error, "body: there is none");
	if (!g_utf8_validate(mail->body, -1, NULL))
		return fail(error, "body: not valid UTF-8");
	if (strchr(mail->body, '\r'))
		return fail(error, "body: holds a carriage return");
	if (transfer == RENDER_TRANSFER_8BIT &&
	    longest_line(mail->body, strlen(mail->body)) > LINE_MAX_BYTES)
		return fail(error, "body: a line is longer than %d bytes",
			    LINE_MAX_BYTES);
	return true;
}

static bool check_attachment(const render_attachment *a, GError **error)
{
	const char *slash = a->type ? strchr(a->type, '/') : NULL;

	if (!a->name || !*a->name)
		return fail(error, "attachment: has no name");
	if (!field_check("attachment", a->name, error))
		return false;
	if (strlen(a->name) > 255 || strpbrk(a->name, "/\\"))
		return fail(error, "attachment %.255s: the name is a path or too long",
			    a->name);
	if (!a->bytes)
		return fail(error, "attachment %s: there are no bytes", a->name);
	if (!slash ||
	    strspn(a->type, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789.+-/") != strlen(a->type) ||
	    slash == a->type || !slash[1] || strchr(slash + 1, '/'))
		return fail(error, "attachment %s: '%s' is not a media type", a->name,
			    a->type ? a->type : "");
	return true;
}

/* ---- header --------------------------------------------------------------------- */

/* The header block as field_append() writes it, and what went wrong first. */
typedef struct header {
	GMimeObject *object;
	GError **error;
	bool failed;
} header;

/* Takes encoded; NULL means that it could not be made and the error is set. */
static void add(header *h, const char *name, char *encoded)
{
	g_autoptr(GString) line = g_string_new(NULL);
	GMimeHeaderList *list = g_mime_object_get_header_list(h->object);

	if (!encoded || h->failed) {
		h->failed = true;
		g_free(encoded);
		return;
	}
	field_append(line, name, encoded);
	g_mime_object_append_header(h->object, name, "", NULL);
	g_mime_header_set_raw_value(g_mime_header_list_get_header(list, name),
				    line->str + strlen(name) + 1);
	g_free(encoded);
}

static GError **if_good(header *h)
{
	return h->failed ? NULL : h->error;
}

char *render_time_mail(int64_t seconds, int minutes_east)
{
	static const char *const days[] = { "Mon", "Tue", "Wed", "Thu",
					    "Fri", "Sat", "Sun" };
	static const char *const months[] = {
		"Jan", "Feb", "Mar", "Apr", "May", "Jun",
		"Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
	};
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(seconds + (int64_t)minutes_east * 60);

	if (!t)
		return NULL;
	return g_strdup_printf("%s, %d %s %04d %02d:%02d:%02d %c%02d%02d",
			       days[g_date_time_get_day_of_week(t) - 1],
			       g_date_time_get_day_of_month(t),
			       months[g_date_time_get_month(t) - 1],
			       g_date_time_get_year(t), g_date_time_get_hour(t),
			       g_date_time_get_minute(t), g_date_time_get_second(t),
			       minutes_east < 0 ? '-' : '+', ABS(minutes_east) / 60,
			       ABS(minutes_east) % 60);
}

static void add_date(header *h, const render_mail *mail)
{
	char *value = ABS(mail->utc_offset) < 24 * 3600 ?
			      render_time_mail(mail->date, mail->utc_offset / 60) :
			      NULL;

	if (!value && !h->failed)
		fail(h->error, "Date: %" G_GINT64_FORMAT " is not a time", mail->date);
	add(h, "Date", value);
}

static char *references_value(const GPtrArray *ids, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < ids->len; i++) {
		g_autofree char *id = field_message_id(
			"References", g_ptr_array_index(ids, i), error);

		if (!id)
			return NULL;
		g_string_append_printf(out, "%s%s", i > 0 ? " " : "", id);
	}
	return g_strdup(out->str);
}

static void add_thread(header *h, const render_mail *mail)
{
	add(h, "Message-ID",
	    field_message_id("Message-ID", mail->message_id, if_good(h)));
	if (mail->in_reply_to)
		add(h, "In-Reply-To",
		    field_message_id("In-Reply-To", mail->in_reply_to, if_good(h)));
	if (mail->references->len > 0)
		add(h, "References", references_value(mail->references, if_good(h)));
}

static bool is_regression_id(const char *id)
{
	return strlen(id) == PARSER_ID_DIGITS &&
	       strspn(id, "0123456789abcdef") == PARSER_ID_DIGITS;
}

static bool add_fields(GMimeObject *object, const render_mail *mail, GError **error)
{
	header h = { .object = object, .error = error };

	if (mail->to->len + mail->cc->len == 0)
		return fail(error, "To: there is no recipient");
	if (mail->regression && !is_regression_id(mail->regression))
		return fail(error,
			    "X-Regtrail-Regression: '%.80s' is not 40 hex digits",
			    mail->regression);
	add_date(&h, mail);
	add(&h, "From", field_address("From", &mail->from, if_good(&h)));
	if (mail->to->len > 0)
		add(&h, "To", field_addresses("To", mail->to, if_good(&h)));
	if (mail->cc->len > 0)
		add(&h, "Cc", field_addresses("Cc", mail->cc, if_good(&h)));
	add(&h, "Subject",
	    field_text("Subject", mail->subject ? mail->subject : "", if_good(&h)));
	add_thread(&h, mail);
	add(&h, "Auto-Submitted", g_strdup("auto-generated"));
	add(&h, "Precedence", g_strdup("bulk"));
	add(&h, "X-Auto-Response-Suppress", g_strdup("All"));
	if (mail->regression)
		add(&h, "X-Regtrail-Regression", g_strdup(mail->regression));
	add(&h, "MIME-Version", g_strdup("1.0"));
	return !h.failed;
}

/* ---- bodies --------------------------------------------------------------------- */

static GMimePart *new_part(const char *type, const char *bytes, size_t length,
			   GMimeContentEncoding encoding)
{
	g_auto(GStrv) names = g_strsplit(type, "/", 2);
	GMimePart *part = g_mime_part_new_with_type(names[0], names[1]);
	g_autoptr(GMimeStream) stream =
		g_mime_stream_mem_new_with_buffer(bytes, length);
	g_autoptr(GMimeDataWrapper) content = g_mime_data_wrapper_new_with_stream(
		stream, GMIME_CONTENT_ENCODING_DEFAULT);

	g_mime_part_set_content(part, content);
	g_mime_part_set_content_encoding(part, encoding);
	return part;
}

static GMimePart *text_part(const char *text, size_t length, const char *type,
			    GMimeContentEncoding encoding)
{
	GMimePart *part = new_part(type, text, length, encoding);

	g_mime_object_set_content_type_parameter(GMIME_OBJECT(part), "charset",
						 "utf-8");
	return part;
}

static GMimeContentEncoding encoding_of(render_transfer transfer)
{
	return transfer == RENDER_TRANSFER_8BIT ?
		       GMIME_CONTENT_ENCODING_8BIT :
		       GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE;
}

/* Text that a reader can show as text and that survives line end changes. */
static bool is_plain(const char *bytes, size_t length)
{
	if (!g_utf8_validate(bytes, (gssize)length, NULL))
		return false;
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)bytes[i] < 0x20 && bytes[i] != '\n' &&
		    bytes[i] != '\t')
			return false;
	return true;
}

static GMimePart *attachment_part(const render_attachment *a, render_transfer transfer)
{
	gsize length;
	const char *bytes = g_bytes_get_data(a->bytes, &length);
	GMimePart *part;

	if (g_ascii_strncasecmp(a->type, "text/", 5) == 0 && is_plain(bytes, length))
		part = text_part(bytes, length, a->type,
				 longest_line(bytes, length) > LINE_MAX_BYTES ?
					 GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE :
					 encoding_of(transfer));
	else
		part = new_part(a->type, bytes ? bytes : "", length,
				GMIME_CONTENT_ENCODING_BASE64);
	g_mime_object_set_disposition(GMIME_OBJECT(part), "attachment");
	g_mime_object_set_content_disposition_parameter(GMIME_OBJECT(part), "filename",
							a->name);
	return part;
}

/* A boundary that stands in none of the parts; the same for the same mail. */
static char *boundary_of(const render_mail *mail)
{
	for (unsigned i = 0;; i++) {
		g_autofree char *seed =
			g_strdup_printf("%s\n%u\n", mail->message_id, i);
		g_autofree char *hex =
			g_compute_checksum_for_string(G_CHECKSUM_SHA256, seed, -1);
		g_autofree char *boundary = g_strdup_printf("=-%.24s", hex);
		bool found = strstr(mail->body, boundary) != NULL;

		for (guint k = 0; k < mail->attachments->len && !found; k++) {
			const render_attachment *a =
				g_ptr_array_index(mail->attachments, k);
			gsize length;
			const char *bytes = g_bytes_get_data(a->bytes, &length);

			found = bytes &&
				memmem(bytes, length, boundary, strlen(boundary));
		}
		if (!found)
			return g_steal_pointer(&boundary);
	}
}

/* The message's content: the body alone, or with the attachments behind it. */
static GMimeObject *content_of(const render_mail *mail, const char *body,
			       render_transfer transfer)
{
	g_autoptr(GMimePart) text =
		text_part(body, strlen(body), "text/plain", encoding_of(transfer));
	GMimeMultipart *all;
	g_autofree char *boundary = NULL;

	if (mail->attachments->len == 0)
		return GMIME_OBJECT(g_steal_pointer(&text));
	all = g_mime_multipart_new_with_subtype("mixed");
	boundary = boundary_of(mail);
	g_mime_multipart_set_boundary(all, boundary);
	g_mime_multipart_add(all, GMIME_OBJECT(text));
	for (guint i = 0; i < mail->attachments->len; i++) {
		g_autoptr(GMimePart) part = attachment_part(
			g_ptr_array_index(mail->attachments, i), transfer);

		g_mime_multipart_add(all, GMIME_OBJECT(part));
	}
	return GMIME_OBJECT(all);
}

static GBytes *bytes_of(GMimeMessage *message)
{
	g_autoptr(GMimeStream) stream = g_mime_stream_mem_new();
	g_autoptr(GMimeFormatOptions) format = g_mime_format_options_new();
	GByteArray *array = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(stream));

	g_mime_format_options_set_newline_format(format, GMIME_NEWLINE_FORMAT_DOS);
	g_mime_object_write_to_stream(GMIME_OBJECT(message), format, stream);
	return g_bytes_new(array->data, array->len);
}

static void start_gmime(void)
{
	static gsize once;

	if (g_once_init_enter(&once)) {
		g_mime_init();
		g_once_init_leave(&once, 1);
	}
}

GBytes *render_compose(const render_mail *mail, render_transfer transfer,
		       GError **error)
{
	g_autoptr(GMimeMessage) message = NULL;
	g_autoptr(GMimeObject) content = NULL;
	g_autofree char *body = NULL;
	size_t length;

	if (!check_body(mail, transfer, error))
		return NULL;
	for (guint i = 0; i < mail->attachments->len; i++)
		if (!check_attachment(g_ptr_array_index(mail->attachments, i), error))
			return NULL;
	start_gmime();
	message = g_mime_message_new(FALSE);
	if (!add_fields(GMIME_OBJECT(message), mail, error))
		return NULL;
	length = strlen(mail->body);
	body = mail->body[length - 1] == '\n' ? g_strdup(mail->body) :
						g_strconcat(mail->body, "\n", NULL);
	content = content_of(mail, body, transfer);
	g_mime_message_set_mime_part(message, content);
	return bytes_of(message);
}
