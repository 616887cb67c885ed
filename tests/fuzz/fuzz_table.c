/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/robot_mail.h"

static void check_row(const parser_row *row)
{
	if (!row->metric || !*row->metric || row->n_cells < 2)
		abort();
	for (size_t i = 0; i < row->n_cells; i++) {
		const parser_cell *cell = &row->cells[i];

		if (isnan(cell->mean) || isnan(cell->change) ||
		    (cell->has_change && !cell->change_text) ||
		    (i == 0 && cell->change_text))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(parser_mail) mail = robot_mail(data, size);
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	unsigned plots = 0;

	if (!mail)
		return 0;
	parser_tables_read(mail, tables, &plots);
	for (guint t = 0; t < tables->len; t++) {
		const parser_table *table = g_ptr_array_index(tables, t);

		if (table->offset > mail->text_length ||
		    !(table->rows->len || table->fail_rows->len))
			abort();
		for (guint i = 0; i < table->rows->len; i++)
			check_row(g_ptr_array_index(table->rows, i));
	}
	return 0;
}
