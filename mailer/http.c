/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/http.h"

#include <string.h>

#include "mailer/curl.h"
#include "mailer/mailer.h"
#include "mailer/waits.h"

#define TIMEOUT_DEFAULT 60
#define SLOWEST         64L /* bytes a second, over the time of a step */
#define REDIRECTS_MAX   3L
#define TRIES           3
#define PATIENCE        30 /* seconds that are waited within a question */
#define AWAY            60 /* seconds without a question where no time is given */

struct http {
	const curl_library *lib;
	CURL *curl; /* NULL: nothing was asked yet */
	const mailer_fetch_options *options;
	unsigned timeout;
	int64_t not_before; /* monotonic: the server wants to hear nothing till then */
	char said[CURL_ERROR_SIZE];
};

/* An answer under way. */
typedef struct answer {
	http *h;
	const http_request *request;
	uint64_t bytes;
	bool judged;
	GError *error; /* why it was given up */
} answer;

static bool allows_login(const http *h, const char *url)
{
	static const char *const own[] = { "http://localhost", "http://127.",
					   "http://[::1]" };

	if (!h->options->server.user || !h->options->server.password)
		return false;
	if (g_str_has_prefix(url, "https:") || h->options->server.insecure)
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
		if (g_str_has_prefix(url, own[i]))
			return true;
	return false;
}

/* The type of content is what was wanted; a web page is no mailbox. */
static bool judge_type(const answer *a, GError **error)
{
	const char *want = a->request->type;
	const char *type = NULL;
	size_t n = strlen(want);

	a->h->lib->getinfo(a->h->curl, CURLINFO_CONTENT_TYPE, &type);
	if (type && g_ascii_strncasecmp(type, want, n) == 0 && strchr("; ", type[n]))
		return true;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
		    "the answer is %.100s, not %s", type ? type : "of no type", want);
	return false;
}

static size_t take(char *bytes, size_t one, size_t n, void *context)
{
	answer *a = context;
	long code = 0;

	a->h->lib->getinfo(a->h->curl, CURLINFO_RESPONSE_CODE, &code);
	if (code != 200)
		return one * n; /* a page for people */
	if (!a->judged && !judge_type(a, &a->error))
		return 0;
	a->judged = true;
	a->bytes += n;
	if (a->bytes > a->request->max) {
		g_set_error(&a->error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "an answer of more than %" G_GUINT64_FORMAT " bytes",
			    a->request->max);
		return 0;
	}
	return a->request->fn(bytes, n, a->request->context, &a->error) ? n : 0;
}

http *http_new(const mailer_fetch_options *options)
{
	http *h = g_new0(http, 1);

	h->options = options;
	h->timeout =
		options->server.timeout ? options->server.timeout : TIMEOUT_DEFAULT;
	return h;
}

static bool begin(http *h, GError **error)
{
	if (h->curl)
		return true;
	h->lib = curl_load(error);
	if (!h->lib)
		return false;
	h->curl = h->lib->init();
	if (!h->curl)
		g_error("libcurl: cannot be set up"); /* as GLib does without memory */
	return true;
}

void http_free(http *h)
{
	if (!h)
		return;
	if (h->curl)
		h->lib->cleanup(h->curl);
	g_free(h);
}

static void name_ourselves(const http *h)
{
	const char *contact = h->options->contact;
	g_autofree char *name =
		g_strdup_printf("regtrail%s%s%s", contact ? " (" : "",
				contact ? contact : "", contact ? ")" : "");

	/* No line end may end the header. */
	for (char *p = name; *p; p++)
		if (g_ascii_iscntrl(*p))
			*p = ' ';
	h->lib->setopt(h->curl, CURLOPT_USERAGENT, name);
}

static void set_up(http *h, answer *a)
{
	__typeof__(h->lib->setopt) set = h->lib->setopt;
	CURL *c = h->curl;
	const http_request *request = a->request;
	bool safe = g_str_has_prefix(request->url, "https:");

	h->lib->reset(c); /* the connection stays */
	set(c, CURLOPT_URL, request->url);
	set(c, CURLOPT_NOSIGNAL, 1L);
	set(c, CURLOPT_PROTOCOLS_STR, "http,https");
	set(c, CURLOPT_FOLLOWLOCATION, 1L);
	set(c, CURLOPT_MAXREDIRS, REDIRECTS_MAX);
	set(c, CURLOPT_REDIR_PROTOCOLS_STR, safe ? "https" : "http,https");
	set(c, CURLOPT_POSTREDIR, (long)CURL_REDIR_POST_ALL);
	set(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	set(c, CURLOPT_CONNECTTIMEOUT, (long)h->timeout);
	set(c, CURLOPT_LOW_SPEED_LIMIT, SLOWEST);
	set(c, CURLOPT_LOW_SPEED_TIME, (long)h->timeout);
	set(c, CURLOPT_ERRORBUFFER, h->said);
	set(c, CURLOPT_WRITEFUNCTION, take);
	set(c, CURLOPT_WRITEDATA, a);
	if (h->options->server.ca_file)
		set(c, CURLOPT_CAINFO, h->options->server.ca_file);
	if (request->post)
		set(c, CURLOPT_COPYPOSTFIELDS, "");
	if (allows_login(h, request->url)) {
		set(c, CURLOPT_USERNAME, h->options->server.user);
		set(c, CURLOPT_PASSWORD, h->options->server.password);
	}
	name_ourselves(h);
	h->said[0] = '\0';
}

/* A certificate that is not accepted will not be next time. */
static int code_of(CURLcode result)
{
	switch (result) {
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_TOO_MANY_REDIRECTS:
	case CURLE_UNSUPPORTED_PROTOCOL:
		return MAILER_ERROR_REFUSED;
	case CURLE_URL_MALFORMAT:
		return MAILER_ERROR_USAGE;
	default:
		return MAILER_ERROR_TEMPORARY;
	}
}

static bool judge(const http *h, CURLcode result, const answer *a, GError **error)
{
	long code = 0;

	h->lib->getinfo(h->curl, CURLINFO_RESPONSE_CODE, &code);
	if (a->error) {
		g_propagate_error(error, g_error_copy(a->error));
		return false;
	}
	if (result != CURLE_OK) {
		g_set_error(error, MAILER_ERROR, code_of(result), "%s",
			    h->said[0] ? h->said : h->lib->strerror(result));
		return false;
	}
	if (code == 200)
		return a->judged || judge_type(a, error);
	g_set_error(error, MAILER_ERROR,
		    code == 404 ? MAILER_ERROR_NOT_FOUND :
		    code == 429 || code == 408 || code / 100 == 5 ?
				  MAILER_ERROR_TEMPORARY :
				  MAILER_ERROR_REFUSED,
		    "the server answers with %ld", code);
	return false;
}

/* Seconds until the server may be asked again; 0: it does not ask for a pause. */
static unsigned pause_wanted(http *h, unsigned tries)
{
	long code = 0;
	curl_off_t wanted = 0;

	h->lib->getinfo(h->curl, CURLINFO_RESPONSE_CODE, &code);
	if (code != 429 && code != 503)
		return 0;
	h->lib->getinfo(h->curl, CURLINFO_RETRY_AFTER, &wanted);
	if (wanted > 0)
		return (unsigned)MIN(wanted, 86400);
	return tries < TRIES ? 1u << tries : AWAY;
}

static bool refuse_for_now(const http *h, GError **error)
{
	int64_t left = h->not_before - g_get_monotonic_time();

	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
		    "the server wants to be asked again in %d seconds, not before",
		    (int)((left + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC));
	return false;
}

bool http_ask(http *h, const http_request *request, GError **error)
{
	unsigned waited = 0;

	if (!begin(h, error))
		return false;
	for (unsigned tries = 1;; tries++) {
		g_autoptr(GError) cause = NULL;
		answer a = { .h = h, .request = request };
		unsigned pause;

		if (h->not_before > g_get_monotonic_time())
			return refuse_for_now(h, error);
		set_up(h, &a);
		if (judge(h, h->lib->perform(h->curl), &a, &cause))
			return true;
		g_clear_error(&a.error);
		pause = pause_wanted(h, tries);
		if (!pause) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return false;
		}
		waited += pause;
		if (waited > PATIENCE || tries >= TRIES) {
			h->not_before = deadline_in(pause);
			return refuse_for_now(h, error);
		}
		g_usleep(pause * G_USEC_PER_SEC);
	}
}
