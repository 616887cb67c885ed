/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

volatile int watch_stopped;
static int stop_fd = -1; /* readable for good once a signal came */

static void on_signal(int number)
{
	const uint64_t one = 1;
	int saved = errno;
	ssize_t n;

	watch_stopped = number;
	n = write(stop_fd, &one, sizeof(one));
	(void)n; /* it is full: readable already */
	errno = saved;
}

bool watch_signals(GError **error)
{
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = (int)SA_RESETHAND };

	stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stop_fd < 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "eventfd: %s",
			    g_strerror(errno));
		return false;
	}
	/* A second signal ends us at once. */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return true;
}

typedef struct waiter {
	source *source;
	GThread *thread;
	unsigned seconds;
	int end_fd;   /* readable: stop waiting */
	int fresh_fd; /* to be written to when there is something */
} waiter;

static void raise_fd(int fd)
{
	const uint64_t one = 1;
	ssize_t n = write(fd, &one, sizeof(one));

	(void)n;
}

static gpointer wait_in_thread(gpointer data)
{
	waiter *w = data;
	bool fresh = false;

	/* One that cannot even wait is tried again when the time is over. */
	if (mailer_fetch_wait(w->source->fetch, w->seconds, w->end_fd, &fresh, NULL) &&
	    fresh)
		raise_fd(w->fresh_fd);
	return NULL;
}

static void wait_for_any(int fresh_fd, unsigned seconds)
{
	struct pollfd fds[] = { { .fd = stop_fd, .events = POLLIN },
				{ .fd = fresh_fd, .events = POLLIN } };
	int64_t end = g_get_monotonic_time() + seconds * G_USEC_PER_SEC;

	for (;;) {
		int64_t left = end - g_get_monotonic_time();

		if (left <= 0 || watch_stopped)
			return;

		int n = poll(fds, G_N_ELEMENTS(fds),
			     (int)MIN(left / 1000 + 1, G_MAXINT));

		if (n > 0 || (n < 0 && errno != EINTR))
			return;
	}
}

bool watch_wait(const GPtrArray *sources, unsigned seconds, GError **error)
{
	int end_fd = eventfd(0, EFD_CLOEXEC), fresh_fd = eventfd(0, EFD_CLOEXEC);
	g_autofree waiter *all = g_new0(waiter, sources->len);

	if (end_fd < 0 || fresh_fd < 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "eventfd: %s",
			    g_strerror(errno));
		if (end_fd >= 0)
			close(end_fd);
		return false;
	}
	for (guint i = 0; i < sources->len; i++) {
		waiter *w = &all[i];

		*w = (waiter){ .source = g_ptr_array_index(sources, i),
			       .seconds = seconds,
			       .end_fd = end_fd,
			       .fresh_fd = fresh_fd };
		if (w->source->fetch)
			w->thread = g_thread_new("wait", wait_in_thread, w);
	}
	wait_for_any(fresh_fd, seconds);
	raise_fd(end_fd);
	for (guint i = 0; i < sources->len; i++)
		if (all[i].thread)
			g_thread_join(all[i].thread);
	close(end_fd);
	close(fresh_fd);
	return true;
}
