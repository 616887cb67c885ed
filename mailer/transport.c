/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/transport.h"

#include <string.h>

struct mailer_transport {
	const transport_kind *kind;
	void *self;
};

static const transport_kind *const kinds[] = {
	&transport_dir,
	&transport_smtp,
	&transport_smtps,
	&transport_sendmail,
};

mailer_transport *mailer_transport_open(const char *url, GError **error)
{
	const mailer_options options = { 0 };

	return mailer_transport_open_with(url, &options, error);
}

mailer_transport *mailer_transport_open_with(const char *url,
					     const mailer_options *options,
					     GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (!g_str_has_prefix(url, kinds[i]->scheme))
			continue;

		void *self = kinds[i]->open(url, options, error);

		if (!self)
			return NULL;

		mailer_transport *transport = g_new0(mailer_transport, 1);

		transport->kind = kinds[i];
		transport->self = self;
		return transport;
	}
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
		    "%s: no such way of delivery (there are: smtp://HOST, "
		    "smtps://HOST, sendmail:PROGRAM, dir:PATH)",
		    url);
	return NULL;
}

void mailer_transport_close(mailer_transport *transport)
{
	if (!transport)
		return;
	transport->kind->close(transport->self);
	g_free(transport);
}

bool mailer_transport_ready(mailer_transport *transport, GError **error)
{
	return !transport->kind->ready ||
	       transport->kind->ready(transport->self, error);
}

mailer_outcome mailer_deliver(mailer_transport *transport, mailer_envelope *envelope,
			      char **detail)
{
	return transport->kind->deliver(transport->self, envelope, detail);
}

void transport_settle_all(mailer_envelope *envelope, mailer_outcome outcome,
			  const char *detail)
{
	for (size_t i = 0; i < envelope->n_recipients; i++) {
		mailer_recipient *to = &envelope->recipients[i];

		to->outcome = outcome;
		g_free(to->detail);
		to->detail = g_strdup(detail);
	}
}

void transport_options_copy(mailer_options *to, const mailer_options *from)
{
	*to = *from;
	to->user = g_strdup(from->user);
	to->password = g_strdup(from->password);
	to->hello = g_strdup(from->hello);
	to->ca_file = g_strdup(from->ca_file);
}

void transport_options_clear(mailer_options *options)
{
	if (options->password)
		explicit_bzero((char *)options->password, strlen(options->password));
	g_free((char *)options->user);
	g_free((char *)options->password);
	g_free((char *)options->hello);
	g_free((char *)options->ca_file);
	*options = (mailer_options){ 0 };
}
