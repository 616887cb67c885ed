/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explaining, forgetting, keeping; what a scan of git trees saw; duplicates. */
#include "tests/unit/tracker_lookback.h"

static guint hits(fixture *f, const char *words)
{
	g_autoptr(GError) error = NULL;
	bool all;
	g_autoptr(GPtrArray) found = tracker_search(f->t, words, 0, &all, &error);

	assert_done(found, error);
	return found->len;
}

static bool explains(const GPtrArray *lines, const char *name, const char *words)
{
	for (guint i = 0; i < lines->len; i++) {
		const parser_pair *line = lines->pdata[i];

		if (!strcmp(line->name, name) && strstr(line->value, words))
			return true;
	}
	return false;
}

static void every_decision_is_explained(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	char *lost[] = { reply_mail((reply_text){ .id = "lost@example.org",
						  .parent = "nothing@example.org",
						  .body = "Hello?\n" }) };

	bring_two_threads(f);
	bring(f, lost, 1);
	g_autoptr(GPtrArray) lines = tracker_explain(f->t, "<why@example.org>", &error);

	assert_done(lines, error);
	assert_true(explains(lines, "mail", "Ada Author"));
	assert_true(explains(lines, "found", "file mails at 1"));
	assert_true(explains(lines, "link", "in-reply-to"));
	assert_true(explains(lines, "verdict", "analysis"));
	assert_true(explains(lines, "mechanism", "tasklist_lock"));
	assert_true(explains(lines, "event", "investigating"));

	g_autoptr(GPtrArray) none = tracker_explain(f->t, "lost@example.org", &error);

	assert_done(none, error);
	assert_true(explains(none, "unclaimed", "no tracked thread"));
	assert_null(tracker_explain(f->t, "never@example.org", &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND));
}

static bool file_has(const char *path, const char *words)
{
	g_autofree char *bytes = NULL;
	gsize length;

	if (!g_file_get_contents(path, &bytes, &length, NULL))
		return false;
	return memmem(bytes, length, words, strlen(words)) != NULL;
}

static void a_forgotten_mail_leaves_no_word_and_stays_away(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *wal = g_strconcat(f->path, "-wal", NULL);
	g_autoptr(GBytes) bytes = NULL;

	bring_two_threads(f);
	assert_true(file_has(f->path, "spreads the tasks") ||
		    file_has(wal, "spreads the tasks"));
	assert_done(tracker_forget(f->t, "why@example.org", T0, &error), error);
	assert_false(file_has(f->path, "spreads the tasks"));
	assert_false(file_has(wal, "spreads the tasks"));
	assert_false(file_has(f->path, "Ada Author <ada"));
	assert_int_equal(hits(f, "profiled"), 0);
	assert_done(tracker_mail_bytes(f->t, "why@example.org", &bytes, &error), error);
	assert_null(bytes);
	assert_sound(f);

	/* What it decided stays, and it does not come back. */
	char *again[] = { reply_mail((reply_text){
		.id = "why@example.org", .parent = R1, .body = explanation }) };

	bring(f, again, 1);
	assert_int_equal(hits(f, "profiled"), 0);
	g_autofree char *id =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	g_autoptr(tracker_detail) detail = tracker_show(f->t, id, &error);

	assert_int_equal(detail->summary->status, TRACKER_STATUS_INVESTIGATING);
	assert_false(tracker_forget(f->t, "never@example.org", T0, &error));
	assert_true(g_error_matches(error, TRACKER_ERROR, TRACKER_ERROR_NOT_FOUND));
}

static void bytes_are_kept_as_received_until_they_are_too_old(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GBytes) later = NULL;
	g_autofree char *id =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	size_t rows;

	bring_two_threads(f);
	g_autofree char *text = reply_mail((reply_text){
		.id = "why@example.org", .parent = R1, .body = explanation });

	assert_done(tracker_mail_bytes(f->t, "why@example.org", &bytes, &error), error);
	assert_int_equal(g_bytes_get_size(bytes), strlen(text));
	assert_memory_equal(g_bytes_get_data(bytes, NULL), text, strlen(text));

	/* An open regression keeps its mails. */
	assert_done(tracker_expire(f->t, 0, INT64_MAX, &rows, &error), error);
	assert_int_equal(rows, 0);
	assert_done(tracker_act_do(f->t,
				   &(tracker_act){ .kind = TRACKER_ACT_SET,
						   .id = id,
						   .status = TRACKER_STATUS_FIXED,
						   .who = "operator",
						   .reason = "done",
						   .now = T0 },
				   NULL, &error),
		    error);
	assert_done(tracker_expire(f->t, 0, INT64_MAX, &rows, &error), error);
	assert_int_equal(rows, 2);
	assert_done(tracker_mail_bytes(f->t, "why@example.org", &later, &error), error);
	assert_null(later);
	assert_sound(f);
}

static void a_command_in_an_untracked_thread_is_listed_and_opens_nothing(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	char *texts[] = { reply_mail(
		(reply_text){ .id = "stray@example.org",
			      .parent = "nothing@example.org",
			      .body = "#regtrail invalid: noise\n" }) };
	tracker_filter all = { .all = true };

	bring(f, texts, 1);
	g_autoptr(GPtrArray) strays = tracker_strays(f->t, &error);
	g_autoptr(GPtrArray) found = tracker_list(f->t, &all, &error);

	assert_int_equal(strays->len, 1);
	assert_string_equal(((tracker_stray *)strays->pdata[0])->verb, "invalid");
	assert_int_equal(found->len, 0);
}

static void a_commit_in_a_tree_queues_or_fixes(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *id =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	tracker_sighting sighting = {
		.id = id,
		.state = "queued",
		.commit = "7777777777",
		.tree = "other",
		.evidence = "Closes: https://lore.example.org/r/" R1,
		.at = T0,
		.now = T0,
	};

	bring_two_threads(f);
	for (int i = 0; i < 2; i++)
		assert_done(tracker_sighting_add(f->t, &sighting, &error), error);
	g_autoptr(tracker_detail) queued = tracker_show(f->t, id, &error);

	assert_int_equal(queued->summary->status, TRACKER_STATUS_FIX_QUEUED);
	assert_int_equal(queued->fixes->len, 1);
	sighting.state = "merged";
	sighting.at = sighting.now = T0 + 10;
	assert_done(tracker_sighting_add(f->t, &sighting, &error), error);
	g_autoptr(tracker_detail) merged = tracker_show(f->t, id, &error);

	assert_int_equal(merged->summary->status, TRACKER_STATUS_FIXED);
	assert_sound(f);
}

static void duplicates_act_as_a_set(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *first =
		parser_regression_id("89abcdef01", "unixbench", "unixbench.score");
	g_autofree char *second =
		parser_regression_id("5555555555", "unixbench", "unixbench.score");
	tracker_act act = { .kind = TRACKER_ACT_DUP,
			    .id = second,
			    .other = first,
			    .who = "operator",
			    .now = T0 };
	tracker_status status;

	bring_two_threads(f);
	assert_done(tracker_act_do(f->t, &act, &status, &error), error);
	assert_int_equal(status, TRACKER_STATUS_DUPLICATE);
	/* What is said of the one counts for the other. */
	g_autoptr(tracker_detail) top = tracker_show(f->t, first, &error);

	assert_int_equal(top->summary->replies, 2);
	assert_int_equal(top->duplicates->len, 1);
	/* The other way round it would go in a circle. */
	assert_false(tracker_act_do(f->t,
				    &(tracker_act){ .kind = TRACKER_ACT_DUP,
						    .id = first,
						    .other = second,
						    .who = "operator",
						    .now = T0 },
				    NULL, &error));
	g_clear_error(&error);
	/* A decision about the duplicate is one about the set. */
	act = (tracker_act){ .kind = TRACKER_ACT_SET,
			     .id = second,
			     .status = TRACKER_STATUS_EXPECTED,
			     .reason = "by design",
			     .who = "operator",
			     .now = T0 + 1 };
	assert_done(tracker_act_do(f->t, &act, &status, &error), error);
	g_autoptr(tracker_detail) decided = tracker_show(f->t, first, &error);

	assert_int_equal(decided->summary->status, TRACKER_STATUS_EXPECTED);
	/* Out of the set it has the status that it has of its own. */
	act = (tracker_act){ .kind = TRACKER_ACT_UNDUP,
			     .id = second,
			     .who = "operator",
			     .now = T0 + 2 };
	assert_done(tracker_act_do(f->t, &act, &status, &error), error);
	assert_int_equal(status, TRACKER_STATUS_INVESTIGATING);
	g_autoptr(tracker_detail) alone = tracker_show(f->t, first, &error);

	assert_int_equal(alone->summary->replies, 1);
	assert_sound(f);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(every_decision_is_explained),
		T(a_forgotten_mail_leaves_no_word_and_stays_away),
		T(bytes_are_kept_as_received_until_they_are_too_old),
		T(a_command_in_an_untracked_thread_is_listed_and_opens_nothing),
		T(a_commit_in_a_tree_queues_or_fixes),
		T(duplicates_act_as_a_set),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
