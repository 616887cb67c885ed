/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/test.h"

#include "tests/unit/reading_mail.h"

/* The mail names the kind, with that object unless it is NULL. */
static void expect(const char *body, const char *kind, const char *object)
{
	g_autoptr(parser_reading) r = reading_of(JANE, body);
	bool found = false;

	for (guint i = 0; i < r->mechanisms->len; i++) {
		const parser_mechanism *m = g_ptr_array_index(r->mechanisms, i);
		assert_memory_equal(r->mail->text + m->offset, m->evidence,
				    strlen(m->evidence));
		found |= strcmp(m->kind, kind) == 0 &&
			 (!object || g_strcmp0(m->object, object) == 0);
	}
	if (!found)
		fail_msg("no %s of %s in: %s", kind, object ? object : "anything",
			 body);
}

static void kinds_and_objects_are_named(void **state)
{
	(void)state;
	expect("All threads fight for tasklist_lock now, the contention is visible.\n",
	       "lock-contention", "tasklist_lock");
	expect("They meet on foo_lock, and that lock does not scale.\n",
	       "lock-contention", "foo_lock");
	expect("They contend on the inode lock.\n", "lock-contention", "inode lock");
	/* The word before "lock" names one only if it is no small word. */
	expect("The regression is caused by lock contention in free_foo_bulk.\n",
	       "lock-contention", "free_foo_bulk");
	expect("There is heavy lock contention now.\n", "lock-contention", NULL);
	expect("Both counters share a cache line, so this is false sharing in struct foo_bar.\n",
	       "false-sharing", "struct foo_bar");
	expect("There are many more cache misses, the working set no longer fits.\n",
	       "cache-footprint", NULL);
	expect("It is the alignment of the function that changed.\n", "code-alignment",
	       NULL);
	expect("The layout of struct foo_bar changed.\n", "data-layout",
	       "struct foo_bar");
	expect("There is one more function call to foo_bar() in each read.\n",
	       "extra-work", "foo_bar()");
	expect("The wakeup path with select_idle_sibling() spreads the tasks differently.\n",
	       "task-placement", "select_idle_sibling()");
	expect("With EEVDF the lag is kept, and avg_vruntime() decides who runs.\n",
	       "task-placement", "avg_vruntime()");
	expect("The load balancer sees an imbalance between the nodes.\n",
	       "load-balance", NULL);
	expect("Tasks get preempted earlier, as the slice is shorter.\n", "preemption",
	       NULL);
	expect("The cpus enter deeper idle states in between.\n", "idle-state", NULL);
	expect("Each release leads to a thundering herd of waiters.\n", "wakeup", NULL);
	expect("There are more TLB flushes.\n", "tlb-flush", NULL);
	expect("Writeback of dirty pages is throttled in balance_dirty_pages().\n",
	       "writeback", "balance_dirty_pages()");
	expect("The limit is now max_sectors_kb=128.\n", "io-size",
	       "max_sectors_kb=128");
	expect("Adjacent bios are no more merged, merges of requests are down.\n",
	       "io-merge", NULL);
	expect("Every fsync sends a cache flush to the disk.\n", "cache-flush", NULL);
	expect("The memcg charge batch in try_charge_memcg() is too small.\n",
	       "memcg-charge", "try_charge_memcg()");
	expect("The page allocator takes the zone lock more often.\n",
	       "page-allocation", "zone lock");
	expect("The readahead window got smaller.\n", "readahead", NULL);
	expect("That is the cost of retpolines.\n", "security-mitigation", NULL);
	expect("It is needed for correctness.\n", "correctness-cost", NULL);
	expect("The default timeout is 5 seconds now.\n", "timeout", NULL);
	expect("This kernel has lockdep enabled.\n", "debug-config", NULL);
	expect("It's the overhead of perf and other monitors.\n", "monitor-overhead",
	       NULL);
	expect("The variation is within the standard deviation.\n", "noise", NULL);
}

static void what_is_denied_or_quoted_is_not_named(void **state)
{
	(void)state;
	static const char *const bodies[] = {
		"There is no contention.\n",
		"> The lock is contended, see tasklist_lock.\n\nWhere?\n",
		"Thanks for the report, I'll have a look.\n",
		"It came with 1234567890ab (\"mm: reduce lock contention\").\n",
		"$ stress-ng --timeout 60 --metrics\n",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
		g_autoptr(parser_reading) r = reading_of(JANE, bodies[i]);
		assert_int_equal(r->mechanisms->len, 0);
	}
}

static void at_most_three_kinds_are_named(void **state)
{
	(void)state;
	g_autoptr(parser_reading) r = reading_of(
		JANE,
		"Lock contention, false sharing, TLB flushes, readahead, timeouts and "
		"preemption play a role.\n");
	g_autoptr(GHashTable) kinds = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < r->mechanisms->len; i++) {
		const parser_mechanism *m = g_ptr_array_index(r->mechanisms, i);
		g_hash_table_add(kinds, m->kind);
	}
	assert_int_equal(g_hash_table_size(kinds), 3);
}

/* ---- support by the figures
 * ----------------------------------------------------------- */

static parser_row *row_of(const char *metric, double change)
{
	parser_row *row = g_new0(parser_row, 1);
	row->metric = g_strdup(metric);
	row->n_cells = 2;
	row->cells = g_new0(parser_cell, 2);
	row->cells[1].has_change = true;
	row->cells[1].change = change;
	return row;
}

static parser_table *table_of(void)
{
	parser_table *t = g_new0(parser_table, 1);
	t->axes = g_ptr_array_new();
	t->columns = g_ptr_array_new();
	t->fail_rows = g_ptr_array_new();
	t->rows = g_ptr_array_new_with_free_func((GDestroyNotify)parser_row_free);
	g_ptr_array_add(t->rows, row_of("foo.ops_per_sec", -20));
	g_ptr_array_add(t->rows, row_of("lock_stat.other.contentions", 300));
	g_ptr_array_add(
		t->rows,
		row_of("perf-profile.calltrace.cycles-pp.down_read.foo_bar_read", 12));
	g_ptr_array_add(t->rows, row_of("perf-stat.i.cache-miss-rate%", 3));
	g_ptr_array_add(t->rows, row_of("proc-vmstat.pgfault", -18));
	return t;
}

static void rows_that_name_the_object_come_first(void **state)
{
	(void)state;
	parser_mechanism m = { .kind = (char *)"lock-contention",
			       .object = (char *)"foo->foo_bar_read()" };
	g_autoptr(parser_lists) lists = reading_lists();
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	g_ptr_array_add(tables, table_of());
	parser_figures *figures = parser_figures_new(tables, lists);
	g_autoptr(GArray) found = parser_mechanism_support(&m, figures);

	assert_int_equal(found->len, 2);
	const parser_support *s = &g_array_index(found, parser_support, 0);
	assert_int_equal(s->reason, PARSER_SUPPORT_OBJECT);
	assert_true(s->change > 11.9 && s->change < 12.1);
	s = &g_array_index(found, parser_support, 1);
	assert_string_equal(s->metric, "lock_stat.other.contentions");
	assert_int_equal(s->reason, PARSER_SUPPORT_KIND);
	parser_figures_free(figures);
}

/* Whether a row of that metric bears out words about an object. */
static bool names_object(const char *object, const char *metric)
{
	parser_mechanism m = { .kind = (char *)"other", .object = (char *)object };
	parser_table t = { .rows = g_ptr_array_new() };
	g_autoptr(GPtrArray) tables = g_ptr_array_new();
	parser_row *row = row_of(metric, 5);

	g_ptr_array_add(t.rows, row);
	g_ptr_array_add(tables, &t);

	parser_figures *figures = parser_figures_new(tables, NULL);
	g_autoptr(GArray) found = parser_mechanism_support(&m, figures);

	parser_figures_free(figures);
	parser_row_free(row);
	g_ptr_array_unref(t.rows);
	return found->len;
}

static void part_of_a_name_is_not_the_name(void **state)
{
	(void)state;
	assert_false(names_object("charge", "perf-profile.children.try_charge"));
	assert_true(
		names_object("try_charge", "perf-profile.children.try_charge_memcg"));
	assert_true(names_object("Try_Charge()", "perf-profile.children.try_charge"));
	/* Three letters are no name. */
	assert_false(names_object("foo", "foo.ops"));
}

/* ---- threads
 * -------------------------------------------------------------------------- */

static GArray *stances_of(GPtrArray *readings, const char *const *mails)
{
	for (; mails[0]; mails += 2)
		g_ptr_array_add(readings, reading_of(mails[0], mails[1]));
	return parser_stances(readings);
}

static void a_later_mail_of_the_same_person_takes_the_earlier_back(void **state)
{
	(void)state;
	static const char *const mails[] = {
		JANE, "This is expected.\n",
		JOE,  "I could not reproduce it on my machines.\n",
		JANE, "Which config is that?\n",
		JANE, "OK, that's clearly a bug. I will look into it.\n",
		NULL,
	};
	g_autoptr(GPtrArray) readings =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_reading_free);
	g_autoptr(GArray) stances = stances_of(readings, mails);
	bool joe_stands = false, jane_was_taken_back = false;
	for (guint i = 0; i < stances->len; i++) {
		const parser_stance *s = &g_array_index(stances, parser_stance, i);
		if (s->reading == 0) {
			assert_int_equal(s->superseded_by, 3);
			jane_was_taken_back = true;
		} else if (s->reading == 1) {
			assert_int_equal(s->superseded_by, -1);
			joe_stands = true;
		} else {
			assert_int_equal(s->reading, 3);
		}
	}
	assert_true(joe_stands && jane_was_taken_back);
}

static void a_patch_and_its_test_stand_side_by_side(void **state)
{
	(void)state;
	static const char *const mails[] = {
		JANE,
		"Can you please try the patch below?\n\n--- a/a.c\n+++ b/a.c\n"
		"@@ -1,1 +1,1 @@\n-a\n+b\n",
		ROBOT,
		"we tested your patch, it does not help.\n",
		ROBOT,
		"we tested the second patch, the regression is gone.\n",
		NULL,
	};
	g_autoptr(GPtrArray) readings =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_reading_free);
	g_autoptr(GArray) stances = stances_of(readings, mails);
	int of_first = -2, of_second = -2;
	for (guint i = 0; i < stances->len; i++) {
		const parser_stance *s = &g_array_index(stances, parser_stance, i);
		if (s->reading == 0)
			of_first = s->superseded_by;
		if (s->reading == 1)
			of_second = s->superseded_by;
	}
	assert_int_equal(of_first, -1);
	assert_int_equal(of_second, 2);
}

static void paths_and_lists_of_commits_name_nothing(void **state)
{
	static const char *const bodies[] = {
		"It reads /sys/devices/system/cpu/cpuidle/current_driver at boot.\n",
		"These are the commits:\n\n"
		"* 1a2b3c4d5e6f foo: avoid contention on foo_lock\n"
		"| * 2a2b3c4d5e6f foo: do not bounce the cache line\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
		g_autoptr(parser_reading) r = reading_of(JANE, bodies[i]);

		if (r->mechanisms->len)
			fail_msg("a mechanism in: %s", bodies[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_and_lists_of_commits_name_nothing),
		cmocka_unit_test(kinds_and_objects_are_named),
		cmocka_unit_test(what_is_denied_or_quoted_is_not_named),
		cmocka_unit_test(at_most_three_kinds_are_named),
		cmocka_unit_test(rows_that_name_the_object_come_first),
		cmocka_unit_test(part_of_a_name_is_not_the_name),
		cmocka_unit_test(
			a_later_mail_of_the_same_person_takes_the_earlier_back),
		cmocka_unit_test(a_patch_and_its_test_stand_side_by_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
