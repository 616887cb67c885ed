/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/robot_mail.h"

static void check_trailers(GPtrArray *trailers)
{
	for (guint i = 0; i < trailers->len; i++) {
		const parser_pair *pair = g_ptr_array_index(trailers, i);

		if (!*pair->name || !*pair->value || strchr(pair->value, '\n'))
			abort();
	}
	g_ptr_array_unref(trailers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(parser_mail) mail = robot_mail(data, size);
	g_autofree char *text = g_strndup((const char *)data, size);

	if (mail)
		check_trailers(parser_trailers_read(mail));
	check_trailers(parser_trailers_of_commit(text));
	return 0;
}
