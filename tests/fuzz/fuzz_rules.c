/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A rule file of an operator, used on a mail if it is sound. */
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz.h"

static const char mail[] =
	"From: Jane Doe <jane@example.org>\nSubject: Re: x\n\n"
	"I don't think that this is expected, the lock in foo_bar() is contended.\n"
	"Can you try commit 0123456789ab? If it helps by 3.5%, I will send a patch. Thanks!\n";

static void add(parser_rules *rules, const char *name, const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;

	if (parser_rules_add(rules, name, (const char *)data, size, &error) == !!error)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(parser_rules) rules = parser_rules_new();
	g_autoptr(parser_lists) lists = parser_lists_new();

	add(rules, "verdicts", data, size);
	add(rules, "mechanisms", data, size);
	add(rules, "weights", data, size);
	g_autoptr(parser_reading) r = parser_read(
		mail, sizeof(mail) - 1, PARSER_FORM_MAIL, 0, rules, lists, NULL);
	if (!r)
		abort();
	return 0;
}
