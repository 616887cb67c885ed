/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files, in and out. */
#include "mailer/mailer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mailer/files.h"
#include "mailer/unpack.h"

/* Below this a copy costs nothing, and a file that is cut meanwhile cannot hurt. */
#define MAP_MIN (1u << 20)
#define CHUNK   (256u << 10)

static GBytes *fail(const char *path, const char *what, GError **error)
{
	int saved = errno;
	mailer_error code = saved == ENOENT || saved == ENOTDIR ?
				    MAILER_ERROR_NOT_FOUND :
				    MAILER_ERROR_IO;

	g_set_error(error, MAILER_ERROR, code, "%s: %s%s", path, what,
		    g_strerror(saved));
	return NULL;
}

/* A file below MAP_MIN in one piece; it may have become shorter meanwhile. */
static GBytes *read_small(int fd, size_t size, const char *path, GError **error)
{
	g_autofree char *bytes = g_malloc(size + 1);
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, bytes + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(path, "", error);
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return g_bytes_new_take(g_steal_pointer(&bytes), done);
}

static GBytes *read_all(int fd, const char *path, GError **error)
{
	g_autoptr(GByteArray) all = g_byte_array_new();
	g_autofree guint8 *chunk = g_malloc(CHUNK);

	for (;;) {
		ssize_t n = read(fd, chunk, CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(path, "", error);
		if (n == 0)
			break;
		if (all->len + (guint64)n >= MAILER_UNPACKED_MAX) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
				    "%s: larger than the limit of %llu bytes", path,
				    MAILER_UNPACKED_MAX);
			return NULL;
		}
		g_byte_array_append(all, chunk, (guint)n);
	}
	return g_byte_array_free_to_bytes(g_steal_pointer(&all));
}

static GBytes *map(int fd, const char *path, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(GMappedFile) mapped = g_mapped_file_new_from_fd(fd, FALSE, &cause);

	if (!mapped) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "%s: %s", path,
			    cause->message);
		return NULL;
	}
	return g_mapped_file_get_bytes(mapped);
}

GBytes *file_read_fd(int fd, const char *path, GError **error)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fail(path, "", error);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return fail(path, "", error);
	}
	if (S_ISREG(st.st_mode) && st.st_size >= MAP_MIN && lseek(fd, 0, SEEK_CUR) == 0)
		return map(fd, path, error);
	if (S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size < MAP_MIN)
		return read_small(fd, (size_t)st.st_size, path, error);
	return read_all(fd, path, error);
}

GBytes *mailer_file_read(const char *path, GError **error)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "standard input" : path;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fail(path, "", error);

	g_autoptr(GBytes) bytes = file_read_fd(fd, name, error);

	if (!standard)
		close(fd);
	return bytes ? unpack_bytes(bytes, name, error) : NULL;
}

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes += n;
		length -= (size_t)n;
	}
	return true;
}

/* A rename is durable only when the directory is. */
static bool sync_directory(const char *path)
{
	g_autofree char *dir = g_path_get_dirname(path);
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return false;

	/* Some file systems cannot sync a directory and say EINVAL: nothing is lost. */
	bool done = fsync(fd) == 0 || errno == EINVAL;

	close(fd);
	return done;
}

static bool fill(int fd, const char *temporary, const void *bytes, size_t length)
{
	mode_t mask = umask(0);

	umask(mask);

	bool done = write_all(fd, bytes, length) && fchmod(fd, 0666 & ~mask) == 0 &&
		    fsync(fd) == 0;
	int saved = errno;

	if (close(fd) != 0 && done) {
		saved = errno;
		done = false;
	}
	if (!done)
		unlink(temporary);
	errno = saved;
	return done;
}

bool mailer_file_write(const char *path, const void *bytes, size_t length,
		       GError **error)
{
	g_autofree char *temporary = g_strdup_printf("%s.XXXXXX", path);
	int fd = g_mkstemp_full(temporary, O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0 || !fill(fd, temporary, bytes, length)) {
		fail(path, "cannot be written: ", error);
		return false;
	}
	if (rename(temporary, path) != 0) {
		fail(path, "cannot be written: ", error);
		unlink(temporary);
		return false;
	}
	if (!sync_directory(path)) {
		fail(path, "its directory cannot be synced: ", error);
		return false;
	}
	return true;
}
