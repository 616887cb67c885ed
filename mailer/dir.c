/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "dir:PATH" - each mail becomes a file, as it would go on the wire.  The name starts
 * with a hash of the Message-ID, so that a mail that was written before a crash is
 * found.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "mailer/transport.h"

#define HASH_DIGITS 16

static void *open_dir(const char *url, const mailer_options *options, GError **error)
{
	const char *path = url + strlen("dir:");

	(void)options;
	if (path[0] == '\0') {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "dir:: the path of a directory is missing");
		return NULL;
	}
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "dir:%s: %s", path,
			    g_strerror(errno));
		return NULL;
	}
	if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "dir:%s: %s", path,
			    g_strerror(ENOTDIR));
		return NULL;
	}
	return g_strdup(path);
}

static char *hash_of(const char *message_id)
{
	char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, message_id, -1);

	hash[HASH_DIGITS] = '\0';
	return hash;
}

/* The name of the file that holds this mail already, or NULL. */
static char *find(const char *path, const char *hash, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, error);
	g_autofree char *prefix = g_strconcat(hash, "-", NULL);
	const char *name;

	if (!dir)
		return NULL;
	while ((name = g_dir_read_name(dir)))
		if (g_str_has_prefix(name, prefix) && g_str_has_suffix(name, ".eml"))
			return g_build_filename(path, name, NULL);
	return NULL;
}

static char *new_name(const char *path, const char *hash)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *time = g_date_time_format(now, "%Y%m%dT%H%M%SZ");
	g_autofree char *name = g_strdup_printf("%s-%s.eml", hash, time);

	return g_build_filename(path, name, NULL);
}

static mailer_outcome settle(mailer_envelope *envelope, mailer_outcome outcome,
			     char *words, char **detail)
{
	transport_settle_all(envelope, outcome, words);
	*detail = words;
	return outcome;
}

static mailer_outcome deliver(void *self, mailer_envelope *envelope, char **detail)
{
	const char *path = self;
	g_autofree char *hash = hash_of(envelope->message_id);
	g_autoptr(GError) error = NULL;
	g_autofree char *found = find(path, hash, &error);

	if (error)
		return settle(envelope, MAILER_RETRY,
			      g_strdup_printf("dir:%s: %s", path, error->message),
			      detail);
	if (found)
		return settle(envelope, MAILER_SENT,
			      g_strdup_printf("%s: there already", found), detail);

	GBytes *bytes =
		envelope->eight_bit ? envelope->eight_bit : envelope->quoted_printable;
	g_autofree char *name = new_name(path, hash);
	gsize length;
	const char *data = g_bytes_get_data(bytes, &length);

	if (!mailer_file_write(name, data, length, &error))
		return settle(envelope, MAILER_RETRY, g_strdup(error->message), detail);
	return settle(envelope, MAILER_SENT, g_strdup_printf("%s: written", name),
		      detail);
}

const transport_kind transport_dir = {
	.scheme = "dir:",
	.open = open_dir,
	.deliver = deliver,
	.close = g_free,
};
