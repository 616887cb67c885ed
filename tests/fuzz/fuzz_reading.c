/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reply's text under the program's own rules: verdicts, mechanisms and commands. */
#include "templates/templates.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz.h"

static const parser_rules *program_rules(void)
{
	static parser_rules *rules;

	if (rules)
		return rules;
	rules = parser_rules_new();
	for (const templates_file *f = templates_files; f->name; f++)
		if (g_str_has_prefix(f->name, "rules/") &&
		    !parser_rules_add(rules, f->name, f->text, f->length, NULL))
			abort();
	return rules;
}

/* Evidence is never empty, stands where it says, and is nobody else's. */
static void check_evidence(const parser_mail *mail, const char *evidence, size_t offset)
{
	size_t length = strlen(evidence);

	if (length == 0 || offset + length > mail->text_length ||
	    memcmp(mail->text + offset, evidence, length) != 0)
		abort();
	switch (parser_mail_kind_at(mail, offset)) {
	case PARSER_SPAN_OWN:
	case PARSER_SPAN_PATCH:
	case PARSER_SPAN_TABLE:
		break;
	default:
		abort();
	}
}

static void check_commands(const parser_reading *r)
{
	for (guint i = 0; i < r->commands->len; i++) {
		const parser_command *c = g_ptr_array_index(r->commands, i);
		parser_span_kind kind = parser_mail_kind_at(r->mail, c->offset);

		if ((c->line > 0 && !c->problem && kind != PARSER_SPAN_OWN &&
		     kind != PARSER_SPAN_SIGNATURE) ||
		    (!c->known && !c->problem) || strchr(c->arguments, '\n') ||
		    !g_utf8_validate(c->arguments, -1, NULL))
			abort();
	}
}

static void check_reading(const parser_reading *r)
{
	if (r->verdicts->len > PARSER_VERDICTS_MAX)
		abort();
	for (guint i = 0; i < r->verdicts->len; i++) {
		const parser_verdict *v = g_ptr_array_index(r->verdicts, i);

		check_evidence(r->mail, v->evidence, v->offset);
		if (!(v->confidence >= 0 && v->confidence <= 1) || !*v->rule)
			abort();
	}
	for (guint i = 0; i < r->mechanisms->len; i++) {
		const parser_mechanism *m = g_ptr_array_index(r->mechanisms, i);

		check_evidence(r->mail, m->evidence, m->offset);
	}
	check_commands(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char head[] = "From: Jane Doe <jane@example.org>\n"
				   "Subject: Re: [mm] 1122334455: a.b -7% regression\n"
				   "Content-Type: text/plain; charset=utf-8\n\n";
	g_autoptr(GString) bytes = g_string_new(head);
	g_autoptr(parser_lists) lists = parser_lists_new();

	g_string_append_len(bytes, (const char *)data, (gssize)size);
	g_autoptr(parser_reading) r =
		parser_read(bytes->str, bytes->len, PARSER_FORM_MAIL, 0,
			    program_rules(), lists, NULL);
	if (r)
		check_reading(r);
	return 0;
}
