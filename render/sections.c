/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of a report, and what is left of them when the mail would be too big. */
#include <string.h>

#include "render/report.h"
#include "render/table.h"

const render_row *report_row(const render_comparison *comparison, const char *metric)
{
	const GArray *both[] = { comparison->rows, comparison->fail_rows };

	for (size_t k = 0; k < G_N_ELEMENTS(both); k++)
		for (guint i = 0; i < both[k]->len; i++) {
			const render_row *row = &g_array_index(both[k], render_row, i);

			if (strcmp(row->metric, metric) == 0)
				return row;
		}
	return NULL;
}

/* Blanks at line ends cost three bytes each in quoted-printable and show nothing. */
static void trim_lines(GString *text)
{
	gsize kept = 0;

	for (gsize i = 0; i < text->len; i++) {
		if (text->str[i] == '\n')
			while (kept > 0 && text->str[kept - 1] == ' ')
				kept--;
		text->str[kept++] = text->str[i];
	}
	g_string_truncate(text, kept);
}

char *report_plots(const render_comparison *comparison)
{
	const GPtrArray *all = comparison->source->bisect;
	GString *out = g_string_new(NULL);

	for (guint i = 0; all && i < all->len; i++) {
		const parser_bisect *b = g_ptr_array_index(all, i);

		render_plot_text(b->metric, (const double *)(const void *)b->good->data,
				 b->good->len,
				 (const double *)(const void *)b->bad->data,
				 b->bad->len, comparison->options.compat_lkp, out);
		g_string_append_c(out, '\n');
	}
	if (!comparison->options.compat_lkp)
		trim_lines(out);
	return g_string_free(out, FALSE);
}

/* Where the rows of the last block begin: behind the line of backslashes and bars. */
static size_t rows_start(const GString *table)
{
	size_t start = 0;
	const char *p = table->str;

	while (*p) {
		const char *nl = strchr(p, '\n');
		size_t length = nl ? (size_t)(nl - p) : strlen(p);

		if (length > 0 && strspn(p, " |\\") == length && memchr(p, '|', length))
			start = (size_t)(p - table->str) + length + (nl ? 1 : 0);
		p += length + (nl ? 1 : 0);
	}
	return start;
}

/* True if the line is the row of that metric: it ends in two blanks and the name. */
static bool is_row_of(const char *line, size_t length, const char *metric)
{
	size_t name = strlen(metric);

	return length > name + 2 && memcmp(line + length - name, metric, name) == 0 &&
	       line[length - name - 1] == ' ' && line[length - name - 2] == ' ';
}

/*
 * Drops lines from the end until `bytes` are gone, keeping the row of the headline.
 * Builds the tail anew once, so the time is linear.
 */
static size_t cut_rows(report_section *s, size_t bytes)
{
	const char *keep = s->comparison->headline.metric;
	GString *table = s->table;
	size_t start = rows_start(table);
	size_t end = table->len;
	size_t gone = 0;
	g_autofree char *kept = NULL;

	while (start > 0 && end > start && gone < bytes) {
		size_t line = end - 1;

		while (line > start && table->str[line - 1] != '\n')
			line--;
		if (!kept && keep &&
		    is_row_of(table->str + line, end - 1 - line, keep)) {
			kept = g_strndup(table->str + line, end - line);
		} else {
			gone += end - line;
			s->left_out++;
		}
		end = line;
	}
	g_string_truncate(table, end);
	g_string_append(table, kept ? kept : "");
	return gone;
}

bool report_sections_cut(report *d, size_t bytes)
{
	size_t gone = 0;

	while (gone < bytes) {
		report_section *largest = NULL;
		size_t most = 0;
		size_t cut;

		for (guint i = 0; i < d->sections->len; i++) {
			report_section *s = g_ptr_array_index(d->sections, i);
			size_t rows = s->table->len - rows_start(s->table);

			if (!largest || rows > most) {
				largest = s;
				most = rows;
			}
		}
		cut = largest ? cut_rows(largest, bytes - gone) : 0;
		if (cut == 0)
			return false;
		gone += cut;
	}
	return true;
}

static char *heading_of(const render_comparison *c)
{
	const parser_comparison *source = c->source;
	g_autofree char *box = report_line(source->machine);
	g_autofree char *description = report_line(source->machine_description);
	g_autofree char *testcase = report_line(source->testcase);

	if (*box && *description)
		return g_strdup_printf("%s: %s", box, description);
	return g_strdup(*box ? box : *description ? description : testcase);
}

static void section_free(gpointer data)
{
	report_section *s = data;

	g_free(s->heading);
	g_string_free(s->table, TRUE);
	g_free(s);
}

static void add_section(report *d, const render_comparison *c)
{
	report_section *s = g_new0(report_section, 1);
	render_comparison as_mail = *c;
	g_autoptr(GString) table = g_string_new(NULL);

	as_mail.options.short_commits = true;
	s->comparison = c;
	s->heading = d->sections->len > 0 ? heading_of(c) : g_strdup("");
	s->table = g_string_new(NULL);
	render_comparison_table(&as_mail, table);
	if (!g_str_has_prefix(table->str, "==="))
		table_put_rule(s->table);
	g_string_append(s->table, table->str);
	while (g_str_has_suffix(s->table->str, "\n\n"))
		g_string_truncate(s->table, s->table->len - 1);
	g_ptr_array_add(d->sections, s);
}

void report_sections_make(report *d)
{
	const GPtrArray *further[] = { d->facts->machines, d->facts->also };

	d->sections = g_ptr_array_new_with_free_func(section_free);
	if (d->facts->mail_kind == RENDER_MAIL_RETRACT)
		return;
	add_section(d, d->facts->comparison);
	for (size_t k = 0; k < G_N_ELEMENTS(further); k++)
		for (guint i = 0; further[k] && i < further[k]->len; i++)
			add_section(d, g_ptr_array_index(further[k], i));
}
