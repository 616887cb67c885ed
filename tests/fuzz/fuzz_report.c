/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/robot_mail.h"

static void check_text(const char *text)
{
	if (text && !g_utf8_validate(text, -1, NULL))
		abort();
}

static void check_report(parser_report *report)
{
	if (!report)
		return;
	for (guint i = 0; i < report->parameters->len; i++) {
		const parser_pair *pair = g_ptr_array_index(report->parameters, i);

		check_text(pair->name);
		check_text(pair->value);
	}
	check_text(report->metric);
	check_text(report->commit_subject);
	check_text(report->machine);
	if (report->commit &&
	    (strlen(report->commit) < 7 || strlen(report->commit) > 40 ||
	     strspn(report->commit, "0123456789abcdef") != strlen(report->commit)))
		abort();
	if (report->sign == PARSER_SIGN_UNKNOWN && report->change_percent < 0)
		abort();
	parser_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(parser_mail) mail = robot_mail(data, size);
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	unsigned plots = 0;

	if (!mail)
		return 0;
	parser_tables_read(mail, tables, &plots);
	check_report(parser_report_read(mail, tables, NULL, false));
	check_report(parser_report_read(mail, tables, NULL, true));
	return 0;
}
