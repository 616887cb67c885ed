/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	parser_splitter s;
	parser_slice slice;
	size_t end = 0;

	parser_splitter_init(&s, bytes, size);
	while (parser_splitter_next(&s, &slice)) {
		if (slice.offset < end || slice.length > size - slice.offset)
			abort();
		end = slice.offset + slice.length;
		g_autoptr(parser_mail) mail =
			parser_mail_parse(bytes + slice.offset, slice.length,
					  slice.form, slice.index, NULL);

		check_mail(mail);
	}
	return 0;
}
