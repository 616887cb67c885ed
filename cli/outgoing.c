/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/outgoing.h"

#include <stdio.h>

#include "cli/address.h"
#include "cli/print.h"
#include "cli/store.h"

parser_address *outgoing_from(cli *c, GError **error)
{
	g_autofree char *text = config_text(c->config, "regtrail", "from");
	g_autoptr(GPtrArray) all = text ? cli_address_list(text, error) : NULL;

	if (!text) {
		const char *path = config_path(c->config);

		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG,
			    "%s: who is the mail from? set `from` in [regtrail]",
			    path ? path : "no configuration");
		return NULL;
	}
	if (!all)
		return NULL;

	const parser_address *one = g_ptr_array_index(all, 0);

	return parser_address_new(one->name, one->address);
}

char *outgoing_sender(const cli *c, const parser_address *from)
{
	g_autoptr(GPtrArray) sender = store_bare_addresses(c->config, "send", "sender");

	return g_strdup(sender->len ? g_ptr_array_index(sender, 0) : from->address);
}

static bool check_size(const cli *c, GBytes *bytes, GError **error)
{
	uint64_t max = config_number(c->config, "send", "size-max");
	gsize size = g_bytes_get_size(bytes);

	if (max == 0 || size <= max)
		return true;
	g_set_error(
		error, RENDER_ERROR, RENDER_ERROR_REFUSED,
		"size: the mail has %zu bytes, [send] size-max = %" G_GUINT64_FORMAT,
		size, max);
	return false;
}

bool outgoing_compose(const cli *c, const render_mail *mail, outgoing_bytes *bytes,
		      GError **error)
{
	outgoing_bytes_clear(bytes);
	bytes->quoted_printable =
		render_compose(mail, RENDER_TRANSFER_QUOTED_PRINTABLE, error);
	if (!bytes->quoted_printable || !check_size(c, bytes->quoted_printable, error))
		return false;
	/* A long line is no error: the other form carries it. */
	bytes->eight_bit = render_compose(mail, RENDER_TRANSFER_8BIT, NULL);
	return true;
}

void outgoing_bytes_clear(outgoing_bytes *bytes)
{
	g_clear_pointer(&bytes->eight_bit, g_bytes_unref);
	g_clear_pointer(&bytes->quoted_printable, g_bytes_unref);
}

GBytes *outgoing_readable(const outgoing_bytes *bytes)
{
	return bytes->eight_bit ? bytes->eight_bit : bytes->quoted_printable;
}

void outgoing_print(GBytes *bytes)
{
	gsize length;
	const char *data = g_bytes_get_data(bytes, &length);
	g_autofree char *text = g_strndup(data, length);
	g_auto(GStrv) lines = g_strsplit(text, "\r\n", -1);
	g_autofree char *joined = g_strjoinv("\n", lines);
	g_autofree char *safe = render_safe_text(joined, true);

	fputs(safe, stdout);
}

tracker_report outgoing_report(const render_mail *mail, const outgoing_bytes *bytes,
			       unsigned revision, const char *sender)
{
	return (tracker_report){
		.regression = mail->regression,
		.kind_of_mail = render_mail_kind_name(mail->kind),
		.revision = revision,
		.message_id = mail->message_id,
		.in_reply_to = mail->in_reply_to,
		.created = mail->date,
		.subject = mail->subject,
		.body = mail->body,
		.from = mail->from,
		.to = mail->to,
		.cc = mail->cc,
		.eight_bit = bytes->eight_bit,
		.quoted_printable = bytes->quoted_printable,
		.sender = sender,
	};
}

void outgoing_tell(const render_mail *mail, const tracker_stored *stored, bool approved)
{
	g_autofree char *subject = print_line(mail->subject);
	guint recipients = mail->to->len + mail->cc->len;

	printf("%s %" G_GINT64_FORMAT ": %s\n  ",
	       stored->existed ? "there already as mail" : "draft", stored->outbox,
	       subject);
	if (stored->regression)
		printf("regression %.8s, ", stored->regression);
	printf("Message-ID <%s>, %u recipient%s\n", stored->message_id, recipients,
	       recipients == 1 ? "" : "s");
	if (!approved && !stored->existed)
		printf("  `regtrail outbox approve %" G_GINT64_FORMAT
		       "` lets it leave\n",
		       stored->outbox);
}
