/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sink for sources in tests: what came, as text, and the last cursor. */
#ifndef TESTS_UNIT_FETCH_SINK_H
#define TESTS_UNIT_FETCH_SINK_H

#include <stdio.h>

#include "tests/unit/mailer.h"

typedef struct fetched {
	GString *text;     /* "PLACE=BYTES;" or "PLACE!TROUBLE;" of each mail */
	char *cursor;      /* of the last checkpoint; NULL */
	GHashTable *known; /* places seen so far */
	unsigned mails, checkpoints;
	unsigned fail_at; /* > 0: the mail that the sink refuses */
	uint64_t cut;     /* > 0: a checkpoint is asked for here within a file, and */
	bool fail_after_cut;                 /* the sink refuses the rest */
	const char *rename_from, *rename_to; /* done at the first mail */
} fetched;

static inline bool fetched_mail(const mailer_fetched *mail, void *context,
				GError **error)
{
	fetched *f = context;
	gsize n = 0;
	const char *data = mail->bytes ? g_bytes_get_data(mail->bytes, &n) : NULL;
	size_t from = (size_t)MIN(mail->offset, n);

	if (++f->mails == f->fail_at) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "refused");
		return false;
	}
	if (mail->trouble)
		g_string_append_printf(f->text, "%s!%s;", mail->place, mail->trouble);
	else
		g_string_append_printf(f->text, "%s=%.*s;", mail->place,
				       (int)(n - from), data ? data + from : "");
	g_hash_table_add(f->known, g_strdup(mail->place));
	if (f->rename_from)
		assert_int_equal(rename(f->rename_from, f->rename_to), 0);
	f->rename_from = NULL;
	if (f->cut && !mail->reached(f->cut, mail->file, error))
		return false;
	if (f->cut && f->fail_after_cut) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "refused");
		return false;
	}
	return true;
}

static inline bool fetched_checkpoint(const char *cursor, void *context, GError **error)
{
	fetched *f = context;

	(void)error;
	g_free(f->cursor);
	f->cursor = g_strdup(cursor);
	f->checkpoints++;
	return true;
}

static inline bool fetched_known(const char *place, bool *known, void *context,
				 GError **error)
{
	(void)error;
	*known = g_hash_table_contains(((fetched *)context)->known, place);
	return true;
}

static inline fetched fetched_new(void)
{
	return (fetched){ .text = g_string_new(NULL),
			  .known = g_hash_table_new_full(g_str_hash, g_str_equal,
							 g_free, NULL) };
}

static inline void fetched_clear(fetched *f)
{
	g_string_free(f->text, TRUE);
	g_free(f->cursor);
	g_hash_table_destroy(f->known);
}

/* Runs a source with the cursor of the run before; the text begins anew. */
static inline bool fetched_run(fetched *f, const char *url,
			       const mailer_fetch_options *options, GError **error)
{
	const mailer_fetch_sink sink = { fetched_mail, fetched_checkpoint,
					 fetched_known, f };
	g_autoptr(mailer_fetch) source = mailer_fetch_open(url, options, error);
	g_autofree char *cursor = g_strdup(f->cursor);

	g_string_truncate(f->text, 0);
	f->mails = f->checkpoints = 0;
	return source && mailer_fetch_run(source, cursor, &sink, error);
}

/* A run that goes well; returns what came, lent. */
static inline const char *fetched_all(fetched *f, const char *url)
{
	g_autoptr(GError) error = NULL;

	if (!fetched_run(f, url, NULL, &error))
		fail_msg("%s", error->message);
	return f->text->str;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(fetched, fetched_clear)

#endif
