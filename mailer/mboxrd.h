/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_MBOXRD_H
#define MAILER_MBOXRD_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The mails of an mboxrd as it comes in, which is what public-inbox hands out: the
 * From_ lines gone, one ">" less before "From ", without the blank line between mails.
 */
typedef struct mboxrd mboxrd;

/* Takes a mail; NULL when it is larger than MAILER_MAIL_MAX. */
typedef bool (*mboxrd_fn)(GByteArray *mail, void *context, GError **error);

mboxrd *mboxrd_new(mboxrd_fn fn, void *context);
void mboxrd_free(mboxrd *m);

/* MAILER_ERROR_FORMAT when it does not begin with a From_ line. */
bool mboxrd_feed(mboxrd *m, const char *bytes, size_t length, GError **error);
/* Nothing more comes: hands over the last mail. */
bool mboxrd_end(mboxrd *m, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(mboxrd, mboxrd_free)

#endif
