/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An IMAP server's side of a conversation: greeting, login, EXAMINE, FETCH, IDLE. */
#include "mailer/imap.h"
#include "mailer/mailer.h"
#include "mailer/text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/server.h"

static bool see_mail(imap *s, char *line, void *context, GError **error)
{
	g_auto(imap_mail) mail = { 0 };
	g_autoptr(GError) cause = NULL;
	bool is_fetch = false;
	bool done = imap_read_fetch(s, line, &mail, &is_fetch, &cause);

	(void)context;
	server_check(done, cause);
	if (mail.bytes) {
		if (!is_fetch || mail.bytes->len > MAILER_MAIL_MAX)
			abort();
		text_unix(mail.bytes);
	}
	if (!done)
		g_propagate_error(error, g_steal_pointer(&cause));
	return done;
}

static void converse(imap *s)
{
	g_autoptr(GError) error = NULL;
	imap_box box;
	imap_end end = imap_examine(s, "INBOX", &box, &error);

	server_check(end == IMAP_OK, error);
	g_clear_error(&error);
	if (end == IMAP_BROKEN)
		return;
	end = imap_ask(s, "UID FETCH 1:1000 (UID BODY.PEEK[])", see_mail, NULL, &error);
	server_check(end == IMAP_OK, error);
	g_clear_error(&error);
	if (end == IMAP_BROKEN)
		return;

	bool fresh = false;

	end = imap_idle(s, 0, -1, &fresh, &error);
	server_check(end == IMAP_OK, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	server script = { text, text + size };
	const server_url url = { .scheme = (char *)"imap", .user = (char *)"ann" };
	const mailer_options options = { .password = "secret", .timeout = 5 };
	g_autoptr(GError) error = NULL;
	g_autoptr(imap) s = imap_begin(server_wire(&script), &url, &options, &error);

	server_check(s != NULL, error);
	if (s)
		converse(s);
	return 0;
}
