/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether something was found in a place before: in whatever order that is asked. */
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_mails.h"
#include "tracker/db.h"

#define NAMES 400u

static reader the_reader;

static bool known(fixture *f, const char *source, unsigned i)
{
	char name[16];
	g_autoptr(GError) error = NULL;
	bool hit = false;

	g_snprintf(name, sizeof(name), "%04u", i);
	assert_done(tracker_place_known(f->t, source, name, &hit, &error), error);
	return hit;
}

static void take(tracker_ingest *run, const char *source, unsigned i)
{
	static const char mail[] = "From: ann@example.org\nSubject: hello\n\nhello\n";
	char name[16];
	g_autoptr(GError) error = NULL;
	const tracker_place place = { .source = source,
				      .name = name,
				      .length = sizeof(mail) - 1,
				      .form = PARSER_FORM_MAIL };

	g_snprintf(name, sizeof(name), "%04u", i);
	assert_done(tracker_ingest_message(run, mail, sizeof(mail) - 1, &place, &error),
		    error);
}

static tracker_ingest *begin(fixture *f)
{
	g_autoptr(GError) error = NULL;
	tracker_ingest *run =
		tracker_ingest_begin(f->t, the_reader.rules, the_reader.lists,
				     mail_again, NULL, 1800000000, &error);

	assert_done(run, error);
	return run;
}

/* Every second name of one source. */
static void fill(fixture *f, const char *source)
{
	g_autoptr(tracker_ingest) run = begin(f);
	g_autoptr(GError) error = NULL;

	for (unsigned i = 0; i < NAMES; i += 2)
		take(run, source, i);
	assert_done(tracker_ingest_commit(run, NULL, &error), error);
}

static void what_was_found_is_known_upwards_downwards_and_at_random(void **state)
{
	fixture *f = *state;

	fill(f, "maildir:/a");
	for (unsigned i = 0; i < NAMES + 9; i++)
		assert_int_equal(known(f, "maildir:/a", i), i < NAMES && i % 2 == 0);
	for (unsigned i = NAMES + 9; i-- > 0;)
		assert_int_equal(known(f, "maildir:/a", i), i < NAMES && i % 2 == 0);
	for (unsigned k = 0, i = 7; k < NAMES; k++, i = (i * 161 + 37) % NAMES)
		assert_int_equal(known(f, "maildir:/a", i), i % 2 == 0);
	assert_true(known(f, "maildir:/a", 0));
	assert_true(known(f, "maildir:/a", 0));
}

static void sources_with_the_same_names_are_kept_apart(void **state)
{
	fixture *f = *state;

	fill(f, "maildir:/b");
	for (unsigned i = 0; i < NAMES; i++) {
		assert_int_equal(known(f, "maildir:/b", i), i % 2 == 0);
		assert_false(known(f, "maildir:/a", i));
		assert_false(known(f, "maildir:/c", i));
	}
}

/* Behind the last question, before it, and at it. */
static void what_comes_within_a_run_is_known_at_once(void **state)
{
	fixture *f = *state;

	fill(f, "maildir:/a");

	g_autoptr(tracker_ingest) run = begin(f);

	assert_false(known(f, "maildir:/a", 101));
	take(run, "maildir:/a", 101);
	assert_true(known(f, "maildir:/a", 101));
	take(run, "maildir:/a", 55);
	assert_true(known(f, "maildir:/a", 55));
	assert_false(known(f, "maildir:/a", 103));
	take(run, "maildir:/a", 107);
	take(run, "maildir:/a", 999);
	assert_false(known(f, "maildir:/a", 105));
	assert_true(known(f, "maildir:/a", 107));
	assert_true(known(f, "maildir:/a", 999));
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_was_found_is_known_upwards_downwards_and_at_random),
		T(sources_with_the_same_names_are_kept_apart),
		T(what_comes_within_a_run_is_known_at_once),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
