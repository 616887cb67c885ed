/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A group of a news server.  The cursor is "NUMBER <MESSAGE-ID>" of the last article
 * that is known: when that number means another article now, or none that can be, the
 * group was numbered anew and is read from its start.  A third word counts the runs
 * that could not read the article behind it.
 *
 * The numbers that exist are asked for in ranges; the articles by many commands at a
 * time, whose answers come in order.
 */
#include <string.h>

#include "mailer/fetch_kind.h"
#include "mailer/mailer.h"
#include "mailer/nntp.h"
#include "mailer/text.h"

#define PORT        119
#define PORT_TLS    563
#define WIDTH       2000u /* numbers asked for at a time */
#define WIDTH_MAX   (UINT64_C(1) << 60)
#define NUMBERS_MAX 4000u      /* that are kept of an answer */
#define LISTED_MAX  (1u << 20) /* bytes of a line of it */
#define AHEAD       128u       /* commands under way */
#define BATCH       500u       /* articles to a checkpoint */
#define TRIES       3   /* runs that may fail at an article before it is given up */
#define ID_MAX      250 /* RFC 3977 */

typedef struct source {
	fetch_server at;
	nntp *main;
	nntp *side; /* reads single articles while a run is under way */
} source;

typedef struct run {
	source *from;
	const mailer_fetch_sink *sink;
	uint64_t low, high; /* of the group */
	uint64_t next;      /* the first number that is not looked at yet */
	uint64_t width;
	size_t way;      /* in which the server says what there is */
	GArray *numbers; /* uint64_t, that are to be read */
	uint64_t last;   /* the last that was handed over or is a gap */
	char *last_id;   /* Message-ID of the last article, with <>, or NULL */
	uint64_t tried;  /* the number that earlier runs could not read */
	unsigned tries;  /* how many of them */
	unsigned batch;  /* articles since the last checkpoint */
} run;

static bool connect_to(source *from, nntp **session, GError **error)
{
	*session = nntp_open(&from->at.url, &from->at.options.server, error);
	if (*session)
		return true;
	g_prefix_error(error, "%s: ", from->at.url.full);
	return false;
}

static unsigned ask_group(source *from, nntp *n, const char **text, GError **error)
{
	g_autofree char *command = g_strconcat("GROUP ", from->at.url.path, NULL);

	return nntp_ask(n, command, text, error);
}

/* "211 COUNT LOW HIGH NAME", over a session that lives. */
static bool enter_group(source *from, uint64_t *low, uint64_t *high, GError **error)
{
	const char *text = NULL;
	unsigned code = from->main ? ask_group(from, from->main, &text, NULL) : 0;
	uint64_t count;

	if (!code) {
		g_clear_pointer(&from->main, nntp_close);
		if (!connect_to(from, &from->main, error))
			return false;
		code = ask_group(from, from->main, &text, error);
	}
	if (code != 211) {
		nntp_refuse(code, text, error);
		return fetch_server_fail(&from->at, "GROUP", error);
	}
	if (!(text = text_number(text, &count)) || *text++ != ' ' ||
	    !(text = text_number(text, low)) || *text++ != ' ' ||
	    !text_number(text, high)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "an answer without numbers");
		return fetch_server_fail(&from->at, "GROUP", error);
	}
	return true;
}

/* The id at the start of text, with its brackets; NULL if there is none. */
static char *take_id(const char *text)
{
	size_t n = strcspn(text, "> \t\r\n");

	if (text[0] != '<' || text[n] != '>' || n >= ID_MAX)
		return NULL;
	return g_strndup(text, n + 1);
}

/* Whether the number still means that article, as far as can be known. */
static bool is_still(run *r, uint64_t number, const char *id, bool *still,
		     GError **error)
{
	g_autofree char *command = g_strdup_printf("STAT %" G_GUINT64_FORMAT, number);
	const char *text;
	unsigned code = nntp_ask(r->from->main, command, &text, error);
	const char *rest = code == 223 ? text_number(text, &number) : NULL;
	g_autofree char *now = rest && *rest == ' ' ? take_id(rest + 1) : NULL;

	*still = !id || !now || strcmp(id, now) == 0;
	return code ? true : fetch_server_fail(&r->from->at, "STAT", error);
}

static bool begin_behind(run *r, const char *cursor, GError **error)
{
	uint64_t number, tries = 0;
	const char *rest = cursor ? text_number(cursor, &number) : NULL;
	g_autofree char *id = rest && *rest == ' ' ? take_id(rest + 1) : NULL;
	bool still = false;

	r->next = MAX(r->low, 1);
	if (!rest || number > r->high)
		return true;
	if (number && !is_still(r, number, id, &still, error))
		return false;
	if (!still && number)
		return true;
	rest = strrchr(rest, ' ');
	if (rest && text_number(rest + 1, &tries)) {
		r->tried = number + 1;
		r->tries = (unsigned)MIN(tries, TRIES);
	}
	r->last_id = g_steal_pointer(&id);
	r->last = number;
	r->next = MAX(number + 1, r->low);
	return true;
}

static bool keep_cursor(run *r, unsigned tries, GError **error)
{
	g_autoptr(GString) cursor = g_string_new(NULL);

	g_string_append_printf(cursor, "%" G_GUINT64_FORMAT " %s", r->last,
			       r->last_id ? r->last_id : "-");
	if (tries)
		g_string_append_printf(cursor, " %u", tries);
	r->batch = 0;
	return r->sink->checkpoint(cursor->str, r->sink->context, error);
}

/* Where a server cannot say what there is, all numbers up to hi may be. */
static bool guess_numbers(run *r, uint64_t hi)
{
	for (uint64_t number = r->next; number <= hi; number++) {
		g_array_append_val(r->numbers, number);
		if (r->numbers->len == NUMBERS_MAX)
			break;
	}
	return true;
}

static bool note_number(run *r, const char *line, uint64_t hi, GError **error)
{
	uint64_t number, last = 0;

	if (!text_number(line, &number)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "a line without a number");
		return false;
	}
	if (r->numbers->len)
		last = g_array_index(r->numbers, uint64_t, r->numbers->len - 1);
	if (number >= r->next && number <= hi && number > last &&
	    r->numbers->len < NUMBERS_MAX)
		g_array_append_val(r->numbers, number);
	return true;
}

/*
 * Ways to ask what there is in a range, the cheapest for a server first: public-inbox
 * takes ten times as long for an overview as for one header.  LISTGROUP would say just
 * what is needed, but public-inbox 1.9 answers it with nonsense when asked for a range.
 */
static const struct way {
	const char *command;
	unsigned code; /* of an answer with lines */
} ways[] = {
	/* clang-format off */
	{ "HDR Message-ID",  225 },
	{ "XHDR Message-ID", 221 },
	{ "OVER",            224 },
	{ "XOVER",           224 },
	/* clang-format on */
};

/* Asks in the first way that the server knows; its code is 50x if there is none. */
static unsigned ask_range(run *r, uint64_t hi, const char **text, GError **error)
{
	unsigned code = 500;

	for (; r->way < G_N_ELEMENTS(ways); r->way++) {
		g_autofree char *command =
			g_strdup_printf("%s %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
					ways[r->way].command, r->next, hi);

		code = nntp_ask(r->from->main, command, text, error);
		if (code / 10 != 50)
			break;
	}
	return code;
}

/* The lines of the answer, each with a number in front. */
static bool read_range(run *r, uint64_t hi, GError **error)
{
	nntp *n = r->from->main;
	bool end = false;

	while (!end) {
		size_t length;
		const char *line;

		lines_allow(n->lines, n->timeout);
		line = nntp_line(n, LISTED_MAX, &length, &end, error);
		if (!end && (!line || !note_number(r, line, hi, error)))
			return false;
	}
	return true;
}

/* Which numbers from r->next to hi exist. */
static bool list_numbers(run *r, uint64_t hi, GError **error)
{
	const char *text;
	unsigned code = ask_range(r, hi, &text, error);

	g_array_set_size(r->numbers, 0);
	if (code / 10 == 42)
		return true; /* none */
	if (code / 10 == 50)
		return guess_numbers(r, hi);
	if (code != ways[r->way].code)
		return nntp_refuse(code, text, error);
	return read_range(r, hi, error);
}

/* The next numbers to read; r->next is behind them. */
static bool find_numbers(run *r, GError **error)
{
	uint64_t hi = MIN(r->next + r->width - 1, r->high);

	if (!list_numbers(r, hi, error))
		return fetch_server_fail(&r->from->at, "what there is", error);
	/* What was not kept is asked for again. */
	if (r->numbers->len == NUMBERS_MAX)
		hi = g_array_index(r->numbers, uint64_t, NUMBERS_MAX - 1);
	r->width = r->numbers->len ? WIDTH : MIN(r->width * 2, WIDTH_MAX);
	r->next = hi + 1;
	return true;
}

static bool send_commands(run *r, guint from, guint to, GError **error)
{
	g_autoptr(GString) commands = g_string_new(NULL);

	for (guint i = from; i < to; i++)
		g_string_append_printf(commands, "ARTICLE %" G_GUINT64_FORMAT "\r\n",
				       g_array_index(r->numbers, uint64_t, i));
	lines_allow(r->from->main->lines, r->from->main->timeout);
	return lines_send(r->from->main->lines, commands->str, commands->len, error);
}

static bool hand_over(run *r, uint64_t number, GByteArray *bytes, const char *trouble,
		      GError **error)
{
	g_autofree char *place = g_strdup_printf("%" G_GUINT64_FORMAT " %s", number,
						 r->last_id ? r->last_id : "-");
	g_autoptr(GBytes) whole = bytes ? g_byte_array_free_to_bytes(bytes) : NULL;
	const mailer_fetched mail = {
		.place = place,
		.bytes = whole,
		.trouble = trouble,
		.left = (int64_t)(r->high - number),
	};

	r->batch++;
	return r->sink->mail(&mail, r->sink->context, error);
}

/* An article that cannot be read may be readable next time; that counts the runs. */
static bool refuse_article(run *r, uint64_t number, unsigned code, const char *text,
			   GError **error)
{
	g_autoptr(GError) cause = NULL;
	unsigned tries = r->tried == number ? r->tries + 1 : 1;

	nntp_refuse(code, text, &cause);
	if (tries >= TRIES) {
		g_clear_pointer(&r->last_id, g_free);
		return hand_over(r, number, NULL, cause->message, error);
	}
	r->last = number - 1;
	if (!keep_cursor(r, tries, error))
		return false;
	g_propagate_prefixed_error(error, g_steal_pointer(&cause),
				   "%s: article %" G_GUINT64_FORMAT ": ",
				   r->from->at.url.full, number);
	return false;
}

/* The answer to ARTICLE of that number. */
static bool read_article(run *r, uint64_t number, GError **error)
{
	nntp *n = r->from->main;
	GByteArray *bytes = NULL;
	const char *text;
	uint64_t said;

	lines_allow(n->lines, n->timeout);

	unsigned code = nntp_answer(n, &text, error);

	if (code == 423 || code == 430)
		return true; /* gone meanwhile */
	if (code && code != 220)
		return refuse_article(r, number, code, text, error);
	if (code) {
		text = text_number(text, &said);
		g_free(r->last_id);
		r->last_id = text && *text == ' ' ? take_id(text + 1) : NULL;
	}
	if (!code || !nntp_article(n, &bytes, error))
		return fetch_server_fail(&r->from->at, "ARTICLE", error);
	return hand_over(r, number, bytes, bytes ? NULL : "larger than mail may be",
			 error);
}

static bool read_numbers(run *r, GError **error)
{
	guint sent = 0;

	for (guint i = 0; i < r->numbers->len; i++) {
		/* Half of them under way: time for the other half. */
		if (sent < r->numbers->len && sent - i <= AHEAD / 2) {
			guint to = MIN(i + AHEAD, r->numbers->len);

			if (!send_commands(r, sent, to, error))
				return fetch_server_fail(&r->from->at, "ARTICLE",
							 error);
			sent = to;
		}

		uint64_t number = g_array_index(r->numbers, uint64_t, i);

		if (!read_article(r, number, error))
			return false;
		r->last = number;
		if (r->batch >= BATCH && !keep_cursor(r, 0, error))
			return false;
	}
	return true;
}

static bool walk(run *r, const char *cursor, GError **error)
{
	if (!begin_behind(r, cursor, error))
		return false;

	uint64_t before = r->last;

	while (r->next <= r->high)
		if (!find_numbers(r, error) || !read_numbers(r, error))
			return false;
	return r->last == before || keep_cursor(r, 0, error);
}

static bool fetch_run(void *self, const char *cursor, const mailer_fetch_sink *sink,
		      GError **error)
{
	source *from = self;
	run r = { .from = from, .sink = sink, .width = WIDTH };

	if (!enter_group(from, &r.low, &r.high, error))
		return false;
	r.numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	bool done = walk(&r, cursor, error);

	/* Answers may be under way: this session is in no state to be used. */
	if (!done)
		g_clear_pointer(&from->main, nntp_close);
	g_array_unref(r.numbers);
	g_free(r.last_id);
	return done;
}

/* By its id, which outlives numbers, if it had one. */
static unsigned ask_again(source *from, const char *place, GError **error)
{
	uint64_t number;
	const char *text, *rest = text_number(place, &number);
	g_autofree char *id = rest && *rest == ' ' ? take_id(rest + 1) : NULL;
	g_autofree char *command =
		id ? g_strconcat("ARTICLE ", id, NULL) :
		     g_strdup_printf("ARTICLE %" G_GUINT64_FORMAT, rest ? number : 0);
	unsigned code = id ? 211 : ask_group(from, from->side, &text, error);

	if (code == 211)
		code = nntp_ask(from->side, command, &text, error);
	if (code == 220)
		return code;
	nntp_refuse(code, text, error);
	return code;
}

static GBytes *fetch_again(void *self, const char *place, GError **error)
{
	source *from = self;
	GByteArray *bytes = NULL;
	g_autoptr(GError) cause = NULL;

	if (!from->side && !connect_to(from, &from->side, error))
		return NULL;

	unsigned code = ask_again(from, place, &cause);

	if (code == 220 && nntp_article(from->side, &bytes, &cause) && bytes)
		return g_byte_array_free_to_bytes(bytes);
	if (code / 10 == 43 || code / 10 == 42 || (code == 220 && !cause)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
			    "%s: article %s is not there any more", from->at.url.full,
			    place);
		return NULL;
	}
	g_clear_pointer(&from->side, nntp_close);
	g_propagate_prefixed_error(error, g_steal_pointer(&cause),
				   "%s: ARTICLE: ", from->at.url.full);
	return NULL;
}

static void source_close(void *self)
{
	source *from = self;

	nntp_close(from->main);
	nntp_close(from->side);
	fetch_server_clear(&from->at);
	g_free(from);
}

static bool is_group(const char *name)
{
	for (const char *p = name; *p; p++)
		if (*p & 0x80 ? false : !g_ascii_isgraph(*p))
			return false;
	return name[0] && strlen(name) < ID_MAX;
}

static void *source_open(const char *url, const mailer_fetch_options *options,
			 GError **error)
{
	source *from = g_new0(source, 1);

	if (!fetch_server_init(&from->at, url, options, PORT, PORT_TLS, error)) {
		source_close(from);
		return NULL;
	}
	if (!is_group(from->at.url.path)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "%s: needs the name of a group", from->at.url.full);
		source_close(from);
		return NULL;
	}
	return from;
}

#define NNTP_KIND(prefix)                                                              \
	{                                                                              \
		.scheme = prefix, .form = prefix "//[USER@]HOST[:PORT]/GROUP",         \
		.open = source_open, .name = fetch_server_name, .run = fetch_run,      \
		.again = fetch_again, .close = source_close                            \
	}

const fetch_kind fetch_nntp = NNTP_KIND("nntp:");
const fetch_kind fetch_nntps = NNTP_KIND("nntps:");
