/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "templates/templates.h"
#include "tests/unit/test.h"

static void every_file_is_found_under_its_name(void **state)
{
	(void)state;
	for (const templates_file *f = templates_files; f->name; f++) {
		assert_ptr_equal(templates_find(f->name), f);
		assert_int_equal(strlen(f->text), f->length);
	}
}

static void an_unknown_name_is_null(void **state)
{
	(void)state;
	assert_null(templates_find("mail/none"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_is_found_under_its_name),
		cmocka_unit_test(an_unknown_name_is_null),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
