/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patches out of mails, for git am. */
#include <string.h>

#include "render/text.h"

/* git am tells its mails apart by such lines, whatever they say. */
#define SEPARATOR                                                                      \
	"From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n"

static void add_field(GString *out, const char *name, const char *value)
{
	g_autofree char *safe = render_safe_text(value, false);

	g_string_append_printf(out, "%s: %s\n", name, g_strstrip(safe));
}

static void add_author(GString *out, const parser_patch *patch, const parser_mail *mail)
{
	const parser_address *from = &mail->from;
	const char *address = from->address ? from->address : "unknown@invalid";
	g_autofree char *author =
		patch->author ?
			g_strdup(patch->author) :
			g_strdup_printf("%s <%s>", from->name ? from->name : address,
					address);

	add_field(out, "From", author);
}

static void add_title(GString *out, const parser_patch *patch, const parser_mail *mail)
{
	g_autofree char *own = parser_title(mail->subject, strlen(mail->subject));
	const char *title = patch->title ? patch->title : own;
	g_autofree char *subject =
		g_strdup_printf("[PATCH] %s", *title ? title : "a patch without title");

	add_field(out, "Subject", subject);
}

static void add_ids(GString *out, const parser_mail *mail)
{
	if (mail->message_id) {
		g_autofree char *id = g_strdup_printf("<%s>", mail->message_id);

		add_field(out, "Message-ID", id);
	}
	if (mail->in_reply_to->len) {
		g_autofree char *id =
			g_strdup_printf("<%s>", (char *)mail->in_reply_to->pdata[0]);

		add_field(out, "In-Reply-To", id);
	}
}

/* As git mailsplit sees it: "From ", and a time before a year. */
static bool begins_mail(const char *line)
{
	const char *colon = g_str_has_prefix(line, "From ") ? strrchr(line, ':') : NULL;

	return colon && colon - line >= 9 && g_ascii_isdigit(colon[-4]) &&
	       g_ascii_isdigit(colon[-2]) && g_ascii_isdigit(colon[-1]) &&
	       g_ascii_isdigit(colon[1]) && g_ascii_isdigit(colon[2]) &&
	       g_ascii_strtoll(colon + 3, NULL, 10) > 90;
}

/* No line of the message may begin the next mail; all others stay as they are, for git
 * am takes nothing back. */
static void add_message(GString *out, const char *message)
{
	g_auto(GStrv) lines = g_strsplit(message, "\n", -1);

	for (char **line = lines; *line; line++)
		g_string_append_printf(out, "%s%s\n", begins_mail(*line) ? ">" : "",
				       *line);
}

char *render_patch_mbox(const parser_patch *patch, const parser_mail *mail)
{
	g_autofree char *date = render_time_mail(patch->date, 0);
	GString *out;

	if (!patch->diff)
		return NULL;
	out = g_string_new(SEPARATOR);
	add_author(out, patch, mail);
	if (date && patch->date)
		add_field(out, "Date", date);
	add_title(out, patch, mail);
	add_ids(out, mail);
	g_string_append(out, "MIME-Version: 1.0\n"
			     "Content-Type: text/plain; charset=UTF-8\n"
			     "Content-Transfer-Encoding: 8bit\n\n");
	if (*patch->message)
		add_message(out, patch->message);
	g_string_append_printf(out, "---\n\n%s%s-- \nregtrail\n\n", patch->diff,
			       g_str_has_suffix(patch->diff, "\n") ? "" : "\n");
	return g_string_free(out, FALSE);
}
