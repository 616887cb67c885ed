/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_speed [--only WAY] FOLDER...: how many messages a second the scanner, the full
 * parse (with report, tables and trailers) and a bare loop of GMime over the same mails
 * manage: all mails below the folders, out of their mailboxes; then those that are no
 * longer than SMALL, and the longer ones.  --only runs one way alone, for a profiler.
 */
#include <gmime/gmime.h>
#include <stdio.h>
#include <string.h>

#include "parser/parser.h"

#define SECONDS 0.7         /* for each way */
#define ROUNDS  3           /* in turns, so that a busy machine slows all ways alike */
#define SMALL   (16u << 10) /* bytes; most mail of a list is shorter */

typedef void (*read_fn)(const char *bytes, gsize length);

static void scan(const char *bytes, gsize length)
{
	g_auto(parser_scan) s = { 0 };

	parser_scan_message(bytes, length, &s, NULL);
}

static void parse(const char *bytes, gsize length)
{
	g_autoptr(parser_mail) mail =
		parser_mail_parse(bytes, length, PARSER_FORM_MAIL, 0, NULL);
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	unsigned plots = 0;

	if (!mail)
		return;
	parser_tables_read(mail, tables, &plots);
	parser_report_free(parser_report_read(mail, tables, NULL, false));
	parser_report_free(parser_report_read(mail, tables, NULL, true));
	g_ptr_array_unref(parser_trailers_read(mail));
}

static void gmime(const char *bytes, gsize length)
{
	GMimeStream *stream = g_mime_stream_mem_new_with_buffer(bytes, length);
	GMimeParser *parser = g_mime_parser_new_with_stream(stream);
	GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);

	if (message)
		g_object_unref(message);
	g_object_unref(parser);
	g_object_unref(stream);
}

typedef struct way {
	const char *name;
	read_fn read;
	double mails, seconds;
} way;

static void add_messages(GPtrArray *mails, const char *bytes, gsize length)
{
	parser_splitter splitter;
	parser_slice slice;

	parser_splitter_init(&splitter, bytes, length);
	while (parser_splitter_next(&splitter, &slice))
		if (slice.form != PARSER_FORM_ARCHIVE)
			g_ptr_array_add(
				mails, g_bytes_new(bytes + slice.offset, slice.length));
}

static void add_path(GPtrArray *mails, const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;
	g_autofree char *bytes = NULL;
	gsize length;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);

		add_path(mails, file);
	}
	if (!dir && g_file_get_contents(path, &bytes, &length, NULL))
		add_messages(mails, bytes, length);
}

static void take_turn(const GPtrArray *mails, way *w)
{
	gint64 start = g_get_monotonic_time(), now = start;

	while (now - start < SECONDS / ROUNDS * G_USEC_PER_SEC) {
		for (guint i = 0; i < mails->len; i++) {
			gsize length;
			const char *bytes =
				g_bytes_get_data(g_ptr_array_index(mails, i), &length);

			w->read(bytes, length);
		}
		w->mails += mails->len;
		now = g_get_monotonic_time();
	}
	w->seconds += (double)(now - start) / G_USEC_PER_SEC;
}

static void measure(const GPtrArray *mails, const char *which, const char *only)
{
	way ways[] = { { "scanner", scan, 0, 0 },
		       { "parse", parse, 0, 0 },
		       { "gmime", gmime, 0, 0 } };
	double speeds[G_N_ELEMENTS(ways)] = { 0 };

	for (int round = 0; mails->len && round < ROUNDS; round++)
		for (size_t i = 0; i < G_N_ELEMENTS(ways); i++)
			if (!only || strcmp(only, ways[i].name) == 0)
				take_turn(mails, &ways[i]);
	printf("mails%s %u\n", which, mails->len);
	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		if (ways[i].seconds <= 0)
			continue;
		speeds[i] = ways[i].mails / ways[i].seconds;
		printf("%s%s_messages_per_second %.0f\n", ways[i].name, which,
		       speeds[i]);
	}
	if (speeds[2] > 0)
		printf("scanner%s_times_gmime %.1f\n", which, speeds[0] / speeds[2]);
}

static bool is_small(GBytes *mail)
{
	return g_bytes_get_size(mail) <= SMALL;
}

int main(int argc, char **argv)
{
	g_autoptr(GPtrArray) mails =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	g_autoptr(GPtrArray) small = g_ptr_array_new();
	g_autoptr(GPtrArray) large = g_ptr_array_new();
	bool has_only = argc > 2 && strcmp(argv[1], "--only") == 0;
	const char *only = has_only ? argv[2] : NULL;

	for (int i = has_only ? 3 : 1; i < argc; i++)
		add_path(mails, argv[i]);
	for (guint i = 0; i < mails->len; i++)
		g_ptr_array_add(is_small(mails->pdata[i]) ? small : large,
				mails->pdata[i]);
	g_mime_init();
	measure(mails, "", only);
	measure(small, "_small", only);
	measure(large, "_large", only);
	g_mime_shutdown();
	return mails->len ? 0 : 1;
}
