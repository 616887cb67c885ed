/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inbox of public-inbox over HTTP, by its search.  The cursor is "HASH TIME [SEEN]":
 * the state of the inbox that is known, and from when on mail is looked for when it has
 * changed.  TIME is that of the newest mail by the server's own account, less an
 * overlap, for mails may arrive out of order; those that come again do no harm.
 *
 * The search of a server lags behind its inbox.  SEEN is when the state was first met,
 * by our clock; it is searched again at each visit, last at one that comes late enough
 * for the search to have caught up, and then SEEN goes.
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
#define LAG           (HOUR / 12) /* of a search behind its inbox; public-inbox: 35 s */
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

typedef struct position {
	char *hash; /* UNKNOWN where a server keeps no state */
	int64_t time;
	int64_t seen; /* 0: long ago */
} position;

static void position_clear(position *p)
{
	g_free(p->hash);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(position, position_clear)

static void position_read(position *p, const char *cursor)
{
	g_auto(GStrv) parts = g_strsplit(cursor ? cursor : "", " ", 3);
	uint64_t number;

	if (!parts[0] || !parts[1])
		return;
	p->hash = g_strdup(parts[0]);
	if (text_number(parts[1], &number))
		p->time = (int64_t)number;
	if (parts[2] && text_number(parts[2], &number))
		p->seen = (int64_t)number;
}

static bool position_keep(run *r, const position *p, GError **error)
{
	g_autoptr(GString) cursor = g_string_new(NULL);

	g_string_printf(cursor, "%s %" G_GINT64_FORMAT, p->hash, p->time);
	if (p->seen)
		g_string_append_printf(cursor, " %" G_GINT64_FORMAT, p->seen);
	return r->sink->checkpoint(cursor->str, r->sink->context, error);
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

static int64_t clock_now(void)
{
	return g_get_real_time() / G_USEC_PER_SEC;
}

static bool search_from(run *r, int64_t from, GError **error)
{
	int64_t now = clock_now();
	position next = { .hash = (char *)UNKNOWN };

	for (next.time = MAX(from, FIRST_YEAR) + YEAR; next.time < now;
	     from = next.time, next.time += YEAR)
		if (!search(r, from, next.time, error) ||
		    !position_keep(r, &next, error))
			return false;
	return search(r, from, 0, error);
}

/* The state of the inbox, and where to go on from it. */
static bool find_state(run *r, position *p, GError **error)
{
	g_autoptr(GError) cause = NULL;
	int64_t now = clock_now(), modified = 0;

	if (lore_state(r->from, &p->hash, &modified, &cause)) {
		p->time = modified ? MIN(modified, now) - OVERLAP : now - OVERLAP_BLIND;
		return true;
	}
	if (g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_NOT_FOUND)) {
		p->hash = g_strdup(UNKNOWN);
		p->time = now - OVERLAP_BLIND;
		return lore_exists(r->from, error);
	}
	g_propagate_error(error, g_steal_pointer(&cause));
	return false;
}

/* Since when a state is known that the search may not have caught up with; 0: it has.
 */
static int64_t seen_since(const position *last, const char *hash)
{
	int64_t now = clock_now();

	if (strcmp(hash, UNKNOWN) == 0)
		return 0;
	if (g_strcmp0(hash, last->hash) != 0)
		return now;
	return last->seen + LAG > now ? last->seen : 0;
}

static bool fetch_run(void *self, const char *cursor, const mailer_fetch_sink *sink,
		      GError **error)
{
	run r = { .from = self, .sink = sink };
	g_auto(position) last = { .time = MAX(r.from->options.since, 0) };
	g_auto(position) next = { 0 };

	position_read(&last, cursor);
	/* Asked for first: what comes meanwhile is new next time. */
	if (!find_state(&r, &next, error))
		return false;
	if (g_strcmp0(next.hash, last.hash) == 0 && strcmp(next.hash, UNKNOWN) != 0 &&
	    !last.seen)
		return true;
	next.seen = seen_since(&last, next.hash);
	return search_from(&r, last.time, error) && position_keep(&r, &next, error);
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
