/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "mailer/mailer.h"

int lock_take(const config *conf, const char *name, GError **error)
{
	g_autofree char *database = config_file(conf, "regtrail", "database");
	g_autofree char *path = g_strdup_printf("%s.%s-lock", database, name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "%s: %s", path,
			    g_strerror(errno));
		return -1;
	}
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "%s: another `regtrail %s` is at work", path, name);
		close(fd);
		return -1;
	}
	return fd;
}
