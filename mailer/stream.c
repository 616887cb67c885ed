/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of a program that is too long to be kept, in pieces. */
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mailer/stream.h"

#include "mailer/run.h"

#define PIECE_BYTES (256u << 10)
#define PIPE_BYTES  (1 << 20)

/* What it complains about goes to memory: two pipes could wait for each other. */
static GSubprocess *start(const char *const *argv, int complaints, GError **error)
{
	g_autoptr(GSubprocessLauncher) launcher =
		run_launcher(G_SUBPROCESS_FLAGS_STDOUT_PIPE);

	g_subprocess_launcher_take_stderr_fd(launcher, complaints);
	return g_subprocess_launcher_spawnv(launcher, argv, error);
}

static bool read_all(GSubprocess *process, mailer_piece_fn fn, void *context,
		     GError **error)
{
	GInputStream *out = g_subprocess_get_stdout_pipe(process);
	g_autofree char *piece = g_malloc(PIECE_BYTES);
	gssize n;

	/* A larger pipe lets both run; it is no matter if the system says no. */
	fcntl(g_unix_input_stream_get_fd(G_UNIX_INPUT_STREAM(out)), F_SETPIPE_SZ,
	      PIPE_BYTES);
	while ((n = g_input_stream_read(out, piece, PIECE_BYTES, NULL, error)) > 0)
		if (!fn(piece, (size_t)n, context, error))
			return false;
	return n == 0;
}

/* Judges by the last line, for git's first ones are hints. */
static bool judge(GSubprocess *process, const char *program, int complaints,
		  GError **error)
{
	char text[4096] = "";
	off_t end = lseek(complaints, 0, SEEK_END);
	ssize_t n = pread(complaints, text, sizeof(text) - 1,
			  MAX(end - (off_t)sizeof(text) + 1, 0));
	const char *line;

	text[MAX(n, 0)] = '\0';
	g_strchomp(text);
	line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	return run_judge(process, program, line, strlen(line), error);
}

bool run_stream(const char *const *argv, mailer_piece_fn fn, void *context,
		GError **error)
{
	int complaints = memfd_create("complaints", MFD_CLOEXEC);
	int theirs = complaints < 0 ? -1 : fcntl(complaints, F_DUPFD_CLOEXEC, 3);
	g_autoptr(GError) cause = NULL;
	g_autoptr(GSubprocess) process =
		theirs < 0 ? NULL : start(argv, theirs, &cause);
	bool good;

	if (!process) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND, "%s: %s",
			    argv[0], cause ? cause->message : "no memory for it");
		if (complaints >= 0)
			close(complaints);
		return false;
	}
	good = read_all(process, fn, context, error);
	if (!good)
		g_subprocess_force_exit(process);
	g_subprocess_wait(process, NULL, NULL);
	good = good && judge(process, argv[0], complaints, error);
	close(complaints);
	return good;
}
