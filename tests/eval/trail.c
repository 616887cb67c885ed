/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trail CORPUS DIRECTORY [-v]: brings the corpus's threads into a store and holds links
 * and final states against the labels; then does it again in other orders of arrival.
 * Prints one figure a line.
 */
#include <glib/gstdio.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/tracker_mails.h"

typedef struct thread {
	char *name;
	char *bytes;
	gsize length;
	unsigned first, n; /* its mails in all_mails */
} thread;

static GArray *all_mails; /* mail_text */

static bool verbose;

static GPtrArray *read_lines(const char *corpus, const char *name)
{
	g_autofree char *path = g_build_filename(corpus, "threads", name, NULL);
	g_autofree char *text = NULL;
	GPtrArray *all = g_ptr_array_new();

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		json_t *value = json_loads(*line, 0, NULL);

		if (value)
			g_ptr_array_add(all, value);
	}
	return all;
}

static const char *text_of(const json_t *value, const char *key)
{
	const char *text = json_string_value(json_object_get(value, key));

	return text ? text : "";
}

static thread *read_thread(const char *corpus, const json_t *entry)
{
	thread *t = g_new0(thread, 1);
	g_autofree char *path =
		g_build_filename(corpus, "threads", text_of(entry, "file"), NULL);
	parser_splitter splitter;
	parser_slice slice;

	t->name = g_strdup(text_of(entry, "file"));
	t->first = all_mails->len;
	if (!g_file_get_contents(path, &t->bytes, &t->length, NULL)) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	parser_splitter_init(&splitter, t->bytes, t->length);
	while (parser_splitter_next(&splitter, &slice)) {
		mail_text m = { t->bytes + slice.offset, slice.length, slice.form,
				slice.index };

		g_array_append_val(all_mails, m);
		t->n++;
	}
	return t;
}

/* A fresh store at this path. */
static tracker *fresh_store(const char *path)
{
	static const char *const endings[] = { "", "-wal", "-shm" };
	g_autoptr(GError) error = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		g_autofree char *name = g_strconcat(path, endings[i], NULL);

		g_remove(name);
	}
	tracker *t =
		tracker_create(path, &error) ? tracker_open(path, false, &error) : NULL;

	if (!t) {
		fprintf(stderr, "%s\n", error->message);
		exit(1);
	}
	return t;
}

static void ingest_or_die(tracker *t, const reader *r, thread *th,
			  const unsigned *order, size_t n)
{
	g_autoptr(GError) error = NULL;

	if (!ingest_mails(t, r, (mail_text *)(void *)all_mails->data, order, n,
			  &error)) {
		fprintf(stderr, "%s: %s\n", th->name, error->message);
		exit(1);
	}
}

static unsigned *in_order(const thread *th)
{
	unsigned *order = g_new(unsigned, th->n);

	for (unsigned i = 0; i < th->n; i++)
		order[i] = th->first + i;
	return order;
}

/* ---- links
 * --------------------------------------------------------------------------- */

static char *query_text(sqlite3 *db, const char *sql, const char *a)
{
	sqlite3_stmt *rows;
	char *result = NULL;

	g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), ==, SQLITE_OK);
	sqlite3_bind_text(rows, 1, a, -1, SQLITE_STATIC);
	if (sqlite3_step(rows) == SQLITE_ROW)
		result = g_strdup((const char *)sqlite3_column_text(rows, 0));
	sqlite3_finalize(rows);
	return result;
}

static void score_links(sqlite3 *db, const GPtrArray *keys)
{
	unsigned right = 0, wrong = 0, missing = 0;
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < keys->len; i++) {
		const char *mid = text_of(keys->pdata[i], "mid");
		g_autofree char *root = query_text(
			db,
			"SELECT r.message_id FROM link l JOIN message m ON m.id = l.message "
			"JOIN message r ON r.id = l.report WHERE m.message_id = ?1 AND l.acts "
			"AND l.key <> 'url'",
			mid);

		g_hash_table_add(known, (gpointer)mid);
		if (!root) {
			missing++;
			if (verbose)
				printf("  missing: %s\n", mid);
		} else if (!strcmp(root, text_of(keys->pdata[i], "root"))) {
			right++;
		} else {
			wrong++;
			if (verbose)
				printf("  wrong: %s is linked to %s\n", mid, root);
		}
	}
	printf("replies with a known report: %u\n", keys->len);
	printf("links right: %u\nlinks wrong: %u\nlinks missing: %u\n", right, wrong,
	       missing);
	g_autofree char *extra = query_text(
		db,
		"SELECT count(*) FROM link WHERE acts AND key NOT IN ('report', ?1)",
		"");

	printf("links in all: %s\n", extra);
}

/* ---- states
 * --------------------------------------------------------------------------- */

static const struct {
	const char *outcome;
	int resolved; /* 1, 0; -1 = as the label says */
} outcomes[] = {
	{ "dropped", 1 },
	{ "duplicate", 1 },
	{ "expected-tradeoff", 1 },
	{ "false-positive", 1 },
	{ "fix-confirmed", 1 },
	{ "fix-confirmed-by-author", 1 },
	{ "fix-exists", 1 },
	{ "known-issue", 1 },
	{ "out-of-scope", 1 },
	{ "acknowledged-bug", 0 },
	{ "disputed", 0 },
	{ "fix-partial", 0 },
	{ "fix-promised", 0 },
	{ "fix-tested-negative", 0 },
	{ "open-investigating", 0 },
	{ "root-caused", 0 },
	{ "report-feedback", 0 },
	{ "benchmark-artifact", -1 },
};

/* 1 resolved, 0 unresolved, -1 not scored. */
static int expected_state(const json_t *label)
{
	for (size_t i = 0; i < G_N_ELEMENTS(outcomes); i++)
		if (!strcmp(outcomes[i].outcome, text_of(label, "outcome"))) {
			if (outcomes[i].resolved >= 0)
				return outcomes[i].resolved;
			return json_is_true(json_object_get(label, "resolved")) ? 1 :
										  -1;
		}
	return -1;
}

static void score_states(sqlite3 *db, const GPtrArray *labels)
{
	unsigned right[2] = { 0 }, total[2] = { 0 };

	for (guint i = 0; i < labels->len; i++) {
		const json_t *label = labels->pdata[i];
		int expected = expected_state(label);
		g_autofree char *state = query_text(
			db,
			"SELECT g.status || coalesce((SELECT group_concat(s.status || ' (' || "
			"s.role || ')', ', ') FROM suggestion s WHERE s.regression = g.id), '') "
			"FROM message m JOIN report r ON r.message = m.id "
			"JOIN regression g ON g.id = r.regression WHERE m.message_id = ?1",
			text_of(label, "root"));
		g_autofree char *closed = query_text(
			db,
			"SELECT 1 FROM message m JOIN report r ON r.message = m.id "
			"JOIN regression g ON g.id = r.regression WHERE m.message_id = ?1 "
			"AND (NOT g.open OR EXISTS (SELECT 1 FROM suggestion "
			"WHERE regression = g.id))",
			text_of(label, "root"));

		if (expected < 0)
			continue;
		total[expected]++;
		right[expected] += (closed != NULL) == expected;
		if (verbose)
			printf("  %s %s: %s\n",
			       (closed != NULL) == expected ? "right" : "WRONG",
			       text_of(label, "outcome"),
			       state ? state : "no regression");
	}
	printf("resolved right: %u of %u\nunresolved right: %u of %u\n", right[1],
	       total[1], right[0], total[0]);
	printf("states right: %u of %u (%.0f %%)\n", right[0] + right[1],
	       total[0] + total[1],
	       100.0 * (right[0] + right[1]) / (total[0] + total[1]));
}

/* ---- orders
 * ---------------------------------------------------------------------------- */

typedef void (*order_fn)(unsigned *order, unsigned n, unsigned k);

static void reversed(unsigned *order, unsigned n, unsigned k)
{
	(void)k;
	for (unsigned i = 0; i < n / 2; i++) {
		unsigned swap = order[i];

		order[i] = order[n - 1 - i];
		order[n - 1 - i] = swap;
	}
}

static void shuffled(unsigned *order, unsigned n, unsigned k)
{
	g_autoptr(GRand) dice = g_rand_new_with_seed(k + 1);

	for (unsigned i = n; i > 1; i--) {
		unsigned j = (unsigned)g_rand_int_range(dice, 0, (gint32)i);
		unsigned swap = order[i - 1];

		order[i - 1] = order[j];
		order[j] = swap;
	}
}

/* Mail k comes last. */
static void late(unsigned *order, unsigned n, unsigned k)
{
	unsigned last = order[k];

	for (unsigned i = k; i + 1 < n; i++)
		order[i] = order[i + 1];
	order[n - 1] = last;
}

/* One run for all, or a run for each mail. */
static char *state_in_order(const char *path, const reader *r, thread *th,
			    const unsigned *order, bool one_by_one)
{
	g_autoptr(tracker) t = fresh_store(path);

	if (!one_by_one) {
		ingest_or_die(t, r, th, order, th->n);
	} else {
		for (unsigned i = 0; i < th->n; i++)
			ingest_or_die(t, r, th, &order[i], 1);
	}
	return state_dump(path);
}

static bool same_in_order(const char *path, const reader *r, thread *th, order_fn fn,
			  unsigned k)
{
	g_autofree unsigned *order = in_order(th);
	g_autofree char *expected = state_in_order(path, r, th, order, false);

	fn(order, th->n, k);
	for (int one = 0; one < 2; one++) {
		g_autofree char *got = state_in_order(path, r, th, order, one);

		if (strcmp(got, expected)) {
			if (verbose)
				printf("--- %s\nexpected:\n%s\ngot:\n%s\n", th->name,
				       expected, got);
			return false;
		}
	}
	return true;
}

static bool same_twice(const char *path, const reader *r, thread *th)
{
	g_autofree unsigned *order = in_order(th);
	g_autoptr(tracker) t = fresh_store(path);

	ingest_or_die(t, r, th, order, th->n);
	g_autofree char *once = state_dump(path);

	ingest_or_die(t, r, th, order, th->n);
	g_autofree char *twice = state_dump(path);

	return !strcmp(once, twice);
}

static void score_orders(const char *path, const reader *r, const GPtrArray *threads)
{
	unsigned orders = 0, different = 0;

	for (guint i = 0; i < threads->len; i++) {
		thread *th = threads->pdata[i];
		unsigned n = th->n;
		unsigned bad = 0;

		if (n < 2)
			continue;
		bad += !same_in_order(path, r, th, reversed, 0);
		for (unsigned k = 0; k < 3; k++)
			bad += !same_in_order(path, r, th, shuffled, k);
		for (unsigned k = 0; k < n; k++)
			bad += !same_in_order(path, r, th, late, k);
		bad += !same_twice(path, r, th);
		orders += 5 + n;
		different += bad;
		if (bad)
			printf("  %s: %u orders differ\n", th->name, bad);
	}
	printf("orders of arrival tried: %u\norders that differ: %u\n", orders,
	       different);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: trail CORPUS DIRECTORY [-v]\n");
		return 2;
	}
	verbose = argc > 3;

	all_mails = g_array_new(FALSE, FALSE, sizeof(mail_text));

	reader r = reader_new();
	g_autofree char *path = g_build_filename(argv[2], "trail.db", NULL);
	g_autoptr(GPtrArray) index = read_lines(argv[1], "index.jsonl");
	g_autoptr(GPtrArray) keys = read_lines(argv[1], "reply-keys.jsonl");
	g_autoptr(GPtrArray) labels = read_lines(argv[1], "labels.jsonl");
	g_autoptr(GPtrArray) threads = g_ptr_array_new();
	tracker *t = fresh_store(path);

	for (guint i = 0; i < index->len; i++) {
		thread *th = read_thread(argv[1], index->pdata[i]);
		g_autofree unsigned *order = in_order(th);

		g_ptr_array_add(threads, th);
		ingest_or_die(t, &r, th, order, th->n);
	}

	sqlite3 *db;

	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	score_links(db, keys);
	score_states(db, labels);
	sqlite3_close(db);
	tracker_close(t);
	score_orders(path, &r, threads);
	reader_clear(&r);
	return 0;
}
