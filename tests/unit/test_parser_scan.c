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
		cmocka_unit_test(what_is_no_mail_is_an_error),
		cmocka_unit_test(scanner_and_full_parse_agree_on_every_real_mail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
