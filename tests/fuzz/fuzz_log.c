/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stream of `git log`: the first byte says in parts of which size it comes; however
 * it is cut, it gives the same commits, and what is found in them keeps its promises.
 */
#include <stdlib.h>
#include <string.h>

#include "parser/parser.h"
#include "tests/fuzz/fuzz.h"

#define HASH "0123456789abcdef0123456789abcdef01234567"

typedef struct seen {
	const parser_wanted *wanted;
	GChecksum *sum;
	GPtrArray *mentions;
} seen;

static parser_wanted *wanted_new(void)
{
	parser_wanted *w = parser_wanted_new();

	parser_wanted_add_commit(w, HASH);
	parser_wanted_add_commit(w, "0123456fedcba");
	parser_wanted_add_title(w, "mm: Count in German");
	parser_wanted_add_message(w, "202401010000.01234567-robot@example.org");
	parser_wanted_add_message(w, "a@b");
	parser_wanted_add_robot(w, "robot@example.org");
	parser_wanted_add_date(w, 1700000000);
	return w;
}

static void add(GChecksum *sum, const char *bytes, size_t length)
{
	g_checksum_update(sum, (const guchar *)bytes, (gssize)length);
	g_checksum_update(sum, (const guchar *)"|", 1);
}

static void check_mention(const parser_mentioned *m)
{
	if (!*m->what || !*m->line || strchr(m->line, '\n') ||
	    !g_utf8_validate(m->line, -1, NULL))
		abort();
}

static bool take(const parser_logged *commit, void *context)
{
	seen *s = context;
	g_autofree char *subject = parser_logged_subject(commit);

	if (!g_utf8_validate(subject, -1, NULL) || strchr(subject, '\n'))
		abort();
	parser_wanted_find(s->wanted, commit, s->mentions);
	add(s->sum, commit->id, commit->id_length);
	add(s->sum, commit->author, commit->author_length);
	add(s->sum, commit->message, commit->length);
	for (guint i = 0; i < s->mentions->len; i++) {
		const parser_mentioned *m = s->mentions->pdata[i];

		check_mention(m);
		add(s->sum, m->what, strlen(m->what));
	}
	g_ptr_array_set_size(s->mentions, 0);
	return true;
}

static char *digest(const parser_wanted *wanted, const char *data, size_t size,
		    size_t part)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(GPtrArray) mentions =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_mentioned_free);
	g_auto(parser_log) log = { 0 };
	seen s = { wanted, sum, mentions };

	parser_log_init(&log);
	while (size) {
		size_t n = MIN(part, size);

		parser_log_feed(&log, data, n, take, &s);
		data += n;
		size -= n;
	}
	parser_log_end(&log, take, &s);
	if (log.broken > log.records)
		abort();
	return g_strdup(g_checksum_get_string(sum));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;

	const char *stream = (const char *)data + 1;
	g_autoptr(parser_wanted) wanted = wanted_new();
	g_autofree char *whole = digest(wanted, stream, size - 1, SIZE_MAX);
	g_autofree char *parts = digest(wanted, stream, size - 1, data[0] + 1u);

	if (!g_str_equal(whole, parts))
		abort();
	return 0;
}
