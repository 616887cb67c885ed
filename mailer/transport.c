/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/transport.h"

#include <string.h>

struct mailer_transport {
	const transport_kind *kind;
	void *self;
};

static const transport_kind *const kinds[] = { &transport_dir };

mailer_transport *mailer_transport_open(const char *url, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (!g_str_has_prefix(url, kinds[i]->scheme))
			continue;

		void *self = kinds[i]->open(url + strlen(kinds[i]->scheme), error);

		if (!self)
			return NULL;

		mailer_transport *transport = g_new0(mailer_transport, 1);

		transport->kind = kinds[i];
		transport->self = self;
		return transport;
	}
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
		    "%s: no such way of delivery (there is: dir:PATH)", url);
	return NULL;
}

void mailer_transport_close(mailer_transport *transport)
{
	if (!transport)
		return;
	transport->kind->close(transport->self);
	g_free(transport);
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
