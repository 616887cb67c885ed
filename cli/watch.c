/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define LONGEST_WAIT                                                                   \
	3600 /* seconds between tries at what fails, if not asked for more */

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

/* ---- turns ----------------------------------------------------------------------- */

void watch_next(watch_turn *turn, bool good, unsigned seconds)
{
	int64_t wait = MAX(seconds, 1u);

	turn->failures = good ? 0 : turn->failures + 1;
	for (unsigned i = 1; i < turn->failures && wait < LONGEST_WAIT; i++)
		wait = MIN(wait * 2, LONGEST_WAIT);
	turn->due = g_get_monotonic_time() + wait * G_USEC_PER_SEC;
}

bool watch_due(const watch_turn *turn)
{
	return turn->due <= g_get_monotonic_time();
}

/* ---- waiting --------------------------------------------------------------------- */

typedef struct waiter {
	source *source;
	GThread *thread;
	bool fresh;
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
	int64_t left = w->source->turn.due - g_get_monotonic_time();
	unsigned seconds = (unsigned)(MAX(left, 0) / G_USEC_PER_SEC + 1);
	bool fresh = false;

	/* One that cannot even wait is tried again when its turn comes. */
	if (!mailer_fetch_wait(w->source->fetch, seconds, w->end_fd, &fresh, NULL) ||
	    !fresh)
		return NULL;
	w->fresh = true;
	raise_fd(w->fresh_fd);
	return NULL;
}

static void wait_for_any(int fresh_fd, int64_t end)
{
	struct pollfd fds[] = { { .fd = stop_fd, .events = POLLIN },
				{ .fd = fresh_fd, .events = POLLIN } };

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

/* Whose last try failed is left alone until its turn. */
static void start(waiter *w, source *s, int end_fd, int fresh_fd)
{
	*w = (waiter){ .source = s, .end_fd = end_fd, .fresh_fd = fresh_fd };
	if (s->fetch && s->turn.failures == 0)
		w->thread = g_thread_new("wait", wait_in_thread, w);
}

static void end(waiter *w)
{
	if (w->thread)
		g_thread_join(w->thread);
	w->source->rests = !w->fresh && !watch_due(&w->source->turn);
}

bool watch_wait(const GPtrArray *sources, GError **error)
{
	int end_fd = eventfd(0, EFD_CLOEXEC), fresh_fd = eventfd(0, EFD_CLOEXEC);
	g_autofree waiter *all = g_new0(waiter, sources->len);
	int64_t first = G_MAXINT64;

	if (end_fd < 0 || fresh_fd < 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "eventfd: %s",
			    g_strerror(errno));
		if (end_fd >= 0)
			close(end_fd);
		return false;
	}
	for (guint i = 0; i < sources->len; i++) {
		source *s = g_ptr_array_index(sources, i);

		first = MIN(first, s->turn.due);
		start(&all[i], s, end_fd, fresh_fd);
	}
	wait_for_any(fresh_fd, first);
	raise_fd(end_fd);
	for (guint i = 0; i < sources->len; i++)
		end(&all[i]);
	close(end_fd);
	close(fresh_fd);
	return true;
}
