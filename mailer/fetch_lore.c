/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inbox of public-inbox over HTTP, by its search.  The cursor is "HASH TIME": the
 * state of the inbox that is known, and from when on mail is looked for when it has
 * changed.  TIME is that of the newest mail by the server's own account, less an
 * overlap, for mails may arrive out of order; those that come again do no harm.
 *
 * What lies far back is searched a year at a time, with "- TIME" between, so that a
 * first run that is broken off goes on from there.  A mail's place is its Message-ID.
 */
#include <string.h>

#include "mailer/fetch_kind.h"
#include "mailer/lore.h"
#include "mailer/mailer.h"
#include "mailer/text.h"

#define HOUR          ((int64_t)3600)
#define OVERLAP       (6 * HOUR)
#define OVERLAP_BLIND (48 * HOUR) /* by our clock, where the server says no time */
#define YEAR          (366 * 24 * HOUR)
#define FIRST_YEAR    ((int64_t)788918400) /* 1995; older mail is of the first slice */
#define UNKNOWN       "-"
#define ID_MAX        1000

typedef struct run {
	lore *from;
	const mailer_fetch_sink *sink;
} run;

/* The first Message-ID of a mail, without its brackets; "" if there is none. */
static char *message_id(const GByteArray *mail)
{
	static const char name[] = "\nmessage-id:";
	const char *p = (const char *)mail->data, *end = p + mail->len;
	size_t n = strlen(name);

	if (mail->len >= n && g_ascii_strncasecmp(p, name + 1, n - 1) == 0)
		p += n - 1;
	else
		while (p && (size_t)(end - p) > n && *(p + 1) != '\n' &&
		       g_ascii_strncasecmp(p, name, n) != 0)
			p = memchr(p + 1, '\n', (size_t)(end - p - 1));
	if (!p || (size_t)(end - p) <= n)
		return g_strdup("");
	if (*p == '\n') {
		if (g_ascii_strncasecmp(p, name, n) != 0)
			return g_strdup("");
		p += n;
	}

	const char *open = memchr(p, '<', MIN((size_t)(end - p), ID_MAX));
	const char *close =
		open ? memchr(open, '>', MIN((size_t)(end - open), ID_MAX)) : NULL;

	return close ? g_strndup(open + 1, (gsize)(close - open - 1)) : g_strdup("");
}

static bool take_mail(GByteArray *mail, void *context, GError **error)
{
	run *r = context;
	g_autofree char *place = mail ? message_id(mail) : g_strdup("");
	g_autoptr(GBytes) bytes = mail ? g_bytes_new(mail->data, mail->len) : NULL;
	const mailer_fetched fetched = {
		.place = place,
		.bytes = bytes,
		.trouble = mail ? NULL : "larger than mail may be",
		.left = -1,
	};

	return r->sink->mail(&fetched, r->sink->context, error);
}

static bool keep_cursor(run *r, const char *hash, int64_t time, GError **error)
{
	g_autofree char *cursor = g_strdup_printf("%s %" G_GINT64_FORMAT, hash, time);

	return r->sink->checkpoint(cursor, r->sink->context, error);
}

/* Mail that came from one time on, before another; 0: without that bound. */
static bool search(run *r, int64_t from, int64_t to, GError **error)
{
	g_autoptr(GString) query = g_string_new(NULL);

	if (r->from->query)
		g_string_append_printf(query, "(%s) AND ", r->from->query);
	g_string_append(query, "rt:");
	if (from)
		g_string_append_printf(query, "%" G_GINT64_FORMAT, from);
	g_string_append(query, "..");
	if (to)
		g_string_append_printf(query, "%" G_GINT64_FORMAT, to);
	else if (!from)
		g_string_assign(query, r->from->query ? r->from->query : "rt:0..");
	return lore_search(r->from, query->str, take_mail, r, error);
}

static bool search_from(run *r, int64_t from, GError **error)
{
	int64_t now = g_get_real_time() / G_USEC_PER_SEC;
	int64_t to = MAX(from, FIRST_YEAR) + YEAR;

	for (; to < now; from = to, to += YEAR)
		if (!search(r, from, to, error) || !keep_cursor(r, UNKNOWN, to, error))
			return false;
	return search(r, from, 0, error);
}

/* *hash "-" where a server keeps no state. */
static bool find_state(run *r, char **hash, int64_t *next, GError **error)
{
	g_autoptr(GError) cause = NULL;
	int64_t now = g_get_real_time() / G_USEC_PER_SEC;
	int64_t modified = 0;

	if (lore_state(r->from, hash, &modified, &cause)) {
		*next = modified ? MIN(modified, now) - OVERLAP : now - OVERLAP_BLIND;
		return true;
	}
	if (g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_NOT_FOUND)) {
		*hash = g_strdup(UNKNOWN);
		*next = now - OVERLAP_BLIND;
		return lore_exists(r->from, error);
	}
	g_propagate_error(error, g_steal_pointer(&cause));
	return false;
}

static bool fetch_run(void *self, const char *cursor, const mailer_fetch_sink *sink,
		      GError **error)
{
	run r = { .from = self, .sink = sink };
	g_auto(GStrv) known = g_strsplit(cursor ? cursor : "", " ", 2);
	g_autofree char *hash = NULL;
	uint64_t from = (uint64_t)MAX(r.from->options.since, 0);
	int64_t next;

	if (known[0] && known[1])
		text_number(known[1], &from);
	/* Asked for first: what comes meanwhile is new next time. */
	if (!find_state(&r, &hash, &next, error))
		return false;
	if (known[0] && strcmp(hash, known[0]) == 0 && strcmp(hash, UNKNOWN) != 0)
		return true;
	return search_from(&r, (int64_t)from, error) &&
	       keep_cursor(&r, hash, next, error);
}

static GBytes *fetch_again(void *self, const char *place, GError **error)
{
	if (place[0])
		return lore_message(self, place, error);
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
		    "a mail without a Message-ID cannot be asked for");
	return NULL;
}

static void *source_open(const char *url, const mailer_fetch_options *options,
			 GError **error)
{
	return lore_open(url, options, error);
}

static void source_close(void *self)
{
	lore_close(self);
}

static char *source_name(const void *self)
{
	const lore *l = self;

	return g_strdup(l->name);
}

#define LORE_KIND(prefix)                                                              \
	{                                                                              \
		.scheme = prefix, .form = prefix "//HOST/INBOX/[?q=WORDS]",            \
		.open = source_open, .name = source_name, .run = fetch_run,            \
		.again = fetch_again, .close = source_close                            \
	}

const fetch_kind fetch_lore_http = LORE_KIND("lore+http:");
const fetch_kind fetch_lore_https = LORE_KIND("lore+https:");
