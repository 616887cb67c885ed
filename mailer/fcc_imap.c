/* SPDX-License-Identifier: GPL-2.0-or-later */
/* APPEND to a folder of an IMAP server, unless a mail of that Message-ID is there. */
#include <libetpan/mailimap.h>
#include <string.h>

#include "mailer/fcc.h"
#include "mailer/wire.h"

#define TIMEOUT_DEFAULT 300
#define ANSWER_MAX      (1u << 20)
#define PORT_IMAP       143
#define PORT_IMAPS      993

typedef struct target {
	char *name; /* "imap://host:143" */
	char *scheme, *user, *host, *folder;
	int port;
} target;

static void target_clear(target *t)
{
	g_free(t->name);
	g_free(t->scheme);
	g_free(t->user);
	g_free(t->host);
	g_free(t->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(target, target_clear)

static bool parse(target *t, const char *url, GError **error)
{
	g_autofree char *password = NULL, *path = NULL;

	t->port = -1;
	if (!g_uri_split_with_user(url, G_URI_FLAGS_NONE, &t->scheme, &t->user,
				   &password, NULL, &t->host, &t->port, &path, NULL,
				   NULL, NULL) ||
	    !t->host || !t->host[0] || password || !path || !path[0] || !path[1]) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "fcc: expected imap[s]://[USER@]HOST[:PORT]/FOLDER, "
			    "without a password");
		return false;
	}
	t->folder = g_strdup(path + 1);
	if (t->port <= 0)
		t->port = strcmp(t->scheme, "imaps") == 0 ? PORT_IMAPS : PORT_IMAP;
	t->name = g_strdup_printf("%s://%s:%d", t->scheme, t->host, t->port);
	return true;
}

/* An open connection and what it needs. */
typedef struct session {
	const target *t;
	const mailer_options *options;
	unsigned timeout;
	wire *w;
	mailimap *imap;
} session;

static void allow(session *s)
{
	wire_allow(s->w, s->timeout, ANSWER_MAX);
}

static bool fail(const session *s, const char *step, GError **error)
{
	const GError *fault = wire_fault(s->w);
	const char *said = s->imap->imap_response;
	g_autofree char *words = g_utf8_make_valid(fault ? fault->message :
						   said  ? said :
							   "refused",
						   -1);

	g_set_error(error, MAILER_ERROR,
		    fault ? MAILER_ERROR_TEMPORARY : MAILER_ERROR_REFUSED,
		    "fcc: %s: %s: %s", s->t->name, step, words);
	return false;
}

static bool offers(session *s, const char *name)
{
	struct mailimap_capability_data *data = NULL;
	bool found = false;

	allow(s);
	if (mailimap_capability(s->imap, &data) != MAILIMAP_NO_ERROR)
		return false;
	for (clistiter *i = clist_begin(data->cap_list); i; i = clist_next(i)) {
		const struct mailimap_capability *one = clist_content(i);

		found |= one->cap_type == MAILIMAP_CAPABILITY_NAME &&
			 g_ascii_strcasecmp(one->cap_data.cap_name, name) == 0;
	}
	mailimap_capability_data_free(data);
	return found;
}

static bool greet(session *s, GError **error)
{
	allow(s);

	int code = mailimap_connect(s->imap, wire_stream(s->w));

	if (code == MAILIMAP_NO_ERROR_NON_AUTHENTICATED ||
	    code == MAILIMAP_NO_ERROR_AUTHENTICATED)
		return true;
	return fail(s, "greeting", error);
}

static bool turn_to_tls(session *s, GError **error)
{
	if (wire_is_secure(s->w) || s->options->tls == MAILER_TLS_NEVER)
		return true;
	if (!offers(s, "STARTTLS")) {
		if (s->options->tls != MAILER_TLS_REQUIRED)
			return true;
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "fcc: %s: STARTTLS is required and not offered",
			    s->t->name);
		return false;
	}
	allow(s);
	if (mailimap_starttls(s->imap) != MAILIMAP_NO_ERROR)
		return fail(s, "STARTTLS", error);
	if (wire_secure(s->w, s->options->ca_file, s->timeout, error))
		return true;
	g_prefix_error(error, "fcc: %s: STARTTLS: ", s->t->name);
	return false;
}

static bool log_in(session *s, GError **error)
{
	const char *user = s->t->user ? s->t->user : s->options->user;

	if (!user || !s->options->password) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "fcc: %s: needs a user and a password", s->t->name);
		return false;
	}
	if (!wire_is_secure(s->w) && !wire_is_loopback(s->w) && !s->options->insecure) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "fcc: %s: login: the connection is not encrypted (allow it "
			    "with insecure = yes)",
			    s->t->name);
		return false;
	}
	allow(s);
	return mailimap_login(s->imap, user, s->options->password) ==
		       MAILIMAP_NO_ERROR ||
	       fail(s, "login", error);
}

/* Opens the folder, or makes it. */
static bool open_folder(session *s, GError **error)
{
	allow(s);
	if (mailimap_examine(s->imap, s->t->folder) == MAILIMAP_NO_ERROR)
		return true;
	if (wire_fault(s->w))
		return fail(s, "EXAMINE", error);
	allow(s);
	if (mailimap_create(s->imap, s->t->folder) != MAILIMAP_NO_ERROR)
		return fail(s, "CREATE", error);
	allow(s);
	return mailimap_examine(s->imap, s->t->folder) == MAILIMAP_NO_ERROR ||
	       fail(s, "EXAMINE", error);
}

static bool search(session *s, const char *message_id, bool *found, GError **error)
{
	/* libetpan frees what it is given with free(). */
	struct mailimap_search_key *key = mailimap_search_key_new_header(
		strdup("Message-ID"), strdup(message_id));
	clist *hits = NULL;

	allow(s);

	int code = mailimap_uid_search(s->imap, NULL, key, &hits);

	mailimap_search_key_free(key);
	if (code != MAILIMAP_NO_ERROR)
		return fail(s, "SEARCH", error);
	*found = clist_count(hits) > 0;
	mailimap_search_result_free(hits);
	return true;
}

static bool append(session *s, GBytes *mail, GError **error)
{
	struct mailimap_flag_list *flags = mailimap_flag_list_new_empty();
	gsize length;
	const char *bytes = g_bytes_get_data(mail, &length);

	mailimap_flag_list_add(flags, mailimap_flag_new_seen());
	wire_allow(s->w, s->timeout * 2, ANSWER_MAX);

	int code = mailimap_append(s->imap, s->t->folder, flags, NULL, bytes, length);

	mailimap_flag_list_free(flags);
	return code == MAILIMAP_NO_ERROR || fail(s, "APPEND", error);
}

static bool converse(session *s, const char *message_id, GBytes *mail, GError **error)
{
	bool found = false;

	if (!greet(s, error) || !turn_to_tls(s, error) || !log_in(s, error) ||
	    !open_folder(s, error) || !search(s, message_id, &found, error))
		return false;
	return found || append(s, mail, error);
}

static void end(session *s)
{
	if (s->imap->imap_stream) {
		if (!wire_fault(s->w)) {
			allow(s);
			mailimap_logout(s->imap);
		}
		if (s->imap->imap_stream)
			mailstream_close(s->imap->imap_stream);
		s->imap->imap_stream = NULL;
	}
	mailimap_free(s->imap);
}

bool fcc_imap(const char *url, const mailer_options *options, const char *message_id,
	      GBytes *mail, GError **error)
{
	static const guard_caps caps = { .line = 65536,
					 .literal = 65536,
					 .depth = 100 };
	g_auto(target) t = { 0 };

	if (!parse(&t, url, error))
		return false;

	unsigned timeout = options->timeout ? options->timeout : TIMEOUT_DEFAULT;
	g_autoptr(wire) w = wire_connect(t.host, (unsigned)t.port, timeout, error);

	if (!w || (strcmp(t.scheme, "imaps") == 0 &&
		   !wire_secure(w, options->ca_file, timeout, error))) {
		g_prefix_error(error, "fcc: %s: ", t.name);
		return false;
	}
	wire_set_caps(w, &caps);

	session s = { .t = &t,
		      .options = options,
		      .timeout = timeout,
		      .w = w,
		      .imap = mailimap_new(0, NULL) };
	bool done = converse(&s, message_id, mail, error);

	end(&s);
	return done;
}
