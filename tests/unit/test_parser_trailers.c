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

static void values_are_tidied(void **state)
{
	(void)state;
	check("Signed-off-by: Ada Wrapped Sample\n<ada@example.org>\n"
	      "Reviewed-by: Bob <bob@example.org<mailto:bob@example.org>>\n"
	      "Link: https://lore.kernel.org/r/1@example.org  # discussion\n"
	      "Closes: https://lore.kernel.org/r/2@example.org.\n",
	      "Signed-off-by=Ada Wrapped Sample <ada@example.org>;"
	      "Reviewed-by=Bob <bob@example.org>;"
	      "Link=https://lore.kernel.org/r/1@example.org;"
	      "Closes=https://lore.kernel.org/r/2@example.org;");
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

static char *references_of(const char *body)
{
	seen s = see("From: A <a@example.org>\nSubject: x\n", body);
	g_autoptr(GPtrArray) commits = parser_commits_read(s.mail);
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < commits->len; i++) {
		const parser_pair *pair = g_ptr_array_index(commits, i);

		g_string_append_printf(out, "%s=%s;", pair->name, pair->value);
	}
	seen_clear(&s);
	return g_strdup(out->str);
}

static void commits_are_found_in_prose(void **state)
{
	static const struct {
		const char *body, *want;
	} cases[] = {
		{ "It is fixed by 0123456789ab (\"mm: count\"), I think.\n",
		  "0123456789ab=mm: count;" },
		{ "See commit 0a1b2c3d4e, and commit 0a1b2c3d4e again.\n",
		  "0a1b2c3d4e=;" },
		{ "commit 0A1B2C3D (\"a subject\nthat was broken\") is it\n",
		  "0a1b2c3d=a subject that was broken;" },
		{ "merged as 0123456789abcdef0123456789abcdef01234567.\n",
		  "0123456789abcdef0123456789abcdef01234567=;" },
		{ "(deadbeef0123 (\"x: y (z)\"))\n", "deadbeef0123=x: y (z);" },
		/* none: a date, a number, a word, an address, what another wrote */
		{ "since 20231010 and 123456789012345\n", "" },
		{ "a facade was added, effaced\n", "" },
		{ "at ffffffff81234567 in 0xffffffff81234567\n", "" },
		{ "> commit 0a1b2c3d4e5f is bad\n\nNo.\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = references_of(cases[i].body);

		assert_string_equal(got, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_names_become_trailers),
		cmocka_unit_test(broken_values_are_joined),
		cmocka_unit_test(values_are_tidied),
		cmocka_unit_test(templates_and_quotes_are_no_trailers),
		cmocka_unit_test(a_value_must_fit_its_name),
		cmocka_unit_test(commits_are_found_in_prose),
		cmocka_unit_test(a_commit_message_has_trailers_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
