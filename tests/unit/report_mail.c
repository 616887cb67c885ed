/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/report_mail.h"

#include <math.h>
#include <string.h>

#include "tests/unit/test.h"

static parser_lists *senses(void)
{
	static const char text[] = "unixbench.score more\nfsmark.app_overhead less\n";
	parser_lists *lists = parser_lists_new();

	assert_true(parser_lists_add(lists, "sense", text, strlen(text), NULL));
	return lists;
}

seen seen_of(parser_mail *mail)
{
	g_autoptr(parser_lists) lists = senses();
	seen s = { .mail = mail,
		   .tables = g_ptr_array_new_with_free_func(
			   (GDestroyNotify)parser_table_free) };

	assert_non_null(mail);
	parser_tables_read(mail, s.tables, &s.plots);
	s.report = parser_report_read(mail, s.tables, lists, false);
	s.quoted = parser_report_read(mail, s.tables, lists, true);
	s.trailers = parser_trailers_read(mail);
	return s;
}

seen see(const char *headers, const char *body)
{
	g_autofree char *bytes =
		g_strdup_printf("%sMessage-ID: <1@example.org>\n"
				"Content-Type: text/plain; charset=utf-8\n\n%s",
				headers, body);

	return seen_of(
		parser_mail_parse(bytes, strlen(bytes), PARSER_FORM_MAIL, 0, NULL));
}

seen see_robot(const char *subject, const char *body)
{
	g_autofree char *headers =
		g_strdup_printf("From: kernel test robot <robot@example.org>\n"
				"Subject: %s\nDate: Mon, 4 Nov 2024 10:00:00 +0000\n",
				subject);

	return see(headers, body);
}

seen see_file(const char *name)
{
	g_autofree char *path = g_build_filename(TEST_DATA, "report", name, NULL);
	g_autofree char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return see("From: kernel test robot <robot@example.org>\nSubject: a report\n"
		   "Date: Fri, 4 Aug 2017 10:00:00 +0000\n",
		   text);
}

void seen_clear(seen *s)
{
	parser_mail_free(s->mail);
	g_ptr_array_unref(s->tables);
	parser_report_free(s->report);
	parser_report_free(s->quoted);
	g_ptr_array_unref(s->trailers);
	*s = (seen){ 0 };
}

const parser_row *seen_row(const seen *s, guint t, guint i)
{
	assert_true(t < s->tables->len);

	const parser_table *table = g_ptr_array_index(s->tables, t);
	assert_true(i < table->rows->len);
	return g_ptr_array_index(table->rows, i);
}

void assert_near(double value, double want, double slack)
{
	if (!(fabs(value - want) <= slack))
		fail_msg("%g is not %g", value, want);
}
