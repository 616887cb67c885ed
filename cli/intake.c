/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_SECONDS 1
#define BATCH_MESSAGES   20000
#define BATCH_SECONDS    2 /* others wait for the store so long */

static void fetch_close(gpointer fetch)
{
	mailer_fetch_close(fetch);
}

/* For tests of what lies between two transactions: after how many messages one ends,
 * however long they take. */
static void set_batch(intake *in)
{
	const char *setting = getenv("REGTRAIL_BATCH");

	in->batch_max = setting ? strtoul(setting, NULL, 10) : BATCH_MESSAGES;
	in->batch_seconds = setting ? G_MAXINT : BATCH_SECONDS;
}

bool intake_init(intake *in, cli *c, tracker *t, GPtrArray *sources, GError **error)
{
	*in = (intake){
		.c = c,
		.t = t,
		.sources = sources,
		.progress = isatty(STDERR_FILENO),
	};
	set_batch(in);
	in->again = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, fetch_close);
	in->data = data_open(c, error);
	in->rules = in->data ? data_rules(in->data, error) : NULL;
	in->lists = in->rules ? data_lists(in->data, error) : NULL;
	return in->lists;
}

void intake_clear(intake *in)
{
	g_clear_pointer(&in->batch, tracker_ingest_free);
	g_clear_pointer(&in->again, g_hash_table_destroy);
	g_clear_pointer(&in->lists, parser_lists_free);
	g_clear_pointer(&in->rules, parser_rules_free);
	g_clear_pointer(&in->data, data_close);
}

/* ---- mail that nobody claimed before, from where it was ---------------------------
 */

static mailer_fetch *open_again(intake *in, const char *name)
{
	const char *path = strcmp(name, "file") == 0 ? "file:." : name;

	for (guint i = 0; i < in->sources->len; i++) {
		source *s = g_ptr_array_index(in->sources, i);

		if (s->fetch && strcmp(mailer_fetch_name(s->fetch), name) == 0)
			return source_open_again(s, in->c->config, NULL);
	}
	/* Of an earlier run; a server without its login will not be asked. */
	return strstr(name, "://") ? NULL : mailer_fetch_open(path, NULL, NULL);
}

static GBytes *read_again(const tracker_place *place, void *context)
{
	intake *in = context;
	mailer_fetch *fetch = NULL;

	/* What cannot be opened is not tried again in this run. */
	if (!g_hash_table_lookup_extended(in->again, place->source, NULL,
					  (gpointer *)&fetch)) {
		fetch = open_again(in, place->source);
		g_hash_table_insert(in->again, g_strdup(place->source), fetch);
	}

	g_autoptr(GBytes) whole =
		fetch ? mailer_fetch_again(fetch, place->name, NULL) : NULL;

	if (!whole || place->offset < 0 || place->length < 0 ||
	    (uint64_t)place->offset + (uint64_t)place->length > g_bytes_get_size(whole))
		return NULL;
	return g_bytes_new_from_bytes(whole, (gsize)place->offset,
				      (gsize)place->length);
}

/* ---- batches --------------------------------------------------------------------- */

static bool begin(intake *in, GError **error)
{
	if (in->batch)
		return true;
	in->in_batch = 0;
	in->begun = g_get_monotonic_time();
	in->batch = tracker_ingest_begin(in->t, in->rules, in->lists, read_again, in,
					 cli_now(), error);
	return in->batch;
}

static void add_counts(tracker_counts *sum, const tracker_counts *n)
{
	sum->messages += n->messages;
	sum->duplicates += n->duplicates;
	sum->reports += n->reports;
	sum->replies += n->replies;
	sum->unclaimed += n->unclaimed;
	sum->claimed += n->claimed;
	sum->verdicts += n->verdicts;
	sum->refused += n->refused;
}

static void clear_progress(const intake *in)
{
	if (in->shown)
		fputs("\r\033[K", stderr);
}

/* A mail that nobody reads is one that somebody may miss. */
static void say_refusals(intake *in)
{
	const GPtrArray *refusals = tracker_ingest_refusals(in->batch);

	for (guint i = 0; i < refusals->len && in->refusals_said < TRACKER_REFUSALS_MAX;
	     i++, in->refusals_said++)
		cli_complain(in->c, "refused: %s",
			     (const char *)g_ptr_array_index(refusals, i));
}

static bool end_batch(intake *in, bool more, GError **error)
{
	tracker_counts counts = { 0 };
	bool good = more ? tracker_ingest_pause(in->batch, &counts, error) :
			   tracker_ingest_commit(in->batch, &counts, error);

	if (good && counts.refused) {
		clear_progress(in);
		say_refusals(in);
	}
	g_clear_pointer(&in->batch, tracker_ingest_free);
	in->paused = more;
	add_counts(&in->counts, &counts);
	return good;
}

bool intake_commit(intake *in, GError **error)
{
	if (!in->batch && !in->paused)
		return true;
	return begin(in, error) && end_batch(in, false, error);
}

static bool is_full(const intake *in)
{
	return in->in_batch >= in->batch_max ||
	       g_get_monotonic_time() - in->begun > in->batch_seconds * G_USEC_PER_SEC;
}

/* ---- mail ------------------------------------------------------------------------ */

static void show_progress(intake *in, int64_t left)
{
	int64_t now;

	in->messages++;
	if (!in->progress || in->messages % 64)
		return;
	now = g_get_monotonic_time() / G_USEC_PER_SEC;
	if (now - in->shown < PROGRESS_SECONDS)
		return;
	in->shown = now;
	fprintf(stderr, "\r\033[K%s: %zu messages",
		in->now ? in->now->label : "archive", in->messages);
	if (left > 0)
		fprintf(stderr, ", %" G_GINT64_FORMAT " left", left);
}

static bool stopped(const intake *in, GError **error)
{
	if (!in->stop || !*in->stop)
		return false;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
		    "stopped; the next run goes on from here");
	return true;
}

static bool store(intake *in, const char *bytes, size_t length,
		  const tracker_place *place, int64_t left, GError **error)
{
	if (stopped(in, error) || !begin(in, error) ||
	    !tracker_ingest_message(in->batch, bytes, length, place, error))
		return false;
	in->in_batch++;
	show_progress(in, left);
	return true;
}

/* A file of mails; between two of an mbox there may be a checkpoint. */
static bool store_file(intake *in, const char *name, const mailer_fetched *mail,
		       GError **error)
{
	gsize length;
	const char *data = g_bytes_get_data(mail->bytes, &length);
	size_t from = (size_t)MIN(mail->offset, length);
	parser_splitter splitter;
	parser_slice slice;

	parser_splitter_init(&splitter, data ? data + from : "", length - from);
	while (parser_splitter_next(&splitter, &slice)) {
		tracker_place place = { .source = name,
					.name = mail->place,
					.offset = (int64_t)(from + slice.offset),
					.length = (int64_t)slice.length,
					.form = slice.form,
					.index = slice.index,
					.delivered = in->now && in->now->delivered,
					/* What nobody can read again. */
					.keep = !in->now || strcmp(name, "-") == 0 };

		if (!store(in, data + place.offset, slice.length, &place, mail->left,
			   error))
			return false;
		if (mail->reached && slice.form != PARSER_FORM_ARCHIVE && is_full(in) &&
		    !mail->reached(from + splitter.position, mail->file, error))
			return false;
	}
	return true;
}

static bool take(const mailer_fetched *mail, void *context, GError **error)
{
	intake *in = context;
	const char *name = mailer_fetch_name(in->now->fetch);
	tracker_place place = { .source = name,
				.name = mail->place,
				.delivered = in->now->delivered };
	gsize length = 0;

	if (!mail->bytes)
		return begin(in, error) &&
		       tracker_ingest_refuse(in->batch, &place, mail->trouble, error);
	if (mail->is_file)
		return store_file(in, name, mail, error);

	const char *data = g_bytes_get_data(mail->bytes, &length);

	place.length = (int64_t)length;
	return store(in, data ? data : "", length, &place, mail->left, error);
}

bool intake_cursor(intake *in, const char *name, const char *cursor, GError **error)
{
	return begin(in, error) &&
	       tracker_ingest_cursor(in->batch, name, cursor, error);
}

static bool checkpoint(const char *cursor, void *context, GError **error)
{
	intake *in = context;

	return intake_cursor(in, in->now->key, cursor, error) &&
	       (!is_full(in) || end_batch(in, true, error));
}

static bool is_known(const char *place, bool *known, void *context, GError **error)
{
	intake *in = context;

	*known = false;
	return in->from_start ||
	       tracker_place_known(in->t, mailer_fetch_name(in->now->fetch), place,
				   known, error);
}

bool intake_text(intake *in, const char *source_name, const char *place, GBytes *bytes,
		 GError **error)
{
	const mailer_fetched mail = { .place = place, .bytes = bytes, .left = -1 };

	return store_file(in, source_name, &mail, error);
}

static bool take_input(intake *in, GError **error)
{
	g_autoptr(GBytes) bytes = mailer_file_read("-", error);

	return bytes && intake_text(in, "-", "-", bytes, error);
}

/* ---- sources ----------------------------------------------------------------------
 */

static bool run_source(intake *in, source *s, GError **error)
{
	const mailer_fetch_sink sink = { take, checkpoint, is_known, in };
	g_autofree char *cursor = NULL;

	if (strcmp(s->url, "-") == 0)
		return take_input(in, error);
	if (!source_open(s, in->c->config, error))
		return false;
	if (!in->from_start && !tracker_cursor_get(in->t, s->key, &cursor, error))
		return false;
	return mailer_fetch_run(s->fetch, cursor, &sink, error);
}

/* Files are small, and many of them are named at once. */
static bool may_wait(const intake *in, const source *s)
{
	return source_is_file(s) && in->sources->len > 1 && !is_full(in);
}

int intake_source(intake *in, source *s, GError **error)
{
	g_autoptr(GError) cause = NULL;
	int code = CLI_OK;

	in->now = s;
	in->messages = 0;

	bool good = run_source(in, s, &cause);

	clear_progress(in);
	if (!good && cause->domain == TRACKER_ERROR) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return CLI_FAIL;
	}
	/* What arrived before the trouble is worth keeping. */
	if (!may_wait(in, s) && !intake_commit(in, error))
		return CLI_FAIL;
	if (!good) {
		if (s->group)
			g_prefix_error(&cause, "%s: ", s->label);
		code = cli_fail(in->c, cause);
	}
	in->now = NULL;
	return code;
}

static void say_source(const source *s, const tracker_counts *before,
		       const tracker_counts *after)
{
	tracker_counts n = {
		.messages = after->messages - before->messages,
		.duplicates = after->duplicates - before->duplicates,
		.reports = after->reports - before->reports,
		.replies = after->replies - before->replies,
		.unclaimed = after->unclaimed - before->unclaimed,
		.claimed = after->claimed - before->claimed,
		.verdicts = after->verdicts - before->verdicts,
		.refused = after->refused - before->refused,
	};

	printf("%s: ", s->label);
	intake_report(&n);
	fflush(stdout);
}

/* One source of several, with what it did. */
static int take_turn(intake *in, source *s, GError **error)
{
	tracker_counts before = in->counts;
	int code = intake_source(in, s, error);

	s->failed = code != CLI_OK;
	if (!*error && s->group && in->sources->len > 1 &&
	    (!in->only_news || in->counts.messages > before.messages))
		say_source(s, &before, &in->counts);
	return code;
}

int intake_all(intake *in, GError **error)
{
	int code = CLI_OK;

	g_hash_table_remove_all(in->again);
	for (guint i = 0; i < in->sources->len; i++) {
		source *s = g_ptr_array_index(in->sources, i);
		g_autoptr(GError) cause = NULL;

		if (!s->rests)
			code = cli_worse(code, take_turn(in, s, &cause));
		if (cause) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return CLI_FAIL;
		}
		if (in->stop && *in->stop)
			break;
	}
	if (!intake_commit(in, error))
		return CLI_FAIL;
	return code;
}

void intake_report(const tracker_counts *n)
{
	printf("%zu message%s: %zu new report%s, %zu repl%s, %zu verdict%s; %zu known "
	       "already, %zu of no tracked thread",
	       n->messages, n->messages == 1 ? "" : "s", n->reports,
	       n->reports == 1 ? "" : "s", n->replies, n->replies == 1 ? "y" : "ies",
	       n->verdicts, n->verdicts == 1 ? "" : "s", n->duplicates,
	       n->unclaimed - MIN(n->claimed, n->unclaimed));
	if (n->refused)
		printf(", %zu refused", n->refused);
	putchar('\n');
}
