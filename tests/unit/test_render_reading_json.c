/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <string.h>

#include "render/render.h"
#include "tests/unit/report_mail.h"
#include "tests/unit/test.h"

static const char body[] =
	"kernel test robot noticed a 36.6% regression of a.b on:\n\n"
	"commit: 0123456789abcdef0123456789abcdef01234567 (\"a: \303\244 \\\"b\\\"\")\n\n"
	"parameters:\n\n\tx: 1\n\tempty:\n\n"
	"0123456789abcdef 0123456789abcdef0123456789a \n"
	"---------------- --------------------------- \n"
	"       fail:runs  %reproduction    fail:runs\n"
	"           1:4          -25%            :4     dmesg.x\n"
	"         %stddev     %change         %stddev\n"
	"       100           -36.6%      63.4 \302\261  2%  a.b\n"
	"      0.00           +Inf%       1.00        c.d\n";

/* The JSON of that mail, parsed again. */
static json_t *reading_of(const char *text)
{
	seen s = see_robot("x", text);
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	parser_command command = {
		.prefix = (char *)"#regtrail",
		.verb = (char *)"note",
		.arguments = (char *)"",
		.line = 3,
	};
	parser_verdict verdict = {
		.kind = PARSER_VERDICT_ACK,
		.confidence = 0.75,
		.evidence = (char *)"will look",
		.offset = 12,
		.rule = (char *)"ack-look",
	};
	g_autoptr(GPtrArray) commands = g_ptr_array_new();
	g_autoptr(GPtrArray) verdicts = g_ptr_array_new();
	parser_reading reading = {
		.mail = s.mail,
		.report = s.report,
		.quoted_report = s.quoted,
		.tables = s.tables,
		.plots = s.plots,
		.verdicts = verdicts,
		.mechanisms = none,
		.commands = commands,
		.trailers = s.trailers,
		.links = none,
		.warnings = none,
	};

	g_ptr_array_add(commands, &command);
	g_ptr_array_add(verdicts, &verdict);

	g_autofree char *line = render_reading_json("a.eml", &reading);
	assert_null(strchr(line, '\n'));
	json_t *json = json_loads(line, 0, NULL);
	assert_non_null(json);
	seen_clear(&s);
	return json;
}

static const char *text_at(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static void every_name_of_the_contract_is_there(void **state)
{
	static const char *const names[] = {
		"file",     "message_id", "in_reply_to",   "references", "from",
		"date",     "subject",    "class",         "lists",      "report",
		"tables",   "plots",      "quoted_report", "verdicts",   "mechanisms",
		"commands", "trailers",   "commits",       "links",      "patches",
		"notices",  "warnings",
	};
	json_t *json = reading_of(body);

	(void)state;
	assert_int_equal(json_object_size(json), G_N_ELEMENTS(names));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		assert_non_null(json_object_get(json, names[i]));
	assert_string_equal(text_at(json, "file"), "a.eml");
	assert_string_equal(text_at(json, "date"), "2024-11-04T10:00:00Z");
	assert_true(json_is_null(json_object_get(json, "quoted_report")));
	json_decref(json);
}

static void a_report_keeps_its_facts(void **state)
{
	json_t *json = reading_of(body), *report = json_object_get(json, "report");

	(void)state;
	assert_string_equal(text_at(report, "kind"), "regression");
	assert_string_equal(text_at(report, "sign"), "row");
	assert_string_equal(text_at(report, "generation"), "G6");
	assert_string_equal(text_at(report, "commit_subject"), "a: \303\244 \\\"b\\\"");
	assert_true(json_is_null(json_object_get(report, "testcase")));
	assert_near(json_number_value(json_object_get(report, "change_percent")), -36.6,
		    1e-9);
	assert_string_equal(text_at(json_object_get(report, "parameters"), "empty"),
			    "");
	json_decref(json);
}

static void cells_are_null_where_nothing_is_printed(void **state)
{
	json_t *json = reading_of(body);
	json_t *table = json_array_get(json_object_get(json, "tables"), 0);
	json_t *row = json_array_get(json_object_get(table, "rows"), 0);
	json_t *inf = json_array_get(json_object_get(table, "rows"), 1);
	json_t *fail = json_array_get(json_object_get(table, "fail_rows"), 0);
	json_t *first = json_array_get(json_object_get(row, "cells"), 0);
	json_t *second = json_array_get(json_object_get(row, "cells"), 1);

	(void)state;
	assert_true(json_is_null(json_object_get(first, "stddev_percent")));
	assert_true(json_is_null(json_object_get(first, "change")));
	assert_true(json_is_null(json_object_get(first, "unit")));
	assert_string_equal(text_at(second, "change_text"), "-36.6%");
	assert_string_equal(text_at(second, "unit"), "percent");
	second = json_array_get(json_object_get(inf, "cells"), 1);
	assert_true(json_is_null(json_object_get(second, "change")));
	assert_string_equal(text_at(second, "change_text"), "+Inf%");
	second = json_array_get(json_object_get(fail, "cells"), 1);
	assert_int_equal(json_integer_value(json_object_get(second, "fails")), 0);
	assert_int_equal(json_integer_value(json_object_get(second, "runs")), 4);
	json_decref(json);
}

static void verdicts_and_commands_are_written(void **state)
{
	json_t *json = reading_of("nothing");
	json_t *verdict = json_array_get(json_object_get(json, "verdicts"), 0);
	json_t *command = json_array_get(json_object_get(json, "commands"), 0);

	(void)state;
	assert_true(json_is_null(json_object_get(json, "report")));
	assert_string_equal(text_at(verdict, "verdict"), "ack");
	assert_true(json_is_null(json_object_get(verdict, "outcome")));
	assert_string_equal(text_at(command, "verb"), "note");
	assert_int_equal(json_integer_value(json_object_get(command, "line")), 3);
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_of_the_contract_is_there),
		cmocka_unit_test(a_report_keeps_its_facts),
		cmocka_unit_test(cells_are_null_where_nothing_is_printed),
		cmocka_unit_test(verdicts_and_commands_are_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
