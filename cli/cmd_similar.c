/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/store.h"

typedef struct similar_options {
	print_format format; /* first */
	int limit;
} similar_options;

static const cli_option options[] = {
	{ "limit", 0, G_OPTION_ARG_INT, offsetof(similar_options, limit), "N",
	  "at most so many (50)" },
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
};

static const char *const fields[] = { "regression",     "status", "metric",
				      "change_percent", "commit", "subject",
				      "reasons",        "word",   NULL };

static json_t *to_record(const void *item)
{
	const tracker_likeness *like = item;
	json_t *record = json_of_summary(like->summary);
	json_t *reasons = json_array();

	for (guint i = 0; i < like->reasons->len; i++) {
		g_autofree char *valid =
			g_utf8_make_valid(g_ptr_array_index(like->reasons, i), -1);

		json_array_append_new(reasons, json_string(valid));
	}
	json_object_set_new(record, "reasons", reasons);
	print_set_text(record, "word", like->word);
	return record;
}

static char *join(const GPtrArray *reasons)
{
	g_autoptr(GString) out = g_string_new("same ");

	for (guint i = 0; i < reasons->len; i++)
		g_string_append_printf(out, "%s%s", i ? ", " : "",
				       (const char *)g_ptr_array_index(reasons, i));
	return g_string_free(g_steal_pointer(&out), FALSE);
}

static void show_for_people(const cli *c, const GPtrArray *all)
{
	static const print_column columns[] = {
		{ "ID", false, 0 },      { "REPORTED", false, 0 },
		{ "CHANGE", true, 0 },   { "METRIC", false, 12 },
		{ "CULPRIT", false, 0 }, { "STATUS", false, 8 },
	};
	g_autoptr(print_table) table = print_table_new(columns, G_N_ELEMENTS(columns));

	for (guint i = 0; i < all->len; i++) {
		const tracker_likeness *like = g_ptr_array_index(all, i);
		const tracker_summary *s = like->summary;

		print_table_row(
			table, g_strdup(s->short_id), print_time(s->reported_at),
			print_change(s->has_change, s->change_percent),
			g_strdup(s->metric), g_strndup(s->commit ? s->commit : "", 10),
			g_strdup(tracker_status_name(s->status)), NULL);
		print_table_note(table, join(like->reasons));
		if (like->word)
			print_table_note(table, g_strdup_printf("\"%s\"", like->word));
	}
	if (all->len)
		print_table_show(table, c);
	else
		puts("nothing alike");
}

static int run(cli *c, const void *values, char **args)
{
	const similar_options *o = values;
	g_autoptr(GError) error = NULL;

	if (o->limit < 0)
		return cli_wrong(c, "--limit: not a number: %d", o->limit);

	g_autoptr(tracker) t = store_open(c, true, &error);
	g_autoptr(GPtrArray) all =
		t ? tracker_similar(t, args[0], (unsigned)o->limit, &error) : NULL;

	if (!all)
		return cli_fail(c, error);
	if (!o->format.json && !o->format.csv) {
		show_for_people(c, all);
		return CLI_OK;
	}
	print_items(all, to_record, fields, &o->format);
	return CLI_OK;
}

const command cmd_similar = {
	.name = "similar",
	.args = "ID",
	.summary =
		"show earlier regressions with the same mechanism, and how they ended",
	.more = "The most alike come first.  Of what very many share, some hundred are compared\n"
		"that came in about when this one did.",
	.options = options,
	.size = sizeof(similar_options),
	.min = 1,
	.max = 1,
	.run = run,
};
