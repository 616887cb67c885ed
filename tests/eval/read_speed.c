/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_speed FOLDER...: how many messages a second the scanner, the full parse (with
 * report, tables and trailers) and a bare loop of GMime over the same mails manage.
 */
#include <gmime/gmime.h>
#include <stdio.h>

#include "parser/parser.h"

#define SECONDS 1.0 /* for each way */

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

static void add_folder(GPtrArray *mails, const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);
		char *bytes;
		gsize length;

		if (g_file_get_contents(file, &bytes, &length, NULL))
			g_ptr_array_add(mails, g_bytes_new_take(bytes, length));
	}
}

static double speed(const GPtrArray *mails, read_fn read)
{
	gint64 start = g_get_monotonic_time(), now = start;
	double read_mails = 0;

	while (mails->len && now - start < SECONDS * G_USEC_PER_SEC) {
		for (guint i = 0; i < mails->len; i++) {
			gsize length;
			const char *bytes =
				g_bytes_get_data(g_ptr_array_index(mails, i), &length);

			read(bytes, length);
		}
		read_mails += mails->len;
		now = g_get_monotonic_time();
	}
	return now > start ? read_mails * G_USEC_PER_SEC / (double)(now - start) : 0;
}

int main(int argc, char **argv)
{
	g_autoptr(GPtrArray) mails =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);

	for (int i = 1; i < argc; i++)
		add_folder(mails, argv[i]);
	g_mime_init();

	double scanner = speed(mails, scan), full = speed(mails, parse);
	double bare = speed(mails, gmime);

	printf("scanner_messages_per_second %.0f\n", scanner);
	printf("parse_messages_per_second %.0f\n", full);
	printf("gmime_messages_per_second %.0f\n", bare);
	printf("scanner_times_gmime %.1f\n", bare > 0 ? scanner / bare : 0);
	g_mime_shutdown();
	return mails->len ? 0 : 1;
}
