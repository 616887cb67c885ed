/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <lzma.h>
#include <zlib.h>

#include "tests/unit/mailer.h"

/* Two gzip members of a text, as `cat a.gz b.gz` makes them. */
static GByteArray *gzip_twice(const char *text)
{
	GByteArray *out = g_byte_array_new();
	guint8 buffer[4096];

	for (int i = 0; i < 2; i++) {
		z_stream z = { 0 };

		assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
		z.next_in = (Bytef *)(guintptr)text;
		z.avail_in = (uInt)strlen(text);
		z.next_out = buffer;
		z.avail_out = sizeof(buffer);
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		g_byte_array_append(out, buffer, (guint)(sizeof(buffer) - z.avail_out));
		deflateEnd(&z);
	}
	return out;
}

/* 1 GiB of zeros: a stream of so many members of 16 MiB, each some 16 kB. */
static GByteArray *gzip_bomb(void)
{
	g_autofree char *zeros = g_malloc0(16 << 20);
	g_autofree guint8 *member = g_malloc(1 << 20);
	GByteArray *out = g_byte_array_new();
	z_stream z = { .next_in = (Bytef *)zeros,
		       .avail_in = 16 << 20,
		       .next_out = member,
		       .avail_out = 1 << 20 };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	for (int i = 0; i < 64; i++)
		g_byte_array_append(out, member, (guint)z.total_out);
	deflateEnd(&z);
	return out;
}

/* The same in xz, of which several streams are one, too. */
static GByteArray *xz_bomb(void)
{
	g_autofree guint8 *zeros = g_malloc0(16 << 20);
	g_autofree guint8 *member = g_malloc(1 << 20);
	GByteArray *out = g_byte_array_new();
	size_t n = 0;

	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, zeros,
						 16 << 20, member, &n, 1 << 20),
			 LZMA_OK);
	for (int i = 0; i < 64; i++)
		g_byte_array_append(out, member, (guint)n);
	return out;
}

/* It is refused after a part of it, with little memory. */
static void assert_bomb(const char *dir, const GByteArray *bomb)
{
	g_autofree char *path = scratch_write(dir, "bomb", bomb->data, bomb->len);
	g_autoptr(GError) error = NULL;

	assert_null(mailer_file_read(path, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_FORMAT));
	assert_non_null(strstr(error->message, "bomb: "));
	assert_non_null(strstr(error->message, "a size that no mail or result has"));
}

static void a_bomb_is_refused(void **state)
{
	g_autoptr(GByteArray) gzip = gzip_bomb();
	g_autoptr(GByteArray) xz = xz_bomb();

	assert_bomb(*state, gzip);
	assert_bomb(*state, xz);
}

static void a_file_is_read_whole(void **state)
{
	g_autofree char *path = scratch_write(*state, "a", "one\0two\n", 8);
	g_autoptr(GBytes) bytes = mailer_file_read(path, NULL);

	assert_int_equal(g_bytes_get_size(bytes), 8);
	assert_memory_equal(g_bytes_get_data(bytes, NULL), "one\0two\n", 8);
}

static void a_large_file_is_read_whole(void **state)
{
	g_autofree char *text = g_strnfill(3 << 20, 'x');
	g_autofree char *path = scratch_write(*state, "a", text, 3 << 20);
	g_autoptr(GBytes) bytes = mailer_file_read(path, NULL);

	assert_bytes(bytes, text);
}

static void a_missing_file_is_named(void **state)
{
	g_autofree char *path = g_build_filename(*state, "none", NULL);
	g_autoptr(GError) error = NULL;

	assert_null(mailer_file_read(path, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND));
	assert_true(g_str_has_prefix(error->message, path));
}

static void a_directory_is_no_file(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_null(mailer_file_read(*state, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_IO));
	assert_non_null(strstr(error->message, "directory"));
}

static void gzip_members_are_joined(void **state)
{
	g_autoptr(GByteArray) packed = gzip_twice("some text\n");
	g_autofree char *path = scratch_write(*state, "a", packed->data, packed->len);
	g_autoptr(GBytes) bytes = mailer_file_read(path, NULL);

	assert_bytes(bytes, "some text\nsome text\n");
}

static void every_truncation_of_gzip_is_an_error(void **state)
{
	g_autoptr(GByteArray) packed = gzip_twice("some text\n");

	for (guint n = 3; n < packed->len; n++) {
		g_autofree char *path = scratch_write(*state, "a", packed->data, n);
		g_autoptr(GError) error = NULL;

		if (n == packed->len / 2)
			continue; /* the end of the first member */
		assert_null(mailer_file_read(path, &error));
		assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_FORMAT));
		assert_non_null(strstr(error->message, "truncated"));
	}
}

static void garbage_behind_gzip_is_an_error_and_zeros_are_not(void **state)
{
	g_autoptr(GByteArray) packed = gzip_twice("text");

	g_byte_array_append(packed, (const guint8 *)"\0\0\0", 3);
	g_autofree char *padded = scratch_write(*state, "a", packed->data, packed->len);
	g_autoptr(GBytes) bytes = mailer_file_read(padded, NULL);
	assert_bytes(bytes, "texttext");

	g_byte_array_append(packed, (const guint8 *)"x", 1);
	g_autofree char *dirty = scratch_write(*state, "b", packed->data, packed->len);
	g_autoptr(GError) error = NULL;
	assert_null(mailer_file_read(dirty, &error));
	assert_non_null(strstr(error->message, "damaged"));
}

static void xz_is_unpacked_and_its_truncation_found(void **state)
{
	uint8_t buffer[4096];
	size_t n = 0;

	assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL,
						 (const uint8_t *)"text", 4, buffer, &n,
						 sizeof(buffer)),
			 LZMA_OK);
	g_autofree char *path = scratch_write(*state, "a", buffer, n);
	g_autoptr(GBytes) bytes = mailer_file_read(path, NULL);
	assert_bytes(bytes, "text");

	g_autofree char *cut = scratch_write(*state, "b", buffer, n - 5);
	g_autoptr(GError) error = NULL;
	assert_null(mailer_file_read(cut, &error));
	assert_non_null(strstr(error->message, "truncated"));
}

static void writing_replaces_a_file_and_leaves_nothing_else(void **state)
{
	g_autofree char *path = g_build_filename(*state, "a", NULL);
	g_autoptr(GDir) dir = NULL;

	assert_true(mailer_file_write(path, "one", 3, NULL));
	assert_true(mailer_file_write(path, "two!", 4, NULL));
	g_autoptr(GBytes) bytes = mailer_file_read(path, NULL);
	assert_bytes(bytes, "two!");
	dir = g_dir_open(*state, 0, NULL);
	assert_string_equal(g_dir_read_name(dir), "a");
	assert_null(g_dir_read_name(dir));
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
	g_autofree char *path = g_build_filename(*state, "none", "a", NULL);
	g_autoptr(GError) error = NULL;

	assert_false(mailer_file_write(path, "one", 3, &error));
	assert_non_null(strstr(error->message, path));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_read_whole),
		TEST(a_large_file_is_read_whole),
		TEST(a_missing_file_is_named),
		TEST(a_directory_is_no_file),
		TEST(gzip_members_are_joined),
		TEST(every_truncation_of_gzip_is_an_error),
		TEST(garbage_behind_gzip_is_an_error_and_zeros_are_not),
		TEST(xz_is_unpacked_and_its_truncation_found),
		TEST(a_bomb_is_refused),
		TEST(writing_replaces_a_file_and_leaves_nothing_else),
		TEST(a_file_that_cannot_be_written_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
