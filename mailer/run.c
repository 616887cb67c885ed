/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other programs: an argument vector, never a shell, and a limit on their time. */
#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mailer/run.h"

typedef struct wait {
	GSubprocess *process;
	GBytes *out, *err;
	GError *error;
	bool done, late;
} wait;

static void finished(GObject *source, GAsyncResult *result, gpointer data)
{
	wait *w = data;

	g_subprocess_communicate_finish(G_SUBPROCESS(source), result, &w->out, &w->err,
					&w->error);
	w->done = true;
}

static gboolean too_late(gpointer data)
{
	wait *w = data;

	w->late = true;
	g_subprocess_force_exit(w->process);
	return G_SOURCE_REMOVE;
}

/* A hook's GIT_DIR must not redirect us, and messages are matched by nobody's locale.
 */
GSubprocessLauncher *run_launcher(GSubprocessFlags flags)
{
	static const char *const unset[] = { "GIT_DIR", "GIT_WORK_TREE",
					     "GIT_INDEX_FILE", "GIT_NAMESPACE" };
	/* All we open is closed on exec; to trust in that is four times as fast. */
	GSubprocessLauncher *launcher =
		g_subprocess_launcher_new(flags | G_SUBPROCESS_FLAGS_INHERIT_FDS);

	for (size_t i = 0; i < G_N_ELEMENTS(unset); i++)
		g_subprocess_launcher_unsetenv(launcher, unset[i]);
	/* Nobody is there to type a password. */
	g_subprocess_launcher_setenv(launcher, "GIT_TERMINAL_PROMPT", "0", TRUE);
	/* History as it is, not as somebody likes to see it. */
	g_subprocess_launcher_setenv(launcher, "GIT_NO_REPLACE_OBJECTS", "1", TRUE);
	/* What it complains about is looked at: no translations. */
	g_subprocess_launcher_setenv(launcher, "LANGUAGE", "C", TRUE);
	return launcher;
}

static GSubprocess *start(const char *const *argv, int input, GError **error)
{
	g_autoptr(GSubprocessLauncher) launcher = run_launcher(
		G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);

	if (input >= 0)
		g_subprocess_launcher_take_stdin_fd(launcher, input);
	return g_subprocess_launcher_spawnv(launcher, argv, error);
}

/*
 * Input comes from a file in memory: a program that ends before it has read everything
 * would make a pipe an error and a SIGPIPE.  -1 with errno.
 */
static int input_file(GBytes *input)
{
	gsize length, done = 0;
	const char *bytes = g_bytes_get_data(input, &length);
	int fd = memfd_create("input", MFD_CLOEXEC);

	while (fd >= 0 && done < length) {
		ssize_t n = write(fd, bytes + done, length - done);

		if (n < 0 && errno != EINTR) {
			close(fd);
			return -1;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static void communicate(wait *w, unsigned seconds)
{
	GMainContext *context = g_main_context_new();
	GSource *timer = g_timeout_source_new_seconds(seconds);

	g_main_context_push_thread_default(context);
	g_source_set_callback(timer, too_late, w, NULL);
	g_source_attach(timer, context);
	g_subprocess_communicate_async(w->process, NULL, NULL, finished, w);
	while (!w->done)
		g_main_context_iteration(context, TRUE);
	g_source_destroy(timer);
	g_source_unref(timer);
	g_main_context_pop_thread_default(context);
	g_main_context_unref(context);
}

/* The first line of what a program complained about; git's hints are none. */
static char *complaint(const char *text, size_t length)
{
	static const char hint[] = "hint: ";
	const char *end, *nl;

	if (!length)
		return g_strdup("");
	end = text + length;
	while (length >= sizeof(hint) && !memcmp(text, hint, sizeof(hint) - 1) &&
	       (nl = memchr(text, '\n', length)) != NULL) {
		text = nl + 1;
		length = (size_t)(end - text);
	}
	nl = memchr(text, '\n', length);
	return g_utf8_make_valid(text, nl ? nl - text : (gssize)length);
}

bool run_judge(GSubprocess *process, const char *program, const char *err,
	       size_t length, GError **error)
{
	if (g_subprocess_get_successful(process))
		return true;

	g_autofree char *words = complaint(err, length);
	bool exited = g_subprocess_get_if_exited(process);

	g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "%s: %s %d%s%s", program,
		    exited ? "exit code" : "ended by signal",
		    exited ? g_subprocess_get_exit_status(process) :
			     g_subprocess_get_term_sig(process),
		    words[0] ? ": " : "", words);
	return false;
}

static bool judge(const wait *w, const char *program, unsigned seconds, GError **error)
{
	if (w->late) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "%s: not done after %u seconds, ended", program, seconds);
		return false;
	}
	if (w->error) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "%s: %s", program,
			    w->error->message);
		return false;
	}

	gsize length = 0;
	const char *err = w->err ? g_bytes_get_data(w->err, &length) : NULL;

	return run_judge(w->process, program, err, length, error);
}

GBytes *run_program(const char *const *argv, GBytes *input, unsigned seconds,
		    run_end *end, GError **error)
{
	g_autoptr(GError) cause = NULL;
	int fd = input ? input_file(input) : -1;

	if (input && fd < 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
			    "%s: its input: %s", argv[0], g_strerror(errno));
		return NULL;
	}

	g_autoptr(GSubprocess) process = start(argv, fd, &cause);

	if (!process) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND, "%s: %s",
			    argv[0], cause->message);
		return NULL;
	}

	wait w = { .process = process };

	communicate(&w, seconds);
	if (w.error) {
		g_subprocess_force_exit(process);
		g_subprocess_wait(process, NULL, NULL);
	}
	end->exited = !w.late && g_subprocess_get_if_exited(process);
	end->status = end->exited ? g_subprocess_get_exit_status(process) : 0;

	bool good = judge(&w, argv[0], seconds, error);
	GBytes *out = good ? (w.out ? g_bytes_ref(w.out) : g_bytes_new(NULL, 0)) : NULL;

	g_clear_pointer(&w.out, g_bytes_unref);
	g_clear_pointer(&w.err, g_bytes_unref);
	g_clear_error(&w.error);
	return out;
}

GBytes *mailer_run(const char *const *argv, unsigned seconds, GError **error)
{
	run_end end;

	return run_program(argv, NULL, seconds, &end, error);
}

GBytes *mailer_run_in(const char *dir, const char *const *argv, unsigned seconds,
		      GError **error)
{
	g_autofree char *chdir = g_strconcat("--chdir=", dir, NULL);
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	/* env changes the directory after the fork, and for relative programs too. */
	g_ptr_array_add(all, (gpointer) "env");
	g_ptr_array_add(all, chdir);
	for (const char *const *arg = argv; *arg; arg++)
		g_ptr_array_add(all, (gpointer)(guintptr)*arg);
	g_ptr_array_add(all, NULL);

	GBytes *out =
		mailer_run((const char *const *)(void *)all->pdata, seconds, error);

	if (!out)
		g_prefix_error(error, "%s: ", argv[0]);
	return out;
}
