/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sources as users write them: paths without a scheme, and standard input. */
#include "mailer/mailer.h"

#include <string.h>

#include "mailer/maildir.h"

static bool has_scheme(const char *source)
{
	size_t n = strspn(source, "abcdefghijklmnopqrstuvwxyz+");

	return n > 1 && source[n] == ':';
}

static bool has_directory(const char *path, const char *below)
{
	g_autofree char *full = g_build_filename(path, below, NULL);

	return g_file_test(full, G_FILE_TEST_IS_DIR);
}

char *mailer_source_url(const char *source, GError **error)
{
	if (strcmp(source, "-") == 0 || has_scheme(source))
		return g_strdup(source);

	g_autofree char *full = g_canonicalize_filename(source, NULL);

	if (!g_file_test(full, G_FILE_TEST_IS_DIR))
		return g_strconcat("file:", full, NULL);
	if (maildir_is(full))
		return g_strconcat("maildir:", full, NULL);
	if (has_directory(full, "git/0.git") ||
	    (has_directory(full, "objects") && has_directory(full, "refs")))
		return g_strconcat("pubinbox:", full, NULL);
	g_set_error(
		error, MAILER_ERROR, MAILER_ERROR_USAGE,
		"%s: a directory, but neither a Maildir (no cur and new in it) nor a "
		"public-inbox (no git/0.git)",
		source);
	return NULL;
}

typedef struct walk {
	mailer_file_fn fn;
	void *context;
} walk;

static bool walk_mail(const mailer_fetched *mail, void *context, GError **error)
{
	const walk *w = context;

	return !mail->bytes || w->fn(mail->place, mail->bytes, w->context, error);
}

static bool walk_on(const char *cursor, void *context, GError **error)
{
	(void)cursor;
	(void)context;
	(void)error;
	return true;
}

bool mailer_source_walk(const char *source, mailer_file_fn fn, void *context,
			GError **error)
{
	walk w = { fn, context };
	const mailer_fetch_sink sink = { .mail = walk_mail,
					 .checkpoint = walk_on,
					 .context = &w };
	g_autofree char *url = mailer_source_url(source, error);

	if (!url)
		return false;
	if (strcmp(url, "-") == 0) {
		g_autoptr(GBytes) bytes = mailer_file_read("-", error);

		return bytes && fn("-", bytes, context, error);
	}

	g_autoptr(mailer_fetch) from = mailer_fetch_open(url, NULL, error);

	return from && mailer_fetch_run(from, NULL, &sink, error);
}
