/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of mail.  The cursor tells a file that only grew (its end is read then) from
 * one that was rotated or rewritten, and one that did not change from all others
 * without reading it.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mailer/fetch_kind.h"
#include "mailer/files.h"
#include "mailer/mailer.h"
#include "mailer/unpack.h"

#define LOOK         4096u /* bytes of head and tail that tell a file */
#define LOCK_SECONDS 60
#define LOCK_STEP    (100 * 1000) /* microseconds */

typedef struct mbox {
	char *path; /* absolute */
	unsigned timeout;
	GBytes *held; /* what it holds, while it is read */
} mbox;

static void *mbox_open(const char *url, const mailer_fetch_options *options,
		       GError **error)
{
	char *path = fetch_path(url, error);

	if (!path)
		return NULL;

	mbox *self = g_new0(mbox, 1);

	self->path = path;
	self->timeout =
		options->server.timeout ? options->server.timeout : LOCK_SECONDS;
	return self;
}

static void mbox_close(void *data)
{
	mbox *self = data;

	g_free(self->path);
	g_free(self);
}

/* Files share a name: their places are paths. */
static char *mbox_name(const void *self)
{
	(void)self;
	return g_strdup("file");
}

static bool fail(const mbox *self, GError **error)
{
	g_set_error(error, MAILER_ERROR,
		    errno == ENOENT || errno == ENOTDIR ? MAILER_ERROR_NOT_FOUND :
							  MAILER_ERROR_IO,
		    "%s: %s", self->path, g_strerror(errno));
	return false;
}

/* ---- the cursor ------------------------------------------------------------------ */

typedef struct mark {
	uint64_t size, inode;
	int64_t changed;         /* nanoseconds; 0: read in part */
	char head[17], tail[17]; /* hashes of what lies before `size` */
} mark;

static void hash(char *to, const char *bytes, size_t length)
{
	g_autofree char *sum = g_compute_checksum_for_data(
		G_CHECKSUM_SHA256, (const guchar *)bytes, length);

	g_strlcpy(to, sum, 17);
}

static mark mark_at(const struct stat *st, const char *bytes, uint64_t size)
{
	mark m = { .size = size, .inode = st->st_ino };
	size_t n = (size_t)MIN(size, LOOK);

	hash(m.head, bytes, n);
	hash(m.tail, bytes + size - n, n);
	return m;
}

static int64_t changed(const struct stat *st)
{
	return st->st_mtim.tv_sec * 1000000000ll + st->st_mtim.tv_nsec;
}

static char *mark_text(const mark *m)
{
	return g_strdup_printf("%" PRIu64 " %" PRIu64 " %" PRId64 " %s %s", m->size,
			       m->inode, m->changed, m->head, m->tail);
}

static bool mark_read(const char *text, mark *m)
{
	return text && sscanf(text,
			      "%" SCNu64 " %" SCNu64 " %" SCNd64 " %16[0-9a-f] "
			      "%16[0-9a-f]",
			      &m->size, &m->inode, &m->changed, m->head, m->tail) == 5;
}

static bool is_unchanged(const mark *m, const struct stat *st)
{
	return m->size == (uint64_t)st->st_size && m->inode == st->st_ino &&
	       m->changed && m->changed == changed(st);
}

/* How much of a file is known, if it only grew since by whole mails; else 0. */
static uint64_t known_part(const mark *before, const struct stat *st, const char *bytes,
			   size_t length)
{
	static const char from[] = "From ";
	size_t at = (size_t)before->size;

	if (before->inode != st->st_ino || before->size == 0 || at > length)
		return 0;
	/* The same size at another time: something inside was changed. */
	if (at == length && before->changed)
		return 0;

	mark now = mark_at(st, bytes, before->size);

	if (strcmp(now.head, before->head) || strcmp(now.tail, before->tail))
		return 0;
	while (at < length && (bytes[at] == '\n' || bytes[at] == '\r'))
		at++;
	if (at == length)
		return length;
	return length - at >= 5 && memcmp(bytes + at, from, 5) == 0 ? before->size : 0;
}

/* ---- reading --------------------------------------------------------------------- */

/* Waits for a writer that locks as mail programs do. */
static bool lock(const mbox *self, int fd, GError **error)
{
	struct flock whole = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int64_t end = g_get_monotonic_time() + self->timeout * G_USEC_PER_SEC;

	while (fcntl(fd, F_OFD_SETLK, &whole) != 0) {
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return true; /* this file system knows no locks */
		if (g_get_monotonic_time() >= end) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
				    "%s: locked by another program", self->path);
			return false;
		}
		g_usleep(LOCK_STEP);
	}
	return true;
}

typedef struct reading {
	const mailer_fetch_sink *sink;
	const struct stat *st;
	const char *bytes;
	size_t length;
} reading;

static bool reached(uint64_t at, void *file, GError **error)
{
	const reading *r = file;
	mark m = mark_at(r->st, r->bytes, MIN(at, r->length));
	g_autofree char *cursor = mark_text(&m);

	return r->sink->checkpoint(cursor, r->sink->context, error);
}

static bool hand_over(const mbox *self, const mark *before, GBytes *raw, reading *r,
		      GError **error)
{
	g_autoptr(GBytes) plain = unpack_bytes(raw, self->path, error);
	uint64_t known = 0;

	if (!plain)
		return false;
	if (plain == raw && before)
		known = known_part(before, r->st, r->bytes, r->length);
	if (plain == raw && known && known == r->length)
		return true;

	mailer_fetched mail = { .place = self->path,
				.bytes = plain,
				.is_file = true,
				.offset = known,
				.left = -1,
				.reached = plain == raw ? reached : NULL,
				.file = r };

	return r->sink->mail(&mail, r->sink->context, error);
}

static bool read_locked(mbox *self, int fd, const mark *before,
			const mailer_fetch_sink *sink, GError **error)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fail(self, error);

	g_autoptr(GBytes) raw = file_read_fd(fd, self->path, error);
	reading r = { .sink = sink, .st = &st };

	if (!raw)
		return false;
	r.bytes = g_bytes_get_data(raw, &r.length);
	if (!r.bytes)
		r.bytes = "";
	self->held = raw;

	bool good = hand_over(self, before, raw, &r, error);

	self->held = NULL;
	if (!good || !S_ISREG(st.st_mode))
		return good;

	mark m = mark_at(&st, r.bytes, r.length);
	g_autofree char *cursor = NULL;

	m.changed = changed(&st);
	cursor = mark_text(&m);
	return sink->checkpoint(cursor, sink->context, error);
}

static bool mbox_run(void *data, const char *cursor, const mailer_fetch_sink *sink,
		     GError **error)
{
	mbox *self = data;
	mark before = { 0 };
	bool marked = mark_read(cursor, &before);
	struct stat st;

	if (stat(self->path, &st) != 0)
		return fail(self, error);
	if (S_ISDIR(st.st_mode)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "%s: a directory, no file", self->path);
		return false;
	}
	if (marked && is_unchanged(&before, &st))
		return true;

	int fd = open(self->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fail(self, error);

	bool good = lock(self, fd, error) &&
		    read_locked(self, fd, marked ? &before : NULL, sink, error);

	close(fd);
	return good;
}

static GBytes *mbox_again(void *data, const char *place, GError **error)
{
	const mbox *self = data;

	if (self->held && strcmp(place, self->path) == 0)
		return unpack_bytes(self->held, self->path, error);
	return mailer_file_read(place, error);
}

const fetch_kind fetch_mbox = {
	.scheme = "mbox:",
	.form = "mbox:PATH",
	.open = mbox_open,
	.name = mbox_name,
	.run = mbox_run,
	.again = mbox_again,
	.close = mbox_close,
};

const fetch_kind fetch_file = {
	.scheme = "file:",
	.form = "file:PATH",
	.open = mbox_open,
	.name = mbox_name,
	.run = mbox_run,
	.again = mbox_again,
	.close = mbox_close,
};
