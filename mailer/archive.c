/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An archive that is asked for single mails: over HTTP, or a news server. */
#include "mailer/lore.h"
#include "mailer/mailer.h"

struct mailer_archive {
	lore *lore; /* one of the two; the other is NULL */
	mailer_fetch *news;
};

mailer_archive *mailer_archive_open(const char *url,
				    const mailer_fetch_options *options, GError **error)
{
	bool is_news =
		g_str_has_prefix(url, "nntp:") || g_str_has_prefix(url, "nntps:");
	lore *l = is_news ? NULL : lore_open(url, options, error);
	mailer_fetch *news = is_news ? mailer_fetch_open(url, options, error) : NULL;
	mailer_archive *archive;

	if (!l && !news)
		return NULL;
	archive = g_new0(mailer_archive, 1);
	archive->lore = l;
	archive->news = news;
	return archive;
}

void mailer_archive_close(mailer_archive *archive)
{
	if (!archive)
		return;
	lore_close(archive->lore);
	mailer_fetch_close(archive->news);
	g_free(archive);
}

/* A news server knows an article by its id in whatever group it is; the number does not
 * matter then. */
static GBytes *article(mailer_archive *archive, const char *message_id, GError **error)
{
	g_autofree char *place = g_strdup_printf("0 <%s>", message_id);

	return mailer_fetch_again(archive->news, place, error);
}

GBytes *mailer_archive_message(mailer_archive *archive, const char *message_id,
			       GError **error)
{
	if (archive->news)
		return article(archive, message_id, error);
	return lore_message(archive->lore, message_id, error);
}

GBytes *mailer_archive_thread(mailer_archive *archive, const char *message_id,
			      GError **error)
{
	if (archive->news)
		return article(archive, message_id, error);
	return lore_thread(archive->lore, message_id, error);
}
