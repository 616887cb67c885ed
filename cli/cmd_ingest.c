/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/fill.h"
#include "cli/store.h"
#include "cli/watch.h"

#define INTERVAL 60 /* seconds between two looks at a source that cannot tell */

typedef struct ingest_options {
	gboolean watch, again, archive;
	int interval;
} ingest_options;

static const cli_option options[] = {
	{ "watch", 'w', G_OPTION_ARG_NONE, offsetof(ingest_options, watch), NULL,
	  "go on until SIGINT or SIGTERM, reading mail as it comes" },
	{ "interval", 0, G_OPTION_ARG_INT, offsetof(ingest_options, interval),
	  "SECONDS", "with --watch: how often a source that cannot tell is looked at" },
	{ "again", 0, G_OPTION_ARG_NONE, offsetof(ingest_options, again), NULL,
	  "read the sources from their beginning, whatever is known of them" },
	{ "archive", 0, G_OPTION_ARG_NONE, offsetof(ingest_options, archive), NULL,
	  "the mail was copied from an archive: nothing in it proves who sent it" },
	CLI_OPTIONS_END,
};

/* Mail from standard input that no report claimed for so long never will be. */
static bool expire(const cli *c, tracker *t, GError **error)
{
	uint64_t days = config_number(c->config, "regtrail", "keep-days");
	size_t rows;

	return days == 0 ||
	       tracker_expire(t, cli_now() - (int64_t)MIN(days, 36500u) * 86400, 0,
			      &rows, error);
}

/* Says what came, if anything did. */
static void say_news(intake *in)
{
	if (in->counts.messages)
		intake_report(&in->counts);
	fflush(stdout);
	in->counts = (tracker_counts){ 0 };
}

/* When the sources that were read now have their next turn. */
static void next_turns(const intake *in, unsigned seconds)
{
	for (guint i = 0; i < in->sources->len; i++) {
		source *s = g_ptr_array_index(in->sources, i);

		if (!s->rests)
			watch_next(&s->turn, !s->failed, seconds);
	}
}

/* Sources that are away now may be back at their next turn: only the store ends this.
 */
static int watch(intake *in, unsigned seconds, GError **error)
{
	watch_turn filling = { 0 };

	while (!watch_stopped) {
		int code = intake_all(in, error);

		if (!*error && watch_due(&filling)) {
			bool good = fill_missing(in, error) == CLI_OK;

			watch_next(&filling, good, good ? 0 : seconds);
		}
		if (*error)
			return code;
		say_news(in);
		in->from_start = false;
		next_turns(in, seconds);
		if (!watch_stopped && !watch_wait(in->sources, error))
			return CLI_FAIL;
	}
	return CLI_OK;
}

static int run_once(intake *in, GError **error)
{
	int code = intake_all(in, error);

	if (!*error)
		code = cli_worse(code, fill_missing(in, error));
	if (!*error)
		intake_report(&in->counts);
	return code;
}

static int run(cli *c, const void *values, char **args)
{
	const ingest_options *o = values;
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker) t = store_open(c, false, &error);
	g_autoptr(GPtrArray) sources =
		t ? sources_list(c->config, args, false, &error) : NULL;
	g_auto(intake) in = { 0 };

	if (!sources || !intake_init(&in, c, t, sources, &error) ||
	    !watch_signals(&error))
		return cli_fail(c, error);
	if (o->interval < 0)
		return cli_wrong(c, "--interval is a number of seconds");
	if (o->archive)
		sources_mark_archives(sources);
	in.from_start = o->again;
	in.stop = &watch_stopped;
	in.only_news = o->watch;

	int code = o->watch ? watch(&in, o->interval ? (unsigned)o->interval : INTERVAL,
				    &error) :
			      run_once(&in, &error);

	if (error || (code == CLI_OK && !expire(c, t, &error)))
		return cli_fail(c, error);
	return code;
}

const command cmd_ingest = {
	.name = "ingest",
	.args = "[SOURCE...]",
	.summary = "read mail: reports of other robots, and replies",
	.more = "SOURCE is a file (a message, an mbox, the text of an archive's page), - for\n"
		"standard input, a Maildir, a public-inbox directory, a URL\n"
		"(mbox:PATH, maildir:PATH, pubinbox:PATH, imap[s]://[USER@]HOST/FOLDER,\n"
		"nntp[s]://HOST/GROUP, lore+https://HOST/INBOX/), or the NAME of a\n"
		"[source NAME] in the configuration.  Without arguments all of those are read.\n"
		"Only what is new since the last time is read; reading the same mail again\n"
		"changes nothing.  SIGINT and SIGTERM end a run after the mail at hand, with 75:\n"
		"the next one goes on from there.  They end --watch with 0; what fails meanwhile\n"
		"is tried again later each time, up to an hour.",
	.options = options,
	.size = sizeof(ingest_options),
	.max = -1,
	.run = run,
};
