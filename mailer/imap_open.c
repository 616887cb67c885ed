/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a name to a session that is logged in. */
#include <string.h>

#include "mailer/imap.h"
#include "mailer/imap_text.h"
#include "mailer/mailer.h"
#include "mailer/text.h"

#define TIMEOUT_DEFAULT 60

static bool has(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, " ")) {
		p += strspn(p, " ");
		if (g_ascii_strncasecmp(p, name, n) == 0 &&
		    strchr(" ]", p[n])) /* also at the NUL */
			return true;
	}
	return false;
}

static void note_capabilities(imap *s, const char *list)
{
	s->can_idle = has(list, "IDLE");
	s->can_plain = has(list, "AUTH=PLAIN");
	s->can_anonymous = has(list, "AUTH=ANONYMOUS");
	s->can_starttls = has(list, "STARTTLS");
	s->no_login = has(list, "LOGINDISABLED");
}

static bool see_capabilities(imap *s, char *line, void *context, GError **error)
{
	(void)context;
	if (imap_starts(line, "CAPABILITY "))
		note_capabilities(s, line + strlen("CAPABILITY "));
	return imap_skip(s, line, error);
}

static bool ask_capabilities(imap *s, GError **error)
{
	note_capabilities(s, "");
	return imap_ask(s, "CAPABILITY", see_capabilities, NULL, error) == IMAP_OK;
}

/* *known: the server needs no login. */
static bool greet(imap *s, bool *known, GError **error)
{
	lines_allow(s->lines, s->timeout);

	const char *line = lines_next(s->lines, IMAP_LINE_MAX, NULL, error);

	if (!line)
		return false;
	*known = imap_starts(line, "* PREAUTH");
	if (*known || imap_starts(line, "* OK"))
		return true;

	g_autofree char *words = text_words(line);

	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY, "%s", words);
	return false;
}

static bool turn_to_tls(imap *s, GError **error)
{
	wire *w = lines_wire(s->lines);

	if (wire_is_secure(w) || s->options->tls == MAILER_TLS_NEVER)
		return true;
	if (!s->can_starttls) {
		if (s->options->tls != MAILER_TLS_REQUIRED)
			return true;
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "STARTTLS is required and not offered");
		return false;
	}
	if (imap_ask(s, "STARTTLS", NULL, NULL, error) != IMAP_OK) {
		g_prefix_error(error, "STARTTLS: ");
		return false;
	}
	if (lines_pending(s->lines)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "STARTTLS: the server went on in plain text where TLS "
			    "begins");
		return false;
	}
	if (!wire_secure(w, s->options->ca_file, s->timeout, error)) {
		g_prefix_error(error, "STARTTLS: ");
		return false;
	}
	return ask_capabilities(s, error);
}

/* AUTHENTICATE: the server says "+", we say who we are. */
static imap_end authenticate(imap *s, const char *mechanism, const void *bytes,
			     size_t length, GError **error)
{
	g_autofree char *command = g_strconcat("AUTHENTICATE ", mechanism, NULL);
	g_autofree char *base64 = g_base64_encode(bytes, length);
	g_autofree char *answer = g_strconcat(base64, "\r\n", NULL);
	unsigned tag = imap_say(s, command, error);
	imap_end end = tag ? imap_continue(s, tag, error) : IMAP_BROKEN;

	if (end != IMAP_OK)
		return end;

	bool sent = lines_send(s->lines, answer, strlen(answer), error);

	explicit_bzero(base64, strlen(base64));
	explicit_bzero(answer, strlen(answer));
	return sent ? imap_finish(s, tag, NULL, NULL, error) : IMAP_BROKEN;
}

static imap_end log_in_plain(imap *s, const char *user, const char *password,
			     GError **error)
{
	g_autoptr(GString) both = g_string_new(NULL);

	g_string_append_c(both, '\0');
	g_string_append(both, user);
	g_string_append_c(both, '\0');
	g_string_append(both, password);

	imap_end end = authenticate(s, "PLAIN", both->str, both->len, error);

	explicit_bzero(both->str, both->len);
	return end;
}

static imap_end log_in_simply(imap *s, const char *user, const char *password,
			      GError **error)
{
	g_autofree char *name = imap_quote(user);
	g_autofree char *secret = imap_quote(password);

	if (!name || !secret || s->no_login) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    s->no_login ? "the server forbids it on this connection" :
					  "a line end in user or password");
		return IMAP_BROKEN;
	}

	g_autofree char *command = g_strdup_printf("LOGIN %s %s", name, secret);
	imap_end end = imap_ask(s, command, NULL, NULL, error);

	explicit_bzero(command, strlen(command));
	explicit_bzero(secret, strlen(secret));
	return end;
}

static bool log_in(imap *s, GError **error)
{
	const wire *w = lines_wire(s->lines);
	const char *user = s->url->user ? s->url->user : s->options->user;
	const char *password = s->options->password;
	imap_end end;

	if (!password && s->can_anonymous) {
		end = authenticate(s, "ANONYMOUS", "regtrail", 8, error);
	} else if (!user || !password) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "login: needs a user and a password");
		return false;
	} else if (!wire_is_secure(w) && !wire_is_loopback(w) &&
		   !s->options->insecure) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "login: the connection is not encrypted (allow it with "
			    "insecure = yes)");
		return false;
	} else if (s->can_plain) {
		end = log_in_plain(s, user, password, error);
	} else {
		end = log_in_simply(s, user, password, error);
	}
	if (end == IMAP_OK)
		return true;
	g_prefix_error(error, "login: ");
	return false;
}

static bool begin(imap *s, GError **error)
{
	bool known = false;

	if (s->url->tls &&
	    !wire_secure(lines_wire(s->lines), s->options->ca_file, s->timeout, error))
		return false;
	if (!greet(s, &known, error) || !ask_capabilities(s, error)) {
		g_prefix_error(error, "greeting: ");
		return false;
	}
	if (known)
		return true;
	/* What a server offers may change with the login, and mostly grows. */
	return turn_to_tls(s, error) && log_in(s, error) && ask_capabilities(s, error);
}

imap *imap_begin(wire *w, const server_url *url, const mailer_options *options,
		 GError **error)
{
	imap *s = g_new0(imap, 1);

	s->url = url;
	s->options = options;
	s->timeout = options->timeout ? options->timeout : TIMEOUT_DEFAULT;
	s->lines = lines_new(w);
	if (begin(s, error))
		return s;
	imap_close(s);
	return NULL;
}

imap *imap_open(const server_url *url, const mailer_options *options, GError **error)
{
	wire *w = wire_connect(url->host, url->port,
			       options->timeout ? options->timeout : TIMEOUT_DEFAULT,
			       error);

	return w ? imap_begin(w, url, options, error) : NULL;
}

void imap_close(imap *s)
{
	if (!s)
		return;
	if (!wire_fault(lines_wire(s->lines)))
		imap_say(s, "LOGOUT", NULL);
	lines_free(s->lines);
	g_free(s);
}
