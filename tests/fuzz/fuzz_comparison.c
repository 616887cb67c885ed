/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our comparison JSON: what is taken is whole, printed as JSON it is taken again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/lists.h"

static void check_column(const parser_column *column)
{
	if (!column->commit)
		abort();
	for (guint i = 0; i < column->metrics->len; i++) {
		const parser_metric *m =
			&g_array_index(column->metrics, parser_metric, i);

		if (!*m->name || strlen(m->name) > PARSER_METRIC_MAX ||
		    !g_utf8_validate(m->name, -1, NULL) || m->n > column->runs)
			abort();
		for (uint32_t k = 0; k < m->n; k++)
			if (m->kinds[k] > PARSER_SAMPLE_FLOAT)
				abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static parser_lists *lists;
	g_autoptr(GError) error = NULL;
	g_autoptr(parser_comparison) c =
		parser_comparison_from_json((const char *)data, size, "x.json", &error);
	const render_options options = { .all = true };

	if (!lists)
		lists = test_lists();
	if (!c != (error != NULL) || (error && !g_str_has_prefix(error->message, "x")))
		abort();
	if (!c)
		return 0;
	if (c->columns->len < 2)
		abort();
	for (guint i = 0; i < c->columns->len; i++)
		check_column(c->columns->pdata[i]);
	g_autoptr(render_comparison) rendered =
		render_compare(c, lists, &options, NULL);
	g_autofree char *json = rendered ? render_comparison_json(rendered) : NULL;

	if (!json || !g_utf8_validate(json, -1, NULL))
		abort();
	return 0;
}
