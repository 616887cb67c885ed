/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our own comparison JSON, JSON of commits, git commits, pasted tables. */
#include <glib.h>
#include <string.h>

#include "parser/parser.h"
#include "tests/unit/test.h"

static const char full[] =
	"{\"version\": 1, \"testcase\": \"filebench\","
	" \"machine\": {\"name\": \"box\", \"description\": \"8 threads, 16G memory\"},"
	" \"axes\": {\"kconfig\": \"example\", \"nr\": 4},"
	" \"parameters\": {\"fs\": \"xfs\"},"
	" \"columns\": [{\"commit\": {\"id\": \"0123ABCD\", \"subject\": \"mm: a thing\"}},"
	"   {\"commit\": \"4567cdef\", \"runs\": 3}],"
	" \"metrics\": [{\"name\": \"filebench.sum_operations/s\","
	"     \"samples\": [[1, 2.5, null], [4]]},"
	"   {\"name\": \"vmstat.system.cs\", \"summary\": [{\"mean\": 10, \"stddev\": 1,"
	"     \"n\": 6}, null]}],"
	" \"failures\": [{\"name\": \"dmesg.WARNING:x\", \"counts\": [{\"fails\": 0,"
	"     \"runs\": 6}, {\"fails\": 2, \"runs\": 6}]}],"
	" \"bisect\": [{\"metric\": \"filebench.sum_operations/s\", \"good\": [1, 2],"
	"     \"bad\": [3]}]}";

static void everything_of_the_schema_is_read(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(parser_comparison) c =
		parser_comparison_from_json(full, strlen(full), "x.json", &error);
	const parser_column *base, *head;
	const parser_metric *m;

	(void)state;
	if (!c)
		fail_msg("%s", error->message);
	base = c->columns->pdata[0];
	head = c->columns->pdata[1];
	assert_string_equal(c->testcase, "filebench");
	assert_string_equal(c->machine, "box");
	assert_string_equal(c->machine_description, "8 threads, 16G memory");
	assert_string_equal(parser_pairs_get(c->axes, "nr"), "4");
	assert_string_equal(parser_pairs_get(c->axes, "testcase"), "filebench");
	assert_string_equal(parser_pairs_get(c->parameters, "fs"), "xfs");
	assert_string_equal(base->commit->id, "0123abcd");
	assert_string_equal(base->commit->subject, "mm: a thing");
	assert_string_equal(head->commit->id, "4567cdef");
	m = parser_column_find(base, "filebench.sum_operations/s");
	assert_int_equal(m->n, 3);
	assert_int_equal(m->kinds[0], PARSER_SAMPLE_INTEGER);
	assert_int_equal(m->kinds[2], PARSER_SAMPLE_ABSENT);
	m = parser_column_find(base, "vmstat.system.cs");
	assert_true(m->summary && m->mean == 10 && m->stddev == 1 && m->runs == 6);
	assert_null(parser_column_find(head, "vmstat.system.cs"));
	m = parser_column_find(head, "dmesg.WARNING:x");
	assert_true(m->summary && m->runs == 6);
	assert_int_equal(c->bisect->len, 1);
	assert_string_equal(c->compared->pdata[0], "commit");
}

/* {"columns": [{}, {}], MEMBERS}, which is refused with these words. */
static void refused(const char *members, const char *words)
{
	g_autofree char *text = g_strdup_printf(
		"{\"columns\": [{\"commit\": \"a\"}, {\"commit\": \"b\"}], %s}",
		members);
	g_autoptr(GError) error = NULL;

	assert_null(parser_comparison_from_json(text, strlen(text), "x.json", &error));
	if (!strstr(error->message, words))
		fail_msg("'%s' has no '%s'", error->message, words);
}

static void errors_name_the_json_path(void **state)
{
	(void)state;
	refused("\"metrics\": [{\"name\": \"a\", \"samples\": [[1, \"x\"], []]}]",
		"x.json: $.metrics[0].samples[0][1]: expected a number or null");
	refused("\"metrics\": [{\"name\": \"a\", \"samples\": [[1]]}]",
		"$.metrics[0].samples: 1 entries for 2 columns");
	refused("\"metrics\": [{\"name\": \"a\", \"samples\": [[1], 2]}]",
		"$.metrics[0].samples[1]: expected an array");
	refused("\"metrics\": [{\"name\": \"a\"}]",
		"$.metrics[0]: either samples or summary");
	refused("\"metrics\": [{\"samples\": [[1], [2]]}]",
		"$.metrics[0]: a metric needs a "
		"name");
	refused("\"metrics\": [{\"name\": \"a\", \"samples\": [[1], []]}, "
		"{\"name\": \"a\", \"samples\": [[1], []]}]",
		"$.metrics[1]: metric 'a' stands twice");
	refused("\"metrics\": [{\"name\": \"a\\u0007\", \"samples\": [[1], []]}]",
		"$.metrics[0].name: control character");
	refused("\"metrics\": [{\"name\": \"a\", \"summary\": [{\"mean\": 1, \"n\": -3}, "
		"null]}]",
		"$.metrics[0].summary[0].n: -3 is no possible count");
	refused("\"metrics\": [{\"name\": \"a\", \"summary\": [{\"mean\": 1, \"stddev\": -1, "
		"\"n\": 3}, null]}]",
		"$.metrics[0].summary[0]: negative stddev");
	refused("\"failures\": [{\"name\": \"a\", \"counts\": [{\"fails\": 1, \"runs\": 0}, "
		"null]}]",
		"$.failures[0].counts[0]: fails and runs (at least 1)");
	refused("\"metrics\": {}", "$.metrics: expected an array");
	refused("\"bisect\": [{\"metric\": \"a\", \"good\": [1, null]}]",
		"$.bisect[0].good[1]: expected a number");
	refused("\"version\": 2", "version 2 is not known");
	refused("\"metric\": []", "$: unknown member 'metric'");
	refused("\"axes\": {\"a\": []}", "$.axes.a: expected text or a number");
	refused("\"axes\": {\"a\\nb\": 1}", "control character in a name");
	refused("\"machine\": 3", "$.machine: expected an object");
	refused("\"metrics\": [{\"name\": \"a\", \"samples\": [[1e999], []]}]",
		"x.json:1:");
	refused("\"testcase\": \"a\", \"testcase\": \"b\"", "duplicate object key");
}

static void columns_are_checked(void **state)
{
	static const char *const cases[][2] = {
		{ "{}", "$.columns: a comparison needs two columns" },
		{ "{\"columns\": [{}]}", "$.columns: a comparison needs two columns" },
		{ "{\"columns\": 1}", "$.columns: expected an array" },
		{ "{\"columns\": [{\"runs\": -1}, {}]}",
		  "$.columns[0].runs: -1 is no possible count" },
		{ "{\"columns\": [{\"runs\": 1.5}, {}]}",
		  "$.columns[0].runs: expected a whole number" },
		{ "{\"columns\": [{\"commit\": \"\"}, {}]}",
		  "$.columns[0].commit: empty" },
		{ "{\"columns\": [{}, {\"commit\": {\"date\": \"soon\"}}]}",
		  "$.columns[1].commit.date: 'soon' is no date" },
		{ "{\"columns\": [{}, {\"commit\": {\"trailers\": "
		  "[\"Cc: a\\nBcc: b\"]}}]}",
		  "$.columns[1].commit.trailers[0]: control character" },
		{ "{\"columns\": [{}, {\"commit\": {\"id\": \"\"}}]}",
		  "$.columns[1].commit: empty id" },
		{ "{\"columns\": [{}, {\"runs\": 1}], \"metrics\": [{\"name\": \"m\", "
		  "\"samples\": [[1], [1, 2]]}]}",
		  "'m' has 2 samples in column 1 of 1 runs" },
		{ "[]", "$: expected an object" },
		{ "", "x.json:1:0:" },
		{ "{\"columns\"", "x.json:1:10:" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(parser_comparison_from_json(
			cases[i][0], strlen(cases[i][0]), "x.json", &error));
		if (!strstr(error->message, cases[i][1]))
			fail_msg("'%s' has no '%s'", error->message, cases[i][1]);
	}
}

static void what_is_empty_is_unknown(void **state)
{
	const char *text =
		"{\"testcase\": \"\", \"machine\": {\"name\": \"\", "
		"\"description\": \"\"}, \"columns\": [{\"label\": \"\"}, {\"commit\": "
		"{\"id\": \"abc\", \"subject\": \"\", \"tree\": \"\", \"branch\": \"\", "
		"\"author\": {\"name\": \"\", \"address\": \"\"}, "
		"\"patch\": {\"message_id\": \"\"}}}]}";
	g_autoptr(GError) error = NULL;
	g_autoptr(parser_comparison) c =
		parser_comparison_from_json(text, strlen(text), "x.json", &error);
	const parser_commit *commit;

	(void)state;
	assert_null(error);
	assert_null(c->testcase);
	assert_null(c->machine);
	assert_null(c->machine_description);
	assert_null(((parser_column *)c->columns->pdata[0])->label);
	commit = ((parser_column *)c->columns->pdata[1])->commit;
	assert_string_equal(commit->id, "abc");
	assert_null(commit->subject);
	assert_null(commit->tree);
	assert_null(commit->branch);
	assert_null(commit->author_name);
	assert_null(commit->author_address);
	assert_null(commit->patch_message_id);
}

static void what_differs_is_compared_when_nothing_is_said(void **state)
{
	const char *text =
		"{\"axes\": {\"testcase\": \"t\"}, \"columns\": ["
		"{\"axes\": {\"disk\": \"ssd\"}}, {\"axes\": {\"disk\": \"hdd\"}}]}";
	g_autoptr(parser_comparison) c =
		parser_comparison_from_json(text, strlen(text), "x", NULL);

	(void)state;
	assert_int_equal(c->compared->len, 1);
	assert_string_equal(c->compared->pdata[0], "disk");
	assert_null(parser_pairs_get(c->axes, "disk"));
}

static void commits_are_read_one_or_many(void **state)
{
	const char *one =
		"{\"id\": \"ABCD\", \"author\": {\"name\": \"A\", \"address\": "
		"\"a@example.org\"}, \"date\": 12, \"trailers\": [\"Acked-by: B "
		"<b@example.org>\", {\"name\": \"Fixes\", \"value\": \"x\"}], "
		"\"patch\": {\"message_id\": \"m@example.org\"}}";
	g_autofree char *many = g_strdup_printf("[%s, {\"id\": \"v6.1-rc2\"}]", one);
	g_autoptr(GPtrArray) a = parser_commits_from_json(one, strlen(one), "x", NULL);
	g_autoptr(GPtrArray) b =
		parser_commits_from_json(many, strlen(many), "x", NULL);
	const parser_commit *commit = a->pdata[0];

	(void)state;
	assert_int_equal(a->len, 1);
	assert_int_equal(b->len, 2);
	assert_string_equal(commit->id, "abcd");
	assert_string_equal(commit->author_address, "a@example.org");
	assert_int_equal(commit->date, 12);
	assert_int_equal(commit->trailers->len, 2);
	assert_string_equal(parser_pairs_get(commit->trailers, "Acked-by"),
			    "B <b@example.org>");
	assert_string_equal(commit->patch_message_id, "m@example.org");
	assert_string_equal(((parser_commit *)b->pdata[1])->id, "v6.1-rc2");
}

static void wrong_commits_are_refused(void **state)
{
	static const char *const cases[][2] = {
		{ "{}", "$: a commit needs an id" },
		{ "[{\"id\": \"a\"}, {\"subject\": \"x\"}]",
		  "$[1]: a commit needs an id" },
		{ "{\"id\": \"a\", \"trailers\": [\"nonsense\"]}",
		  "$.trailers[0]: expected \"Name: value\"" },
		{ "{\"id\": \"a\", \"author\": \"me\"}",
		  "$.author: expected an object" },
		{ "{\"id\": \"a\", \"subject\": \"two\\nlines\"}",
		  "$.subject: control character" },
		{ "3", "x:1:1:" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(parser_commits_from_json(cases[i][0], strlen(cases[i][0]),
						     "x", &error));
		if (!strstr(error->message, cases[i][1]))
			fail_msg("'%s' has no '%s'", error->message, cases[i][1]);
	}
}

static void a_git_commit_gives_its_facts(void **state)
{
	const char *text =
		"tree 1234\nparent 5678\n"
		"author J\xf6rg Example <joerg@example.org> 1700000000 +0100\n"
		"committer C <c@example.org> 1700000001 +0100\n"
		"encoding ISO-8859-1\n\n"
		"mm: make a long subject\n that is wrapped\n\nBody.\n\n"
		"Signed-off-by: J\xf6rg Example <joerg@example.org>\n"
		"Reviewed-by: R <r@example.org>\n";
	g_autoptr(parser_commit) c = parser_commit_from_git(text, strlen(text), NULL);

	(void)state;
	assert_string_equal(c->author_name, "J\xc3\xb6rg Example");
	assert_string_equal(c->author_address, "joerg@example.org");
	assert_int_equal(c->date, 1700000000);
	/* As git log --format=%s prints it: the blank of the second line is kept. */
	assert_string_equal(c->subject, "mm: make a long subject  that is wrapped");
	assert_string_equal(parser_pairs_get(c->trailers, "Signed-off-by"),
			    "J\xc3\xb6rg Example <joerg@example.org>");
	assert_string_equal(parser_pairs_get(c->trailers, "Reviewed-by"),
			    "R <r@example.org>");
}

static void what_is_no_commit_is_refused(void **state)
{
	static const char *const cases[] = { "", "tree 1234\n",
					     "author A <a> 1 +0000\n\nx", "\n\n",
					     "tree 12\nauthor\n\n" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(parser_commit_from_git(cases[i], strlen(cases[i]), &error));
		assert_non_null(strstr(error->message, "no commit object"));
	}
}

static void merging_adds_only_what_is_missing(void **state)
{
	g_autoptr(parser_commit) a = parser_commit_new(), b = parser_commit_new();

	(void)state;
	a->subject = g_strdup("kept");
	b->subject = g_strdup("not taken");
	b->branch = g_strdup("master");
	b->date = 7;
	g_ptr_array_add(b->files, g_strdup("mm/x.c"));
	parser_commit_merge(a, b);
	parser_commit_merge(a, b);
	assert_string_equal(a->subject, "kept");
	assert_string_equal(a->branch, "master");
	assert_int_equal(a->date, 7);
	assert_int_equal(a->files->len, 1);
}

static const char table[] =
	"=========================================================================================\n"
	"compiler/kconfig/tbox_group/testcase:\n"
	"  gcc-13/example/box/hackbench\n"
	"\n"
	"commit: \n"
	"  0123456789 (\"sched: before\")\n"
	"  89abcdef01 (\"sched: after\")\n"
	"\n"
	"0123456789abcdef 89abcdef0123456789abcdef012 \n"
	"---------------- --------------------------- \n"
	"       fail:runs  %reproduction    fail:runs\n"
	"           |             |             |    \n"
	"           :6           33%           2:6     dmesg.WARNING:at_x\n"
	"         %stddev     %change         %stddev\n"
	"             \\          |                \\  \n"
	"    100000            -7.5%      92500 \302\261  3%  hackbench.throughput\n"
	"      0.22            +0.1        0.33 \302\261  4%  mpstat.cpu.all.soft%\n";

static void a_pasted_table_is_a_comparison_without_samples(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(parser_comparison) c =
		parser_comparison_from_table(table, strlen(table), "paste", &error);
	const parser_metric *m;

	(void)state;
	if (!c)
		fail_msg("%s", error->message);
	assert_int_equal(c->columns->len, 2);
	assert_string_equal(c->testcase, "hackbench");
	m = parser_column_find(c->columns->pdata[1], "hackbench.throughput");
	assert_true(m->summary && m->mean == 92500);
	assert_true(m->stddev > 92500 * 0.03 && m->stddev < 92500 * 0.04);
	assert_true(m->has_change && m->change == -7.5);
	assert_int_equal(m->runs, 6); /* the fail block tells */
	assert_true(m->printed);
	m = parser_column_find(c->columns->pdata[1], "dmesg.WARNING:at_x");
	assert_true(m->summary && m->runs == 6);
	assert_int_equal(c->warnings->len, 1);
}

static void text_without_a_table_is_an_error(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(parser_comparison_from_table("no table\n", 9, "paste", &error));
	assert_string_equal(error->message, "paste: no comparison table in the text");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_of_the_schema_is_read),
		cmocka_unit_test(errors_name_the_json_path),
		cmocka_unit_test(columns_are_checked),
		cmocka_unit_test(what_is_empty_is_unknown),
		cmocka_unit_test(what_differs_is_compared_when_nothing_is_said),
		cmocka_unit_test(commits_are_read_one_or_many),
		cmocka_unit_test(wrong_commits_are_refused),
		cmocka_unit_test(a_git_commit_gives_its_facts),
		cmocka_unit_test(what_is_no_commit_is_refused),
		cmocka_unit_test(merging_adds_only_what_is_missing),
		cmocka_unit_test(a_pasted_table_is_a_comparison_without_samples),
		cmocka_unit_test(text_without_a_table_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
