/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mailer/mailer.h"
#include "mailer/wire.h"
#include "tests/unit/test.h"

typedef struct pair {
	wire *w;
	int other;
} pair;

static pair connected(unsigned seconds)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	return (pair){ wire_socket(fds[0], "localhost", seconds), fds[1] };
}

static void the_end_of_input_is_an_error(void **state)
{
	pair p = connected(10);
	char c;

	(void)state;
	assert_int_equal(write(p.other, "x", 1), 1);
	close(p.other);
	assert_int_equal(mailstream_read(wire_stream(p.w), &c, 1), 1);
	assert_null(wire_fault(p.w));
	assert_int_equal(mailstream_read(wire_stream(p.w), &c, 1), -1);
	assert_non_null(strstr(wire_fault(p.w)->message, "closed by the other side"));
	wire_free(p.w);
}

static void a_peer_that_is_gone_raises_no_signal(void **state)
{
	pair p = connected(10);
	g_autofree char *much = g_strnfill(200000, 'x');

	(void)state;
	close(p.other);
	assert_int_equal(mailstream_write(wire_stream(p.w), much, 200000), -1);
	assert_non_null(wire_fault(p.w));
	wire_free(p.w);
}

/* A byte every 50 ms, for ever. */
static void *trickle(void *fd)
{
	while (send(GPOINTER_TO_INT(fd), "x", 1, MSG_NOSIGNAL) == 1)
		g_usleep(50000);
	return NULL;
}

static void a_peer_that_trickles_does_not_move_the_deadline(void **state)
{
	pair p = connected(1);
	pthread_t thread;
	int64_t start = g_get_monotonic_time();
	MMAPString *line = mmap_string_new("");

	(void)state;
	pthread_create(&thread, NULL, trickle, GINT_TO_POINTER(p.other));
	wire_allow(p.w, 1, 1000000);
	assert_null(mailstream_read_line(wire_stream(p.w), line));
	assert_true(g_get_monotonic_time() - start < 3 * G_USEC_PER_SEC);
	assert_non_null(strstr(wire_fault(p.w)->message, "no answer in time"));
	wire_free(p.w);
	pthread_join(thread, NULL);
	close(p.other);
	mmap_string_free(line);
}

static void an_answer_beyond_what_is_allowed_is_cut_off(void **state)
{
	pair p = connected(10);
	char buffer[32];

	(void)state;
	assert_int_equal(write(p.other, "0123456789", 10), 10);
	wire_allow(p.w, 10, 8);
	assert_int_equal(mailstream_read(wire_stream(p.w), buffer, 8), 8);
	assert_int_equal(mailstream_read(wire_stream(p.w), buffer, 1), -1);
	assert_true(
		g_error_matches(wire_fault(p.w), MAILER_ERROR, MAILER_ERROR_FORMAT));
	wire_free(p.w);
	close(p.other);
}

static void caps_on_lines_hold_before_libetpan_sees_them(void **state)
{
	pair p = connected(10);
	const guard_caps caps = { .line = 4 };
	MMAPString *line = mmap_string_new("");

	(void)state;
	wire_set_caps(p.w, &caps);
	assert_int_equal(write(p.other, "0123456789", 10), 10);
	assert_null(mailstream_read_line(wire_stream(p.w), line));
	assert_non_null(strstr(wire_fault(p.w)->message, "more than 4 bytes"));
	wire_free(p.w);
	close(p.other);
	mmap_string_free(line);
}

static void echo(const char *bytes, size_t length, GString *answer, void *context)
{
	++*(unsigned *)context;
	g_string_append_len(answer, bytes, (gssize)length);
}

static void a_peer_in_memory_greets_and_answers(void **state)
{
	unsigned calls = 0;
	wire *w = wire_peer(echo, "hello\r\n", &calls);
	MMAPString *line = mmap_string_new("");

	(void)state;
	assert_string_equal(mailstream_read_line_remove_eol(wire_stream(w), line),
			    "hello");
	mailstream_write(wire_stream(w), "ping\r\n", 6);
	mailstream_flush(wire_stream(w));
	assert_string_equal(mailstream_read_line_remove_eol(wire_stream(w), line),
			    "ping");
	assert_int_equal(calls, 1);
	assert_null(mailstream_read_line_remove_eol(wire_stream(w), line));
	assert_non_null(wire_fault(w));
	assert_true(wire_is_loopback(w));
	wire_free(w);
	mmap_string_free(line);
}

static void plain_bytes_before_tls_are_refused(void **state)
{
	pair p = connected(10);
	MMAPString *line = mmap_string_new("");
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_int_equal(write(p.other, "220 go\r\nEHLO ok\r\n", 17), 17);
	assert_non_null(mailstream_read_line(wire_stream(p.w), line));
	assert_false(wire_secure(p.w, NULL, 10, &error));
	assert_non_null(strstr(error->message, "plain text"));
	wire_free(p.w);
	close(p.other);
	mmap_string_free(line);
}

static void a_refused_connection_says_so(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(wire_connect("127.0.0.1", 1, 5, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY));
	assert_non_null(strstr(error->message, "connect: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_of_input_is_an_error),
		cmocka_unit_test(a_peer_that_is_gone_raises_no_signal),
		cmocka_unit_test(a_peer_that_trickles_does_not_move_the_deadline),
		cmocka_unit_test(an_answer_beyond_what_is_allowed_is_cut_off),
		cmocka_unit_test(caps_on_lines_hold_before_libetpan_sees_them),
		cmocka_unit_test(a_peer_in_memory_greets_and_answers),
		cmocka_unit_test(plain_bytes_before_tls_are_refused),
		cmocka_unit_test(a_refused_connection_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
