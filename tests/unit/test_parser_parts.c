/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of a body is handed on, however its boundary is named. */
#include "parser/mail.h"
#include "parser/parts.h"
#include "tests/unit/test.h"

#define PARTS 5000u

/* A body that names a boundary and then has that many lines. */
static bool is_cut(const char *naming, const char *line)
{
	g_autoptr(GString) body = g_string_new(naming);
	size_t end;

	g_string_append(body, "\n\n");
	for (unsigned i = 0; i < PARTS; i++)
		g_string_append_printf(body, "%s\n\nx\n", line);
	end = parts_end(NULL, body->str, body->len);
	assert_true(end == body->len || g_str_has_prefix(body->str + end, line));
	return end < body->len / 2;
}

static void a_boundary_counts_however_it_is_named(void **state)
{
	static const char *const named[][2] = {
		{ "Content-Type: multipart/mixed; boundary=b", "--b" },
		{ "Content-Type: multipart/mixed; boundary=b; x=y", "--b \t\r" },
		{ "content-type: multipart/mixed;\n BOUNDARY = \"a b\"", "--a b" },
		{ "content-type: multipart/mixed;\n boundary=\"a\\\"b\"", "--a\"b" },
		{ "Content-Type: multipart/mixed; boundary=\"-\"", "---" },
		{ "Content-Type: multipart/mixed; boundary=b", "--b--" },
		{ "Content-Type: multipart/mixed; boundary*=us-ascii''b", "--b" },
		{ "Content-Type: multipart/mixed; boundary*0=a; boundary*1=b", "--ab" },
		{ "Content-Type: multipart/mixed; boundary=\"=?us-ascii?q?b?=\"",
		  "--b" },
		{ "Content-Type: multipart/mixed; boundary(c)=b", "--b" },
	};
	g_autofree char *long_name = g_strnfill(300, 'x');
	g_autofree char *naming = g_strconcat("boundary=", long_name, NULL);
	g_autofree char *line = g_strconcat("--", long_name, NULL);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(named); i++)
		assert_true(is_cut(named[i][0], named[i][1]));
	assert_true(is_cut(naming, line));
}

static void other_lines_do_not_count(void **state)
{
	static const char naming[] = "Content-Type: multipart/mixed; boundary=b";
	static const char *const lines[] = { "--c", "-- ", "--- a/file.c",
					     "-b",  "b",   "--bb" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		assert_false(is_cut(naming, lines[i]));
	assert_int_equal(parts_end(NULL, "", 0), 0);
	assert_int_equal(parts_end(NULL, "--", 2), 2);
	assert_int_equal(parts_end(NULL, "boundary", 8), 8);
	assert_int_equal(parts_end(NULL, "boundary=", 9), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_boundary_counts_however_it_is_named),
		cmocka_unit_test(other_lines_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
