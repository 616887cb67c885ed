/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "cli/store.h"

typedef struct search_options {
	print_format format; /* first */
	int limit;
} search_options;

static const cli_option options[] = {
	{ "limit", 0, G_OPTION_ARG_INT, offsetof(search_options, limit), "N",
	  "at most so many hits (50)" },
	PRINT_FORMAT_OPTIONS,
	CLI_OPTIONS_END,
};

static const char *const fields[] = { "message_id", "regression", "date", "author",
				      "subject",    "snippet",    NULL };

static json_t *to_record(const void *item)
{
	const tracker_hit *hit = item;
	json_t *record = json_object();

	print_set_text(record, "message_id", hit->message_id);
	print_set_text(record, "regression", hit->regression);
	print_set_time(record, "date", hit->date);
	print_set_text(record, "author", hit->author);
	print_set_text(record, "subject", hit->subject);
	print_set_text(record, "snippet", hit->snippet);
	return record;
}

static void show_for_people(const cli *c, const GPtrArray *hits)
{
	static const print_column columns[] = {
		{ "ID", false, 0 },
		{ "DATE", false, 0 },
		{ "AUTHOR", false, 12 },
		{ "SUBJECT", false, 20 },
	};
	g_autoptr(print_table) table = print_table_new(columns, G_N_ELEMENTS(columns));

	for (guint i = 0; i < hits->len; i++) {
		const tracker_hit *hit = g_ptr_array_index(hits, i);

		print_table_row(table,
				g_strndup(hit->regression ? hit->regression : "-", 8),
				print_time(hit->date), g_strdup(hit->author),
				g_strdup(hit->subject), NULL);
		print_table_note(table, g_strdup(hit->snippet ? hit->snippet : ""));
	}
	if (hits->len)
		print_table_show(table, c);
	else
		puts("nothing found");
}

static void tell_limit(void)
{
	fprintf(stderr,
		"regtrail search: more than %d mails have these words; the best of the last "
		"%d that came in are shown\n",
		TRACKER_SEARCH_MAX, TRACKER_SEARCH_MAX);
}

static int run(cli *c, const void *values, char **args)
{
	const search_options *o = values;
	g_autofree char *words = g_strjoinv(" ", args);
	g_autoptr(GError) error = NULL;
	bool all;

	if (o->limit < 0)
		return cli_wrong(c, "--limit: not a number of hits: %d", o->limit);

	g_autoptr(tracker) t = store_open(c, true, &error);
	g_autoptr(GPtrArray) hits =
		t ? tracker_search(t, words, (unsigned)o->limit, &all, &error) : NULL;

	if (!hits)
		return cli_fail(c, error);
	if (!all)
		tell_limit();
	if (!o->format.json && !o->format.csv) {
		show_for_people(c, hits);
		return CLI_OK;
	}
	print_items(hits, to_record, fields, &o->format);
	return CLI_OK;
}

const command cmd_search = {
	.name = "search",
	.args = "WORD...",
	.summary = "search explanations and replies",
	.more = "All words must be there; \"quoted words\" stand together, and word* is the\n"
		"beginning of a word, of three letters or more.  The hit stands between [ and\n"
		"].  Of more than 1000 mails the last 1000 that came in are compared, and that\n"
		"is said on standard error.",
	.options = options,
	.size = sizeof(search_options),
	.min = 1,
	.max = -1,
	.run = run,
};
