/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of all kinds, and everything that is made of them.  The input is matrix of
 * base, matrix of head and job.yaml with a NUL between them; the whole of it is also
 * tried as stats.json, our JSON, commits and a git commit.
 */
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/lists.h"

/* Text for a terminal: valid, and no control character but the line end. */
static void check_text(const char *text)
{
	if (!g_utf8_validate(text, -1, NULL))
		abort();
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 && *text != '\n')
			abort();
}

static void render_all(const parser_comparison *source, const parser_lists *lists)
{
	static const render_options modes[] = {
		{ 0 },
		{ .all = true },
		{ .compat_lkp = true },
		{ .compat_lkp = true, .all = true, .by_count = true },
		{ .more = true, .has_profile_threshold = true, .profile_threshold = 5 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autoptr(render_comparison) c =
			render_compare(source, lists, &modes[i], NULL);
		g_autoptr(GString) text = g_string_new(NULL);
		g_autofree char *json = c ? render_comparison_json(c) : NULL;

		if (!c || !json)
			abort();
		render_comparison_text(c, text);
		check_text(text->str);
		check_text(json);
	}
}

static void plot_first(const parser_column *base, const parser_column *head)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const parser_metric *a, *b;

	if (!base->metrics->len || !head->metrics->len)
		return;
	a = &g_array_index(base->metrics, parser_metric, 0);
	b = &g_array_index(head->metrics, parser_metric, 0);
	render_plot_text(a->name, a->values, a->n, b->values, b->n, false, out);
	render_plot_text(a->name, a->values, a->n, b->values, b->n, true, out);
	render_plot_svg(a->name, a->values, a->n, b->values, b->n, out);
	check_text(out->str);
}

static parser_column *column_of(const char *origin, const char *bytes, size_t length,
				const char *job, size_t job_length,
				const parser_lists *lists)
{
	const parser_blob blobs[] = { { "matrix.json", bytes, length },
				      { "job.yaml", job, job_length } };

	return parser_column_from_root(origin, blobs, 2, lists, NULL);
}

static void try_roots(const char *bytes, size_t size, const parser_lists *lists)
{
	const char *end = bytes + size;
	const char *second = memchr(bytes, 0, size);
	const char *third =
		second ? memchr(second + 1, 0, (size_t)(end - second - 1)) : NULL;
	const char *job = third ? third + 1 : end;
	g_autoptr(GPtrArray) columns =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);
	g_autoptr(GPtrArray) groups = NULL;

	if (!second)
		return;
	for (int i = 0; i < 2; i++) {
		const char *start = i ? second + 1 : bytes;
		const char *stop = i ? (third ? third : end) : second;
		parser_column *column =
			column_of(i ? "head" : "base", start, (size_t)(stop - start),
				  job, (size_t)(end - job), lists);

		if (!column)
			return;
		g_free(column->commit->id);
		column->commit->id = g_strdup(i ? "bbbb" : "aaaa");
		g_ptr_array_add(columns, column);
	}
	plot_first(columns->pdata[0], columns->pdata[1]);
	groups = parser_comparisons_group(columns, NULL, NULL);
	for (guint i = 0; groups && i < groups->len; i++)
		render_all(groups->pdata[i], lists);
}

static void try_stats(const char *bytes, size_t size, const parser_lists *lists)
{
	const parser_blob blobs[] = { { "0/stats.json", bytes, size },
				      { "1/stats.json", bytes, size } };
	g_autoptr(parser_column) column =
		parser_column_from_root("root", blobs, 2, lists, NULL);

	if (column && column->runs != 2)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static parser_lists *lists;
	const char *bytes = (const char *)data;
	g_autoptr(parser_comparison) json = NULL;
	g_autoptr(GPtrArray) commits = NULL;
	g_autoptr(parser_commit) commit = NULL;

	if (!lists)
		lists = test_lists();
	try_roots(bytes, size, lists);
	try_stats(bytes, size, lists);
	json = parser_comparison_from_json(bytes, size, "x", NULL);
	if (json)
		render_all(json, lists);
	commits = parser_commits_from_json(bytes, size, "x", NULL);
	commit = parser_commit_from_git(bytes, size, NULL);
	return 0;
}
