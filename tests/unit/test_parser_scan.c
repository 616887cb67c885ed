/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail.h"

static bool is_candidate(const char *bytes)
{
	g_auto(parser_scan) scan = { 0 };

	assert_true(parser_scan_message(bytes, strlen(bytes), &scan, NULL));
	return scan.candidate;
}

static const struct {
	const char *bytes;
	bool candidate;
} cases[] = {
	{ "Subject: [x] 0123456789: bench.score -7.4% regression\n\nwords\n", true },
	{ "From: kernel test robot <r@example.org>\nSubject: x\n\nwords\n", true },
	{ "Subject: x\nReferences: <202308101628.7af4631a-joe@example.org>\n\nwords\n",
	  true },
	{ "Message-ID: <202308101628.7af4631a-joe@example.org>\n\nwords\n", true },
	{ "Subject: x\n\n       %stddev     %change\n", true },
	{ "Subject: x\n\n> noticed a 7.4% improvement of\n", true },
	{ "Subject: x\n\n 8888  -7.4%  8234 bench.score\n", true },
	{ "Subject: x\n\nCloses: https://x/202308101628.7af4631a-joe@example.org\n",
	  true },
	{ "Subject: x\n\n#regtrail fix: abc\n", true },
	{ "Subject: x\n\nRegression-ID: 0123\n", true },
	{ "Subject: x\nContent-Transfer-Encoding: base64\n\nICUgJXN0ZGRldgo=\n", true },
	{ "Subject: x\nContent-Transfer-Encoding: quoted-printable\n\n 8888 =\n=2D7.4% x\n",
	  true },
	{ "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
	  "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
	  "ICUgJXN0ZGRldgo=\n--b--\n",
	  true },
	{ "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
	  "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
	  "-- \n=23regtrail fix: abc\n--b--\n",
	  true },
	{ "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
	  "Content-Type: text/html\n\n<p>words</p>\n--b--\n",
	  true },
	{ "Subject: x\nContent-Type: text/html\n\n<p>words</p>\n", true },
	{ "Subject: x\nContent-Type: text/plain; charset=utf-16\n\nwords\n", true },
	{ "Subject: x\nContent-Transfer-Encoding: x-uuencode\n\nwords\n", true },
	{ "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
	  "Content-Type: text/plain\n\nwords\n--b\n"
	  "Content-Type: application/pgp-signature\nContent-Transfer-Encoding: base64\n\n"
	  "3q2+7w==\n--b--\n",
	  false },
	{ "Subject: [PATCH] x\n\nprintf(\"%s\", a); 50% of\njoe@example.org #include\n",
	  false },
	{ "Subject: lunch\n\nat noon?\n", false },
};

static void only_mail_that_can_concern_a_report_is_a_candidate(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		if (is_candidate(cases[i].bytes) != cases[i].candidate)
			fail_msg("wrong about: %s", cases[i].bytes);
	}
}

static const struct {
	const char *body, *id; /* NULL: none */
} links[] = {
	{ "Closes: https://lore.example.org/list/20240101.12-a@example.org/\n",
	  "20240101.12-a@example.org" },
	{ "see lore.kernel.org/r/x@example.org", "x@example.org" },
	{ "https://lore.example.org/r/x%40example.org\n", "x@example.org" },
	{ "> Link: https://lore.example.org/r/\n> x@example.org\n", "x@example.org" },
	{ "https://lore.example.org/r/20240101-\nx@example.org/\n",
	  "20240101-x@example.org" },
	{ "https://lore.example.org/r/20240101-\r\nx@example.org/\r\n",
	  "20240101-x@example.org" },
	{ "answers <20240101.12-a@example.org>.\n", "20240101.12-a@example.org" },
	{ "https://urldefense.proofpoint.com/v2/url?u=https-3A__lore.example.org_r_x-40"
	  "example.org&d=1\n",
	  "x@example.org" },
	{ "https://a.safelinks.protection.example.com/?url=https%3A%2F%2Flore.example.org"
	  "%2Fr%2Fx%40example.org&data=1\n",
	  "x@example.org" },
	{ "Signed-off-by: Joe <joe@example.org>\ngit@example.org:x/y\n", NULL },
};

/* A link is as good as a reference, and is found without the full parse. */
static void links_of_a_body_are_those_of_the_full_parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(links); i++) {
		g_autofree char *bytes =
			g_strconcat("Subject: x\n\n", links[i].body, NULL);
		g_auto(parser_scan) scan = { 0 };

		assert_true(parser_scan_message(bytes, strlen(bytes), &scan, NULL));
		assert_false(scan.candidate);
		if (!links[i].id && scan.links)
			assert_int_equal(scan.links->len, 0);
		if (!links[i].id)
			continue;
		if (!scan.links || !scan.links->len)
			fail_msg("no link in: %s", links[i].body);
		assert_string_equal(scan.links->pdata[0], links[i].id);
	}
}

static void what_is_no_mail_is_an_error(void **state)
{
	g_auto(parser_scan) scan = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_false(parser_scan_message("words\n", 6, &scan, &error));
	assert_true(g_error_matches(error, PARSER_ERROR, PARSER_ERROR_NOT_MAIL));
}

/* ---- the corpus, when it is there
 * ------------------------------------------------------ */

typedef struct tally {
	unsigned files, messages, differences;
} tally;

static bool same_ids(const GPtrArray *a, const GPtrArray *b)
{
	if (a->len != b->len)
		return false;
	for (guint i = 0; i < a->len; i++)
		if (strcmp(a->pdata[i], b->pdata[i]) != 0)
			return false;
	return true;
}

static bool agree(const parser_scan *scan, const parser_mail *mail)
{
	return g_strcmp0(scan->message_id, mail->message_id) == 0 &&
	       same_ids(scan->in_reply_to, mail->in_reply_to) &&
	       same_ids(scan->references, mail->references) &&
	       strcmp(scan->subject, mail->subject) == 0 &&
	       g_strcmp0(scan->from.name, mail->from.name) == 0 &&
	       g_strcmp0(scan->from.address, mail->from.address) == 0 &&
	       scan->date == mail->date && same_ids(scan->lists, mail->lists);
}

static bool has(const GPtrArray *ids, const char *id)
{
	for (guint i = 0; ids && i < ids->len; i++)
		if (strcmp(ids->pdata[i], id) == 0)
			return true;
	return false;
}

/* What the scanner passes over holds nothing that the full parse would find. */
static bool is_rightly_passed_over(const char *bytes, const parser_slice *slice,
				   const parser_scan *scan)
{
	g_autoptr(parser_rules) rules = parser_rules_new();
	g_autoptr(parser_lists) lists = parser_lists_new();
	g_autoptr(parser_reading) r =
		parser_read(bytes + slice->offset, slice->length, slice->form,
			    slice->index, rules, lists, NULL);

	if (r->report || r->quoted_report || r->commands->len || r->mail->regression)
		return false;
	for (guint i = 0; i < r->links->len; i++)
		if (!has(scan->links, r->links->pdata[i]))
			return false;
	return true;
}

/* Spans stand in order, touch each other and cover the text. */
static bool spans_cover(const parser_mail *mail)
{
	size_t at = 0;

	for (guint i = 0; i < mail->spans->len; i++) {
		const parser_span *s = &g_array_index(mail->spans, parser_span, i);

		if (s->start != at || s->end <= s->start)
			return false;
		at = s->end;
	}
	return at == mail->text_length && g_utf8_validate(mail->text, -1, NULL) &&
	       strlen(mail->text) == mail->text_length;
}

static void check_message(const char *bytes, const parser_slice *slice, tally *t)
{
	g_autoptr(parser_mail) mail = parser_mail_parse(
		bytes + slice->offset, slice->length, slice->form, slice->index, NULL);
	g_auto(parser_scan) scan = { 0 };
	bool scanned =
		slice->form != PARSER_FORM_ARCHIVE &&
		parser_scan_message(bytes + slice->offset, slice->length, &scan, NULL);

	t->messages++;
	if (slice->form != PARSER_FORM_ARCHIVE && scanned != (mail != NULL))
		t->differences++;
	if (mail && ((scanned && !agree(&scan, mail)) || !spans_cover(mail)))
		t->differences++;
	if (mail && scanned && mail->class == PARSER_CLASS_ROBOT && !scan.candidate)
		t->differences++;
	if (mail && scanned && !scan.candidate && !scan.bounce &&
	    !is_rightly_passed_over(bytes, slice, &scan)) {
		print_message("passed over: %s\n", mail->message_id);
		t->differences++;
	}
}

static void check_file(const char *path, tally *t)
{
	g_autofree char *bytes = NULL;
	gsize length;
	parser_splitter s;
	parser_slice slice;

	if (!g_file_get_contents(path, &bytes, &length, NULL))
		return;
	t->files++;
	parser_splitter_init(&s, bytes, length);
	while (parser_splitter_next(&s, &slice))
		check_message(bytes, &slice, t);
}

static void check_folder(const char *path, tally *t)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *inner = g_build_filename(path, name, NULL);

		if (g_file_test(inner, G_FILE_TEST_IS_DIR))
			check_folder(inner, t);
		else
			check_file(inner, t);
	}
}

static void scanner_and_full_parse_agree_on_every_real_mail(void **state)
{
	static const char *const folders[] = { "seeds", "mails", "threads",
					       "odd",   "mime",  "commands" };
	const char *source = g_getenv("REGTRAIL_SOURCE"),
		   *set = g_getenv("REGTRAIL_CORPUS");
	g_autofree char *corpus = set ? g_strdup(set) :
					g_build_filename(source ? source : ".", "..",
							 "shared", "corpus", NULL);
	tally t = { 0 };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *path = g_build_filename(corpus, folders[i], NULL);

		check_folder(path, &t);
	}
	if (!t.files) {
		print_message("no corpus of real mails at %s: skipped\n", corpus);
		g_clear_pointer(&corpus, g_free); /* skip() leaves by longjmp */
		skip();
	}
	assert_int_equal(t.differences, 0);
	assert_true(t.messages >= t.files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_mail_that_can_concern_a_report_is_a_candidate),
		cmocka_unit_test(links_of_a_body_are_those_of_the_full_parse),
		cmocka_unit_test(what_is_no_mail_is_an_error),
		cmocka_unit_test(scanner_and_full_parse_agree_on_every_real_mail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
