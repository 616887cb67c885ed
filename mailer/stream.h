/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_STREAM_H
#define MAILER_STREAM_H

#include "mailer/mailer.h"

/* Runs argv without input and hands out its output as it comes, however long it takes.
 */
bool run_stream(const char *const *argv, mailer_piece_fn fn, void *context,
		GError **error);

#endif
