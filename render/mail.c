/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of mails that are to be sent. */
#include "render/mail.h"

#include <string.h>

static const char *const kind_names[] = {
	[RENDER_MAIL_REPORT] = "report", [RENDER_MAIL_FOLLOWUP] = "followup",
	[RENDER_MAIL_RETEST] = "retest", [RENDER_MAIL_RETRACT] = "retract",
	[RENDER_MAIL_REMIND] = "remind", [RENDER_MAIL_DIGEST] = "digest",
};

const char *render_mail_kind_name(render_mail_kind kind)
{
	return kind_names[kind];
}

render_attachment *render_attachment_new(const char *name, const char *type,
					 GBytes *bytes)
{
	render_attachment *a = g_new0(render_attachment, 1);

	a->name = g_strdup(name);
	a->type = g_strdup(type);
	a->bytes = bytes ? g_bytes_ref(bytes) : NULL;
	return a;
}

void render_attachment_free(render_attachment *attachment)
{
	if (!attachment)
		return;
	g_free(attachment->name);
	g_free(attachment->type);
	g_clear_pointer(&attachment->bytes, g_bytes_unref);
	g_free(attachment);
}

render_mail *render_mail_new(void)
{
	render_mail *mail = g_new0(render_mail, 1);
	GDestroyNotify free_address = (GDestroyNotify)parser_address_free;

	mail->references = g_ptr_array_new_with_free_func(g_free);
	mail->to = g_ptr_array_new_with_free_func(free_address);
	mail->cc = g_ptr_array_new_with_free_func(free_address);
	mail->attachments =
		g_ptr_array_new_with_free_func((GDestroyNotify)render_attachment_free);
	return mail;
}

void render_mail_free(render_mail *mail)
{
	if (!mail)
		return;
	g_free(mail->regression);
	g_free(mail->message_id);
	g_free(mail->in_reply_to);
	g_free(mail->from.name);
	g_free(mail->from.address);
	g_free(mail->subject);
	g_free(mail->body);
	g_ptr_array_unref(mail->references);
	g_ptr_array_unref(mail->to);
	g_ptr_array_unref(mail->cc);
	g_ptr_array_unref(mail->attachments);
	g_free(mail);
}

static bool has_id(const GPtrArray *ids, const char *id, guint *index)
{
	for (guint i = 0; i < ids->len; i++)
		if (strcmp(g_ptr_array_index(ids, i), id) == 0) {
			*index = i;
			return true;
		}
	return false;
}

void render_mail_thread(render_mail *mail, const GPtrArray *references,
			const char *answers)
{
	GPtrArray *ids = mail->references;
	guint index;

	g_ptr_array_set_size(ids, 0);
	for (guint i = 0; references && i < references->len; i++)
		if (!has_id(ids, g_ptr_array_index(references, i), &index))
			g_ptr_array_add(ids,
					g_strdup(g_ptr_array_index(references, i)));
	if (answers && has_id(ids, answers, &index))
		g_ptr_array_set_size(ids,
				     (int)index); /* what is below is no ancestor */
	if (answers)
		g_ptr_array_add(ids, g_strdup(answers));
	if (ids->len > RENDER_REFERENCES_MAX) /* RFC 5537 3.4.4: keep the root */
		g_ptr_array_remove_range(ids, 1, ids->len - RENDER_REFERENCES_MAX);
	g_free(mail->in_reply_to);
	mail->in_reply_to = g_strdup(answers);
}
