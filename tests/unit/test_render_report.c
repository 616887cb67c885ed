/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/mail_facts.h"
#include "tests/unit/proof.h"
#include "tests/unit/test.h"

static mail_facts *golden_facts(const char *name)
{
	g_autofree char *path = g_strdup_printf(TEST_GOLDEN "/mail/%s.json", name);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	if (!g_file_get_contents(path, &text, NULL, &error))
		fail_msg("%s", error->message);
	return mail_facts_read(path, text);
}

static render_mail *rendered(const mail_facts *f)
{
	g_autoptr(GError) error = NULL;
	render_mail *mail = render_report(&f->facts, mail_facts_text, NULL, &error);

	if (!mail)
		fail_msg("%s", error->message);
	return mail;
}

static void assert_has(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("no '%s' in:\n%s", expected, text);
}

static void assert_lacks(const char *text, const char *unwanted)
{
	if (strstr(text, unwanted))
		fail_msg("'%s' in:\n%s", unwanted, text);
}

static void assert_refused(const mail_facts *f, render_error code, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(render_mail) mail =
		render_report(&f->facts, mail_facts_text, NULL, &error);

	assert_null(mail);
	assert_string_equal(error->message, expected);
	assert_true(g_error_matches(error, RENDER_ERROR, (int)code));
}

/* ---- golden mails --------------------------------------------------------------- */

static void assert_golden(const char *name)
{
	g_autoptr(mail_facts) f = golden_facts(name);
	g_autoptr(render_mail) mail = rendered(f);
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = render_compose(mail, RENDER_TRANSFER_8BIT, &error);
	g_autofree char *path = g_strdup_printf(TEST_GOLDEN "/mail/%s.eml", name);
	g_autofree char *expected = NULL;
	gsize length;
	gsize expected_length;
	const char *data;

	if (!bytes)
		fail_msg("%s: %s", name, error->message);
	data = g_bytes_get_data(bytes, &length);
	if (getenv("REGTRAIL_GOLDEN_WRITE") &&
	    !g_file_set_contents(path, data, (gssize)length, &error))
		fail_msg("%s", error->message);
	if (!g_file_get_contents(path, &expected, &expected_length, &error))
		fail_msg("%s", error->message);
	if (length != expected_length || memcmp(data, expected, length) != 0)
		fail_msg("%s differs from %s.eml; it is now\n%.*s", name, name,
			 (int)length, data);
}

static void mails_are_those_of_the_golden_files(void **state)
{
	static const char *const names[] = {
		"regression", "improvement", "failure", "patch",      "machines",
		"followup",   "retest",      "brief",   "robot-2017", "retraction",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		assert_golden(names[i]);
}

/* ---- identity ------------------------------------------------------------------- */

static void a_message_id_is_stable_and_new_per_kind_and_revision(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	g_autoptr(render_mail) first = rendered(f);
	g_autoptr(render_mail) again = rendered(f);
	g_autoptr(render_mail) revised = NULL;
	g_autoptr(render_mail) followup = NULL;

	(void)state;
	assert_string_equal(first->message_id, again->message_id);
	assert_proves(first->message_id, first->regression, "report");
	f->facts.revision = 1;
	revised = rendered(f);
	assert_string_not_equal(first->message_id, revised->message_id);
	f->facts.revision = 0;
	f->facts.mail_kind = RENDER_MAIL_FOLLOWUP;
	f->facts.first_report = first->message_id;
	followup = rendered(f);
	assert_string_not_equal(first->message_id, followup->message_id);
	assert_string_equal(followup->regression, first->regression);
	assert_string_equal(followup->in_reply_to, first->message_id);
}

static void the_id_stands_in_the_header_and_in_the_text(void **state)
{
	static const char *const styles[] = { "robot", "robot-2017", "brief" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(styles); i++) {
		g_autoptr(mail_facts) f = golden_facts("regression");
		g_autoptr(render_mail) mail = NULL;
		g_autofree char *line = NULL;

		f->facts.style = styles[i];
		mail = rendered(f);
		assert_string_equal(mail->regression,
				    "e82bb88bad81c58e8db1e47326ee39bb489bcdd8");
		line = g_strdup_printf("\nRegression-ID: %s\n", mail->regression);
		assert_has(mail->body, line);
		line[strlen(line) - 1] = '\0';
		assert_has(mail->body, mail->message_id);
	}
}

/* ---- threads -------------------------------------------------------------------- */

static void a_report_on_a_patch_answers_the_patch(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("patch");
	g_autoptr(render_mail) mail = rendered(f);
	g_autoptr(render_mail) own = NULL;

	(void)state;
	assert_string_equal(mail->in_reply_to,
			    "20250507152045.12266-3-ada@example.org");
	assert_int_equal(mail->references->len, 2);
	assert_string_equal(
		mail->subject,
		"Re: [PATCH v2 3/5] mm: cut the tail off \"long\" lists (again)");
	f->facts.own_subject = true;
	own = rendered(f);
	assert_string_equal(own->in_reply_to, mail->in_reply_to);
	assert_true(g_str_has_prefix(own->subject, "[mm]  4a9f46a472:  stress-ng."));
}

static void what_follows_answers_the_first_report(void **state)
{
	static const char *const names[] = { "followup", "retest", "retraction" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(mail_facts) f = golden_facts(names[i]);
		g_autoptr(render_mail) mail = rendered(f);

		assert_string_equal(mail->in_reply_to,
				    "202506100604.0bdf45e7-robot@example.org");
		assert_true(
			g_str_has_prefix(mail->subject, "Re: [linus:master] [btrfs]"));
		f->facts.first_report = NULL;
		assert_refused(f, RENDER_ERROR_INPUT,
			       i == 0 ? "a followup needs the report that it answers" :
			       i == 1 ? "a retest needs the report that it answers" :
					"a retract needs the report that it answers");
	}
}

/* ---- words ---------------------------------------------------------------------- */

static void tags_are_for_what_needs_a_fix(void **state)
{
	g_autoptr(mail_facts) bad = golden_facts("regression");
	g_autoptr(mail_facts) good = golden_facts("improvement");
	g_autoptr(render_mail) regression = rendered(bad);
	g_autoptr(render_mail) improvement = rendered(good);

	(void)state;
	assert_has(regression->body, "\n| Reported-by: perf robot <robot@example.org>\n"
				     "| Closes: https://lore.example.org/r/");
	assert_lacks(improvement->body, "Reported-by");
	assert_lacks(improvement->body, "Closes");
}

static void the_regzbot_block_is_opt_in(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	g_autoptr(render_mail) without = rendered(f);
	g_autoptr(render_mail) with = NULL;

	(void)state;
	assert_lacks(without->body, "#regzbot");
	f->facts.regzbot = true;
	with = rendered(f);
	assert_has(with->body, "\n#regzbot introduced: 5e85262e542d\n");
}

static void a_fix_that_helps_is_tagged(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("retest");
	g_autoptr(render_mail) mail = rendered(f);
	render_retest result;

	(void)state;
	assert_has(mail->body, "\nTested-by: perf robot <robot@example.org>\n");
	assert_true(render_retest_judge(f->facts.comparison, &result, NULL));
	assert_int_equal(result.outcome, PARSER_OUTCOME_FIXED);
}

/* The samples of the last column of a re-test's headline, replaced. */
static mail_facts *retest_with(const double *samples, size_t n)
{
	g_autoptr(mail_facts) f = golden_facts("retest");
	json_t *metrics =
		json_object_get(json_object_get(f->json, "comparison"), "metrics");
	json_t *all = json_object_get(json_array_get(metrics, 0), "samples");
	json_t *last = json_array_get(all, 2);
	g_autofree char *text = NULL;

	json_array_clear(last);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(last, json_real(samples[i]));
	for (size_t i = 1; i < json_array_size(metrics); i++)
		json_array_remove(metrics, i);
	text = json_dumps(f->json, 0);
	return mail_facts_read("retest", text);
}

static void a_fix_is_judged_by_the_intervals(void **state)
{
	static const struct {
		double samples[6];
		parser_outcome outcome;
		bool tag;
		const char *words;
	} cases[] = {
		{ { 800, 803, 797, 801, 799, 802 },
		  PARSER_OUTCOME_PARTIAL,
		  true,
		  "It fixes part of the regression" },
		{ { 599, 600, 601, 600.5, 602, 598 },
		  PARSER_OUTCOME_NOT_FIXED,
		  false,
		  "It does not fix the regression" },
		{ { 500, 503, 497, 501, 499, 502 },
		  PARSER_OUTCOME_WORSE,
		  false,
		  "It makes the regression worse" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(mail_facts) f = retest_with(cases[i].samples, 6);
		g_autoptr(render_mail) mail = rendered(f);
		render_retest result;

		assert_true(render_retest_judge(f->facts.comparison, &result, NULL));
		assert_int_equal(result.outcome, cases[i].outcome);
		assert_has(mail->body, cases[i].words);
		if (cases[i].tag)
			assert_has(mail->body, "Tested-by:");
		else
			assert_lacks(mail->body, "Tested-by:");
	}
}

static void a_retest_needs_the_fix(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");

	(void)state;
	f->facts.mail_kind = RENDER_MAIL_RETEST;
	f->facts.first_report = "a@example.org";
	assert_refused(f, RENDER_ERROR_INPUT,
		       "a re-test needs a third column, the proposed fix");
}

static void a_followup_may_say_that_it_is_gone(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("followup");
	render_comparison *c = g_ptr_array_index(f->comparisons, 0);
	g_autoptr(render_mail) mail = NULL;

	(void)state;
	c->headline.significant = false;
	mail = rendered(f);
	assert_has(mail->body,
		   "\nThe regression of stress-ng.fallocate.ops_per_sec is not seen "
		   "any more (-7.4%, not significant) on:\n");
	assert_lacks(mail->body, " noticed a ");
}

static void a_robot_is_called_one(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	g_autoptr(render_mail) mail = NULL;

	(void)state;
	f->facts.from.name = (char *)"Speed Watch";
	mail = rendered(f);
	assert_has(mail->body, "\nSpeed Watch robot noticed a -40.3% regression of ");
	assert_has(mail->body, "\n| Reported-by: Speed Watch <robot@example.org>\n");
}

static void the_table_is_the_comparers_on_request(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	render_comparison *c = g_ptr_array_index(f->comparisons, 0);
	g_autoptr(render_mail) mail = NULL;

	(void)state;
	c->options.compat_lkp = true;
	mail = rendered(f);
	assert_lacks(mail->body, "Legend:");
	assert_has(mail->body,
		   "\n      1003           -40.3%     599.13        stress-ng.");
}

static void cells_stay_within_the_impact_table(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("machines");
	g_autoptr(render_mail) mail = rendered(f);
	const char *p = strstr(mail->body, "\n+---");
	size_t width = 0;

	(void)state;
	assert_non_null(p);
	for (p++; *p == '+' || *p == '|'; p += strcspn(p, "\n") + 1) {
		g_autofree char *line = g_strndup(p, strcspn(p, "\n"));

		if (width == 0)
			width = render_text_width(line);
		assert_int_equal(render_text_width(line), width);
	}
	assert_has(mail->body, "| testcase: change | will-it-scale: "
			       "will-it-scale.per_thread_ops -14.2% regression");
	assert_has(mail->body, "per_process_ops +12.9% improvement");
	assert_has(mail->body, "|                  | note=zw\xc3\xb6lf | drei");
}

static void rules_and_stars_have_the_robots_widths(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("machines");
	g_autoptr(render_mail) mail = rendered(f);
	g_autofree char *equals = g_strnfill(89, '=');
	g_autofree char *stars = g_strnfill(99, '*');
	g_autofree char *dashes = g_strnfill(98, '-');
	g_autofree char *a = g_strdup_printf("\n%s\n", equals);
	g_autofree char *b = g_strdup_printf("\n%s\nbox-spr-2s1: 224 threads", stars);
	g_autofree char *c = g_strdup_printf("\nDetails are as below:\n%s>\n", dashes);

	(void)state;
	assert_has(mail->body, a);
	assert_has(mail->body, b);
	assert_has(mail->body, c);
}

static void a_value_stays_on_its_line(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	g_autoptr(render_mail) mail = NULL;
	parser_comparison *source = g_ptr_array_index(f->sources, 0);
	parser_column *head = g_ptr_array_index(source->columns, 1);

	(void)state;
	g_free(head->commit->subject);
	head->commit->subject = g_strdup("x\nRegression-ID: 0\x1b[2J\xe2\x80\xae");
	mail = rendered(f);
	assert_lacks(mail->body, "\nRegression-ID: 0");
	assert_lacks(mail->body, "\x1b");
	assert_lacks(mail->body, "\xe2\x80\xae");
}

/* ---- bad input ------------------------------------------------------------------ */

static void facts_that_are_missing_are_named(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	parser_comparison *source = g_ptr_array_index(f->sources, 0);
	parser_column *head = g_ptr_array_index(source->columns, 1);
	render_facts saved = f->facts;
	char *id = head->commit->id;
	char *testcase = source->testcase;

	(void)state;
	f->facts.from.address = (char *)"nobody";
	assert_refused(f, RENDER_ERROR_INPUT, "from: 'nobody' is not an address");
	f->facts = saved;
	f->facts.created = 0;
	assert_refused(f, RENDER_ERROR_INPUT, "the time of the mail is not known");
	f->facts = saved;
	f->facts.style = "fancy";
	assert_refused(f, RENDER_ERROR_INPUT, "there is no style fancy");
	f->facts = saved;
	f->facts.archive_url = "https://lore.example.org/";
	assert_refused(
		f, RENDER_ERROR_INPUT,
		"archive-url: 'https://lore.example.org/' does not hold %s just once");
	f->facts = saved;
	f->facts.mail_kind = RENDER_MAIL_DIGEST;
	assert_refused(f, RENDER_ERROR_INPUT, "a digest is not made from a comparison");
	f->facts = saved;
	head->commit->id = NULL;
	assert_refused(f, RENDER_ERROR_INPUT,
		       "the culprit is not known: column 2 has no commit");
	head->commit->id = (char *)"v6.1";
	assert_refused(f, RENDER_ERROR_INPUT,
		       "the culprit 'v6.1' is not a commit's hash");
	head->commit->id = id;
	source->testcase = NULL;
	assert_refused(f, RENDER_ERROR_INPUT, "the testcase is not known");
	source->testcase = testcase;
}

static void a_metric_that_is_not_in_the_table_is_an_error(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	render_comparison *c = g_ptr_array_index(f->comparisons, 0);

	(void)state;
	c->headline.metric = "no.such.metric";
	assert_refused(f, RENDER_ERROR_INPUT,
		       "metric no.such.metric is not in the table");
}

static void without_a_headline_there_is_no_report(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	render_comparison *c = g_ptr_array_index(f->comparisons, 0);
	char *why = c->headline.why;

	(void)state;
	c->headline.metric = NULL;
	c->headline.why = (char *)"no change is certain";
	assert_refused(f, RENDER_ERROR_EMPTY,
		       "there is no headline metric: no change is certain");
	c->headline.why = why;
}

static void an_unknown_sense_needs_the_kind(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	render_comparison *c = g_ptr_array_index(f->comparisons, 0);
	g_autoptr(render_mail) mail = NULL;

	(void)state;
	c->headline.kind = PARSER_KIND_UNKNOWN;
	assert_refused(f, RENDER_ERROR_INPUT,
		       "stress-ng.fallocate.ops_per_sec: whether more or less of it is "
		       "better is not known: say the kind of the report");
	f->facts.kind = PARSER_KIND_IMPROVEMENT;
	mail = rendered(f);
	assert_has(mail->body, "noticed a -40.3% improvement of");
}

static void a_vanished_attachment_is_an_error(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");

	(void)state;
	g_ptr_array_add((GPtrArray *)f->facts.attachments,
			render_attachment_new("job.yaml", "text/plain", NULL));
	assert_refused(f, RENDER_ERROR_INPUT,
		       "attachment job.yaml: there are no bytes");
}

/* ---- size ----------------------------------------------------------------------- */

static mail_facts *big_facts(unsigned rows)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	json_t *metrics =
		json_object_get(json_object_get(f->json, "comparison"), "metrics");
	g_autofree char *text = NULL;

	for (unsigned i = 0; i < rows; i++)
		json_array_append_new(
			metrics,
			json_pack("{s:o,s:[[i,i,i,i,i,i],[i,i,i,i,i,i]]}", "name",
				  json_sprintf("stress-ng.extra.metric_number_%u", i),
				  "samples", 100, 101, 102, 100, 101, 102, 300, 301,
				  302, 300, 301, 302));
	text = json_dumps(f->json, 0);
	return mail_facts_read("big", text);
}

static void a_big_mail_loses_rows_but_not_the_headlines(void **state)
{
	g_autoptr(mail_facts) f = big_facts(2000);
	g_autoptr(render_mail) whole = rendered(f);
	g_autoptr(render_mail) cut = NULL;
	g_autoptr(GBytes) bytes = NULL;

	(void)state;
	f->facts.max_size = 40000;
	cut = rendered(f);
	bytes = render_compose(cut, RENDER_TRANSFER_QUOTED_PRINTABLE, NULL);
	assert_true(g_bytes_get_size(bytes) <= 40000);
	assert_true(g_bytes_get_size(bytes) > 25000);
	assert_true(strlen(whole->body) > 150000);
	assert_has(cut->body, "  stress-ng.fallocate.ops_per_sec\n");
	assert_has(cut->body,
		   " more rows are left out because of the size of this mail; "
		   "all of them are with\nthe materials at "
		   "https://download.example.org/");
	assert_lacks(whole->body, "left out");
}

static void a_mail_that_cannot_be_cut_enough_is_an_error(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	g_autoptr(GError) error = NULL;

	(void)state;
	f->facts.max_size = 1000;
	assert_null(render_report(&f->facts, mail_facts_text, NULL, &error));
	assert_true(g_error_matches(error, RENDER_ERROR, RENDER_ERROR_INPUT));
	assert_has(error->message, "bytes and cannot be cut to 1000");
}

static void an_attachment_too_big_is_left_out_and_named(void **state)
{
	g_autoptr(mail_facts) f = golden_facts("regression");
	g_autofree char *text = g_strnfill(300000, 'x');
	g_autoptr(GBytes) large = g_bytes_new(text, 300000);
	g_autoptr(GBytes) small = g_bytes_new("x\n", 2);
	g_autoptr(render_mail) mail = NULL;

	(void)state;
	g_ptr_array_add((GPtrArray *)f->facts.attachments,
			render_attachment_new("config", "text/plain", large));
	g_ptr_array_add((GPtrArray *)f->facts.attachments,
			render_attachment_new("job.yaml", "text/plain", small));
	mail = rendered(f);
	assert_int_equal(mail->attachments->len, 1);
	assert_has(mail->body, "\nThe materials to reproduce are attached: job.yaml\n");
	assert_has(mail->body, "\nLeft out because of the size of this mail: config\n");
}

/* ---- templates ------------------------------------------------------------------ */

static const char *broken_text(const char *name, void *context)
{
	const char *const *pair = context;

	return strcmp(name, pair[0]) == 0 ? pair[1] : mail_facts_text(name, NULL);
}

static void a_broken_template_names_its_line(void **state)
{
	static const struct {
		const char *pair[2];
		const char *expected;
	} cases[] = {
		{ { "mail/robot.mustache", "a\n{{no_such}}\n" },
		  "mail/robot.mustache:2: there is no no_such" },
		{ { "mail/tags.mustache", "{{#from}}\n" },
		  "mail/tags.mustache:1: #from is never closed" },
		{ { "mail/subject.mustache", "{{>none}}" },
		  "mail/subject.mustache:1: there is no template none" },
		{ { "mail/brief.mustache", NULL },
		  "there is no template mail/brief.mustache" },
	};

	(void)state;
	assert_true(render_report_templates_check(mail_facts_text, NULL, NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		assert_false(render_report_templates_check(
			broken_text, (void *)cases[i].pair, &error));
		assert_true(
			g_error_matches(error, RENDER_ERROR, RENDER_ERROR_TEMPLATE));
		assert_string_equal(error->message, cases[i].expected);
	}
}

static void a_template_that_loops_is_an_error(void **state)
{
	static const char *const pair[] = { "mail/tags.mustache",
					    "{{>tags}}{{>tags}}" };
	g_autoptr(mail_facts) f = golden_facts("regression");
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(render_report(&f->facts, broken_text, (void *)pair, &error));
	assert_true(g_error_matches(error, RENDER_ERROR, RENDER_ERROR_TEMPLATE));
	assert_string_equal(error->message,
			    "mail/tags.mustache:1: partials are nested deeper than 64");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mails_are_those_of_the_golden_files),
		cmocka_unit_test(a_message_id_is_stable_and_new_per_kind_and_revision),
		cmocka_unit_test(the_id_stands_in_the_header_and_in_the_text),
		cmocka_unit_test(a_report_on_a_patch_answers_the_patch),
		cmocka_unit_test(what_follows_answers_the_first_report),
		cmocka_unit_test(tags_are_for_what_needs_a_fix),
		cmocka_unit_test(the_regzbot_block_is_opt_in),
		cmocka_unit_test(a_fix_that_helps_is_tagged),
		cmocka_unit_test(a_fix_is_judged_by_the_intervals),
		cmocka_unit_test(a_retest_needs_the_fix),
		cmocka_unit_test(a_followup_may_say_that_it_is_gone),
		cmocka_unit_test(a_robot_is_called_one),
		cmocka_unit_test(the_table_is_the_comparers_on_request),
		cmocka_unit_test(cells_stay_within_the_impact_table),
		cmocka_unit_test(rules_and_stars_have_the_robots_widths),
		cmocka_unit_test(a_value_stays_on_its_line),
		cmocka_unit_test(facts_that_are_missing_are_named),
		cmocka_unit_test(a_metric_that_is_not_in_the_table_is_an_error),
		cmocka_unit_test(without_a_headline_there_is_no_report),
		cmocka_unit_test(an_unknown_sense_needs_the_kind),
		cmocka_unit_test(a_vanished_attachment_is_an_error),
		cmocka_unit_test(a_big_mail_loses_rows_but_not_the_headlines),
		cmocka_unit_test(a_mail_that_cannot_be_cut_enough_is_an_error),
		cmocka_unit_test(an_attachment_too_big_is_left_out_and_named),
		cmocka_unit_test(a_broken_template_names_its_line),
		cmocka_unit_test(a_template_that_loops_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
