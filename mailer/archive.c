/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An archive that is asked for single mails. */
#include "mailer/lore.h"
#include "mailer/mailer.h"

struct mailer_archive {
	lore *lore;
};

mailer_archive *mailer_archive_open(const char *url,
				    const mailer_fetch_options *options, GError **error)
{
	lore *l = lore_open(url, options, error);
	mailer_archive *archive;

	if (!l)
		return NULL;
	archive = g_new0(mailer_archive, 1);
	archive->lore = l;
	return archive;
}

void mailer_archive_close(mailer_archive *archive)
{
	if (!archive)
		return;
	lore_close(archive->lore);
	g_free(archive);
}

GBytes *mailer_archive_message(mailer_archive *archive, const char *message_id,
			       GError **error)
{
	return lore_message(archive->lore, message_id, error);
}

GBytes *mailer_archive_thread(mailer_archive *archive, const char *message_id,
			      GError **error)
{
	return lore_thread(archive->lore, message_id, error);
}
