/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAILER_FILES_H
#define MAILER_FILES_H

#include <glib.h>

/* What an open file holds, mapped when it is large; the path is for messages. */
GBytes *file_read_fd(int fd, const char *path, GError **error);

#endif
