/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names to connected sockets, every wait with a deadline. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mailer/mailer.h"
#include "mailer/waits.h"

int64_t deadline_in(unsigned seconds)
{
	return g_get_monotonic_time() + (int64_t)seconds * G_USEC_PER_SEC;
}

bool wait_for(int fd, short events, int64_t deadline, GError **error)
{
	for (;;) {
		struct pollfd p = { .fd = fd, .events = events };
		int64_t left = deadline - g_get_monotonic_time();
		int n = left > 0 ? poll(&p, 1, (int)MIN(left / 1000 + 1, G_MAXINT)) : 0;

		if (n > 0)
			return true;
		if (n == 0 && g_get_monotonic_time() >= deadline) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
				    "no answer in time");
			return false;
		}
		if (n < 0 && errno != EINTR) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
				    "poll: %s", g_strerror(errno));
			return false;
		}
	}
}

/* A question to the resolver that outlives us if it has to. */
typedef struct question {
	struct gaicb ask;
	struct addrinfo hints;
	char *host, *service;
} question;

static void question_free(question *q)
{
	if (q->ask.ar_result)
		freeaddrinfo(q->ask.ar_result);
	g_free(q->host);
	g_free(q->service);
	g_free(q);
}

static question *question_new(const char *host, unsigned port)
{
	question *q = g_new0(question, 1);

	q->host = g_strdup(host);
	q->service = g_strdup_printf("%u", port);
	q->hints.ai_socktype = SOCK_STREAM;
	q->hints.ai_flags = AI_NUMERICSERV;
	q->ask.ar_name = q->host;
	q->ask.ar_service = q->service;
	q->ask.ar_request = &q->hints;
	return q;
}

/* getaddrinfo() knows no deadline; its asynchronous sister does. */
static question *resolve(const char *host, unsigned port, int64_t deadline,
			 GError **error)
{
	question *q = question_new(host, port);
	struct gaicb *list[] = { &q->ask };
	int code = getaddrinfo_a(GAI_NOWAIT, list, 1, NULL);

	while (code == 0 && (code = gai_error(&q->ask)) == EAI_INPROGRESS) {
		int64_t left = deadline - g_get_monotonic_time();
		struct timespec wait = { left / G_USEC_PER_SEC,
					 left % G_USEC_PER_SEC * 1000 };

		if (left <= 0) {
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
				    "the name is not resolved in time");
			if (gai_cancel(&q->ask) != EAI_NOTCANCELED)
				question_free(q);
			return NULL;
		}
		gai_suspend((const struct gaicb *const *)list, 1, &wait);
		code = 0;
	}
	if (code == 0)
		return q;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY, "%s",
		    code == EAI_SYSTEM ? g_strerror(errno) : gai_strerror(code));
	question_free(q);
	return NULL;
}

static bool connect_socket(int fd, const struct addrinfo *to, int64_t deadline,
			   GError **error)
{
	int trouble = connect(fd, to->ai_addr, to->ai_addrlen) == 0 ? 0 : errno;

	if (trouble == EINPROGRESS) {
		socklen_t length = sizeof trouble;

		if (!wait_for(fd, POLLOUT, deadline, error))
			return false;
		if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &trouble, &length) != 0)
			trouble = errno;
	}
	if (trouble == 0)
		return true;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY, "%s",
		    g_strerror(trouble));
	return false;
}

static int dial_one(const struct addrinfo *to, int64_t deadline, GError **error)
{
	int fd = socket(to->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int on = 1;

	if (fd < 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY, "%s",
			    g_strerror(errno));
		return -1;
	}
	if (!connect_socket(fd, to, deadline, error)) {
		close(fd);
		return -1;
	}
	/* The end of a mail is a small packet of its own; it must not wait. */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	return fd;
}

int dial(const char *host, unsigned port, int64_t deadline, GError **error)
{
	g_autoptr(GError) cause = NULL;
	question *q = resolve(host, port, deadline, &cause);
	int fd = -1;

	for (const struct addrinfo *to = q ? q->ask.ar_result : NULL; to && fd < 0;
	     to = to->ai_next) {
		g_clear_error(&cause);
		fd = dial_one(to, deadline, &cause);
	}
	if (q)
		question_free(q);
	if (fd < 0)
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY, "connect: %s",
			    cause ? cause->message : "the name has no address");
	return fd;
}
