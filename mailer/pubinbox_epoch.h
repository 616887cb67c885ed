/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_PUBINBOX_EPOCH_H
#define MAILER_PUBINBOX_EPOCH_H

#include <glib.h>
#include <stdbool.h>

/* Who takes the mails of one repository. */
typedef struct epoch_sink {
	/* A mail; bytes NULL if there is trouble. */
	bool (*mail)(const char *blob, GBytes *bytes, const char *trouble,
		     void *context, GError **error);
	/* All mails up to this commit were handed over. */
	bool (*reached)(const char *commit, void *context, GError **error);
	void *context;
} epoch_sink;

/*
 * Hands over what commits added that `since` does not reach, the oldest first; NULL, or
 * a commit that is gone: all.  What was removed meanwhile is left out.
 */
bool epoch_read(const char *dir, const char *since, const epoch_sink *sink,
		GError **error);

#endif
