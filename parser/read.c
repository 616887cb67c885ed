/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One message, from bytes to everything that it says. */
#include "parser/reading.h"

static void copy_warnings(GPtrArray *into, const GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++)
		g_ptr_array_add(into, g_strdup(g_ptr_array_index(from, i)));
}

static void add_warnings(parser_reading *reading)
{
	copy_warnings(reading->warnings, reading->mail->warnings);
	if (reading->report)
		copy_warnings(reading->warnings, reading->report->warnings);
	if (reading->quoted_report)
		copy_warnings(reading->warnings, reading->quoted_report->warnings);
}

parser_reading *parser_read(const char *bytes, size_t length, parser_form form,
			    unsigned index, const parser_rules *rules,
			    const parser_lists *lists, GError **error)
{
	parser_mail *mail = parser_mail_parse(bytes, length, form, index, error);
	if (!mail)
		return NULL;

	parser_reading *reading = g_new0(parser_reading, 1);
	reading->mail = mail;
	reading->warnings = g_ptr_array_new_with_free_func(g_free);
	reading->verdicts =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_verdict_free);
	reading->mechanisms =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_mechanism_free);
	reading->tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	parser_tables_read(mail, reading->tables, &reading->plots);
	reading->report = parser_report_read(mail, reading->tables, lists, false);
	reading->quoted_report = parser_report_read(mail, reading->tables, lists, true);
	reading->trailers = parser_trailers_read(mail);
	reading->commits = parser_commits_read(mail);
	reading->links = parser_links_read(mail);
	reading->patches = parser_patches_read(mail);
	reading->notices = parser_notices_read(mail);
	reading->commands = parser_commands_read(mail);
	add_warnings(reading);
	parser_verdicts_read(reading, rules);
	parser_mechanisms_read(reading, rules);
	return reading;
}

void parser_reading_free(parser_reading *reading)
{
	if (!reading)
		return;
	parser_mail_free(reading->mail);
	parser_report_free(reading->report);
	parser_report_free(reading->quoted_report);
	g_ptr_array_unref(reading->tables);
	g_ptr_array_unref(reading->verdicts);
	g_ptr_array_unref(reading->mechanisms);
	g_ptr_array_unref(reading->commands);
	g_ptr_array_unref(reading->trailers);
	g_ptr_array_unref(reading->commits);
	g_ptr_array_unref(reading->links);
	g_ptr_array_unref(reading->patches);
	g_ptr_array_unref(reading->notices);
	g_ptr_array_unref(reading->warnings);
	g_free(reading);
}
