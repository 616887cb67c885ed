/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where mail comes from: names of sources, as users write them and as they are kept. */
#include "mailer/mailer.h"

#include <string.h>

#include "mailer/maildir.h"

#define MAILDIR "maildir:"
#define MBOX    "mbox:"

/* The path of a Maildir source, or NULL if the source is a file. */
static const char *maildir_path(const char *source)
{
	if (g_str_has_prefix(source, MAILDIR))
		return source + strlen(MAILDIR);
	if (!g_str_has_prefix(source, MBOX) && maildir_is(source))
		return source;
	return NULL;
}

static const char *file_path(const char *source)
{
	return g_str_has_prefix(source, MBOX) ? source + strlen(MBOX) : source;
}

char *mailer_source_name(const char *source)
{
	const char *dir = maildir_path(source);

	if (!dir)
		return g_strdup(strcmp(source, "-") == 0 ? "-" : "file");

	g_autofree char *full = g_canonicalize_filename(dir, NULL);

	return g_strconcat(MAILDIR, full, NULL);
}

bool mailer_source_walk(const char *source, mailer_file_fn fn, void *context,
			GError **error)
{
	const char *dir = maildir_path(source);

	if (dir)
		return maildir_walk(dir, fn, context, error);

	const char *path = file_path(source);

	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "%s: a directory, but not a Maildir (no cur and new in it)",
			    path);
		return false;
	}

	g_autoptr(GBytes) bytes = mailer_file_read(path, error);

	if (!bytes)
		return false;

	g_autofree char *place = strcmp(path, "-") == 0 ?
					 g_strdup(path) :
					 g_canonicalize_filename(path, NULL);

	return fn(place, bytes, context, error);
}

GBytes *mailer_source_read(const char *source, const char *name, GError **error)
{
	if (g_str_has_prefix(source, MAILDIR))
		return maildir_read(source + strlen(MAILDIR), name, error);
	if (strcmp(source, "file") == 0)
		return mailer_file_read(name, error);
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
		    "%s: mail of this source cannot be read again", source);
	return NULL;
}
