/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "render/render.h"
#include "tests/unit/test.h"

/* What a test starts from, and what came out. */
typedef struct fixture {
	parser_commit *culprit;
	render_recipient_rules rules;
	GPtrArray *to, *cc;
} fixture;

static GPtrArray *strings(const char *first, ...)
{
	GPtrArray *all = g_ptr_array_new();
	va_list args;

	va_start(args, first);
	for (const char *s = first; s; s = va_arg(args, const char *))
		g_ptr_array_add(all, (gpointer)s);
	va_end(args);
	return all;
}

static GPtrArray *addresses(const char *lines)
{
	GPtrArray *all =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	g_autoptr(GError) error = NULL;

	if (!render_addresses_read(lines, all, &error))
		fail_msg("%s", error->message);
	return all;
}

static void trailer(fixture *f, const char *name, const char *value)
{
	g_ptr_array_add(f->culprit->trailers, parser_pair_new(name, value));
}

static int setup(void **state)
{
	fixture *f = g_new0(fixture, 1);

	f->culprit = parser_commit_new();
	f->culprit->author_name = g_strdup("Ada Example");
	f->culprit->author_address = g_strdup("ada@example.org");
	trailer(f, "Signed-off-by", "Ada Example <ada@example.org>");
	trailer(f, "Reviewed-by", "\"Doe, Jane\" <jane@example.org> # v2");
	trailer(f, "Acked-by", "J\xc3\xb6rg <JOERG@example.org>");
	trailer(f, "Signed-off-by", "Joerg <joerg@example.org>");
	f->to = g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	f->cc = g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	fixture *f = *state;
	const GPtrArray *all[] = { f->rules.lists,  f->rules.cc_cmd,
				   f->rules.own,    f->rules.stop,
				   f->rules.robots, f->rules.list_addresses };

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (all[i])
			g_ptr_array_unref((GPtrArray *)all[i]);
	parser_commit_free(f->culprit);
	g_ptr_array_unref(f->to);
	g_ptr_array_unref(f->cc);
	g_free(f);
	return 0;
}

/* "to; cc, cc": "Name <address>" or the address alone. */
static char *shown(const fixture *f)
{
	GString *out = g_string_new(NULL);
	const GPtrArray *both[] = { f->to, f->cc };

	for (size_t k = 0; k < 2; k++) {
		for (guint i = 0; i < both[k]->len; i++) {
			const parser_address *a = g_ptr_array_index(both[k], i);

			if (i > 0)
				g_string_append(out, ", ");
			if (a->name)
				g_string_append_printf(out, "%s <%s>", a->name,
						       a->address);
			else
				g_string_append(out, a->address);
		}
		g_string_append(out, k == 0 ? "; " : "");
	}
	return g_string_free(out, FALSE);
}

static void assert_recipients(fixture *f, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;

	if (!render_recipients(f->culprit, &f->rules, f->to, f->cc, &error))
		fail_msg("%s", error->message);
	text = shown(f);
	assert_string_equal(text, expected);
}

static void assert_refused(fixture *f, const char *expected)
{
	g_autoptr(GError) error = NULL;

	assert_false(render_recipients(f->culprit, &f->rules, f->to, f->cc, &error));
	assert_true(g_error_matches(error, RENDER_ERROR, RENDER_ERROR_INPUT));
	assert_string_equal(error->message, expected);
	assert_int_equal(f->to->len + f->cc->len, 0);
}

static void author_and_signers_get_it_once_each(void **state)
{
	assert_recipients(*state, "Ada Example <ada@example.org>; "
				  "Doe, Jane <jane@example.org>, "
				  "J\xc3\xb6rg <JOERG@example.org>");
}

static void lists_and_cc_cmd_come_behind(void **state)
{
	fixture *f = *state;

	f->rules.lists = addresses("linux-fs@example.org\n");
	f->rules.cc_cmd = addresses("Max <max@example.org> (maintainer:FS)\n"
				    "LINUX-FS@example.org (open list)\n\n");
	assert_recipients(f, "Ada Example <ada@example.org>; "
			     "Doe, Jane <jane@example.org>, "
			     "J\xc3\xb6rg <JOERG@example.org>, linux-fs@example.org, "
			     "Max <max@example.org>");
}

static void own_and_stopped_addresses_get_nothing(void **state)
{
	fixture *f = *state;

	f->rules.own = strings("Jane@example.org", NULL);
	f->rules.stop = strings("joerg@example.org", NULL);
	f->rules.cc_cmd = addresses("jane+lists@example.org\n");
	assert_recipients(f, "Ada Example <ada@example.org>; ");
}

static void lists_and_robots_never_come_from_trailers(void **state)
{
	fixture *f = *state;

	trailer(f, "Acked-by", "linux-fs@example.org");
	trailer(f, "Reviewed-by", "A robot <robot@example.com>");
	trailer(f, "Reported-by", "Other <other@example.org>");
	f->rules.list_addresses = strings("linux-*@example.org", NULL);
	f->rules.robots = strings("robot@example.com", NULL);
	assert_recipients(f, "Ada Example <ada@example.org>; "
			     "Doe, Jane <jane@example.org>, "
			     "J\xc3\xb6rg <JOERG@example.org>");
}

static void a_configured_list_is_no_trailer(void **state)
{
	fixture *f = *state;

	g_ptr_array_set_size(f->culprit->trailers, 0);
	f->rules.lists = addresses("linux-fs@example.org\n");
	f->rules.list_addresses = strings("linux-*@example.org", NULL);
	assert_recipients(f, "Ada Example <ada@example.org>; linux-fs@example.org");
}

static void a_private_tree_reaches_no_public_list(void **state)
{
	fixture *f = *state;

	g_ptr_array_set_size(f->culprit->trailers, 0);
	f->rules.private_tree = true;
	f->rules.lists = addresses("linux-fs@example.org\nteam@example.org\n");
	f->rules.cc_cmd = addresses("linux-kernel@example.org\n");
	f->rules.list_addresses = strings("linux-*@example.org", NULL);
	assert_recipients(f, "Ada Example <ada@example.org>; team@example.org");
}

static void without_an_author_the_first_other_is_addressed(void **state)
{
	fixture *f = *state;

	f->rules.stop = strings("ada@example.org", NULL);
	assert_recipients(f, "Doe, Jane <jane@example.org>; "
			     "J\xc3\xb6rg <JOERG@example.org>");
}

static void nobody_at_all_is_an_error(void **state)
{
	fixture *f = *state;

	f->rules.stop = strings("*", NULL);
	assert_refused(f, "there is nobody to send to: the commit names nobody, and no "
			  "list is configured for it");
}

static void an_address_that_does_not_parse_is_named(void **state)
{
	fixture *f = *state;

	g_free(f->culprit->author_address);
	f->culprit->author_address = g_strdup("ada at example.org");
	assert_refused(f, "author: 'ada at example.org' is not an address");
	g_free(f->culprit->author_address);
	f->culprit->author_address = g_strdup("ada@example.org\nBcc: all@example.org");
	assert_refused(f, "author: 'ada@example.org\\nBcc: all@example.org' is not an "
			  "address");
	g_free(f->culprit->author_address);
	f->culprit->author_address = NULL;
	trailer(f, "Reviewed-by", "Nobody <nobody@>");
	assert_refused(f, "Reviewed-by: 'Nobody <nobody@>' is not an address");
}

static void too_many_are_named(void **state)
{
	fixture *f = *state;

	f->rules.max = 2;
	assert_refused(f, "3 recipients are more than 2: ada@example.org, "
			  "jane@example.org, JOERG@example.org");
}

static void addresses_are_what_can_be_sent_to(void **state)
{
	static const struct {
		const char *address;
		bool valid;
	} cases[] = {
		/* clang-format off */
		{ "a@example.org", true },
		{ "a.b+c_d'e@x-y.example.org", true },
		{ "j\xc3\xb6rg@b\xc3\xbc" "cher.example.org", true },
		{ "a@localhost", true },
		{ "", false }, { "a", false }, { "@b", false }, { "a@", false },
		{ "a@b c", false }, { "a b@c", false }, { "a@b\r\nx", false },
		{ "-a@example.org", false }, { "a@-b", false }, { ".a@b", false },
		{ "a..b@c", false }, { "a@b..c", false }, { "a,b@c", false },
		{ "<a@b>", false }, { "a@b@c", false }, { "\"a\"@b", false },
		{ "a@b_c", false }, { "a\xff@b", false }, { "a@[127.0.0.1]", false },
		/* clang-format on */
	};
	g_autofree char *long_local = g_strnfill(65, 'a');
	g_autofree char *address = g_strconcat(long_local, "@b", NULL);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		if (render_address_is_valid(cases[i].address) != cases[i].valid)
			fail_msg("%s", cases[i].address);
	assert_false(render_address_is_valid(address));
	assert_false(render_address_is_valid(NULL));
}

static void what_cc_cmd_prints_is_read_or_refused_whole(void **state)
{
	fixture *f = *state;
	g_autoptr(GError) error = NULL;

	assert_true(render_addresses_read("\"A, B\" <a@example.org>\n b@example.org "
					  "(supporter)\n",
					  f->to, NULL));
	g_ptr_array_add(f->cc, parser_address_new(NULL, "c@example.org"));
	g_autofree char *text = shown(f);
	assert_string_equal(text, "A, B <a@example.org>, b@example.org; c@example.org");
	assert_false(render_addresses_read("a@example.org\nno address here\n", f->to,
					   &error));
	assert_string_equal(error->message,
			    "cc-cmd: 'no address here' is not an address");
	assert_int_equal(f->to->len, 2);
}

static void a_line_of_cc_cmd_holds_one_address(void **state)
{
	static const char *const one[] = {
		"a@example.org",
		"<a@example.org>",
		"A <a@example.org>",
		"A <a@example.org> (maintainer:X,reviewer:Y (old))",
		"a@example.org # b, c",
		"\"A <x>, B\" <a@example.org>",
		"Doe, A <a@example.org>",
		"a@example.org,",
		"\"A \\\"B\\\"\" <a@example.org> # 5.10+",
		"a@example.org (b@example.org)",
	};
	static const char *const more[] = {
		"b@example.org, a@example.org",
		"b@example.org a@example.org",
		"B <b@example.org>, A <a@example.org>",
		"<b@example.org> <a@example.org>",
		"\"B\" <b@example.org>, \"A\" <a@example.org>",
		"b@example.org (list), a@example.org",
		"b@example.org;a@example.org",
	};
	fixture *f = *state;

	for (size_t i = 0; i < G_N_ELEMENTS(one); i++) {
		g_ptr_array_set_size(f->to, 0);
		assert_true(render_addresses_read(one[i], f->to, NULL));
		const parser_address *a = g_ptr_array_index(f->to, 0);
		assert_string_equal(a->address, "a@example.org");
	}
	g_ptr_array_set_size(f->to, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(more); i++) {
		g_autoptr(GError) error = NULL;
		if (render_addresses_read(more[i], f->to, &error))
			fail_msg("%s", more[i]);
		assert_non_null(strstr(error->message, "cc-cmd: '"));
		assert_non_null(strstr(error->message, "more than one address"));
		assert_int_equal(f->to->len, 0);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(author_and_signers_get_it_once_each),
		TEST(lists_and_cc_cmd_come_behind),
		TEST(own_and_stopped_addresses_get_nothing),
		TEST(lists_and_robots_never_come_from_trailers),
		TEST(a_configured_list_is_no_trailer),
		TEST(a_private_tree_reaches_no_public_list),
		TEST(without_an_author_the_first_other_is_addressed),
		TEST(nobody_at_all_is_an_error),
		TEST(an_address_that_does_not_parse_is_named),
		TEST(too_many_are_named),
		TEST(addresses_are_what_can_be_sent_to),
		TEST(what_cc_cmd_prints_is_read_or_refused_whole),
		TEST(a_line_of_cc_cmd_holds_one_address),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
