/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From facts to a report mail: checks, identity, thread, templates, size. */
#include "render/report.h"
#include "render/wording.h"

#include <string.h>

#define CUT_ROUNDS 8 /* each makes the mail smaller; two are usual */

/* ---- templates ------------------------------------------------------------------ */

static const wording_template all_templates[] = {
	{ "robot", RENDER_ESCAPE_TEXT },     { "robot-2017", RENDER_ESCAPE_TEXT },
	{ "brief", RENDER_ESCAPE_TEXT },     { "followup", RENDER_ESCAPE_TEXT },
	{ "retest", RENDER_ESCAPE_TEXT },    { "retract", RENDER_ESCAPE_TEXT },
	{ "subject", RENDER_ESCAPE_HEADER }, { "subject-2017", RENDER_ESCAPE_HEADER },

};

bool render_report_templates_check(render_text_fn text, void *context, GError **error)
{
	const wording w = { text, context, report_names };

	for (size_t i = 0; i < G_N_ELEMENTS(all_templates); i++) {
		g_autoptr(render_template) compiled =
			wording_load(&w, &all_templates[i], error);

		if (!compiled)
			return false;
	}
	return true;
}

/* ---- the mail ------------------------------------------------------------------- */

static const char *style_of(const render_facts *f)
{
	if (f->mail_kind != RENDER_MAIL_REPORT)
		return render_mail_kind_name(f->mail_kind);
	return f->style ? f->style : "robot";
}

static bool is_known_style(const char *style)
{
	return strcmp(style, "robot") == 0 || strcmp(style, "robot-2017") == 0 ||
	       strcmp(style, "brief") == 0;
}

static char *make_subject(const report *d, const wording *w, json_t *context,
			  GError **error)
{
	const render_facts *f = d->facts;
	bool old = f->style && strcmp(f->style, "robot-2017") == 0;
	g_autofree char *own = NULL;

	if (f->mail_kind == RENDER_MAIL_REPORT && d->culprit->patch_message_id &&
	    d->culprit->patch_subject && *d->culprit->patch_subject && !f->own_subject)
		return wording_reply(d->culprit->patch_subject);
	if (f->mail_kind != RENDER_MAIL_REPORT && f->first_subject)
		return wording_reply(f->first_subject);
	own = wording_expand(w,
			     &(wording_template){ old ? "subject-2017" : "subject",
						  RENDER_ESCAPE_HEADER },
			     context, error);
	if (!own)
		return NULL;
	g_strchomp(own);
	json_object_set_new(context, "first_subject", json_string(own));
	return f->mail_kind == RENDER_MAIL_REPORT ? g_steal_pointer(&own) :
						    wording_reply(own);
}

/* Bytes of a text as quoted-printable with CRLF, a little more than it will be. */
static size_t encoded_size(const char *text)
{
	size_t size = 0;
	size_t line = 0;

	for (const char *p = text; *p; p++) {
		size_t n = (unsigned char)*p >= 0x80 || *p == '=' ? 3 : 1;

		if (*p == '\n') {
			size += 2 + 2; /* a blank before it takes two more */
			line = 0;
			continue;
		}
		if (line + n > 72) {
			size += 3;
			line = 0;
		}
		size += n;
		line += n;
	}
	return size;
}

static size_t attachment_size(const render_attachment *a)
{
	/* base64 with its line ends, and the part's header */
	return g_bytes_get_size(a->bytes) * 4 / 3 + g_bytes_get_size(a->bytes) / 28 +
	       400;
}

/* Leaves out attachments, the largest first, until the rest fits half of the cap. */
static void choose_attachments(report *d, size_t cap)
{
	const GPtrArray *all = d->facts->attachments;
	size_t total = 0;

	for (guint i = 0; all && i < all->len; i++)
		total += attachment_size(g_ptr_array_index(all, i));
	while (total > cap / 2) {
		const render_attachment *largest = NULL;

		for (guint i = 0; i < all->len; i++) {
			const render_attachment *a = g_ptr_array_index(all, i);

			if (!g_ptr_array_find_with_equal_func(d->left_out, a->name,
							      g_str_equal, NULL) &&
			    (!largest || attachment_size(a) > attachment_size(largest)))
				largest = a;
		}
		if (!largest)
			return;
		g_ptr_array_add(d->left_out, g_strdup(largest->name));
		total -= MIN(total, attachment_size(largest));
	}
}

static void set_attachments(const report *d, render_mail *mail, const char *full)
{
	const GPtrArray *all = d->facts->attachments;

	g_ptr_array_set_size(mail->attachments, 0);
	if (full) {
		g_autoptr(GBytes) bytes = g_bytes_new(full, strlen(full));

		g_ptr_array_add(
			mail->attachments,
			render_attachment_new("report.txt", "text/plain", bytes));
	}
	for (guint i = 0; all && i < all->len; i++) {
		const render_attachment *a = g_ptr_array_index(all, i);

		if (!g_ptr_array_find_with_equal_func(d->left_out, a->name, g_str_equal,
						      NULL))
			g_ptr_array_add(
				mail->attachments,
				render_attachment_new(a->name, a->type, a->bytes));
	}
}

static size_t mail_size(const render_mail *mail, const char *full)
{
	size_t size = 4096 + encoded_size(mail->body); /* the header, roughly */

	for (guint i = full ? 1 : 0; i < mail->attachments->len; i++)
		size += attachment_size(g_ptr_array_index(mail->attachments, i));
	return size + (full ? encoded_size(full) : 0);
}

static char *body_of(const wording *w, const char *style, const json_t *context,
		     GError **error)
{
	return wording_expand(w, &(wording_template){ style, RENDER_ESCAPE_TEXT },
			      context, error);
}

/* Subject, body and attachments from the tables as they are now. */
static bool fill(report *d, const wording *w, render_mail *mail, size_t *size,
		 GError **error)
{
	json_t *context = report_context(d, error);
	const char *style = style_of(d->facts);
	g_autofree char *full = NULL;
	bool good;

	if (!context)
		return false;
	g_free(mail->subject);
	mail->subject = make_subject(d, w, context, error);
	g_free(mail->body);
	mail->body = mail->subject ? body_of(w, style, context, error) : NULL;
	good = mail->body != NULL;
	if (good && strcmp(style, "brief") == 0) {
		full = body_of(w, "robot", context, error);
		good = full != NULL;
	}
	json_decref(context);
	if (!good)
		return false;
	set_attachments(d, mail, full);
	*size = mail_size(mail, full);
	return true;
}

/* Fills the mail and cuts tables until it fits. */
static bool fill_to_size(report *d, const wording *w, render_mail *mail, GError **error)
{
	size_t cap = d->facts->max_size ? d->facts->max_size : RENDER_MAIL_SIZE_MAX;
	size_t size;

	choose_attachments(d, cap);
	for (int i = 0; i < CUT_ROUNDS; i++) {
		if (!fill(d, w, mail, &size, error))
			return false;
		if (size <= cap)
			return true;
		if (!report_sections_cut(d, (size - cap) * 3 / 4 + 200))
			break;
	}
	return report_refuse(error, "the mail has %zu bytes and cannot be cut to %zu",
			     size, cap);
}

static void copy_addresses(GPtrArray *to, const GPtrArray *from)
{
	for (guint i = 0; from && i < from->len; i++) {
		const parser_address *a = g_ptr_array_index(from, i);

		g_ptr_array_add(to, parser_address_new(a->name, a->address));
	}
}

static const char *answered(const report *d)
{
	if (d->facts->mail_kind != RENDER_MAIL_REPORT)
		return d->facts->first_report;
	return d->culprit->patch_message_id;
}

render_mail *render_report(const render_facts *facts, render_text_fn text,
			   void *context, GError **error)
{
	const wording w = { text, context, report_names };
	report d = { 0 };
	g_autoptr(render_mail) mail = render_mail_new();
	bool good = report_init(&d, facts, error);

	if (good && facts->mail_kind == RENDER_MAIL_REPORT && facts->style &&
	    !is_known_style(facts->style))
		good = report_refuse(error, "there is no style %s", facts->style);
	if (good) {
		mail->kind = facts->mail_kind;
		mail->regression = g_strdup(d.regression);
		mail->message_id = g_strdup(d.message_id);
		mail->from.name = g_strdup(facts->from.name);
		mail->from.address = g_strdup(facts->from.address);
		mail->date = facts->created;
		mail->utc_offset = facts->utc_offset;
		copy_addresses(mail->to, facts->to);
		copy_addresses(mail->cc, facts->cc);
		render_mail_thread(mail, facts->references, answered(&d));
		good = fill_to_size(&d, &w, mail, error);
	}
	report_clear(&d);
	return good ? g_steal_pointer(&mail) : NULL;
}
