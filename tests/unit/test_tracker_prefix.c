/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDs that begin alike: what a prefix finds, and how many digits are shown. */
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_mails.h"
#include "tests/unit/tracker_thread.h"

static reader the_reader;

static char *commit_of(unsigned i)
{
	return g_strdup_printf("%010x%030d", i, 0);
}

static char *id_of(unsigned i)
{
	g_autofree char *commit = commit_of(i);

	return parser_regression_id(commit, "unixbench", "unixbench.score");
}

/* Brings a report of the regression with that number. */
static void bring(fixture *f, unsigned i)
{
	g_autofree char *commit = commit_of(i);
	g_autofree char *id = g_strdup_printf("r%u@tests.example.org", i);
	g_autofree char *text = report_mail(
		(report_text){ .id = id, .commit = commit, .change = -7.5 });
	mail_text mail = { .bytes = text, .length = strlen(text) };
	const unsigned order[] = { 0 };
	g_autoptr(GError) error = NULL;

	assert_done(ingest_mails(f->t, &the_reader, &mail, order, 1, &error), error);
	assert_sound(f);
}

static void assert_found(fixture *f, const char *prefix, unsigned i)
{
	g_autofree char *id = id_of(i);
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker_detail) detail = tracker_show(f->t, prefix, &error);

	assert_done(detail, error);
	assert_string_equal(detail->summary->id, id);
}

static void assert_refused(fixture *f, const char *prefix, tracker_error code,
			   const char *message)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker_detail) detail = tracker_show(f->t, prefix, &error);

	assert_null(detail);
	assert_true(g_error_matches(error, TRACKER_ERROR, (int)code));
	assert_string_equal(error->message, message);
}

/* Twelve digits of each of these, in their order, with commas between. */
static char *names_of(GPtrArray *ids)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < ids->len; i++)
		g_string_append_printf(names, "%s%.12s", i ? ", " : "",
				       (char *)ids->pdata[i]);
	return g_string_free(names, FALSE);
}

static gint by_id(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void a_prefix_of_several_names_them_but_at_most_five(void **state)
{
	fixture *f = *state;
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);

	for (unsigned i = 1; ids->len < 7; i++) {
		g_autofree char *id = id_of(i);

		if (*id != 'a')
			continue;
		bring(f, i);
		g_ptr_array_add(ids, g_steal_pointer(&id));
		g_ptr_array_sort(ids, by_id);
		if (ids->len == 1) {
			assert_found(f, "a", i);
			assert_found(f, "A", i);
			continue;
		}
		if (ids->len > 5)
			continue;

		g_autofree char *names = names_of(ids);
		g_autofree char *message =
			g_strdup_printf("a: fits %u regressions: %s", ids->len, names);

		assert_refused(f, "a", TRACKER_ERROR_AMBIGUOUS, message);
	}

	g_autoptr(GPtrArray) five = g_ptr_array_new();

	for (guint i = 0; i < 5; i++)
		g_ptr_array_add(five, ids->pdata[i]);

	g_autofree char *names = names_of(five);
	g_autofree char *message =
		g_strdup_printf("A: fits 7 regressions: %s ...", names);

	assert_refused(f, "A", TRACKER_ERROR_AMBIGUOUS, message);
	assert_refused(f, "b", TRACKER_ERROR_NOT_FOUND, "b: no such regression");
	assert_refused(f, "", TRACKER_ERROR_NOT_FOUND, ": no such regression");
	assert_refused(f, "ax", TRACKER_ERROR_NOT_FOUND, "ax: no such regression");
	assert_refused(f, "a%", TRACKER_ERROR_NOT_FOUND, "a%: no such regression");
}

/* Two numbers whose IDs have their first eight digits in common. */
static void find_twins(unsigned *a, unsigned *b)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (unsigned i = 1; i < 10000000; i++) {
		char *id = id_of(i);
		gpointer other;

		id[8] = '\0';
		other = g_hash_table_lookup(seen, id);
		if (other) {
			*a = GPOINTER_TO_UINT(other);
			*b = i;
			g_free(id);
			return;
		}
		g_hash_table_insert(seen, id, GUINT_TO_POINTER(i));
	}
	fail_msg("no two IDs begin alike");
}

static char *short_id_of(fixture *f, unsigned i)
{
	g_autofree char *id = id_of(i);
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker_detail) detail = tracker_show(f->t, id, &error);

	assert_done(detail, error);
	all = list_all_open(f);
	for (guint n = 0; n < all->len; n++) {
		const tracker_summary *s = all->pdata[n];

		if (strcmp(s->id, id))
			continue;
		/* Every output shows the same. */
		assert_string_equal(s->short_id, detail->summary->short_id);
		return g_strdup(s->short_id);
	}
	fail_msg("%s is not listed", id);
	return NULL;
}

static void assert_shown(fixture *f, unsigned i, size_t digits)
{
	g_autofree char *id = id_of(i);
	g_autofree char *expected = g_strndup(id, digits);
	g_autofree char *shown = short_id_of(f, i);

	assert_string_equal(shown, expected);
	assert_found(f, shown, i);
}

static void ids_that_begin_alike_are_shown_with_more_digits(void **state)
{
	fixture *f = *state;
	unsigned a = 0, b = 0, other = 1;
	size_t common = 0;

	find_twins(&a, &b);
	while (other == a || other == b)
		other++;

	g_autofree char *first = id_of(a);
	g_autofree char *second = id_of(b);
	g_autofree char *head = g_strndup(first, 8);

	while (first[common] == second[common])
		common++;
	assert_true(common >= 8);
	bring(f, a);
	bring(f, other);
	assert_shown(f, a, 8);
	bring(f, b);
	assert_shown(f, a, common + 1);
	assert_shown(f, b, common + 1);
	assert_shown(f, other, 8);

	bool swap = strcmp(first, second) > 0;
	g_autofree char *message =
		g_strdup_printf("%s: fits 2 regressions: %.12s, %.12s", head,
				swap ? second : first, swap ? first : second);

	assert_refused(f, head, TRACKER_ERROR_AMBIGUOUS, message);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_prefix_of_several_names_them_but_at_most_five),
		T(ids_that_begin_alike_are_shown_with_more_digits),
	};

	the_reader = reader_new();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	reader_clear(&the_reader);
	return failed;
}
