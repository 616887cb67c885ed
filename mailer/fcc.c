/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies of what was sent.  Filing one again changes nothing. */
#include "mailer/fcc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mailer/text.h"

#define HASH_DIGITS 24
#define MAILDIR     "maildir:"

static bool fail(const char *path, GError **error)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "fcc: %s: %s", path,
		    g_strerror(errno));
	return false;
}

static bool make_maildir(const char *path, GError **error)
{
	static const char *const parts[] = { ".", "tmp", "new", "cur" };

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *part = g_build_filename(path, parts[i], NULL);

		if (g_mkdir_with_parents(part, 0777) != 0)
			return fail(part, error);
	}
	return true;
}

/* A reader of mail may have moved it, or given it other flags. */
static bool is_there(const char *path, const char *prefix)
{
	static const char *const parts[] = { "cur", "new" };

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *part = g_build_filename(path, parts[i], NULL);
		g_autoptr(GDir) dir = g_dir_open(part, 0, NULL);
		const char *name;

		while (dir && (name = g_dir_read_name(dir)))
			if (g_str_has_prefix(name, prefix))
				return true;
	}
	return false;
}

static bool sync_directory(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool done = fd >= 0 && fsync(fd) == 0;

	if (!done)
		fail(path, error);
	if (fd >= 0)
		close(fd);
	return done;
}

static bool fcc_maildir(const char *path, const char *message_id, GBytes *mail,
			GError **error)
{
	g_autofree char *hash =
		g_compute_checksum_for_string(G_CHECKSUM_SHA256, message_id, -1);
	g_autofree char *prefix = g_strdup_printf("%.*s.regtrail", HASH_DIGITS, hash);
	g_autofree char *seen = g_strconcat(prefix, ":2,S", NULL);
	g_autofree char *tmp = g_build_filename(path, "tmp", prefix, NULL);
	g_autofree char *cur = g_build_filename(path, "cur", NULL);
	g_autofree char *final = g_build_filename(cur, seen, NULL);
	g_autoptr(GBytes) text = text_unix_copy(mail);
	gsize length;
	const void *bytes = g_bytes_get_data(text, &length);

	if (!make_maildir(path, error))
		return false;
	if (is_there(path, prefix))
		return true;
	if (!mailer_file_write(tmp, bytes, length, error))
		return false;
	if (rename(tmp, final) != 0)
		return fail(final, error);
	return sync_directory(cur, error);
}

static bool is_maildir(const char *where)
{
	return g_str_has_prefix(where, MAILDIR) && where[strlen(MAILDIR)];
}

static bool is_imap(const char *where)
{
	return g_str_has_prefix(where, "imap://") ||
	       g_str_has_prefix(where, "imaps://");
}

bool mailer_fcc_check(const char *where, GError **error)
{
	if (is_maildir(where))
		return true;
	if (is_imap(where))
		return fcc_imap_check(where, error);
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
		    "%s: no place for copies (there are: maildir:PATH, "
		    "imap://HOST/FOLDER, imaps://HOST/FOLDER)",
		    where);
	return false;
}

bool mailer_fcc(const char *where, const mailer_options *options,
		const char *message_id, GBytes *mail, GError **error)
{
	if (!mailer_fcc_check(where, error))
		return false;
	return is_maildir(where) ?
		       fcc_maildir(where + strlen(MAILDIR), message_id, mail, error) :
		       fcc_imap(where, options, message_id, mail, error);
}
