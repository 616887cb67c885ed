/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "parser/parser.h"
#include "tests/unit/test.h"

#define H1 "0123456789abcdef0123456789abcdef01234567"
#define H2 "89abcdef0123456789abcdef0123456789abcdef"
#define ID "202611301200.0badcafe-robot@example.org"

#define RECORD(hash, message)                                                          \
	hash "\n1700000000\n1690000000\nAnn <ann@example.org>\n" message

typedef struct seen {
	GPtrArray *subjects;
	parser_logged last;
	size_t stop_after;
} seen;

static bool take(const parser_logged *commit, void *context)
{
	seen *s = context;

	g_ptr_array_add(s->subjects, parser_logged_subject(commit));
	s->last = *commit;
	return !s->stop_after || s->subjects->len < s->stop_after;
}

static seen feed(const char *bytes, size_t length, size_t piece)
{
	seen s = { .subjects = g_ptr_array_new_with_free_func(g_free) };
	g_auto(parser_log) log = { 0 };

	parser_log_init(&log);
	for (size_t at = 0; at < length; at += piece)
		assert_true(parser_log_feed(&log, bytes + at, MIN(piece, length - at),
					    take, &s));
	assert_true(parser_log_end(&log, take, &s));
	return s;
}

static void records_are_the_same_in_pieces_of_any_size(void **state)
{
	static const char log[] = RECORD(H1, "mm: one\n\nbody\n") "\0" RECORD(
		H2, "mm: two\nlines\n\nbody") "\0\n";

	(void)state;
	for (size_t piece = 1; piece < sizeof(log); piece++) {
		seen s = feed(log, sizeof(log) - 1, piece);

		assert_int_equal(s.subjects->len, 2);
		assert_string_equal(s.subjects->pdata[0], "mm: one");
		assert_string_equal(s.subjects->pdata[1], "mm: two lines");
		g_ptr_array_unref(s.subjects);
	}
}

static void what_is_no_commit_is_counted(void **state)
{
	static const char log[] = "nonsense\0" RECORD(H1, "mm: one\n") "\0";
	seen s = { .subjects = g_ptr_array_new_with_free_func(g_free) };
	g_auto(parser_log) l = { 0 };

	(void)state;
	parser_log_init(&l);
	parser_log_feed(&l, log, sizeof(log) - 1, take, &s);
	assert_int_equal(l.records, 2);
	assert_int_equal(l.broken, 1);
	assert_int_equal(s.subjects->len, 1);
	g_ptr_array_unref(s.subjects);
}

static void a_clock_that_is_none_is_unknown(void **state)
{
	static const char *const times[] = { "", "-5", "99999999999999999999", "12x" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
		g_autofree char *record =
			g_strdup_printf(H1 "\n%s\n17\nAnn <a@b.example>\nx", times[i]);
		parser_logged commit;

		assert_true(parser_logged_read(record, strlen(record), &commit));
		assert_int_equal(commit.committed, 0);
		assert_int_equal(commit.authored, 17);
	}
}

static void a_message_over_the_limit_keeps_its_end(void **state)
{
	g_autoptr(GString) log = g_string_new(RECORD(H1, "mm: long\n\n"));
	g_auto(parser_log) l = { 0 };
	seen s = { .subjects = g_ptr_array_new_with_free_func(g_free) };

	(void)state;
	while (log->len < PARSER_LOG_RECORD_MAX + (1u << 20))
		g_string_append(log,
				"sixty-four bytes of text that stand in a line of the "
				"message ...\n");
	g_string_append(log, "Closes: https://lore.example.org/r/" ID "\n");
	parser_log_init(&l);
	parser_log_feed(&l, log->str, log->len, take, &s);
	parser_log_end(&l, take, &s);
	assert_int_equal(s.subjects->len, 1);
	assert_true(s.last.cut);
	g_ptr_array_unref(s.subjects);
}

/* ---- mentions
 * ------------------------------------------------------------------------- */

static parser_wanted *wanted_new(void)
{
	parser_wanted *w = parser_wanted_new();

	assert_true(parser_wanted_add_commit(w, "0123456789AB"));
	assert_false(parser_wanted_add_commit(w, "012345"));
	assert_false(parser_wanted_add_commit(w, "not a hash at all"));
	parser_wanted_add_title(w, "sched: Pick the wrong queue");
	parser_wanted_add_message(w, ID);
	parser_wanted_add_robot(w, "Robot@example.org");
	parser_wanted_add_date(w, 1234567890);
	return w;
}

/* "kind what|kind what", in order. */
static char *find_in(const char *hash, int64_t authored, const char *message)
{
	g_autoptr(parser_wanted) w = wanted_new();
	g_autoptr(GPtrArray) found =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_mentioned_free);
	GString *out = g_string_new(NULL);
	parser_logged commit = { .id = hash,
				 .id_length = strlen(hash),
				 .authored = authored,
				 .message = message,
				 .length = strlen(message) };

	parser_wanted_find(w, &commit, found);
	for (guint i = 0; i < found->len; i++) {
		const parser_mentioned *m = found->pdata[i];

		assert_true(*m->line);
		assert_true(g_utf8_validate(m->line, -1, NULL));
		g_string_append_printf(out, "%s%s %s", i ? "|" : "",
				       parser_mention_name(m->kind), m->what);
	}
	return g_string_free(out, FALSE);
}

static void assert_found(const char *message, const char *wanted)
{
	g_autofree char *found = find_in(H2, 0, message);

	assert_string_equal(found, wanted);
}

static void a_commit_and_its_title_are_found(void **state)
{
	g_autofree char *self = find_in(H1, 0, "x: y\n");
	g_autofree char *date = find_in(H2, 1234567890, "x: y\n");

	(void)state;
	assert_string_equal(self, "self 0123456789ab");
	assert_string_equal(date, "date 1234567890");
	assert_found("sched: Pick the wrong queue\n\nbody",
		     "title sched: Pick the wrong queue");
	assert_found("BACKPORT: sched:  Pick the wrong\nqueue\n",
		     "title sched: Pick the wrong queue");
	assert_found("sched: Pick the wrong queues", "");
}

static void reports_are_found_by_their_message_id(void **state)
{
	(void)state;
	assert_found("x\n\nCloses: https://lore.kernel.org/oe-lkp/" ID "\n",
		     "closes " ID);
	assert_found("x\n\nLink: https://lore.kernel.org/all/" ID "/T/#u # [1]\n",
		     "link " ID);
	assert_found("x\n\nCloses:\nhttps://lore.kernel.org/r/" ID "/\n", "closes " ID);
	assert_found("x\n\ncloses: patch.msgid.link/" ID, "closes " ID);
	assert_found("x\n\nLink: https://lore.kernel.org/r/"
		     "202611301200.0badcafe-robot%40example.org",
		     "link " ID);
	assert_found("x\n\nMessage-ID: <" ID ">\n", "link " ID);
	assert_found(
		"x\n\nLink: https://urldefense.com/v3/__https://lore.kernel.org/r/" ID
		"__;!!abc$",
		"link " ID);
}

static void words_about_a_report_are_no_trailers(void **state)
{
	(void)state;
	assert_found("x\n\n> Closes: https://lore.kernel.org/r/" ID "\n", "");
	assert_found("x\n\nAs https://lore.kernel.org/r/" ID " says, it is slow.\n",
		     "");
	assert_found("x\n\n[1] https://lore.kernel.org/r/" ID "\n", "");
	assert_found("x\n\nReported-by: Rob <robot@example.org>\n", "");
}

static void a_report_that_nobody_wants_is_told(void **state)
{
	(void)state;
	assert_found("x\n\nCloses: https://lore.kernel.org/r/1.2-robot@example.org\n",
		     "unknown 1.2-robot@example.org");
	assert_found("x\n\nLink: https://lore.kernel.org/r/1.2-robot@example.org\n",
		     "");
	assert_found("x\n\nCloses: https://lore.kernel.org/r/1.2-else@example.net\n",
		     "");
}

static void what_fixes_or_reverts_the_culprit_is_found(void **state)
{
	(void)state;
	assert_found("x\n\nFixes: 0123456789ab (\"sched: y\")\n", "fixes 0123456789ab");
	assert_found("x\n\n  fixes: commit " H1 " (\"sched: y\")\n",
		     "fixes 0123456789ab");
	assert_found("x\n\nFixes: 01234567 (\"sched: y\")\n"
		     "Reported-and-tested-by: Rob <robot@example.org>\n",
		     "fixes 0123456789ab|reported-by robot@example.org");
	assert_found("x\n\nFixes: 0123456788ab (\"sched: y\")\n", "");
	assert_found("Revert \"sched: Pick the wrong queue\"\n\nThis reverts commit " H1
		     ".\n",
		     "reverts sched: Pick the wrong queue|reverts 0123456789ab");
	assert_found("x\n\nThis reverts commit\n" H1 ".\n", "reverts 0123456789ab");
	assert_found("x\n\ncommit " H1 " upstream.\n", "picked 0123456789ab");
	assert_found("x\n\n[ Upstream commit " H1 " ]\n", "picked 0123456789ab");
	assert_found("x\n\n(cherry picked from commit " H1 ")\n",
		     "picked 0123456789ab");
	assert_found("x\n\ncommit " H1 " made this slow.\n", "");
}

/* The hash that a revert of that title names; NULL if none. */
static char *reverted(const char *message)
{
	g_autoptr(parser_wanted) wanted = parser_wanted_new();
	g_autoptr(GPtrArray) found =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_mentioned_free);
	parser_logged commit = {
		.id = H2, .id_length = 40, .message = message, .length = strlen(message)
	};

	parser_wanted_add_title(wanted, "mm: Clean up");
	parser_wanted_find(wanted, &commit, found);
	assert_int_equal(found->len, 1);
	return g_strdup(((parser_mentioned *)found->pdata[0])->hash);
}

static void a_revert_by_title_says_which_of_that_title(void **state)
{
	g_autofree char *same = reverted("Revert \"mm: Clean up\"\n\nWhy not.\n\n"
					 "This reverts commit 89ABCDEF0123.\n");
	g_autofree char *next = reverted("Revert \"mm: Clean up\"\n\n"
					 "This reverts commit\n" H1 ".\n");
	g_autofree char *none = reverted("Revert \"mm: Clean up\"\n\n"
					 "This reverts commit 0123.\nIt reverts much.");

	(void)state;
	assert_string_equal(same, "89abcdef0123");
	assert_string_equal(next, H1);
	assert_null(none);
}

static void bytes_of_any_charset_do_no_harm(void **state)
{
	(void)state;
	assert_found("\xff\xfe x\n\nSigned-off-by: \xe9 <a@b.example>\n"
		     "Closes: https://lore.kernel.org/r/" ID "\n\xc3",
		     "closes " ID);
	assert_found("", "");
	assert_found("@", "");
	assert_found("\n\n\n%@%40@", "");
}

static void titles_of_the_same_patch_are_equal(void **state)
{
	static const char *const same[] = { "mm: x  y", "[PATCH] mm: x y",
					    "Re: [PATCH v2 1/3] mm: x y",
					    "UPSTREAM: mm:\tx y ",
					    "[RFC][net] mm: x y" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(same); i++) {
		g_autofree char *title = parser_title(same[i], strlen(same[i]));

		assert_string_equal(title, "mm: x y");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_the_same_in_pieces_of_any_size),
		cmocka_unit_test(what_is_no_commit_is_counted),
		cmocka_unit_test(a_clock_that_is_none_is_unknown),
		cmocka_unit_test(a_message_over_the_limit_keeps_its_end),
		cmocka_unit_test(a_commit_and_its_title_are_found),
		cmocka_unit_test(reports_are_found_by_their_message_id),
		cmocka_unit_test(words_about_a_report_are_no_trailers),
		cmocka_unit_test(a_report_that_nobody_wants_is_told),
		cmocka_unit_test(what_fixes_or_reverts_the_culprit_is_found),
		cmocka_unit_test(a_revert_by_title_says_which_of_that_title),
		cmocka_unit_test(bytes_of_any_charset_do_no_harm),
		cmocka_unit_test(titles_of_the_same_patch_are_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
