/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mailer/mailer.h"
#include "mailer/tls.h"
#include "mailer/waits.h"

#define BUFFER_SIZE 65536

struct wire {
	int fd;
	char *host;
	tls *tls; /* NULL while plain */
	mailstream *stream;
	int64_t deadline;
	size_t bytes_left; /* that may still be read */
	guard guard;
	GError *fault; /* the first one stays */

	wire_peer_fn peer; /* instead of fd */
	GString *answer;
	void *context;
};

static ssize_t read_some(wire *w, void *buffer, size_t size, GError **error)
{
	if (w->tls)
		return tls_read(w->tls, buffer, size, error);

	ssize_t n = recv(w->fd, buffer, size, 0);

	if (n > 0)
		return n;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY, "%s",
		    n == 0 ? "closed by the other side" : g_strerror(errno));
	return -1;
}

static ssize_t write_some(wire *w, const void *bytes, size_t length, GError **error)
{
	if (w->tls)
		return tls_write(w->tls, bytes, length, error);

	ssize_t n = send(w->fd, bytes, length, MSG_NOSIGNAL);

	if (n > 0)
		return n;
	if (n == 0 || errno == EAGAIN || errno == EINTR)
		return 0;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY, "%s",
		    g_strerror(errno));
	return -1;
}

static ssize_t read_peer(wire *w, void *buffer, size_t size)
{
	size_t n = MIN(size, w->answer->len);

	if (n == 0) {
		g_set_error(&w->fault, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "closed by the other side");
		return -1;
	}
	memcpy(buffer, w->answer->str, n);
	g_string_erase(w->answer, 0, (gssize)n);
	return (ssize_t)n;
}

static ssize_t read_socket(wire *w, void *buffer, size_t size)
{
	for (;;) {
		ssize_t n = read_some(w, buffer, size, &w->fault);
		short events = w->tls ? tls_events(w->tls) : POLLIN;

		if (n != 0)
			return n;
		if (!wait_for(w->fd, events, w->deadline, &w->fault))
			return -1;
	}
}

ssize_t wire_read(wire *w, void *buffer, size_t size)
{
	if (w->fault)
		return -1;
	if (w->bytes_left == 0) {
		g_set_error(&w->fault, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "a longer answer than there can be");
		return -1;
	}
	size = MIN(size, w->bytes_left);

	ssize_t n = w->peer ? read_peer(w, buffer, size) : read_socket(w, buffer, size);

	if (n <= 0)
		return -1;
	w->bytes_left -= (size_t)n;
	return guard_feed(&w->guard, buffer, (size_t)n, &w->fault) ? n : -1;
}

/* The end of input must be -1 for libetpan: at 0 some of its loops never end. */
static ssize_t driver_read(mailstream_low *low, void *buffer, size_t size)
{
	return wire_read(low->data, buffer, size);
}

static ssize_t write_part(wire *w, const void *bytes, size_t length)
{
	if (w->fault)
		return -1;
	if (w->peer) {
		w->peer(bytes, length, w->answer, w->context);
		return (ssize_t)length;
	}
	for (;;) {
		ssize_t n = write_some(w, bytes, length, &w->fault);
		short events = w->tls ? tls_events(w->tls) : POLLOUT;

		if (n != 0)
			return n;
		if (!wait_for(w->fd, events, w->deadline, &w->fault))
			return -1;
	}
}

static ssize_t driver_write(mailstream_low *low, const void *bytes, size_t length)
{
	return write_part(low->data, bytes, length);
}

bool wire_write(wire *w, const char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write_part(w, bytes, length);

		if (n <= 0)
			return false;
		bytes += n;
		length -= (size_t)n;
	}
	return true;
}

static void hang_up(wire *w)
{
	if (w->tls && !w->fault)
		tls_bye(w->tls);
	g_clear_pointer(&w->tls, tls_free);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

static int driver_close(mailstream_low *low)
{
	hang_up(low->data);
	return 0;
}

static int driver_fd(mailstream_low *low)
{
	return wire_fd(low->data);
}

/* The wire stays with its owner; it only forgets the stream that is freed now. */
static void driver_free(mailstream_low *low)
{
	wire *w = low->data;

	w->stream = NULL;
	free(low); /* libetpan's malloc() */
}

static void driver_cancel(mailstream_low *low)
{
	(void)low;
}

static mailstream_low_driver driver = {
	.mailstream_read = driver_read,
	.mailstream_write = driver_write,
	.mailstream_close = driver_close,
	.mailstream_get_fd = driver_fd,
	.mailstream_free = driver_free,
	.mailstream_cancel = driver_cancel,
};

static wire *wire_new(int fd, const char *host)
{
	wire *w = g_new0(wire, 1);

	w->fd = fd;
	w->host = g_strdup(host);
	w->deadline = G_MAXINT64;
	w->bytes_left = SIZE_MAX;
	return w;
}

wire *wire_connect(const char *host, unsigned port, unsigned seconds, GError **error)
{
	int64_t deadline = deadline_in(seconds);
	int fd = dial(host, port, deadline, error);

	if (fd < 0)
		return NULL;

	wire *w = wire_new(fd, host);

	w->deadline = deadline;
	return w;
}

wire *wire_peer(wire_peer_fn peer, const char *greeting, void *context)
{
	wire *w = wire_new(-1, "peer");

	w->peer = peer;
	w->context = context;
	w->answer = g_string_new(greeting);
	return w;
}

wire *wire_socket(int fd, const char *host, unsigned seconds)
{
	wire *w = wire_new(fd, host);

	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	w->deadline = deadline_in(seconds);
	return w;
}

void wire_free(wire *w)
{
	if (!w)
		return;
	if (w->stream)
		mailstream_close(w->stream);
	hang_up(w);
	g_clear_error(&w->fault);
	if (w->answer)
		g_string_free(w->answer, TRUE);
	g_free(w->host);
	g_free(w);
}

mailstream *wire_stream(wire *w)
{
	if (!w->stream)
		w->stream = mailstream_new(mailstream_low_new(w, &driver), BUFFER_SIZE);
	return w->stream;
}

bool wire_secure(wire *w, const char *ca_file, unsigned seconds, GError **error)
{
	if (w->stream && w->stream->read_buffer_len > 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "TLS: the server went on in plain text where TLS begins");
		return false;
	}
	if (w->fd < 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "TLS: no connection");
		return false;
	}
	w->tls = tls_open(w->fd, w->host, ca_file, deadline_in(seconds), error);
	return w->tls != NULL;
}

bool wire_is_secure(const wire *w)
{
	return w->tls != NULL;
}

bool wire_is_loopback(const wire *w)
{
	struct sockaddr_storage peer;
	socklen_t length = sizeof peer;

	if (w->peer)
		return true;
	if (getpeername(w->fd, (struct sockaddr *)&peer, &length) != 0)
		return false;
	if (peer.ss_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *)&peer;

		return ntohl(in->sin_addr.s_addr) >> 24 == 127;
	}
	if (peer.ss_family == AF_INET6) {
		const struct in6_addr *in =
			&((const struct sockaddr_in6 *)&peer)->sin6_addr;

		return IN6_IS_ADDR_LOOPBACK(in) ||
		       (IN6_IS_ADDR_V4MAPPED(in) && in->s6_addr[12] == 127);
	}
	return peer.ss_family == AF_UNIX;
}

void wire_allow(wire *w, unsigned seconds, size_t bytes)
{
	w->deadline = deadline_in(seconds);
	w->bytes_left = bytes;
}

void wire_set_caps(wire *w, const guard_caps *caps)
{
	w->guard = (guard){ .caps = *caps };
}

const GError *wire_fault(const wire *w)
{
	return w->fault;
}

int wire_fd(const wire *w)
{
	return w->fd;
}

bool wire_pending(const wire *w)
{
	return (w->stream && w->stream->read_buffer_len > 0) ||
	       (w->tls && tls_pending(w->tls)) || (w->answer && w->answer->len > 0);
}
