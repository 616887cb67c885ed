/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Digests and reminders: golden mails, and values that want to do harm. */
#include <string.h>

#include "render/render.h"
#include "templates/templates.h"
#include "tests/unit/proof.h"
#include "tests/unit/test.h"

#define NOW 1704445200 /* 2024-01-05 09:00 UTC */
#define DAY 86400

static const char *text_of(const char *name, void *context)
{
	const templates_file *f = templates_find(name);

	(void)context;
	return f ? f->text : NULL;
}

static parser_address ann = { (char *)"Ann Example", (char *)"ann@example.org" };
static parser_address list = { NULL, (char *)"perf@lists.example.org" };

/* Facts with everything that a digest can hold, on the heap that g_autoptr frees. */
typedef struct week {
	GPtrArray *to, *cc, *references, *trees, *open, *closed, *quotes;
	render_digest_quote quote;
	render_digest_fix fix;
	render_digest_entry entries[5];
	render_digest_facts facts;
} week;

static render_digest_entry plain(void)
{
	return (render_digest_entry){
		.id = "1a2b3c4d",
		.metric = "hackbench.throughput",
		.testcase = "hackbench",
		.machine = "a box with 96 threads",
		.tree = "next",
		.commit = "0123456789abcdef0123456789abcdef01234567",
		.commit_subject = "sched: Wake the wrong CPU",
		.author = "Ada Author",
		.kind = PARSER_KIND_REGRESSION,
		.has_change = true,
		.change_percent = -7.1,
		.report_id = "202312250800.aaaaaaaa-robot@example.org",
		.reporter = "example robot",
		.reported_at = NOW - 11 * DAY,
		.status = "reported",
		.owes = "maintainer",
	};
}

static void week_free(week *w)
{
	g_ptr_array_unref(w->to);
	g_ptr_array_unref(w->cc);
	g_ptr_array_unref(w->references);
	g_ptr_array_unref(w->trees);
	g_ptr_array_unref(w->open);
	g_ptr_array_unref(w->closed);
	g_ptr_array_unref(w->quotes);
	g_free(w);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(week, week_free)

static void fill_entries(week *w)
{
	render_digest_entry *e = w->entries;

	for (size_t i = 0; i < G_N_ELEMENTS(w->entries); i++)
		e[i] = plain();
	e[0].mark = "NEW";
	e[1].mark = "CHANGED";
	e[1].tree = "mainline";
	e[1].metric = "fsmark.files_per_sec";
	e[1].change_percent = -31.4;
	e[1].status = "fix-posted";
	e[1].before = "investigating";
	e[1].active_at = NOW - 2 * DAY;
	e[1].active_by = "Max Maintainer";
	e[1].replies = 4;
	e[1].replies_new = 1;
	e[1].quotes = w->quotes;
	e[1].fix = &w->fix;
	e[1].owes = "operator";
	w->quote = (render_digest_quote){ "expected", "Max Maintainer", "maintainer",
					  "That is what fairness costs here." };
	w->fix = (render_digest_fix){ "offered", "sched: Wake the right CPU", NULL,
				      NULL, "fix-1@example.org" };
	e[2].metric = "netperf.Throughput_Mbps";
	e[2].quiet = true;
	e[2].reported_at = NOW - 90 * DAY;
	e[3].status = "fixed";
	e[3].closed_at = NOW - DAY;
	e[3].closed_by = "a scan of mainline";
	e[3].closed_why = "Closes: https://lore.example.org/r/aaaaaaaa";
	e[4].status = "expected";
	e[4].title = "aim7 is slower with more checks";
	e[4].closed_at = NOW - 3 * DAY;
	e[4].closed_by = "Olga Operator";
}

static week *week_new(void)
{
	week *w = g_new0(week, 1);

	w->to = g_ptr_array_new();
	w->cc = g_ptr_array_new();
	w->references = g_ptr_array_new();
	w->trees = g_ptr_array_new();
	w->open = g_ptr_array_new();
	w->closed = g_ptr_array_new();
	w->quotes = g_ptr_array_new();
	g_ptr_array_add(w->to, &list);
	g_ptr_array_add(w->cc, &ann);
	g_ptr_array_add(w->references, (char *)"root@example.org");
	g_ptr_array_add(w->references, (char *)"last@example.org");
	g_ptr_array_add(w->trees, (char *)"mainline");
	g_ptr_array_add(w->quotes, &w->quote);
	fill_entries(w);
	for (size_t i = 0; i < 3; i++)
		g_ptr_array_add(w->open, &w->entries[i]);
	for (size_t i = 3; i < 5; i++)
		g_ptr_array_add(w->closed, &w->entries[i]);
	w->facts = (render_digest_facts){
		.from = { (char *)"example robot", (char *)"robot@example.org" },
		.to = w->to,
		.cc = w->cc,
		.created = NOW,
		.scope = "sched",
		.title = "sched",
		.archive_url = "https://lore.example.org/r/%s",
		.last_id = "last@example.org",
		.last_at = NOW - 7 * DAY,
		.references = w->references,
		.trees = w->trees,
		.open = w->open,
		.closed = w->closed,
		.improvements = 12,
		.improvements_new = 3,
		.backburner = 1,
		.quiet_days = 14,
	};
	return w;
}

static render_mail *digest_of(const week *w)
{
	g_autoptr(GError) error = NULL;
	render_mail *mail = render_digest(&w->facts, text_of, NULL, &error);

	if (!mail)
		fail_msg("%s", error->message);
	return mail;
}

static render_remind_facts remind_of(const render_digest_entry *e, week *w)
{
	return (render_remind_facts){
		.from = w->facts.from,
		.to = w->cc,
		.cc = w->to,
		.created = NOW,
		.regression = "0123456789012345678901234567890123456789",
		.entry = e,
		.report_subject = "[next:master] [sched] 0123456789: "
				  "hackbench.throughput -7.1% regression",
		.archive_url = w->facts.archive_url,
		.number = 1,
		.max = 3,
		.every = 28 * DAY,
	};
}

/* ---- golden mails --------------------------------------------------------------- */

static void assert_golden(const char *name, const render_mail *mail)
{
	g_autofree char *path = g_strdup_printf("%s/tests/golden/digest/%s.eml",
						g_getenv("REGTRAIL_SOURCE"), name);
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = render_compose(mail, RENDER_TRANSFER_8BIT, &error);
	g_autofree char *golden = NULL;
	gsize length;
	const char *data = bytes ? g_bytes_get_data(bytes, &length) : NULL;

	if (!data)
		fail_msg("%s: %s", name, error->message);
	if (g_getenv("REGTRAIL_GOLDEN_WRITE"))
		g_file_set_contents(path, data, (gssize)length, NULL);
	if (!g_file_get_contents(path, &golden, NULL, &error))
		fail_msg("%s", error->message);
	if (strlen(golden) != length || memcmp(golden, data, length) != 0)
		fail_msg("%s differs from:\n%.*s", path, (int)length, data);
}

static void a_digest_is_the_golden_one(void **state)
{
	g_autoptr(week) w = week_new();
	g_autoptr(render_mail) mail = digest_of(w);

	(void)state;
	assert_golden("weekly", mail);
}

static void the_first_digest_and_an_empty_one_are_golden_too(void **state)
{
	g_autoptr(week) w = week_new();

	(void)state;
	w->facts.last_id = NULL;
	w->facts.references = NULL;
	w->facts.title = NULL;
	w->facts.scope = "all";
	w->entries[0].mark = w->entries[1].mark = NULL;
	g_ptr_array_set_size(w->closed, 0);
	g_autoptr(render_mail) first = digest_of(w);

	assert_golden("first", first);
	g_ptr_array_set_size(w->open, 0);
	w->facts.improvements = w->facts.backburner = 0;
	g_autoptr(render_mail) empty = digest_of(w);

	assert_golden("empty", empty);
}

static void a_reminder_is_the_golden_one(void **state)
{
	g_autoptr(week) w = week_new();
	const render_digest_entry e = plain();
	const render_remind_facts facts = remind_of(&e, w);
	g_autoptr(GError) error = NULL;
	g_autoptr(render_mail) mail = render_remind(&facts, text_of, NULL, &error);

	(void)state;
	if (!mail)
		fail_msg("%s", error->message);
	assert_golden("reminder", mail);
}

/* ---- identity and thread -------------------------------------------------------- */

static void the_message_id_proves_scope_and_day(void **state)
{
	g_autoptr(week) w = week_new();
	g_autoptr(render_mail) mail = digest_of(w);

	(void)state;
	assert_proves(mail->message_id, "digest/sched/2024-01-05", "digest");
	assert_string_equal(mail->in_reply_to, "last@example.org");
	assert_int_equal(mail->references->len, 2);
	assert_null(mail->regression);
}

static void a_reminder_answers_the_report_and_names_its_regression(void **state)
{
	g_autoptr(week) w = week_new();
	const render_digest_entry e = plain();
	const render_remind_facts facts = remind_of(&e, w);
	g_autoptr(render_mail) mail = render_remind(&facts, text_of, NULL, NULL);

	(void)state;
	assert_string_equal(mail->in_reply_to, e.report_id);
	assert_true(g_str_has_prefix(mail->subject, "Re: [next:master]"));
	assert_proves(mail->message_id, facts.regression, "remind");
	assert_non_null(strstr(mail->body, "Regression-ID: 0123456789012345678901"));
}

static void without_an_address_there_is_a_text_but_no_mail(void **state)
{
	g_autoptr(week) w = week_new();
	g_autoptr(GError) error = NULL;

	(void)state;
	w->facts.from = (parser_address){ NULL, NULL };
	g_autofree char *text = render_digest_text(&w->facts, text_of, NULL, &error);

	assert_non_null(text);
	assert_null(render_digest(&w->facts, text_of, NULL, &error));
	assert_non_null(strstr(error->message, "from"));
}

/* ---- harm ----------------------------------------------------------------------- */

/* Nothing steers a terminal, nothing is wider than 80 cells but a link. */
static void assert_tame(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	assert_true(g_utf8_validate(text, -1, NULL));
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		assert_true(c == '\n' ||
			    (c >= 0x20 && c != 0x7f && (c < 0x80 || c >= 0xa0)));
		assert_false(c >= 0x202a && c <= 0x202e);
		assert_false(c >= 0x2066 && c <= 0x2069);
	}
	for (char **line = lines; *line; line++) {
		if (render_text_width(*line) > 80 && !strstr(*line, "  https://"))
			fail_msg("too wide: %s", *line);
		if (g_str_has_prefix(*line, "#regtrail"))
			fail_msg("a command: %s", *line);
	}
}

static const char *const nasty[] = {
	"\033]0;owned\007\033[2J",
	"two\r\nBcc: eve@example.org\r\n\r\nlines",
	"\xe2\x80\xae backwards \xe2\x81\xa6 isolated",
	"\xff\xfe broken \xc3",
	"\n#regtrail expected\n#regtrail stop\n",
	"{{robot}} {{>digest}} {{#sections}}",
	"\xe5\xb9\x85\xe5\xb9\x85\xe5\xb9\x85\xe5\xb9\x85 \xe5\xb9\x85\xe5\xb9\x85\xe5\xb9\x85",
	"",
};

/* Every value of an entry at once. */
static void poison(week *w, const char *value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(w->entries); i++) {
		render_digest_entry *e = &w->entries[i];

		e->id = e->title = e->metric = e->testcase = e->machine = e->tree =
			value;
		e->commit = e->commit_subject = e->author = e->report_id = value;
		e->reporter = e->active_by = e->owner = value;
		e->closed_by = e->closed_why = value;
		e->active_at = NOW - DAY;
	}
	w->quote = (render_digest_quote){ value, value, value, value };
	w->fix = (render_digest_fix){ "offered", value, value, value, value };
	w->facts.title = w->facts.archive_url ? value : NULL;
}

static void values_that_want_to_do_harm_are_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(nasty); i++) {
		g_autoptr(week) w = week_new();
		g_autoptr(GError) error = NULL;

		poison(w, nasty[i]);
		g_autoptr(render_mail) mail = digest_of(w);
		g_autoptr(GBytes) bytes =
			render_compose(mail, RENDER_TRANSFER_8BIT, &error);

		if (!bytes)
			fail_msg("%zu: %s", i, error->message);
		assert_tame(mail->body);
		assert_null(strpbrk(mail->subject, "\r\n\033"));
		assert_null(g_strstr_len(g_bytes_get_data(bytes, NULL),
					 (gssize)g_bytes_get_size(bytes), "\nBcc:"));
	}
}

static void a_reminder_is_as_tame(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(nasty); i++) {
		g_autoptr(week) w = week_new();
		render_remind_facts facts = remind_of(&w->entries[0], w);
		g_autoptr(GError) error = NULL;

		poison(w, nasty[i]);
		w->entries[0].report_id = "a@example.org";
		g_autoptr(render_mail) mail =
			render_remind(&facts, text_of, NULL, &error);

		if (!mail)
			fail_msg("%s", error->message);
		assert_tame(mail->body);
	}
}

static void a_subject_with_a_line_end_makes_no_mail(void **state)
{
	g_autoptr(week) w = week_new();
	render_remind_facts facts = remind_of(&w->entries[0], w);
	g_autoptr(GError) error = NULL;

	(void)state;
	facts.report_subject = "it\r\nBcc: eve@example.org";
	g_autoptr(render_mail) mail = render_remind(&facts, text_of, NULL, &error);

	assert_non_null(mail);
	assert_null(render_compose(mail, RENDER_TRANSFER_8BIT, &error));
	assert_non_null(strstr(error->message, "Subject"));
}

static void long_and_wide_values_stay_within_80_columns(void **state)
{
	g_autoptr(week) w = week_new();
	g_autoptr(GString) wide = g_string_new(NULL);

	(void)state;
	for (int i = 0; i < 500; i++)
		g_string_append(wide, i % 7 ? "\xe5\xb9\x85" : "e\xcc\x81");
	poison(w, wide->str);
	w->facts.archive_url = NULL;
	g_autoptr(render_mail) mail = digest_of(w);

	assert_tame(mail->body);
}

static void a_link_is_never_broken_and_its_id_is_escaped(void **state)
{
	g_autoptr(week) w = week_new();
	g_autoptr(GString) id = g_string_new("x/y%z");

	(void)state;
	for (int i = 0; i < 20; i++)
		g_string_append(id, "0123456789");
	g_string_append(id, "@example.org");
	w->entries[0].report_id = id->str;
	g_autoptr(render_mail) mail = digest_of(w);

	assert_non_null(strstr(mail->body, "https://lore.example.org/r/x%2Fy%25z0123"));
	assert_non_null(strstr(mail->body, "0123456789@example.org\n"));
}

static void more_than_can_be_listed_is_counted(void **state)
{
	g_autoptr(week) w = week_new();

	(void)state;
	while (w->open->len < RENDER_DIGEST_OPEN_MAX + 7)
		g_ptr_array_add(w->open, &w->entries[0]);
	while (w->closed->len < RENDER_DIGEST_DONE_MAX + 5)
		g_ptr_array_add(w->closed, &w->entries[3]);
	g_autoptr(render_mail) mail = digest_of(w);

	assert_non_null(strstr(mail->body, "\n7 more are not listed here.\n"));
	assert_non_null(strstr(mail->body, "\n5 more are not listed here.\n"));
	assert_non_null(strstr(mail->body, "There are 207 unresolved"));
}

static void trees_stand_in_the_configured_order_and_quiet_ones_below(void **state)
{
	g_autoptr(week) w = week_new();
	g_autoptr(render_mail) mail = digest_of(w);
	const char *mainline = strstr(mail->body, "\nmainline\n========\n");
	const char *next = strstr(mail->body, "\nnext\n====\n");
	const char *hackbench = strstr(mail->body, "[NEW] hackbench");
	const char *quiet = strstr(mail->body, "(quiet) netperf");

	(void)state;
	assert_non_null(mainline);
	assert_true(mainline < next && next < hackbench && hackbench < quiet);
	/* One that waits for us is not put below. */
	w->entries[2].owes = "robot";
	g_autoptr(render_mail) again = digest_of(w);

	assert_null(strstr(again->body, "(quiet)"));
}

static void templates_are_checked_before_they_are_needed(void **state)
{
	(void)state;
	assert_true(render_digest_templates_check(text_of, NULL, NULL));
}

/* ---- units ---------------------------------------------------------------------- */

static void a_unit_is_told_by_the_end_of_a_name_or_not_at_all(void **state)
{
	static const struct {
		const char *metric, *unit;
	} rows[] = {
		{ "fsmark.files_per_sec", "files/s" },
		{ "stress-ng.sem.ops_per_sec", "ops/s" },
		{ "aim7.jobs-per-min", "jobs/min" },
		{ "fio.read_bw_MBps", "MB/s" },
		{ "netperf.Throughput_Mbps", "Mbit/s" },
		{ "fio.read_iops", "IOPS" },
		{ "lmbench3.PIPE.latency.us", "us" },
		{ "time.elapsed_time", "s" },
		{ "turbostat.Busy%", "%" },
		{ "ebizzy.per_sec", "1/s" },
		{ "unixbench.score", NULL },
		{ "will-it-scale.per_thread_ops", NULL },
		{ "bonus", NULL }, /* ends in "us", but in no word "us" */
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *unit = render_metric_unit(rows[i].metric);

		if (g_strcmp0(unit, rows[i].unit) != 0)
			fail_msg("%s: %s", rows[i].metric, unit ? unit : "none");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_digest_is_the_golden_one),
		cmocka_unit_test(the_first_digest_and_an_empty_one_are_golden_too),
		cmocka_unit_test(a_reminder_is_the_golden_one),
		cmocka_unit_test(the_message_id_proves_scope_and_day),
		cmocka_unit_test(
			a_reminder_answers_the_report_and_names_its_regression),
		cmocka_unit_test(without_an_address_there_is_a_text_but_no_mail),
		cmocka_unit_test(values_that_want_to_do_harm_are_text),
		cmocka_unit_test(a_reminder_is_as_tame),
		cmocka_unit_test(a_subject_with_a_line_end_makes_no_mail),
		cmocka_unit_test(long_and_wide_values_stay_within_80_columns),
		cmocka_unit_test(a_link_is_never_broken_and_its_id_is_escaped),
		cmocka_unit_test(more_than_can_be_listed_is_counted),
		cmocka_unit_test(
			trees_stand_in_the_configured_order_and_quiet_ones_below),
		cmocka_unit_test(templates_are_checked_before_they_are_needed),
		cmocka_unit_test(a_unit_is_told_by_the_end_of_a_name_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
