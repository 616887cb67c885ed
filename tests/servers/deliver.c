/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deliver URL SENDER FILE RECIPIENT...: hands a mail to a transport of mailer/ and
 * prints what became of it, a line for each recipient and one for the whole.  Options,
 * before the URL: --ca FILE --login USER:PASSWORD --hello NAME --tls required|never
 * --timeout SECONDS --times N.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mailer/mailer.h"

static char *login, *tls_name, *ca, *hello;
static int timeout = 60, times = 1;

static const GOptionEntry entries[] = {
	{ "ca", 0, 0, G_OPTION_ARG_STRING, &ca, NULL, NULL },
	{ "login", 0, 0, G_OPTION_ARG_STRING, &login, NULL, NULL },
	{ "hello", 0, 0, G_OPTION_ARG_STRING, &hello, NULL, NULL },
	{ "tls", 0, 0, G_OPTION_ARG_STRING, &tls_name, NULL, NULL },
	{ "timeout", 0, 0, G_OPTION_ARG_INT, &timeout, NULL, NULL },
	{ "times", 0, 0, G_OPTION_ARG_INT, &times, NULL, NULL },
	{ NULL, 0, 0, 0, NULL, NULL, NULL },
};

static mailer_transport *open_transport(const char *url, GError **error)
{
	g_auto(GStrv) parts = login ? g_strsplit(login, ":", 2) : NULL;
	mailer_options options = {
		.user = parts ? parts[0] : NULL,
		.password = parts ? parts[1] : NULL,
		.hello = hello,
		.ca_file = ca,
		.tls = !g_strcmp0(tls_name, "required") ? MAILER_TLS_REQUIRED :
		       !g_strcmp0(tls_name, "never")    ? MAILER_TLS_NEVER :
							  MAILER_TLS_OFFERED,
		.timeout = (unsigned)timeout,
	};

	return mailer_transport_open_with(url, &options, error);
}

static void deliver(mailer_transport *transport, const char *sender, GBytes *mail,
		    char **addresses, size_t n)
{
	g_autofree mailer_recipient *to = g_new0(mailer_recipient, n);
	g_autofree char *detail = NULL;
	mailer_envelope envelope = { .message_id = "1@example.org",
				     .sender = sender,
				     .recipients = to,
				     .n_recipients = n,
				     .eight_bit = mail,
				     .quoted_printable = mail };

	for (size_t i = 0; i < n; i++)
		to[i].address = addresses[i];

	mailer_outcome outcome = mailer_deliver(transport, &envelope, &detail);

	for (size_t i = 0; i < n; i++) {
		printf("%s: %s: %s\n", to[i].address,
		       mailer_outcome_name(to[i].outcome), to[i].detail);
		g_free(to[i].detail);
	}
	printf("%s: %s\n", mailer_outcome_name(outcome), detail);
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || argc < 5) {
		fprintf(stderr, "deliver: %s\n", error ? error->message : "usage");
		return 2;
	}

	g_autoptr(mailer_transport) transport = open_transport(argv[1], &error);
	g_autoptr(GBytes) mail = transport ? mailer_file_read(argv[3], &error) : NULL;

	if (!mail) {
		fprintf(stderr, "deliver: %s\n", error->message);
		return 2;
	}
	for (int i = 0; i < times; i++) {
		if (!mailer_transport_ready(transport, &error)) {
			printf("not ready: %s\n", error->message);
			return error->code == MAILER_ERROR_TEMPORARY ? 75 : 1;
		}
		deliver(transport, argv[2], mail, argv + 4, (size_t)argc - 4);
	}
	g_free(ca);
	g_free(login);
	g_free(hello);
	g_free(tls_name);
	return 0;
}
