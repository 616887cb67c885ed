/* SPDX-License-Identifier: GPL-2.0-or-later */
/* APPEND to a folder of an IMAP server, unless a mail of that Message-ID is there. */
#include <string.h>

#include "mailer/fcc.h"
#include "mailer/imap.h"
#include "mailer/imap_text.h"

#define PORT     143
#define PORT_TLS 993

/* The step, before the words of what went wrong in it. */
static bool fail(const char *step, GError **error)
{
	g_prefix_error(error, "%s: ", step);
	return false;
}

/* Opens the folder, or makes it. */
static bool open_folder(imap *s, const char *folder, GError **error)
{
	g_autofree char *name = imap_quote_mailbox(folder);
	g_autoptr(GError) cause = NULL;
	imap_box box;
	imap_end end = imap_examine(s, folder, &box, &cause);

	if (end == IMAP_OK)
		return true;
	if (end == IMAP_BROKEN || !name) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return fail("EXAMINE", error);
	}

	g_autofree char *command = g_strconcat("CREATE ", name, NULL);

	if (imap_ask(s, command, NULL, NULL, error) != IMAP_OK)
		return fail("CREATE", error);
	return imap_examine(s, folder, &box, error) == IMAP_OK ||
	       fail("EXAMINE", error);
}

static bool see_hits(imap *s, char *line, void *context, GError **error)
{
	bool *found = context;

	if (imap_starts(line, "SEARCH "))
		*found |= strpbrk(line, "123456789") != NULL;
	return imap_skip(s, line, error);
}

static bool search(imap *s, const char *message_id, bool *found, GError **error)
{
	g_autofree char *quoted = imap_quote(message_id);
	g_autofree char *command =
		g_strconcat("UID SEARCH HEADER Message-ID ", quoted, NULL);

	return imap_ask(s, command, see_hits, found, error) == IMAP_OK ||
	       fail("SEARCH", error);
}

/* A mail with the line ends of the wire, whichever it had. */
static GString *wire_lines(GBytes *mail)
{
	gsize length;
	const char *p = g_bytes_get_data(mail, &length), *end = p + length;
	GString *text = g_string_sized_new(length + length / 16);

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *stop = newline ? newline : end;

		g_string_append_len(text, p, stop - p);
		if (newline)
			g_string_append(text,
					stop > p && stop[-1] == '\r' ? "\n" : "\r\n");
		p = newline ? newline + 1 : end;
	}
	return text;
}

static bool append(imap *s, const char *folder, GBytes *mail, GError **error)
{
	g_autofree char *name = imap_quote_mailbox(folder);
	g_autoptr(GString) text = wire_lines(mail);
	g_autofree char *command =
		g_strdup_printf("APPEND %s (\\Seen) {%zu}", name, text->len);
	unsigned tag = imap_say(s, command, error);

	if (!tag || imap_continue(s, tag, error) != IMAP_OK)
		return fail("APPEND", error);
	g_string_append(text, "\r\n"); /* of the command */
	lines_allow(s->lines, s->timeout * 2);
	if (!lines_send(s->lines, text->str, text->len, error) ||
	    imap_finish(s, tag, NULL, NULL, error) != IMAP_OK)
		return fail("APPEND", error);
	return true;
}

static bool file_copy(const server_url *url, const mailer_options *options,
		      const char *message_id, GBytes *mail, GError **error)
{
	g_autoptr(imap) s = imap_open(url, options, error);
	bool found = false;

	if (!s || !open_folder(s, url->path, error) ||
	    !search(s, message_id, &found, error))
		return false;
	return found || append(s, url->path, mail, error);
}

static bool take_apart(server_url *u, const char *url, GError **error)
{
	if (!server_url_parse(u, url, PORT, PORT_TLS, error))
		return fail("fcc", error);
	if (u->path[0])
		return true;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE, "fcc: %s: needs a folder",
		    u->name);
	return false;
}

bool fcc_imap_check(const char *url, GError **error)
{
	g_auto(server_url) u = { 0 };

	return take_apart(&u, url, error);
}

bool fcc_imap(const char *url, const mailer_options *options, const char *message_id,
	      GBytes *mail, GError **error)
{
	g_auto(server_url) u = { 0 };

	if (!take_apart(&u, url, error))
		return false;
	if (file_copy(&u, options, message_id, mail, error))
		return true;
	g_prefix_error(error, "fcc: %s: ", u.name);
	return false;
}
