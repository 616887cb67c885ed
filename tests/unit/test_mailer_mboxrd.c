/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/gunzip.h"
#include "mailer/mailer.h"
#include "mailer/mboxrd.h"
#include "tests/unit/test.h"

#include <string.h>
#include <zlib.h>

static bool append_mail(GByteArray *mail, void *context, GError **error)
{
	GString *all = context;

	(void)error;
	g_string_append_len(all, (const char *)mail->data, (gssize)mail->len);
	g_string_append_c(all, '|');
	return true;
}

/* The mails of an mbox that comes in parts of so many bytes, each ended by a bar. */
static char *split(const char *mbox, size_t part)
{
	GString *all = g_string_new(NULL);
	g_autoptr(mboxrd) m = mboxrd_new(append_mail, all);

	for (size_t length = strlen(mbox); length;) {
		size_t n = MIN(part, length);

		assert_true(mboxrd_feed(m, mbox, n, NULL));
		mbox += n;
		length -= n;
	}
	assert_true(mboxrd_end(m, NULL));
	return g_string_free(all, FALSE);
}

static void mails_are_the_same_however_they_come_in(void **state)
{
	static const char mbox[] = "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
				   "Subject: a\n\n>From here\n>>From there\n> From\n\n"
				   "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
				   "Subject: b\n\nend";

	(void)state;
	for (size_t part = 1; part < sizeof mbox; part++) {
		g_autofree char *mails = split(mbox, part);

		assert_string_equal(mails, "Subject: a\n\nFrom here\n>From there\n"
					   "> From\n|Subject: b\n\nend|");
	}
}

static void what_begins_without_a_from_line_is_no_mbox(void **state)
{
	g_autoptr(mboxrd) m = mboxrd_new(append_mail, NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_false(mboxrd_feed(m, "<html>\n", 7, &error));
	assert_true(g_error_matches(error, MAILER_ERROR, MAILER_ERROR_FORMAT));
}

static bool append_bytes(const char *bytes, size_t length, void *context)
{
	g_string_append_len(context, bytes, (gssize)length);
	return true;
}

/* A member of gzip. */
static GByteArray *pack(GByteArray *into, const char *text, size_t length)
{
	z_stream z = { .next_in = (Bytef *)(guintptr)text, .avail_in = (uInt)length };
	guint before = into->len;
	uLong room = length + 1000;

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	g_byte_array_set_size(into, before + (guint)room);
	z.next_out = into->data + before;
	z.avail_out = (uInt)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	g_byte_array_set_size(into, before + (guint)z.total_out);
	deflateEnd(&z);
	return into;
}

static void gzip_is_undone_in_parts_of_any_size(void **state)
{
	g_autoptr(GByteArray) packed = g_byte_array_new();

	(void)state;
	pack(pack(packed, "one two ", 8), "three", 5);
	g_byte_array_append(packed, (const guint8 *)"\0\0\0", 3); /* padding */
	for (guint part = 1; part <= packed->len; part++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autoptr(gunzip) g = gunzip_new(1000, append_bytes, text);

		for (guint at = 0; at < packed->len; at += part)
			assert_null(gunzip_feed(g, packed->data + at,
						MIN(part, packed->len - at)));
		assert_null(gunzip_end(g));
		assert_string_equal(text->str, "one two three");
	}
}

static void more_than_a_buffer_comes_out_of_the_last_bytes(void **state)
{
	size_t length = 3u << 20;
	g_autofree char *zeros = g_malloc0(length);
	g_autoptr(GByteArray) packed = g_byte_array_new();
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(gunzip) g = gunzip_new(G_MAXUINT64, append_bytes, text);

	(void)state;
	pack(packed, zeros, length);
	assert_null(gunzip_feed(g, packed->data, packed->len));
	assert_null(gunzip_end(g));
	assert_int_equal(text->len, length);
}

static void truncated_damaged_and_too_much_is_said(void **state)
{
	g_autoptr(GByteArray) packed = g_byte_array_new();
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(gunzip) cut = gunzip_new(1000, append_bytes, text);
	g_autoptr(gunzip) empty = gunzip_new(1000, append_bytes, text);
	g_autoptr(gunzip) small = gunzip_new(10, append_bytes, text);
	g_autoptr(gunzip) other = gunzip_new(1000, append_bytes, text);
	g_autoptr(gunzip) behind = gunzip_new(1000, append_bytes, text);

	(void)state;
	pack(packed, "hello hello hello", 17);
	assert_null(gunzip_feed(cut, packed->data, packed->len - 1));
	assert_string_equal(gunzip_end(cut), "is truncated");
	assert_string_equal(gunzip_end(empty), "is truncated");
	assert_string_equal(gunzip_feed(small, packed->data, packed->len),
			    "unpacks to more than the limit");
	assert_string_equal(gunzip_feed(other, "<html>", 6), "is damaged");
	g_byte_array_append(packed, (const guint8 *)"\0x", 2);
	assert_string_equal(gunzip_feed(behind, packed->data, packed->len),
			    "is damaged");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mails_are_the_same_however_they_come_in),
		cmocka_unit_test(what_begins_without_a_from_line_is_no_mbox),
		cmocka_unit_test(gzip_is_undone_in_parts_of_any_size),
		cmocka_unit_test(more_than_a_buffer_comes_out_of_the_last_bytes),
		cmocka_unit_test(truncated_damaged_and_too_much_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
