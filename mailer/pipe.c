/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mailer/waits.h"

#define BUFFER         (256u << 10)
#define LINE_MAX_      (64u << 10)
#define COMPLAINT_MAX  4096
#define SILENT_SECONDS 600

static bool fail(const run_pipe *s, const char *what, GError **error)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "%s: %s: %s", s->program,
		    what, g_strerror(errno));
	return false;
}

/* Our ends into s, the program's into theirs; a socket, because writing to one can be
 * told not to raise SIGPIPE. */
static bool make_pipes(run_pipe *s, bool input, int theirs[3], GError **error)
{
	int in[2] = { -1, -1 }, out[2];

	if (pipe2(out, O_CLOEXEC) != 0)
		return fail(s, "pipe", error);
	s->out = out[0];
	theirs[1] = out[1];
	fcntl(s->out, F_SETPIPE_SZ, 1 << 20); /* may be refused; then it is smaller */
	if (input && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0)
		return fail(s, "socketpair", error);
	s->in = in[0];
	theirs[0] = in[1];
	s->err = memfd_create("complaints", MFD_CLOEXEC);
	theirs[2] = s->err < 0 ? -1 : fcntl(s->err, F_DUPFD_CLOEXEC, 3);
	return theirs[2] >= 0 || fail(s, "memfd", error);
}

bool pipe_open(run_pipe *s, const char *const *argv, const char *program, bool input,
	       GError **error)
{
	g_autoptr(GSubprocessLauncher) launcher = run_launcher(G_SUBPROCESS_FLAGS_NONE);
	g_autoptr(GError) cause = NULL;
	int theirs[3] = { -1, -1, -1 };

	*s = (run_pipe){ .program = g_strdup(program),
			 .in = -1,
			 .out = -1,
			 .err = -1,
			 .seconds = SILENT_SECONDS,
			 .buffer = g_malloc(BUFFER) };

	bool made = make_pipes(s, input, theirs, error);

	/* The launcher closes what it has taken. */
	if (theirs[0] >= 0)
		g_subprocess_launcher_take_stdin_fd(launcher, theirs[0]);
	if (theirs[1] >= 0)
		g_subprocess_launcher_take_stdout_fd(launcher, theirs[1]);
	if (theirs[2] >= 0)
		g_subprocess_launcher_take_stderr_fd(launcher, theirs[2]);
	if (!made)
		return false;
	s->process = g_subprocess_launcher_spawnv(launcher, argv, &cause);
	if (!s->process)
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND, "%s: %s",
			    program, cause->message);
	return s->process;
}

bool pipe_write(run_pipe *s, const char *bytes, size_t length, GError **error)
{
	while (length > 0) {
		ssize_t n = send(s->in, bytes, length, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE)
			return pipe_finish(s, error) && fail(s, "ended", error);
		if (n < 0)
			return fail(s, "cannot be written to", error);
		bytes += n;
		length -= (size_t)n;
	}
	return true;
}

void pipe_close_input(run_pipe *s)
{
	if (s->in >= 0)
		close(s->in);
	s->in = -1;
}

/* Reads more; *n 0 at the end. */
static bool read_some(run_pipe *s, char *to, size_t room, size_t *n, GError **error)
{
	for (;;) {
		ssize_t got = read(s->out, to, room);

		if (got >= 0) {
			*n = (size_t)got;
			return true;
		}
		if (errno != EINTR)
			return fail(s, "cannot be read", error);
	}
}

static bool wait_for_more(const run_pipe *s, GError **error)
{
	int64_t deadline = s->seconds ? deadline_in(s->seconds) : G_MAXINT64;

	if (wait_for(s->out, POLLIN, deadline, error))
		return true;
	g_prefix_error(error, "%s: ", s->program);
	return false;
}

static bool fill(run_pipe *s, size_t *n, GError **error)
{
	if (s->start > 0) {
		memmove(s->buffer, s->buffer + s->start, s->end - s->start);
		s->end -= s->start;
		s->start = 0;
	}
	if (!wait_for_more(s, error) ||
	    !read_some(s, s->buffer + s->end, BUFFER - s->end, n, error))
		return false;
	s->end += *n;
	return true;
}

bool pipe_line(run_pipe *s, char **line, GError **error)
{
	size_t looked = 0, n;

	for (;;) {
		char *start = s->buffer + s->start;
		char *nl = memchr(start + looked, '\n', s->end - s->start - looked);

		if (nl) {
			*nl = '\0';
			*line = start;
			s->start = (size_t)(nl + 1 - s->buffer);
			return true;
		}
		looked = s->end - s->start;
		if (looked > LINE_MAX_) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
				    "%s: a line of more than %u bytes", s->program,
				    LINE_MAX_);
			return false;
		}
		if (!fill(s, &n, error))
			return false;
		if (n == 0) {
			*line = NULL; /* what has no end is no line */
			return true;
		}
	}
}

static bool cut_short(const run_pipe *s, GError **error)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO,
		    "%s: ended in the middle of an answer", s->program);
	return false;
}

bool pipe_bytes(run_pipe *s, char *to, size_t length, GError **error)
{
	size_t have = MIN(length, s->end - s->start);

	memcpy(to, s->buffer + s->start, have);
	s->start += have;
	while (have < length) {
		size_t n;

		if (!wait_for_more(s, error) ||
		    !read_some(s, to + have, length - have, &n, error))
			return false;
		if (n == 0)
			return pipe_finish(s, error) && cut_short(s, error);
		have += n;
	}
	return true;
}

bool pipe_skip(run_pipe *s, size_t length, GError **error)
{
	for (;;) {
		size_t have = MIN(length, s->end - s->start), n;

		s->start += have;
		length -= have;
		if (length == 0)
			return true;
		if (!fill(s, &n, error))
			return false;
		if (n == 0)
			return pipe_finish(s, error) && cut_short(s, error);
	}
}

bool pipe_pieces(run_pipe *s, mailer_piece_fn fn, void *context, GError **error)
{
	for (;;) {
		size_t n = s->end - s->start;

		if (n > 0 && !fn(s->buffer + s->start, n, context, error))
			return false;
		s->start = s->end = 0;
		if (!fill(s, &n, error))
			return false;
		if (n == 0)
			return pipe_finish(s, error);
	}
}

bool run_stream(const char *const *argv, mailer_piece_fn fn, void *context,
		GError **error)
{
	g_auto(run_pipe) s = { 0 };

	if (!pipe_open(&s, argv, argv[0], false, error))
		return false;
	s.seconds = 0;
	return pipe_pieces(&s, fn, context, error);
}

/* The last line of what it complained of, for git's first ones are hints. */
static const char *last_complaint(const run_pipe *s, char words[COMPLAINT_MAX])
{
	off_t end = lseek(s->err, 0, SEEK_END);
	ssize_t n = pread(s->err, words, COMPLAINT_MAX - 1,
			  MAX(end - (COMPLAINT_MAX - 1), 0));
	const char *line;

	words[MAX(n, 0)] = '\0';
	g_strchomp(words);
	line = strrchr(words, '\n');
	return line ? line + 1 : words;
}

bool pipe_finish(run_pipe *s, GError **error)
{
	char words[COMPLAINT_MAX];

	pipe_close_input(s);
	if (!s->process)
		return true;
	/* Still printing: it is told by SIGPIPE that nobody listens. */
	close(s->out);
	s->out = -1;
	g_subprocess_wait(s->process, NULL, NULL);

	const char *line = last_complaint(s, words);
	bool good = run_judge(s->process, s->program, line, strlen(line), error);

	g_clear_object(&s->process);
	return good;
}

void pipe_clear(run_pipe *s)
{
	if (!s->buffer)
		return;
	pipe_close_input(s);
	if (s->process) {
		g_subprocess_force_exit(s->process);
		g_subprocess_wait(s->process, NULL, NULL);
	}
	g_clear_object(&s->process);
	if (s->out >= 0)
		close(s->out);
	if (s->err >= 0)
		close(s->err);
	g_clear_pointer(&s->program, g_free);
	g_clear_pointer(&s->buffer, g_free);
}
