/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.yaml beside a matrix that is well: its facts are text, or an error says where. */
#include <stdlib.h>
#include <string.h>

#include "parser/parser.h"
#include "tests/fuzz/fuzz.h"

static void check_text(const char *text)
{
	if (text && !g_utf8_validate(text, -1, NULL))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char matrix[] = "{\"a.b\": [1, 2.5], \"c.d\": [3, 4]}";
	const parser_blob blobs[] = { { "matrix.json", matrix, sizeof(matrix) - 1 },
				      { "job.yaml", (const char *)data, size } };
	g_autoptr(parser_lists) lists = parser_lists_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(parser_column) column =
		parser_column_from_root("root", blobs, 2, lists, &error);

	if (!column != (error != NULL))
		abort();
	if (!column)
		return 0;
	check_text(column->commit->id);
	check_text(column->commit->subject);
	check_text(column->commit->branch);
	for (guint i = 0; i < column->axes->len; i++) {
		const parser_pair *axis = column->axes->pdata[i];

		if (!*axis->name)
			abort();
		check_text(axis->name);
		check_text(axis->value);
	}
	return 0;
}
