/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetch URL: runs a source of mailer/ from the cursor in the file ./cursor and keeps
 * the next one there.  Prints a line for each mail: place, number of bytes or trouble;
 * then how many there were, and the peak of its own memory in KiB.  Options:
 *   --ca FILE --login USER:PASSWORD --tls required|never --timeout SECONDS
 *   --keep DIRECTORY   keep the mails, as 1, 2, 3 ...
 *   --again            read each mail again from its place, and compare
 *   --place PLACE      print that mail instead
 *   --places FILE      read those mails one by one instead, a place a line
 *   --message ID, --thread ID   print that of an archive instead
 *   --wait SECONDS     wait for something new first
 *   --since TIME --contact TEXT --quiet --stop N (fail at the N-th mail)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mailer/mailer.h"

static char *login, *tls_name, *ca, *keep, *place, *places, *message, *thread, *contact;
static int timeout = 60, wait_seconds = -1, stop;
static gint64 since;
static gboolean again, quiet;

static const GOptionEntry entries[] = {
	{ "ca", 0, 0, G_OPTION_ARG_STRING, &ca, NULL, NULL },
	{ "login", 0, 0, G_OPTION_ARG_STRING, &login, NULL, NULL },
	{ "tls", 0, 0, G_OPTION_ARG_STRING, &tls_name, NULL, NULL },
	{ "timeout", 0, 0, G_OPTION_ARG_INT, &timeout, NULL, NULL },
	{ "keep", 0, 0, G_OPTION_ARG_STRING, &keep, NULL, NULL },
	{ "again", 0, 0, G_OPTION_ARG_NONE, &again, NULL, NULL },
	{ "place", 0, 0, G_OPTION_ARG_STRING, &place, NULL, NULL },
	{ "places", 0, 0, G_OPTION_ARG_STRING, &places, NULL, NULL },
	{ "message", 0, 0, G_OPTION_ARG_STRING, &message, NULL, NULL },
	{ "thread", 0, 0, G_OPTION_ARG_STRING, &thread, NULL, NULL },
	{ "contact", 0, 0, G_OPTION_ARG_STRING, &contact, NULL, NULL },
	{ "wait", 0, 0, G_OPTION_ARG_INT, &wait_seconds, NULL, NULL },
	{ "since", 0, 0, G_OPTION_ARG_INT64, &since, NULL, NULL },
	{ "quiet", 0, 0, G_OPTION_ARG_NONE, &quiet, NULL, NULL },
	{ "stop", 0, 0, G_OPTION_ARG_INT, &stop, NULL, NULL },
	{ NULL, 0, 0, 0, NULL, NULL, NULL },
};

typedef struct reading {
	mailer_fetch *source;
	size_t mails, troubles;
	long peak; /* KiB */
} reading;

static void see_memory(reading *r)
{
	g_autofree char *status = NULL;
	const char *at;

	if (!g_file_get_contents("/proc/self/status", &status, NULL, NULL))
		return;
	at = strstr(status, "RssAnon:");
	if (at)
		r->peak = MAX(r->peak, atol(at + strlen("RssAnon:")));
}

static bool same_again(reading *r, const mailer_fetched *mail, GError **error)
{
	g_autoptr(GBytes) bytes = mailer_fetch_again(r->source, mail->place, error);

	if (!bytes || g_bytes_equal(bytes, mail->bytes))
		return bytes != NULL;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT, "%s: not the same again",
		    mail->place);
	return false;
}

static bool keep_mail(const reading *r, const mailer_fetched *mail, GError **error)
{
	g_autofree char *path = g_strdup_printf("%s/%zu", keep, r->mails);

	return mailer_file_write(path, g_bytes_get_data(mail->bytes, NULL),
				 g_bytes_get_size(mail->bytes), error);
}

static bool take_mail(const mailer_fetched *mail, void *context, GError **error)
{
	reading *r = context;

	if (++r->mails % 64 == 1)
		see_memory(r);
	if (stop && r->mails == (size_t)stop) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "stopped");
		return false;
	}
	r->troubles += mail->trouble != NULL;
	if (!quiet && mail->trouble)
		printf("%s: %s\n", mail->place, mail->trouble);
	else if (!quiet)
		printf("%s: %zu\n", mail->place, g_bytes_get_size(mail->bytes));
	return mail->trouble || ((!again || same_again(r, mail, error)) &&
				 (!keep || keep_mail(r, mail, error)));
}

static bool take_cursor(const char *cursor, void *context, GError **error)
{
	see_memory(context);
	return mailer_file_write("cursor", cursor, strlen(cursor), error);
}

static bool run(reading *r, GError **error)
{
	const mailer_fetch_sink sink = { .mail = take_mail,
					 .checkpoint = take_cursor,
					 .context = r };
	g_autofree char *cursor = NULL;
	bool fresh = true;

	if (wait_seconds >= 0) {
		if (!mailer_fetch_wait(r->source, (unsigned)wait_seconds, -1, &fresh,
				       error))
			return false;
		printf("%s\n", fresh ? "fresh" : "nothing new");
	}
	g_file_get_contents("cursor", &cursor, NULL, NULL);
	return !fresh || mailer_fetch_run(r->source, cursor, &sink, error);
}

static bool read_places(reading *r, GError **error)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents(places, &text, NULL, error))
		return false;
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		g_autoptr(GBytes) bytes = NULL;

		*end = '\0';
		bytes = mailer_fetch_again(r->source, line, error);
		if (!bytes)
			return false;
		if (++r->mails % 64 == 1)
			see_memory(r);
	}
	return true;
}

static bool print_bytes(GBytes *bytes)
{
	if (bytes)
		fwrite(g_bytes_get_data(bytes, NULL), 1, g_bytes_get_size(bytes),
		       stdout);
	return bytes != NULL;
}

static bool act(const char *url, const mailer_fetch_options *options, GError **error)
{
	if (message || thread) {
		g_autoptr(mailer_archive) archive =
			mailer_archive_open(url, options, error);
		g_autoptr(GBytes) bytes =
			!archive ? NULL :
			message  ? mailer_archive_message(archive, message, error) :
				   mailer_archive_thread(archive, thread, error);

		return print_bytes(bytes);
	}

	reading r = { .source = mailer_fetch_open(url, options, error) };
	g_autoptr(mailer_fetch) source = r.source;

	if (source && place) {
		g_autoptr(GBytes) bytes = mailer_fetch_again(source, place, error);

		return print_bytes(bytes);
	}

	bool done = source && (places ? read_places(&r, error) : run(&r, error));

	printf("%zu mails, %zu troubles, %ld KiB\n", r.mails, r.troubles, r.peak);
	return done;
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || argc != 2) {
		fprintf(stderr, "fetch: %s\n", error ? error->message : "usage");
		return 2;
	}

	g_auto(GStrv) parts = login ? g_strsplit(login, ":", 2) : NULL;
	const mailer_fetch_options options = {
		.server = { .user = parts ? parts[0] : NULL,
			    .password = parts ? parts[1] : NULL,
			    .ca_file = ca,
			    .tls = !g_strcmp0(tls_name, "required") ?
					   MAILER_TLS_REQUIRED :
				   !g_strcmp0(tls_name, "never") ? MAILER_TLS_NEVER :
								   MAILER_TLS_OFFERED,
			    .timeout = (unsigned)timeout },
		.contact = contact,
		.since = since,
	};
	bool done = act(argv[1], &options, &error);

	if (!done)
		fprintf(stderr, "fetch: %s\n", error->message);
	g_free(login);
	g_free(ca);
	g_free(keep);
	g_free(place);
	g_free(places);
	g_free(message);
	g_free(thread);
	g_free(tls_name);
	g_free(contact);
	return done ? 0 : error->code == MAILER_ERROR_TEMPORARY ? 75 : 1;
}
