/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "tests/unit/report_mail.h"
#include "tests/unit/test.h"

/* The trailers of a body as "Name=value;" each. */
static char *trailers_of(const char *body)
{
	seen s = see("From: A <a@example.org>\nSubject: x\n", body);
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < s.trailers->len; i++) {
		const parser_pair *pair = g_ptr_array_index(s.trailers, i);

		g_string_append_printf(out, "%s=%s;", pair->name, pair->value);
	}
	seen_clear(&s);
	return g_strdup(out->str);
}

static void check(const char *body, const char *want)
{
	g_autofree char *got = trailers_of(body);

	assert_string_equal(got, want);
}

static void known_names_become_trailers(void **state)
{
	(void)state;
	check("Looks fine.\n\nreviewed-by: Ada Sample <ada@example.org>\n"
	      "  Tested-By: Bob <bob@example.org>\n"
	      "Fixes: 0123456789ab (\"a: b\")\n"
	      "Link:https://lore.kernel.org/r/1@example.org\n",
	      "Reviewed-by=Ada Sample <ada@example.org>;"
	      "Tested-by=Bob <bob@example.org>;"
	      "Fixes=0123456789ab (\"a: b\");"
	      "Link=https://lore.kernel.org/r/1@example.org;");
}

static void broken_values_are_joined(void **state)
{
	(void)state;
	check("Closes:\nhttps://lore.kernel.org/oe-lkp/1@example.org\n\n"
	      "Fixes: 0123456789ab (\"a: a subject that a mail\nprogram broke\")\n",
	      "Closes=https://lore.kernel.org/oe-lkp/1@example.org;"
	      "Fixes=0123456789ab (\"a: a subject that a mail program broke\");");
}

static void templates_and_quotes_are_no_trailers(void **state)
{
	(void)state;
	check("| Reported-by: robot <robot@example.org>\n"
	      "> Tested-by: Bob <bob@example.org>\n"
	      ": Acked-by: Bob <bob@example.org>\n"
	      "        Acked-by: Indented <i@example.org>\n"
	      "Mail: a@example.org\nMessage-ID: <1@example.org>\n",
	      "");
}

static void a_value_must_fit_its_name(void **state)
{
	(void)state;
	check("Fixes: ?\n\nFixes: the other thing\n\nFixes: 01234\n\n"
	      "Cc: the usual suspects\n\nReviewed-by: https://example.org/a@b\n\n"
	      "Closes: nothing yet\n",
	      "");
}

static void a_commit_message_has_trailers_too(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) trailers = parser_trailers_of_commit(
		"a: b\n\nWhy.\n\nFixes: 0123456789ab (\"c: d\")\n"
		"Signed-off-by: Ada Sample <ada@example.org>\n");

	assert_int_equal(trailers->len, 2);
	assert_string_equal(parser_pairs_get(trailers, "Fixes"),
			    "0123456789ab (\"c: d\")");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_names_become_trailers),
		cmocka_unit_test(broken_values_are_joined),
		cmocka_unit_test(templates_and_quotes_are_no_trailers),
		cmocka_unit_test(a_value_must_fit_its_name),
		cmocka_unit_test(a_commit_message_has_trailers_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
