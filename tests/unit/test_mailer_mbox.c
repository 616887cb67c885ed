/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <unistd.h>

#include "tests/unit/fetch_sink.h"

#define ONE "From a Thu Jan  1 00:00:00 1970\nSubject: 1\n\nfirst\n\n"
#define TWO "From a Thu Jan  1 00:00:00 1970\nSubject: 2\n\nsecond\n\n"

/* Where the mailbox is, and its URL. */
typedef struct box {
	char *path, *url, *prefix;
} box;

static box box_new(const char *dir)
{
	box b = { .path = g_build_filename(dir, "box", NULL) };

	b.url = g_strconcat("mbox:", b.path, NULL);
	b.prefix = g_strconcat(b.path, "=", NULL);
	return b;
}

static void box_clear(box *b)
{
	g_free(b->path);
	g_free(b->url);
	g_free(b->prefix);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(box, box_clear)

static void box_write(const box *b, const char *mode, const char *text)
{
	FILE *file = fopen(b->path, mode);

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static void assert_came(fetched *f, const box *b, const char *expected)
{
	const char *got = fetched_all(f, b->url);

	if (!expected) {
		assert_string_equal(got, "");
		return;
	}
	g_autofree char *whole = g_strdup_printf("%s%s;", b->prefix, expected);

	assert_string_equal(got, whole);
}

static void a_second_run_reads_nothing(void **state)
{
	g_auto(box) b = box_new(*state);
	g_auto(fetched) f = fetched_new();

	box_write(&b, "w", ONE);
	assert_came(&f, &b, ONE);
	/* Not even a file that nobody may open. */
	assert_int_equal(chmod(b.path, 0), 0);
	assert_came(&f, &b, NULL);
	assert_int_equal(f.checkpoints, 0);
}

static void of_a_grown_mailbox_the_new_end_is_read(void **state)
{
	g_auto(box) b = box_new(*state);
	g_auto(fetched) f = fetched_new();

	box_write(&b, "w", ONE);
	assert_came(&f, &b, ONE);
	box_write(&b, "a", TWO);
	assert_came(&f, &b, TWO);
	assert_came(&f, &b, NULL);
}

static void a_mail_that_was_not_complete_is_read_again(void **state)
{
	g_auto(box) b = box_new(*state);
	g_auto(fetched) f = fetched_new();

	box_write(&b, "w", ONE "From a Thu Jan  1 00:00:00 1970\nSubject: 2\n\nsec");
	fetched_all(&f, b.url);
	box_write(&b, "a", "ond\n\n");
	assert_came(&f, &b, ONE TWO);
}

static void a_rotated_mailbox_is_read_from_its_start(void **state)
{
	g_auto(box) b = box_new(*state);
	g_auto(fetched) f = fetched_new();
	g_autofree char *old = g_strconcat(b.path, ".1", NULL);

	box_write(&b, "w", ONE ONE);
	fetched_all(&f, b.url);
	assert_int_equal(rename(b.path, old), 0);
	box_write(&b, "w", TWO);
	assert_came(&f, &b, TWO);
}

static void a_mailbox_rewritten_in_place_is_read_from_its_start(void **state)
{
	g_auto(box) b = box_new(*state);
	g_auto(fetched) f = fetched_new();

	box_write(&b, "w", ONE);
	fetched_all(&f, b.url);
	box_write(&b, "w", TWO ONE);
	assert_came(&f, &b, TWO ONE);
	box_write(&b, "w", ONE);
	assert_came(&f, &b, ONE);
}

static void a_run_that_ended_in_a_file_goes_on_there(void **state)
{
	g_auto(box) b = box_new(*state);
	g_auto(fetched) f = fetched_new();
	g_autoptr(GError) error = NULL;

	box_write(&b, "w", ONE TWO);
	f.cut = strlen(ONE);
	f.fail_after_cut = true;
	assert_false(fetched_run(&f, b.url, NULL, &error));
	f.cut = 0;
	assert_came(&f, &b, TWO);
	assert_came(&f, &b, NULL);
}

static void a_cursor_of_another_source_does_no_harm(void **state)
{
	static const char *const cursors[] = { "", "0=abc", "5 5", "9 9 9 x y",
					       "99999999999999999999 1 1 0 0" };
	g_auto(box) b = box_new(*state);

	box_write(&b, "w", ONE);
	for (size_t i = 0; i < G_N_ELEMENTS(cursors); i++) {
		g_auto(fetched) f = fetched_new();

		f.cursor = g_strdup(cursors[i]);
		assert_came(&f, &b, ONE);
	}
}

static void a_lock_is_waited_for(void **state)
{
	g_auto(box) b = box_new(*state);
	g_auto(fetched) f = fetched_new();
	g_autoptr(GError) error = NULL;
	const mailer_fetch_options soon = { .server = { .timeout = 1 } };
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd;

	box_write(&b, "w", ONE);
	fd = open(b.path, O_RDWR | O_CLOEXEC);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &whole), 0);
	assert_false(fetched_run(&f, b.url, &soon, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY));
	assert_non_null(strstr(error->message, "locked by another program"));
	close(fd);
	assert_came(&f, &b, ONE);
}

static void a_mailbox_that_is_not_there_is_named(void **state)
{
	g_auto(box) b = box_new(*state);
	g_auto(fetched) f = fetched_new();
	g_autoptr(GError) error = NULL;

	assert_false(fetched_run(&f, b.url, NULL, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, b.path));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_second_run_reads_nothing),
		TEST(of_a_grown_mailbox_the_new_end_is_read),
		TEST(a_mail_that_was_not_complete_is_read_again),
		TEST(a_rotated_mailbox_is_read_from_its_start),
		TEST(a_mailbox_rewritten_in_place_is_read_from_its_start),
		TEST(a_run_that_ended_in_a_file_goes_on_there),
		TEST(a_cursor_of_another_source_does_no_harm),
		TEST(a_lock_is_waited_for),
		TEST(a_mailbox_that_is_not_there_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
