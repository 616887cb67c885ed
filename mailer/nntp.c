/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/nntp.h"

#include <string.h>

#include "mailer/mailer.h"
#include "mailer/text.h"

#define TIMEOUT_DEFAULT 60
#define BLOCK_LINES_MAX 1000                     /* of a list of capabilities */
#define DRAIN_MAX       (4ull * MAILER_MAIL_MAX) /* read of an article that is too large */
#define RENEW           (1u << 20) /* bytes that have the time of a step to come */

static bool say(nntp *n, const char *command, GError **error)
{
	g_autofree char *line = g_strconcat(command, "\r\n", NULL);
	bool sent;

	lines_allow(n->lines, n->timeout);
	sent = lines_send(n->lines, line, strlen(line), error);
	explicit_bzero(line, strlen(line)); /* it may be a password */
	return sent;
}

unsigned nntp_answer(nntp *n, const char **text, GError **error)
{
	const char *line = lines_next(n->lines, NNTP_LINE_MAX, NULL, error);

	if (!line)
		return 0;
	if (line[0] >= '1' && line[0] <= '5' && g_ascii_isdigit(line[1]) &&
	    g_ascii_isdigit(line[2]) && (line[3] == ' ' || line[3] == '\0')) {
		*text = line + 3 + (line[3] == ' ');
		return (unsigned)(line[0] - '0') * 100 +
		       (unsigned)(line[1] - '0') * 10 + (unsigned)(line[2] - '0');
	}

	g_autofree char *words = text_words(line);

	g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
		    "not an answer of NNTP: %s", words);
	return 0;
}

unsigned nntp_ask(nntp *n, const char *command, const char **text, GError **error)
{
	return say(n, command, error) ? nntp_answer(n, text, error) : 0;
}

bool nntp_refuse(unsigned code, const char *text, GError **error)
{
	g_autofree char *words = code ? text_words(text) : NULL;

	if (code)
		g_set_error(error, MAILER_ERROR,
			    code == 400 || code == 403 || code == 502 ?
				    MAILER_ERROR_TEMPORARY :
				    MAILER_ERROR_REFUSED,
			    "%u %s", code, words);
	return false;
}

const char *nntp_line(nntp *n, size_t max, size_t *length, bool *end, GError **error)
{
	const char *line = lines_next(n->lines, max, length, error);

	*end = line && line[0] == '.' && *length == 1;
	if (!line || *end)
		return NULL;
	if (line[0] != '.')
		return line;
	(*length)--;
	return line + 1;
}

bool nntp_article(nntp *n, GByteArray **into, GError **error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	uint64_t all = 0, renewed = 0;
	bool end = false;

	for (;;) {
		size_t length;
		const char *line = nntp_line(n, MAILER_MAIL_MAX, &length, &end, error);

		if (end)
			break;
		if (!line)
			return false;
		all += length + 1;
		if (all > DRAIN_MAX) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
				    "an article without end");
			return false;
		}
		if (all - renewed > RENEW) {
			renewed = all;
			lines_allow(n->lines, n->timeout);
		}
		if (all > MAILER_MAIL_MAX) {
			g_byte_array_set_size(bytes, 0);
			continue;
		}
		g_byte_array_append(bytes, (const guint8 *)line, (guint)length);
		g_byte_array_append(bytes, (const guint8 *)"\n", 1);
	}
	if (all <= MAILER_MAIL_MAX)
		*into = g_steal_pointer(&bytes);
	return true;
}

static bool can_starttls(nntp *n, bool *can, GError **error)
{
	const char *text;
	unsigned code = nntp_ask(n, "CAPABILITIES", &text, error);
	bool end = false;

	*can = false;
	if (code != 101)
		return code != 0;
	for (size_t i = 0, length; !end; i++) {
		const char *line = nntp_line(n, NNTP_LINE_MAX, &length, &end, error);

		if (!line && !end)
			return false;
		if (i > BLOCK_LINES_MAX) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
				    "a list of capabilities without end");
			return false;
		}
		*can |= line && g_ascii_strcasecmp(line, "STARTTLS") == 0;
	}
	return true;
}

static bool turn_to_tls(nntp *n, GError **error)
{
	wire *w = lines_wire(n->lines);
	const char *text;
	bool can;

	if (wire_is_secure(w) || n->options->tls == MAILER_TLS_NEVER)
		return true;
	if (!can_starttls(n, &can, error))
		return false;
	if (!can) {
		if (n->options->tls != MAILER_TLS_REQUIRED)
			return true;
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "STARTTLS is required and not offered");
		return false;
	}

	unsigned code = nntp_ask(n, "STARTTLS", &text, error);

	if (code != 382)
		return nntp_refuse(code, text, error);
	if (lines_pending(n->lines)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "STARTTLS: the server went on in plain text where TLS "
			    "begins");
		return false;
	}
	if (wire_secure(w, n->options->ca_file, n->timeout, error))
		return true;
	g_prefix_error(error, "STARTTLS: ");
	return false;
}

static bool log_in(nntp *n, GError **error)
{
	const wire *w = lines_wire(n->lines);
	const char *user = n->url->user ? n->url->user : n->options->user;
	const char *text;

	if (!user || !n->options->password)
		return true;
	if (!wire_is_secure(w) && !wire_is_loopback(w) && !n->options->insecure) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "login: the connection is not encrypted (allow it with "
			    "insecure = yes)");
		return false;
	}
	if (strpbrk(user, "\r\n") || strpbrk(n->options->password, "\r\n")) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "login: a line end in user or password");
		return false;
	}

	g_autofree char *first = g_strconcat("AUTHINFO USER ", user, NULL);
	g_autofree char *second =
		g_strconcat("AUTHINFO PASS ", n->options->password, NULL);
	unsigned code = nntp_ask(n, first, &text, error);

	if (code == 381)
		code = nntp_ask(n, second, &text, error);
	explicit_bzero(second, strlen(second));
	/* Public archives know no login and need none. */
	if (code == 281 || code == 500)
		return true;
	nntp_refuse(code, text, error);
	g_prefix_error(error, "login: ");
	return false;
}

static bool begin(nntp *n, GError **error)
{
	const char *text;
	unsigned code;

	if (n->url->tls &&
	    !wire_secure(lines_wire(n->lines), n->options->ca_file, n->timeout, error))
		return false;
	lines_allow(n->lines, n->timeout);
	code = nntp_answer(n, &text, error);
	if (code != 200 && code != 201) {
		nntp_refuse(code, text, error);
		g_prefix_error(error, "greeting: ");
		return false;
	}
	if (!turn_to_tls(n, error))
		return false;
	/* Servers for feeding need to be told; to the others it means nothing. */
	return nntp_ask(n, "MODE READER", &text, error) && log_in(n, error);
}

nntp *nntp_begin(wire *w, const server_url *url, const mailer_options *options,
		 GError **error)
{
	nntp *n = g_new0(nntp, 1);

	n->url = url;
	n->options = options;
	n->timeout = options->timeout ? options->timeout : TIMEOUT_DEFAULT;
	n->lines = lines_new(w);
	if (begin(n, error))
		return n;
	nntp_close(n);
	return NULL;
}

nntp *nntp_open(const server_url *url, const mailer_options *options, GError **error)
{
	wire *w = wire_connect(url->host, url->port,
			       options->timeout ? options->timeout : TIMEOUT_DEFAULT,
			       error);

	return w ? nntp_begin(w, url, options, error) : NULL;
}

void nntp_close(nntp *n)
{
	if (!n)
		return;
	if (!wire_fault(lines_wire(n->lines)))
		say(n, "QUIT", NULL);
	lines_free(n->lines);
	g_free(n);
}
