/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail.h"

static const struct {
	const char *url, *id;
} cases[] = {
	{ "https://lore.kernel.org/all/a1@x.org/", "a1@x.org" },
	{ "https://lore.kernel.org/oe-lkp/202301.ff-joe@example.org",
	  "202301.ff-joe@example.org" },
	{ "https://lore.kernel.org/r/a1@x.org", "a1@x.org" },
	{ "https://lore.kernel.org/a1@x.org/", "a1@x.org" },
	{ "https://lore.kernel.org/lkml/a1@x.org/T/#u", "a1@x.org" },
	{ "https://lore.kernel.org/lkml/a1@x.org/t.mbox.gz", "a1@x.org" },
	{ "https://lore.kernel.org/lkml/a1@x.org/raw", "a1@x.org" },
	{ "http://lkml.kernel.org/r/a1@x.org", "a1@x.org" },
	{ "https://patch.msgid.link/a1@x.org", "a1@x.org" },
	{ "https://msgid.link/a1@x.org", "a1@x.org" },
	{ "https://lists.example.org/perf/a1@x.org/", "a1@x.org" },
	{ "lore.kernel.org/r/a1@x.org", "a1@x.org" },
	{ "https://lore.kernel.org/all/a%2Fb%40x.org/", "a/b@x.org" },
	{ "https://lore.kernel.org/all/a%252Fb@x.org/", "a%2Fb@x.org" },
	{ "https://lore.kernel.org/all/a1@x.org).", "a1@x.org" },
	{ "<https://lore.kernel.org/all/a1@x.org/>", "a1@x.org" },
	{ "<a1@x.org>", "a1@x.org" },
	{ "a1@x.org", "a1@x.org" },
	{ "https://urldefense.proofpoint.com/v2/url?u=https-3A__lore.kernel.org_all_"
	  "a1-40x.org_&d=x",
	  "a1@x.org" },
	{ "https://urldefense.com/v3/__https://lore.kernel.org/all/a1@x.org/__;!!abc$",
	  "a1@x.org" },
	{ "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Flore.kernel.org"
	  "%2Fall%2Fa1%40x.org%2F&amp;data=x",
	  "a1@x.org" },
	{ "https://example.org/page", NULL },
	{ "https://example.org/", NULL },
	{ "https://github.com/joe/linux.git", NULL },
	{ "git@github.com:joe/linux.git", NULL },
	{ "word", NULL },
	{ "", NULL },
};

static void urls_of_all_shapes_give_the_id(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *id =
			parser_url_message_id(cases[i].url, strlen(cases[i].url));

		assert_string_equal(id ? id : "(none)",
				    cases[i].id ? cases[i].id : "(none)");
	}
}

static void a_mails_links_are_found_once_each(void **state)
{
	g_autoptr(parser_mail) mail = mail_of(
		"Subject: x\n\nSee https://lore.kernel.org/all/a1@x.org/ and\n"
		"> Link: https://lore.kernel.org/r/b2@x.org\n"
		"lore.kernel.org/r/a1@x.org and <20230801120000.c3@x.org>,\n"
		"not <joe@example.org>; Closes: https://lore.kernel.org/oe-lkp/\n"
		"  202308101628.7af4631a-joe@example.org/\n");
	g_autoptr(GPtrArray) ids = parser_links_read(mail);
	static const char *const want[] = { "a1@x.org", "b2@x.org",
					    "202308101628.7af4631a-joe@example.org",
					    "20230801120000.c3@x.org" };

	(void)state;
	assert_int_equal(ids->len, G_N_ELEMENTS(want));
	for (guint i = 0; i < ids->len; i++)
		assert_string_equal(ids->pdata[i], want[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urls_of_all_shapes_give_the_id),
		cmocka_unit_test(a_mails_links_are_found_once_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
