/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/store.h"
#include "mailer/mailer.h"

#define PROGRESS_SECONDS 1

typedef struct ingest_run {
	cli *c;
	tracker_ingest *ingest;
	char *source;    /* lasting name of what is read now */
	size_t messages; /* so far */
	int64_t shown;   /* when progress was last printed, monotonic seconds */
	bool progress;   /* stderr is a terminal */
} ingest_run;

static void show_progress(ingest_run *run)
{
	int64_t now = g_get_monotonic_time() / G_USEC_PER_SEC;

	run->messages++;
	if (!run->progress || now - run->shown < PROGRESS_SECONDS)
		return;
	run->shown = now;
	fprintf(stderr, "\r%zu messages", run->messages);
}

static bool ingest_file(const char *name, GBytes *bytes, void *context, GError **error)
{
	ingest_run *run = context;
	gsize length;
	const char *data = g_bytes_get_data(bytes, &length);
	parser_splitter splitter;
	parser_slice slice;

	if (!data)
		data = "";
	parser_splitter_init(&splitter, data, length);
	while (parser_splitter_next(&splitter, &slice)) {
		tracker_place place = { .source = run->source,
					.name = name,
					.offset = (int64_t)slice.offset,
					.length = (int64_t)slice.length,
					.form = slice.form,
					.index = slice.index,
					.keep = strcmp(run->source, "-") == 0 };

		if (!tracker_ingest_message(run->ingest, data + slice.offset,
					    slice.length, &place, error))
			return false;
		show_progress(run);
	}
	return true;
}

/* A message that nobody claimed before, from where it was. */
static GBytes *read_again(const tracker_place *place, void *context)
{
	g_autoptr(GBytes) whole = mailer_source_read(place->source, place->name, NULL);

	(void)context;
	if (!whole || place->offset < 0 || place->length < 0 ||
	    (uint64_t)place->offset + (uint64_t)place->length > g_bytes_get_size(whole))
		return NULL;
	return g_bytes_new_from_bytes(whole, (gsize)place->offset,
				      (gsize)place->length);
}

/* The sources: arguments, or every [source NAME] of the configuration. */
static GPtrArray *list_sources(const config *conf, char **args, GError **error)
{
	g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(g_free);

	for (char **arg = args; *arg; arg++)
		g_ptr_array_add(sources, g_strdup(*arg));
	if (sources->len)
		return g_steal_pointer(&sources);

	g_autoptr(GPtrArray) names = config_names(conf, "source");

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *group =
			g_strconcat("source ", g_ptr_array_index(names, i), NULL);
		char *url = config_text(conf, group, "url");

		if (url)
			g_ptr_array_add(sources, url);
	}
	if (sources->len == 0) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
			    "no source given, and no [source NAME] in %s",
			    config_path(conf));
		return NULL;
	}
	return g_steal_pointer(&sources);
}

/* What cannot be read does not keep the others from being read. */
static int ingest_sources(ingest_run *run, const GPtrArray *sources, GError **error)
{
	int code = CLI_OK;

	for (guint i = 0; i < sources->len; i++) {
		const char *source = g_ptr_array_index(sources, i);
		g_autoptr(GError) cause = NULL;

		g_free(run->source);
		run->source = mailer_source_name(source);
		if (mailer_source_walk(source, ingest_file, run, &cause))
			continue;
		if (cause->domain != MAILER_ERROR) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return CLI_FAIL;
		}
		code = cli_worse(code, cli_fail(run->c, cause));
	}
	return code;
}

static void report_counts(const tracker_counts *n)
{
	printf("%zu messages: %zu new reports, %zu replies, %zu verdicts; %zu known "
	       "already, %zu of no tracked thread",
	       n->messages, n->reports, n->replies, n->verdicts, n->duplicates,
	       n->unclaimed);
	if (n->refused)
		printf(", %zu refused", n->refused);
	putchar('\n');
}

static int run_ingest(ingest_run *run, const GPtrArray *sources)
{
	g_autoptr(GError) error = NULL;
	tracker_counts counts = { 0 };
	int code = ingest_sources(run, sources, &error);

	if (run->shown)
		fputs("\r\033[K", stderr);
	if (error || !tracker_ingest_commit(run->ingest, &counts, &error))
		return cli_fail(run->c, error);
	report_counts(&counts);
	return code;
}

/* Mail from standard input that no report claimed for so long never will be. */
static bool expire(const cli *c, tracker *t, GError **error)
{
	uint64_t days = config_number(c->config, "regtrail", "keep-days");
	size_t rows;

	return days == 0 ||
	       tracker_expire(t, cli_now() - (int64_t)MIN(days, 36500u) * 86400, 0,
			      &rows, error);
}

static int run(cli *c, const void *options, char **args)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker) t = store_open(c, false, &error);
	g_autoptr(GPtrArray) sources = t ? list_sources(c->config, args, &error) : NULL;
	g_autoptr(data_files) d = sources ? data_open(c, &error) : NULL;
	g_autoptr(parser_rules) rules = d ? data_rules(d, &error) : NULL;
	g_autoptr(parser_lists) lists = rules ? data_lists(d, &error) : NULL;

	(void)options;
	if (!lists)
		return cli_fail(c, error);

	g_autoptr(tracker_ingest) ingest = tracker_ingest_begin(
		t, rules, lists, read_again, NULL, cli_now(), &error);
	ingest_run run = { .c = c,
			   .ingest = ingest,
			   .progress = isatty(STDERR_FILENO) };

	if (!ingest)
		return cli_fail(c, error);

	int code = run_ingest(&run, sources);

	g_free(run.source);
	if (code == CLI_OK && !expire(c, t, &error))
		return cli_fail(c, error);
	return code;
}

const command cmd_ingest = {
	.name = "ingest",
	.args = "[SOURCE...]",
	.summary = "read mail: reports of other robots, and replies",
	.more = "SOURCE is a file (a message, an mbox, the text of an archive's page), - for\n"
		"standard input, mbox:PATH, maildir:PATH, or the path of a Maildir.  Without\n"
		"arguments every [source NAME] of the configuration is read.  Reading the same\n"
		"mail again changes nothing.",
	.max = -1,
	.run = run,
};
