/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int form = PARSER_FORM_MAIL; form <= PARSER_FORM_ARCHIVE; form++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(parser_mail) mail = parser_mail_parse(
			(const char *)data, size, (parser_form)form, size & 1, &error);

		if (!mail == !error)
			abort();
		check_mail(mail);
		if (mail)
			g_ptr_array_unref(parser_links_read(mail));
	}
	return 0;
}
