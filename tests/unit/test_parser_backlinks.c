/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of later mails that cite a report: which of them close it? */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "parser/parser.h"
#include "tests/unit/test.h"

static char *corpus(void)
{
	const char *set = getenv("REGTRAIL_CORPUS"),
		   *source = getenv("REGTRAIL_SOURCE");
	g_autofree char *dir = set ? g_strdup(set) :
				     g_build_filename(source ? source : ".", "..",
						      "shared", "corpus", NULL);

	return g_build_filename(dir, "threads", "backlinks.jsonl", NULL);
}

static bool closes_in_commit(const char *report, const char *line)
{
	g_autoptr(parser_wanted) wanted = parser_wanted_new();
	g_autoptr(GPtrArray) found =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_mentioned_free);
	g_autofree char *message = g_strdup_printf("a: b\n\nWords.\n\n%s\n", line);
	parser_logged commit = { .id = "0123456789abcdef0123456789abcdef01234567",
				 .id_length = 40,
				 .message = message,
				 .length = strlen(message) };

	parser_wanted_add_message(wanted, report);
	parser_wanted_find(wanted, &commit, found);
	return found->len == 1 &&
	       ((parser_mentioned *)found->pdata[0])->kind == PARSER_MENTION_CLOSES;
}

/* 'c': closes it; 'q': in somebody else's words; 't': in the text. */
static char kind_in_mail(const char *report, const char *line)
{
	g_autofree char *text = g_strdup_printf(
		"From: Ann <ann@example.org>\nSubject: Re: a\n\nWords of mine.\n\n%s\n",
		line);
	g_autoptr(parser_mail) mail =
		parser_mail_parse(text, strlen(text), PARSER_FORM_MAIL, 0, NULL);
	g_autoptr(GPtrArray) trailers = parser_trailers_read(mail);
	const char *closes = parser_pairs_get(trailers, "Closes");
	g_autofree char *id =
		closes ? parser_url_message_id(closes, strlen(closes)) : NULL;
	size_t at = (size_t)(strstr(mail->text, line) - mail->text);

	if (id && strcmp(id, report) == 0)
		return 'c';
	return parser_mail_kind_at(mail, at) == PARSER_SPAN_QUOTE ? 'q' : 't';
}

/* Counts it in by_kind: 'c', 'q' or 't'. */
static void check(const char *text, unsigned *by_kind)
{
	json_t *row = json_loads(text, 0, NULL);
	const char *report = json_string_value(json_object_get(row, "report"));
	const char *line = json_string_value(json_object_get(row, "line"));
	const char *kind = json_string_value(json_object_get(row, "kind"));
	char wanted = strcmp(kind, "closes") == 0      ? 'c' :
		      g_str_has_prefix(kind, "quoted") ? 'q' :
							 't';

	if (kind_in_mail(report, line) != wanted ||
	    closes_in_commit(report, line) != (wanted == 'c'))
		fail_msg("%s: %s", kind, line);
	by_kind[(unsigned char)wanted]++;
	json_decref(row);
}

static void back_links_are_told_apart_by_their_line(void **state)
{
	g_autofree char *path = corpus(), *text = NULL;
	g_auto(GStrv) lines = NULL;
	unsigned by_kind[256] = { 0 };

	(void)state;
	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		print_message("no %s: skipped\n", path);
		g_clear_pointer(&path, g_free); /* skip() leaves by longjmp */
		skip();
	}
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		if (**line)
			check(*line, by_kind);
	print_message("back-links: %u close, %u quoted, %u in the text; no error\n",
		      by_kind['c'], by_kind['q'], by_kind['t']);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(back_links_are_told_apart_by_their_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
