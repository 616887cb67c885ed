/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "parser/parser.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *id = parser_url_message_id((const char *)data, size);

	if (id && (!strchr(id, '@') || !g_utf8_validate(id, -1, NULL)))
		abort();
	return 0;
}
