/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/data.h"
#include "mailer/mailer.h"
#include "render/render.h"

typedef struct parse_run {
	cli *c;
	const parser_rules *rules;
	const parser_lists *lists;
	const char *source; /* as given */
	bool bad;           /* a message was refused */
} parse_run;

static bool print_message(parse_run *run, const char *file, const char *bytes,
			  const parser_slice *slice)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(parser_reading) reading =
		parser_read(bytes + slice->offset, slice->length, slice->form,
			    slice->index, run->rules, run->lists, &error);

	if (!reading) {
		cli_complain(run->c, "%s: message at byte %zu: %s", file, slice->offset,
			     error->message);
		return false;
	}

	g_autofree char *json = render_reading_json(file, reading);

	/* Escapes keep control characters out, but not those above ASCII. */
	g_autofree char *safe =
		isatty(STDOUT_FILENO) ? render_safe_text(json, false) : NULL;

	puts(safe ? safe : json);
	return true;
}

static bool parse_file(const char *place, GBytes *bytes, void *context, GError **error)
{
	parse_run *run = context;
	gsize length;
	const char *start = g_bytes_get_data(bytes, &length);
	parser_splitter splitter;
	parser_slice slice;
	g_autofree char *file = place[0] == '/' || place[0] == '-' ?
					g_strdup(run->source) :
					g_build_filename(run->source, place, NULL);

	(void)error;
	parser_splitter_init(&splitter, start ? start : "", length);
	if (length == 0)
		cli_complain(run->c, "%s: empty", file);
	while (parser_splitter_next(&splitter, &slice))
		if (!print_message(run, file, start ? start : "", &slice))
			run->bad = true;
	return true;
}

static int run(cli *c, const void *options, char **args)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(data_files) d = data_open(c, &error);
	g_autoptr(parser_rules) rules = d ? data_rules(d, &error) : NULL;
	g_autoptr(parser_lists) lists = rules ? data_lists(d, &error) : NULL;
	parse_run run = { .c = c, .rules = rules, .lists = lists };
	int code = CLI_OK;

	(void)options;
	if (!lists)
		return cli_fail(c, error);
	for (char **arg = args; *arg; arg++) {
		g_autoptr(GError) cause = NULL;

		run.source = *arg;
		if (!mailer_source_walk(*arg, parse_file, &run, &cause))
			code = cli_worse(code, cli_fail(c, cause));
	}
	return run.bad ? cli_worse(code, CLI_FAIL) : code;
}

const command cmd_parse = {
	.name = "parse",
	.args = "FILE...",
	.summary = "show what the parser sees, one JSON object a line for each message",
	.more = "FILE is a message, an mbox, the text of an archive's page, a Maildir, or\n"
		"- for standard input; gzip and xz are undone.",
	.min = 1,
	.max = -1,
	.run = run,
};
