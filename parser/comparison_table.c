/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pasted comparison table: means and deviations as printed, samples unknown. */
#include <math.h>
#include <string.h>

#include "parser/column.h"
#include "parser/error.h"
#include "parser/group.h"

/* The text as if it were the body of a mail that its author wrote. */
static parser_mail *as_mail(const char *text, size_t length)
{
	parser_mail *mail = g_new0(parser_mail, 1);
	parser_span span = { .kind = PARSER_SPAN_OWN };

	mail->text = g_utf8_make_valid(text, (gssize)length);
	mail->text_length = strlen(mail->text);
	span.end = mail->text_length;
	mail->spans = g_array_new(FALSE, FALSE, sizeof(parser_span));
	g_array_append_val(mail->spans, span);
	mail->subject = g_strdup("");
	return mail;
}

static void fake_mail_free(parser_mail *mail)
{
	g_free(mail->text);
	g_array_unref(mail->spans);
	g_free(mail->subject);
	g_free(mail);
}

static bool is_hex(const char *id)
{
	return strlen(id) >= 7 && strspn(id, "0123456789abcdef") == strlen(id);
}

static void add_columns(parser_comparison *c, const parser_table *table,
			const char *origin)
{
	for (guint i = 0; i < table->columns->len; i++) {
		const parser_table_column *seen = table->columns->pdata[i];
		parser_column *column = column_new(origin);

		if (seen->id && is_hex(seen->id))
			column->commit->id = g_strdup(seen->id);
		else
			column->label = g_strdup(seen->id ? seen->id : "");
		column->commit->subject = g_strdup(seen->subject);
		for (guint k = 0; k < table->axes->len; k++) {
			const parser_pair *axis = table->axes->pdata[k];

			g_ptr_array_add(column->axes,
					parser_pair_new(axis->name, axis->value));
		}
		g_ptr_array_add(c->columns, column);
	}
}

/* "± 3%" is a truncated number: the middle of what it can be is its best guess. */
static double deviation_of(const parser_cell *cell)
{
	return cell->has_stddev ?
		       fabs(cell->mean) * (cell->stddev_percent + 0.5) / 100 :
		       -1;
}

static void add_row(parser_comparison *c, const parser_row *row)
{
	for (size_t i = 0; i < row->n_cells && i < c->columns->len; i++) {
		const parser_cell *cell = &row->cells[i];
		parser_column *column = c->columns->pdata[i];
		parser_metric *metric;

		if (!cell->has_mean || parser_column_find(column, row->metric))
			continue;
		metric = column_add_summary(column, row->metric, cell->mean,
					    deviation_of(cell), 0);
		metric->printed = true;
		metric->has_change = cell->has_change;
		metric->change = cell->change;
	}
}

static void add_fail_row(parser_comparison *c, const parser_fail_row *row)
{
	for (size_t i = 0; i < row->n_cells && i < c->columns->len; i++) {
		const parser_fail_cell *cell = &row->cells[i];
		parser_column *column = c->columns->pdata[i];
		uint32_t runs = cell->has_runs && cell->runs >= 1 && cell->runs <= 1e6 ?
					(uint32_t)cell->runs :
					0;

		if (!runs || parser_column_find(column, row->metric))
			continue;
		column_add_summary(column, row->metric, cell->fails / runs, -1, runs)
			->printed = true;
		column->runs = MAX(column->runs, runs);
	}
}

/* The fail block is the only place of a table that tells the number of runs. */
static void spread_runs(parser_column *column)
{
	for (guint i = 0; i < column->metrics->len; i++) {
		parser_metric *metric =
			&g_array_index(column->metrics, parser_metric, i);

		if (!metric->runs)
			metric->runs = column->runs;
	}
	column_finish(column);
}

static parser_comparison *from_table(const parser_table *table, const char *origin)
{
	parser_comparison *c = parser_comparison_new();

	c->machine_description = g_strdup(table->machine);
	add_columns(c, table, origin);
	for (guint i = 0; i < table->fail_rows->len; i++)
		add_fail_row(c, table->fail_rows->pdata[i]);
	for (guint i = 0; i < table->rows->len; i++)
		add_row(c, table->rows->pdata[i]);
	for (guint i = 0; i < c->columns->len; i++)
		spread_runs(c->columns->pdata[i]);
	g_ptr_array_add(c->compared, g_strdup("commit"));
	g_ptr_array_add(
		c->warnings,
		g_strdup_printf("%s: read from a printed table: values are rounded, "
				"samples and mostly the number of runs are unknown",
				origin));
	comparison_settle(c);
	return c;
}

parser_comparison *parser_comparison_from_table(const char *text, size_t length,
						const char *origin, GError **error)
{
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	parser_mail *mail = as_mail(text, length);
	unsigned plots = 0;

	parser_tables_read(mail, tables, &plots);
	fake_mail_free(mail);
	for (guint i = 0; i < tables->len; i++) {
		const parser_table *table = tables->pdata[i];
		parser_comparison *c;

		if (table->columns->len < 2)
			continue;
		c = from_table(table, origin);
		if (tables->len > 1)
			g_ptr_array_add(
				c->warnings,
				g_strdup_printf("%s: %u tables, this is number %u",
						origin, tables->len, i + 1));
		return c;
	}
	g_set_error(error, PARSER_ERROR, PARSER_ERROR_INVALID,
		    tables->len ? "%s: the table has a single column" :
				  "%s: no comparison table in the text",
		    origin);
	return NULL;
}
