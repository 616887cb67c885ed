/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where mail comes from: the kinds of sources by the scheme of their URLs. */
#include "mailer/fetch.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "mailer/fetch_kind.h"
#include "mailer/mailer.h"
#include "mailer/transport.h"
#include "mailer/waits.h"

struct mailer_fetch {
	const fetch_kind *kind;
	void *self;
	char *name;
};

/* Ends with NULL. */
static const fetch_kind *const kinds[] = {
	/* clang-format off */
	&fetch_file,
	&fetch_mbox,
	&fetch_maildir,
	&fetch_pubinbox,
	&fetch_imap,
	&fetch_imaps,
	&fetch_nntp,
	&fetch_nntps,
	&fetch_lore_http,
	&fetch_lore_https,
	NULL,
	/* clang-format on */
};

static void say_unknown(const char *url, GError **error)
{
	g_autoptr(GString) forms = g_string_new(NULL);

	for (size_t i = 0; kinds[i]; i++)
		g_string_append_printf(forms, "%s%s", i ? ", " : "", kinds[i]->form);
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
		    "%s: no such kind of source (there are: %s)", url, forms->str);
}

mailer_fetch *mailer_fetch_open(const char *url, const mailer_fetch_options *options,
				GError **error)
{
	static const mailer_fetch_options none;

	for (size_t i = 0; kinds[i]; i++) {
		if (!g_str_has_prefix(url, kinds[i]->scheme))
			continue;

		void *self = kinds[i]->open(url, options ? options : &none, error);

		if (!self)
			return NULL;

		mailer_fetch *source = g_new0(mailer_fetch, 1);

		source->kind = kinds[i];
		source->self = self;
		source->name = source->kind->name(self);
		return source;
	}
	say_unknown(url, error);
	return NULL;
}

void mailer_fetch_close(mailer_fetch *source)
{
	if (!source)
		return;
	source->kind->close(source->self);
	g_free(source->name);
	g_free(source);
}

const char *mailer_fetch_name(const mailer_fetch *source)
{
	return source->name;
}

bool mailer_fetch_run(mailer_fetch *source, const char *cursor,
		      const mailer_fetch_sink *sink, GError **error)
{
	return source->kind->run(source->self, cursor, sink, error);
}

GBytes *mailer_fetch_again(mailer_fetch *source, const char *place, GError **error)
{
	return source->kind->again(source->self, place, error);
}

bool fetch_pause(unsigned seconds, int stop_fd)
{
	int64_t deadline = deadline_in(seconds);

	for (;;) {
		struct pollfd p = { .fd = stop_fd, .events = POLLIN };
		int64_t left = deadline - g_get_monotonic_time();

		if (left <= 0)
			return true;

		int n = poll(&p, 1, (int)MIN(left / 1000 + 1, G_MAXINT));

		if (n > 0 || (n < 0 && errno != EINTR))
			return false;
	}
}

bool mailer_fetch_wait(mailer_fetch *source, unsigned seconds, int stop_fd, bool *fresh,
		       GError **error)
{
	if (source->kind->wait)
		return source->kind->wait(source->self, seconds, stop_fd, fresh, error);
	*fresh = fetch_pause(seconds, stop_fd);
	return true;
}

void fetch_options_copy(mailer_fetch_options *to, const mailer_fetch_options *from)
{
	*to = *from;
	transport_options_copy(&to->server, &from->server);
	to->contact = g_strdup(from->contact);
}

void fetch_options_clear(mailer_fetch_options *options)
{
	transport_options_clear(&options->server);
	g_free((char *)options->contact);
	options->contact = NULL;
}

bool fetch_server_init(fetch_server *s, const char *url,
		       const mailer_fetch_options *options, unsigned port,
		       unsigned port_tls, GError **error)
{
	*s = (fetch_server){ 0 };
	if (!server_url_parse(&s->url, url, port, port_tls, error))
		return false;
	fetch_options_copy(&s->options, options);
	return true;
}

void fetch_server_clear(fetch_server *s)
{
	fetch_options_clear(&s->options);
	server_url_clear(&s->url);
}

char *fetch_server_name(const void *self)
{
	return g_strdup(((const fetch_server *)self)->url.full);
}

bool fetch_server_fail(const fetch_server *s, const char *step, GError **error)
{
	g_prefix_error(error, "%s: %s: ", s->url.full, step);
	return false;
}

char *fetch_path(const char *url, GError **error)
{
	const char *path = strchr(url, ':') + 1;

	if (path[0])
		return g_canonicalize_filename(path, NULL);
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE, "%s: a path is missing",
		    url);
	return NULL;
}
