/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/support.h"

#include <stdio.h>

#include "cli/data.h"
#include "cli/print.h"
#include "render/render.h"

#define ROWS_SHOWN 5 /* of a mechanism; --json gives all */

struct support {
	data_files *files;
	parser_lists *lists;
	GPtrArray *tables; /* parser_table *: of the reports */
	parser_figures *figures;
};

void support_free(support *s)
{
	if (!s)
		return;
	parser_figures_free(s->figures);
	g_ptr_array_unref(s->tables);
	parser_lists_free(s->lists);
	data_close(s->files);
	g_free(s);
}

/* Nothing has to be read when nobody explained anything. */
static bool is_explained(const tracker_detail *d)
{
	for (guint i = 0; i < d->messages->len; i++)
		if (((tracker_message *)d->messages->pdata[i])->mechanisms->len)
			return true;
	return false;
}

static bool add_report(support *s, tracker *t, const char *message_id, GError **error)
{
	g_autoptr(GBytes) bytes = NULL;
	gsize length = 0;
	unsigned plots = 0;
	const char *text;
	parser_mail *mail;

	if (!tracker_mail_bytes(t, message_id, &bytes, error))
		return false;
	text = bytes ? g_bytes_get_data(bytes, &length) : NULL;
	mail = text ? parser_mail_parse(text, length, PARSER_FORM_MAIL, 0, NULL) : NULL;
	if (!mail)
		return true; /* its bytes are gone */
	parser_tables_read(mail, s->tables, &plots);
	parser_mail_free(mail);
	return true;
}

support *support_new(cli *c, tracker *t, const tracker_detail *d, GError **error)
{
	g_autoptr(support) s = g_new0(support, 1);

	s->tables = g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	if (!is_explained(d)) {
		s->figures = parser_figures_new(s->tables, NULL);
		return g_steal_pointer(&s);
	}
	s->files = data_open(c, error);
	s->lists = s->files ? data_lists(s->files, error) : NULL;
	for (guint i = 0; s->lists && i < d->messages->len; i++) {
		const tracker_message *m = d->messages->pdata[i];

		if (m->is_report && !m->is_ghost &&
		    !add_report(s, t, m->message_id, error))
			return NULL;
	}
	if (!s->lists)
		return NULL;
	s->figures = parser_figures_new(s->tables, s->lists);
	return g_steal_pointer(&s);
}

static char *moved_by(const parser_support *row)
{
	switch (row->unit) {
	case PARSER_UNIT_PERCENT:
		return print_change(true, row->change);
	case PARSER_UNIT_POINTS:
		return g_strdup_printf("%+.1f points", row->change);
	default:
		return g_strdup_printf("%+.4g", row->change);
	}
}

void support_print(const support *s, const cli *c, const char *indent,
		   const parser_mechanism *m)
{
	g_autoptr(GArray) rows = s ? parser_mechanism_support(m, s->figures) : NULL;

	for (guint i = 0; rows && i < rows->len && i < ROWS_SHOWN; i++) {
		const parser_support *row = &g_array_index(rows, parser_support, i);
		g_autofree char *change = moved_by(row);
		g_autofree char *label = g_strdup_printf("%s%12s  ", indent, change);

		print_fitting(c, label, row->metric);
	}
	if (rows && rows->len > ROWS_SHOWN)
		printf("%s%12s  and %u more rows\n", indent, "",
		       rows->len - ROWS_SHOWN);
}

json_t *support_json(const support *s, const parser_mechanism *m)
{
	g_autoptr(GArray) rows = parser_mechanism_support(m, s->figures);
	json_t *all = json_array();

	for (guint i = 0; i < rows->len; i++) {
		const parser_support *row = &g_array_index(rows, parser_support, i);
		json_t *object = json_object();

		print_set_text(object, "metric", row->metric);
		print_set_number(object, "change", true, row->change);
		print_set_text(object, "unit", parser_unit_name(row->unit));
		print_set_text(object, "reason",
			       row->reason == PARSER_SUPPORT_OBJECT ? "object" :
								      "kind");
		json_array_append_new(all, object);
	}
	return all;
}
