/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mailbox of an IMAP server.  The cursor is "UIDVALIDITY UID": the last mail that is
 * known, in a mailbox of that identity.  UIDs only grow, so what is new lies behind it.
 * A third number counts the runs that could not read the mail behind it.
 *
 * Each command asks for a range of UIDs, wider where there are only gaps, so that the
 * time of a round trip is shared by many mails.  Two commands at a time would hide it
 * altogether, but servers may mix the answers.  What cannot be read costs the
 * connection; then the range is halved until the one bad mail stands alone, and is
 * handed over as trouble.
 */
#include <string.h>

#include "mailer/fetch_kind.h"
#include "mailer/imap.h"
#include "mailer/imap_text.h"
#include "mailer/mailer.h"
#include "mailer/text.h"

#define PORT      143
#define PORT_TLS  993
#define WIDTH     1000u /* UIDs a command asks for */
#define WIDTH_MAX (1u << 30)
#define BAD_MAX   1000 /* ranges broken off; then something else is wrong */
#define TRIES     3    /* runs that may fail at a mail before it is given up */
#define POLL      60u  /* seconds between looks, where the server knows no IDLE */

typedef struct source {
	fetch_server at;
	char *mailbox;
	imap *main; /* runs and waits */
	imap *side; /* reads single mails while a run is under way; in side_box */
	imap_box side_box;
	uint32_t seen; /* UIDNEXT at the end of the last run */
} source;

typedef struct run {
	source *from;
	const mailer_fetch_sink *sink;
	imap_box box;
	uint64_t lo, hi; /* UIDs that are asked for now */
	uint64_t width;  /* of the range */
	uint64_t tried;  /* the UID that earlier runs could not read */
	unsigned tries;  /* how many of them */
	size_t bad;
	size_t in_range;    /* mails that the oldest range has brought */
	uint64_t last;      /* UID of the last one; 0: none, or they come unordered */
	uint64_t too_large; /* UID of a mail over the limit that broke the range */
	bool sink_failed;
} run;

/* A session that lives; one that has died since it was last used is opened anew. */
static bool make_ready(source *from, imap **session, GError **error)
{
	if (*session && imap_ask(*session, "NOOP", NULL, NULL, NULL) == IMAP_OK)
		return true;
	g_clear_pointer(session, imap_close);
	*session = imap_open(&from->at.url, &from->at.options.server, error);
	if (*session)
		return true;
	g_prefix_error(error, "%s: ", from->at.url.full);
	return false;
}

/* Opens the mailbox in that session. */
static bool examine(source *from, imap **session, imap_box *box, GError **error)
{
	if (!make_ready(from, session, error))
		return false;

	imap_end end = imap_examine(*session, from->mailbox, box, error);

	if (end == IMAP_OK)
		return true;
	if (end == IMAP_BROKEN)
		g_clear_pointer(session, imap_close);
	return fetch_server_fail(&from->at, "EXAMINE", error);
}

static bool see_last(imap *s, char *line, void *context, GError **error)
{
	g_auto(imap_mail) mail = { 0 };
	uint32_t *last = context;
	bool is_fetch;

	if (!imap_read_fetch(s, line, &mail, &is_fetch, error))
		return false;
	*last = MAX(*last, mail.uid);
	return true;
}

/* Old servers do not say UIDNEXT; it is behind the last mail. */
static bool find_next(source *from, imap_box *box, GError **error)
{
	uint32_t last = 0;

	if (box->next || !box->exists)
		return true;
	if (imap_ask(from->main, "UID FETCH * (UID)", see_last, &last, error) ==
	    IMAP_OK) {
		box->next = last == G_MAXUINT32 ? last : last + 1;
		return true;
	}
	g_clear_pointer(&from->main, imap_close);
	return fetch_server_fail(&from->at, "the last UID", error);
}

static bool hand_over(run *r, uint64_t uid, GByteArray *bytes, const char *trouble,
		      GError **error)
{
	g_autofree char *place =
		g_strdup_printf("%u/%" G_GUINT64_FORMAT, r->box.validity, uid);
	g_autoptr(GBytes) whole = bytes ? g_byte_array_free_to_bytes(bytes) : NULL;
	mailer_fetched mail = {
		.place = place,
		.bytes = whole,
		.trouble = trouble,
		.left = MIN((int64_t)(r->box.next - uid) - 1, (int64_t)r->box.exists),
	};

	if (r->sink->mail(&mail, r->sink->context, error))
		return true;
	r->sink_failed = true;
	return false;
}

static bool take_line(imap *s, char *line, void *context, GError **error)
{
	run *r = context;
	g_auto(imap_mail) mail = { 0 };
	bool is_fetch;

	if (!imap_read_fetch(s, line, &mail, &is_fetch, error)) {
		r->too_large = mail.too_large ? mail.uid : 0;
		return false;
	}
	if (!mail.bytes || mail.uid < r->lo || mail.uid > r->hi)
		return true;
	r->in_range++;
	r->last = mail.uid;
	text_unix(mail.bytes);
	return hand_over(r, mail.uid, g_steal_pointer(&mail.bytes), NULL, error);
}

static bool keep_cursor(run *r, uint64_t uid, GError **error)
{
	g_autofree char *cursor =
		g_strdup_printf("%u %" G_GUINT64_FORMAT, r->box.validity, uid);

	if (r->sink->checkpoint(cursor, r->sink->context, error))
		return true;
	r->sink_failed = true;
	return false;
}

/* Where only gaps were, the next step is wider; mails make it narrow again. */
static void choose_width(run *r)
{
	r->width = r->in_range ? WIDTH : MIN(r->width * 2, WIDTH_MAX);
}

/* A new session in the same mailbox, to go on from that UID. */
static bool start_over(run *r, uint64_t uid, GError **error)
{
	imap_box box;

	g_clear_pointer(&r->from->main, imap_close);
	if (!examine(r->from, &r->from->main, &box, error))
		return false;
	if (box.validity != r->box.validity) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "%s: the mailbox was made anew meanwhile",
			    r->from->at.url.full);
		return false;
	}
	r->lo = uid;
	return true;
}

/* The mail that could not be read, and nothing but it. */
static bool give_up_mail(run *r, uint64_t uid, const GError *cause, GError **error)
{
	if (!hand_over(r, uid, NULL, cause->message, error) ||
	    !keep_cursor(r, uid, error))
		return false;
	r->width = 1;
	return start_over(r, uid + 1, error);
}

/* A mail that cannot be read may be readable next time; that counts the runs. */
static bool count_try(run *r, uint64_t uid, GError **error)
{
	unsigned tries = r->tried == uid ? r->tries + 1 : 1;
	g_autofree char *cursor = g_strdup_printf("%u %" G_GUINT64_FORMAT " %u",
						  r->box.validity, uid - 1, tries);

	r->tries = tries;
	return tries < TRIES ? r->sink->checkpoint(cursor, r->sink->context, error) :
			       true;
}

/* The mail over the limit that broke the range, when all before it are here; or 0. */
static uint64_t find_too_large(const run *r)
{
	uint64_t uid = r->too_large;

	if (!uid || uid < r->lo || uid > r->hi)
		return 0;
	return (r->last ? r->last < uid : uid == r->lo) ? uid : 0;
}

/* A range that was broken off.  Mails that came already come again, which does no harm.
 */
static bool recover(run *r, const GError *cause, GError **error)
{
	uint64_t large = find_too_large(r);

	if (large)
		return give_up_mail(r, large, cause, error);
	if (r->lo < r->hi) {
		r->width = (r->hi - r->lo + 1) / 2;
		return start_over(r, r->lo, error);
	}
	if (!count_try(r, r->lo, error))
		return false;
	if (r->tries >= TRIES)
		return give_up_mail(r, r->lo, cause, error);
	g_propagate_prefixed_error(error, g_error_copy(cause),
				   "%s: mail %" G_GUINT64_FORMAT ": ",
				   r->from->at.url.full, r->lo);
	return false;
}

/* Whether another session may read what this one could not. */
static bool is_bad_mail(run *r, const GError *cause)
{
	return !r->sink_failed && ++r->bad <= BAD_MAX &&
	       (g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_FORMAT) ||
		g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_REFUSED));
}

static bool read_range(run *r, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autofree char *command = NULL;

	r->hi = MIN(r->lo + r->width, (uint64_t)r->box.next) - 1;
	r->in_range = 0;
	r->last = r->too_large = 0;
	command = g_strdup_printf("UID FETCH %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT
				  " (UID BODY.PEEK[])",
				  r->lo, r->hi);
	if (imap_ask(r->from->main, command, take_line, r, &cause) != IMAP_OK) {
		if (is_bad_mail(r, cause))
			return recover(r, cause, error);
		g_propagate_error(error, g_steal_pointer(&cause));
		return r->sink_failed ? false :
					fetch_server_fail(&r->from->at, "FETCH", error);
	}
	choose_width(r);
	r->lo = r->hi + 1;
	return keep_cursor(r, r->hi, error);
}

static bool walk(run *r, GError **error)
{
	while (r->lo < r->box.next)
		if (!read_range(r, error))
			return false;
	return true;
}

/* The first UID to ask for; 1 when the cursor is of another mailbox, or of none. */
static void begin_behind(run *r, const char *cursor)
{
	uint64_t validity, uid, tries = 0;
	const char *rest = cursor ? text_number(cursor, &validity) : NULL;

	r->lo = 1;
	if (!rest || *rest != ' ' || !(rest = text_number(rest + 1, &uid)) ||
	    validity != r->box.validity || !validity)
		return;
	/* A mailbox that went back in time will give these UIDs to other mails. */
	if (r->box.next && uid >= r->box.next)
		return;
	r->lo = uid + 1;
	if (*rest == ' ' && text_number(rest + 1, &tries)) {
		r->tried = r->lo;
		r->tries = (unsigned)MIN(tries, TRIES);
	}
}

static bool fetch_run(void *self, const char *cursor, const mailer_fetch_sink *sink,
		      GError **error)
{
	source *from = self;
	run r = { .from = from, .sink = sink, .width = WIDTH };

	if (!examine(from, &from->main, &r.box, error) ||
	    !find_next(from, &r.box, error))
		return false;
	from->seen = r.box.next;
	begin_behind(&r, cursor);

	bool done = walk(&r, error);

	/* An answer may be under way: this session is in no state to be used. */
	if (!done)
		g_clear_pointer(&from->main, imap_close);
	return done;
}

static bool take_one(imap *s, char *line, void *context, GError **error)
{
	imap_mail *want = context;
	g_auto(imap_mail) mail = { 0 };
	bool is_fetch;

	if (!imap_read_fetch(s, line, &mail, &is_fetch, error))
		return false;
	if (mail.uid == want->uid && mail.bytes && !want->bytes)
		want->bytes = g_steal_pointer(&mail.bytes);
	return true;
}

static GBytes *not_found(const source *from, const char *place, GError **error)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
		    "%s: mail %s is not there any more", from->at.url.full, place);
	return NULL;
}

static GBytes *fetch_again(void *self, const char *place, GError **error)
{
	source *from = self;
	uint64_t validity, uid;
	const char *rest = text_number(place, &validity);

	if (!rest || *rest != '/' || !text_number(rest + 1, &uid) || !uid ||
	    uid > G_MAXUINT32)
		return not_found(from, place, error);
	if (!from->side && !examine(from, &from->side, &from->side_box, error))
		return NULL;
	if (validity != from->side_box.validity)
		return not_found(from, place, error);

	g_auto(imap_mail) mail = { .uid = (uint32_t)uid };
	g_autofree char *command =
		g_strdup_printf("UID FETCH %u (UID BODY.PEEK[])", mail.uid);
	imap_end end = imap_ask(from->side, command, take_one, &mail, error);

	if (end != IMAP_OK) {
		g_clear_pointer(&from->side, imap_close);
		fetch_server_fail(&from->at, "FETCH", error);
		return NULL;
	}
	if (!mail.bytes)
		return not_found(from, place, error);
	text_unix(mail.bytes);
	return g_byte_array_free_to_bytes(g_steal_pointer(&mail.bytes));
}

static bool fetch_wait(void *self, unsigned seconds, int stop_fd, bool *fresh,
		       GError **error)
{
	source *from = self;

	if (!from->main) {
		imap_box box;

		if (!examine(from, &from->main, &box, error))
			return false;
		from->main->exists = box.next != from->seen;
	}
	*fresh = from->main->exists;
	if (*fresh)
		return true;
	if (!from->main->can_idle) {
		*fresh = fetch_pause(MIN(seconds, POLL), stop_fd);
		return true;
	}
	if (imap_idle(from->main, seconds, stop_fd, fresh, error) == IMAP_OK)
		return true;
	g_clear_pointer(&from->main, imap_close);
	return fetch_server_fail(&from->at, "IDLE", error);
}

static void source_close(void *self)
{
	source *from = self;

	imap_close(from->main);
	imap_close(from->side);
	fetch_server_clear(&from->at);
	g_free(from->mailbox);
	g_free(from);
}

static void *source_open(const char *url, const mailer_fetch_options *options,
			 GError **error)
{
	source *from = g_new0(source, 1);

	if (!fetch_server_init(&from->at, url, options, PORT, PORT_TLS, error)) {
		source_close(from);
		return NULL;
	}
	from->mailbox = g_strdup(from->at.url.path[0] ? from->at.url.path : "INBOX");
	return from;
}

#define IMAP_KIND(prefix)                                                              \
	{                                                                              \
		.scheme = prefix, .form = prefix "//[USER@]HOST[:PORT]/MAILBOX",       \
		.open = source_open, .name = fetch_server_name, .run = fetch_run,      \
		.again = fetch_again, .wait = fetch_wait, .close = source_close        \
	}

const fetch_kind fetch_imap = IMAP_KIND("imap:");
const fetch_kind fetch_imaps = IMAP_KIND("imaps:");
