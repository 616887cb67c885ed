/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostile mail of twice the size must not cost more than twice the work.  The parser is
 * compiled so that every basic block calls __sanitizer_cov_trace_pc(); the linker leads
 * its calls of functions that walk over bytes through the wrappers below.
 */
#include "tests/unit/mail.h"

#define SMALL 1200 /* repetitions of a pattern; more than PARSER_PARTS_MAX */
#define SLACK 1.2  /* over exactly twice */

static uint64_t operations;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	operations++;
}

/* ---- functions that walk
 * ------------------------------------------------------------- */

size_t __real_strlen(const char *s);

/* How far a search went that began at `from` and found `to`; all of it if NULL. */
static uint64_t walked(const char *from, const char *to, size_t all)
{
	return to ? (uint64_t)(to - from) + 1 : all + 1;
}

static uint64_t walked_string(const char *from, const char *to)
{
	return (to ? (uint64_t)(to - from) : __real_strlen(from)) + 1;
}

#define WRAP(type, name, parameters, arguments, cost)                                  \
	type __real_##name parameters;                                                 \
	type __wrap_##name parameters;                                                 \
	type __wrap_##name parameters                                                  \
	{                                                                              \
		type result = __real_##name arguments;                                 \
                                                                                       \
		operations += cost;                                                    \
		return result;                                                         \
	}

WRAP(void *, memchr, (const void *s, int c, size_t n), (s, c, n), walked(s, result, n))
WRAP(void *, memrchr, (const void *s, int c, size_t n), (s, c, n),
     result ? (uint64_t)((const char *)s + n - (char *)result) : n + 1)
WRAP(void *, memmem, (const void *s, size_t n, const void *w, size_t m), (s, n, w, m),
     walked(s, result, n))
WRAP(size_t, strlen, (const char *s), (s), result + 1)
WRAP(char *, strchr, (const char *s, int c), (s, c), walked_string(s, result))
WRAP(char *, strrchr, (const char *s, int c), (s, c), __real_strlen(s) + 1)
WRAP(char *, strstr, (const char *s, const char *w), (s, w), walked_string(s, result))
WRAP(char *, strcasestr, (const char *s, const char *w), (s, w),
     walked_string(s, result))
WRAP(size_t, strspn, (const char *s, const char *set), (s, set), result + 1)
WRAP(size_t, strcspn, (const char *s, const char *set), (s, set), result + 1)
WRAP(char *, strpbrk, (const char *s, const char *set), (s, set),
     walked_string(s, result))
WRAP(void *, memcpy, (void *to, const void *s, size_t n), (to, s, n), n)
WRAP(void *, memmove, (void *to, const void *s, size_t n), (to, s, n), n)
WRAP(char *, g_strdup, (const char *s), (s), result ? __real_strlen(result) + 1 : 1)
WRAP(char *, g_strndup, (const char *s, gsize n), (s, n),
     result ? __real_strlen(result) + 1 : 1)
WRAP(gboolean, g_utf8_validate, (const char *s, gssize n, const char **end),
     (s, n, end),
     end ? (uint64_t)(*end - s) + 1 :
	   (uint64_t)(n < 0 ? __real_strlen(s) : (size_t)n) + 1)
WRAP(GString *, g_string_append_len, (GString * s, const char *p, gssize n), (s, p, n),
     (uint64_t)(n < 0 ? 1 : n) + 1)
WRAP(GString *, g_string_prepend, (GString * s, const char *p), (s, p), result->len + 1)
WRAP(GString *, g_string_erase, (GString * s, gssize at, gssize n), (s, at, n),
     result->len + 1)

/* ---- hostile mail
 * ----------------------------------------------------------------------- */

typedef struct hostile {
	const char *head;    /* once */
	const char *pattern; /* again and again */
	const char *tail;    /* once */
} hostile;

#define BODY  "Subject: x\n\n"
#define HTML  "Content-Type: text/html\n\n"
#define MIXED "Content-Type: multipart/mixed; boundary=b\n\n"
#define MBOX  "From joe@x Fri Aug 11 09:11:21 2023\nSubject: x\n\n"
#define HEX   "0123456789012345678901234567890123456789"

static const hostile cases[] = {
	/* clang-format off */
	/* fields */
	{ "To: ", "a:", "\n\nx\n" }, { "To: @", ":", "\n\nx\n" }, { "To: ", "(", "\n\nx\n" },
	{ "To: ", "\"", "\n\nx\n" }, { "To: ", "<", "\n\nx\n" }, { "To: ", "a,", "\n\nx\n" },
	{ "To: ", "<,", "\n\nx\n" }, { "To: ", "a <b@c>,", "\n\nx\n" }, { "To: ", "a b@c ", "\n\nx\n" },
	{ "", "To: a@b\n", "\nx\n" }, { "", "Received: x; 1 Jan 2023 10:00\n", "\nx\n" },
	{ "From: a via b <l@x>\nReply-To: ", "c@d,", "\nList-Id: <l.x>\n\nx\n" },
	{ "From: a via b <l@x>\nCc: ", "a <l@x>,", "\nList-Id: <l.x>\n\nx\n" },
	{ "From: a via b <l@x>\n", "List-Id: <l.x>\nReply-To: l@x\n", "\nx\n" },
	{ "References:", " <a@b", "\n\nx\n" }, { "References: ", "(", "\n\nx\n" },
	{ "References: ", "\"", "\n\nx\n" }, { "References: ", "<", "\n\nx\n" },
	{ "References: ", "a@b ", "\n\nx\n" }, { "References: ", "\\", "\n\nx\n" },
	{ "References: ", "=?utf-8?q?=3Ca=40b=3E?= ", "\n\nx\n" },
	{ "", "In-Reply-To: <a@b>\n", "To: a@b\n\nx\n" }, { "", "Message-ID: <>\n", "\nx\n" },
	{ "Subject: ", "=?utf-8?q?x?= ", "\n\nx\n" }, { "Subject: ", "=?", "\n\nx\n" },
	{ "Subject: x", "\n y", "\n\nx\n" }, { "Date: ", "(", "\n\nx\n" }, { "Date: ", "1 ", "\n\nx\n" },
	{ "", "X: y\n", "\nx\n" }, { "Subject: x\n", ">From x\n", "\nx\n" },
	/* quotes and whose words */
	{ BODY, ">", "\n" }, { BODY, "> x\n", "" }, { BODY, "> x\ny\n", "" }, { BODY, ">> x\n> y\n", "" },
	{ BODY, "x", "\n" }, { BODY, "x ", "\n" }, { BODY, "\n", "x\n" }, { BODY, "x\n\n", "" },
	{ BODY, "AB> x\n", "" }, { BODY, ": x\n", "" },
	{ BODY, "On 1 Jan 2023 10:00 a@b wrote:\n", "" }, { BODY, "On 1 Jan 2023 10:00\n", "" },
	{ BODY, "x\nOn 1 Jan 2023 10:00 a@b wrote:\n> y\n", "" },
	{ BODY, "-----Original Message-----\n", "" }, { BODY, "-----Original Message-----\nFrom: x\n\n", "" },
	{ BODY, "From: x\n", "" }, { BODY, "From: x\nSent: y\nTo: z\n\n> q\n", "" },
	{ BODY, "--- End of message ---\nFrom: x\nSent: y\nTo: z\n\n", "" },
	{ BODY, "-- \n", "" }, { BODY, "--\n", "" }, { BODY, "-- \nx\n> y\n", "" },
	{ BODY, "________________\nTo unsubscribe\n", "" },
	/* patches */
	{ BODY, "diff --git a/x b/x\n", "" }, { BODY, "@@ -1 +1 @@\nx\n", "" },
	{ BODY, "@@ -1,99999 +1,99999 @@\n", "" }, { BODY, "---\n", "diff --git a/x b/x\n" },
	{ BODY, "---\n x | 2 +-\n\ndiff --git a/x b/x\nx\n", "" },
	{ BODY, "Subject: [PATCH] x\n> y\n", "" }, { BODY, "Subject: [PATCH] x\n", "diff --git a/x b/x\n" },
	{ BODY, "--- 8< ---\n", "" }, { BODY, "8<", "\n" },
	/* reports */
	{ BODY, "noticed a -7.4% regression of x.y on:\n", "" },
	{ BODY, "commit: " HEX " (\"x\")\n", "" }, { BODY, "commit: " HEX "\ntestcase: x\n", "" },
	{ BODY, "1 2 x.y\n", "" }, { BODY, "| Closes: x\n", "" }, { BODY, "Regression-ID: \n", "" },
	{ BODY, "> > Regression-ID: x\n", "" },
	/* parts */
	{ MIXED, "--b\n\nx\n", "" }, { MIXED, "--b\n", "" }, { MIXED, "--b--\n", "" },
	{ "Content-Type: multipart/alternative; boundary=b\n\n", "--b\n\n\n", "" },
	{ "Content-Type: message/rfc822\n\nTo: ", "a:", "\n\nx\n" },
	{ "Content-Type: message/rfc822\n\n", "To: a@b\n", "\nx\n" },
	{ "Content-Transfer-Encoding: quoted-printable\n\n", "=\n", "" },
	{ "Content-Transfer-Encoding: base64\n\n", "PiA+", "\n" },
	{ "Content-Type: text/plain; charset=iso-8859-2\n\n", "\xb1 ", "\n" },
	{ BODY, "\xff", "\n" }, { BODY, "\xc3", "\n" }, { BODY, "\r", "\n" },
	/* HTML */
	{ HTML, "<", "" }, { HTML, "<a href='>", "" }, { HTML, "<!--", "" }, { HTML, "<style>", "" },
	{ HTML, "<blockquote>", "x" }, { HTML, "<blockquote>x", "" }, { HTML, "<p>", "x" }, { HTML, "&", "" },
	{ HTML, "&#", "" }, { HTML, "<pre>\n", "" }, { HTML, "</", "" },
	/* containers */
	{ MBOX, "\nFrom joe@x Fri Aug 11 09:11:21 2023\n", "" }, { MBOX, "\nFrom ", "" },
	{ MBOX, "\nFrom joe@x Fri Aug 11 09:11:21 2023\nA: b\n", "" },
	{ MBOX, "\nFrom joe@x Fri Aug 11 09:11:21 2023\n>From x\n", "" },
	{ "From joe@x Fri Aug 11 09:11:21 2023\nContent-Length: 0\n\n",
	  "From joe@x Fri Aug 11 09:11:21 2023\nContent-Length: 9\n\n", "" },
	{ MBOX, ">From x\n", "" },
	/* pages */
	{ "x wrote:\n\n", "x wrote: > y\n\n", "" }, { "x wrote: > ", "> ", "\n" },
	{ "x wrote:\n", "[a <b@c>]\n\n", "" }, { "x wrote:\n", "(a)", "\n" }, { "x wrote:\n", "b(a)c", "\n" },
	{ "x wrote:\n", "&gt;", "\n" }, { "x wrote:\n", "Date: From: ", "\n" },
	{ "Date: x From: y Subject: z ", "To: ", "\n" },
	/* links */
	{ BODY, "://", "\n" }, { BODY, "https://x.y/", "\n" }, { BODY, "lore.kernel.org/", "\n" },
	{ BODY, "a://b/c@d\n", "" }, { BODY, "<", "\n" }, { BODY, "<111111@x> ", "\n" },
	{ BODY, "a://b/%", "\n" }, { BODY, "http://x/-\n", "" },
	{ BODY, "#regzbot", "\n" }, { BODY, "1%", "\n" }, { BODY, "1@", "\n" },
	/* clang-format on */
};

static uint64_t work(const hostile *h, unsigned n)
{
	GString *bytes = g_string_new(h->head);
	parser_splitter s;
	parser_slice slice;

	for (unsigned i = 0; i < n; i++)
		g_string_append(bytes, h->pattern);
	g_string_append(bytes, h->tail);
	operations = 0;
	parser_splitter_init(&s, bytes->str, bytes->len);
	while (parser_splitter_next(&s, &slice)) {
		const char *p = bytes->str + slice.offset;
		g_auto(parser_scan) scan = { 0 };
		g_autoptr(parser_mail) mail = parser_mail_parse(
			p, slice.length, slice.form, slice.index, NULL);

		if (slice.form != PARSER_FORM_ARCHIVE)
			parser_scan_message(p, slice.length, &scan, NULL);
		if (mail)
			g_ptr_array_unref(parser_links_read(mail));
	}
	uint64_t done = operations;

	g_string_free(bytes, TRUE);
	return done;
}

/*
 * From n to 2n and from 2n to 4n repetitions: linear work grows twice as much in the
 * second step, quadratic work four times, whatever it cost to start.
 */
static void twice_the_mail_is_twice_the_work(void **state)
{
	bool failed = false;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		uint64_t one = work(&cases[i], SMALL), two = work(&cases[i], 2 * SMALL),
			 four = work(&cases[i], 4 * SMALL);

		if ((double)(four - two) > 2 * SLACK * (double)(two - one) + 10000) {
			print_error("%s...%s: %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
				    ", %" G_GUINT64_FORMAT " operations\n",
				    cases[i].head, cases[i].pattern, one, two, four);
			failed = true;
		}
		/* Caps hold, and no step is repeated for long. */
		size_t bytes =
			strlen(cases[i].head) + SMALL * strlen(cases[i].pattern) + 100;

		if (one > bytes * 3000)
			fail_msg("%s...%s: %" G_GUINT64_FORMAT
				 " operations for %zu bytes",
				 cases[i].head, cases[i].pattern, one, bytes);
	}
	assert_false(failed);
}

static void work_is_counted_at_all(void **state)
{
	static const hostile plain = { BODY, "some words\n", "" };

	(void)state;
	assert_true(work(&plain, SMALL) > SMALL * strlen("some words\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_counted_at_all),
		cmocka_unit_test(twice_the_mail_is_twice_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
