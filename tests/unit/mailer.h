/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory for one test of mailer/, with what is in it. */
#ifndef TESTS_UNIT_MAILER_H
#define TESTS_UNIT_MAILER_H

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mailer/mailer.h"
#include "tests/unit/test.h"

static inline int scratch_make(void **state)
{
	*state = g_dir_make_tmp("regtrail-XXXXXX", NULL);
	return *state ? 0 : -1;
}

static inline int scratch_remove(void **state)
{
	const char *const argv[] = { "rm", "-rf", "--", *state, NULL };
	g_autoptr(GBytes) out = mailer_run(argv, 60, NULL);

	g_free(*state);
	return out ? 0 : -1;
}

/* Writes dir/name with its directories; returns its path (g_free). */
static inline char *scratch_write(const char *dir, const char *name, const void *bytes,
				  size_t length)
{
	char *path = g_build_filename(dir, name, NULL);
	g_autofree char *parent = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(parent, 0777), 0);
	assert_true(g_file_set_contents(path, bytes, (gssize)length, NULL));
	return path;
}

static inline void scratch_text(const char *dir, const char *name, const char *text)
{
	g_free(scratch_write(dir, name, text, strlen(text)));
}

static inline void assert_bytes(GBytes *bytes, const char *text)
{
	gsize length;
	const void *data = g_bytes_get_data(bytes, &length);

	assert_int_equal(length, strlen(text));
	assert_memory_equal(data, text, length);
}

#endif
