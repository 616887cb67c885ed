/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "mailer/address.h"
#include "mailer/smtp_text.h"
#include "tests/unit/test.h"

static void lines_and_dots_are_exact_on_the_wire(void **state)
{
	static const struct {
		const char *mail, *wire;
	} cases[] = {
		{ "", "" },
		{ "a", "a\r\n" },
		{ "a\n", "a\r\n" },
		{ "a\r\n", "a\r\n" },
		{ "a\r\n\r\n", "a\r\n\r\n" },
		{ ".", "..\r\n" },
		{ ".\r\n", "..\r\n" },
		{ "a\r\n.\r\nb\r\n", "a\r\n..\r\nb\r\n" },
		{ "a\n.\nb\n", "a\r\n..\r\nb\r\n" },
		{ "a\r.\rb\r", "a\r\n..\r\nb\r\n" },
		{ "a\n.\r\nb", "a\r\n..\r\nb\r\n" },
		{ ".leading\n..two\n", "..leading\r\n...two\r\n" },
		{ "a.\nb .\n", "a.\r\nb .\r\n" },
		{ "\n\n", "\r\n\r\n" },
		{ "\r\r\n\n\r", "\r\n\r\n\r\n\r\n" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GBytes) mail =
			g_bytes_new_static(cases[i].mail, strlen(cases[i].mail));
		size_t size;
		GString *text = smtp_wire_text(mail, &size);

		assert_string_equal(text->str, cases[i].wire);
		g_string_free(text, TRUE);
	}
}

static void the_size_counts_line_ends_but_no_doubled_dots(void **state)
{
	g_autoptr(GBytes) mail = g_bytes_new_static(".a\n.b", 5);
	size_t size;
	GString *text = smtp_wire_text(mail, &size);

	(void)state;
	assert_int_equal(size, 8);
	assert_int_equal(text->len, 10);
	g_string_free(text, TRUE);
}

static void a_nul_byte_goes_through_uncut(void **state)
{
	g_autoptr(GBytes) mail = g_bytes_new_static("a\0b\n", 4);
	size_t size;
	GString *text = smtp_wire_text(mail, &size);

	(void)state;
	assert_int_equal(text->len, 5);
	assert_memory_equal(text->str, "a\0b\r\n", 5);
	g_string_free(text, TRUE);
}

static void an_answer_is_three_digits_and_blank_or_dash(void **state)
{
	unsigned code;
	bool more;
	const char *text;
	static const char *const bad[] = {
		"",      "2",       "25",      "25x ok",  "150 x", "600 x",
		"250ok", " 250 ok", "+250 ok", "2500 ok", "OK",    "* OK ready"
	};

	(void)state;
	assert_true(smtp_line_parse("250-a b", &code, &more, &text));
	assert_int_equal(code, 250);
	assert_true(more);
	assert_string_equal(text, "a b");
	assert_true(smtp_line_parse("421", &code, &more, &text));
	assert_int_equal(code, 421);
	assert_false(more);
	assert_string_equal(text, "");
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		assert_false(smtp_line_parse(bad[i], &code, &more, &text));
}

static void offers_are_read_in_any_case_and_by_whole_words(void **state)
{
	smtp_offers offers = smtp_offers_parse("mx.example.org STARTTLS\n8bitmime\n"
					       "SIZE 2000\nSMTPUTF8\nSTARTTLSX\n"
					       "AUTH LOGIN cram-md5\n");

	(void)state;
	assert_false(offers.starttls);
	assert_true(offers.eight_bit);
	assert_true(offers.utf8);
	assert_int_equal(offers.size_max, 2000);
	assert_true(offers.auth_login);
	assert_true(offers.auth_cram_md5);
	assert_false(offers.auth_plain);

	offers = smtp_offers_parse("hi\nAUTH=PLAIN\nSIZE\nstarttls\r\n");
	assert_true(offers.auth_plain);
	assert_true(offers.size);
	assert_int_equal(offers.size_max, 0);
	assert_true(offers.starttls);
}

static void only_a_clean_answer_settles_a_mail_after_the_dot(void **state)
{
	(void)state;
	assert_int_equal(smtp_judge(250, true), MAILER_SENT);
	assert_int_equal(smtp_judge(451, true), MAILER_RETRY);
	assert_int_equal(smtp_judge(554, true), MAILER_REJECTED);
	assert_int_equal(smtp_judge(0, true), MAILER_UNKNOWN);
	assert_int_equal(smtp_judge(354, true), MAILER_UNKNOWN);
	assert_int_equal(smtp_judge(0, false), MAILER_RETRY);
	assert_int_equal(smtp_judge(530, false), MAILER_RETRY);
	assert_int_equal(smtp_judge(550, false), MAILER_REJECTED);
}

static void words_of_a_server_are_one_printable_line(void **state)
{
	g_autofree char *words = smtp_words("5.1.1 no\nsuch\x1b[31m user\xff ");
	g_autofree char *much = g_strnfill(5000, 'x');
	g_autofree char *cut = smtp_words(much);

	(void)state;
	assert_string_equal(words, "5.1.1 no such [31m user\xef\xbf\xbd");
	assert_int_equal(strlen(cut), 500);
}

static void an_address_that_could_be_a_command_or_an_option_is_refused(void **state)
{
	static const char *const bad[] = { "",
					   "-oQ/tmp@example.org",
					   "a@b\r\nDATA",
					   "a@b\nRCPT TO:<c>",
					   "a b@example.org",
					   "a@example.org>",
					   "<a@example.org>",
					   "a@example.org,b@c",
					   "a",
					   "@example.org",
					   "a@",
					   "a\x7f@example.org",
					   "a\xff@example.org" };
	static const char *const good[] = { "a@example.org", "a+b=c@example.org",
					    "\"a\"@example.org",
					    "gr\xc3\xbc\xc3\x9f@example.org" };
	g_autofree char *name = g_strnfill(243, 'a');
	g_autofree char *fits = g_strconcat(name, "@b.example", NULL);
	g_autofree char *too_long = g_strconcat("a", fits, "x", NULL);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		assert_non_null(address_fault(bad[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
		assert_null(address_fault(good[i]));
	assert_null(address_fault(fits));
	assert_non_null(address_fault(too_long));
}

static void waits_double_spread_and_end(void **state)
{
	(void)state;
	assert_int_equal(mailer_backoff(1, 0), 240);
	assert_int_equal(mailer_backoff(1, 60), 300);
	assert_int_equal(mailer_backoff(1, 120), 360);
	assert_int_equal(mailer_backoff(2, 120), 600);
	for (unsigned n = 1; n < 33; n++)
		for (uint32_t random = 0; random < 50; random++) {
			int64_t wait = mailer_backoff(n, random * 0x9e3779b9u);

			assert_true(wait >= 240 && wait <= 4 * 3600 * 6 / 5);
		}
	assert_int_equal(mailer_backoff(33, 7), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_dots_are_exact_on_the_wire),
		cmocka_unit_test(the_size_counts_line_ends_but_no_doubled_dots),
		cmocka_unit_test(a_nul_byte_goes_through_uncut),
		cmocka_unit_test(an_answer_is_three_digits_and_blank_or_dash),
		cmocka_unit_test(offers_are_read_in_any_case_and_by_whole_words),
		cmocka_unit_test(only_a_clean_answer_settles_a_mail_after_the_dot),
		cmocka_unit_test(words_of_a_server_are_one_printable_line),
		cmocka_unit_test(
			an_address_that_could_be_a_command_or_an_option_is_refused),
		cmocka_unit_test(waits_double_spread_and_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
