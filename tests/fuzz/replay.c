/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzz target over files, whole and cut short, where there is no fuzzer. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

#define CUTS 16 /* places at which each file is cut */

/* A copy of its own for every run: reading past its end is seen. */
static void run(const char *bytes, size_t length)
{
	uint8_t *copy = malloc(length ? length : 1);

	memcpy(copy, bytes, length);
	LLVMFuzzerTestOneInput(copy, length);
	free(copy);
}

static unsigned replay_file(const char *path)
{
	g_autofree char *bytes = NULL;
	gsize length;

	if (!g_file_get_contents(path, &bytes, &length, NULL))
		return 0;
	for (size_t i = 0; i <= CUTS; i++)
		run(bytes, length * i / CUTS);
	return 1;
}

int main(int argc, char **argv)
{
	unsigned files = 0;

	for (int i = 1; i < argc; i++) {
		g_autoptr(GDir) dir = g_dir_open(argv[i], 0, NULL);
		const char *name;

		if (!dir)
			files += replay_file(argv[i]);
		while (dir && (name = g_dir_read_name(dir))) {
			g_autofree char *path = g_build_filename(argv[i], name, NULL);

			files += replay_file(path);
		}
	}
	if (!files)
		fprintf(stderr, "replay: no seeds found\n");
	return files ? EXIT_SUCCESS : EXIT_FAILURE;
}
